"""Message bytes: identities, canonical encoding, signed messages, limits (SPEC 2 and 3).

Everything a peer sends or signs passes through here. The layer knows the shape of messages, not
their meaning, and imports nothing else of this program. Received data that is not acceptable
raises `WireError`, and nothing else.
"""

from p2pcoup.wire.encoding import Encodable, Value, decode, encode
from p2pcoup.wire.errors import WireError
from p2pcoup.wire.identity import Identity, PeerId, parse_peer_id, peer_id, verify
from p2pcoup.wire.kinds import SCHEMA, Field, FieldSchema, FieldType, Kind
from p2pcoup.wire.limits import MAX_MESSAGE_BYTES, MAX_TERMS_BYTES, PROTOCOL_VERSION
from p2pcoup.wire.message import (
    Message,
    SignedMessage,
    parse,
    round_digest,
    sign,
    verify_signature,
)
from p2pcoup.wire.names import clean_name

__all__ = [
    "MAX_MESSAGE_BYTES",
    "MAX_TERMS_BYTES",
    "PROTOCOL_VERSION",
    "SCHEMA",
    "Encodable",
    "Field",
    "FieldSchema",
    "FieldType",
    "Identity",
    "Kind",
    "Message",
    "PeerId",
    "SignedMessage",
    "Value",
    "WireError",
    "clean_name",
    "decode",
    "encode",
    "parse",
    "parse_peer_id",
    "peer_id",
    "round_digest",
    "sign",
    "verify",
    "verify_signature",
]
