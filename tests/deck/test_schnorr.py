"""Proof of knowledge of a secret key."""

from p2pcoup.deck import Check, ProofError, Randomness, Scalar
from p2pcoup.deck.group import IDENTITY, add, multiply_base, reduce_scalar, subtract
from p2pcoup.deck.schnorr import SchnorrProof, prove_schnorr, verify_schnorr
from tests.deck.damage import refuse_all_damage, refused

DOMAIN = b"game, round, seat"


def test_an_honest_proof_is_accepted(randomness: Randomness) -> None:
    secret = randomness.scalar()
    public = multiply_base(secret)
    proof = prove_schnorr(DOMAIN, public, secret, randomness)
    verify_schnorr(DOMAIN, public, SchnorrProof.decode(proof.encode()))
    assert len(proof.encode()) == 64


def test_every_changed_field_is_refused(
    randomness: Randomness,
) -> None:
    secret = randomness.scalar()
    public = multiply_base(secret)
    data = prove_schnorr(DOMAIN, public, secret, randomness).encode()
    refuse_all_damage(data, lambda got: verify_schnorr(DOMAIN, public, SchnorrProof.decode(got)))


def test_another_domain_or_key_is_refused(randomness: Randomness) -> None:
    secret = randomness.scalar()
    public = multiply_base(secret)
    proof = prove_schnorr(DOMAIN, public, secret, randomness)
    with refused(Check.KEY_PROOF):
        verify_schnorr(DOMAIN + b"!", public, proof)
    for other in (multiply_base(Scalar(1)), add(public, public), subtract(IDENTITY, public)):
        with refused(Check.KEY_PROOF):
            verify_schnorr(DOMAIN, other, proof)


def test_a_proof_cannot_be_moved_to_a_related_key(randomness: Randomness) -> None:
    secret = randomness.scalar()
    public = multiply_base(secret)
    proof = prove_schnorr(DOMAIN, public, secret, randomness)
    shifted = add(public, multiply_base(Scalar(7)))
    moved = SchnorrProof(proof.challenge, reduce_scalar(proof.response + 7 * proof.challenge))
    with refused(Check.KEY_PROOF):
        verify_schnorr(DOMAIN, shifted, moved)


def test_without_the_secret_no_proof_is_accepted(randomness: Randomness) -> None:
    public = multiply_base(randomness.scalar())
    forged = prove_schnorr(DOMAIN, public, randomness.scalar(), randomness)
    with refused(Check.KEY_PROOF):
        verify_schnorr(DOMAIN, public, forged)
    zero = SchnorrProof(Scalar(0), Scalar(0))
    with refused(Check.KEY_PROOF):
        verify_schnorr(DOMAIN, public, zero)


def test_the_error_is_one_class_with_a_sentence() -> None:
    error = ProofError(Check.KEY_PROOF, "it does not hold")
    assert isinstance(error, ValueError)
    assert error.check == "key-proof"
    assert str(error) == "it does not hold"
