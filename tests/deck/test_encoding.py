"""Runs of 32-byte fields, and pairs of points."""

import pytest

from p2pcoup.deck import Check, Pair, Point, Randomness, Scalar
from p2pcoup.deck.elgamal import PAIR_BYTES, decode_pairs, encode_pairs, re_encrypt
from p2pcoup.deck.encoding import decode_points, decode_scalars, encode_scalars, split_fields
from p2pcoup.deck.group import (
    IDENTITY,
    ORDER,
    hash_to_point,
    multiply,
    multiply_base,
    reduce_scalar,
    subtract,
)
from tests.deck.damage import refused


def points(count: int) -> list[Point]:
    return [hash_to_point(b"point", b"%d" % i) for i in range(count)]


def test_a_run_of_fields_is_split_in_order() -> None:
    data = bytes(range(96))
    assert split_fields(data, 3) == [data[:32], data[32:64], data[64:]]
    assert split_fields(b"", 0) == []


@pytest.mark.parametrize("size", [0, 1, 31, 33, 63, 65, 96])
def test_a_run_of_another_length_is_refused(size: int) -> None:
    with refused(Check.LENGTH):
        split_fields(bytes(size), 2)


def test_points_and_scalars_survive_encoding() -> None:
    some = points(3)
    assert decode_points(split_fields(b"".join(some), 3)) == tuple(some)
    scalars = (Scalar(0), Scalar(1), Scalar(ORDER - 1))
    assert decode_scalars(split_fields(encode_scalars(*scalars), 3)) == scalars


def test_one_bad_field_spoils_the_run() -> None:
    """Attack 2."""
    some = points(3)
    for bad in (bytes(32), b"\xff" * 32, some[0][::-1]):
        with refused(Check.POINT_ENCODING):
            decode_points([some[0], bad, some[1]])
    with refused(Check.SCALAR_ENCODING):
        decode_scalars([bytes(32), ORDER.to_bytes(32, "little")])


def test_pairs_survive_encoding_and_nothing_else_decodes() -> None:
    """Attack 2: a received pair never has the identity in it."""
    a, b, c, d = points(4)
    pairs = (Pair(a, b), Pair(c, d))
    data = encode_pairs(pairs)
    assert len(data) == 2 * PAIR_BYTES
    assert decode_pairs(data, 2) == pairs
    for hidden in (Pair(IDENTITY, a), Pair(a, IDENTITY)):
        with refused(Check.POINT_ENCODING):
            decode_pairs(encode_pairs([hidden]), 1)
    for count in (0, 1, 3):
        with refused(Check.LENGTH):
            decode_pairs(data, count)


def test_a_re_encrypted_card_is_the_same_card_and_looks_new(randomness: Randomness) -> None:
    secret, r, s = (randomness.scalar() for _ in range(3))
    key, (card,) = multiply_base(secret), points(1)
    once = re_encrypt(Pair(IDENTITY, card), key, r)
    twice = re_encrypt(once, key, s)
    assert multiply_base(r) == once.U
    assert not set(once) & set(twice)
    for pair in (once, twice):
        assert subtract(pair.V, multiply(secret, pair.U)) == card
    assert twice == re_encrypt(Pair(IDENTITY, card), key, reduce_scalar(r + s))


def test_under_another_key_a_card_reads_as_no_card(randomness: Randomness) -> None:
    secret, other = randomness.scalar(), randomness.scalar()
    pair = re_encrypt(Pair(IDENTITY, points(1)[0]), multiply_base(secret), randomness.scalar())
    assert subtract(pair.V, multiply(other, pair.U)) not in points(5)
