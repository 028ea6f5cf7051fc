"""Going on without a seat that is lost (SPEC 11.5, D25).

A seat can be lost at any moment, so here every step is looked at: what only the lost seat could do
is dropped, what it has claimed falls, what it has asked of others goes on.
"""

from p2pcoup.rules.moves import Draw, Lost, Open, Redraw, Replace, ShowTo
from p2pcoup.rules.progress import closed, proceed
from p2pcoup.rules.refusals import refusal
from p2pcoup.rules.seat import Seat
from p2pcoup.rules.state import Agenda, State, new_state, with_change
from p2pcoup.rules.steps import (
    CarryOut,
    ChooseAction,
    ChooseKept,
    ChooseReveal,
    Judge,
    LoseInfluence,
    Prove,
    Question,
    Showing,
    Step,
    Window,
)


def lose_seat(state: State, fact: Lost) -> State:
    """Eliminate the seat: its face-down cards are in the Court again, its coins in the Treasury."""
    seat = fact.seat
    if seat not in state.living:
        raise refusal(state, fact, f"seat {seat} is not in the game")
    edition, options, order, living, turn, coins, slots, _, _ = state
    hand = tuple([card for card in slots[seat] if card is not None])
    slots = (*slots[:seat], hand, *slots[seat + 1 :])
    living = tuple([other for other in living if other != seat])
    coins = with_change(coins, seat, -coins[seat])
    after = new_state((edition, options, order, living, turn, coins, slots, None, ()))
    return after if len(living) == 1 else proceed(after, _still_to_do(state, after, seat), coins)


def _still_to_do(state: State, after: State, seat: Seat) -> Agenda:
    """What is left of the agenda without the seat."""
    agenda: list[Step] = []
    for place, step in enumerate(state.agenda):
        claim = _claim_of(step, seat)
        if claim is not None:
            # the rest belonged to the claim; if that was a block, the action goes ahead (D12)
            return (*agenda, *([] if claim.block is None else [CarryOut(claim.act)]))
        if isinstance(step, Window):
            return _without_answer(step, after, seat, state.agenda[place + 1 :])
        if not _only_of(step, seat):
            agenda.append(step)
    return tuple(agenda)


def _claim_of(step: Step, seat: Seat) -> Question | None:
    """Return the question about this seat's action or block that the step is part of, if any."""
    match step:
        case Question() as question if question.subject == seat:
            return question
        case Window() | Prove() | Showing() if step.question.subject == seat:
            return step.question
        case _:
            return None


def _without_answer(window: Window, after: State, seat: Seat, later: Agenda) -> Agenda:
    """The seat neither answers nor has answered; if all others have, the window closes."""
    question = window.question
    waiting = tuple([other for other in window.waiting if other != seat])
    answers = tuple([given for given in window.answers if given.seat != seat])
    if waiting:
        return (Window(question, waiting, answers), *later)
    return closed(after, question, answers, later)


def _only_of(step: Step, seat: Seat) -> bool:
    """Whether the step means nothing without the seat."""
    match step:
        case (
            ChooseAction() | ChooseKept() | LoseInfluence() | Open() | Replace() | Draw() | Redraw()
        ):
            return step.seat == seat
        case ChooseReveal() | ShowTo():
            return seat in (step.seat, step.examiner)
        case Judge():
            return seat in (step.seat, step.examined)
        case _:
            return False
