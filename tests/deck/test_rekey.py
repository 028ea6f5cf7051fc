"""Moving a card to another key."""

from dataclasses import dataclass

import pytest

from p2pcoup.deck import Check, Pair, Point, Randomness, Scalar
from p2pcoup.deck.group import (
    add,
    hash_to_point,
    multiply,
    multiply_base,
    reduce_scalar,
    subtract,
)
from p2pcoup.deck.rekey import RekeyProof, prove_rekey, rekey, verify_rekey
from tests.deck.damage import refuse_all_damage, refused

DOMAIN = b"game, round, seat"
OTHER = multiply_base(Scalar(31337))
CARD = hash_to_point(b"test card")


@dataclass
class Move:
    """A card of one holder and everything that moves it."""

    secret: Scalar
    holder: Point
    target_secret: Scalar
    target: Point
    before: Pair
    after: Pair
    s: Scalar


@pytest.fixture
def move(randomness: Randomness) -> Move:
    secret, target_secret, r = (randomness.scalar() for _ in range(3))
    holder, target = multiply_base(secret), multiply_base(target_secret)
    before = Pair(multiply_base(r), add(CARD, multiply(r, holder)))
    after, s = rekey(DOMAIN, before, secret, target, randomness)
    return Move(secret, holder, target_secret, target, before, after, s)


def prove(move: Move, randomness: Randomness, after: Pair | None = None) -> RekeyProof:
    return prove_rekey(
        DOMAIN,
        move.holder,
        move.target,
        move.before,
        after or move.after,
        move.secret,
        move.s,
        randomness,
    )


def test_a_moved_card_is_the_same_card_under_the_new_key(
    move: Move, randomness: Randomness
) -> None:
    proof = prove(move, randomness)
    assert len(proof.encode()) == 96
    decoded = RekeyProof.decode(proof.encode())
    verify_rekey(DOMAIN, move.holder, move.target, move.before, move.after, decoded)
    assert subtract(move.after.V, multiply(move.target_secret, move.after.U)) == CARD


def test_the_randomizer_depends_on_the_seed_and_on_what_is_moved(
    move: Move, randomness: Randomness
) -> None:
    assert rekey(DOMAIN, move.before, move.secret, move.target, randomness) == (move.after, move.s)
    other_pair = Pair(OTHER, OTHER)
    others = [
        rekey(b"other", move.before, move.secret, move.target, randomness),
        rekey(DOMAIN, other_pair, move.secret, move.target, randomness),
        rekey(DOMAIN, move.before, move.secret, OTHER, randomness),
        rekey(DOMAIN, move.before, move.secret, move.target, randomness.fork("other")),
    ]
    assert len({move.s, *(s for _, s in others)}) == 5


def test_every_changed_field_of_a_proof_is_refused(
    move: Move,
    randomness: Randomness,
) -> None:
    statement = (DOMAIN, move.holder, move.target, move.before, move.after)
    refuse_all_damage(
        prove(move, randomness).encode(),
        lambda got: verify_rekey(*statement, RekeyProof.decode(got)),
    )


def test_every_changed_part_of_a_statement_is_refused(move: Move, randomness: Randomness) -> None:
    proof = prove(move, randomness)
    m = move
    for statement in (
        (b"other", m.holder, m.target, m.before, m.after),
        (DOMAIN, OTHER, m.target, m.before, m.after),
        (DOMAIN, m.holder, OTHER, m.before, m.after),
        (DOMAIN, m.holder, m.target, Pair(OTHER, m.before.V), m.after),
        (DOMAIN, m.holder, m.target, Pair(m.before.U, OTHER), m.after),
        (DOMAIN, m.holder, m.target, m.before, Pair(OTHER, m.after.V)),
        (DOMAIN, m.holder, m.target, m.before, Pair(m.after.U, OTHER)),
        (DOMAIN, m.holder, m.target, m.after, m.before),
        (DOMAIN, m.target, m.holder, m.before, m.after),
    ):
        with refused(Check.REKEY_PROOF):
            verify_rekey(*statement, proof)


def test_another_card_cannot_be_returned(move: Move, randomness: Randomness) -> None:
    foreign = Pair(move.after.U, add(move.after.V, subtract(hash_to_point(b"another"), CARD)))
    proof = prove(move, randomness, foreign)
    with refused(Check.REKEY_PROOF):
        verify_rekey(DOMAIN, move.holder, move.target, move.before, foreign, proof)


def test_a_first_component_taken_from_another_card_cannot_be_proven(
    move: Move, randomness: Randomness
) -> None:
    """Attack 9 and 11: somebody else's card, re-encrypted, is slipped into the Court.

    The cheater knows neither its randomness nor its plaintext, only its own shift of it.
    """
    victim = Pair(multiply_base(randomness.scalar()), OTHER)
    slipped = Pair(
        add(victim.U, multiply_base(move.s)), add(victim.V, multiply(move.s, move.target))
    )
    proof = prove(move, randomness, slipped)
    with refused(Check.REKEY_PROOF):
        verify_rekey(DOMAIN, move.holder, move.target, move.before, slipped, proof)


def test_a_proof_with_a_wrong_witness_is_refused(move: Move, randomness: Randomness) -> None:
    for secret, s in (
        (reduce_scalar(move.secret + 1), move.s),
        (move.secret, reduce_scalar(move.s + 1)),
        (move.s, move.secret),
    ):
        proof = prove_rekey(
            DOMAIN, move.holder, move.target, move.before, move.after, secret, s, randomness
        )
        with refused():
            verify_rekey(DOMAIN, move.holder, move.target, move.before, move.after, proof)
