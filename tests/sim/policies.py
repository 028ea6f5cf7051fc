"""How the players of simulated games decide: unlike each other, quick to an end, never careful.

A policy sees a view and has a generator of its own, so a peer that starts again may change its
mind about everything it has not said yet.
"""

import random
from collections.abc import Callable

from p2pcoup.rules import Concede, DecisionKind, Move
from p2pcoup.table import Prompt

CONCEDES = 0.004  # of decisions; a move that no list of legal moves holds

Policy = Callable[[Prompt, random.Random], Move]


def drawn_to(*wanted: str) -> Policy:
    """Mostly takes the first of these it may (names of actions or of moves), else anything."""

    def choose(prompt: Prompt, luck: random.Random) -> Move:
        view = prompt.view
        half_way = prompt.decision.kind in (DecisionKind.KEEP, DecisionKind.PICK)
        if not half_way and luck.random() < CONCEDES:
            return Concede(view.seat)
        moves = view.legal_moves()
        if luck.random() < 0.8:
            for name in wanted:
                named = [move for move in moves if _name(move) == name]
                if named:
                    return luck.choice(named)
        return luck.choice(moves)

    return choose


def _name(move: Move) -> str:
    action = getattr(move, "action", None)
    return str(getattr(action, "name", type(move).__name__.lower()))


POLICIES: tuple[Policy, ...] = (
    drawn_to(),
    drawn_to("coup", "assassinate", "tax", "show", "pass"),
    drawn_to("challenge", "show", "exchange", "coup"),
    drawn_to("exchange", "challenge", "show", "block"),
    drawn_to("force", "examine", "show", "pass", "coup"),
    drawn_to("coup", "income", "decline", "pass"),
)
