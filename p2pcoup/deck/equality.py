"""Proof that two points hide the same secret: Y = x*B and D = x*U. SPEC 6.3 to 6.6.

Chaum and Pedersen, *Wallet Databases with Observers* (1992), in the compact form. Many pairs (U_k,
D_k) of one key are proven at once by a random combination of them (Bellare, Garay and Rabin 1998,
small exponents test, here with full-size weights): the weights are challenges over *all* pairs, so
no pair can be chosen to fit them. The first weight is 1.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from p2pcoup.deck.encoding import decode_scalars, encode_scalars, split_fields
from p2pcoup.deck.errors import Check, DeckUseError, ProofError
from p2pcoup.deck.group import (
    Point,
    Scalar,
    add,
    combine,
    multiply,
    multiply_base,
    reduce_scalar,
    subtract,
)
from p2pcoup.deck.randomness import Randomness
from p2pcoup.deck.transcript import ProofTranscript


@dataclass(frozen=True, slots=True)
class EqualityProof:
    """c (challenge) and s (response)."""

    challenge: Scalar
    response: Scalar

    def encode(self) -> bytes:
        """c || s."""
        return encode_scalars(self.challenge, self.response)

    @classmethod
    def decode(cls, data: bytes) -> Self:
        """Raises ``ProofError`` (length, scalar-encoding)."""
        return cls(*decode_scalars(split_fields(data, 2)))


def _prove(
    transcript: ProofTranscript, base: Point, secret: Scalar, randomness: Randomness
) -> EqualityProof:
    nonce = transcript.nonces(randomness, secret).scalar()
    transcript.absorb_point("T", multiply_base(nonce), multiply(nonce, base))
    challenge = transcript.challenge_scalar("c")
    return EqualityProof(challenge, reduce_scalar(nonce + challenge * secret))


def _verify(
    transcript: ProofTranscript, public: Point, base: Point, image: Point, proof: EqualityProof
) -> None:
    c, s = proof.challenge, proof.response
    transcript.absorb_point(
        "T",
        subtract(multiply_base(s), multiply(c, public)),
        subtract(multiply(s, base), multiply(c, image)),
    )
    if transcript.challenge_scalar("c") != c:
        raise ProofError(Check.EQUALITY_PROOF, "the proof of equal secrets does not hold")


def _single(domain: bytes, public: Point, base: Point, image: Point) -> ProofTranscript:
    transcript = ProofTranscript(domain, "equality")
    transcript.absorb_point("public", public)
    transcript.absorb_point("U", base)
    transcript.absorb_point("D", image)
    return transcript


def prove_equality(
    domain: bytes,
    public: Point,
    base: Point,
    image: Point,
    secret: Scalar,
    randomness: Randomness,
) -> EqualityProof:
    """Algorithm 6.3: prove that ``public = secret * B`` and ``image = secret * base``."""
    return _prove(_single(domain, public, base, image), base, secret, randomness)


def verify_equality(
    domain: bytes, public: Point, base: Point, image: Point, proof: EqualityProof
) -> None:
    """Algorithm 6.4. Raises ``ProofError`` (equality-proof)."""
    _verify(_single(domain, public, base, image), public, base, image, proof)


def _batch(
    domain: bytes, public: Point, bases: Sequence[Point], images: Sequence[Point]
) -> tuple[ProofTranscript, list[Scalar]]:
    if not bases or len(bases) != len(images):
        raise DeckUseError("a batched equality proof needs as many images as bases, at least one")
    transcript = ProofTranscript(domain, "batched-equality")
    transcript.absorb_point("public", public)
    transcript.absorb_point("U", *bases)
    transcript.absorb_point("D", *images)
    weights = [Scalar(1)]
    weights += [transcript.challenge_scalar("weight") for _ in bases[1:]]
    return transcript, weights


def _weighted(weights: Sequence[Scalar], points: Sequence[Point]) -> Point:
    """The combination of the points; the first weight is 1 and costs nothing."""
    return add(points[0], combine(weights[1:], points[1:]))


def prove_equalities(
    domain: bytes,
    public: Point,
    bases: Sequence[Point],
    images: Sequence[Point],
    secret: Scalar,
    randomness: Randomness,
) -> EqualityProof:
    """Algorithm 6.5: prove ``public = secret * B`` and ``images[k] = secret * bases[k]``, all k."""
    transcript, weights = _batch(domain, public, bases, images)
    return _prove(transcript, _weighted(weights, bases), secret, randomness)


def verify_equalities(
    domain: bytes,
    public: Point,
    bases: Sequence[Point],
    images: Sequence[Point],
    proof: EqualityProof,
) -> None:
    """Algorithm 6.6. Raises ``ProofError`` (equality-proof) if any single image is wrong."""
    transcript, weights = _batch(domain, public, bases, images)
    _verify(transcript, public, _weighted(weights, bases), _weighted(weights, images), proof)
