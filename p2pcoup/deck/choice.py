"""Cards that move unseen, chosen by who holds them: exchange, secret pick, give back.

SPEC 7.8, 7.11 and 7.12. A choice is a shuffle under the chooser's own key: the proof shows that
exactly the known pairs came out, their places in the result say what became of them, and which
card lies where only the chooser knows.
"""

from collections.abc import Sequence
from dataclasses import replace
from types import MappingProxyType

from p2pcoup.deck.deck import Deck, card_in, checking, key_of, own_key, with_fresh, with_hand
from p2pcoup.deck.elgamal import PAIR_BYTES, Pair, decode_pairs, encode_pairs
from p2pcoup.deck.errors import DeckUseError
from p2pcoup.deck.group import IDENTITY, Point, Scalar
from p2pcoup.deck.randomness import Randomness
from p2pcoup.deck.rekey import decode_moved, move, verify_rekey
from p2pcoup.deck.rows import MAX_ROWS, shuffle_rows
from p2pcoup.deck.shuffle_proof import ShuffleProof, prove_shuffle, verify_shuffle
from p2pcoup.deck.transcript import ProofTranscript, subdomain

# --- a choice among known pairs -------------------------------------------------------------------


def _choose(
    scope: bytes,
    key: Point,
    pairs: Sequence[Pair],
    chosen: Sequence[int],
    randomness: Randomness,
) -> tuple[tuple[Pair, ...], bytes]:
    """The pairs re-encrypted under ``key``, the chosen ones first, and the bytes of result and
    proof.

    Chosen cards and others are each in random order: a place says nothing of a card. The order is
    bound to the choice, so that two choices considered with one seed show nothing by their
    difference.
    """
    binding = ProofTranscript(scope, "choice-order")
    binding.absorb_point("pairs", *(point for pair in pairs for point in pair))
    fresh = binding.nonces(randomness, *sorted(chosen))
    rest = [position for position in range(len(pairs)) if position not in chosen]
    order = [sorted(chosen)[i] for i in fresh.permutation(len(chosen))]
    order += [rest[i] for i in fresh.permutation(len(rest))]
    rows = [(pair,) for pair in pairs]
    mixed = shuffle_rows(scope, key, rows, randomness, order)
    proof = prove_shuffle(scope, key, rows, mixed, randomness)
    outputs = tuple(row[0] for row in mixed.outputs)
    return outputs, encode_pairs(outputs) + proof.encode()


def _choice_bytes(count: int) -> int:
    """How long a choice among ``count`` pairs is."""
    return PAIR_BYTES * count + ShuffleProof.size(count)


def _decode_choice(data: bytes, count: int) -> tuple[tuple[Pair, ...], ShuffleProof]:
    """``count`` pairs and their proof, not verified. Raises ``ProofError``."""
    at = PAIR_BYTES * count
    return decode_pairs(data[:at], count), ShuffleProof.decode(data[at:], count)


def _verify_choice(
    scope: bytes,
    key: Point,
    pairs: Sequence[Pair],
    outputs: Sequence[Pair],
    proof: ShuffleProof,
) -> None:
    before, after = [(pair,) for pair in pairs], [(pair,) for pair in outputs]
    verify_shuffle(scope, key, before, after, proof)


# --- 7.8 exchange ---------------------------------------------------------------------------------


