"""A signed message of the game: its bytes, its signature, and the digest of a round (SPEC 3).

As sent, a message is its payload followed by the sender's 64-byte signature. The payload is the
canonical encoding of (version, game, round, seat, parent, kind, body); the signature covers a fixed
label and the payload. `parse` judges structure only and costs little; whether the signature is the
sender's is asked separately, before any proof inside the body is looked at (attack 21), because
only the game knows which key sits at the seat.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from p2pcoup.wire.encoding import Value, decode, encode
from p2pcoup.wire.errors import WireError
from p2pcoup.wire.identity import SIGNATURE_BYTES, Identity, verify
from p2pcoup.wire.kinds import Field, Kind, check_body
from p2pcoup.wire.limits import (
    DIGEST_BYTES,
    MAX_MESSAGE_BYTES,
    MAX_ROUND,
    MAX_SEATS,
    PROTOCOL_VERSION,
)

MESSAGE_LABEL: Final = b"p2pcoup message"
_ROUND_LABEL: Final = b"p2pcoup/1 round digest\x00"
_PAYLOAD_ITEMS: Final = 7


@dataclass(frozen=True, slots=True)
class Message:
    """What one seat says in one round. Cannot be built wrong: raises WireError naming the item.

    Attributes:
        game: the game id, 32 bytes.
        round: number of the round, from 0.
        seat: the sender's seat, from 0.
        parent: digest of the round before (SPEC 3.4), 32 bytes.
        kind: what the message does.
        body: the fields `SCHEMA[kind]` prescribes.
    """

    game: bytes
    round: int
    seat: int
    parent: bytes
    kind: Kind
    body: tuple[Field, ...]

    @property
    def place(self) -> tuple[int, int, int]:
        """Where in a transcript the message stands: by round, then statements of absence before
        all others (in round 0 after them: only who has joined can be heard), then by seat. A closed
        game has one message for each place.
        """
        return self.round, int((self.kind is Kind.ABSENT) == (self.round == 0)), self.seat

    def __post_init__(self) -> None:
        _digest("game id", self.game)
        _number("round", self.round, MAX_ROUND)
        _number("seat", self.seat, MAX_SEATS - 1)
        _digest("parent", self.parent)
        check_body(self.kind, self.body)


@dataclass(frozen=True, slots=True)
class SignedMessage:
    """A message and exactly the bytes that were sent; made by `sign` and `parse` only.

    Two of one seat for the same round and parent whose `raw` differ are equivocation, even if
    only the signatures differ: no honest peer ever signs the same place twice.
    """

    message: Message
    raw: bytes = field(repr=False)

    @property
    def payload(self) -> bytes:
        """The signed part of `raw`."""
        return self.raw[:-SIGNATURE_BYTES]

    @property
    def signature(self) -> bytes:
        """The last 64 bytes of `raw`."""
        return self.raw[-SIGNATURE_BYTES:]


def sign(message: Message, identity: Identity) -> SignedMessage:
    """Algorithm 3.2: the message with this identity's signature. The same input, the same bytes."""
    payload = _encode_payload(message)
    return SignedMessage(message, payload + identity.sign(MESSAGE_LABEL, payload))


def parse(raw: bytes) -> SignedMessage:
    """Algorithm 3.3, first half: the message these bytes are. The signature is *not* verified.

    Raises WireError for anything that is not exactly the canonical form of an admissible message.
    """
    if len(raw) > MAX_MESSAGE_BYTES:
        raise WireError(f"A message has at most {MAX_MESSAGE_BYTES} bytes, not {len(raw)}.")
    if len(raw) <= SIGNATURE_BYTES:
        raise WireError(f"{len(raw)} bytes are too few for a signed message.")
    payload = raw[:-SIGNATURE_BYTES]
    message = _decode_payload(decode(payload, max_bytes=MAX_MESSAGE_BYTES))
    if _encode_payload(message) != payload:  # the decoder promises it; everything rests on it
        raise WireError("The message is not in canonical form.")
    return SignedMessage(message, raw)


def verify_signature(signed: SignedMessage, public_key: bytes) -> None:
    """Algorithm 3.3, second half: raises WireError unless `public_key` signed these bytes."""
    if not verify(public_key, MESSAGE_LABEL, signed.payload, signed.signature):
        m = signed.message
        raise WireError(
            f"The {m.kind.value} message of seat {m.seat} in round {m.round} is not signed by "
            "the peer who has that seat."
        )


def round_digest(previous: bytes, messages: Sequence[SignedMessage]) -> bytes:
    """Algorithm 3.4: the digest of a closed round, which the next round's messages name as parent.

    Takes the previous digest and all messages of the round in the order of their places. Raises
    ValueError if they are not one round's, out of order, or none.
    """
    places = {(m.message.game, m.message.round, m.message.parent) for m in messages}
    if len(places) != 1 or next(iter(places))[2] != previous:
        raise ValueError("A round's messages share game, round and the previous digest.")
    order = [m.message.place for m in messages]
    if order != sorted(set(order)):
        raise ValueError(f"A round has one message a place, in ascending order, not {order}.")
    digest = hashlib.sha256(_ROUND_LABEL + previous + len(messages).to_bytes(4, "big"))
    for signed in messages:
        digest.update(len(signed.raw).to_bytes(4, "big") + signed.raw)
    return digest.digest()


def _encode_payload(message: Message) -> bytes:
    m = message
    return encode((PROTOCOL_VERSION, m.game, m.round, m.seat, m.parent, m.kind.value, m.body))


def _decode_payload(value: Value) -> Message:
    if not isinstance(value, tuple) or not value:
        raise WireError("A message is an array.")
    if value[0] is True or value[0] != PROTOCOL_VERSION:
        version = value[0] if type(value[0]) is int else "unknown"
        raise WireError(
            f"The message is of protocol version {version}; this program speaks version "
            f"{PROTOCOL_VERSION}. Both players need the same version."
        )
    if len(value) != _PAYLOAD_ITEMS:
        raise WireError(f"A message has {_PAYLOAD_ITEMS} items, not {len(value)}.")
    _, game, round_number, seat, parent, kind_name, body = value
    if not isinstance(body, tuple):
        raise WireError("The body of a message is an array.")
    kind = _kind(kind_name)
    return Message(
        game=_digest("game id", game),
        round=_number("round", round_number, MAX_ROUND),
        seat=_number("seat", seat, MAX_SEATS - 1),
        parent=_digest("parent", parent),
        kind=kind,
        body=check_body(kind, body),
    )


def _kind(name: Value) -> Kind:
    if isinstance(name, str):
        try:
            return Kind(name)
        except ValueError:
            pass
    raise WireError(f"{ascii(name)[:40]} is no kind of message.")


def _digest(what: str, value: object) -> bytes:
    if not isinstance(value, bytes) or len(value) != DIGEST_BYTES:
        raise WireError(f"The {what} of a message is {DIGEST_BYTES} bytes.")
    return value


def _number(what: str, value: object, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise WireError(f"The {what} of a message is a number from 0 to {most}.")
    return value
