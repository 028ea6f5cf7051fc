"""Targets: the proofs of the cards, decoded alone, and decoded and verified against a deck.

A checked message has one more promise: no other bytes than the honest ones are accepted. (A seat
that knows its secrets could make others; a fuzzer that finds some has broken the proof.)
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache, partial
from typing import Final, NamedTuple

from p2pcoup.deck import (
    Draw,
    ProofError,
    Randomness,
    begin_recovery,
    check_flags,
    check_key,
    check_shares,
    deduct,
    deducted,
    exchange,
    exchanged,
    give_back,
    give_flags,
    give_shares,
    given_back,
    leave,
    left,
    mix,
    mixed,
    open_cards,
    opened,
    pick,
    picked,
    prove_key,
    show_to,
    shown_to,
    shuffle,
    shuffled,
)
from p2pcoup.deck.decrement import DecrementProof
from p2pcoup.deck.elgamal import PAIR_BYTES, decode_pairs, encode_pairs
from p2pcoup.deck.equality import EqualityProof
from p2pcoup.deck.rekey import MOVED_BYTES, RekeyProof, decode_moved
from p2pcoup.deck.schnorr import SchnorrProof
from p2pcoup.deck.shuffle_proof import ShuffleProof
from p2pcoup.wire.limits import MAX_DEDUCT_BYTES
from tests.deck.seats import CardTable
from tests.fuzz.harness import target

DOMAIN: Final = b"fuzzing"


class Step(NamedTuple):
    """A message of the cards: what an honest seat sends, and how it is checked."""

    honest: bytes
    check: Callable[[bytes], object]


@cache
def steps() -> tuple[Step, ...]:
    """One step of every kind. The first byte of an input chooses among them."""
    randomness = Randomness(bytes(32))
    made = [
        _key(randomness),
        *_of_the_court(randomness),
        *_of_a_hand(randomness),
        *_of_a_recovery(randomness),
    ]
    for step in made:
        step.check(step.honest)
    return tuple(made)


def _key(randomness: Randomness) -> Step:
    return Step(prove_key(DOMAIN, randomness.scalar(), randomness), partial(check_key, DOMAIN))


def _of_the_court(randomness: Randomness) -> list[Step]:
    table = CardTable.arranged((0, 0, 1, 1, 2, 2), ((0, 1), (None, 2)))
    deck, key = table.deck, table.secrets[0]
    draws = [Draw(1, 0)]
    out = CardTable.arranged((0, 0, 1, 1, 2, 2), ((0, 1), (2, 1), (None, None)), face_up=(0, 2))
    last = out.secrets[2]
    return [
        Step(shuffle(deck, DOMAIN, randomness), lambda data: shuffled(deck, DOMAIN, data)),
        Step(
            give_shares(deck, 0, key, draws, DOMAIN, randomness),
            lambda data: check_shares(deck, 0, draws, DOMAIN, data),
        ),
        Step(
            leave(out.deck, 2, last, DOMAIN, randomness),
            lambda data: left(out.deck, 2, DOMAIN, data),
        ),
    ]


def _of_a_hand(randomness: Randomness) -> list[Step]:
    table = CardTable.arranged((0, 0, 1, 1, 2, 2), ((0, 1), (None, 2)), ((2,), ()))
    deck, key = table.deck, table.secrets[0]
    return [
        Step(
            open_cards(deck, 0, key, (0, 1), DOMAIN, randomness),
            lambda data: opened(deck, 0, (0, 1), DOMAIN, data),
        ),
        Step(
            exchange(deck, 0, key, (0, 2), DOMAIN, randomness),
            lambda data: exchanged(deck, 0, DOMAIN, data),
        ),
        Step(
            show_to(deck, 0, key, 1, 1, DOMAIN, randomness),
            lambda data: shown_to(deck, 0, 1, 1, DOMAIN, data),
        ),
        Step(
            give_back(deck, 0, key, 0, DOMAIN, randomness),
            lambda data: given_back(deck, 0, 0, DOMAIN, data),
        ),
        Step(
            pick(deck, 1, (0, 1, 2), 2, 0, DOMAIN, randomness),
            lambda data: picked(deck, 1, (0, 1, 2), 0, DOMAIN, data),
        ),
    ]


def _of_a_recovery(randomness: Randomness) -> list[Step]:
    table = CardTable.arranged((0, 0, 1, 1, 2), ((0, 1), (None, None), (2, 1)))
    deducting = begin_recovery(table.deck, {2})
    keys = table.secrets
    taken = deduct(deducting, 0, keys[0], DOMAIN, randomness)
    mixing = deducted(deducting, 0, DOMAIN, taken).mixing()
    first = mix(mixing, 0, DOMAIN, randomness)
    second = mixed(mixing, 0, DOMAIN, first)
    revealing = mixed(second, 1, DOMAIN, mix(second, 1, DOMAIN, randomness)).revealing()
    return [
        Step(taken, lambda data: deducted(deducting, 0, DOMAIN, data)),
        Step(first, lambda data: mixed(mixing, 0, DOMAIN, data)),
        Step(
            give_flags(revealing, 0, keys[0], DOMAIN, randomness),
            lambda data: check_flags(revealing, 0, DOMAIN, data),
        ),
    ]


def some_steps() -> Sequence[bytes]:
    """Every honest message of the cards."""
    return [bytes([number]) + step.honest for number, step in enumerate(steps())]


@target("cards", some_steps, MAX_DEDUCT_BYTES, verifies=True, examples=150)
def cards(data: bytes) -> None:
    """The proofs are verified: a message of the cards is the honest one or is refused."""
    if not data:
        return
    step = steps()[data[0] % len(steps())]
    try:
        step.check(data[1:])
    except ProofError:
        return
    assert data[1:] == step.honest


# --- the proofs alone -----------------------------------------------------------------------------


def _proof(number: int, size: int) -> bytes:
    """The last bytes of an honest message, where its proof is."""
    return steps()[number].honest[-size:]


def some_proofs() -> Sequence[bytes]:
    """A proof of every kind, behind the byte that chooses its decoder; the last four are as long as
    the bytes say.
    """
    shuffle_size = ShuffleProof.size(3)
    moved = steps()[6].honest
    return [
        bytes([0]) + _proof(0, 64),
        bytes([1]) + _proof(2, 64),
        bytes([2]) + _proof(6, len(moved) - 64),
        bytes([3]) + _proof(1, shuffle_size),
        bytes([4]) + _proof(10, ShuffleProof.size(5, 2)),
        bytes([5]) + _proof(9, DecrementProof.size(3)),
        bytes([6]) + steps()[1].honest[: 3 * PAIR_BYTES] * (MAX_DEDUCT_BYTES // 3 // PAIR_BYTES),
        bytes([7]) + moved * (MAX_DEDUCT_BYTES // MOVED_BYTES),
        bytes([8]) + _proof(1, shuffle_size),
        bytes([9]) + _proof(9, DecrementProof.size(3)) * (MAX_DEDUCT_BYTES // 288),
    ]


def _moved(data: bytes) -> bytes:
    parts = decode_moved(data, len(data) // MOVED_BYTES)
    return b"".join(encode_pairs([pair]) + proof.encode() for pair, proof in parts)


_DECODERS: Final[tuple[Callable[[bytes], bytes], ...]] = (
    lambda data: SchnorrProof.decode(data).encode(),
    lambda data: EqualityProof.decode(data).encode(),
    lambda data: RekeyProof.decode(data).encode(),
    lambda data: ShuffleProof.decode(data, 3).encode(),
    lambda data: ShuffleProof.decode(data, 5, 2).encode(),
    lambda data: DecrementProof.decode(data, 3).encode(),
    lambda data: encode_pairs(decode_pairs(data, len(data) // PAIR_BYTES)),
    _moved,
    lambda data: ShuffleProof.decode(data, max(1, len(data) // 128 - 1)).encode(),
    lambda data: DecrementProof.decode(data, len(data) // 96).encode(),
)


@target("proof", some_proofs, MAX_DEDUCT_BYTES, examples=200)
def proof(data: bytes) -> None:
    """A proof encodes to what was read. Nothing is verified here."""
    if data:
        with suppress(ProofError):
            assert _DECODERS[data[0] % len(_DECODERS)](data[1:]) == data[1:]