def _held(deck: Deck, seat: int) -> tuple[list[int], list[Pair]]:
    """The slots of ``seat``'s face-down cards, and these cards followed by the drawn ones."""
    key_of(deck, seat)
    slots = [slot for slot, pair in enumerate(deck.hands[seat]) if pair is not None]
    drawn = deck.drawn.get(seat, ())
    if not slots or not drawn:
        raise DeckUseError(f"seat {seat} has nothing to exchange")
    return slots, [*deck.face_down(seat), *drawn]


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
    draw order. The message is a choice among that list, of which the first ones are the new hand,
    then for each of the others its pair under the joint key with a rekey proof.
    """
    public = own_key(deck, seat, secret)
    slots, pairs = _held(deck, seat)
    if len(set(keep)) != len(slots) or len(keep) != len(slots):
        raise DeckUseError(f"seat {seat} keeps exactly {len(slots)} different cards")
    if not all(0 <= position < len(pairs) for position in keep):
        raise DeckUseError(f"seat {seat} has only positions 0 to {len(pairs) - 1} to keep")
    scope = subdomain(domain, "exchange", seat)
    outputs, message = _choose(scope, public, pairs, keep, randomness)
    for index, before in enumerate(outputs[len(slots) :]):
        inner = subdomain(domain, "exchange-return", seat, index)
        message += move(inner, public, deck.joint_key, before, secret, randomness)
    return message


def exchanged(deck: Deck, seat: int, domain: bytes, data: bytes) -> Deck:
    """SPEC 7.8: the deck after the exchange; the returned cards lie at the end of the Court.

    Raises ``ProofError``.
    """
    slots, pairs = _held(deck, seat)
    key = deck.keys[seat]
    at = _choice_bytes(len(pairs))
    with checking("an exchange", seat):
        outputs, proof = _decode_choice(data[:at], len(pairs))
        moved = decode_moved(data[at:], len(pairs) - len(slots))
        fresh = with_fresh(deck, [*outputs, *(after for after, _ in moved)])
        _verify_choice(subdomain(domain, "exchange", seat), key, pairs, outputs, proof)
        for index, (before, (after, rekey_proof)) in enumerate(
            zip(outputs[len(slots) :], moved, strict=True)
        ):
            inner = subdomain(domain, "exchange-return", seat, index)
            verify_rekey(inner, key, deck.joint_key, before, after, rekey_proof)
    settled = with_hand(fresh, seat, dict(zip(slots, outputs, strict=False)))
    return replace(
        settled,
        court=(*deck.court, *(after for after, _ in moved)),
        drawn=_without_drawn(deck, seat),
    )


def _without_drawn(deck: Deck, seat: int) -> MappingProxyType[int, tuple[Pair, ...]]:
    return MappingProxyType({s: cards for s, cards in deck.drawn.items() if s != seat})


# --- 7.11 secret pick -----------------------------------------------------------------------------


def _to_pick(deck: Deck, seat: int, kinds: Sequence[int], slot: int) -> tuple[Point, list[Pair]]:
    """The picker's key, and the known cards as pairs that everybody reads, ``(identity, M)``."""
    key = key_of(deck, seat)
    hand = deck.hands[seat]
    if not (0 <= slot < len(hand) and hand[slot] is None):
        raise DeckUseError(f"seat {seat} cannot pick a card into slot {slot}")
    if not 1 <= len(kinds) <= MAX_ROWS:
        raise DeckUseError(f"a seat picks from 1 to {MAX_ROWS} cards, not {len(kinds)}")
    if not all(0 <= kind < len(deck.plaintexts) for kind in kinds):
        raise DeckUseError(f"the deck has only {len(deck.plaintexts)} kinds of cards to pick from")
    return key, [Pair(IDENTITY, deck.plaintexts[kind]) for kind in kinds]


def pick(
    deck: Deck,
    seat: int,
    kinds: Sequence[int],
    kept: int,
    slot: int,
    domain: bytes,
    randomness: Randomness,
) -> bytes:
    """SPEC 7.11: of cards of these known ``kinds`` that lie outside the deck ``seat`` takes the one
    at position ``kept`` into ``slot``; nobody learns which.

    The message is a choice among them under the seat's own key; no secret key is needed.
    """
    key, pairs = _to_pick(deck, seat, kinds, slot)
    if not 0 <= kept < len(kinds):
        raise DeckUseError(f"there are only positions 0 to {len(kinds) - 1} to pick")
    scope = subdomain(domain, "pick", seat, slot)
    return _choose(scope, key, pairs, [kept], randomness)[1]


def picked(
    deck: Deck, seat: int, kinds: Sequence[int], slot: int, domain: bytes, data: bytes
) -> Deck:
    """SPEC 7.11: the deck with the picked card in ``slot``.

    The other cards are set aside for ever: nothing refers to them, and their first components
    count as seen. Raises ``ProofError``.
    """
    key, pairs = _to_pick(deck, seat, kinds, slot)
    with checking("a pick", seat):
        outputs, proof = _decode_choice(data, len(pairs))
        fresh = with_fresh(deck, outputs)
        _verify_choice(subdomain(domain, "pick", seat, slot), key, pairs, outputs, proof)
    return replace(with_hand(fresh, seat, {slot: outputs[0]}), copies=None)


# --- 7.12 give back -------------------------------------------------------------------------------


def _to_give_back(deck: Deck, seat: int, slot: int) -> tuple[Pair, Pair]:
    """The card in ``slot`` and the one card drawn beside the hand that takes its place."""
    key_of(deck, seat)
    before = card_in(deck, seat, slot)
    drawn = deck.drawn.get(seat, ())
    if len(drawn) != 1:
        raise DeckUseError(f"seat {seat} has drawn {len(drawn)} cards where one is to stay")
    return before, drawn[0]


def give_back(
    deck: Deck, seat: int, secret: Scalar, slot: int, domain: bytes, randomness: Randomness
) -> bytes:
    """SPEC 7.12: the card in ``slot`` under the joint key, with a rekey proof.

    The new card was drawn before, beside the hand, so the old one cannot come straight back.
    """
    public = own_key(deck, seat, secret)
    before, _ = _to_give_back(deck, seat, slot)
    scope = subdomain(domain, "give-back", seat, slot)
    return move(scope, public, deck.joint_key, before, secret, randomness)


def given_back(deck: Deck, seat: int, slot: int, domain: bytes, data: bytes) -> Deck:
    """SPEC 7.12: the deck with the old card at the end of the Court and the drawn one in ``slot``.

    Raises ``ProofError``.
    """
    before, new = _to_give_back(deck, seat, slot)
    scope = subdomain(domain, "give-back", seat, slot)
    with checking("a card given back", seat):
        ((after, proof),) = decode_moved(data, 1)
        fresh = with_fresh(deck, [after])
        verify_rekey(scope, deck.keys[seat], deck.joint_key, before, after, proof)
    settled = with_hand(fresh, seat, {slot: new})
    return replace(settled, court=(*deck.court, after), drawn=_without_drawn(deck, seat))
