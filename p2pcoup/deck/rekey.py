"""Moving a card one holds to another key without showing it. SPEC 6.7, 6.8.

The holder of ``(U, V) = (U, M + x*U)`` under Y = x*B gives ``(U', V') = (s*B, M + s*K)`` under K,
and proves knowledge of (x, s) with Y = x*B, U' = s*B and V' - V = s*K - x*U: the same M, whatever
it is. A sigma protocol for linear relations (Maurer, *Unifying Zero-Knowledge Proofs of Knowledge*,
2009). Knowing s matters: the new card's first component can then not be derived from somebody
else's card (attacks 9 and 11).
"""

from dataclasses import dataclass
from typing import Final, Self

from p2pcoup.deck.elgamal import PAIR_BYTES, Pair, decode_pairs, encode_pairs
from p2pcoup.deck.encoding import FIELD_BYTES, decode_scalars, encode_scalars, split_fields
from p2pcoup.deck.errors import Check, ProofError
from p2pcoup.deck.group import (
    Point,
    Scalar,
    add,
    multiply,
    multiply_base,
    reduce_scalar,
    subtract,
)
from p2pcoup.deck.randomness import Randomness
from p2pcoup.deck.transcript import ProofTranscript

REKEY_PROOF_BYTES: Final = 96

MOVED_BYTES: Final = PAIR_BYTES + REKEY_PROOF_BYTES
"""A pair and its rekey proof."""


@dataclass(frozen=True, slots=True)
class RekeyProof:
    """c (challenge), and the responses for x and s."""

    challenge: Scalar
    response_secret: Scalar
    response_randomizer: Scalar

    def encode(self) -> bytes:
        """c || z_x || z_s."""
        return encode_scalars(self.challenge, self.response_secret, self.response_randomizer)

    @classmethod
    def decode(cls, data: bytes) -> Self:
        """Raises ``ProofError`` (length, scalar-encoding)."""
        return cls(*decode_scalars(split_fields(data, 3)))


def _statement(
    domain: bytes, holder: Point, target: Point, before: Pair, after: Pair
) -> ProofTranscript:
    transcript = ProofTranscript(domain, "rekey")
    transcript.absorb_point("holder", holder)
    transcript.absorb_point("target", target)
    transcript.absorb_point("before", *before)
    transcript.absorb_point("after", *after)
    return transcript


def rekey(
    domain: bytes, before: Pair, secret: Scalar, target: Point, randomness: Randomness
) -> tuple[Pair, Scalar]:
    """The same card under ``target``, and its randomizer s (from the seed and what is moved)."""
    binding = ProofTranscript(domain, "rekey-randomizer")
    binding.absorb_point("target", target)
    binding.absorb_point("before", *before)
    s = binding.nonces(randomness, secret).scalar()
    plaintext = subtract(before.V, multiply(secret, before.U))
    return Pair(multiply_base(s), add(plaintext, multiply(s, target))), s


def prove_rekey(
    domain: bytes,
    holder: Point,
    target: Point,
    before: Pair,
    after: Pair,
    secret: Scalar,
    randomizer: Scalar,
    randomness: Randomness,
) -> RekeyProof:
    """Algorithm 6.7: ``after`` under ``target`` is the card ``before`` under ``holder``.

    ``holder = secret * B``; ``after.U = randomizer * B``.
    """
    transcript = _statement(domain, holder, target, before, after)
    nonces = transcript.nonces(randomness, secret, randomizer)
    a, b = nonces.scalar(), nonces.scalar()
    t_3 = subtract(multiply(b, target), multiply(a, before.U))
    transcript.absorb_point("T", multiply_base(a), multiply_base(b), t_3)
    c = transcript.challenge_scalar("c")
    return RekeyProof(c, reduce_scalar(a + c * secret), reduce_scalar(b + c * randomizer))


def verify_rekey(
    domain: bytes, holder: Point, target: Point, before: Pair, after: Pair, proof: RekeyProof
) -> None:
    """Algorithm 6.8. Raises ``ProofError`` (rekey-proof)."""
    transcript = _statement(domain, holder, target, before, after)
    c, z_x, z_s = proof.challenge, proof.response_secret, proof.response_randomizer
    moved = subtract(after.V, before.V)
    t_1 = subtract(multiply_base(z_x), multiply(c, holder))
    t_2 = subtract(multiply_base(z_s), multiply(c, after.U))
    t_3 = subtract(subtract(multiply(z_s, target), multiply(z_x, before.U)), multiply(c, moved))
    transcript.absorb_point("T", t_1, t_2, t_3)
    if transcript.challenge_scalar("c") != c:
        raise ProofError(
            Check.REKEY_PROOF, "the proof that a card was moved unchanged does not hold"
        )


# --- a moved card in a message --------------------------------------------------------------------


def move(
    domain: bytes,
    holder: Point,
    target: Point,
    before: Pair,
    secret: Scalar,
    randomness: Randomness,
) -> bytes:
    """The card ``before`` under ``target``, followed by its proof, 160 bytes."""
    after, s = rekey(domain, before, secret, target, randomness)
    proof = prove_rekey(domain, holder, target, before, after, secret, s, randomness)
    return encode_pairs([after]) + proof.encode()


def decode_moved(data: bytes, count: int) -> list[tuple[Pair, RekeyProof]]:
    """``count`` times a pair and its proof, not verified. Raises ``ProofError``."""
    split_fields(data, count * MOVED_BYTES // FIELD_BYTES)
    blocks = [data[i : i + MOVED_BYTES] for i in range(0, len(data), MOVED_BYTES)]
    return [
        (decode_pairs(block[:PAIR_BYTES], 1)[0], RekeyProof.decode(block[PAIR_BYTES:]))
        for block in blocks
    ]
