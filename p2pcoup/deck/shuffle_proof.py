"""Proof that rows were permuted and re-encrypted, and nothing else. SPEC 6.9, 6.10.

Terelius and Wikström, *Proofs of Restricted Shuffles* (2010), in the form of Haenni, Locher, Koenig
and Dubuis, *Pseudo-Code Algorithms for Verifiable Re-Encryption Mix-Nets* (2017), GenProof and
CheckProof there; additive notation, rows of several pairs (Haines, *A Description and Proof of a
Generalised and Optimised Variant of Wikström's Mixnet*, 2019). Output i comes from input j_i:

* c: commitments to the columns of the permutation matrix, ``c_{j_i} = r_{j_i}*B + h_i``; u: one
  challenge per input.
* c_hat: a chain, ``c_hat_i = r_hat_i*B + u'_i*c_hat_{i-1}``, from c_hat_0 = h, with u'_i = u_{j_i}.
  It shows that the u' multiply to the product of the u, so with the sum (t_1, t_3) they are a
  permutation of them.
* ``sum(u'_i * out_i) = sum(u_j * in_j) + r'*(B, K)``: nothing but re-encryption happened (t_4).

The commitment generators h, h_1, ..., h_N come from hash-to-point, so nobody knows a relation
between them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import NamedTuple, Self

from p2pcoup.deck.encoding import decode_points, decode_scalars, encode_scalars, split_fields
from p2pcoup.deck.errors import Check, DeckUseError, ProofError
from p2pcoup.deck.group import (
    ORDER,
    Point,
    Scalar,
    add,
    combine,
    hash_to_point,
    multiply,
    multiply_base,
    reduce_scalar,
    subtract,
    sum_points,
)
from p2pcoup.deck.randomness import Randomness
from p2pcoup.deck.rows import MAX_ROWS, Row, Shuffled, absorb_rows, check_shape
from p2pcoup.deck.transcript import ProofTranscript


@lru_cache(maxsize=MAX_ROWS + 1)
def commitment_generator(index: int) -> Point:
    """SPEC 4.5: h for index 0, h_i for index i >= 1.

    Derived here by everybody, never received (attack 17).
    """
    return hash_to_point(b"commitment-generator", index.to_bytes(8, "big"))


@lru_cache(maxsize=MAX_ROWS)
def _generators(count: int) -> tuple[tuple[Point, ...], Point]:
    """h_1 .. h_N and their sum."""
    generators = tuple(commitment_generator(i) for i in range(1, count + 1))
    return generators, sum_points(generators)


@dataclass(frozen=True, slots=True)
class ShuffleProof:
    """4N + 4 + W fields of 32 bytes for N rows of W pairs."""

    c: tuple[Point, ...]
    """Permutation commitments, one per row."""
    c_hat: tuple[Point, ...]
    """Commitment chain, one per row."""
    challenge: Scalar
    s_1: Scalar
    s_2: Scalar
    s_3: Scalar
    s_4: tuple[Scalar, ...]
    """One per pair in a row."""
    s_hat: tuple[Scalar, ...]
    s_prime: tuple[Scalar, ...]

    @staticmethod
    def size(rows: int, width: int = 1) -> int:
        """Bytes of a proof for ``rows`` rows of ``width`` pairs."""
        return 32 * (4 * rows + 4 + width)

    def encode(self) -> bytes:
        """c, c_hat, challenge, s_1, s_2, s_3, s_4, s_hat, s_prime."""
        scalars = (self.challenge, self.s_1, self.s_2, self.s_3)
        return b"".join((*self.c, *self.c_hat)) + encode_scalars(
            *scalars, *self.s_4, *self.s_hat, *self.s_prime
        )

    @classmethod
    def decode(cls, data: bytes, rows: int, width: int = 1) -> Self:
        """Raises ``ProofError`` (length, point-encoding, scalar-encoding)."""
        fields = split_fields(data, 4 * rows + 4 + width)
        points = decode_points(fields[: 2 * rows])
        challenge, s_1, s_2, s_3, *rest = decode_scalars(fields[2 * rows :])
        return cls(
            c=points[:rows],
            c_hat=points[rows:],
            challenge=challenge,
            s_1=s_1,
            s_2=s_2,
            s_3=s_3,
            s_4=tuple(rest[:width]),
            s_hat=tuple(rest[width : width + rows]),
            s_prime=tuple(rest[width + rows :]),
        )


def _begin(
    domain: bytes,
    key: Point,
    inputs: Sequence[Row],
    outputs: Sequence[Row],
    width: int,
) -> ProofTranscript:
    """The statement. The generators are in it by their number: h_1 .. h_N follow from N."""
    transcript = ProofTranscript(domain, "shuffle")
    transcript.absorb_int("rows", len(inputs))
    transcript.absorb_int("width", width)
    transcript.absorb_point("generators", commitment_generator(0), *_generators(len(inputs))[0])
    transcript.absorb_point("key", key)
    absorb_rows(transcript, "inputs", inputs)
    absorb_rows(transcript, "outputs", outputs)
    return transcript


def _row_challenges(transcript: ProofTranscript, c: Sequence[Point]) -> list[Scalar]:
    """u_1 .. u_N, after the permutation commitments."""
    transcript.absorb_point("c", *c)
    return [transcript.challenge_scalar("u") for _ in c]


class _Commitments(NamedTuple):
    """The prover's first message (t in the paper), as both sides absorb it before the challenge."""

    t_1: Point
    t_2: Point
    t_3: Point
    t_4: list[Point]
    t_hat: list[Point]

    def challenge(self, transcript: ProofTranscript) -> Scalar:
        transcript.absorb_point("t", self.t_1, self.t_2, self.t_3)
        transcript.absorb_point("t_4", *self.t_4)
        transcript.absorb_point("t_hat", *self.t_hat)
        return transcript.challenge_scalar("c")


