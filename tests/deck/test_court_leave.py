"""The Court: a seat that is out takes its layer off."""

from dataclasses import replace

import pytest

from p2pcoup.deck import (
    Check,
    DeckUseError,
    Draw,
    Scalar,
    leave,
    left,
)
from p2pcoup.deck.equality import prove_equalities
from p2pcoup.deck.group import (
    add,
    multiply,
    multiply_base,
    subtract,
)
from p2pcoup.deck.transcript import subdomain
from tests.deck.damage import refuse_all_damage, refused
from tests.deck.seats import CardTable

DOMAIN = b"game, round, seat"
KINDS = [0, 1, 2, 3, 4, 0, 1]


@pytest.fixture
def dealt() -> CardTable:
    """Three seats with two cards each and one card in the Court."""
    return CardTable.dealt(3, KINDS)


def eliminated(table: CardTable, seat: int) -> CardTable:
    table.open(seat, [slot for slot, pair in enumerate(table.deck.hands[seat]) if pair])
    return table


def test_the_others_go_on_without_the_key_of_who_left(dealt: CardTable) -> None:
    table = eliminated(dealt, 1)
    held, in_court = table.hand(0), table.court()
    old_key = table.deck.joint_key
    table.leave(1)
    assert set(table.deck.keys) == {0, 2}
    assert table.deck.joint_key == subtract(old_key, multiply_base(table.secrets[1]))
    assert table.court() == in_court
    assert table.hand(0) == held
    table.shuffle_all()
    table.draw([Draw(0, None)])
    assert table.hand(0) == held + in_court


def test_every_damaged_leave_is_refused() -> None:
    table = eliminated(CardTable.dealt(2, KINDS), 0)
    data = leave(table.deck, 0, table.secrets[0], DOMAIN, table.randomness)
    assert len(data) == 32 * 3 + 64
    refuse_all_damage(data, lambda got: left(table.deck, 0, DOMAIN, got))


def test_a_layer_that_is_not_the_leaver_s_is_refused(dealt: CardTable) -> None:
    """Attack 12: the Court would be unreadable for ever."""
    table = eliminated(dealt, 1)
    scope = subdomain(DOMAIN, "leave", 1)
    bases = [pair.U for pair in table.deck.court]
    for image in (multiply(table.secrets[0], bases[0]), bases[0], add(bases[0], bases[0])):
        proof = prove_equalities(
            scope, table.deck.keys[1], bases, [image], table.secrets[1], table.randomness
        )
        with refused(Check.LEAVE_PROOF):
            left(table.deck, 1, DOMAIN, image + proof.encode())


def test_a_leave_is_refused_in_any_other_place(dealt: CardTable) -> None:
    """Attack 5."""
    table = eliminated(eliminated(dealt, 1), 2)
    data = leave(table.deck, 1, table.secrets[1], DOMAIN, table.randomness)
    for seat, domain in ((1, b"other"), (2, DOMAIN)):
        with refused(Check.LEAVE_PROOF):
            left(table.deck, seat, domain, data)
    later = left(table.deck, 1, DOMAIN, data)
    with pytest.raises(DeckUseError):
        left(later, 1, DOMAIN, data)


def test_open_cards_carry_no_layer(dealt: CardTable) -> None:
    table = eliminated(dealt, 1)
    for kind in table.deck.face_up:
        table.return_open(kind)
    hidden, first, second = table.deck.court
    table.leave(1)
    assert table.deck.court[1:] == (first, second)
    assert table.deck.court[0].V != hidden.V
    table.shuffle_all()
    assert table.everything() == sorted(KINDS)


def test_who_leaves_a_court_without_layers_says_nothing(dealt: CardTable) -> None:
    table = eliminated(dealt, 1)
    table.draw([Draw(0, None)])
    assert leave(table.deck, 1, table.secrets[1], DOMAIN, table.randomness) == b""
    assert set(left(table.deck, 1, DOMAIN, b"").keys) == {0, 2}
    for more in (b"\0", bytes(64)):
        with refused(Check.LENGTH):
            left(table.deck, 1, DOMAIN, more)


def test_leaving_with_cards_or_alone_or_twice_is_our_own_mistake(dealt: CardTable) -> None:
    def refuse(table: CardTable, seat: int, secret: Scalar) -> None:
        with pytest.raises(DeckUseError):
            leave(table.deck, seat, secret, DOMAIN, table.randomness)
        with pytest.raises(DeckUseError):
            left(table.deck, seat, DOMAIN, b"")

    refuse(dealt, 1, dealt.secrets[1])
    dealt.draw([Draw(1, None)])
    eliminated(dealt, 1)
    refuse(dealt, 1, dealt.secrets[1])  # a drawn card is a card
    eliminated(dealt, 0)
    dealt.leave(0)
    refuse(dealt, 0, dealt.secrets[0])
    refuse(dealt, 7, dealt.secrets[0])
    last = replace(dealt.deck, keys={2: dealt.deck.keys[2]}, hands={2: (None, None)})
    dealt.deck = last
    refuse(dealt, 2, dealt.secrets[2])
