"""What an opener says of its table to the whole network: the text record (SPEC 9.9).

A text record of DNS-SD (RFC 6763, 6) is a list of ``key=value`` strings. Everything in it is a
hint: anybody in the network can say anything. So it is bounded, it may be shown on a screen as it
is, and nothing is decided by it; who the opener is shows only when a link is made.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final

from p2pcoup.wire import PeerId, WireError, clean_name, parse_peer_id
from p2pcoup.wire.limits import MAX_INTEGER, MAX_SEATS, PROTOCOL_VERSION

MAX_RECORD_BYTES: Final = 1300
"""RFC 6763, 6.2: a record that fits one packet. Ours have under 500."""
MAX_VERSION: Final = 9_999
MAX_EDITION: Final = 24
MAX_OPTIONS: Final = 120
"""All options of the rules together take 75 characters."""

_EDITION: Final = re.compile(rf"[a-z][a-z0-9-]{{0,{MAX_EDITION - 1}}}", re.ASCII)
_OPTIONS: Final = re.compile(rf"[a-z][a-z0-9,-]{{0,{MAX_OPTIONS - 1}}}", re.ASCII)
_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,15}", re.ASCII)
_SEATS: Final = re.compile(r"([0-9]{1,2})/([0-9]{1,2})", re.ASCII)
_FORMAT: Final = "1"
_KEYS: Final = frozenset(
    {"txtvers", "protocol", "peer", "table", "name"}
    | {"edition", "options", "seats", "state", "since"}
)


class AdvertError(ValueError):
    """A text record says nothing about a table that could be shown; the message says why."""


class TableState(Enum):
    """Whether one can still sit down."""

    OPEN = "open"
    """Players are being waited for."""
    PLAYING = "playing"
    """A game has begun; one may watch."""


@dataclass(frozen=True, slots=True)
class Advert:
    """What is said of a table. Raises AdvertError for what cannot be shown or said.

    Args:
        opener: who opened it, in canonical form.
        table: its name, `opener_name` that of its opener; both as `clean_name` gives them.
        edition: the edition's name; `options` the canonical text of the options.
        taken: seats taken, of `seats` that there are.
        state: whether one can still sit down.
        since: when it was opened, in seconds since 1970 by the opener's clock; 0: not said.
        protocol: the version of the protocol that is played.
    """

    opener: PeerId
    table: str
    opener_name: str
    edition: str
    options: str
    taken: int
    seats: int
    state: TableState = TableState.OPEN
    since: int = 0
    protocol: int = PROTOCOL_VERSION

    def __post_init__(self) -> None:
        try:
            if parse_peer_id(self.opener) != self.opener:
                raise AdvertError("The opener's peer id is not in canonical form.")
            for name in (self.table, self.opener_name):
                if clean_name(name) != name:
                    raise AdvertError("A name is not in the form in which names are shown.")
        except WireError as error:
            raise AdvertError(str(error)) from error
        if not _EDITION.fullmatch(self.edition) or not _OPTIONS.fullmatch(self.options):
            raise AdvertError("Edition and options are small letters, digits, '-' and ','.")
        if not 0 <= self.taken <= self.seats <= MAX_SEATS or self.seats < 1:
            raise AdvertError(f"There are 1 to {MAX_SEATS} seats, and no more are taken.")
        if not 0 <= self.since <= MAX_INTEGER or not 0 <= self.protocol <= MAX_VERSION:
            raise AdvertError("A number is too large.")

    @property
    def playable(self) -> bool:
        """Whether this program speaks the protocol that is played there."""
        return self.protocol == PROTOCOL_VERSION


def encode_advert(advert: Advert) -> bytes:
    """Algorithm 9.9a, WriteAdvert: the data of the text record."""
    items = {
        "txtvers": _FORMAT,
        "protocol": str(advert.protocol),
        "peer": advert.opener,
        "table": advert.table,
        "name": advert.opener_name,
        "edition": advert.edition,
        "options": advert.options,
        "seats": f"{advert.taken}/{advert.seats}",
        "state": advert.state.value,
        "since": str(advert.since),
    }
    strings = [f"{key}={value}".encode() for key, value in items.items()]
    return b"".join(bytes([len(string)]) + string for string in strings)


def decode_advert(data: bytes) -> Advert:
    """Algorithm 9.9b, ReadAdvert. Keys it does not know are passed over. Raises AdvertError."""
    if len(data) > MAX_RECORD_BYTES:
        raise AdvertError(f"The record has over {MAX_RECORD_BYTES} bytes.")
    items: dict[str, str] = {}
    for key, value in _pairs(data):
        # Of a key given twice the first counts (RFC 6763, 6.4).
        if key in _KEYS and key not in items:
            items[key] = _text(value)
    if items.get("txtvers") != _FORMAT:
        raise AdvertError("The record is of another format.")
    seats = _SEATS.fullmatch(items.get("seats", ""))
    if seats is None:
        raise AdvertError("The seats are not given as taken/all.")
    try:
        state = TableState(items.get("state", ""))
        opener, table, name = (items[key] for key in ("peer", "table", "name"))
        edition, options = items["edition"], items["options"]
    except (KeyError, ValueError) as error:
        raise AdvertError("The record lacks something, or its state is unknown.") from error
    return Advert(
        PeerId(opener),
        table,
        name,
        edition,
        options,
        int(seats[1]),
        int(seats[2]),
        state,
        _number(items.get("since", "0")),
        _number(items.get("protocol", "")),
    )


def _pairs(data: bytes) -> Iterator[tuple[str, bytes]]:
    """The keys, whose case does not count, and the values of the record's strings, in order."""
    position = 0
    while position < len(data):
        end = position + 1 + data[position]
        if end > len(data):
            raise AdvertError("The record is cut off.")
        key, _, value = data[position + 1 : end].partition(b"=")
        position = end
        yield key.decode("ascii", "replace").lower(), value


def _text(value: bytes) -> str:
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError as error:
        raise AdvertError("The record is not text in UTF-8.") from error


def _number(text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise AdvertError("A number is missing or not written as one.")
    return int(text)
