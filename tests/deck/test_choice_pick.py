"""Secret pick: one of some known cards comes into a hand, nobody learns which."""

from collections import Counter
from collections.abc import Sequence

import pytest

from p2pcoup.deck import (
    Check,
    DeckUseError,
    Draw,
    Pair,
    Randomness,
    Scalar,
    pick,
    picked,
    read,
)
from p2pcoup.deck.elgamal import PAIR_BYTES, decode_pairs, encode_pairs, re_encrypt
from p2pcoup.deck.group import IDENTITY, multiply, subtract
from p2pcoup.deck.rows import shuffle_rows
from p2pcoup.deck.shuffle_proof import ShuffleProof, prove_shuffle
from p2pcoup.deck.transcript import subdomain
from tests.deck.damage import refuse_all_damage, refused
from tests.deck.seats import CardTable

DOMAIN = b"game, round, seat"
SEAT = 1
FIVE = [0, 1, 2, 3, 4]


@pytest.fixture
def picking() -> CardTable:
    """Two seats with empty hands; a set of five cards lies in the Court, shuffled."""
    table = CardTable.of(2, FIVE)
    table.shuffle_all()
    return table


def picked_message(table: CardTable, kept: int, kinds: Sequence[int] = FIVE) -> bytes:
    return pick(table.deck, SEAT, kinds, kept, 0, DOMAIN, table.randomness)


@pytest.mark.parametrize("kept", FIVE)
def test_a_seat_picks_the_card_it_wants(kept: int, picking: CardTable) -> None:
    data = picked_message(picking, kept)
    assert len(data) == PAIR_BYTES * 5 + ShuffleProof.size(5)
    before, picking.deck = picking.deck, picked(picking.deck, SEAT, FIVE, 0, DOMAIN, data)
    assert read(picking.deck, SEAT, picking.secrets[SEAT]) == ((kept, None), ())
    assert picking.deck.court == before.court
    assert picking.deck.hands[0] == before.hands[0]
    assert len(picking.deck.seen - before.seen) == 5
    assert picking.open(SEAT, [0]) == (kept,)


def test_a_picked_card_is_a_card_like_any_other(picking: CardTable) -> None:
    """It is shown, exchanged, given back, and opened."""
    picking.pick(0, FIVE, 2, 0)
    picking.pick(1, FIVE, 4, 0)
    picking.draw([Draw(0, 1), Draw(1, 1)])
    assert picking.show(0, 0, 1) == 2
    picking.draw([Draw(1, None)])
    held = picking.hand(1)
    assert held[0] == 4
    picking.exchange(1, [1, 2])
    picking.shuffle_all()
    assert 4 in picking.court()
    picking.draw([Draw(0, None)])
    picking.give_back(0, 0)
    picking.shuffle_all()
    assert {2, 4} & set(picking.court())
    picking.open(0, [0, 1])
    picking.leave(0)
    assert len(picking.everything()) == 7


def test_what_was_picked_shows_in_no_public_byte(picking: CardTable) -> None:
    """The picked pair decrypts to no card without the seat's secret, nor do those set aside."""
    data = picked_message(picking, 3)
    outputs = decode_pairs(data[:320], 5)
    for pair in outputs:
        assert pair.V not in picking.deck.plaintexts
        for secret in (picking.secrets[0], Scalar(1)):
            opened_wrongly = subtract(pair.V, multiply(secret, pair.U))
            assert opened_wrongly not in picking.deck.plaintexts
    kinds = [picking.kind(pair, picking.secrets[SEAT]) for pair in outputs]
    assert kinds[0] == 3
    assert sorted(kinds) == FIVE


def test_cards_set_aside_are_in_random_order(picking: CardTable) -> None:
    orders = set()
    for seed in range(6):
        picking.randomness = Randomness(bytes([seed]) * 32)
        _, *aside = decode_pairs(picked_message(picking, 2)[:320], 5)
        orders.add(tuple(picking.kind(pair, picking.secrets[SEAT]) for pair in aside))
    assert len(orders) > 3


def test_two_picks_considered_with_one_seed_have_nothing_in_common(picking: CardTable) -> None:
    """Attack 19."""
    messages = [picked_message(picking, kept) for kept in FIVE]
    fields = Counter(data[i : i + 32] for data in messages for i in range(0, len(data), 32))
    assert set(fields.values()) == {1}
    assert picked_message(picking, 2) == messages[2]


