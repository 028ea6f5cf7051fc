"""The deck as public state: how it begins, and what it remembers."""

from dataclasses import FrozenInstanceError

import pytest

from p2pcoup.deck import (
    Check,
    DeckUseError,
    Draw,
    Pair,
    Point,
    Scalar,
    card_plaintexts,
    new_deck,
)
from p2pcoup.deck.deck import kind_of, own_key, with_fresh
from p2pcoup.deck.group import (
    BASE,
    IDENTITY,
    add,
    decode_point,
    hash_to_point,
    multiply_base,
    reduce_scalar,
    subtract,
    sum_points,
)
from p2pcoup.deck.rows import MAX_ROWS
from tests.deck.damage import refused
from tests.deck.seats import LABELS, CardTable

KEYS = {seat: multiply_base(Scalar(1000 + seat)) for seat in range(3)}
PLAINTEXTS = card_plaintexts(LABELS)


# --- plaintexts -----------------------------------------------------------------------------------


def test_a_card_is_the_hash_of_its_label() -> None:
    for label, plaintext in zip(LABELS, PLAINTEXTS, strict=True):
        assert plaintext == hash_to_point(b"card", label.encode())
        assert decode_point(plaintext) == plaintext


def test_no_relation_between_cards_is_built_in() -> None:
    """Attack 1: cards i*B, or cards that sum up to each other, show a permutation."""
    multiples, point = set(), IDENTITY
    for _ in range(500):
        point = add(point, BASE)
        multiples |= {point, subtract(IDENTITY, point)}
    for one in PLAINTEXTS:
        assert one not in multiples
        for other in PLAINTEXTS:
            assert add(one, other) not in PLAINTEXTS
            assert subtract(one, other) not in multiples
            assert subtract(IDENTITY, one) != other


def test_copies_of_a_kind_are_one_and_the_same_plaintext() -> None:
    """Attack 16."""
    deck = new_deck(PLAINTEXTS, [0, 0, 0, 1], KEYS)
    assert deck.court[0] == deck.court[1] == deck.court[2] != deck.court[3]


def test_kinds_without_a_label_of_their_own_are_our_own_mistake() -> None:
    for labels in ([], ["a", "a"], ["a", "b", "a"]):
        with pytest.raises(DeckUseError):
            card_plaintexts(labels)


# --- a new deck -----------------------------------------------------------------------------------


def test_a_new_deck_lies_open_in_the_court_and_all_hands_are_empty() -> None:
    deck = new_deck(PLAINTEXTS, [3, 1, 1], KEYS, hand_size=3)
    assert deck.court == tuple(Pair(IDENTITY, PLAINTEXTS[kind]) for kind in (3, 1, 1))
    assert deck.hands == dict.fromkeys(range(3), (None, None, None))
    assert deck.joint_key == sum_points(KEYS.values()) == multiply_base(Scalar(3003))
    assert not deck.drawn
    assert not deck.face_up
    assert deck.seen == {IDENTITY}
    assert deck.face_down(0) == deck.face_down(99) == ()


def test_a_deck_cannot_be_changed() -> None:
    deck = new_deck(PLAINTEXTS, [0], KEYS)
    with pytest.raises(FrozenInstanceError):
        deck.court = ()  # type: ignore[misc]
    for mapping in (deck.keys, deck.hands, deck.drawn):
        with pytest.raises(TypeError):
            mapping[0] = IDENTITY  # type: ignore[index]
    keys = dict(KEYS)
    deck = new_deck(PLAINTEXTS, [0], keys)
    del keys[1]
    assert set(deck.keys) == {0, 1, 2}


def test_a_copied_key_is_refused() -> None:
    """Attack 3."""
    with refused(Check.KEYS):
        new_deck(PLAINTEXTS, [0], {0: KEYS[0], 1: KEYS[1], 2: KEYS[0]})


