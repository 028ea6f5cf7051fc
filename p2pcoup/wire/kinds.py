"""The message kinds and the shape of each one's body: this table is the schema (SPEC 3.5)."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Final, TypeAlias, assert_never

from p2pcoup.wire import limits
from p2pcoup.wire.errors import WireError
from p2pcoup.wire.identity import PUBLIC_KEY_BYTES
from p2pcoup.wire.limits import DIGEST_BYTES

Field: TypeAlias = bytes | str
"""The value of one field of a message body."""


class Kind(Enum):
    """What a message does. The value is its name on the wire."""

    JOIN = "join"
    """Takes a seat: the sender's identity key and its sealed coin for the seat order."""
    COIN = "coin"
    """Opens the sealed coin."""
    KEY = "key"
    """The seat's key for this game's cards, with its proof."""
    SHUFFLE = "shuffle"
    """A shuffled list of cards, with its proof."""
    SHARES = "shares"
    """Decryption shares for positions of the agreed state, with their proof."""
    DECIDE = "decide"
    """A move of the one seat whose turn it is to choose."""
    SEAL = "seal"
    """A sealed answer in a challenge or block window."""
    UNSEAL = "unseal"
    """Opens the sealed answer."""
    OPEN = "open"
    """Turns cards face up, with the proof that they are what they are."""
    EXCHANGE = "exchange"
    """Keeps some of the cards held and drawn, returns the others unseen."""
    PICK = "pick"
    """Keeps one card of the sender's own set, sets the others aside; nobody learns which."""
    SHOW = "show"
    """Shows a card to one other seat alone."""
    GIVE_BACK = "give-back"
    """Returns a card to the Court unseen, after another was drawn for it."""
    LEAVE = "leave"
    """An eliminated seat takes its layer off the Court deck."""
    DEDUCT = "deduct"
    """Takes the cards the sender holds out of what a recovery makes a new Court of."""
    MIX = "mix"
    """Shuffles what is left in a recovery."""
    FLAGS = "flags"
    """Decryption shares that tell in a recovery which cards are left, not what they are."""
    ABSENT = "absent"
    """States that seats are gone, so that the round can be closed without them."""
    RESULT = "result"
    """The sender's word on how the game ended; the parent digest covers everything before."""


class FieldType(Enum):
    """What a field holds."""

    BYTES = "bytes"
    """Bytes; the limits count bytes."""
    TEXT = "text"
    """Printable ASCII, space to tilde; the limits count characters."""


@dataclass(frozen=True, slots=True)
class FieldSchema:
    """One field of a body: its name, what it holds, and its least and greatest length."""

    name: str
    type: FieldType
    least: int
    most: int


def _exactly(name: str, length: int) -> FieldSchema:
    return FieldSchema(name, FieldType.BYTES, length, length)


def _up_to(name: str, most: int) -> FieldSchema:
    return FieldSchema(name, FieldType.BYTES, 1, most)


def _text(name: str, most: int) -> FieldSchema:
    return FieldSchema(name, FieldType.TEXT, 1, most)


SCHEMA: Final[Mapping[Kind, tuple[FieldSchema, ...]]] = MappingProxyType(
    {
        Kind.JOIN: (
            _exactly("public_key", PUBLIC_KEY_BYTES),
            _exactly("coin_commitment", DIGEST_BYTES),
        ),
        Kind.COIN: (_exactly("coin", DIGEST_BYTES), _exactly("salt", DIGEST_BYTES)),
        Kind.KEY: (_up_to("key_and_proof", limits.MAX_KEY_BYTES),),
        Kind.SHUFFLE: (_up_to("cards_and_proof", limits.MAX_SHUFFLE_BYTES),),
        Kind.SHARES: (_up_to("shares_and_proof", limits.MAX_SHARES_BYTES),),
        Kind.DECIDE: (_text("move", limits.MAX_MOVE_TEXT),),
        Kind.SEAL: (_exactly("commitment", DIGEST_BYTES),),
        Kind.UNSEAL: (_text("move", limits.MAX_MOVE_TEXT), _exactly("salt", DIGEST_BYTES)),
        Kind.OPEN: (_up_to("shares_and_proof", limits.MAX_OPEN_BYTES),),
        Kind.EXCHANGE: (_up_to("cards_and_proof", limits.MAX_EXCHANGE_BYTES),),
        Kind.PICK: (_up_to("cards_and_proof", limits.MAX_PICK_BYTES),),
        Kind.SHOW: (_up_to("card_and_proof", limits.MAX_MOVED_BYTES),),
        Kind.GIVE_BACK: (_up_to("card_and_proof", limits.MAX_MOVED_BYTES),),
        Kind.LEAVE: (_up_to("shares_and_proof", limits.MAX_LEAVE_BYTES),),
        Kind.DEDUCT: (_up_to("counters_and_proofs", limits.MAX_DEDUCT_BYTES),),
        Kind.MIX: (_up_to("rows_and_proof", limits.MAX_MIX_BYTES),),
        Kind.FLAGS: (_up_to("shares_and_proof", limits.MAX_SHARES_BYTES),),
        Kind.ABSENT: (_text("statement", limits.MAX_SEATS_TEXT),),
        Kind.RESULT: (_text("outcome", limits.MAX_OUTCOME_TEXT),),
    }
)


def check_body(kind: Kind, body: tuple[object, ...]) -> tuple[Field, ...]:
    """The body, if it has the fields its kind prescribes. Raises WireError naming the field."""
    schema = SCHEMA[kind]
    if len(body) != len(schema):
        raise WireError(f"A {kind.value} message has {len(schema)} fields, not {len(body)}.")
    return tuple(_check_field(kind, s, value) for s, value in zip(schema, body, strict=True))


def _check_field(kind: Kind, schema: FieldSchema, value: object) -> Field:
    where = f"The field {schema.name} of a {kind.value} message"
    match schema.type:
        case FieldType.BYTES:
            if not isinstance(value, bytes):
                raise WireError(f"{where} must be bytes.")
            unit = "bytes"
        case FieldType.TEXT:
            if not (isinstance(value, str) and value.isascii() and value.isprintable()):
                raise WireError(f"{where} must be text of printable ASCII characters.")
            unit = "characters"
        case _:
            assert_never(schema.type)
    if not schema.least <= len(value) <= schema.most:
        exactly = schema.least == schema.most
        allowed = f"{schema.most}" if exactly else f"{schema.least} to {schema.most}"
        raise WireError(f"{where} has {allowed} {unit}, not {len(value)}.")
    return value
