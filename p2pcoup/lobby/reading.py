"""Reading what the people of a lobby say, the inverse of `encode_lobby` (SPEC 12.3).

Strict and bounded: nothing is taken that is not exactly the encoding of an admissible message.
"""

from collections.abc import Callable, Sequence
from typing import Final

from p2pcoup.lobby.limits import (
    MAX_ATTEMPTS,
    MAX_GAMES,
    MAX_LOBBY_BYTES,
    MAX_NUMBER,
    MAX_REIGN,
    TABLE_BYTES,
)
from p2pcoup.lobby.messages import (
    ANY_TABLE,
    TAG,
    CalledOff,
    Declined,
    Doubt,
    Entered,
    Follows,
    Leave,
    LobbyMessage,
    Ready,
    Reason,
    Refused,
    Roster,
    Signed,
    Sit,
    Started,
    Talk,
    Void,
    encode_lobby,
)
from p2pcoup.lobby.sheet import addresses_of, canonical, sheet_of, whole_number
from p2pcoup.wire import (
    MAX_TERMS_BYTES,
    Value,
    WireError,
    clean_name,
    decode,
    encode,
    parse_peer_id,
)
from p2pcoup.wire.aside import clean_talk
from p2pcoup.wire.identity import PUBLIC_KEY_BYTES, SIGNATURE_BYTES
from p2pcoup.wire.limits import DIGEST_BYTES, MAX_INTEGER, MAX_SEATS

_PREFIX: Final = encode((TAG,))[1:]


def is_lobby(payload: bytes) -> bool:
    """Whether the payload of a frame is of a lobby rather than of a game (9.6)."""
    return payload[1 : 1 + len(_PREFIX)] == _PREFIX


def decode_lobby(payload: bytes) -> LobbyMessage:
    """Read a payload from a link. Raises WireError for anything that is not exactly one."""
    match decode(payload, max_bytes=MAX_LOBBY_BYTES):
        case (str(tag), str(kind), bytes(table), *items) if tag == TAG and kind in _READERS:
            message = _READERS[kind](table, items)
        case _:
            raise WireError("The peer sent something this version does not understand.")
    if encode_lobby(message) != payload:
        raise WireError(f"A {kind} message is not in canonical form.")
    if len(table) != TABLE_BYTES and (table != ANY_TABLE or not isinstance(message, Sit)):
        raise WireError(f"The id of a table has {TABLE_BYTES} bytes.")
    return message


def _unreadable(kind: str) -> WireError:
    return WireError(f"A message of the kind {kind} cannot be read.")


def _sit(table: bytes, items: Sequence[Value]) -> Sit:
    match items:
        case [str(name), [*addresses], bool(bot), bool(watching)]:
            called = canonical(clean_name, name)
            if addresses or watching:
                return Sit(table, called, addresses_of(addresses), bot, watching)
    raise _unreadable("sit")


def _ready(table: bytes, items: Sequence[Value]) -> Ready:
    match items:
        case [bytes(settings)] if len(settings) in (0, DIGEST_BYTES):
            return Ready(table, settings)
    raise _unreadable("ready")


def _leave(table: bytes, items: Sequence[Value]) -> Leave:
    if items:
        raise _unreadable("leave")
    return Leave(table)


def _refused(table: bytes, items: Sequence[Value]) -> Refused:
    match items:
        case [str(reason)] if reason in {each.value for each in Reason}:
            return Refused(table, Reason(reason))
    raise _unreadable("refused")


def _follows(table: bytes, items: Sequence[Value]) -> Follows:
    match items:
        case [reign, str(opener), bool(here)]:
            whom = canonical(parse_peer_id, opener)
            return Follows(table, whole_number(reign, MAX_REIGN), whom, here)
    raise _unreadable("follows")


