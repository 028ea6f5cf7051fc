"""Rows of pairs, permuted and re-encrypted."""

from collections import Counter

import pytest

from p2pcoup.deck import DeckUseError, Pair, Point, Randomness, Scalar
from p2pcoup.deck.group import IDENTITY, hash_to_point, multiply, multiply_base, subtract
from p2pcoup.deck.rows import MAX_ROWS, Row, shuffle_rows

DOMAIN = b"game, round, seat"
SECRET = Scalar(2718281828459045)
KEY = multiply_base(SECRET)
CARDS = [hash_to_point(b"test card", b"%d" % i) for i in range(6)]


def trivial_rows(width: int = 1) -> list[Row]:
    return [tuple(Pair(IDENTITY, card) for _ in range(width)) for card in CARDS]


def plaintext(pair: Pair) -> Point:
    return subtract(pair.V, multiply(SECRET, pair.U))


@pytest.mark.parametrize("width", [1, 2, 3])
def test_the_rows_come_out_in_another_order_with_every_pair_renewed(
    width: int, randomness: Randomness
) -> None:
    inputs = trivial_rows(width)
    outputs, permutation, randomizers = shuffle_rows(DOMAIN, KEY, inputs, randomness)
    assert sorted(permutation) == list(range(len(CARDS)))
    assert permutation != tuple(range(len(CARDS)))
    for row, place in zip(outputs, permutation, strict=True):
        assert [plaintext(pair) for pair in row] == [CARDS[place]] * width
    firsts = [pair.U for row in outputs for pair in row]
    assert firsts == [multiply_base(r) for row in randomizers for r in row]
    assert len(set(firsts)) == len(firsts)
    assert IDENTITY not in firsts


def test_a_given_permutation_is_the_one_used(randomness: Randomness) -> None:
    order = (3, 0, 5, 1, 4, 2)
    shuffled = shuffle_rows(DOMAIN, KEY, trivial_rows(), randomness, order)
    assert shuffled.permutation == order
    assert [plaintext(row[0]) for row in shuffled.outputs] == [CARDS[i] for i in order]


def test_the_same_seed_repeats_a_shuffle_and_never_its_secrets_elsewhere(
    randomness: Randomness,
) -> None:
    """Attacks 19 and 20: the same secrets on other inputs would show the permutation."""
    inputs = trivial_rows()
    first = shuffle_rows(DOMAIN, KEY, inputs, randomness)
    assert shuffle_rows(DOMAIN, KEY, inputs, randomness) == first
    order = first.permutation
    others = [
        shuffle_rows(b"other", KEY, inputs, randomness),
        shuffle_rows(DOMAIN, CARDS[0], inputs, randomness),
        shuffle_rows(DOMAIN, KEY, inputs[::-1], randomness),
        shuffle_rows(DOMAIN, KEY, inputs, randomness, order),
        shuffle_rows(DOMAIN, KEY, inputs, randomness, order[::-1]),
        shuffle_rows(DOMAIN, KEY, inputs, Randomness.from_system()),
    ]
    used = Counter(r for one in (first, *others) for row in one.randomizers for r in row)
    assert set(used.values()) == {1}


def test_every_order_of_three_rows_comes_equally_often(randomness: Randomness) -> None:
    """Attack 20."""
    inputs = trivial_rows()[:3]
    seen = Counter(shuffle_rows(b"%d" % i, KEY, inputs, randomness).permutation for i in range(600))
    assert len(seen) == 6
    # chi squared with 5 degrees of freedom: above 20.5 once in a thousand; the seed is fixed
    assert sum((count - 100) ** 2 / 100 for count in seen.values()) < 20.5


def test_what_is_no_permutation_or_no_list_of_rows_is_our_own_mistake(
    randomness: Randomness,
) -> None:
    rows = trivial_rows()[:2]
    for wrong in ((0, 0), (0, 2), (0,), (0, 1, 2), (1, -1)):
        with pytest.raises(DeckUseError):
            shuffle_rows(DOMAIN, KEY, rows, randomness, wrong)
    ragged = [rows[0], (*rows[1], *rows[1])]
    for shapeless in ([], [()], ragged, rows * MAX_ROWS):
        with pytest.raises(DeckUseError):
            shuffle_rows(DOMAIN, KEY, shapeless, randomness)


def test_the_secrets_of_a_shuffle_are_not_printed(randomness: Randomness) -> None:
    shuffled = shuffle_rows(DOMAIN, KEY, trivial_rows(), randomness)
    assert repr(shuffled) == "Shuffled(6 rows, ...)"
