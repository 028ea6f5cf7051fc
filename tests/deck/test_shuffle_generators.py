"""The commitment generators of the shuffle proof: derived by everybody, known to nobody."""

from collections.abc import Sequence

import pytest

from p2pcoup.deck import Check, Pair, Point, Randomness, Scalar
from p2pcoup.deck import shuffle_proof as module
from p2pcoup.deck.elgamal import re_encrypt
from p2pcoup.deck.group import (
    IDENTITY,
    hash_to_point,
    multiply_base,
    reduce_scalar,
)
from p2pcoup.deck.rows import Row, shuffle_rows
from p2pcoup.deck.shuffle_proof import (
    ShuffleProof,
    commitment_generator,
    prove_shuffle,
    verify_shuffle,
)
from tests.deck.damage import refused

DOMAIN = b"game, round, seat"
KEY = multiply_base(Scalar(2718281828459045))
FRESH = Scalar(424242)


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


def test_the_generators_are_distinct_and_not_the_cards_or_the_base() -> None:
    generators = [commitment_generator(i) for i in range(65)]
    for index, generator in enumerate(generators):
        expected = hash_to_point(b"commitment-generator", index.to_bytes(8, "big"))
        assert generator == expected
    assert len({*generators, multiply_base(Scalar(1)), IDENTITY}) == 67


class Trapdoor:
    """Generators whose logarithms are known: ``h_i = logs[i] * B``."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, randomness: Randomness) -> None:
        self.logs = [randomness.scalar() for _ in range(8)]
        self._patch = monkeypatch

    def __enter__(self) -> None:
        points = [multiply_base(log) for log in self.logs]

        def several(count: int) -> tuple[tuple[Point, ...], Point]:
            chosen = tuple(points[1 : count + 1])
            return chosen, multiply_base(reduce_scalar(sum(self.logs[1 : count + 1])))

        self._patch.setattr(module, "commitment_generator", lambda index: points[index])
        self._patch.setattr(module, "_generators", several)

    def __exit__(self, *_: object) -> None:
        self._patch.undo()


def turn_a_card_into_another(
    inputs: Sequence[Row], outputs: Sequence[Row], logs: Sequence[Scalar], randomness: Randomness
) -> ShuffleProof:
    """A false proof by somebody who knows the logarithms of the generators.

    Inputs are the open cards a, b, b and outputs a, a, b. All commitments can be opened to
    anything, so the "permuted" challenges are split at will: ``u' = (x, u_1 - x, u_2 + u_3)``.
    """
    h_0, *h = logs[:4]
    source = randomness.fork("trapdoor")
    transcript = module._begin(DOMAIN, KEY, inputs, outputs, 1)
    gammas = [source.scalar() for _ in inputs]
    c = [multiply_base(gamma) for gamma in gammas]
    u_1, u_2, u_3 = u = module._row_challenges(transcript, c)
    x = source.scalar()
    u_prime = [x, reduce_scalar(u_1 - x), reduce_scalar(u_2 + u_3)]
    r_hat = [source.scalar() for _ in inputs]
    c_hat = module._commitment_chain(r_hat, u_prime)
    transcript.absorb_point("c_hat", *c_hat)
    log = int(h_0)
    for blinding, challenge in zip(r_hat, u_prime, strict=True):
        log = blinding + challenge * log
    opened = sum(a * b for a, b in zip(gammas, u, strict=True))
    meant = sum(a * b for a, b in zip(h, u_prime, strict=True))
    witness = module._Witness(
        r_bar=reduce_scalar(sum(gammas) - sum(h)),
        r_chain=reduce_scalar(log - u_1 * u_2 * u_3 * h_0),
        r_tilde=reduce_scalar(opened - meant),
        r_prime=(reduce_scalar(sum(FRESH * challenge for challenge in u_prime)),),
        r_hat=r_hat,
        u_prime=u_prime,
    )
    return module._prove_relations(transcript, KEY, outputs, c, c_hat, witness, source)


def test_generators_with_a_trapdoor_would_change_cards_and_are_not_used(
    monkeypatch: pytest.MonkeyPatch, randomness: Randomness
) -> None:
    """Attack 17: the forged proof holds for its own generators, so the attack is a real one."""
    a, b = (Pair(IDENTITY, card(i)) for i in range(2))
    inputs: list[Row] = [(a,), (b,), (b,)]
    outputs: list[Row] = [(re_encrypt(pair, KEY, FRESH),) for pair in (a, a, b)]
    trapdoor = Trapdoor(monkeypatch, randomness)
    with trapdoor:
        forged = turn_a_card_into_another(inputs, outputs, trapdoor.logs, randomness)
        verify_shuffle(DOMAIN, KEY, inputs, outputs, forged)
    with refused(Check.SHUFFLE_PROOF):
        verify_shuffle(DOMAIN, KEY, inputs, outputs, forged)


def test_an_honest_proof_with_other_generators_is_refused(
    monkeypatch: pytest.MonkeyPatch, randomness: Randomness
) -> None:
    """Attack 17: there is one set of generators, whoever brings another one."""
    inputs = rows_under(KEY, 3, 1, randomness)
    shuffled = shuffle_rows(DOMAIN, KEY, inputs, randomness)
    with Trapdoor(monkeypatch, randomness):
        proof = prove_shuffle(DOMAIN, KEY, inputs, shuffled, randomness)
        verify_shuffle(DOMAIN, KEY, inputs, shuffled.outputs, proof)
    with refused(Check.SHUFFLE_PROOF):
        verify_shuffle(DOMAIN, KEY, inputs, shuffled.outputs, proof)
