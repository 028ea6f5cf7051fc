"""Cards in a hand, each under its owner's key: read, open, return, exchange, show.

SPEC 7.6 to 7.8 and 7.10.
"""

from collections.abc import Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple

from p2pcoup.deck.deck import (
    Deck,
    card_in,
    checking,
    key_of,
    kind_of,
    own_key,
    with_fresh,
    with_hand,
)
from p2pcoup.deck.elgamal import PAIR_BYTES, Pair, decode_pairs, encode_pairs
from p2pcoup.deck.encoding import FIELD_BYTES, decode_points, split_fields
from p2pcoup.deck.equality import EqualityProof, prove_equalities, verify_equalities
from p2pcoup.deck.errors import Check, DeckUseError
from p2pcoup.deck.group import IDENTITY, Point, Scalar, multiply, subtract
from p2pcoup.deck.randomness import Randomness
from p2pcoup.deck.rekey import REKEY_PROOF_BYTES, RekeyProof, prove_rekey, rekey, verify_rekey
from p2pcoup.deck.shuffle_proof import ShuffleProof, prove_shuffle, shuffle_rows, verify_shuffle
from p2pcoup.deck.transcript import ProofTranscript, subdomain

# --- reading one's own cards ----------------------------------------------------------------------


class OwnCards(NamedTuple):
    """What a seat holds, known to itself only."""

    hand: tuple[int | None, ...]
    """The kind in each slot; None where there is no face-down card."""
    drawn: tuple[int, ...]
    """The kinds beside the hand, in the order they were drawn."""


def _plaintext(pair: Pair, secret: Scalar) -> Point:
    return subtract(pair.V, multiply(secret, pair.U))


def read(deck: Deck, seat: int, secret: Scalar) -> OwnCards:
    """The kinds of ``seat``'s face-down cards. Private: the result never leaves its owner."""
    own_key(deck, seat, secret)
    return OwnCards(
        tuple(
            None if pair is None else kind_of(deck, _plaintext(pair, secret))
            for pair in deck.hands[seat]
        ),
        tuple(kind_of(deck, _plaintext(pair, secret)) for pair in deck.drawn.get(seat, ())),
    )


# --- 7.6 open -------------------------------------------------------------------------------------


def _to_open(deck: Deck, seat: int, slots: Sequence[int]) -> list[Pair]:
    if not slots or len(set(slots)) != len(slots):
        raise DeckUseError("the slots to open are one or more different ones")
    return [card_in(deck, seat, slot) for slot in slots]


def open_cards(
    deck: Deck,
    seat: int,
    secret: Scalar,
    slots: Sequence[int],
    domain: bytes,
    randomness: Randomness,
) -> bytes:
    """SPEC 7.6: ``seat``'s own shares of the cards in ``slots``, in that order, and one proof."""
    public = own_key(deck, seat, secret)
    bases = [pair.U for pair in _to_open(deck, seat, slots)]
    shares = [multiply(secret, base) for base in bases]
    scope = subdomain(domain, "open", seat, *slots)
    proof = prove_equalities(scope, public, bases, shares, secret, randomness)
    return b"".join(shares) + proof.encode()


def opened(
    deck: Deck, seat: int, slots: Sequence[int], domain: bytes, data: bytes
) -> tuple[Deck, tuple[int, ...]]:
    """SPEC 7.6: the deck with those slots empty, and the kinds that lay there.

    Raises ``ProofError``.
    """
    key = key_of(deck, seat)
    pairs = _to_open(deck, seat, slots)
    at = FIELD_BYTES * len(pairs)
    with checking("an opened card", seat, Check.OPENING_PROOF):
        shares = decode_points(split_fields(data[:at], len(pairs)))
        proof = EqualityProof.decode(data[at:])
        scope = subdomain(domain, "open", seat, *slots)
        verify_equalities(scope, key, [pair.U for pair in pairs], shares, proof)
        kinds = tuple(
            kind_of(deck, subtract(pair.V, share))
            for pair, share in zip(pairs, shares, strict=True)
        )
    emptied = with_hand(deck, seat, dict.fromkeys(slots))
    return replace(emptied, face_up=deck.face_up + kinds), kinds


