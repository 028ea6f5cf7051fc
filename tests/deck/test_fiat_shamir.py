"""What every challenge depends on: the whole statement and all commitments, in a fixed order.

Attack 18: a statement or a commitment left out of the hash can be chosen after the challenge.
"""

from collections.abc import Callable, Sequence

from p2pcoup.deck import Pair, Point, Randomness, Scalar
from p2pcoup.deck.decrement import (
    OPEN_ONE,
    Decrement,
    decrement,
    flags_of,
    prove_decrement,
    verify_decrement,
)
from p2pcoup.deck.elgamal import re_encrypt
from p2pcoup.deck.equality import (
    prove_equalities,
    prove_equality,
    verify_equalities,
    verify_equality,
)
from p2pcoup.deck.group import BASE, IDENTITY, encode_scalar, hash_to_point, multiply, multiply_base
from p2pcoup.deck.rekey import prove_rekey, rekey, verify_rekey
from p2pcoup.deck.rows import Row, shuffle_rows
from p2pcoup.deck.schnorr import prove_schnorr, verify_schnorr
from p2pcoup.deck.shuffle_proof import commitment_generator, prove_shuffle, verify_shuffle
from p2pcoup.deck.transcript import GROUP, PROTOCOL, traced

DOMAIN = b"game, round, seat"
SECRET = Scalar(123454321)
PUBLIC = multiply_base(SECRET)
POINTS = [hash_to_point(b"point", b"%d" % i) for i in range(4)]


def history(work: Callable[[], object]) -> list[str]:
    lines: list[str] = []
    with traced(lines.append):
        work()
    return lines


def begins(proof: str, *statement: tuple[str, bytes]) -> list[str]:
    """The lines of the debug mode for the start of a transcript and these statement items."""
    items = [
        ("protocol", PROTOCOL),
        ("group", GROUP),
        ("base", BASE),
        ("domain", DOMAIN),
        ("proof", proof.encode()),
        *statement,
    ]
    return [f"absorb {label} [{len(data)}] {data.hex()}" for label, data in items]


def number(value: int) -> bytes:
    return value.to_bytes(8, "big")


def labels(lines: list[str]) -> list[str]:
    return [" ".join(line.split()[:2]) for line in lines]


def test_a_schnorr_challenge_covers_key_and_commitment(randomness: Randomness) -> None:
    proof = prove_schnorr(DOMAIN, PUBLIC, SECRET, randomness)
    lines = history(lambda: verify_schnorr(DOMAIN, PUBLIC, proof))
    expected = begins("schnorr", ("public", PUBLIC))
    assert lines[: len(expected)] == expected
    assert labels(lines[len(expected) :]) == ["absorb T", "challenge c"]
    assert lines[-1].endswith(encode_scalar(proof.challenge).hex())
    assert history(lambda: prove_schnorr(DOMAIN, PUBLIC, SECRET, randomness)) == lines


def test_an_equality_challenge_covers_key_base_image_and_commitments(
    randomness: Randomness,
) -> None:
    base, image = POINTS[0], multiply(SECRET, POINTS[0])
    statement = (DOMAIN, PUBLIC, base, image)
    proof = prove_equality(*statement, SECRET, randomness)
    lines = history(lambda: verify_equality(*statement, proof))
    expected = begins("equality", ("public", PUBLIC), ("U", base), ("D", image))
    assert lines[: len(expected)] == expected
    assert labels(lines[len(expected) :]) == ["absorb T", "challenge c"]
    assert lines[-2].startswith("absorb T [64] ")
    assert history(lambda: prove_equality(*statement, SECRET, randomness)) == lines


def test_the_weights_of_a_batch_come_after_all_its_pairs(randomness: Randomness) -> None:
    images = [multiply(SECRET, base) for base in POINTS]
    statement = (DOMAIN, PUBLIC, POINTS, images)
    proof = prove_equalities(*statement, SECRET, randomness)
    lines = history(lambda: verify_equalities(*statement, proof))
    pairs = ("U", b"".join(POINTS)), ("D", b"".join(images))
    expected = begins("batched-equality", ("public", PUBLIC), *pairs)
    assert lines[: len(expected)] == expected
    rest = lines[len(expected) :]
    assert labels(rest) == ["challenge weight"] * 3 + ["absorb T", "challenge c"]
    assert len(set(rest[:3])) == 3
    assert history(lambda: prove_equalities(*statement, SECRET, randomness)) == lines


