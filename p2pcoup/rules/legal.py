"""Which moves a seat may make (SPEC 11.5).

The only place that knows what is legal: the engine accepts a move exactly when it is listed here,
apart from conceding and from the public form of Keep.
"""

from functools import lru_cache
from itertools import combinations

from p2pcoup.rules.editions import Edition
from p2pcoup.rules.moves import Act, Block, Challenge, Decline, Keep, Lose, Move, Pass, Show
from p2pcoup.rules.seat import Seat
from p2pcoup.rules.state import State
from p2pcoup.rules.steps import (
    ChooseAction,
    ChooseKept,
    DecisionKind,
    LoseInfluence,
    Prove,
    Question,
    Window,
)

CACHED_MENUS = 4096
"""Different lists of moves remembered: more than a game meets, and a bound on memory."""


def legal_moves(state: State, seat: Seat) -> tuple[Move, ...]:
    """Return the legal moves of a seat in a fixed order; empty when it has no decision.

    `Concede` is always possible where a decision other than Keep is pending and, like resignation
    in chess, not listed. Show is listed for every face-down card: which of them proves the claim
    is not public.
    """
    match state.step:
        case Window(question, waiting) if seat in waiting:
            return _answers(question, seat)
        case ChooseAction(owner) if owner == seat:
            return _acts(state.edition, seat, state.coins[seat], state.living)
        case Prove(question) if question.subject == seat:
            return (*(Show(seat, slot) for slot in state.face_down(seat)), Decline(seat))
        case LoseInfluence(owner) if owner == seat:
            return tuple([Lose(seat, slot) for slot in state.face_down(seat)])
        case ChooseKept(owner, drawn) if owner == seat:
            return _keeps(seat, state.influence(seat), drawn)
        case _:
            return ()


def _answers(question: Question, seat: Seat) -> tuple[Move, ...]:
    if question.kind is DecisionKind.BLOCK:
        return (Pass(seat), *(Block(seat, char) for char in question.act.action.blockers))
    return (Pass(seat), Challenge(seat))


@lru_cache(CACHED_MENUS)
def _acts(edition: Edition, seat: Seat, coins: int, living: tuple[Seat, ...]) -> tuple[Move, ...]:
    forced = coins >= edition.forced_from
    acts: list[Move] = []
    for action in (edition.forced_action,) if forced else edition.actions:
        if action.cost > coins:
            continue
        if action.targeted:
            acts += [Act(seat, action, target) for target in living if target != seat]
        else:
            acts.append(Act(seat, action))
    return tuple(acts)


@lru_cache(CACHED_MENUS)
def _keeps(seat: Seat, hand: int, drawn: int) -> tuple[Move, ...]:
    return tuple(Keep(seat, kept) for kept in combinations(range(hand + drawn), hand))
