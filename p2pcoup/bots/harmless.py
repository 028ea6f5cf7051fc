"""What is decided for somebody who does not answer: of the legal moves the one that harms them
least and commits them to nothing (D25).

It claims nothing, doubts nobody, and shows a claimed card rather than losing one. The same view
always gives the same move, and chance has no part in it.
"""

import random
from collections.abc import Callable, Iterable
from typing import TypeVar

from p2pcoup.bots.worth import card_worth
from p2pcoup.rules import (
    Act,
    Allow,
    DecisionKind,
    Effect,
    Keep,
    Lose,
    Move,
    Pass,
    Pick,
    Reveal,
    Seat,
    Show,
    State,
    View,
    clockwise_after,
    pending,
)

_Move = TypeVar("_Move", bound=Move)


def harmless(view: View, rng: random.Random | None = None) -> Move:  # noqa: ARG001 - a policy
    """Return the least harmful legal move. Raises ValueError without a decision."""
    for seat, kind in pending(view.state):
        if seat == view.seat:
            return _DECIDE[kind](view)
    raise ValueError(f"seat {view.seat} has nothing to decide")


def _act(view: View) -> Move:
    """Take what nobody can stop; when the rules force a strike, at the richest."""
    acts = _those(view, Act)
    free = [act for act in acts if act.action.cost == 0 and _is_unstoppable(act)]
    gains = [act for act in free if act.action.effect is Effect.GAIN]
    return gains[0] if gains else _at_the_richest(view, acts)


def _is_unstoppable(act: Act) -> bool:
    return act.action.claim is None and not act.action.blockers


def _at_the_richest(view: View, acts: Iterable[Act]) -> Act:
    """Aimed at whoever has most coins; of several the first one clockwise."""
    state = view.state
    around = clockwise_after(state.order, view.seat)
    aimed = [(act, act.target) for act in acts if act.target is not None]

    def danger(choice: tuple[Act, Seat]) -> tuple[int, int]:
        target = choice[1]
        return state.coins[target], -around.index(target)

    return max(aimed, key=danger)[0]


def _pass(view: View) -> Move:
    return Pass(view.seat)


def _prove(view: View) -> Move:
    """Show the claimed card if there is one; otherwise there is nothing but to decline."""
    shows = _those(view, Show)
    return shows[0] if shows else view.legal_moves()[-1]


def _lose(view: View) -> Move:
    return min(_those(view, Lose), key=lambda move: _worth(view, move.slot))


def _keep(view: View) -> Move:
    """Keep the hand as it is."""
    return Keep(view.seat, tuple(range(view.state.influence(view.seat))))


def _pick(view: View) -> Move:
    edition = view.state.edition
    return Pick(view.seat, max(edition.characters, key=lambda each: card_worth(edition, each)))


def _reveal(view: View) -> Move:
    """Show the card that it would hurt least to have changed."""
    return min(_those(view, Reveal), key=lambda move: _worth(view, move.slot))


def _allow(view: View) -> Move:
    return Allow(view.seat)


def _those(view: View, kind: type[_Move]) -> list[_Move]:
    return [move for move in view.legal_moves() if isinstance(move, kind)]


def _worth(view: View, slot: int) -> float:
    state: State = view.state
    card = view.hand[slot]
    return 0.0 if card is None else card_worth(state.edition, card)


_DECIDE: dict[DecisionKind, Callable[[View], Move]] = {
    DecisionKind.ACT: _act,
    DecisionKind.CHALLENGE_ACTION: _pass,
    DecisionKind.BLOCK: _pass,
    DecisionKind.CHALLENGE_BLOCK: _pass,
    DecisionKind.PROVE: _prove,
    DecisionKind.LOSE: _lose,
    DecisionKind.KEEP: _keep,
    DecisionKind.PICK: _pick,
    DecisionKind.REVEAL: _reveal,
    DecisionKind.JUDGE: _allow,
}
