"""Whether a state read from text can be one (SPEC 11.7).

The engine only makes sound states and never checks them again. A line of text may say anything,
so a state read from one is looked at here once; after that no event can break the engine.
"""

from collections import Counter
from collections.abc import Iterable

from p2pcoup.rules.moves import Act, Concede, Draw, Open, Replace
from p2pcoup.rules.seat import Seat, clockwise_after
from p2pcoup.rules.state import State
from p2pcoup.rules.steps import (
    CarryOut,
    ChooseAction,
    ChooseKept,
    DecisionKind,
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
    _require(bool(state.living) and over == (not state.agenda), "over exactly when one is left")
    if over:
        return
    first, *later = state.agenda
    _require(not isinstance(first, Question | CarryOut), "the first step would go by itself")
    _require(not any(isinstance(s, ChooseAction | Window) for s in later), "asked out of turn")
    if isinstance(first, LoseInfluence):
        _require(state.influence(first.seat) > 1, "the only card left is turned up by itself")
    for step in state.agenda:
        _check_step(state, step)


def _require(holds: bool, what: str) -> None:
    if not holds:
        raise ValueError(what)


def _check_table(state: State) -> None:
    edition, seats = state.edition, len(state.order)
    _require(edition.min_players <= seats <= edition.max_players, "number of players")
    _require(sorted(state.order) == list(range(seats)), "each seat once")
    _require(len(state.coins) == seats == len(state.slots), "a value for each seat")
    _require(min(state.coins) >= 0, "coins")
    _require(all(len(hand) == edition.hand_size for hand in state.slots), "cards in a hand")
    up = Counter(card for hand in state.slots for card in hand if card is not None)
    _require(max(up.values(), default=0) <= edition.copies, "copies of a character")
    out = [seat for seat in state.order if seat not in state.living]
    _require(not any(state.coins[seat] for seat in out), "coins of a player who is out")
    _require(state.turn in state.order, "turn")


def _check_step(state: State, step: Step) -> None:
    match step:
        case Window() | Question() | Prove() | Showing():
            _check_questioning(state, step)
        case CarryOut(act):
            _check_act(state, act)
        case ChooseAction(seat):
            _require(seat == state.turn and seat in state.living, "whose turn it is")
            _require(len(state.agenda) == 1, "a turn that has not begun")
        case Open(seat, slots):
            _check_slots(state, seat, slots)
        case Replace(seat, slot, shown):
            _check_slots(state, seat, (slot,))
            _require(state.face_up(shown) < state.edition.copies, "a card shown")
        case Draw(seat, count) | ChooseKept(seat, count):
            _check_exchange(state, seat, count)
        case LoseInfluence(seat):
            _require(seat in state.order, "seat")
        case _:
            pass  # a shuffle says nothing


def _check_questioning(state: State, step: Window | Question | Prove | Showing) -> None:
    question = step if isinstance(step, Question) else step.question
    _check_question(state, question)
    match step:
        case Window():
            _check_window(state, step)
        case Prove(_, challenger):
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
    _require({question.subject, challenger} <= set(state.living), "both still in")
    _require(challenger != question.subject, "a challenge of oneself")


def _check_slots(state: State, seat: Seat, slots: tuple[int, ...]) -> None:
    down = state.face_down(seat)
    _require(seat in state.order and bool(slots), "cards of a seat")
    _require(slots == tuple(slot for slot in down if slot in slots), "face-down cards")


def _check_exchange(state: State, seat: Seat, count: int) -> None:
    amounts = [action.amount for action in state.edition.actions]
    _require(seat == state.turn and seat in state.living and count in amounts, "an exchange")
