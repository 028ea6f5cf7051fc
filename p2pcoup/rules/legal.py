"""Which moves a seat may make (SPEC 11.5).

The engine accepts a move exactly when it is listed here, apart from conceding and from the public
forms of Keep and Pick. Lists are made once and remembered: a game meets the same few all the time.
"""

from functools import lru_cache
from itertools import combinations
from typing import assert_never

from p2pcoup.rules.editions import Character
from p2pcoup.rules.moves import (
    Allow,
    Block,
    Challenge,
    Decline,
    Force,
    Keep,
    Lose,
    Move,
    Pass,
    Pick,
    Reveal,
    Show,
)
from p2pcoup.rules.openings import openings
from p2pcoup.rules.seat import Seat
from p2pcoup.rules.state import Slots, State
from p2pcoup.rules.steps import (
    BLOCK,
    AskingOne,
    ChooseAction,
    ChooseKept,
    ChoosePick,
    ChooseReveal,
    Judge,
    LoseInfluence,
    Prove,
    Window,
)

CACHED_MENUS = 4096
"""Different lists of moves remembered: more than a game meets, and a bound on memory."""


def legal_moves(state: State, seat: Seat) -> tuple[Move, ...]:
    """Return the legal moves of a seat in a fixed order; empty when it has no decision.

    `Concede` is always possible where a decision other than Keep and Pick is pending and, like
    resignation in chess, not listed. Show is listed for every face-down card: which of them proves
    the claim is not public.
    """
    step = state.step
    if isinstance(step, Window):
        question, waiting, _ = step
        if seat not in waiting:
            return ()
        if question.kind is BLOCK:
            return _block_answers(seat, question.act.action.blockers)
        return _challenge_answers(seat)
    if isinstance(step, ChooseAction):
        return openings(state, seat).acts if step.seat == seat else ()
    if isinstance(step, AskingOne):
        return _choices(state, step, seat) if step.seat == seat else ()
    if isinstance(step, ChoosePick) and seat in step.waiting:
        return tuple([Pick(seat, character) for character in state.edition.characters])
    return ()


def _choices(
    state: State,
    step: Prove | LoseInfluence | ChooseKept | ChooseReveal | Judge,
    seat: Seat,
) -> tuple[Move, ...]:
    match step:
        case LoseInfluence():
            return _losses(seat, state.slots[seat])
        case Prove():
            return _proofs(seat, state.slots[seat])
        case ChooseKept():
            return _keeps(seat, state.influence(seat), step.drawn)
        case ChooseReveal():
            return tuple([Reveal(seat, slot) for slot in state.face_down(seat)])
        case Judge():
            return (Allow(seat), Force(seat))
        case _:
            assert_never(step)


@lru_cache(CACHED_MENUS)
def _challenge_answers(seat: Seat) -> tuple[Move, ...]:
    return (Pass(seat), Challenge(seat))


@lru_cache(CACHED_MENUS)
def _block_answers(seat: Seat, blockers: tuple[Character, ...]) -> tuple[Move, ...]:
    return (Pass(seat), *(Block(seat, character) for character in blockers))


@lru_cache(CACHED_MENUS)
def _proofs(seat: Seat, hand: Slots) -> tuple[Move, ...]:
    return (*(Show(seat, slot) for slot, up in enumerate(hand) if up is None), Decline(seat))


@lru_cache(CACHED_MENUS)
def _losses(seat: Seat, hand: Slots) -> tuple[Move, ...]:
    return tuple(Lose(seat, slot) for slot, up in enumerate(hand) if up is None)


@lru_cache(CACHED_MENUS)
def _keeps(seat: Seat, hand: int, drawn: int) -> tuple[Move, ...]:
    return tuple(Keep(seat, kept) for kept in combinations(range(hand + drawn), hand))
