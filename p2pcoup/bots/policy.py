"""What a bot is: a function from a view and a source of chance to a move. And the simplest one."""

import random
from collections.abc import Callable

from p2pcoup.rules import Move, View

Policy = Callable[[View, random.Random], Move]
"""Called when `view.legal_moves()` is not empty; returns one of them. The same view and the same
state of the generator give the same move."""


def random_move(view: View, rng: random.Random) -> Move:
    """Return one of the legal moves, each as likely as any other.

    It claims, blocks and challenges without looking at its cards, which makes it good at finding
    errors. Raises IndexError without a decision.
    """
    return rng.choice(view.legal_moves())
