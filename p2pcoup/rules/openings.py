"""The actions a turn may begin with, and what each leads to (SPEC 11.5).

They follow from very little: whose turn it is, that seat's coins, who is still in. So the list is
made once for each such position and remembered.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from p2pcoup.rules.editions import Edition, Effect
from p2pcoup.rules.moves import Act
from p2pcoup.rules.progress import opened
from p2pcoup.rules.seat import Seat
from p2pcoup.rules.state import Agenda, State
from p2pcoup.rules.steps import CarryOut, DecisionKind, Question

CACHED_OPENINGS: Final = 1024
"""Different positions remembered: more than a game meets, and a bound on memory."""


class Openings(NamedTuple):
    """All ways to begin a turn."""

    acts: tuple[Act, ...]
    """In the order of the edition's table, then of the targets."""
    plans: Mapping[Act, Agenda]
    """For each act the agenda it leads to, its first window already open."""


def openings(state: State, seat: Seat) -> Openings:
    """Return the ways the seat may begin its turn."""
    living, coins = state.living, state.coins
    spared: tuple[Seat, ...] = ()
    if not state.options.steal_from_penniless:
        spared = tuple([other for other in living if not coins[other]])
    return _openings(state.edition, seat, coins[seat], living, spared)


@lru_cache(CACHED_OPENINGS)
def _openings(
    edition: Edition,
    seat: Seat,
    coins: int,
    living: tuple[Seat, ...],
    spared: tuple[Seat, ...],
) -> Openings:
    """`spared` are those that nothing may be taken from (D6)."""
    forced = coins >= edition.forced_from  # R14
    acts: list[Act] = []
    for action in (edition.forced_action,) if forced else edition.actions:
        if action.cost > coins:
            continue
        if action.targeted:
            beyond = (seat, *spared) if action.effect is Effect.TAKE else (seat,)
            acts += [Act(seat, action, target) for target in living if target not in beyond]
        else:
            acts.append(Act(seat, action))
    return Openings(tuple(acts), {act: _plan(act, living) for act in acts})


def _plan(act: Act, living: tuple[Seat, ...]) -> Agenda:
    """First the challenges, then the blocks, then the effect (R15, D1)."""
    questions: list[Question] = []
    if act.action.claim is not None:
        questions.append(Question(DecisionKind.CHALLENGE_ACTION, act))
    if act.action.blockers:
        questions.append(Question(DecisionKind.BLOCK, act))
    if not questions:
        return (CarryOut(act),)
    first, *others = questions
    window = opened(living, first)
    return (first if window is None else window, *others, CarryOut(act))