def _columns(rows: Sequence[Row], column: int) -> tuple[list[Point], list[Point]]:
    """All U and all V of one column."""
    return [row[column].U for row in rows], [row[column].V for row in rows]


def prove_shuffle(
    domain: bytes,
    key: Point,
    inputs: Sequence[Row],
    shuffled: Shuffled,
    randomness: Randomness,
) -> ShuffleProof:
    """Algorithm 6.9 ShuffleProve: the outputs are ``inputs``, permuted and re-encrypted."""
    outputs, order, randomizers = shuffled
    width = check_shape(inputs, outputs)
    h = _generators(len(inputs))[0]
    transcript = _begin(domain, key, inputs, outputs, width)
    nonces = transcript.nonces(randomness, *order, *chain.from_iterable(randomizers))

    r = [nonces.scalar() for _ in inputs]  # r[j] blinds c[j]
    c = [h[0]] * len(inputs)
    for i, j in enumerate(order):
        c[j] = add(multiply_base(r[j]), h[i])
    u = _row_challenges(transcript, c)
    u_prime = [u[j] for j in order]

    r_hat = [nonces.scalar() for _ in inputs]
    c_hat = _commitment_chain(r_hat, u_prime)
    transcript.absorb_point("c_hat", *c_hat)
    witness = _Witness(
        r_bar=reduce_scalar(sum(r)),
        r_chain=_chain_randomizer(r_hat, u_prime),
        r_tilde=reduce_scalar(sum(a * b for a, b in zip(r, u, strict=True))),
        r_prime=tuple(
            reduce_scalar(sum(row[k] * x for row, x in zip(randomizers, u_prime, strict=True)))
            for k in range(width)
        ),
        r_hat=r_hat,
        u_prime=u_prime,
    )
    return _prove_relations(transcript, key, outputs, c, c_hat, witness, nonces)


class _Witness(NamedTuple):
    """The openings of the relations that c, c_hat and the outputs are in."""

    r_bar: Scalar
    """``sum(c) - sum(h) = r_bar*B``"""
    r_chain: Scalar
    """``c_hat_N - u_1*...*u_N*h = r_chain*B``"""
    r_tilde: Scalar
    """``sum(u_j*c_j) = r_tilde*B + sum(u'_i*h_i)``"""
    r_prime: tuple[Scalar, ...]
    """Per column, ``sum(u'_i*out_i) - sum(u_j*in_j) = r_prime*(B, K)``."""
    r_hat: Sequence[Scalar]
    u_prime: Sequence[Scalar]


def _prove_relations(
    transcript: ProofTranscript,
    key: Point,
    outputs: Sequence[Row],
    c: Sequence[Point],
    c_hat: Sequence[Point],
    witness: _Witness,
    nonces: Randomness,
) -> ShuffleProof:
    """The sigma protocol for all relations of ``_Witness`` at once."""
    h = _generators(len(outputs))[0]
    w_1, w_2, w_3 = nonces.scalar(), nonces.scalar(), nonces.scalar()
    w_4 = [nonces.scalar() for _ in witness.r_prime]
    w_hat = [nonces.scalar() for _ in outputs]
    w_prime = [nonces.scalar() for _ in outputs]
    t_4: list[Point] = []
    for column, w in enumerate(w_4):
        us, vs = _columns(outputs, column)
        t_4.append(subtract(combine(w_prime, us), multiply_base(w)))
        t_4.append(subtract(combine(w_prime, vs), multiply(w, key)))
    previous = (commitment_generator(0), *c_hat[:-1])
    challenge = _Commitments(
        t_1=multiply_base(w_1),
        t_2=multiply_base(w_2),
        t_3=add(multiply_base(w_3), combine(w_prime, h)),
        t_4=t_4,
        t_hat=[
            add(multiply_base(blinding), multiply(w, link))
            for blinding, w, link in zip(w_hat, w_prime, previous, strict=True)
        ],
    ).challenge(transcript)

    def respond(nonce: Scalar, secret: Scalar) -> Scalar:
        return reduce_scalar(nonce + challenge * secret)

    return ShuffleProof(
        c=tuple(c),
        c_hat=tuple(c_hat),
        challenge=challenge,
        s_1=respond(w_1, witness.r_bar),
        s_2=respond(w_2, witness.r_chain),
        s_3=respond(w_3, witness.r_tilde),
        s_4=tuple(map(respond, w_4, witness.r_prime)),
        s_hat=tuple(map(respond, w_hat, witness.r_hat)),
        s_prime=tuple(map(respond, w_prime, witness.u_prime)),
    )


