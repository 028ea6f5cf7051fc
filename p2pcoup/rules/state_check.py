"""Whether a state read from text can be one (SPEC 11.7).

The engine only makes sound states and never checks them again. A line of text may say anything,
so a state read from one is looked at here once; after that no event can break the engine.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from typing import assert_never

from p2pcoup.rules.editions import Effect
from p2pcoup.rules.moves import Act, Concede, Deal, Draw, Open, Redraw, Replace, ShowTo
from p2pcoup.rules.seat import Seat, clockwise_after
from p2pcoup.rules.state import State, start
from p2pcoup.rules.steps import (
    CarryOut,
    ChooseAction,
    ChooseKept,
    ChoosePick,
    ChooseReveal,
    DecisionKind,
    Judge,
    LoseInfluence,
    Prove,
    Question,
    Showing,
    Step,
    Window,
)


def check_state(state: State) -> None:
    """Raise ValueError, IndexError or KeyError when the state cannot occur in a game."""
    _check_table(state)
    over = len(state.living) == 1
    _require(bool(state.living) and over == (state.step is None), "over exactly when one is left")
    first = state.step
    if first is None:
        return
    if isinstance(first, ChoosePick | Deal):
        _check_setting_up(state, first)
        return
    _require(not isinstance(first, Question | CarryOut), "the first step would go by itself")
    out_of_turn = ChooseAction | ChoosePick | Deal | Window | ChooseKept | ChooseReveal | Judge
    _require(not any(isinstance(step, out_of_turn) for step in state.later), "asked out of turn")
    if isinstance(first, LoseInfluence | ChooseReveal):
        _require(state.influence(first.seat) > 1, "with one card left it would go by itself")
    for step in state.agenda:
        _check_step(state, step)


def _require(holds: bool, what: str) -> None:
    if not holds:
        raise ValueError(what)


def _check_table(state: State) -> None:
    edition, seats = state.edition, len(state.order)
    state.options.check(edition, seats)
    _require(sorted(state.order) == list(range(seats)), "each seat once")
    _require(len(state.coins) == seats == len(state.slots), "a value for each seat")
    _require(min(state.coins) >= 0, "coins")
    for seat in state.order:
        _require(len(state.slots[seat]) in _hand_sizes(state, seat), "cards in a hand")
    up = Counter(card for hand in state.slots for card in hand if card is not None)
    _require(max(up.values(), default=0) <= edition.copies, "copies of a character")
    out = [seat for seat in state.order if seat not in state.living]
    _require(not any(state.coins[seat] for seat in out), "coins of a player who is out")
    _require(state.turn in state.order, "turn")


def _hand_sizes(state: State, seat: Seat) -> Collection[int]:
    """How many cards a hand may have, the face-up ones included."""
    full = state.edition.hand_size
    picked = full - state.options.dealt(state.edition)
    if seat not in state.living:
        return range(full + 1)  # a lost seat has left only what was face up
    match state.step:
        case ChoosePick() | Deal():
            return (picked,)
        case None:
            return (picked, full)  # the other may have been lost before the deal
        case _:
            return (full,)


def _check_setting_up(state: State, first: ChoosePick | Deal) -> None:
    """In the set of five only who has still to pick may differ from the first state (R43)."""
    begun = start(state.edition, len(state.order), state.order, state.turn, state.options)
    picking = begun.step
    _require(isinstance(picking, ChoosePick), "a set-up without a choice")
    if isinstance(first, ChoosePick) and isinstance(picking, ChoosePick):
        _require(bool(first.waiting), "nobody to wait for")
        _require(_is_part(first.waiting, picking.waiting), "who has to pick")
        begun = begun.with_steps(first, begun.later)
    else:
        begun = begun.with_steps(begun.later[0], begun.later[1:])
    _require(state == begun, "the first turn has not begun")


def _check_step(state: State, step: Step) -> None:
    match step:
        case Window() | Question() | Prove() | Showing():
            _check_questioning(state, step)
        case CarryOut(act):
            _check_act(state, act)
        case ChooseAction(seat):
            _require(seat == state.turn and seat in state.living, "whose turn it is")
            _require(not state.later, "a turn that has not begun")
        case Open(seat, slots):
            _check_slots(state, seat, slots)
        case Replace(seat, slot, shown):
            _check_slots(state, seat, (slot,))
            _require(state.face_up(shown) < state.edition.copies, "a card shown")
        case Draw(seat, count) | ChooseKept(seat, count):
            _check_exchange(state, seat, count)
        case ChooseReveal() | ShowTo() | Judge() | Redraw():
            _check_examination(state, step)
        case LoseInfluence(seat):
            _require(seat in state.order, "seat")
        case _:
            pass  # a shuffle says nothing


def _check_questioning(state: State, step: Window | Question | Prove | Showing) -> None:
    question = step if isinstance(step, Question) else step.question
    _check_question(state, question)
    _require(question.block is None or step == state.agenda[-1], "what comes after a block")
    match step:
        case Window():
            _check_window(state, step)
        case Prove(_, _, challenger):
            _check_challenge(state, question, challenger)
        case Showing(_, challenger, slot):
            _check_challenge(state, question, challenger)
            _check_slots(state, question.subject, (slot,))
        case _:
            pass


def _check_act(state: State, act: Act) -> None:
    _require(act.seat == state.turn, "an action of somebody else")
    _require(act.target != act.seat and (act.target is None or act.target in state.order), "target")


def _check_question(state: State, question: Question) -> None:
    act, block = question.act, question.block
    _check_act(state, act)
    match question.kind:
        case DecisionKind.CHALLENGE_ACTION:
            _require(act.action.claim is not None, "a claim to challenge")
        case DecisionKind.BLOCK:
            _require(bool(act.action.blockers), "something to block")
        case DecisionKind.CHALLENGE_BLOCK:
            _require(block is not None and block.character in act.action.blockers, "a block")
            blocker = None if block is None else block.seat
            _require(blocker in state.living and blocker != act.seat, "who blocks")
            _require(act.target in (None, blocker), "blocked by its target only")
        case _:
            raise ValueError("not a question to others")


def _check_window(state: State, window: Window) -> None:
    question = window.question
    around = clockwise_after(state.living, question.subject)
    if question.kind is DecisionKind.BLOCK and question.act.target is not None:
        around = (question.act.target,)
    answered = [answer.seat for answer in window.answers]
    _require(bool(window.waiting), "nobody to wait for")
    _require(_is_part(window.waiting, around), "who is asked")
    _require(_is_part(answered, around), "who has answered")
    _require(not set(window.waiting) & set(answered), "answered and waited for")
    blocking = question.kind is DecisionKind.BLOCK
    for answer in window.answers:
        if isinstance(answer, Concede):
            continue
        character = getattr(answer, "character", None)
        _require((character is not None) == blocking, "an answer to another question")
        _require(not blocking or character in question.act.action.blockers, "cannot block this")


def _is_part(seats: Iterable[Seat], around: tuple[Seat, ...]) -> bool:
    """Whether the seats are some of those around the table, in that order."""
    seats = tuple(seats)
    return seats == tuple(seat for seat in around if seat in seats)


def _check_challenge(state: State, question: Question, challenger: Seat) -> None:
    _require(question.character is not None, "a claim to prove")
    _require(question.kind is not DecisionKind.BLOCK, "nobody challenges by blocking")
    # a challenge lives on when its challenger is lost (D25)
    _require(question.subject in state.living and challenger in state.order, "who is in")
    _require(challenger != question.subject, "a challenge of oneself")


def _check_slots(state: State, seat: Seat, slots: tuple[int, ...]) -> None:
    down = state.face_down(seat)
    _require(seat in state.order and bool(slots), "cards of a seat")
    _require(slots == tuple(slot for slot in down if slot in slots), "face-down cards")


def _check_exchange(state: State, seat: Seat, count: int) -> None:
    amounts = _amounts(state, Effect.EXCHANGE)
    _require(seat == state.turn and seat in state.living and count in amounts, "an exchange")


def _check_examination(state: State, step: ChooseReveal | ShowTo | Judge | Redraw) -> None:
    needed = {state.turn}
    match step:
        case ChooseReveal(seat, examiner):
            pass
        case ShowTo(seat, slot, examiner) | Judge(examiner, seat, slot):
            _check_slots(state, seat, (slot,))
        case Redraw(seat, slot):
            _check_slots(state, seat, (slot,))
            examiner, needed = state.turn, set()  # it goes on without the examiner (D25)
        case _:
            assert_never(step)
    _require(bool(_amounts(state, Effect.EXAMINE)), "an edition with an examination")
    _require(examiner == state.turn and needed | {seat} <= set(state.living), "who is in")
    _require(seat != examiner, "an examination of oneself")


def _amounts(state: State, effect: Effect) -> set[int]:
    return {action.amount for action in state.edition.actions if action.effect is effect}
