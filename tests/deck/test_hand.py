"""Cards in a hand: read, open, return, show."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest

from p2pcoup.deck import (
    Check,
    DeckUseError,
    Draw,
    Pair,
    open_cards,
    opened,
    read,
    read_shown,
    show_to,
    shown_to,
    with_returned,
)
from p2pcoup.deck.elgamal import encode_pairs
from p2pcoup.deck.equality import prove_equalities
from p2pcoup.deck.group import IDENTITY, add, hash_to_point, multiply, multiply_base, subtract
from p2pcoup.deck.rekey import prove_rekey, rekey
from p2pcoup.deck.transcript import subdomain
from tests.deck.damage import refuse_all_damage, refused
from tests.deck.seats import CardTable

DOMAIN = b"game, round, seat"
KINDS = [0, 1, 2, 3, 4, 0, 1]


@pytest.fixture
def table() -> CardTable:
    """Three seats with two cards each and one card in the Court."""
    return CardTable.dealt(3, KINDS)


def opening(table: CardTable, seat: int, slots: Sequence[int]) -> bytes:
    return open_cards(table.deck, seat, table.secrets[seat], slots, DOMAIN, table.randomness)


# --- read -----------------------------------------------------------------------------------------


def test_every_seat_reads_its_own_cards_in_their_places(table: CardTable) -> None:
    table.draw([Draw(1, None)])
    (kind,) = table.open(0, [0])
    zero, one = (read(table.deck, seat, table.secrets[seat]) for seat in (0, 1))
    assert zero.hand[0] is None
    assert len(one.drawn) == 1
    assert table.court() == []
    held = [*zero.hand[1:], *one.hand, *one.drawn, *table.hand(2), kind]
    assert Counter(held) == Counter(KINDS)


def test_a_seat_cannot_read_with_another_secret(table: CardTable) -> None:
    with pytest.raises(DeckUseError):
        read(table.deck, 0, table.secrets[1])
    with pytest.raises(DeckUseError):
        read(table.deck, 3, table.secrets[0])


# --- open -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("slots", [[0], [1], [0, 1], [1, 0]])
def test_opened_cards_are_what_their_owner_held(slots: list[int], table: CardTable) -> None:
    held = read(table.deck, 2, table.secrets[2]).hand
    data = opening(table, 2, slots)
    assert len(data) == 32 * len(slots) + 64
    deck, kinds = opened(table.deck, 2, slots, DOMAIN, data)
    assert list(kinds) == [held[slot] for slot in slots]
    assert deck.face_up == kinds
    assert [pair is None for pair in deck.hands[2]] == [slot in slots for slot in (0, 1)]
    assert deck.court == table.deck.court


@pytest.mark.parametrize("slots", [[1], [0, 1]])
def test_every_damaged_opening_is_refused(slots: list[int], table: CardTable) -> None:
    data = opening(table, 0, slots)
    refuse_all_damage(data, lambda got: opened(table.deck, 0, slots, DOMAIN, got))


def test_an_opening_is_refused_in_any_other_place(table: CardTable) -> None:
    """Attack 5."""
    data = opening(table, 0, [0])
    for seat, slots, domain in ((0, [0], b"other"), (0, [1], DOMAIN), (1, [0], DOMAIN)):
        with refused(Check.OPENING_PROOF):
            opened(table.deck, seat, slots, domain, data)
    both = opening(table, 0, [0, 1])
    with refused(Check.OPENING_PROOF):
        opened(table.deck, 0, [1, 0], DOMAIN, both)
    with refused(Check.LENGTH):
        opened(table.deck, 0, [0], DOMAIN, both)


@pytest.mark.parametrize("claimed", range(5))
def test_a_card_cannot_be_opened_as_another_one(claimed: int, table: CardTable) -> None:
    """Attack 15: the share that would turn the card into the claimed one has no proof."""
    (held, _) = table.hand(0)
    pair, secret, public = table.deck.face_down(0)[0], table.secrets[0], table.deck.keys[0]
    lie = subtract(pair.V, table.deck.plaintexts[claimed])
    scope = subdomain(DOMAIN, "open", 0, 0)
    proof = prove_equalities(scope, public, [pair.U], [lie], secret, table.randomness)
    data = lie + proof.encode()
    if claimed == held:
        assert opened(table.deck, 0, [0], DOMAIN, data)[1] == (held,)
    else:
        with refused(Check.OPENING_PROOF):
            opened(table.deck, 0, [0], DOMAIN, data)


def test_one_share_of_two_cannot_be_swapped_for_the_other(table: CardTable) -> None:
    """Attack 15: both shares are right, each for the other card."""
    secret, public = table.secrets[0], table.deck.keys[0]
    bases = [pair.U for pair in table.deck.face_down(0)]
    swapped = [multiply(secret, base) for base in bases[::-1]]
    scope = subdomain(DOMAIN, "open", 0, 0, 1)
    for proven in (bases, bases[::-1]):
        proof = prove_equalities(scope, public, proven, swapped, secret, table.randomness)
        with refused(Check.OPENING_PROOF):
            opened(table.deck, 0, [0, 1], DOMAIN, b"".join(swapped) + proof.encode())


def test_what_is_no_card_is_refused_even_with_an_honest_proof(table: CardTable) -> None:
    """Attack 1: such a pair cannot come into a deck; if it did, it would not become a card."""
    pair = table.deck.face_down(0)[0]
    stranger = Pair(pair.U, add(pair.V, hash_to_point(b"card", b"purple")))
    deck = replace(table.deck, hands={**table.deck.hands, 0: (stranger, None)})
    data = open_cards(deck, 0, table.secrets[0], [0], DOMAIN, table.randomness)
    with refused(Check.PLAINTEXT):
        opened(deck, 0, [0], DOMAIN, data)


@pytest.mark.parametrize("slots", [[], [0, 0], [2], [-1], [0, 2]])
def test_slots_that_do_not_exist_are_our_own_mistake(slots: list[int], table: CardTable) -> None:
    with pytest.raises(DeckUseError):
        opening(table, 0, slots)
    with pytest.raises(DeckUseError):
        opened(table.deck, 0, slots, DOMAIN, b"")


def test_opening_an_empty_slot_or_a_stranger_s_card_is_our_own_mistake(table: CardTable) -> None:
    table.open(0, [0])
    with pytest.raises(DeckUseError):
        opening(table, 0, [0])
    with pytest.raises(DeckUseError):
        opened(table.deck, 0, [0], DOMAIN, b"")
    with pytest.raises(DeckUseError):
        open_cards(table.deck, 0, table.secrets[1], [1], DOMAIN, table.randomness)
    with pytest.raises(DeckUseError):
        opened(table.deck, 3, [0], DOMAIN, b"")


# --- return of an open card -----------------------------------------------------------------------


def test_an_open_card_goes_back_and_another_one_is_drawn(table: CardTable) -> None:
    (kind,) = table.open(1, [1])
    before = table.deck.court
    table.return_open(kind)
    returned = Pair(IDENTITY, table.deck.plaintexts[kind])
    assert table.deck.court == (*before, returned)
    assert table.deck.face_up == ()
    table.shuffle_all()
    assert not set(table.deck.court) & {*before, returned}
    table.draw([Draw(1, 1)])
    assert table.everything() == sorted(KINDS)
    assert None not in table.deck.hands[1]


def test_only_a_card_that_is_face_up_can_go_back(table: CardTable) -> None:
    (kind,) = table.open(1, [1])
    for other in {0, 1, 2, 3, 4, 7, -1} - {kind}:
        with pytest.raises(DeckUseError):
            with_returned(table.deck, other)
    once = with_returned(table.deck, kind)
    with pytest.raises(DeckUseError):
        with_returned(once, kind)


def test_of_equal_cards_nobody_can_tell_which_one_was_shown_or_went_back() -> None:
    """Attack 16: copies leave the same public traces, and after a shuffle none at all."""
    table = CardTable.dealt(2, [3] * 6)
    traces = set()
    for slot in (0, 1):
        data = opening(table, 0, [slot])
        deck, kinds = opened(table.deck, 0, [slot], DOMAIN, data)
        traces.add((kinds, deck.face_up, with_returned(deck, *kinds).court))
    assert len(traces) == 1
    before = [*table.deck.court, *table.deck.face_down(0)]
    table.return_open(*table.open(0, [0]))
    table.shuffle_all()
    table.draw([Draw(0, 0)])
    after = [*table.deck.court, table.deck.hands[0][0]]
    assert not {pair.U for pair in before} & {pair.U for pair in after if pair}
    assert not {pair.V for pair in before} & {pair.V for pair in after if pair}


def test_a_return_is_followed_by_a_full_shuffle_before_anybody_draws(table: CardTable) -> None:
    """Attack 16: a card that everybody sees cannot be drawn."""
    table.draw([Draw(0, None)])
    table.return_open(*table.open(1, [1]))
    with pytest.raises(DeckUseError):
        table.draw([Draw(1, 1)])


# --- show to one seat -----------------------------------------------------------------------------


def showing(table: CardTable, seat: int, slot: int, reader: int) -> bytes:
    secret = table.secrets[seat]
    return show_to(table.deck, seat, secret, slot, reader, DOMAIN, table.randomness)


@pytest.mark.parametrize("slot", [0, 1])
def test_a_shown_card_is_read_by_its_reader_and_stays_where_it_is(
    slot: int, table: CardTable
) -> None:
    held = read(table.deck, 0, table.secrets[0]).hand[slot]
    data = showing(table, 0, slot, 2)
    assert len(data) == 160
    deck, pair = shown_to(table.deck, 0, slot, 2, DOMAIN, data)
    assert read_shown(deck, 2, table.secrets[2], pair) == held
    assert replace(deck, seen=table.deck.seen) == table.deck
    assert deck.seen == table.deck.seen | {pair.U}


def test_nobody_else_reads_a_card_that_is_shown(table: CardTable) -> None:
    deck, pair = shown_to(table.deck, 0, 1, 2, DOMAIN, showing(table, 0, 1, 2))
    with refused(Check.PLAINTEXT):
        read_shown(deck, 1, table.secrets[1], pair)
    with refused(Check.PLAINTEXT):
        read_shown(deck, 0, table.secrets[0], pair)  # nor its owner, who need not
    with pytest.raises(DeckUseError):
        read_shown(deck, 1, table.secrets[2], pair)


def test_a_card_can_be_shown_again_and_to_another_seat(table: CardTable) -> None:
    held = read(table.deck, 0, table.secrets[0]).hand[0]
    assert [table.show(0, 0, reader) for reader in (1, 1, 2)] == [held] * 3


def test_every_damaged_showing_is_refused(table: CardTable) -> None:
    data = showing(table, 0, 1, 2)
    refuse_all_damage(data, lambda got: shown_to(table.deck, 0, 1, 2, DOMAIN, got))


def test_a_showing_is_refused_in_any_other_place(table: CardTable) -> None:
    """Attack 5."""
    data = showing(table, 0, 1, 2)
    deck, _ = shown_to(table.deck, 0, 1, 2, DOMAIN, data)
    for seat, slot, reader, domain in (
        (0, 1, 2, b"other"),
        (0, 0, 2, DOMAIN),
        (0, 1, 1, DOMAIN),
        (1, 1, 2, DOMAIN),
    ):
        with refused(Check.REKEY_PROOF):
            shown_to(table.deck, seat, slot, reader, domain, data)
    with refused(Check.FIRST_COMPONENT):
        shown_to(deck, 0, 1, 2, DOMAIN, data)


def test_another_card_than_the_one_in_the_slot_cannot_be_shown() -> None:
    """Attack 15: neither the other own card nor one that the reader would like to see."""
    table = CardTable.dealt(2, [0, 1, 2, 3, 4])
    unheld = next(kind for kind in range(5) if kind not in table.hand(0))
    public, target, secret = table.deck.keys[0], table.deck.keys[1], table.secrets[0]
    shown, other = table.deck.face_down(0)
    scope = subdomain(DOMAIN, "show", 0, 0, 1)
    swapped, s = rekey(scope, other, secret, target, table.randomness)
    lie = Pair(multiply_base(s), add(table.deck.plaintexts[unheld], multiply(s, target)))
    for after in (swapped, lie):
        proof = prove_rekey(scope, public, target, shown, after, secret, s, table.randomness)
        with refused(Check.REKEY_PROOF):
            shown_to(table.deck, 0, 0, 1, DOMAIN, encode_pairs([after]) + proof.encode())


def test_showings_that_make_no_sense_are_our_own_mistake(table: CardTable) -> None:
    secret, randomness = table.secrets[0], table.randomness
    table.open(0, [1])
    for slot, reader in ((0, 0), (0, 3), (1, 2), (2, 2), (-1, 2)):
        with pytest.raises(DeckUseError):
            show_to(table.deck, 0, secret, slot, reader, DOMAIN, randomness)
        with pytest.raises(DeckUseError):
            shown_to(table.deck, 0, slot, reader, DOMAIN, b"")
    with pytest.raises(DeckUseError):
        show_to(table.deck, 0, table.secrets[1], 0, 2, DOMAIN, randomness)
