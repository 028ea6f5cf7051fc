"""One canonical line of text for every move, fact and outcome (SPEC 11.3, 11.6).

``0 steal 2``, ``3 pass``, ``2 block captain``, ``0 show 1``, ``0 opened duke``, ``shuffled``.
Words are separated by one space, numbers are decimal without leading zeros, lists are joined by a
comma. A parser reads the words and then compares: whatever does not give the same text again is
refused, so there is exactly one text for each move.
"""

from collections.abc import Callable, Mapping
from typing import Final, assert_never

from p2pcoup.rules.editions import Character, Edition
from p2pcoup.rules.errors import MoveSyntaxError
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
    Fact,
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
    Request,
    Reveal,
    Show,
    Shown,
    ShowTo,
    Shuffle,
    Shuffled,
)
from p2pcoup.rules.seat import Seat
from p2pcoup.rules.state import Outcome

MAX_EVENT_TEXT = 200
"""Characters in the text of a move or fact. The longest (two long names opened) is far shorter."""

HIDDEN = "?"
"""Stands for what only its owner knows: the cards kept, the card picked, a face-down card."""


def numbers_to_text(numbers: tuple[int, ...]) -> str:
    """Return numbers joined by commas."""
    return ",".join([str(number) for number in numbers])


def numbers_from_text(text: str) -> tuple[int, ...]:
    """Return the numbers of a comma-joined list; ValueError if one is not a number."""
    return tuple(int(number) for number in text.split(","))


# Moves


def move_to_text(move: Move) -> str:
    """Return the canonical text of a move."""
    match move:
        case Act(seat, action, None):
            return f"{seat} {action.name}"
        case Act(seat, action, target):
            return f"{seat} {action.name} {target}"
        case Block(seat, character):
            return f"{seat} block {character.name}"
        case Show() | Lose() | Reveal():
            return f"{move.seat} {type(move).__name__.lower()} {move.slot}"
        case Keep(seat, None):
            return f"{seat} keep {HIDDEN}"
        case Keep(seat, kept):
            return f"{seat} keep {numbers_to_text(kept or ())}"
        case Pick(seat, character):
            return f"{seat} pick {HIDDEN if character is None else character.name}"
        case Pass() | Challenge() | Decline() | Allow() | Force() | Concede():
            return f"{move.seat} {type(move).__name__.lower()}"
        case _:
            assert_never(move)


def parse_move(edition: Edition, text: str) -> Move:
    """Return the move with that canonical text. Raises MoveSyntaxError for anything else."""
    try:
        if len(text) <= MAX_EVENT_TEXT:
            number, verb, *rest = text.split(" ")
            move = _read_move(edition, Seat(int(number)), verb, rest)
            if move is not None and move_to_text(move) == text:
                return move
    except ValueError:
        pass  # one refusal for all that cannot be read, with one message
    raise MoveSyntaxError(_not_a("move", text, "0 income", "0 lose 1", "0 pass"))


_BARE: Final[Mapping[str, Callable[[Seat], Move]]] = {
    "pass": Pass,
    "challenge": Challenge,
    "decline": Decline,
    "allow": Allow,
    "force": Force,
    "concede": Concede,
}


def _read_move(edition: Edition, seat: Seat, verb: str, rest: list[str]) -> Move | None:
    """Read the words loosely; the caller compares the text."""
    action = edition.action(verb)
    match rest:
        case [] if action is not None and not action.targeted:
            return Act(seat, action)
        case [target] if action is not None and action.targeted:
            return Act(seat, action, Seat(int(target)))
        case [] if verb in _BARE:
            return _BARE[verb](seat)
        case [word]:
            return _read_choice(edition, seat, verb, word)
        case _:
            return None


def _read_choice(edition: Edition, seat: Seat, verb: str, word: str) -> Move | None:
    character = edition.character(word)
    match verb:
        case "block" if character is not None:
            return Block(seat, character)
        case "show":
            return Show(seat, int(word))
        case "lose":
            return Lose(seat, int(word))
        case "reveal":
            return Reveal(seat, int(word))
        case "pick" if character is not None or word == HIDDEN:
            return Pick(seat, character)
        case "keep":
            return Keep(seat, None if word == HIDDEN else numbers_from_text(word))
        case _:
            return None


# Facts


def fact_to_text(fact: Fact) -> str:
    """Return the canonical text of a fact."""
    match fact:
        case Opened(seat, characters):
            return f"{seat} opened {','.join(character.name for character in characters)}"
        case Replaced(seat):
            return f"{seat} replaced"
        case Drew(seat):
            return f"{seat} drew"
        case Shuffled():
            return "shuffled"
        case Dealt():
            return "dealt"
        case Shown(seat):
            return f"{seat} shown"
        case Redrawn(seat):
            return f"{seat} redrawn"
        case Lost(seat):
            return f"{seat} lost"
        case _:
            assert_never(fact)


def parse_fact(edition: Edition, text: str) -> Fact:
    """Return the fact with that canonical text. Raises MoveSyntaxError for anything else."""
    try:
        if len(text) <= MAX_EVENT_TEXT:
            fact = _read_fact(edition, text.split(" "))
            if fact is not None and fact_to_text(fact) == text:
                return fact
    except ValueError:
        pass  # as for moves
    raise MoveSyntaxError(_not_a("fact", text, "0 drew", "0 replaced", "shuffled"))


def _read_fact(edition: Edition, words: list[str]) -> Fact | None:
    match words:
        case ["shuffled"]:
            return Shuffled()
        case ["dealt"]:
            return Dealt()
        case [number, "shown"]:
            return Shown(Seat(int(number)))
        case [number, "redrawn"]:
            return Redrawn(Seat(int(number)))
        case [number, "lost"]:
            return Lost(Seat(int(number)))
        case [number, "replaced"]:
            return Replaced(Seat(int(number)))
        case [number, "drew"]:
            return Drew(Seat(int(number)))
        case [number, "opened", names]:
            characters = _characters(edition, names)
            return Opened(Seat(int(number)), characters) if characters else None
        case _:
            return None


def _characters(edition: Edition, names: str) -> tuple[Character, ...]:
    """Return the named characters; those the edition does not have are left out."""
    found = [edition.character(name) for name in names.split(",")]
    return tuple(character for character in found if character is not None)


# Requests


def request_to_text(request: Request) -> str:
    """Return the text of a request, as it appears in messages and in the text of a state."""
    match request:
        case Open(seat, slots):
            return f"open {seat} {numbers_to_text(slots)}"
        case Replace(seat, slot, shown):
            return f"replace {seat} {slot} {shown.name}"
        case Draw(seat, count):
            return f"draw {seat} {count}"
        case Shuffle():
            return "shuffle"
        case Deal(count):
            return f"deal {count}"
        case ShowTo(seat, slot, examiner):
            return f"show-to {seat} {slot} {examiner}"
        case Redraw(seat, slot):
            return f"redraw {seat} {slot}"
        case _:
            assert_never(request)


def outcome_to_text(outcome: Outcome) -> str:
    """Return the text of a result, as it is signed: ``winner 2``."""
    return f"winner {outcome.winner}"


def _not_a(what: str, text: str, *examples: str) -> str:
    shown = text if len(text) <= MAX_EVENT_TEXT else text[:MAX_EVENT_TEXT] + "…"
    return f"{shown!r} is not a {what}; {what}s look like {', '.join(map(repr, examples))}"
