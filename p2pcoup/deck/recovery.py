"""Recovery: seats are gone for good, and the others make a new Court without them. SPEC 7.13.

The new Court is every card that no survivor holds and that is not face up; so the hidden cards of
the lost seats go back, unseen. Nobody learns them, nor what a survivor holds. What shows, the
number of cards in the new Court, is public anyway. Three phases, a class each:

1. ``Deducting``. For each kind there is a counter of the copies that no survivor holds, first of
   all those that are not face up. In turn each survivor takes the cards it holds off the counters;
   nobody learns from which (``decrement``).
2. ``Mixing``. Now each flag of a counter stands for a copy: 1 if nobody holds it. In turn each
   survivor shuffles the rows of flag and card.
3. ``Revealing``. All survivors give their shares of the flags. The cards with a 1 are the new
   Court, in an order nobody knows; the others are dropped, still encrypted.

Conditional selection under encryption as in Jakobsson and Juels, *Mix and Match: Secure Function
Evaluation via Ciphertexts* (2000); unary counters take the place of tables and equality tests.

A survivor that vanishes here wins nothing: no card is ever decrypted. The others begin again from
the old deck, with one more seat lost.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from types import MappingProxyType

from p2pcoup.deck.deck import Deck, checking, key_of, own_key, with_fresh
from p2pcoup.deck.decrement import (
    OPEN_ONE,
    Counter,
    Decrement,
    DecrementProof,
    as_counters,
    decrement,
    flags_of,
    prove_decrement,
    verify_decrement,
)
from p2pcoup.deck.elgamal import PAIR_BYTES, Pair, decode_pairs, encode_pairs
from p2pcoup.deck.encoding import FIELD_BYTES, decode_points, split_fields
from p2pcoup.deck.equality import EqualityProof, prove_equalities, verify_equalities
from p2pcoup.deck.errors import Check, DeckUseError
from p2pcoup.deck.group import BASE, IDENTITY, Point, Scalar, multiply, subtract, sum_points
from p2pcoup.deck.hand import read
from p2pcoup.deck.randomness import Randomness
from p2pcoup.deck.rows import Row, shuffle_rows
from p2pcoup.deck.shuffle_proof import ShuffleProof, prove_shuffle, verify_shuffle
from p2pcoup.deck.transcript import subdomain

# --- the phases -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Deducting:
    """Phase 1: survivors take their cards off the counters, in turn. Made by ``begin_recovery``."""

    deck: Deck
    """Without the lost seats and without a Court; its joint key is that of the survivors."""
    counters: tuple[Counter, ...]
    """For each kind, under the joint key."""
    waiting: tuple[int, ...]
    """Survivors who still have cards to take off, in the order in which they speak."""

    def mixing(self) -> "Mixing":
        """The next phase. Raises ``DeckUseError`` while somebody is waited for."""
        if self.waiting:
            raise DeckUseError(f"seat {self.waiting[0]} has not taken its cards off the counters")
        rows = [
            (flag, Pair(IDENTITY, plaintext))
            for counter, plaintext in zip(self.counters, self.deck.plaintexts, strict=True)
            for flag in counter
        ]
        return Mixing(self.deck, tuple(rows), tuple(self.deck.keys) if rows else ())


@dataclass(frozen=True, slots=True)
class Mixing:
    """Phase 2: all survivors shuffle the rows of flag and card, in turn."""

    deck: Deck
    rows: tuple[Row, ...]
    waiting: tuple[int, ...]
    """Survivors who have not shuffled, in the order in which they speak."""

    def revealing(self) -> "Revealing":
        """The next phase. Raises ``DeckUseError`` while somebody is waited for."""
        if self.waiting:
            raise DeckUseError(f"seat {self.waiting[0]} has not shuffled the rows")
        return Revealing(self.deck, self.rows, tuple(self.deck.keys) if self.rows else ())


@dataclass(frozen=True, slots=True)
class Revealing:
    """Phase 3: all survivors give their shares of the flags, in any order."""

    deck: Deck
    rows: tuple[Row, ...]
    speakers: tuple[int, ...]
    """Who gives shares: all survivors, or nobody if there are no rows."""


def begin_recovery(deck: Deck, lost: Collection[int]) -> Deducting:
    """SPEC 7.13: the seats ``lost`` are gone; those whose keys are left make a new Court.

    Raises ``DeckUseError`` unless some seats are lost that have a key, and two or more are left;
    and if cards of unknown kinds were picked into the deck (SPEC 7.11).
    """
    if deck.copies is None:
        raise DeckUseError("nobody knows which cards this deck has, so none can be missed")
    if not lost or not set(lost) <= set(deck.keys) or len(deck.keys) - len(set(lost)) < 2:
        raise DeckUseError("a recovery needs lost seats with a key, and two seats that are left")
    keys = {seat: key for seat, key in deck.keys.items() if seat not in lost}
    hands = {
        seat: (None,) * len(hand) if seat in lost else hand for seat, hand in deck.hands.items()
    }
    drawn = {seat: cards for seat, cards in deck.drawn.items() if seat not in lost}
    rest = replace(
        deck,
        keys=MappingProxyType(keys),
        joint_key=sum_points(keys.values()),
        court=(),
        hands=MappingProxyType(hands),
        drawn=MappingProxyType(drawn),
    )
    counters = tuple(
        (OPEN_ONE,) * (copies - deck.face_up.count(kind)) for kind, copies in enumerate(deck.copies)
    )
    return Deducting(rest, counters, tuple(seat for seat in keys if rest.held(seat)))


def _check_turn(seat: int, waiting: Sequence[int]) -> None:
    if waiting[:1] != (seat,):
        raise DeckUseError(f"it is not the turn of seat {seat} in this recovery")


# --- phase 1 --------------------------------------------------------------------------------------


def _deduct_scope(domain: bytes, seat: int, index: int) -> bytes:
    return subdomain(domain, "recovery-deduct", seat, index)


def _statement(
    phase: Deducting, seat: int, card: Pair, before: tuple[Counter, ...], after: tuple[Counter, ...]
) -> Decrement:
    deck = phase.deck
    return Decrement(deck.joint_key, key_of(deck, seat), card, deck.plaintexts, before, after)


def deduct(
    phase: Deducting, seat: int, secret: Scalar, domain: bytes, randomness: Randomness
) -> bytes:
    """SPEC 7.13: ``seat`` takes the cards it holds, and those drawn beside its hand, off the
    counters, one after the other: the flags and the proof for each.
    """
    _check_turn(seat, phase.waiting)
    cards = read(phase.deck, seat, secret)
    kinds = [kind for kind in (*cards.hand, *cards.drawn) if kind is not None]
    before, message = phase.counters, b""
    for index, (card, kind) in enumerate(zip(phase.deck.held(seat), kinds, strict=True)):
        scope = _deduct_scope(domain, seat, index)
        key = phase.deck.joint_key
        after, randomizers = decrement(scope, key, card, secret, kind, before, randomness)
        statement = _statement(phase, seat, card, before, after)
        proof = prove_decrement(scope, statement, secret, kind, randomizers, randomness)
        message += encode_pairs(flags_of(after)) + proof.encode()
        before = after
    return message


def deducted(phase: Deducting, seat: int, domain: bytes, data: bytes) -> Deducting:
    """SPEC 7.13: the counters after ``seat`` has taken its cards off. Raises ``ProofError``."""
    _check_turn(seat, phase.waiting)
    cards = phase.deck.held(seat)
    with checking("the cards taken off the counters", seat):
        steps = _decode_steps(data, phase.counters, len(cards))
        fresh = with_fresh(phase.deck, chain.from_iterable(flags_of(after) for after, _ in steps))
        before = phase.counters
        for index, (card, (after, proof)) in enumerate(zip(cards, steps, strict=True)):
            statement = _statement(phase, seat, card, before, after)
            verify_decrement(_deduct_scope(domain, seat, index), statement, proof)
            before = after
    return Deducting(fresh, before, phase.waiting[1:])


def _decode_steps(
    data: bytes, like: tuple[Counter, ...], count: int
) -> list[tuple[tuple[Counter, ...], DecrementProof]]:
    """``count`` times the counters and a proof, not verified. Raises ``ProofError``."""
    flags, branches = len(flags_of(like)), sum(map(bool, like))
    at = PAIR_BYTES * flags
    size = at + DecrementProof.size(branches)
    split_fields(data, count * size // FIELD_BYTES)
    return [
        (
            as_counters(decode_pairs(data[start : start + at], flags), like),
            DecrementProof.decode(data[start + at : start + size], branches),
        )
        for start in range(0, len(data), size)
    ]


# --- phase 2 --------------------------------------------------------------------------------------


def mix(phase: Mixing, seat: int, domain: bytes, randomness: Randomness) -> bytes:
    """SPEC 7.13: the rows of flag and card, shuffled, with the proof. No secret key is needed."""
    _check_turn(seat, phase.waiting)
    scope, key = subdomain(domain, "recovery-mix", seat), phase.deck.joint_key
    done = shuffle_rows(scope, key, phase.rows, randomness)
    proof = prove_shuffle(scope, key, phase.rows, done, randomness)
    return encode_pairs(_pairs(done.outputs)) + proof.encode()


def mixed(phase: Mixing, seat: int, domain: bytes, data: bytes) -> Mixing:
    """SPEC 7.13: the rows after ``seat``'s shuffle. Raises ``ProofError``."""
    _check_turn(seat, phase.waiting)
    count = len(phase.rows)
    at = 2 * PAIR_BYTES * count
    with checking("a shuffle of flags and cards", seat):
        pairs = decode_pairs(data[:at], 2 * count)
        proof = ShuffleProof.decode(data[at:], count, width=2)
        fresh = with_fresh(phase.deck, pairs)
        rows = tuple(zip(pairs[::2], pairs[1::2], strict=True))
        scope = subdomain(domain, "recovery-mix", seat)
        verify_shuffle(scope, phase.deck.joint_key, phase.rows, rows, proof)
    return Mixing(fresh, rows, phase.waiting[1:])


