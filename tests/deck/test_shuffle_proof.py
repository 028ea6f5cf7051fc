"""The shuffle proof: every honest shuffle is accepted, and nothing else."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from p2pcoup.deck import Check, DeckUseError, Pair, Point, Randomness, Scalar
from p2pcoup.deck.elgamal import re_encrypt
from p2pcoup.deck.group import (
    IDENTITY,
    add,
    hash_to_point,
    multiply_base,
    reduce_scalar,
    subtract,
)
from p2pcoup.deck.rows import Row, Shuffled, shuffle_rows
from p2pcoup.deck.shuffle_proof import (
    ShuffleProof,
    prove_shuffle,
    verify_shuffle,
)
from tests.deck.damage import SOME_POINT, refuse_all_damage, refused

DOMAIN = b"game, round, seat"
KEY = multiply_base(Scalar(2718281828459045))
OTHER_KEY = multiply_base(Scalar(1618033988749894))


def card(number: int) -> Point:
    return hash_to_point(b"test card", b"%d" % number)


def rows_under(key: Point, count: int, width: int, randomness: Randomness) -> list[Row]:
    """Encrypted rows, each pair another card."""
    source = randomness.fork("rows under", key)
    return [
        tuple(
            re_encrypt(Pair(IDENTITY, card(row * width + column)), key, source.scalar())
            for column in range(width)
        )
        for row in range(count)
    ]


def verify_encoded(inputs: Sequence[Row], outputs: Sequence[Row], data: bytes) -> None:
    proof = ShuffleProof.decode(data, len(inputs), len(inputs[0]))
    verify_shuffle(DOMAIN, KEY, inputs, outputs, proof)


# --- honest ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", range(1, 16))
def test_an_honest_shuffle_of_any_number_of_cards_is_accepted(
    count: int, randomness: Randomness
) -> None:
    inputs = rows_under(KEY, count, 1, randomness)
    shuffled = shuffle_rows(DOMAIN, KEY, inputs, randomness)
    data = prove_shuffle(DOMAIN, KEY, inputs, shuffled, randomness).encode()
    assert len(data) == ShuffleProof.size(count) == 32 * (4 * count + 5)
    verify_encoded(inputs, shuffled.outputs, data)


@pytest.mark.parametrize(("count", "width"), [(1, 2), (4, 2), (3, 3), (2, 7)])
def test_an_honest_shuffle_of_rows_of_several_pairs_is_accepted(
    count: int, width: int, randomness: Randomness
) -> None:
    inputs = rows_under(KEY, count, width, randomness)
    shuffled = shuffle_rows(DOMAIN, KEY, inputs, randomness)
    data = prove_shuffle(DOMAIN, KEY, inputs, shuffled, randomness).encode()
    assert len(data) == ShuffleProof.size(count, width) == 32 * (4 * count + 4 + width)
    verify_encoded(inputs, shuffled.outputs, data)


def test_open_cards_are_shuffled_like_hidden_ones(randomness: Randomness) -> None:
    inputs: list[Row] = [(Pair(IDENTITY, card(i % 2)),) for i in range(4)]
    shuffled = shuffle_rows(DOMAIN, KEY, inputs, randomness)
    proof = prove_shuffle(DOMAIN, KEY, inputs, shuffled, randomness)
    verify_shuffle(DOMAIN, KEY, inputs, shuffled.outputs, proof)


def test_every_permutation_of_three_can_be_proven(randomness: Randomness) -> None:
    inputs = rows_under(KEY, 3, 1, randomness)
    for order in ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)):
        shuffled = shuffle_rows(DOMAIN, KEY, inputs, randomness, order)
        proof = prove_shuffle(DOMAIN, KEY, inputs, shuffled, randomness)
        verify_shuffle(DOMAIN, KEY, inputs, shuffled.outputs, proof)


def test_a_restarted_prover_repeats_its_proof_and_shares_nothing_with_another_one(
    randomness: Randomness,
) -> None:
    """Attack 19: with one nonce in two proofs, permutation and randomizers could be computed."""
    inputs = rows_under(KEY, 3, 1, randomness)
    shuffled = shuffle_rows(DOMAIN, KEY, inputs, randomness)
    first = prove_shuffle(DOMAIN, KEY, inputs, shuffled, randomness)
    assert prove_shuffle(DOMAIN, KEY, inputs, shuffled, randomness) == first
    other = prove_shuffle(b"other", KEY, inputs, shuffled, randomness)
    fields = [first.encode()[i : i + 32] for i in range(0, ShuffleProof.size(3), 32)]
    others = [other.encode()[i : i + 32] for i in range(0, ShuffleProof.size(3), 32)]
    assert not set(fields) & set(others)


# --- damage ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("count", "width"), [(1, 1), (4, 1), (1, 2), (3, 2)])
def test_every_damaged_field_of_a_proof_is_refused(
    count: int, width: int, randomness: Randomness
) -> None:
    """Attacks 2 and 18."""
    inputs = rows_under(KEY, count, width, randomness)
    shuffled = shuffle_rows(DOMAIN, KEY, inputs, randomness)
    data = prove_shuffle(DOMAIN, KEY, inputs, shuffled, randomness).encode()
    refuse_all_damage(data, lambda got: verify_encoded(inputs, shuffled.outputs, got))


def replaced(rows: Sequence[Row], row: int, column: int, pair: Pair) -> list[Row]:
    changed = [list(one) for one in rows]
    changed[row][column] = pair
    return [tuple(one) for one in changed]


@pytest.mark.parametrize("width", [1, 2])
def test_every_changed_part_of_the_statement_is_refused(width: int, randomness: Randomness) -> None:
    """Attacks 5 and 18."""
    inputs = rows_under(KEY, 3, width, randomness)
    outputs, _, _ = shuffled = shuffle_rows(DOMAIN, KEY, inputs, randomness)
    proof = prove_shuffle(DOMAIN, KEY, inputs, shuffled, randomness)
    statements: list[tuple[bytes, Point, Sequence[Row], Sequence[Row]]] = [
        (DOMAIN + b"!", KEY, inputs, outputs),
        (DOMAIN, OTHER_KEY, inputs, outputs),
        (DOMAIN, KEY, outputs, inputs),
        (DOMAIN, KEY, [*inputs[1:], inputs[0]], outputs),
        (DOMAIN, KEY, inputs, [*outputs[1:], outputs[0]]),
    ]
    for row in range(3):
        for column in range(width):
            before, after = inputs[row][column], outputs[row][column]
            for changed in (Pair(SOME_POINT, before.V), Pair(before.U, SOME_POINT)):
                swapped = replaced(inputs, row, column, changed)
                statements.append((DOMAIN, KEY, swapped, outputs))
            for changed in (Pair(SOME_POINT, after.V), Pair(after.U, SOME_POINT)):
                swapped = replaced(outputs, row, column, changed)
                statements.append((DOMAIN, KEY, inputs, swapped))
    for statement in statements:
        with refused(Check.SHUFFLE_PROOF):
            verify_shuffle(*statement, proof)
    verify_shuffle(DOMAIN, KEY, inputs, outputs, proof)


def test_the_lists_of_one_statement_cannot_be_cut_elsewhere(randomness: Randomness) -> None:
    """Two rows of one pair are not one row of two, although the points are the same."""
    inputs = rows_under(KEY, 2, 1, randomness)
    outputs, _, _ = shuffled = shuffle_rows(DOMAIN, KEY, inputs, randomness)
    narrow = prove_shuffle(DOMAIN, KEY, inputs, shuffled, randomness)
    with refused(Check.LENGTH):
        ShuffleProof.decode(narrow.encode(), 1, 2)
    wide = replace(
        narrow,
        c=narrow.c[:1],
        c_hat=narrow.c_hat[:1],
        s_4=narrow.s_4 * 2,
        s_hat=narrow.s_hat[:1],
        s_prime=narrow.s_prime[:1],
    )
    with refused(Check.SHUFFLE_PROOF):
        verify_shuffle(DOMAIN, KEY, [(*inputs[0], *inputs[1])], [(*outputs[0], *outputs[1])], wide)


def test_lists_that_do_not_fit_together_are_our_own_mistake(randomness: Randomness) -> None:
    inputs = rows_under(KEY, 3, 1, randomness)
    outputs, _, _ = shuffled = shuffle_rows(DOMAIN, KEY, inputs, randomness)
    proof = prove_shuffle(DOMAIN, KEY, inputs, shuffled, randomness)
    wide = [(*row, *row) for row in inputs]
    for befores, afters in (
        (inputs[:2], outputs[:2]),
        (inputs[:2], outputs),
        (inputs, outputs[:2]),
        (wide, wide),
        (wide, outputs),
        ([], []),
    ):
        with pytest.raises(DeckUseError):
            verify_shuffle(DOMAIN, KEY, befores, afters, proof)


# --- cheats ---------------------------------------------------------------------------------------

Cheat = Callable[[list[Pair], list[Pair]], list[Pair]]
"""The outputs a cheat publishes, from the inputs and the honest outputs."""


def shifted(pair: Pair, plaintext: Point) -> Pair:
    return Pair(pair.U, add(pair.V, plaintext))


def negative(pair: Pair) -> Pair:
    return Pair(subtract(IDENTITY, pair.U), subtract(IDENTITY, pair.V))


def total(one: Pair, other: Pair) -> Pair:
    return Pair(add(one.U, other.U), add(one.V, other.V))


FRESH, SHIFT = Scalar(424242), card(99)
CHEATS: dict[str, Cheat] = {
    "a card replaced by another one": lambda _, out: [
        re_encrypt(Pair(IDENTITY, card(0)), KEY, FRESH),
        *out[1:],
    ],
    "a card replaced by one that does not exist": lambda _, out: [
        re_encrypt(Pair(IDENTITY, card(77)), KEY, FRESH),
        *out[1:],
    ],
    "a card dropped for a blank": lambda _, out: [
        re_encrypt(Pair(IDENTITY, IDENTITY), KEY, FRESH),
        *out[1:],
    ],
    "a card twice": lambda _, out: [re_encrypt(out[1], KEY, FRESH), *out[1:]],
    "a card twice, bit for bit": lambda _, out: [out[1], *out[1:]],
    "a card that everybody reads": lambda _, out: [Pair(IDENTITY, card(0)), *out[1:]],
    "a card from another seat's hand": lambda _, out: [
        re_encrypt(re_encrypt(Pair(IDENTITY, card(5)), OTHER_KEY, FRESH), KEY, FRESH),
        *out[1:],
    ],
    "a card not renewed": lambda ins, out: [ins[0], *out[1:]],
    "a card renewed under another key": lambda _, out: [
        re_encrypt(out[0], OTHER_KEY, FRESH),
        *out[1:],
    ],
    "a shift of one card undone in another": lambda _, out: [
        shifted(out[0], SHIFT),
        shifted(out[1], subtract(IDENTITY, SHIFT)),
        *out[2:],
    ],
    "a card doubled": lambda _, out: [total(out[0], out[0]), *out[1:]],
    "a card negated": lambda _, out: [negative(out[0]), *out[1:]],
    "two cards mixed": lambda _, out: [
        total(out[0], negative(out[1])),
        total(out[1], out[1]),
        *out[2:],
    ],
    "first and second component swapped": lambda _, out: [Pair(out[0].V, out[0].U), *out[1:]],
}


@pytest.mark.parametrize("cheat", CHEATS)
def test_a_shuffle_with_a_cheat_in_it_is_refused(cheat: str, randomness: Randomness) -> None:
    """Attacks 9 and 14. The cheater keeps to the rest of the protocol as well as it can."""
    inputs = rows_under(KEY, 4, 1, randomness)
    honest = shuffle_rows(DOMAIN, KEY, inputs, randomness)
    pairs = CHEATS[cheat]([row[0] for row in inputs], [row[0] for row in honest.outputs])
    outputs = tuple((pair,) for pair in pairs)
    assert outputs != honest.outputs
    cheated = Shuffled(outputs, honest.permutation, honest.randomizers)
    proof = prove_shuffle(DOMAIN, KEY, inputs, cheated, randomness)
    with refused(Check.SHUFFLE_PROOF):
        verify_shuffle(DOMAIN, KEY, inputs, outputs, proof)


def test_pairs_of_one_row_cannot_be_parted(randomness: Randomness) -> None:
    """Each column is an honest shuffle, but not with one and the same permutation."""
    inputs = rows_under(KEY, 3, 2, randomness)
    shuffled = shuffle_rows(DOMAIN, KEY, inputs, randomness)
    a, b, c = shuffled.outputs
    parted = ((a[0], b[1]), (b[0], a[1]), c)
    proof = prove_shuffle(DOMAIN, KEY, inputs, shuffled._replace(outputs=parted), randomness)
    with refused(Check.SHUFFLE_PROOF):
        verify_shuffle(DOMAIN, KEY, inputs, parted, proof)


def test_a_commitment_to_another_permutation_is_refused(randomness: Randomness) -> None:
    inputs = rows_under(KEY, 3, 1, randomness)
    shuffled = shuffle_rows(DOMAIN, KEY, inputs, randomness, (1, 2, 0))
    for wrong in ((0, 1, 2), (2, 1, 0), (2, 0, 1), (1, 1, 0), (0, 0, 0)):
        cheated = shuffled._replace(permutation=wrong)
        proof = prove_shuffle(DOMAIN, KEY, inputs, cheated, randomness)
        with refused(Check.SHUFFLE_PROOF):
            verify_shuffle(DOMAIN, KEY, inputs, shuffled.outputs, proof)


def test_wrong_randomizers_cannot_be_proven(randomness: Randomness) -> None:
    inputs = rows_under(KEY, 3, 1, randomness)
    shuffled = shuffle_rows(DOMAIN, KEY, inputs, randomness)
    (r,), *rest = shuffled.randomizers
    cheated = shuffled._replace(randomizers=((reduce_scalar(r + 1),), *rest))
    proof = prove_shuffle(DOMAIN, KEY, inputs, cheated, randomness)
    with refused(Check.SHUFFLE_PROOF):
        verify_shuffle(DOMAIN, KEY, inputs, shuffled.outputs, proof)
