"""What the clients of a node want, and the answer they get (protocol/API.md 2, 3).

A wish is plain data: the local API reads it from a client, and whoever runs the game or the lobby
fulfils it or says why not.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a question: a move of its list, or giving up.

    Attributes:
        question: the question's id, ``GAME:ROUND`` (`question_id`).
        move: text of a move (SPEC 11.3).
    """

    question: str
    move: str


@dataclass(frozen=True, slots=True)
class Say:
    """Table talk."""

    text: str


@dataclass(frozen=True, slots=True)
class Mute:
    """Whether the talk of a peer is not to be shown."""

    peer: str
    muted: bool


@dataclass(frozen=True, slots=True)
class Ready:
    """In a lobby: whether the user agrees to the game as it is shown."""

    ready: bool


@dataclass(frozen=True, slots=True)
class Settings:
    """In a lobby, by its opener: what is to be played; None leaves a setting as it is."""

    edition: str | None = None
    options: str | None = None
    games: int | None = None
    seats: int | None = None
    times: Mapping[str, int] | None = None


@dataclass(frozen=True, slots=True)
class AddBot:
    """In a lobby, by its opener: a bot of that name sits down."""

    bot: str


@dataclass(frozen=True, slots=True)
class Kick:
    """In a lobby, by its opener: this peer must leave the table."""

    peer: str


@dataclass(frozen=True, slots=True)
class Start:
    """In a lobby, by its opener: the game shall begin."""


@dataclass(frozen=True, slots=True)
class Leave:
    """In a lobby: the user gets up."""


@dataclass(frozen=True, slots=True)
class Reopen:
    """In a lobby whose opener is gone: the user opens it again."""


@dataclass(frozen=True, slots=True)
class Again:
    """After the last game: whether the user wants another one."""

    again: bool


@dataclass(frozen=True, slots=True)
class Quit:
    """The node shall stop; the same command plays on."""


Wish: TypeAlias = (
    Answer | Say | Mute | Ready | Settings | AddBot | Kick | Start | Leave | Reopen | Again | Quit
)


@dataclass(frozen=True, slots=True)
class Reply:
    """What became of a wish.

    Attributes:
        code: None if it was fulfilled, else one of the codes of API.md 2.
        text: what was refused and why, for the user.
    """

    code: str | None
    text: str


DONE = Reply(None, "")

CLOSED = "closed"
NOT_POSSIBLE = "not-possible"
NO_SEAT = "no-seat"
TOO_OFTEN = "too-often"
TOO_LONG = "too-long"


@dataclass(frozen=True, slots=True)
class Request:
    """A wish of one client; ``reply`` is called exactly once, on the event loop."""

    wish: Wish
    reply: Callable[[Reply], None]


def game_name(game_id: bytes) -> str:
    """How a game is called on this machine: the first half of its id."""
    return game_id.hex()[:32]


def question_id(game_id: bytes, round_: int) -> str:
    """The id of the question that our seat is asked in a round."""
    return f"{game_name(game_id)}:{round_}"
