"""One line of text for a whole state, both ways (SPEC 11.7).

A bug report, a test and a golden game name a position by this line. It is complete: everything
that can happen from the state can happen from its text. Sections are separated by ``; ``::

    base; order 0,2,1; turn 0; coins 2,1,4; cards ?,? ?,duke duke,captain; act 0
    base; options set-of-five; order 1,0; turn 0; coins 2,2; cards ? ?; pick 0,1; deal 1; act 0

The options are only there when they are not the usual ones. After the cards (per seat, ``?`` is
face down; a lost seat has only face-up cards, or ``-``) comes the agenda, one section for each
step, the next one first; none when the game is over. In a step, parts are separated by `` | ``::

    challenge-action | 0 steal 1 | 1 | 2 challenge

is a window: question, action, (the block, if that is in question,) who is still waited for, and
the answers so far that are not passes.
"""

from p2pcoup.rules.editions import EDITIONS, Character, Edition
from p2pcoup.rules.errors import MoveSyntaxError
from p2pcoup.rules.moves import (
    Act,
    Block,
    Challenge,
    Concede,
    Deal,
    Draw,
    Open,
    Redraw,
    Replace,
    Request,
    ShowTo,
    Shuffle,
)
from p2pcoup.rules.notation import (
    HIDDEN,
    move_to_text,
    numbers_from_text,
    numbers_to_text,
    parse_move,
    request_to_text,
)
from p2pcoup.rules.options import USUAL, options_to_text, parse_options
from p2pcoup.rules.seat import Seat
from p2pcoup.rules.state import Slots, State
from p2pcoup.rules.state_check import check_state
from p2pcoup.rules.steps import (
    Answer,
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

NO_CARDS = "-"
"""The hand of a seat that was lost before it had a face-up card."""

MAX_STATE_TEXT = 2000
"""Characters in the text of a state. Six hands and the longest agenda take less than half."""


def state_to_text(state: State) -> str:
    """Return the canonical line of a state."""
    hands = " ".join(
        ",".join(HIDDEN if up is None else up.name for up in hand) or NO_CARDS
        for hand in state.slots
    )
    options = [] if state.options == USUAL else [f"options {options_to_text(state.options)}"]
    sections = [
        state.edition.name,
        *options,
        f"order {numbers_to_text(state.order)}",
        f"turn {state.turn}",
        f"coins {numbers_to_text(state.coins)}",
        f"cards {hands}",
        *(" | ".join(_step_parts(step)) for step in state.agenda),
    ]
    return "; ".join(sections)


def parse_state(text: str) -> State:
    """Return the state with that canonical line.

    Raises MoveSyntaxError for anything else: text that is no state, a state that cannot be, and
    a second way to write one.
    """
    try:
        if len(text) <= MAX_STATE_TEXT:
            state = _read_state(text)
            check_state(state)
            if state_to_text(state) == text:
                return state
    except (ValueError, KeyError, IndexError) as error:
        raise MoveSyntaxError(_not_a_state(text)) from error
    raise MoveSyntaxError(_not_a_state(text))


def _not_a_state(text: str) -> str:
    shown = text if len(text) <= MAX_STATE_TEXT else text[:MAX_STATE_TEXT] + "…"
    return f"{shown!r} is not a state of a game p2pcoup knows"


def _read_state(text: str) -> State:
    name, *sections = text.split("; ")
    edition, options = EDITIONS[name], USUAL
    if sections[0].startswith("options "):
        options = parse_options(_after("options ", sections.pop(0)))
    order, turn, coins, cards, *steps = sections
    seats = tuple(Seat(number) for number in numbers_from_text(_after("order ", order)))
    slots = tuple(_read_hand(edition, hand) for hand in _after("cards ", cards).split(" "))
    agenda = tuple(_read_step(edition, step.split(" | ")) for step in steps)
    return State(
        edition=edition,
        options=options,
        order=seats,
        living=tuple(seat for seat in seats if None in slots[seat]),
        turn=Seat(int(_after("turn ", turn))),
        coins=numbers_from_text(_after("coins ", coins)),
        slots=slots,
        step=agenda[0] if agenda else None,
        later=agenda[1:],
    )


def _after(label: str, section: str) -> str:
    if not section.startswith(label):
        raise ValueError(f"no {label}section")
    return section[len(label) :]


def _read_hand(edition: Edition, text: str) -> Slots:
    if text == NO_CARDS:
        return ()
    return tuple(None if n == HIDDEN else _character(edition, n) for n in text.split(","))


def _character(edition: Edition, name: str) -> Character:
    found = edition.character(name)
    if found is None:
        raise ValueError(f"no character {name!r}")
    return found


# Steps


def _step_parts(step: Step) -> list[str]:
    match step:
        case Window(question, waiting, answers):
            asked = [*_question_parts(question), numbers_to_text(waiting)]
            return asked + [move_to_text(answer) for answer in answers]
        case Question():
            return ["ask", *_question_parts(step)]
        case Prove(_, question, challenger):
            return ["prove", *_question_parts(question), str(challenger)]
        case Showing(question, challenger, slot):
            return ["show", *_question_parts(question), f"{challenger} {slot}"]
        case CarryOut(act):
            return ["carry-out", move_to_text(act)]
        case _:
            return [_plain_step(step)]


def _plain_step(
    step: ChooseAction | LoseInfluence | ChooseKept | ChoosePick | ChooseReveal | Judge | Request,
) -> str:
    match step:
        case ChooseAction(seat):
            return f"act {seat}"
        case LoseInfluence(seat):
            return f"lose {seat}"
        case ChooseKept(seat, drawn):
            return f"keep {seat} {drawn}"
        case ChoosePick(waiting):
            return f"pick {numbers_to_text(waiting)}"
        case ChooseReveal(seat, examiner):
            return f"reveal {seat} {examiner}"
        case Judge(seat, examined, slot):
            return f"judge {seat} {examined} {slot}"
        case _:
            return request_to_text(step)


def _question_parts(question: Question) -> list[str]:
    block = [] if question.block is None else [move_to_text(question.block)]
    return [question.kind.value, move_to_text(question.act), *block]


def _read_step(edition: Edition, parts: list[str]) -> Step:
    match parts:
        case ["carry-out", act]:
            return CarryOut(_act(edition, act))
        case ["ask", *rest]:
            question, _ = _read_question(edition, rest)
            return question
        case ["prove", *rest]:
            question, (challenger,) = _read_question(edition, rest)
            return Prove(question.subject, question, Seat(int(challenger)))
        case ["show", *rest]:
            question, (last,) = _read_question(edition, rest)
            challenger, slot = last.split(" ")
            return Showing(question, Seat(int(challenger)), int(slot))
        case [plain]:
            return _read_plain_step(edition, plain.split(" "))
        case _:
            question, (waiting, *answers) = _read_question(edition, parts)
            seats = tuple(Seat(number) for number in numbers_from_text(waiting))
            return Window(question, seats, tuple(_answer(edition, text) for text in answers))


def _read_plain_step(edition: Edition, words: list[str]) -> Step:
    match words:
        case ["act", seat]:
            return ChooseAction(Seat(int(seat)))
        case ["lose", seat]:
            return LoseInfluence(Seat(int(seat)))
        case ["keep", seat, drawn]:
            return ChooseKept(Seat(int(seat)), int(drawn))
        case ["pick", seats]:
            return ChoosePick(tuple(Seat(number) for number in numbers_from_text(seats)))
        case ["reveal", seat, examiner]:
            return ChooseReveal(Seat(int(seat)), Seat(int(examiner)))
        case ["judge", seat, examined, slot]:
            return Judge(Seat(int(seat)), Seat(int(examined)), int(slot))
        case _:
            return _read_request(edition, words)


def _read_request(edition: Edition, words: list[str]) -> Request:
    match words:
        case ["open", seat, slots]:
            return Open(Seat(int(seat)), numbers_from_text(slots))
        case ["replace", seat, slot, shown]:
            return Replace(Seat(int(seat)), int(slot), _character(edition, shown))
        case ["draw", seat, count]:
            return Draw(Seat(int(seat)), int(count))
        case ["shuffle"]:
            return Shuffle()
        case ["deal", count]:
            return Deal(int(count))
        case ["show-to", seat, slot, examiner]:
            return ShowTo(Seat(int(seat)), int(slot), Seat(int(examiner)))
        case ["redraw", seat, slot]:
            return Redraw(Seat(int(seat)), int(slot))
        case _:
            raise ValueError("no such step")


def _read_question(edition: Edition, parts: list[str]) -> tuple[Question, list[str]]:
    """Return the question the parts begin with, and the parts after it."""
    kind = DecisionKind(parts[0])
    act = _act(edition, parts[1])
    if kind is not DecisionKind.CHALLENGE_BLOCK:
        return Question(kind, act), parts[2:]
    block = parse_move(edition, parts[2])
    if not isinstance(block, Block):
        raise ValueError("not a block")
    return Question(kind, act, block), parts[3:]


def _act(edition: Edition, text: str) -> Act:
    move = parse_move(edition, text)
    if not isinstance(move, Act):
        raise ValueError("not an action")
    return move


def _answer(edition: Edition, text: str) -> Answer:
    move = parse_move(edition, text)
    if not isinstance(move, Challenge | Block | Concede):
        raise ValueError("not an answer a window remembers")
    return move