def _pairs(rows: Iterable[Row]) -> list[Pair]:
    return list(chain.from_iterable(rows))


# --- phase 3 --------------------------------------------------------------------------------------


def _flag_bases(phase: Revealing, seat: int) -> list[Point]:
    if seat not in phase.speakers:
        raise DeckUseError(f"seat {seat} has no shares to give in this recovery")
    return [flag.U for flag, _ in phase.rows]


def give_flags(
    phase: Revealing, seat: int, secret: Scalar, domain: bytes, randomness: Randomness
) -> bytes:
    """SPEC 7.13: ``seat``'s decryption shares of all flags and one proof.

    As with all shares: never before every shuffle has been verified.
    """
    bases = _flag_bases(phase, seat)
    public = own_key(phase.deck, seat, secret)
    shares = [multiply(secret, base) for base in bases]
    scope = subdomain(domain, "recovery-flags", seat)
    proof = prove_equalities(scope, public, bases, shares, secret, randomness)
    return b"".join(shares) + proof.encode()


def check_flags(phase: Revealing, seat: int, domain: bytes, data: bytes) -> tuple[Point, ...]:
    """SPEC 7.13: the shares in ``data``, one per row. Raises ``ProofError``."""
    bases = _flag_bases(phase, seat)
    at = FIELD_BYTES * len(bases)
    with checking("a decryption share of the flags", seat, Check.SHARE_PROOF):
        shares = decode_points(split_fields(data[:at], len(bases)))
        proof = EqualityProof.decode(data[at:])
        scope = subdomain(domain, "recovery-flags", seat)
        verify_equalities(scope, key_of(phase.deck, seat), bases, shares, proof)
    return shares


def recovered(phase: Revealing, shares: Mapping[int, Sequence[Point]]) -> Deck:
    """SPEC 7.13: the deck without the lost seats: the cards whose flag is 1 are its Court.

    ``shares``: per survivor, what ``check_flags`` returned. Raises ``DeckUseError`` if somebody's
    are missing, or if these were never checked: flags are 0 or 1.
    """
    if set(shares) != set(phase.speakers) or any(
        len(given) != len(phase.rows) for given in shares.values()
    ):
        raise DeckUseError("a recovery needs the shares of all survivors for all flags")
    court: list[Pair] = []
    for index, (flag, card) in enumerate(phase.rows):
        value = subtract(flag.V, sum_points(given[index] for given in shares.values()))
        if value not in (IDENTITY, BASE):
            raise DeckUseError("a flag is neither 0 nor 1: the shares given were not checked")
        if value == BASE:
            court.append(card)
    return replace(phase.deck, court=tuple(court))