def test_a_rekey_challenge_covers_both_keys_both_pairs_and_commitments(
    randomness: Randomness,
) -> None:
    target = POINTS[3]
    before = re_encrypt(Pair(IDENTITY, POINTS[0]), PUBLIC, Scalar(777))
    after, s = rekey(DOMAIN, before, SECRET, target, randomness)
    statement = (DOMAIN, PUBLIC, target, before, after)
    proof = prove_rekey(*statement, SECRET, s, randomness)
    lines = history(lambda: verify_rekey(*statement, proof))
    pairs = ("before", b"".join(before)), ("after", b"".join(after))
    expected = begins("rekey", ("holder", PUBLIC), ("target", target), *pairs)
    assert lines[: len(expected)] == expected
    assert labels(lines[len(expected) :]) == ["absorb T", "challenge c"]
    assert lines[-2].startswith("absorb T [96] ")
    assert history(lambda: prove_rekey(*statement, SECRET, s, randomness)) == lines


def test_each_challenge_of_a_shuffle_covers_everything_before_it(randomness: Randomness) -> None:
    inputs = [(Pair(IDENTITY, point), Pair(POINTS[0], point)) for point in POINTS[:3]]
    shuffled = shuffle_rows(DOMAIN, PUBLIC, inputs, randomness)
    proof = prove_shuffle(DOMAIN, PUBLIC, inputs, shuffled, randomness)
    lines = history(lambda: verify_shuffle(DOMAIN, PUBLIC, inputs, shuffled.outputs, proof))

    def flat(rows: Sequence[Row]) -> bytes:
        return b"".join(point for row in rows for pair in row for point in pair)

    generators: list[Point] = [commitment_generator(i) for i in range(4)]
    expected = begins(
        "shuffle",
        ("rows", number(3)),
        ("width", number(2)),
        ("generators", b"".join(generators)),
        ("key", PUBLIC),
        ("inputs", flat(inputs)),
        ("outputs", flat(shuffled.outputs)),
        ("c", b"".join(proof.c)),
    )
    assert lines[: len(expected)] == expected
    rest = lines[len(expected) :]
    assert labels(rest) == [
        *["challenge u"] * 3,
        "absorb c_hat",
        "absorb t",
        "absorb t_4",
        "absorb t_hat",
        "challenge c",
    ]
    assert len(set(rest[:3])) == 3
    assert rest[3] == f"absorb c_hat [96] {b''.join(proof.c_hat).hex()}"
    assert [line.split()[2] for line in rest[4:7]] == ["[96]", "[128]", "[96]"]
    prove = history(lambda: prove_shuffle(DOMAIN, PUBLIC, inputs, shuffled, randomness))
    assert prove == lines


def test_the_weights_and_the_challenge_of_a_decrement_cover_everything_before_them(
    randomness: Randomness,
) -> None:
    card = re_encrypt(Pair(IDENTITY, POINTS[2]), PUBLIC, Scalar(777))
    before = ((OPEN_ONE,), (), (OPEN_ONE, OPEN_ONE))
    key = POINTS[3]
    after, r = decrement(DOMAIN, key, card, SECRET, 2, before, randomness)
    statement = Decrement(key, PUBLIC, card, tuple(POINTS[:3]), before, after)
    proof = prove_decrement(DOMAIN, statement, SECRET, 2, r, randomness)
    lines = history(lambda: verify_decrement(DOMAIN, statement, proof))
    expected = begins(
        "decrement",
        ("key", key),
        ("holder", PUBLIC),
        ("card", b"".join(card)),
        ("plaintexts", b"".join(POINTS[:3])),
        ("flags", number(1)),
        ("flags", number(0)),
        ("flags", number(2)),
        ("before", b"".join(point for flag in flags_of(before) for point in flag)),
        ("after", b"".join(point for flag in flags_of(after) for point in flag)),
    )
    assert lines[: len(expected)] == expected
    rest = lines[len(expected) :]
    assert labels(rest) == ["challenge weight"] * 3 + ["absorb T"] * 2 + ["challenge c"]
    assert len(set(rest[:3])) == 3
    assert [line.split()[2] for line in rest[3:5]] == ["[128]"] * 2
    prove = history(lambda: prove_decrement(DOMAIN, statement, SECRET, 2, r, randomness))
    assert prove == lines
