"""The simplest bot: any legal move. It bluffs a lot, which makes it good at finding errors."""

import random

from p2pcoup.rules import Move, View


def random_move(view: View, rng: random.Random) -> Move:
    """Return one of the legal moves, each as likely as any other."""
    return rng.choice(view.legal_moves())