# --- 7.7 return of an open card -------------------------------------------------------------------


def with_returned(deck: Deck, kind: int) -> Deck:
    """SPEC 7.7: an open card of ``kind`` goes to the end of the Court, as ``(identity, M)``.

    Everybody knows where it lies until all have shuffled.
    """
    if kind not in deck.face_up:
        raise DeckUseError(f"no card of kind {kind} is face up, so none can go back")
    face_up = list(deck.face_up)
    face_up.remove(kind)
    returned = Pair(IDENTITY, deck.plaintexts[kind])
    return replace(deck, court=(*deck.court, returned), face_up=tuple(face_up))


# --- 7.8 exchange ---------------------------------------------------------------------------------


def _held(deck: Deck, seat: int) -> tuple[list[int], list[Pair]]:
    """The slots of ``seat``'s face-down cards, and these cards followed by the drawn ones."""
    key_of(deck, seat)
    slots = [slot for slot, pair in enumerate(deck.hands[seat]) if pair is not None]
    drawn = deck.drawn.get(seat, ())
    if not slots or not drawn:
        raise DeckUseError(f"seat {seat} has nothing to exchange")
    return slots, [*deck.face_down(seat), *drawn]


def _exchange_order(
    domain: bytes,
    pairs: Sequence[Pair],
    keep: Sequence[int],
    secret: Scalar,
    randomness: Randomness,
) -> list[int]:
    """Kept cards first, then the others, both in random order: a slot says nothing of a card."""
    binding = ProofTranscript(domain, "exchange-order")
    binding.absorb_point("held", *(point for pair in pairs for point in pair))
    fresh = binding.nonces(randomness, secret, *keep)
    rest = [position for position in range(len(pairs)) if position not in keep]
    kept = [keep[i] for i in fresh.permutation(len(keep))]
    return kept + [rest[i] for i in fresh.permutation(len(rest))]


def exchange(
    deck: Deck,
    seat: int,
    secret: Scalar,
    keep: Sequence[int],
    domain: bytes,
    randomness: Randomness,
) -> bytes:
    """SPEC 7.8: ``seat`` keeps as many cards as it had face down, and the others go to the Court
    unseen.

    ``keep``: positions in the list of its face-down cards in slot order, then the drawn ones in
    draw order. The message is a shuffle of that list under the seat's own key, of which the first
    ones are the new hand, then for each of the others its pair under the joint key with a rekey
    proof.
    """
    public = own_key(deck, seat, secret)
    slots, pairs = _held(deck, seat)
    if len(set(keep)) != len(slots) or len(keep) != len(slots):
        raise DeckUseError(f"seat {seat} keeps exactly {len(slots)} different cards")
    if not all(0 <= position < len(pairs) for position in keep):
        raise DeckUseError(f"seat {seat} has only positions 0 to {len(pairs) - 1} to keep")
    scope = subdomain(domain, "exchange", seat)
    order = _exchange_order(scope, pairs, sorted(keep), secret, randomness)
    rows = [(pair,) for pair in pairs]
    mixed = shuffle_rows(scope, public, rows, randomness, order)
    proof = prove_shuffle(scope, public, rows, mixed, randomness)
    outputs = [row[0] for row in mixed.outputs]
    parts = [encode_pairs(outputs), proof.encode()]
    for index, before in enumerate(outputs[len(slots) :]):
        inner = subdomain(domain, "exchange-return", seat, index)
        after, s = rekey(inner, before, secret, deck.joint_key, randomness)
        moved = prove_rekey(inner, public, deck.joint_key, before, after, secret, s, randomness)
        parts += [encode_pairs([after]), moved.encode()]
    return b"".join(parts)


