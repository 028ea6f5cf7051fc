"""Counting down in secret: one of several encrypted counters, the one of a given card, goes down by
one. SPEC 6.13, 6.14.

A counter of at most m is m *flags*, ElGamal pairs of 1 or 0 in the exponent under one key K: as
many leading ones as it counts. It goes down by one when its flags move up a place and a zero comes
last. To hide which counter it was, all flags of all counters are re-encrypted; the proof ties the
one that moved to a card ``(U, V)`` of the prover, which stays hidden too:

    there is a kind k with V - M_k = x*U, where Y = x*B, and ``after`` is ``before`` with counter k
    one down, re-encrypted.

An OR-proof over the kinds, all but the true one simulated: Cramer, Damgård and Schoenmakers,
*Proofs of Partial Knowledge and Simplified Design of Witness Hiding Protocols* (1994). That all
flags were re-encrypted is shown for a random combination of them, as in ``equality``. With e_i the
weights and a_i, a'_i the flags before and after, the branch of kind k shows

    sum(e_i * (a'_i - a_i)) - sum(e_i * (a_{i+1} - a_i) for the flags of k) = R*(B, K).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final, NamedTuple, Self

from p2pcoup.deck.elgamal import Pair, re_encrypt
from p2pcoup.deck.encoding import decode_scalars, encode_scalars, split_fields
from p2pcoup.deck.errors import Check, DeckUseError, ProofError
from p2pcoup.deck.group import (
    BASE,
    IDENTITY,
    ORDER,
    Point,
    Scalar,
    combine,
    multiply,
    multiply_base,
    reduce_scalar,
    subtract,
)
from p2pcoup.deck.randomness import Randomness
from p2pcoup.deck.transcript import ProofTranscript

OPEN_ONE: Final = Pair(IDENTITY, BASE)
"""A flag that everybody sees is set."""
OPEN_ZERO: Final = Pair(IDENTITY, IDENTITY)

Counter = tuple[Pair, ...]
"""Flags, the ones before the zeros."""


# --- what is proven -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Decrement:
    """The statement: the counter of the card's kind goes down by one, the others stay.

    Raises ``DeckUseError`` when made of lists that do not fit each other.
    """

    key: Point
    """K, of the flags."""
    holder: Point
    """Y, of the card."""
    card: Pair
    plaintexts: tuple[Point, ...]
    """M_k for each kind."""
    before: tuple[Counter, ...]
    """A counter for each kind; one without flags stands at zero for ever."""
    after: tuple[Counter, ...]

    def __post_init__(self) -> None:
        sizes = [len(counter) for counter in self.before]
        if len(sizes) != len(self.plaintexts) or not any(sizes):
            raise DeckUseError("each kind has a counter, and one of them has a flag at least")
        if [len(counter) for counter in self.after] != sizes:
            raise DeckUseError("the counters have as many flags after as before")

    @property
    def kinds(self) -> list[int]:
        """Those that can be counted down: the branches of the proof."""
        return [kind for kind, counter in enumerate(self.before) if counter]


@dataclass(frozen=True, slots=True)
class DecrementProof:
    """For each branch c (challenge) and the responses for x and R; 3 fields of 32 bytes each."""

    branches: tuple[tuple[Scalar, Scalar, Scalar], ...]

    @staticmethod
    def size(branches: int) -> int:
        """Bytes of a proof with so many branches."""
        return 96 * branches

    def encode(self) -> bytes:
        """c || z_x || z_R of each branch, in the order of the kinds."""
        return encode_scalars(*chain.from_iterable(self.branches))

    @classmethod
    def decode(cls, data: bytes, branches: int) -> Self:
        """Raises ``ProofError`` (length, scalar-encoding)."""
        scalars = iter(decode_scalars(split_fields(data, 3 * branches)))
        return cls(tuple(zip(scalars, scalars, scalars, strict=True)))


# --- counting -------------------------------------------------------------------------------------


def one_down(counter: Counter) -> Counter:
    """The counter after one step down, as everybody can form it. It had a flag at least."""
    return (*counter[1:], OPEN_ZERO)


def flags_of(counters: Iterable[Counter]) -> list[Pair]:
    """All flags, counter by counter."""
    return list(chain.from_iterable(counters))


def as_counters(flags: Sequence[Pair], like: Iterable[Counter]) -> tuple[Counter, ...]:
    """The flags cut into counters as long as those of ``like``."""
    rest = iter(flags)
    return tuple(tuple(next(rest) for _ in counter) for counter in like)


def decrement(
    domain: bytes,
    key: Point,
    card: Pair,
    secret: Scalar,
    kind: int,
    before: tuple[Counter, ...],
    randomness: Randomness,
) -> tuple[tuple[Counter, ...], tuple[Scalar, ...]]:
    """The counters with that of ``kind`` one down, all flags re-encrypted; and the randomizers.

    These come from the seed, from what is counted down, and from ``kind``. Raises ``DeckUseError``
    if the counter of ``kind`` has no flags.
    """
    if not before[kind]:
        raise DeckUseError(f"no card of kind {kind} can be held: all are face up")
    binding = ProofTranscript(domain, "decrement-randomizers")
    binding.absorb_point("key", key)
    binding.absorb_point("card", *card)
    binding.absorb_point("before", *_points(flags_of(before)))
    fresh = binding.nonces(randomness, secret, kind)
    moved = [one_down(counter) if k == kind else counter for k, counter in enumerate(before)]
    flags = flags_of(moved)
    randomizers = tuple(fresh.scalar() for _ in flags)
    hidden = [re_encrypt(flag, key, r) for flag, r in zip(flags, randomizers, strict=True)]
    return as_counters(hidden, before), randomizers


# --- the proof ------------------------------------------------------------------------------------


class _Branch(NamedTuple):
    """What has to be shown for one kind: Y = x*B, difference = x*U, change = R*(B, K)."""

    difference: Point
    """V - M_k"""
    change: Pair
    """What re-encryption alone has added to the weighted flags, if k is the kind."""


def _points(pairs: Iterable[Pair]) -> Iterator[Point]:
    return chain.from_iterable(pairs)


def _begin(domain: bytes, statement: Decrement) -> tuple[ProofTranscript, list[Scalar]]:
    """The statement, and after it the weights of the flags."""
    transcript = ProofTranscript(domain, "decrement")
    transcript.absorb_point("key", statement.key)
    transcript.absorb_point("holder", statement.holder)
    transcript.absorb_point("card", *statement.card)
    transcript.absorb_point("plaintexts", *statement.plaintexts)
    for counter in statement.before:
        transcript.absorb_int("flags", len(counter))
    before, after = flags_of(statement.before), flags_of(statement.after)
    transcript.absorb_point("before", *_points(before))
    transcript.absorb_point("after", *_points(after))
    return transcript, [transcript.challenge_scalar("weight") for _ in before]


def _weighted_change(
    weights: Sequence[Scalar], before: Sequence[Pair], after: Sequence[Pair]
) -> Pair:
    """The weighted sum of what each flag has changed by."""
    changes = [_minus(new, old) for old, new in zip(before, after, strict=True)]
    return Pair(
        combine(weights, [change.U for change in changes]),
        combine(weights, [change.V for change in changes]),
    )


def _minus(left: Pair, right: Pair) -> Pair:
    return Pair(subtract(left.U, right.U), subtract(left.V, right.V))


def _branches(statement: Decrement, weights: Sequence[Scalar]) -> dict[int, _Branch]:
    """The branch of each kind that can be counted down."""
    in_all = _weighted_change(weights, flags_of(statement.before), flags_of(statement.after))
    branches: dict[int, _Branch] = {}
    at = 0
    for kind, counter in enumerate(statement.before):
        own, at = weights[at : at + len(counter)], at + len(counter)
        if counter:
            step = _weighted_change(own, counter, one_down(counter))
            difference = subtract(statement.card.V, statement.plaintexts[kind])
            branches[kind] = _Branch(difference, _minus(in_all, step))
    return branches


def _recompute(
    statement: Decrement, branch: _Branch, c: Scalar, z_x: Scalar, z_r: Scalar
) -> tuple[Point, ...]:
    """The commitments that these responses answer the challenge c for."""
    return (
        subtract(multiply_base(z_x), multiply(c, statement.holder)),
        subtract(multiply(z_x, statement.card.U), multiply(c, branch.difference)),
        subtract(multiply_base(z_r), multiply(c, branch.change.U)),
        subtract(multiply(z_r, statement.key), multiply(c, branch.change.V)),
    )


def prove_decrement(
    domain: bytes,
    statement: Decrement,
    secret: Scalar,
    kind: int,
    randomizers: Sequence[Scalar],
    randomness: Randomness,
) -> DecrementProof:
    """Algorithm 6.13: ``kind`` is that of the card, ``holder = secret * B``, and flag i was
    re-encrypted with ``randomizers[i]``.
    """
    transcript, weights = _begin(domain, statement)
    branches = _branches(statement, weights)
    nonces = transcript.nonces(randomness, secret, kind, *randomizers)
    a, b = nonces.scalar(), nonces.scalar()
    simulated = {
        other: (nonces.scalar(), nonces.scalar(), nonces.scalar())
        for other in branches
        if other != kind
    }
    for other, branch in branches.items():
        if other == kind:
            of_card = multiply_base(a), multiply(a, statement.card.U)
            transcript.absorb_point("T", *of_card, multiply_base(b), multiply(b, statement.key))
        else:
            transcript.absorb_point("T", *_recompute(statement, branch, *simulated[other]))
    total = transcript.challenge_scalar("c")
    c = reduce_scalar(total - sum(challenge for challenge, _, _ in simulated.values()))
    combined = sum(e * r for e, r in zip(weights, randomizers, strict=True))
    answer = (c, reduce_scalar(a + c * secret), reduce_scalar(b + c * combined))
    return DecrementProof(tuple(simulated.get(other, answer) for other in branches))


def verify_decrement(domain: bytes, statement: Decrement, proof: DecrementProof) -> None:
    """Algorithm 6.14. Raises ``ProofError`` (decrement-proof)."""
    transcript, weights = _begin(domain, statement)
    branches = _branches(statement, weights)
    if len(proof.branches) != len(branches):
        raise DeckUseError("a decrement proof was decoded for another number of kinds")
    for branch, answer in zip(branches.values(), proof.branches, strict=True):
        transcript.absorb_point("T", *_recompute(statement, branch, *answer))
    total = sum(challenge for challenge, _, _ in proof.branches) % ORDER
    if transcript.challenge_scalar("c") != total:
        raise ProofError(
            Check.DECREMENT_PROOF, "the proof that a held card was counted does not hold"
        )
