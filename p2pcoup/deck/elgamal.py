"""ElGamal pairs: how a card is written. SPEC 4.4.

A card with plaintext M under key K is ``(U, V) = (r*B, M + r*K)``. A pair ``(identity, M)`` is a
card everybody sees.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from p2pcoup.deck.encoding import decode_points, split_fields
from p2pcoup.deck.group import Point, Scalar, add, multiply, multiply_base

PAIR_BYTES: Final = 64


class Pair(NamedTuple):
    """An ElGamal ciphertext ``(U, V)``."""

    U: Point
    V: Point


def re_encrypt(pair: Pair, key: Point, randomizer: Scalar) -> Pair:
    """The same card, looking new: ``(U + r*B, V + r*K)``."""
    return Pair(add(pair.U, multiply_base(randomizer)), add(pair.V, multiply(randomizer, key)))


def encode_pairs(pairs: Sequence[Pair]) -> bytes:
    """U and V of each pair, 64 bytes a pair."""
    return b"".join(point for pair in pairs for point in pair)


def decode_pairs(data: bytes, count: int) -> tuple[Pair, ...]:
    """Exactly ``count`` pairs of two valid points; raises ``ProofError`` otherwise."""
    points = decode_points(split_fields(data, 2 * count))
    return tuple(Pair(*points[i : i + 2]) for i in range(0, len(points), 2))
