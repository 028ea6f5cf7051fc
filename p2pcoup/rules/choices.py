"""What to offer a player: the legal moves, and beside them those that a rule forbids just now.

A list of legal moves alone leaves a player wondering where the rest is. Here each choice that one
would look for says why it cannot be made: too few coins, ten coins or more, nobody to take from,
another card than the one claimed (SPEC 11.5).
"""

from enum import Enum
from typing import NamedTuple

from p2pcoup.rules.editions import Action, Effect
from p2pcoup.rules.moves import Act, Move, Show
from p2pcoup.rules.seat import Seat
from p2pcoup.rules.state import State
from p2pcoup.rules.steps import ChooseAction, Prove
from p2pcoup.rules.views import View


class Why(Enum):
    """The rule that forbids a move."""

    COINS = "coins"
    """The action costs more than the seat has."""
    FORCED = "forced"
    """Who begins a turn with ten coins or more has one action only (R14)."""
    PENNILESS = "penniless"
    """The target has no coins, and this table does not let one take nothing (D6)."""
    CARD = "card"
    """The card is another one than the character claimed (R32)."""


class Choice(NamedTuple):
    """A move, and what forbids it."""

    move: Move
    why: Why | None = None
    """None: the move is legal."""
    needs: int | None = None
    """With `COINS`: how many the action costs."""


def choices(view: View) -> tuple[Choice, ...]:
    """Return what the seat may look for in the decision it has; empty when it has none.

    The legal ones are `view.legal_moves()`, in their order; the others stand where they would.
    """
    legal = view.legal_moves()
    step, seat = view.state.step, view.seat
    if isinstance(step, ChooseAction) and step.seat == seat:
        return tuple(_opening(view.state, act, act in legal) for act in _acts(view.state, seat))
    if isinstance(step, Prove) and step.seat == seat:
        down = view.state.face_down(seat)
        shows: list[Move] = [Show(seat, slot) for slot in down]
        rest = [move for move in legal if move not in shows]
        return (
            *(Choice(show, None if show in legal else Why.CARD) for show in shows),
            *(Choice(move) for move in rest),
        )
    return tuple(Choice(move) for move in legal)


def _acts(state: State, seat: Seat) -> list[Act]:
    """Every action against everybody still in, in the order of the legal ones."""
    acts: list[Act] = []
    for action in state.edition.actions:
        if action.targeted:
            acts += [Act(seat, action, target) for target in state.living if target != seat]
        else:
            acts.append(Act(seat, action))
    return acts


def _opening(state: State, act: Act, legal: bool) -> Choice:
    if legal:
        return Choice(act)
    if _is_forced(state, act.seat, act.action):
        return Choice(act, Why.FORCED)
    if act.action.cost > state.coins[act.seat]:
        return Choice(act, Why.COINS, act.action.cost)
    if act.action.effect is Effect.TAKE and act.target is not None and not state.coins[act.target]:
        return Choice(act, Why.PENNILESS)
    raise RuntimeError(f"no rule is known that forbids {act}")


def _is_forced(state: State, seat: Seat, action: Action) -> bool:
    edition = state.edition
    return state.coins[seat] >= edition.forced_from and action is not edition.forced_action
