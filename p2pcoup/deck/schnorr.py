"""Proof of knowledge of a discrete logarithm: I know x with Y = x*B. SPEC 6.1, 6.2.

Schnorr, *Efficient Signature Generation by Smart Cards* (1991), made non-interactive, in the
compact form: challenge and response are sent, the commitment T is recomputed.
"""

from dataclasses import dataclass
from typing import Self

from p2pcoup.deck.encoding import decode_scalars, encode_scalars, split_fields
from p2pcoup.deck.errors import Check, ProofError
from p2pcoup.deck.group import Point, Scalar, multiply, multiply_base, reduce_scalar, subtract
from p2pcoup.deck.randomness import Randomness
from p2pcoup.deck.transcript import ProofTranscript


@dataclass(frozen=True, slots=True)
class SchnorrProof:
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


def _statement(domain: bytes, public: Point) -> ProofTranscript:
    transcript = ProofTranscript(domain, "schnorr")
    transcript.absorb_point("public", public)
    return transcript


def prove_schnorr(
    domain: bytes, public: Point, secret: Scalar, randomness: Randomness
) -> SchnorrProof:
    """Algorithm 6.1: prove knowledge of ``secret`` with ``public = secret * B``."""
    transcript = _statement(domain, public)
    nonce = transcript.nonces(randomness, secret).scalar()
    transcript.absorb_point("T", multiply_base(nonce))
    challenge = transcript.challenge_scalar("c")
    return SchnorrProof(challenge, reduce_scalar(nonce + challenge * secret))


def verify_schnorr(domain: bytes, public: Point, proof: SchnorrProof) -> None:
    """Algorithm 6.2.

    Raises ``ProofError`` (key-proof) unless the proof holds for this domain and key.
    """
    transcript = _statement(domain, public)
    commitment = subtract(multiply_base(proof.response), multiply(proof.challenge, public))
    transcript.absorb_point("T", commitment)
    if transcript.challenge_scalar("c") != proof.challenge:
        raise ProofError(Check.KEY_PROOF, "the proof of knowledge of a secret key does not hold")