def _commitment_chain(r_hat: Sequence[Scalar], u_prime: Sequence[Scalar]) -> list[Point]:
    """``c_hat_i = r_hat_i*B + u'_i*c_hat_{i-1}``."""
    links: list[Point] = []
    previous = commitment_generator(0)
    for blinding, x in zip(r_hat, u_prime, strict=True):
        previous = add(multiply_base(blinding), multiply(x, previous))
        links.append(previous)
    return links


def _chain_randomizer(r_hat: Sequence[Scalar], u_prime: Sequence[Scalar]) -> Scalar:
    """The r with ``c_hat_N = r*B + (u'_1 * ... * u'_N)*h``."""
    total = 0
    for blinding, x in zip(r_hat, u_prime, strict=True):
        total = (total * x + blinding) % ORDER
    return Scalar(total)


def verify_shuffle(
    domain: bytes,
    key: Point,
    inputs: Sequence[Row],
    outputs: Sequence[Row],
    proof: ShuffleProof,
) -> None:
    """Algorithm 6.10 ShuffleVerify. Raises ``ProofError`` (shuffle-proof).

    The products with the challenge are folded into the scalars and ``c * c_hat_N`` is used twice:
    9N + 7 multiplications for rows of one pair, where the paper has 9N + 11.
    """
    width = check_shape(inputs, outputs)
    count = len(inputs)
    if {len(proof.c), len(proof.c_hat), len(proof.s_hat), len(proof.s_prime)} != {count}:
        raise DeckUseError("a shuffle proof was decoded for another number of rows")
    if len(proof.s_4) != width:
        raise DeckUseError("a shuffle proof was decoded for another number of pairs in a row")
    h, h_sum = _generators(count)
    transcript = _begin(domain, key, inputs, outputs, width)
    u = _row_challenges(transcript, proof.c)
    transcript.absorb_point("c_hat", *proof.c_hat)

    c, s_prime = proof.challenge, proof.s_prime
    product = 1
    for x in u:
        product = product * x % ORDER
    c_times_u = [reduce_scalar(c * x) for x in u]
    c_bar = subtract(sum_points(proof.c), h_sum)
    h_0 = commitment_generator(0)
    c_times_c_hat = [multiply(c, link) for link in proof.c_hat]
    t_2 = subtract(multiply_base(proof.s_2), c_times_c_hat[-1])
    t_3 = subtract(combine(s_prime, h), combine(c_times_u, proof.c))
    previous = (h_0, *proof.c_hat)
    t_hat: list[Point] = []
    for i in range(count):
        link = add(multiply_base(proof.s_hat[i]), multiply(s_prime[i], previous[i]))
        t_hat.append(subtract(link, c_times_c_hat[i]))
    challenge = _Commitments(
        t_1=subtract(multiply_base(proof.s_1), multiply(c, c_bar)),
        t_2=add(t_2, multiply(reduce_scalar(c * product), h_0)),
        t_3=add(t_3, multiply_base(proof.s_3)),
        t_4=_recompute_t_4(key, inputs, outputs, c_times_u, proof),
        t_hat=t_hat,
    ).challenge(transcript)
    if challenge != c:
        raise ProofError(Check.SHUFFLE_PROOF, "the proof of a shuffle does not hold")


def _recompute_t_4(
    key: Point,
    inputs: Sequence[Row],
    outputs: Sequence[Row],
    c_times_u: Sequence[Scalar],
    proof: ShuffleProof,
) -> list[Point]:
    """``sum(s'_i*out_i) - s_4*(B, K) - c*sum(u_j*in_j)``, per column, U then V."""
    t_4: list[Point] = []
    for column, s in enumerate(proof.s_4):
        for bases, blinding, befores in zip(
            _columns(outputs, column),
            (multiply_base(s), multiply(s, key)),
            _columns(inputs, column),
            strict=True,
        ):
            after = combine(proof.s_prime, bases)
            t_4.append(subtract(subtract(after, blinding), combine(c_times_u, befores)))
    return t_4
