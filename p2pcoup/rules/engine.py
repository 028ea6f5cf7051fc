"""One event after another: `apply` (SPEC 11.5).

How it works. The state carries the agenda of the turn (`steps`). An event answers the first step:
a handler below checks it against that step and writes what follows in its place, in the order the
rules demand: the loss of a challenge, then the swap of the shown card, then the action (D4, D27).
`proceed` then takes every step that goes by itself, until the game waits for a decision or for
the cards.
"""

from collections.abc import Callable, Mapping
from typing import Final, TypeVar

from p2pcoup.rules.editions import Character
from p2pcoup.rules.legal import legal_moves
from p2pcoup.rules.losing import lose_seat
from p2pcoup.rules.moves import (
    Act,
    Allow,
    Block,
    Challenge,
    Concede,
    Deal,
    Dealt,
    Decline,
    Draw,
    Drew,
    Event,
    Force,
    Keep,
    Lose,
    Lost,
    Move,
    Open,
    Opened,
    Pass,
    Pick,
    Redraw,
    Redrawn,
    Replace,
    Replaced,
    Reveal,
    Show,
    Shown,
    ShowTo,
    Shuffle,
    Shuffled,
    opening_of,
)
from p2pcoup.rules.openings import openings
from p2pcoup.rules.progress import all_of, closed, proceed
from p2pcoup.rules.refusals import refusal
from p2pcoup.rules.seat import clockwise_after
from p2pcoup.rules.state import Slots, State, new_state, with_change
from p2pcoup.rules.steps import (
    BLOCK,
    Answer,
    AskingOne,
    CarryOut,
    ChooseAction,
    ChooseKept,
    ChoosePick,
    ChooseReveal,
    Judge,
    LoseInfluence,
    Prove,
    Question,
    Showing,
    Window,
    loss_of,
)

_Asking = TypeVar("_Asking", bound=AskingOne)


def apply(state: State, event: Event) -> State:
    """Return the state after the event; the argument is never changed.

    Raises WrongSeatError when the seat has no decision now, IllegalMoveError when the move is not
    legal, or the fact does not answer `state.request` or cannot be true: a card shown on a
    challenge that is not the claimed character, more copies of a character than there are.
    """
    return _HANDLERS[type(event)](state, event)


# Decisions


def _announce(state: State, act: Act) -> State:
    """A turn's action: its cost is paid at once (D8), then come the questions, then the effect."""
    if not isinstance(state.step, ChooseAction) or act.seat != state.turn:
        raise refusal(state, act)
    plan = openings(state, act.seat).plans.get(act)
    if plan is None:
        raise refusal(state, act)
    coins, cost = state.coins, act.action.cost
    return proceed(state, plan, with_change(coins, act.seat, -cost) if cost else coins)


def _answer(state: State, answer: Pass | Answer) -> State:
    """An answer in a window; the last one closes it."""
    window = state.step
    if not isinstance(window, Window) or answer.seat not in window.waiting:
        raise refusal(state, answer)
    question, waiting, answers = window
    if not isinstance(answer, Pass):
        answers = _with_answer(state, window, answer)
    place = waiting.index(answer.seat)
    waiting = waiting[:place] + waiting[place + 1 :]
    if waiting:
        return state.with_steps(Window(question, waiting, answers), state.later)
    return proceed(state, closed(state, question, answers, state.later), state.coins)


def _with_answer(state: State, window: Window, answer: Answer) -> tuple[Answer, ...]:
    """Add an answer that is no pass, if it answers what is asked.

    Answers are kept clockwise, so that the order in which they came leaves no trace (D11).
    """
    question, _, answers = window
    if not isinstance(answer, Concede):
        blocks = question.act.action.blockers if question.kind is BLOCK else ()
        right = answer.character in blocks if isinstance(answer, Block) else not blocks
        if not right:
            raise refusal(state, answer)
    if not answers:
        return (answer,)
    around = clockwise_after(state.order, question.subject)
    place = len(answers)
    while place and around.index(answers[place - 1].seat) > around.index(answer.seat):
        place -= 1
    return (*answers[:place], answer, *answers[place:])


