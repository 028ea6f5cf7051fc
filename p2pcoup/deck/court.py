"""The Court: cards under the joint key, from the seats' keys to a drawn card.

SPEC 7.1 to 7.5 and 7.9.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from p2pcoup.deck.deck import Deck, Draw, checking, key_of, own_key, with_fresh, with_hand
from p2pcoup.deck.elgamal import PAIR_BYTES, Pair, decode_pairs, encode_pairs
from p2pcoup.deck.encoding import FIELD_BYTES, decode_points, split_fields
from p2pcoup.deck.equality import EqualityProof, prove_equalities, verify_equalities
from p2pcoup.deck.errors import Check, DeckUseError, ProofError
from p2pcoup.deck.group import (
    IDENTITY,
    POINT_BYTES,
    Point,
    Scalar,
    decode_point,
    multiply,
    multiply_base,
    subtract,
    sum_points,
)
from p2pcoup.deck.randomness import Randomness
from p2pcoup.deck.rows import shuffle_rows
from p2pcoup.deck.schnorr import SchnorrProof, prove_schnorr, verify_schnorr
from p2pcoup.deck.shuffle_proof import ShuffleProof, prove_shuffle, verify_shuffle
from p2pcoup.deck.transcript import subdomain

# --- 7.1 key --------------------------------------------------------------------------------------


def prove_key(domain: bytes, secret: Scalar, randomness: Randomness) -> bytes:
    """SPEC 7.1: Y = secret * B and the proof of knowledge, 96 bytes.

    ``domain`` must name the seat and its identity.
    """
    public = multiply_base(secret)
    proof = prove_schnorr(subdomain(domain, "key"), public, secret, randomness)
    return public + proof.encode()


def check_key(domain: bytes, data: bytes) -> Point:
    """SPEC 7.1: the key in ``data``.

    Raises ``ProofError`` unless its sender knows its secret (attack 3).
    """
    with checking("a key"):
        fields = split_fields(data, 3)
        public = decode_point(fields[0])
        proof = SchnorrProof.decode(data[POINT_BYTES:])
        verify_schnorr(subdomain(domain, "key"), public, proof)
    return public


# --- 7.3 shuffle ----------------------------------------------------------------------------------


def shuffle(deck: Deck, domain: bytes, randomness: Randomness) -> bytes:
    """SPEC 7.3: a new Court, shuffled, with its proof.

    No secret key is needed; any seat can do it.
    """
    scope = subdomain(domain, "shuffle")
    rows = [(pair,) for pair in deck.court]
    shuffled = shuffle_rows(scope, deck.joint_key, rows, randomness)
    proof = prove_shuffle(scope, deck.joint_key, rows, shuffled, randomness)
    return encode_pairs([row[0] for row in shuffled.outputs]) + proof.encode()


def shuffled(deck: Deck, domain: bytes, data: bytes) -> Deck:
    """SPEC 7.3: the deck after the shuffle in ``data``. Raises ``ProofError``."""
    court, proof_data = _split(data, PAIR_BYTES * len(deck.court))
    with checking("a shuffle of the Court"):
        pairs = decode_pairs(court, len(deck.court))
        proof = ShuffleProof.decode(proof_data, len(pairs))
        fresh = with_fresh(deck, pairs)
        verify_shuffle(
            subdomain(domain, "shuffle"),
            deck.joint_key,
            [(pair,) for pair in deck.court],
            [(pair,) for pair in pairs],
            proof,
        )
    return replace(fresh, court=pairs)


def _split(data: bytes, at: int) -> tuple[bytes, bytes]:
    return data[:at], data[at:]


# --- 7.4 shares -----------------------------------------------------------------------------------


def _check_draws(deck: Deck, draws: Sequence[Draw]) -> None:
    if not 0 < len(draws) <= len(deck.court):
        raise DeckUseError(f"{len(draws)} cards cannot be drawn from a Court of {len(deck.court)}")
    targets = [draw for draw in draws if draw.slot is not None]
    if len(set(targets)) != len(targets):
        raise DeckUseError("two cards would be drawn into one slot")
    for draw, pair in zip(draws, deck.court, strict=False):
        key_of(deck, draw.seat)
        hand = deck.hands[draw.seat]
        if draw.slot is not None and not (0 <= draw.slot < len(hand) and hand[draw.slot] is None):
            raise DeckUseError(f"seat {draw.seat} cannot draw into slot {draw.slot}")
        if pair.U == IDENTITY:
            raise DeckUseError("the Court must be shuffled before a card is drawn from it")


def _to_give(deck: Deck, giver: int, draws: Sequence[Draw]) -> list[Point]:
    """First components of the Court positions that somebody else than ``giver`` draws."""
    _check_draws(deck, draws)
    key_of(deck, giver)
    return [pair.U for pair, draw in zip(deck.court, draws, strict=False) if draw.seat != giver]


def _share_scope(domain: bytes, giver: int, draws: Sequence[Draw]) -> bytes:
    """The reader of every position is in the proof: shares cannot be used for another draw."""
    readers = (n for draw in draws for n in (draw.seat, 0 if draw.slot is None else draw.slot + 1))
    return subdomain(domain, "shares", giver, *readers)


def give_shares(
    deck: Deck,
    giver: int,
    secret: Scalar,
    draws: Sequence[Draw],
    domain: bytes,
    randomness: Randomness,
) -> bytes:
    """SPEC 7.4: ``giver``'s decryption shares for the cards of ``draws`` that others draw, and one
    proof for all.

    Never call it before every shuffle of this Court has been verified: a share cannot be taken
    back. Raises ``DeckUseError`` if the draws do not fit the deck or leave nothing to give.
    """
    public = own_key(deck, giver, secret)
    bases = _to_give(deck, giver, draws)
    shares = [multiply(secret, base) for base in bases]
    scope = _share_scope(domain, giver, draws)
    proof = prove_equalities(scope, public, bases, shares, secret, randomness)
    return b"".join(shares) + proof.encode()


def check_shares(
    deck: Deck, giver: int, draws: Sequence[Draw], domain: bytes, data: bytes
) -> tuple[Point, ...]:
    """SPEC 7.4: the shares in ``data``, in the order of ``draws`` without ``giver``'s own.

    Raises ``ProofError``.
    """
    bases = _to_give(deck, giver, draws)
    shares, proof_data = _split(data, FIELD_BYTES * len(bases))
    with checking("a decryption share", giver, Check.SHARE_PROOF):
        images = decode_points(split_fields(shares, len(bases)))
        proof = EqualityProof.decode(proof_data)
        scope = _share_scope(domain, giver, draws)
        verify_equalities(scope, key_of(deck, giver), bases, images, proof)
    return images


# --- 7.5 draw -------------------------------------------------------------------------------------


def draw(deck: Deck, draws: Sequence[Draw], shares: Mapping[int, tuple[Point, ...]]) -> Deck:
    """SPEC 7.5: the top cards of the Court go to their readers, each under its reader's key alone.

    ``shares``: per giver, what ``check_shares`` returned for these draws. Raises ``DeckUseError``
    if somebody's are missing.
    """
    _check_draws(deck, draws)
    waiting: dict[int, list[Point]] = {}
    for giver in deck.keys:
        others = sum(draw.seat != giver for draw in draws)
        given = shares.get(giver, ())
        if len(given) != others:
            raise DeckUseError(f"seat {giver} gave {len(given)} shares where {others} are needed")
        waiting[giver] = list(given)
    result = replace(deck, court=deck.court[len(draws) :])
    for pair, (seat, slot) in zip(deck.court, draws, strict=False):
        layers = sum_points(given.pop(0) for giver, given in waiting.items() if giver != seat)
        card = Pair(pair.U, subtract(pair.V, layers))
        if slot is None:
            held = result.drawn.get(seat, ())
            drawn = MappingProxyType({**result.drawn, seat: (*held, card)})
            result = replace(result, drawn=drawn)
        else:
            result = with_hand(result, seat, {slot: card})
    return result


# --- 7.9 leave ------------------------------------------------------------------------------------


def _leaving(deck: Deck, seat: int) -> list[int]:
    """Court positions that carry a layer of ``seat``. Open cards, ``(identity, M)``, carry none."""
    key_of(deck, seat)
    if deck.face_down(seat) or seat in deck.drawn:
        raise DeckUseError(f"seat {seat} still has face-down cards and cannot leave")
    if len(deck.keys) == 1:
        raise DeckUseError("the last seat cannot leave the deck")
    return [position for position, pair in enumerate(deck.court) if pair.U != IDENTITY]


def leave(deck: Deck, seat: int, secret: Scalar, domain: bytes, randomness: Randomness) -> bytes:
    """SPEC 7.9: ``seat`` takes its layer off every card of the Court; one proof.

    Empty if no card carries a layer.
    """
    public = own_key(deck, seat, secret)
    bases = [deck.court[position].U for position in _leaving(deck, seat)]
    if not bases:
        return b""
    layers = [multiply(secret, base) for base in bases]
    scope = subdomain(domain, "leave", seat)
    proof = prove_equalities(scope, public, bases, layers, secret, randomness)
    return b"".join(layers) + proof.encode()


def left(deck: Deck, seat: int, domain: bytes, data: bytes) -> Deck:
    """SPEC 7.9: the deck without ``seat``'s key. Raises ``ProofError``."""
    positions = _leaving(deck, seat)
    court = list(deck.court)
    with checking("the layer taken off the Court", seat, Check.LEAVE_PROOF):
        if not positions and data:
            raise ProofError(Check.LENGTH, f"0 bytes were expected and {len(data)} came")
        if positions:
            layers, proof_data = _split(data, FIELD_BYTES * len(positions))
            images = decode_points(split_fields(layers, len(positions)))
            bases = [deck.court[position].U for position in positions]
            scope = subdomain(domain, "leave", seat)
            proof = EqualityProof.decode(proof_data)
            verify_equalities(scope, deck.keys[seat], bases, images, proof)
            for position, layer in zip(positions, images, strict=True):
                pair = court[position]
                court[position] = Pair(pair.U, subtract(pair.V, layer))
    keys = {other: key for other, key in deck.keys.items() if other != seat}
    return replace(
        deck,
        court=tuple(court),
        keys=MappingProxyType(keys),
        joint_key=sum_points(keys.values()),
    )
