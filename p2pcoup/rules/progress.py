"""The steps that go by themselves (SPEC 11.5).

After every event `proceed` takes the game on until it waits for a decision or for the cards. It
looks again at whom a step concerns, because that seat may be out by now: then the step is dropped
(D5, D25) and nobody waits for the dead.
"""

from functools import lru_cache
from typing import Final, assert_never

from p2pcoup.rules.editions import Effect
from p2pcoup.rules.errors import IllegalMoveError
from p2pcoup.rules.moves import (
    Act,
    Block,
    Challenge,
    Concede,
    Draw,
    Open,
    Replace,
    ShowTo,
    Shuffle,
    opening_of,
)
from p2pcoup.rules.notation import move_to_text
from p2pcoup.rules.seat import Seat, clockwise_after
from p2pcoup.rules.state import Agenda, Coins, State, new_state, with_change
from p2pcoup.rules.steps import (
    BLOCK,
    Answer,
    CarryOut,
    ChooseAction,
    ChooseKept,
    ChooseReveal,
    DecisionKind,
    LoseInfluence,
    Prove,
    Question,
    Showing,
    Step,
    Window,
    loss_of,
)

_PATIENT: Final = frozenset((Window, ChooseAction, Prove, Showing, ChooseKept, Draw, Shuffle))
"""Steps that always wait: the most frequent ones, told apart at a glance."""

CACHED = 1024
"""Different turns and openings remembered: more than a game meets, and a bound on memory."""


def proceed(state: State, agenda: Agenda, coins: Coins) -> State:
    """Return `state` with these coins after every step of `agenda` that needs nobody."""
    edition, options, order, living, turn, _, slots, step, later = state
    while agenda:
        step, later = agenda[0], agenda[1:]
        if type(step) in _PATIENT:
            break
        match step:
            case Question():
                if (window := opened(living, step)) is not None:
                    step = window
                    break
                agenda = later  # D5: nothing is left to ask, nor to be carried out
            case CarryOut():
                coins, agenda = _carry_out(living, step.act, coins, later)
            case LoseInfluence() | Open() | Replace() if step.seat not in living:
                agenda = later
            case LoseInfluence() | ChooseReveal() if slots[step.seat].count(None) == 1:
                step = _only_choice(state, step)
                break
            case _:
                break
    else:
        turn, step = _next_turn(order, living, turn)
        later = ()
    return new_state((edition, options, order, living, turn, coins, slots, step, later))


@lru_cache(CACHED)
def _next_turn(
    order: tuple[Seat, ...], living: tuple[Seat, ...], turn: Seat
) -> tuple[Seat, ChooseAction]:
    """Clockwise, whoever is still in (R13)."""
    seat = next(seat for seat in clockwise_after(order, turn) if seat in living)
    return seat, ChooseAction(seat)


def all_of(state: State, seat: Seat) -> Open:
    """Return the request to turn up every card the seat has."""
    return opening_of(seat, state.face_down(seat))


def _only_choice(state: State, choice: LoseInfluence | ChooseReveal) -> Step:
    """What a choice comes to when there is one card to choose from."""
    if isinstance(choice, ChooseReveal):
        (slot,) = state.face_down(choice.seat)
        return ShowTo(choice.seat, slot, choice.examiner)
    return all_of(state, choice.seat)


def opened(living: tuple[Seat, ...], question: Question) -> Window | None:
    """Return the window of a question; None when there is nothing left to ask (D5)."""
    act = question.act
    if _is_void(living, act):
        return None
    if question.kind is BLOCK and act.target is not None:
        return Window(question, (act.target,))  # R26
    return Window(question, clockwise_after(living, question.subject))


def closed(state: State, question: Question, answers: tuple[Answer, ...], later: Agenda) -> Agenda:
    """All have answered: who conceded goes first, then the first challenge or block counts."""
    leaving: list[Open] = []
    first: Challenge | Block | None = None
    for given in answers:
        if isinstance(given, Concede):
            leaving.append(all_of(state, given.seat))
        elif first is None:
            first = given
    if first is None:  # nobody objects: an action goes on; nothing comes after a block (R27)
        rest = later
    elif isinstance(first, Challenge):
        rest = (Prove(question.subject, question, first.seat), *later)
    else:  # the block now decides: what it would stop is asked about again only if it falls
        rest = (Question(DecisionKind.CHALLENGE_BLOCK, question.act, first),)
    return (*leaving, *rest) if leaving else rest


def _is_void(living: tuple[Seat, ...], act: Act) -> bool:
    """Whether an action has lost its actor or its target on the way (D5, D25)."""
    return act.seat not in living or (act.target is not None and act.target not in living)


def _carry_out(
    living: tuple[Seat, ...], act: Act, coins: Coins, rest: Agenda
) -> tuple[Coins, Agenda]:
    action, seat = act.action, act.seat
    if _is_void(living, act):
        return coins, rest
    match action.effect:
        case Effect.GAIN:
            return with_change(coins, seat, action.amount), rest
        case Effect.TAKE:
            victim = _target(act)
            moved = min(action.amount, coins[victim])  # R22, D6
            return with_change(with_change(coins, victim, -moved), seat, moved), rest
        case Effect.STRIKE:
            losses = (loss_of(_target(act)),) * action.amount
            return coins, (*losses, *rest)
        case Effect.EXCHANGE:
            return coins, (Draw(seat, action.amount), *rest)
        case Effect.EXAMINE:
            return coins, (ChooseReveal(_target(act), seat), *rest)
        case _:
            assert_never(action.effect)


def _target(act: Act) -> Seat:
    if act.target is None:
        raise IllegalMoveError(f"'{move_to_text(act)}' needs a target; name the seat it aims at")
    return act.target