def _prove(state: State, move: Show | Decline) -> State:
    prove = _step(state, move, Prove)
    if isinstance(move, Decline):
        return _unproven(state, prove, loss_of(move.seat))
    _check_slot(state, move)
    return state.with_steps(Showing(prove.question, prove.challenger, move.slot), state.later)


def _unproven(state: State, prove: Prove, loss: LoseInfluence | Open) -> State:
    """The claim fell: its claimant pays with `loss`, then the action fails or goes ahead."""
    act, coins = prove.question.act, state.coins
    if prove.question.block is not None:
        return proceed(state, (loss, CarryOut(act)), coins)  # R36, D12: no second block
    if act.action.cost:
        coins = with_change(coins, act.seat, act.action.cost)  # R35, D8
    return proceed(state, (loss,), coins)


def _lose(state: State, move: Lose) -> State:
    _step(state, move, LoseInfluence)
    _check_slot(state, move)
    return state.with_steps(opening_of(move.seat, (move.slot,)), state.later)


def _keep(state: State, move: Keep) -> State:
    """The kept cards fill the face-down slots; which they are is not public, so both forms of the
    move lead to the same state.
    """
    _step(state, move, ChooseKept)
    if move.kept is not None:
        _check_listed(state, move)
    return state.with_steps(Shuffle(), state.later)


def _pick(state: State, move: Pick) -> State:
    """One player has picked; what, is not public, so both forms of the move lead to one state."""
    picking = state.step
    if not isinstance(picking, ChoosePick) or move.seat not in picking.waiting:
        raise refusal(state, move)
    if move.character is not None:
        _check_listed(state, move)
    waiting = tuple([seat for seat in picking.waiting if seat != move.seat])
    if waiting:
        return state.with_steps(ChoosePick(waiting), state.later)
    return proceed(state, state.later, state.coins)


def _reveal(state: State, move: Reveal) -> State:
    examined = _step(state, move, ChooseReveal)
    _check_slot(state, move)
    return state.with_steps(ShowTo(move.seat, move.slot, examined.examiner), state.later)


def _judge(state: State, move: Allow | Force) -> State:
    judge = _step(state, move, Judge)
    redraw = (Redraw(judge.examined, judge.slot),) if isinstance(move, Force) else ()
    return proceed(state, (*redraw, *state.later), state.coins)


def _concede(state: State, move: Concede) -> State:
    """Giving up (D25) instead of whatever was asked."""
    match state.step:
        case Window():
            return _answer(state, move)
        case Prove() as prove if prove.seat == move.seat:
            return _unproven(state, prove, all_of(state, move.seat))
        case (ChooseAction() | LoseInfluence() | ChooseReveal() | Judge()) as step if (
            step.seat == move.seat
        ):
            return state.with_steps(all_of(state, move.seat), state.later)
        case _:
            raise refusal(state, move)


# Facts


def _opened(state: State, fact: Opened) -> State:
    """Cards are up: a loss, or the proof of a claim."""
    step, seat, characters = state.step, fact.seat, fact.characters
    if isinstance(step, Open) and step.seat == seat and len(step.slots) == len(characters):
        _check_copies(state, fact)
        return _turn_up(state, step, characters)
    if isinstance(step, Showing) and step.question.subject == seat:
        return _shown(state, step, fact)
    raise refusal(state, fact)


def _check_copies(state: State, fact: Opened) -> None:
    """Refuse cards of which there would then be more than the edition has."""
    edition = state.edition
    seen: Slots = sum(state.slots, fact.characters)
    for step in state.later:
        if isinstance(step, Replace):
            seen += (step.shown,)  # on its way to the Court
    for character in fact.characters:
        if seen.count(character) > edition.copies or character not in edition.characters:
            raise refusal(state, fact, f"there cannot be another {character.name}")


