"""Equality proofs, single and batched."""

import pytest

from p2pcoup.deck import Check, DeckUseError, Point, Randomness, Scalar
from p2pcoup.deck.equality import (
    EqualityProof,
    prove_equalities,
    prove_equality,
    verify_equalities,
    verify_equality,
)
from p2pcoup.deck.group import IDENTITY, add, multiply, multiply_base, subtract
from tests.deck.damage import refuse_all_damage, refused

DOMAIN = b"game, round, seat"
OTHER = multiply_base(Scalar(31337))


@pytest.fixture
def secret(randomness: Randomness) -> Scalar:
    return randomness.scalar()


@pytest.fixture
def bases(randomness: Randomness) -> list[Point]:
    return [multiply_base(randomness.scalar()) for _ in range(4)]


def test_an_honest_proof_is_accepted(
    randomness: Randomness, secret: Scalar, bases: list[Point]
) -> None:
    public, image = multiply_base(secret), multiply(secret, bases[0])
    proof = prove_equality(DOMAIN, public, bases[0], image, secret, randomness)
    assert len(proof.encode()) == 64
    verify_equality(DOMAIN, public, bases[0], image, EqualityProof.decode(proof.encode()))


def test_every_changed_field_of_a_proof_is_refused(
    randomness: Randomness,
    secret: Scalar,
    bases: list[Point],
) -> None:
    public, image = multiply_base(secret), multiply(secret, bases[0])
    data = prove_equality(DOMAIN, public, bases[0], image, secret, randomness).encode()
    refuse_all_damage(
        data,
        lambda got: verify_equality(DOMAIN, public, bases[0], image, EqualityProof.decode(got)),
    )


def test_every_changed_part_of_a_statement_is_refused(
    randomness: Randomness, secret: Scalar, bases: list[Point]
) -> None:
    public, image = multiply_base(secret), multiply(secret, bases[0])
    proof = prove_equality(DOMAIN, public, bases[0], image, secret, randomness)
    for statement in (
        (b"other", public, bases[0], image),
        (DOMAIN, OTHER, bases[0], image),
        (DOMAIN, public, OTHER, image),
        (DOMAIN, public, bases[0], OTHER),
        (DOMAIN, public, bases[0], subtract(IDENTITY, image)),
        (DOMAIN, image, bases[0], public),
        (DOMAIN, public, image, bases[0]),
    ):
        with refused(Check.EQUALITY_PROOF):
            verify_equality(*statement, proof)


def test_a_wrong_image_cannot_be_proven(
    randomness: Randomness, secret: Scalar, bases: list[Point]
) -> None:
    public = multiply_base(secret)
    for wrong in (multiply(Scalar(secret + 1), bases[0]), OTHER, bases[0], public):
        proof = prove_equality(DOMAIN, public, bases[0], wrong, secret, randomness)
        with refused(Check.EQUALITY_PROOF):
            verify_equality(DOMAIN, public, bases[0], wrong, proof)


def test_a_proof_for_the_identity_says_nothing_about_another_image(
    randomness: Randomness, secret: Scalar
) -> None:
    public = multiply_base(secret)
    proof = prove_equality(DOMAIN, public, IDENTITY, IDENTITY, secret, randomness)
    verify_equality(DOMAIN, public, IDENTITY, IDENTITY, proof)
    with refused():
        verify_equality(DOMAIN, public, IDENTITY, OTHER, proof)


@pytest.mark.parametrize("count", [1, 2, 4])
def test_many_pairs_are_proven_at_once(
    randomness: Randomness, secret: Scalar, bases: list[Point], count: int
) -> None:
    public, chosen = multiply_base(secret), bases[:count]
    images = [multiply(secret, base) for base in chosen]
    proof = prove_equalities(DOMAIN, public, chosen, images, secret, randomness)
    assert len(proof.encode()) == 64
    verify_equalities(DOMAIN, public, chosen, images, EqualityProof.decode(proof.encode()))


def test_every_changed_field_of_a_batched_proof_is_refused(
    randomness: Randomness,
    secret: Scalar,
    bases: list[Point],
) -> None:
    public = multiply_base(secret)
    images = [multiply(secret, base) for base in bases]
    data = prove_equalities(DOMAIN, public, bases, images, secret, randomness).encode()
    refuse_all_damage(
        data,
        lambda got: verify_equalities(DOMAIN, public, bases, images, EqualityProof.decode(got)),
    )


def test_every_changed_part_of_a_batched_statement_is_refused(
    randomness: Randomness, secret: Scalar, bases: list[Point]
) -> None:
    public = multiply_base(secret)
    images = [multiply(secret, base) for base in bases]
    proof = prove_equalities(DOMAIN, public, bases, images, secret, randomness)

    def refuse(domain: bytes, key: Point, us: list[Point], ds: list[Point]) -> None:
        with refused(Check.EQUALITY_PROOF):
            verify_equalities(domain, key, us, ds, proof)

    refuse(b"other", public, bases, images)
    refuse(DOMAIN, OTHER, bases, images)
    for k in range(len(bases)):
        refuse(DOMAIN, public, [*bases[:k], OTHER, *bases[k + 1 :]], images)
        refuse(DOMAIN, public, bases, [*images[:k], OTHER, *images[k + 1 :]])
    refuse(DOMAIN, public, bases[::-1], images[::-1])
    refuse(DOMAIN, public, bases, images[::-1])
    refuse(DOMAIN, public, bases[:-1], images[:-1])
    refuse(DOMAIN, public, [*bases, bases[0]], [*images, images[0]])


def test_one_wrong_image_among_many_cannot_be_proven(
    randomness: Randomness, secret: Scalar, bases: list[Point]
) -> None:
    public = multiply_base(secret)
    images = [multiply(secret, base) for base in bases]
    for k in range(len(bases)):
        wrong = [*images[:k], add(images[k], OTHER), *images[k + 1 :]]
        proof = prove_equalities(DOMAIN, public, bases, wrong, secret, randomness)
        with refused():
            verify_equalities(DOMAIN, public, bases, wrong, proof)


def test_errors_in_two_images_that_cancel_are_refused(
    randomness: Randomness, secret: Scalar, bases: list[Point]
) -> None:
    public = multiply_base(secret)
    images = [multiply(secret, base) for base in bases]
    for i, j in ((0, 1), (1, 2)):
        wrong = [*images]
        wrong[i], wrong[j] = add(wrong[i], OTHER), subtract(wrong[j], OTHER)
        proof = prove_equalities(DOMAIN, public, bases, wrong, secret, randomness)
        with refused():
            verify_equalities(DOMAIN, public, bases, wrong, proof)


def test_a_single_proof_is_not_a_batched_one(
    randomness: Randomness, secret: Scalar, bases: list[Point]
) -> None:
    public, image = multiply_base(secret), multiply(secret, bases[0])
    proof = prove_equality(DOMAIN, public, bases[0], image, secret, randomness)
    with refused():
        verify_equalities(DOMAIN, public, bases[:1], [image], proof)


def test_a_batch_of_nothing_is_our_own_mistake(randomness: Randomness, secret: Scalar) -> None:
    with pytest.raises(DeckUseError):
        prove_equalities(DOMAIN, multiply_base(secret), [], [], secret, randomness)
    with pytest.raises(DeckUseError):
        verify_equalities(
            DOMAIN, multiply_base(secret), [OTHER], [], EqualityProof(Scalar(1), Scalar(1))
        )