@pytest.mark.parametrize("kinds", [[4], [1, 1, 3], [2, 2]])
def test_a_pick_is_possible_among_any_known_cards(kinds: list[int], picking: CardTable) -> None:
    picking.pick(SEAT, kinds, 0, 1)
    assert read(picking.deck, SEAT, picking.secrets[SEAT]).hand == (None, kinds[0])


def test_every_damaged_pick_is_refused(picking: CardTable) -> None:
    """Attack 2: this includes the identity, which only the agreed state may have."""
    kinds = [0, 1, 2]
    data = picked_message(picking, 1, kinds)
    refuse_all_damage(data, lambda got: picked(picking.deck, SEAT, kinds, 0, DOMAIN, got))


def test_a_pick_that_is_not_renewed_is_refused(picking: CardTable) -> None:
    """Attack 2: the known cards themselves, which everybody reads, are not a pick."""
    rows = [(Pair(IDENTITY, picking.deck.plaintexts[kind]),) for kind in FIVE]
    data = picked_message(picking, 1)
    open_cards = encode_pairs([row[0] for row in rows])
    with refused(Check.POINT_ENCODING):
        picked(picking.deck, SEAT, FIVE, 0, DOMAIN, open_cards + data[len(open_cards) :])


def test_a_pick_is_refused_in_any_other_place(picking: CardTable) -> None:
    """Attacks 5 and 6: another seat that copies it does not get the card."""
    data = picked_message(picking, 1)
    for seat, kinds, slot, domain in (
        (SEAT, FIVE, 0, b"other"),
        (0, FIVE, 0, DOMAIN),
        (SEAT, FIVE, 1, DOMAIN),
        (SEAT, FIVE[::-1], 0, DOMAIN),
        (SEAT, [0, 0, 2, 3, 4], 0, DOMAIN),
    ):
        with refused(Check.SHUFFLE_PROOF):
            picked(picking.deck, seat, kinds, slot, domain, data)
    with refused(Check.LENGTH):
        picked(picking.deck, SEAT, FIVE[:4], 0, DOMAIN, data)
    later = picked(picking.deck, SEAT, FIVE, 0, DOMAIN, data)
    with refused(Check.FIRST_COMPONENT):
        picked(later, SEAT, FIVE, 1, DOMAIN, data)


def test_a_card_outside_the_set_cannot_be_picked(picking: CardTable) -> None:
    """Attack 14: neither a second copy nor a card that does not belong to the set."""
    key, scope = picking.deck.keys[SEAT], subdomain(DOMAIN, "pick", SEAT, 0)
    kinds = [0, 1, 2]
    rows = [(Pair(IDENTITY, picking.deck.plaintexts[kind]),) for kind in kinds]
    honest = shuffle_rows(scope, key, rows, picking.randomness, (1, 0, 2))
    for wish in (4, 2):
        wished = re_encrypt(Pair(IDENTITY, picking.deck.plaintexts[wish]), key, Scalar(271828))
        outputs = ((wished,), *honest.outputs[1:])
        cheated = honest._replace(outputs=outputs)
        proof = prove_shuffle(scope, key, rows, cheated, picking.randomness)
        data = encode_pairs([row[0] for row in outputs]) + proof.encode()
        with refused(Check.SHUFFLE_PROOF):
            picked(picking.deck, SEAT, kinds, 0, DOMAIN, data)


def test_picks_that_make_no_sense_are_our_own_mistake(picking: CardTable) -> None:
    randomness = picking.randomness
    for seat, kinds, slot in (
        (SEAT, [], 0),
        (SEAT, [0] * 65, 0),
        (SEAT, [0, 5], 0),
        (SEAT, [0, -1], 0),
        (SEAT, FIVE, 2),
        (SEAT, FIVE, -1),
        (2, FIVE, 0),
    ):
        with pytest.raises(DeckUseError):
            pick(picking.deck, seat, kinds, 0, slot, DOMAIN, randomness)
        with pytest.raises(DeckUseError):
            picked(picking.deck, seat, kinds, slot, DOMAIN, b"")
    for kept in (-1, 5):
        with pytest.raises(DeckUseError):
            pick(picking.deck, SEAT, FIVE, kept, 0, DOMAIN, randomness)
    picking.pick(SEAT, FIVE, 0, 0)
    with pytest.raises(DeckUseError):
        pick(picking.deck, SEAT, FIVE, 0, 0, DOMAIN, randomness)