def _shown(state: State, showing: Showing, fact: Opened) -> State:
    """The claim is proven: the challenger's loss, then the swap, then what was claimed (D27)."""
    question, challenger, slot = showing
    claimed = question.character
    if claimed is None or fact.characters != (claimed,):
        name = "nothing" if claimed is None else claimed.name
        raise refusal(state, fact, f"{name} was claimed and something else is shown")
    _check_copies(state, fact)
    rest = state.later  # of an action; nothing comes after a block that is proven (R37)
    if not state.options.failed_challenger_may_block and challenger == question.act.target:
        rest = tuple([step for step in rest if not isinstance(step, Question)])  # D3
    loss, swap = loss_of(challenger), Replace(fact.seat, slot, claimed)
    return proceed(state, (loss, swap, *rest), state.coins)


def _turn_up(state: State, opening: Open, characters: tuple[Character, ...]) -> State:
    """The cards stay face up (R10); a seat with none left face down is out (R11)."""
    edition, options, order, living, turn, coins, slots, _, later = state
    seat = opening.seat
    hand = list(slots[seat])
    for place, slot in enumerate(opening.slots):
        hand[slot] = characters[place]
    slots = (*slots[:seat], tuple(hand), *slots[seat + 1 :])
    if None not in hand:
        living = tuple([other for other in living if other != seat])
        coins = with_change(coins, seat, -coins[seat])
    after = new_state((edition, options, order, living, turn, coins, slots, None, ()))
    # R12: the last one has won at once, whatever was still to do (D19)
    return after if len(living) == 1 else proceed(after, later, coins)


def _cards_moved(state: State, fact: Replaced | Drew | Shuffled | Dealt | Shown | Redrawn) -> State:
    """Face-down cards moved or were shown to one seat; the others know no more than before."""
    rest = state.later
    match state.step, fact:
        case (Replace(seat), Replaced(by)) | (Redraw(seat), Redrawn(by)) if seat == by:
            pass
        case (Draw(seat, count), Drew(by)) if seat == by:
            rest = (ChooseKept(seat, count), *rest)
        case (ShowTo(seat, slot, examiner), Shown(by)) if seat == by:
            rest = (Judge(examiner, seat, slot), *rest)
        case (Shuffle(), Shuffled()):
            pass
        case (Deal(count), Dealt()):
            state = state._replace(slots=tuple([(*h, *(None,) * count) for h in state.slots]))
        case _:
            raise refusal(state, fact)
    return proceed(state, rest, state.coins)


# Checks


def _step(state: State, move: Move, expected: type[_Asking]) -> _Asking:
    """Return the current step, if it is of that class and asks that seat."""
    step = state.step
    if isinstance(step, expected) and step.seat == move.seat:
        return step
    raise refusal(state, move)


def _check_slot(state: State, move: Show | Lose | Reveal) -> None:
    if move.slot not in state.face_down(move.seat):
        raise refusal(state, move)


def _check_listed(state: State, move: Move) -> None:
    if move not in legal_moves(state, move.seat):
        raise refusal(state, move)


_HANDLERS: Final[Mapping[type[Event], Callable[..., State]]] = {
    Act: _announce,
    Pass: _answer,
    Challenge: _answer,
    Block: _answer,
    Show: _prove,
    Decline: _prove,
    Lose: _lose,
    Keep: _keep,
    Pick: _pick,
    Reveal: _reveal,
    Allow: _judge,
    Force: _judge,
    Concede: _concede,
    Opened: _opened,
    Replaced: _cards_moved,
    Drew: _cards_moved,
    Shuffled: _cards_moved,
    Dealt: _cards_moved,
    Shown: _cards_moved,
    Redrawn: _cards_moved,
    Lost: lose_seat,
}
"""Who deals with which event: a table, because it is asked at every step of every game."""