def _roster(table: bytes, items: Sequence[Value]) -> Roster:
    match items:
        case [reign, attempt, number, games, bytes(terms)] if len(terms) <= MAX_TERMS_BYTES:
            numbers = (whole_number(number, MAX_NUMBER), whole_number(games, MAX_GAMES))
            return Roster(table, *_which(reign, attempt), *numbers, terms)
    raise _unreadable("roster")


def _signed(table: bytes, items: Sequence[Value]) -> Signed:
    match items:
        case [reign, attempt, bytes(key), bytes(signature)]:
            return Signed(table, *_which(reign, attempt), *_signature((key, signature)))
    raise _unreadable("signed")


def _declined(table: bytes, items: Sequence[Value]) -> Declined:
    match items:
        case [reign, attempt, doubt]:
            return Declined(table, *_which(reign, attempt), _doubt(doubt))
    raise _unreadable("declined")


def _called_off(table: bytes, items: Sequence[Value]) -> CalledOff:
    match items:
        case [reign, attempt, doubt, str(peer)]:
            who = canonical(parse_peer_id, peer)
            return CalledOff(table, *_which(reign, attempt), _doubt(doubt), who)
    raise _unreadable("called-off")


def _started(table: bytes, items: Sequence[Value]) -> Started:
    match items:
        case [reign, attempt, games, bytes(terms), [*signatures], [*addresses]] if (
            len(terms) <= MAX_TERMS_BYTES and len(addresses) == len(signatures) <= MAX_SEATS
        ):
            return Started(
                table,
                *_which(reign, attempt),
                whole_number(games, MAX_GAMES),
                terms,
                tuple(map(_signature, signatures)),
                tuple(addresses_of(_array(each)) for each in addresses),
            )
    raise _unreadable("started")


def _entered(table: bytes, items: Sequence[Value]) -> Entered:
    match items:
        case [bytes(game), [*seats]] if len(game) == DIGEST_BYTES and len(seats) <= MAX_SEATS:
            numbers = tuple(whole_number(seat, MAX_SEATS - 1) for seat in seats)
            if numbers == tuple(sorted(set(numbers))):
                return Entered(table, game, numbers)
    raise _unreadable("entered")


def _void(table: bytes, items: Sequence[Value]) -> Void:
    match items:
        case [bytes(game)] if len(game) == DIGEST_BYTES:
            return Void(table, game)
    raise _unreadable("void")


def _talk(table: bytes, items: Sequence[Value]) -> Talk:
    match items:
        case [number, bytes(key), bytes(signature), str(text)]:
            which = whole_number(number, MAX_INTEGER)
            signed = _signature((key, signature))
            return Talk(table, which, *signed, canonical(clean_talk, text))
    raise _unreadable("talk")


def _which(reign: Value, attempt: Value) -> tuple[int, int]:
    """The number of a roster: the opener's reign and its own count."""
    return whole_number(reign, MAX_REIGN), whole_number(attempt, MAX_ATTEMPTS)


def _doubt(value: Value) -> Doubt:
    try:
        return Doubt(value)
    except ValueError:
        raise WireError("A reason is unknown to this version.") from None


def _signature(value: Value) -> tuple[bytes, bytes]:
    match value:
        case (bytes(key), bytes(signature)) if (
            len(key) == PUBLIC_KEY_BYTES and len(signature) == SIGNATURE_BYTES
        ):
            return key, signature
    raise WireError("A signature cannot be read.")


def _array(value: Value) -> Sequence[Value]:
    if isinstance(value, tuple):
        return value
    raise WireError("A list is needed.")


_READERS: Final[dict[str, Callable[[bytes, Sequence[Value]], LobbyMessage]]] = {
    "sit": _sit,
    "ready": _ready,
    "leave": _leave,
    "sheet": sheet_of,
    "refused": _refused,
    "follows": _follows,
    "roster": _roster,
    "signed": _signed,
    "declined": _declined,
    "called-off": _called_off,
    "started": _started,
    "entered": _entered,
    "void": _void,
    "talk": _talk,
}
