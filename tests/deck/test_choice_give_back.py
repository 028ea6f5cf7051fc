"""Give back: a drawn card takes the place of one that goes back unseen."""

from dataclasses import replace

import pytest

from p2pcoup.deck import (
    Check,
    Deck,
    DeckUseError,
    Draw,
    Pair,
    Scalar,
    give_back,
    given_back,
)
from p2pcoup.deck.elgamal import encode_pairs, re_encrypt
from p2pcoup.deck.group import multiply, subtract
from p2pcoup.deck.rekey import MOVED_BYTES, prove_rekey, rekey
from p2pcoup.deck.transcript import subdomain
from tests.deck.damage import refuse_all_damage, refused
from tests.deck.seats import CardTable

DOMAIN = b"game, round, seat"
KINDS = [0, 1, 2, 3, 4, 0, 1, 2]
SEAT = 1


@pytest.fixture
def table() -> CardTable:
    """Two seats with two cards each; four cards in the Court."""
    return CardTable.dealt(2, KINDS)


@pytest.fixture
def redrawing(table: CardTable) -> CardTable:
    """Seat 1 has drawn one card, and is to give one back for it."""
    table.draw([Draw(SEAT, None)])
    return table


def giving(table: CardTable, slot: int = 0) -> bytes:
    return give_back(table.deck, SEAT, table.secrets[SEAT], slot, DOMAIN, table.randomness)


@pytest.mark.parametrize("slot", [0, 1])
def test_the_drawn_card_takes_the_place_of_the_one_given_back(
    slot: int, redrawing: CardTable
) -> None:
    first, second, new = redrawing.hand(SEAT)
    below = redrawing.court()
    data = giving(redrawing, slot)
    assert len(data) == MOVED_BYTES
    redrawing.deck = given_back(redrawing.deck, SEAT, slot, DOMAIN, data)
    assert redrawing.hand(SEAT) == ([new, second] if slot == 0 else [first, new])
    assert redrawing.court() == [*below, first if slot == 0 else second]
    assert not redrawing.deck.drawn
    redrawing.shuffle_all()
    assert redrawing.everything() == sorted(KINDS)


def test_the_card_given_back_cannot_come_straight_back() -> None:
    """The only other card of the Court is drawn first, so it is certainly another one."""
    table = CardTable.dealt(2, [0, 1, 2, 3, 4])
    (last,) = table.court()
    table.draw([Draw(SEAT, None)])
    old, other, new = table.hand(SEAT)
    table.give_back(SEAT, 0)
    assert new == last
    assert table.hand(SEAT) == [last, other]
    assert table.court() == [old]


def test_nobody_learns_the_card_given_back(redrawing: CardTable) -> None:
    deck = given_back(redrawing.deck, SEAT, 0, DOMAIN, giving(redrawing))
    returned = deck.court[-1]
    for secret in (0, *redrawing.secrets.values()):
        plaintext = subtract(returned.V, multiply(Scalar(secret), returned.U))
        assert plaintext not in deck.plaintexts


def test_every_damaged_give_back_is_refused(redrawing: CardTable) -> None:
    data = giving(redrawing)
    refuse_all_damage(data, lambda got: given_back(redrawing.deck, SEAT, 0, DOMAIN, got))


def test_a_give_back_is_refused_in_any_other_place(redrawing: CardTable) -> None:
    """Attack 5."""
    redrawing.draw([Draw(0, None)])
    data = giving(redrawing)
    for seat, slot, domain in ((SEAT, 0, b"other"), (SEAT, 1, DOMAIN), (0, 0, DOMAIN)):
        with refused(Check.REKEY_PROOF):
            given_back(redrawing.deck, seat, slot, domain, data)
    later = given_back(redrawing.deck, SEAT, 0, DOMAIN, data)
    again = replace(later, drawn=redrawing.deck.drawn, hands=redrawing.deck.hands)
    with refused(Check.FIRST_COMPONENT):
        given_back(again, SEAT, 0, DOMAIN, data)


def forged_give_back(table: CardTable, after: Pair, s: Scalar) -> bytes:
    scope = subdomain(DOMAIN, "give-back", SEAT, 0)
    before = table.deck.face_down(SEAT)[0]
    statement = (scope, table.deck.keys[SEAT], table.deck.joint_key, before, after)
    proof = prove_rekey(*statement, table.secrets[SEAT], s, table.randomness)
    return encode_pairs([after]) + proof.encode()


def test_no_other_card_goes_back_than_the_one_in_the_slot() -> None:
    """Attacks 9 and 14: not the other own card, the drawn one, or one of another hand."""
    redrawing = CardTable.dealt(2, [0, 1, 2, 3, 4])
    redrawing.draw([Draw(SEAT, None)])
    deck, target, s = redrawing.deck, redrawing.deck.joint_key, Scalar(314159)
    _, other = deck.face_down(SEAT)
    (new,) = deck.drawn[SEAT]
    scope = subdomain(DOMAIN, "give-back", SEAT, 0)
    lies = [
        rekey(scope, pair, redrawing.secrets[SEAT], target, redrawing.randomness)
        for pair in (other, new)
    ]
    lies.append((re_encrypt(deck.face_down(0)[0], target, s), s))
    for after, randomizer in lies:
        with refused(Check.REKEY_PROOF):
            given_back(deck, SEAT, 0, DOMAIN, forged_give_back(redrawing, after, randomizer))


def test_a_card_given_back_has_a_first_component_of_its_own(redrawing: CardTable) -> None:
    """Attack 11: the old pair itself cannot be put back, nor anything that begins like it."""
    deck, data = redrawing.deck, giving(redrawing)
    for known in (deck.face_down(SEAT)[0], deck.face_down(0)[0], deck.court[0]):
        with refused(Check.FIRST_COMPONENT):
            given_back(deck, SEAT, 0, DOMAIN, known.U + data[32:])


def test_giving_back_without_one_drawn_card_is_our_own_mistake(table: CardTable) -> None:
    def refuse(slot: int) -> None:
        with pytest.raises(DeckUseError):
            giving(table, slot)
        with pytest.raises(DeckUseError):
            given_back(table.deck, SEAT, slot, DOMAIN, b"")

    refuse(0)
    table.draw([Draw(SEAT, None)])
    for slot in (-1, 2):
        refuse(slot)
    with pytest.raises(DeckUseError):
        give_back(table.deck, SEAT, table.secrets[0], 0, DOMAIN, table.randomness)
    table.open(SEAT, [1])
    refuse(1)
    table.draw([Draw(SEAT, None)])
    refuse(0)  # two are drawn: which one is to stay?
    with pytest.raises(DeckUseError):
        given_back(table.deck, 5, 0, DOMAIN, b"")


def test_a_seat_that_holds_a_drawn_card_has_not_left(redrawing: CardTable) -> None:
    redrawing.open(SEAT, [0, 1])
    with pytest.raises(DeckUseError):
        redrawing.leave(SEAT)


def test_a_refused_message_changes_nothing(redrawing: CardTable) -> None:
    before: Deck = redrawing.deck
    hands, drawn = dict(before.hands), dict(before.drawn)
    with refused():
        given_back(before, SEAT, 0, b"other", giving(redrawing))
    assert (before.hands, before.drawn) == (hands, drawn)
