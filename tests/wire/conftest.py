from collections.abc import Callable

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2pcoup.wire import SCHEMA, Field, FieldType, Identity, Kind, Message

MessageMaker = Callable[..., Message]


@pytest.fixture(scope="session")
def identity() -> Identity:
    return Identity(Ed25519PrivateKey.from_private_bytes(bytes(range(32))))


@pytest.fixture(scope="session")
def other_identity() -> Identity:
    return Identity(Ed25519PrivateKey.from_private_bytes(bytes(range(32, 64))))


@pytest.fixture(scope="session")
def make_message() -> MessageMaker:
    """Builds a valid message of a kind, every field as long as the schema allows."""

    def make(kind: Kind = Kind.UNSEAL, *, round_number: int = 300, seat: int = 2) -> Message:
        body: tuple[Field, ...] = tuple(
            b"\xab" * schema.most if schema.type is FieldType.BYTES else "~" * schema.most
            for schema in SCHEMA[kind]
        )
        return Message(b"g" * 32, round_number, seat, b"p" * 32, kind, body)

    return make
