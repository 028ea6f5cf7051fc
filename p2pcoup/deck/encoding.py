"""Fixed-width encoding: every proof and every card is a run of 32-byte fields. SPEC 1.

How many fields there must be is known from the agreed state, never from the message.
"""

from collections.abc import Sequence
from typing import Final

from p2pcoup.deck.errors import Check, ProofError
from p2pcoup.deck.group import Point, Scalar, decode_point, decode_scalar, encode_scalar

FIELD_BYTES: Final = 32


def split_fields(data: bytes, count: int) -> list[bytes]:
    """``count`` fields of 32 bytes.

    Raises ``ProofError`` (length) if ``data`` is not exactly that long.
    """
    if len(data) != count * FIELD_BYTES:
        raise ProofError(
            Check.LENGTH, f"{count * FIELD_BYTES} bytes were expected and {len(data)} came"
        )
    return [bytes(data[i : i + FIELD_BYTES]) for i in range(0, len(data), FIELD_BYTES)]


def decode_points(fields: Sequence[bytes]) -> tuple[Point, ...]:
    """Every field through ``decode_point``."""
    return tuple(decode_point(field) for field in fields)


def decode_scalars(fields: Sequence[bytes]) -> tuple[Scalar, ...]:
    """Every field through ``decode_scalar``."""
    return tuple(decode_scalar(field) for field in fields)


def encode_scalars(*scalars: Scalar) -> bytes:
    """The scalars one after the other."""
    return b"".join(map(encode_scalar, scalars))
