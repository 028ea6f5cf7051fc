"""What the people of a lobby tell each other over their links, as bytes (SPEC 12.3).

Every message is ``["lobby", kind, table, …]``; `reading` has the inverse of `encode_lobby`. Reasons
travel as words of a short list, never as sentences: nobody can put text on another's screen.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias, assert_never

from p2pcoup.lobby.sheet import Sheet
from p2pcoup.wire import Encodable, PeerId, encode

TAG: Final = "lobby"
ANY_TABLE: Final = b""
"""In a `Sit`: whichever table the other has open."""


class Reason(Enum):
    """Why somebody does not get a place, or loses it."""

    KICKED = "kicked"
    FULL = "full"
    BUSY = "busy"
    PLAYING = "playing"
    CLOSED = "closed"


class Doubt(Enum):
    """Why a seat does not sign a roster, or why the opener takes a roster back."""

    CHANGED = "changed"
    NOT_READY = "not-ready"
    TOO_NEW = "too-new"
    NOT_NEW = "not-new"
    SILENT = "silent"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Sit:
    """To the opener, on every new link: the sender wants to be at the table."""

    table: bytes
    name: str
    addresses: tuple[str, ...]
    bot: bool
    watching: bool


@dataclass(frozen=True, slots=True)
class Ready:
    """To the opener: ready for the settings with that digest; without one: not ready."""

    table: bytes
    settings: bytes


@dataclass(frozen=True, slots=True)
class Leave:
    """To the opener, or from an opener to all: the sender has left."""

    table: bytes


@dataclass(frozen=True, slots=True)
class Refused:
    """From the opener: you have no place here."""

    table: bytes
    reason: Reason


@dataclass(frozen=True, slots=True)
class Follows:
    """To everybody but the opener: whom the sender takes for the opener, and whether it is here."""

    table: bytes
    reign: int
    opener: PeerId
    here: bool


@dataclass(frozen=True, slots=True)
class Roster:
    """From the opener: please sign that you play this game, made from the sheet of that number."""

    table: bytes
    reign: int
    attempt: int
    number: int
    games: int
    terms: bytes


@dataclass(frozen=True, slots=True)
class Signed:
    """To the opener: the sender's signature on the roster (SPEC 12.5)."""

    table: bytes
    reign: int
    attempt: int
    key: bytes
    signature: bytes


@dataclass(frozen=True, slots=True)
class Declined:
    """To the opener: the sender does not sign."""

    table: bytes
    reign: int
    attempt: int
    doubt: Doubt


@dataclass(frozen=True, slots=True)
class CalledOff:
    """From the opener: that roster is void, because of that peer."""

    table: bytes
    reign: int
    attempt: int
    doubt: Doubt
    peer: PeerId


@dataclass(frozen=True, slots=True)
class Started:
    """From everybody who has them, to all: the signatures of all seats. It proves itself.

    Attributes:
        signatures: public key and signature by seat.
        addresses: where each seat may be reached; hints for those who come later.
    """

    table: bytes
    reign: int
    attempt: int
    games: int
    terms: bytes
    signatures: tuple[tuple[bytes, bytes], ...]
    addresses: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Entered:
    """To all seats: these have taken their seat in the game for good, as far as is known."""

    table: bytes
    game: bytes
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Void:
    """The sender will never play that game, whatever it has signed."""

    table: bytes
    game: bytes


@dataclass(frozen=True, slots=True)
class Talk:
    """To everybody at the table, and passed on: words, in the form of Algorithm 3.7, signed by
    whoever says them. The number ascends for each speaker, also from one run of a program to the
    next.
    """

    table: bytes
    number: int
    key: bytes
    signature: bytes
    text: str


LobbyMessage: TypeAlias = (
    Sit
    | Ready
    | Leave
    | Sheet
    | Refused
    | Follows
    | Roster
    | Signed
    | Declined
    | CalledOff
    | Started
    | Entered
    | Void
    | Talk
)

# --- writing --------------------------------------------------------------------------------------


def encode_lobby(message: LobbyMessage) -> bytes:
    """The payload of a link frame."""
    kind, items = _items(message)
    return encode((TAG, kind, message.table, *items))


def _items(message: LobbyMessage) -> tuple[str, tuple[Encodable, ...]]:
    """The kind of a message and what follows the table's id."""
    match message:
        case Sit():
            return "sit", (message.name, message.addresses, message.bot, message.watching)
        case Ready():
            return "ready", (message.settings,)
        case Leave():
            return "leave", ()
        case Sheet():
            return "sheet", message.value()
        case Refused():
            return "refused", (message.reason.value,)
        case Follows():
            return "follows", (message.reign, message.opener, message.here)
        case Entered():
            return "entered", (message.game, message.seats)
        case Void():
            return "void", (message.game,)
        case Talk():
            return "talk", (message.number, message.key, message.signature, message.text)
        case _:
            return _items_of_a_start(message)


def _items_of_a_start(
    message: Roster | Signed | Declined | CalledOff | Started,
) -> tuple[str, tuple[Encodable, ...]]:
    which = (message.reign, message.attempt)
    match message:
        case Roster():
            return "roster", (*which, message.number, message.games, message.terms)
        case Signed():
            return "signed", (*which, message.key, message.signature)
        case Declined():
            return "declined", (*which, message.doubt.value)
        case CalledOff():
            return "called-off", (*which, message.doubt.value, message.peer)
        case Started():
            signatures, addresses = message.signatures, message.addresses
            return "started", (*which, message.games, message.terms, signatures, addresses)
        case _:
            assert_never(message)
