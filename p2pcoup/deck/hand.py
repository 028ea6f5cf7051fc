"""Cards in a hand, each under its owner's key: read, open, return, show.

SPEC 7.6, 7.7 and 7.10. ``choice`` has the steps in which cards move unseen.
"""

from collections.abc import Sequence
from dataclasses import replace
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
from p2pcoup.deck.elgamal import Pair
from p2pcoup.deck.encoding import FIELD_BYTES, decode_points, split_fields
from p2pcoup.deck.equality import EqualityProof, prove_equalities, verify_equalities
from p2pcoup.deck.errors import Check, DeckUseError
from p2pcoup.deck.group import IDENTITY, Point, Scalar, multiply, subtract
from p2pcoup.deck.randomness import Randomness
from p2pcoup.deck.rekey import decode_moved, move, verify_rekey
from p2pcoup.deck.transcript import subdomain

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
    return move(scope, public, target, before, secret, randomness)


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
        ((after, proof),) = decode_moved(data, 1)
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
