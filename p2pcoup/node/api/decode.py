"""What a client sends, read strictly (protocol/API.md 1, 3).

One JSON object of known type with the fields of that type and no others. Everything is bounded:
size, nesting, lengths, ranges. Whatever does not fit is refused with a sentence that says what
would be right, and changes nothing.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from p2pcoup.node.wishes import (
    TOO_LONG,
    AddBot,
    Again,
    Answer,
    Kick,
    Leave,
    Mute,
    Quit,
    Ready,
    Reopen,
    Say,
    Settings,
    Start,
    Wish,
)

MAX_REQUEST_BYTES: Final = 8192  # settings, the longest request, need a tenth of it
MAX_TALK: Final = 280  # characters
MAX_TEXT: Final = 200  # of every other text; a peer id has 63 characters, the longest move 40
MAX_NUMBER: Final = 2**53 - 1  # what every JSON reader represents exactly
BAD_MESSAGE: Final = "bad-message"
UNKNOWN: Final = "unknown"


@dataclass(frozen=True, slots=True)
class Resume:
    """The client wants all events after that number of that run."""

    run: str
    after: int


@dataclass(frozen=True, slots=True)
class Heard:
    """A request that can be understood.

    Attributes:
        n: what the answer repeats; None if the client gave nothing.
    """

    n: int | None
    wish: Wish | Resume


class NotUnderstoodError(Exception):
    """A request that cannot be understood; the message says why, for the client's author.

    Attributes:
        code: ``bad-message``, ``unknown`` or ``too-long``.
        n: what the answer repeats, if that much could be read.
    """

    def __init__(self, code: str, text: str, n: int | None = None) -> None:
        super().__init__(text)
        self.code = code
        self.n = n


def decode_request(data: str | bytes) -> Heard:
    """Read one request. Raises NotUnderstoodError for everything that is not exactly one."""
    fields = _object(data)
    n = _n(fields.pop("n", None))
    kind = fields.pop("type", None)
    if not isinstance(kind, str):
        raise NotUnderstoodError(BAD_MESSAGE, 'A request needs a "type", a text.', n)
    schema = _TYPES.get(kind)
    if schema is None:
        known = ", ".join(sorted(_TYPES))
        raise NotUnderstoodError(UNKNOWN, f"There is no request {_cut(kind)}; known: {known}.", n)
    try:
        return Heard(n, schema.read(kind, fields))
    except NotUnderstoodError as error:
        error.n = n
        raise


# --- JSON -----------------------------------------------------------------------------------------


def _object(data: str | bytes) -> dict[str, object]:
    """The one JSON object of a text without doubtful parts."""
    if isinstance(data, str):
        data = data.encode("utf-8", "surrogatepass")  # refused below
    if len(data) > MAX_REQUEST_BYTES:
        raise NotUnderstoodError(
            TOO_LONG, f"A request has at most {MAX_REQUEST_BYTES} bytes, this one {len(data)}."
        )
    try:
        text = data.decode("utf-8")
        value: object = json.loads(
            text, object_pairs_hook=_without_twins, parse_constant=_no_constant
        )
    except UnicodeDecodeError:
        raise NotUnderstoodError(BAD_MESSAGE, "A request is text in UTF-8.") from None
    except RecursionError:
        raise NotUnderstoodError(BAD_MESSAGE, "This is nested too deeply.") from None
    except ValueError as error:
        raise NotUnderstoodError(BAD_MESSAGE, f"This is no JSON: {_cut(str(error))}.") from None
    if not isinstance(value, dict):
        raise NotUnderstoodError(BAD_MESSAGE, "A request is one JSON object.")
    return value


def _without_twins(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    """Two values for one name would be read differently by different readers."""
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise ValueError("a name stands twice in one object")
    return fields


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is no number")


def _n(value: object) -> int | None:
    if value is None:
        return None
    if type(value) is int and 0 <= value <= MAX_NUMBER:
        return value
    raise NotUnderstoodError(BAD_MESSAGE, f'"n" is a whole number from 0 to {MAX_NUMBER}.')


# --- fields ---------------------------------------------------------------------------------------

Read: TypeAlias = Callable[[str, object], object]
"""Takes the field's name and what the client gave; returns what the wish holds."""


def _text(name: str, value: object) -> str:
    return _bounded_text(name, value, MAX_TEXT)


def _talk(name: str, value: object) -> str:
    return _bounded_text(name, value, MAX_TALK)


def _bounded_text(name: str, value: object, most: int) -> str:
    if not isinstance(value, str) or any("\ud800" <= char <= "\udfff" for char in value):
        raise NotUnderstoodError(BAD_MESSAGE, f'"{name}" is a text.')
    if len(value) > most:
        raise NotUnderstoodError(
            TOO_LONG, f'"{name}" has at most {most} characters, this one {len(value)}.'
        )
    return value


def _flag(name: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise NotUnderstoodError(BAD_MESSAGE, f'"{name}" is true or false.')
    return value


def _number(name: str, value: object) -> int:
    if type(value) is not int or not -1 <= value <= MAX_NUMBER:
        raise NotUnderstoodError(BAD_MESSAGE, f'"{name}" is a whole number.')
    return value


_TIMES: Final = ("decide", "answer", "grace")


def _times(name: str, value: object) -> Mapping[str, int]:
    if not isinstance(value, dict) or not set(value) <= set(_TIMES):
        raise NotUnderstoodError(
            BAD_MESSAGE, f'"{name}" is an object with some of {", ".join(_TIMES)}.'
        )
    return {key: _number(f"{name}.{key}", seconds) for key, seconds in value.items()}


# --- types ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Type:
    """One type of request: what it becomes, and how each of its fields is read."""

    make: Callable[..., Any]
    fields: Mapping[str, Read]
    optional: bool = False

    def read(self, kind: str, given: Mapping[str, object]) -> Wish | Resume:
        if more := sorted(set(given) - set(self.fields)):
            known = ", ".join(self.fields) or "none"
            raise NotUnderstoodError(
                BAD_MESSAGE, f"{kind} has no field {_cut(more[0])}; it has: {known}."
            )
        missing = [name for name in self.fields if name not in given]
        if missing and not self.optional:
            raise NotUnderstoodError(BAD_MESSAGE, f'{kind} needs the field "{missing[0]}".')
        values = {name: self.fields[name](name, value) for name, value in given.items()}
        wish: Wish | Resume = self.make(**values)
        return wish


_TYPES: Final[Mapping[str, _Type]] = {
    "answer": _Type(Answer, {"question": _text, "move": _text}),
    "resume": _Type(Resume, {"run": _text, "after": _number}),
    "say": _Type(Say, {"text": _talk}),
    "mute": _Type(Mute, {"peer": _text, "muted": _flag}),
    "ready": _Type(Ready, {"ready": _flag}),
    "settings": _Type(
        Settings,
        {"edition": _text, "options": _text, "games": _number, "seats": _number, "times": _times},
        optional=True,
    ),
    "add-bot": _Type(AddBot, {"bot": _text}),
    "kick": _Type(Kick, {"peer": _text}),
    "start": _Type(Start, {}),
    "leave": _Type(Leave, {}),
    "reopen": _Type(Reopen, {}),
    "again": _Type(Again, {"again": _flag}),
    "quit": _Type(Quit, {}),
}


def _cut(text: str) -> str:
    """What a client wrote, quoted without anything that could steer a terminal."""
    return ascii(text if len(text) <= 60 else text[:60] + "…")