def exchanged(deck: Deck, seat: int, domain: bytes, data: bytes) -> Deck:
    """SPEC 7.8: the deck after the exchange; the returned cards lie at the end of the Court.

    Raises ``ProofError``.
    """
    slots, pairs = _held(deck, seat)
    key = deck.keys[seat]
    at = PAIR_BYTES * len(pairs)
    returned_at = at + ShuffleProof.size(len(pairs))
    with checking("an exchange", seat):
        outputs = decode_pairs(data[:at], len(pairs))
        proof = ShuffleProof.decode(data[at:returned_at], len(pairs))
        moved = _decode_moved(data[returned_at:], len(pairs) - len(slots))
        fresh = with_fresh(deck, [*outputs, *(after for after, _ in moved)])
        verify_shuffle(
            subdomain(domain, "exchange", seat),
            key,
            [(pair,) for pair in pairs],
            [(pair,) for pair in outputs],
            proof,
        )
        for index, (before, (after, rekey_proof)) in enumerate(
            zip(outputs[len(slots) :], moved, strict=True)
        ):
            inner = subdomain(domain, "exchange-return", seat, index)
            verify_rekey(inner, key, deck.joint_key, before, after, rekey_proof)
    settled = with_hand(fresh, seat, dict(zip(slots, outputs, strict=False)))
    return replace(
        settled,
        court=(*deck.court, *(after for after, _ in moved)),
        drawn=MappingProxyType({s: cards for s, cards in deck.drawn.items() if s != seat}),
    )


def _decode_moved(data: bytes, count: int) -> list[tuple[Pair, RekeyProof]]:
    """``count`` times a pair and its rekey proof."""
    size = PAIR_BYTES + REKEY_PROOF_BYTES
    split_fields(data, count * size // FIELD_BYTES)
    blocks = [data[i : i + size] for i in range(0, count * size, size)]
    return [
        (decode_pairs(block[:PAIR_BYTES], 1)[0], RekeyProof.decode(block[PAIR_BYTES:]))
        for block in blocks
    ]


# --- 7.10 show to one seat ------------------------------------------------------------------------


def show_to(
    deck: Deck,
    seat: int,
    secret: Scalar,
    slot: int,
    reader: int,
    domain: bytes,
    randomness: Randomness,
) -> bytes:
    """SPEC 7.10: the card in ``slot`` under ``reader``'s key, with a rekey proof.

    Only ``reader`` can read it.
    """
    public, target = _show_keys(deck, seat, reader)
    own_key(deck, seat, secret)
    before = card_in(deck, seat, slot)
    scope = subdomain(domain, "show", seat, slot, reader)
    after, s = rekey(scope, before, secret, target, randomness)
    proof = prove_rekey(scope, public, target, before, after, secret, s, randomness)
    return encode_pairs([after]) + proof.encode()


def shown_to(
    deck: Deck, seat: int, slot: int, reader: int, domain: bytes, data: bytes
) -> tuple[Deck, Pair]:
    """SPEC 7.10: the deck (the card stays where it is) and the pair for ``read_shown``.

    Raises ``ProofError``.
    """
    public, target = _show_keys(deck, seat, reader)
    before = card_in(deck, seat, slot)
    scope = subdomain(domain, "show", seat, slot, reader)
    with checking("a card shown to one seat", seat):
        ((after, proof),) = _decode_moved(data, 1)
        fresh = with_fresh(deck, [after])
        verify_rekey(scope, public, target, before, after, proof)
    return fresh, after


def read_shown(deck: Deck, reader: int, secret: Scalar, pair: Pair) -> int:
    """The kind of a card that was shown to ``reader``. Private."""
    own_key(deck, reader, secret)
    return kind_of(deck, _plaintext(pair, secret))


def _show_keys(deck: Deck, seat: int, reader: int) -> tuple[Point, Point]:
    if seat == reader:
        raise DeckUseError(f"seat {seat} cannot show a card to itself")
    return key_of(deck, seat), key_of(deck, reader)
