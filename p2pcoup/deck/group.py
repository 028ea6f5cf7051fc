"""The group ristretto255 (RFC 9496): prime order ``ORDER``, base ``BASE``, written additively. SPEC
4.

Bytes become a ``Point`` or a ``Scalar`` in one place only, ``decode_point`` and ``decode_scalar``,
which check length, canonical form, validity and that a point is not the identity. What carries
these types has been checked; the arithmetic below trusts it, and still raises ``DeckUseError`` if
libsodium refuses an argument, so an undecoded point can never pass as the identity.

Secret scalars only meet libsodium's constant-time functions and Python's integer arithmetic modulo
``ORDER``. The latter is not constant-time; a peer sees only whole messages over a network, a price
accepted for the card game.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, NewType

from p2pcoup.deck.errors import Check, DeckUseError, ProofError
from p2pcoup.deck.sodium import Buffer32, prototype

Point = NewType("Point", bytes)
"""A group element: its 32 canonical bytes."""

Scalar = NewType("Scalar", int)
"""An integer modulo ``ORDER``: 0 <= s < ORDER."""

ORDER: Final = 2**252 + 27742317777372353535851937790883648493
"""The prime order q of the group (RFC 9496, 4)."""

FIELD_PRIME: Final = 2**255 - 19
"""An encoding is canonical below this and even (RFC 9496, 4.3.1)."""

POINT_BYTES: Final = 32
SCALAR_BYTES: Final = 32

IDENTITY: Final = Point(bytes(POINT_BYTES))

HASH_LABEL: Final = b"p2pcoup deck 1 hash-to-point"

_is_valid: Callable[..., int] = prototype("crypto_core_ristretto255_is_valid_point", 1)
_from_hash: Callable[..., int] = prototype("crypto_core_ristretto255_from_hash", 2)
_add: Callable[..., int] = prototype("crypto_core_ristretto255_add", 3)
_subtract: Callable[..., int] = prototype("crypto_core_ristretto255_sub", 3)
_multiply: Callable[..., int] = prototype("crypto_scalarmult_ristretto255", 3)
_multiply_base: Callable[..., int] = prototype("crypto_scalarmult_ristretto255_base", 2)


# --- bytes to typed values and back ---------------------------------------------------------------


def decode_point(data: bytes) -> Point:
    """SPEC 4.1 DecodePoint: the only way from received bytes to a ``Point``.

    Raises ``ProofError`` (length, point-encoding) unless ``data`` is the canonical encoding of an
    element other than the identity. The identity is a legal value of some derived points, but never
    of a received one.
    """
    if len(data) != POINT_BYTES:
        raise ProofError(Check.LENGTH, f"a point has {POINT_BYTES} bytes, this one {len(data)}")
    value = int.from_bytes(data, "little")
    # Not left to libsodium: 1.0.18, which rbcl 1.1 ships, ignores the top bit of the last byte,
    # so that every point would have two encodings.
    if value >= FIELD_PRIME or value & 1:
        raise ProofError(Check.POINT_ENCODING, "the encoding of a point is not canonical")
    if value == 0:
        raise ProofError(Check.POINT_ENCODING, "the identity is not accepted as a received point")
    if _is_valid(bytes(data)) != 1:
        raise ProofError(Check.POINT_ENCODING, "these bytes are not a point of the group")
    return Point(bytes(data))


def encode_scalar(scalar: Scalar) -> bytes:
    """32 bytes, little-endian (RFC 9496, 4.4)."""
    return scalar.to_bytes(SCALAR_BYTES, "little")


def decode_scalar(data: bytes) -> Scalar:
    """SPEC 4.2 DecodeScalar.

    Raises ``ProofError`` (length, scalar-encoding) unless ``data`` encodes s < ORDER.
    """
    if len(data) != SCALAR_BYTES:
        raise ProofError(Check.LENGTH, f"a scalar has {SCALAR_BYTES} bytes, this one {len(data)}")
    value = int.from_bytes(data, "little")
    if value >= ORDER:
        raise ProofError(Check.SCALAR_ENCODING, "a scalar is not below the order of the group")
    return Scalar(value)


def reduce_scalar(number: int) -> Scalar:
    """``number`` modulo ORDER."""
    return Scalar(number % ORDER)


# --- arithmetic -----------------------------------------------------------------------------------


def add(left: Point, right: Point) -> Point:
    """``left + right``. Raises ``DeckUseError`` if one of them was never decoded."""
    if left == IDENTITY:
        return right
    if right == IDENTITY:
        return left
    result = Buffer32()
    if _add(result, left, right) != 0:
        raise DeckUseError("an addition was given bytes that are not a point")
    return Point(result.raw)


def subtract(left: Point, right: Point) -> Point:
    """``left - right``. Raises ``DeckUseError`` if one of them was never decoded."""
    if right == IDENTITY:
        return left
    result = Buffer32()
    if _subtract(result, left, right) != 0:
        raise DeckUseError("a subtraction was given bytes that are not a point")
    return Point(result.raw)


def multiply(scalar: Scalar, point: Point) -> Point:
    """``scalar * point``; the identity for a zero scalar or the identity.

    Constant time otherwise.
    """
    if scalar == 0 or point == IDENTITY:
        return IDENTITY
    result = Buffer32()
    # The order is prime: no other product is the identity, so a refusal means an invalid point.
    if _multiply(result, scalar.to_bytes(SCALAR_BYTES, "little"), point) != 0:
        raise DeckUseError("a multiplication was given bytes that are not a point")
    return Point(result.raw)


def multiply_base(scalar: Scalar) -> Point:
    """``scalar * BASE``; the identity for a zero scalar. Constant time otherwise."""
    if scalar == 0:
        return IDENTITY
    result = Buffer32()
    if _multiply_base(result, scalar.to_bytes(SCALAR_BYTES, "little")) != 0:
        raise DeckUseError("a multiplication was given a scalar outside the group order")
    return Point(result.raw)


def sum_points(points: Iterable[Point]) -> Point:
    """The sum; the identity for none."""
    total = IDENTITY
    for point in points:
        total = add(total, point)
    return total


def combine(scalars: Iterable[Scalar], points: Iterable[Point]) -> Point:
    """The linear combination of equally many scalars and points, ``sum(s_i * P_i)``."""
    return sum_points(multiply(s, p) for s, p in zip(scalars, points, strict=True))


def framed(*items: bytes) -> bytes:
    """Each item behind its length (4 bytes, big-endian): different lists never give equal bytes."""
    return b"".join(len(item).to_bytes(4, "big") + item for item in items)


def hash_to_point(label: bytes, *items: bytes) -> Point:
    """SPEC 4.3 HashToPoint: a point whose relation to every other one nobody knows.

    The 64-byte SHA-512 goes through the element derivation function of RFC 9496, 4.3.4.
    """
    digest = hashlib.sha512(framed(HASH_LABEL, label, *items)).digest()
    result = Buffer32()
    _from_hash(result, digest)
    return Point(result.raw)


BASE: Final = multiply_base(Scalar(1))


# --- counting -------------------------------------------------------------------------------------


@dataclass(slots=True)
class OperationCount:
    """How often libsodium was called inside ``count_operations``."""

    variable: int = 0
    """Multiplications of an arbitrary point."""
    base: int = 0
    """Multiplications of ``BASE``."""
    add: int = 0
    """Additions and subtractions."""
    valid: int = 0
    """Validity checks of decoded points."""


@contextmanager
def count_operations() -> Iterator[OperationCount]:
    """Count the group operations of the block, of all threads; costs nothing outside of it.

    For benchmarks that price a proof in raw library calls. Not to be nested from several threads at
    once.
    """
    global _add, _subtract, _multiply, _multiply_base, _is_valid
    saved = (_add, _subtract, _multiply, _multiply_base, _is_valid)
    count = OperationCount()

    def counting(function: Callable[..., int], kind: str) -> Callable[..., int]:
        def counted(*arguments: object) -> int:
            setattr(count, kind, getattr(count, kind) + 1)
            return function(*arguments)

        return counted

    _add, _subtract = counting(_add, "add"), counting(_subtract, "add")
    _multiply, _multiply_base = counting(_multiply, "variable"), counting(_multiply_base, "base")
    _is_valid = counting(_is_valid, "valid")
    try:
        yield count
    finally:
        _add, _subtract, _multiply, _multiply_base, _is_valid = saved