def test_keys_that_cancel_out_are_refused() -> None:
    """Attack 3: under the identity as joint key every card would lie open."""
    opposite = multiply_base(reduce_scalar(-2001))  # 1000 + 1001 and this are nothing
    with refused(Check.KEYS):
        new_deck(PLAINTEXTS, [0], {0: KEYS[0], 1: KEYS[1], 2: opposite})
    with refused(Check.KEYS):
        new_deck(PLAINTEXTS, [0], {0: KEYS[0], 1: subtract(IDENTITY, KEYS[0])})


@pytest.mark.parametrize("kinds", [[], [0] * (MAX_ROWS + 1), [5], [-1]])
def test_a_deck_of_no_cards_too_many_or_unknown_ones_is_our_own_mistake(kinds: list[int]) -> None:
    with pytest.raises(DeckUseError):
        new_deck(PLAINTEXTS, kinds, KEYS)


def test_a_deck_of_one_seat_is_our_own_mistake() -> None:
    for keys in ({}, {0: KEYS[0]}):
        with pytest.raises(DeckUseError):
            new_deck(PLAINTEXTS, [0], keys)


# --- what it remembers ----------------------------------------------------------------------------


def some_pairs(count: int) -> list[Pair]:
    return [Pair(multiply_base(Scalar(70 + i)), PLAINTEXTS[0]) for i in range(count)]


def test_a_first_component_comes_only_once_in_a_game() -> None:
    """Attack 11."""
    deck = new_deck(PLAINTEXTS, [0], KEYS)
    one, two, three = some_pairs(3)
    later = with_fresh(deck, [one, two])
    assert later.seen == {IDENTITY, one.U, two.U}
    assert deck.seen == {IDENTITY}
    for repeated in ([one], [three, two], [three, three], [Pair(IDENTITY, one.V)]):
        with refused(Check.FIRST_COMPONENT):
            with_fresh(later, repeated)
    assert with_fresh(later, [three]).seen == {IDENTITY, one.U, two.U, three.U}


def test_no_first_component_is_ever_used_twice_in_a_long_game() -> None:
    """Attack 11: after every step all pairs anywhere in the deck have their own."""
    table = CardTable.dealt(3, [0, 1, 2, 3, 4, 0, 1, 2, 3])
    ever: set[Point] = set()

    def watch() -> None:
        deck = table.deck
        drawn = [pair for pairs in deck.drawn.values() for pair in pairs]
        hands = [pair for seat in deck.hands for pair in deck.face_down(seat)]
        firsts = [pair.U for pair in (*deck.court, *drawn, *hands)]
        hidden = [first for first in firsts if first != IDENTITY]
        assert len(set(hidden)) == len(hidden)
        assert set(firsts) <= deck.seen
        ever.update(hidden)

    watch()
    for keep in ([0, 2], [1, 3]):
        table.draw([Draw(0, None), Draw(0, None)])
        watch()
        table.exchange(0, keep)
        watch()
        table.shuffle_all()
        watch()
    table.show(1, 0, 2)
    table.return_open(*table.open(1, [0]))
    table.shuffle_all()
    table.draw([Draw(1, 0)])
    watch()
    assert table.everything() == [0, 0, 1, 1, 2, 2, 3, 3, 4]
    assert ever < table.deck.seen  # it also remembers what never came to rest


def test_a_plaintext_that_is_no_card_is_refused() -> None:
    """Attack 1: only the agreed cards exist."""
    deck = new_deck(PLAINTEXTS, [0], KEYS)
    assert [kind_of(deck, plaintext) for plaintext in PLAINTEXTS] == [0, 1, 2, 3, 4]
    for stranger in (BASE, hash_to_point(b"card", b"purple"), add(*PLAINTEXTS[:2]), IDENTITY):
        with refused(Check.PLAINTEXT):
            kind_of(deck, stranger)


def test_a_secret_of_another_seat_is_our_own_mistake() -> None:
    deck = new_deck(PLAINTEXTS, [0], KEYS)
    assert own_key(deck, 1, Scalar(1001)) == KEYS[1]
    with pytest.raises(DeckUseError):
        own_key(deck, 1, Scalar(1000))
    with pytest.raises(DeckUseError):
        own_key(deck, 3, Scalar(1000))
