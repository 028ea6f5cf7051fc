"""Seats are gone for good: the others make a new Court of every card that nobody holds."""

from collections import Counter
from typing import NamedTuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from p2pcoup.deck import (
    Check,
    DeckUseError,
    Deducting,
    Draw,
    Scalar,
    begin_recovery,
    check_flags,
    check_shares,
    deduct,
    deducted,
    give_flags,
    give_shares,
    mix,
    mixed,
    recovered,
)
from p2pcoup.deck.group import IDENTITY
from tests.deck.damage import refused
from tests.deck.seats import CardTable

DOMAIN = b"game, round, seat"
FIVE_KINDS = [kind for kind in range(5) for _ in range(3)]
SIX_KINDS = [kind for kind in range(6) for _ in range(3)]


class Situation(NamedTuple):
    """What lies where when some seats are gone."""

    cards: list[int]
    hands: list[list[int | None]]
    drawn: list[list[int]]
    face_up: list[int]
    lost: set[int]

    @property
    def unheld(self) -> list[int]:
        """What nobody holds that is left, and is not face up: sorted kinds."""
        counted = Counter(self.cards) - Counter(self.face_up)
        for seat in set(range(len(self.hands))) - self.lost:
            counted -= Counter([*self.hands[seat], *self.drawn[seat]])
        return sorted(counted.elements())

    def table(self) -> CardTable:
        return CardTable.arranged(self.cards, self.hands, self.drawn, self.face_up)


@st.composite
def situations(draw: st.DrawFn) -> Situation:
    """Any cards, up to three copies of up to six kinds; anything held, drawn, face up, lost."""
    copies = draw(st.lists(st.integers(1, 3), min_size=2, max_size=6))
    cards = [kind for kind, count in enumerate(copies) for _ in range(count)]
    pile = draw(st.permutations(cards))
    seats = draw(st.integers(3, 6))

    def take(most: int) -> list[int]:
        count = draw(st.integers(0, min(most, len(pile))))
        taken, pile[:count] = pile[:count], []
        return taken

    face_up = take(len(pile) // 2)
    held = [take(2) for _ in range(seats)]
    drawn = [take(2) if draw(st.integers(0, 5)) == 0 else [] for _ in range(seats)]
    hands: list[list[int | None]] = [
        draw(st.permutations([*kinds, *[None] * (2 - len(kinds))])) for kinds in held
    ]
    lost = draw(st.sets(st.integers(0, seats - 1), min_size=1, max_size=seats - 2))
    return Situation(cards, hands, drawn, face_up, lost)


THREE_LOST = Situation(
    FIVE_KINDS, [[0, 1], [4, 4], [None, 2], [0, 0], [3, None], [1, 3]], [[]] * 6, [2, 1], {0, 3, 5}
)
MID_EXCHANGE = Situation(
    SIX_KINDS, [[5, 0], [1, 1], [2, 3], [4, 4]], [[], [1, 5], [], []], [0, 5], {2}
)


@settings(max_examples=25)
@given(situations())
@example(THREE_LOST)
@example(MID_EXCHANGE)
def test_the_new_court_is_exactly_what_no_survivor_holds(situation: Situation) -> None:
    table = situation.table()
    before = table.deck
    table.recover(situation.lost)
    deck = table.deck
    assert sorted(table.court()) == situation.unheld
    assert set(deck.keys) == set(before.keys) - situation.lost
    assert deck.face_up == before.face_up
    assert deck.copies == before.copies
    for seat, hand in before.hands.items():
        lost = seat in situation.lost
        assert deck.hands[seat] == ((None, None) if lost else hand)
        assert deck.drawn.get(seat) == (None if lost else before.drawn.get(seat))
    firsts = [pair.U for pair in deck.court]
    assert len(set(firsts)) == len(firsts)
    assert not set(firsts) & before.seen
    assert set(firsts) | before.seen <= deck.seen


@pytest.mark.parametrize("situation", [MID_EXCHANGE, THREE_LOST])
def test_nothing_but_the_number_of_cards_left_shows_in_the_sizes(situation: Situation) -> None:
    """Cards that are held are exchanged for others; what is public stays, and so do all sizes."""
    sizes, results = [], []
    hidden = list((Counter(situation.cards) - Counter(situation.face_up)).elements())
    for order in (hidden, hidden[::-1], hidden[1::2] + hidden[::2]):
        rest = iter(order)
        hands = [[None if k is None else next(rest) for k in hand] for hand in situation.hands]
        drawn = [[next(rest) for _ in kinds] for kinds in situation.drawn]
        table = situation._replace(hands=hands, drawn=drawn).table()
        table.recover(situation.lost)
        sizes.append([len(data) for data in table.recovery])
        results.append(table.court())
    assert len(set(map(tuple, map(sorted, results)))) == 3
    assert sizes[0] == sizes[1] == sizes[2]
    n = len(hidden)
    kinds = len(set(hidden))
    survivors = [seat for seat in range(len(situation.hands)) if seat not in situation.lost]
    held = [len(table.deck.held(seat)) for seat in survivors]
    deducts = [count * (64 * n + 96 * kinds) for count in held if count]
    mixes, flags = [256 * n + 192] * len(survivors), [32 * n + 64] * len(survivors)
    assert sizes[0] == deducts + mixes + flags


def test_a_new_court_is_drawn_from_and_left_as_any_other() -> None:
    table = CardTable.arranged(FIVE_KINDS, [[0, 0], [1, 2], [3, None], [None, None]], face_up=[3])
    table.recover([0])
    unheld = table.court()
    assert Counter(unheld) == Counter(FIVE_KINDS) - Counter([1, 2, 3, 3])
    table.draw([Draw(2, 1), Draw(1, None)])
    assert table.hand(2) == [3, unheld[0]]
    assert table.hand(1) == [1, 2, unheld[1]]
    table.leave(3)
    assert table.court() == unheld[2:]
    table.exchange(1, [1, 2])
    table.shuffle_all()
    assert table.hand(1) in ([2, unheld[1]], [unheld[1], 2])
    assert table.everything() == FIVE_KINDS


def test_an_exchange_that_was_begun_goes_on_with_the_new_court() -> None:
    table = CardTable.arranged(FIVE_KINDS, [[0, 1], [2, 2], [3, 4]], drawn=[[2, 4], [], []])
    before = table.deck
    table.recover([1])
    assert table.deck.hands[0] == before.hands[0]
    table.exchange(0, [2, 3])
    table.shuffle_all()
    assert sorted(table.hand(0)) == [2, 4]
    assert table.everything() == FIVE_KINDS


def test_a_draw_without_all_shares_is_void_and_its_card_returns() -> None:
    cards = [0, 1, 2, 3, 4]
    table = CardTable.dealt(3, cards, hand_size=1)
    draws, domain = [Draw(0, 1)], table.domain()
    top = table.court()[0]
    share = give_shares(table.deck, 1, table.secrets[1], draws, domain, table.randomness)
    check_shares(table.deck, 1, draws, domain, share)
    table.recover([2])
    assert top in table.court()
    assert sorted(table.court()) == sorted(set(cards) - set(table.hand(0)) - set(table.hand(1)))
    with refused(Check.SHARE_PROOF):
        check_shares(table.deck, 1, draws, domain, share)
    table.draw(draws)
    assert table.everything() == cards


def test_a_card_that_was_proven_and_went_back_is_in_the_new_court() -> None:
    table = CardTable.arranged([0, 0, 1, 1, 2, 2], [[0, 0], [1, None], [2, 2]])
    (proven,) = table.open(1, [0])
    table.return_open(proven)
    assert IDENTITY in [pair.U for pair in table.deck.court]
    table.recover([2])
    assert sorted(table.court()) == [1, 1, 2, 2]
    assert IDENTITY not in [pair.U for pair in table.deck.court]
    table.draw([Draw(1, 0)])


def test_a_seat_without_cards_that_has_not_left_helps_and_may_itself_be_lost() -> None:
    hands = [[0, 1], [None, None], [2, 3], [4, None]]
    table = CardTable.arranged(FIVE_KINDS, hands, face_up=[0])
    phase = begin_recovery(table.deck, [3])
    assert phase.waiting == (0, 2)
    assert phase.deck.court == ()
    table.recover([3])
    assert set(table.deck.keys) == {0, 1, 2}
    assert len(table.recovery) == 2 + 3 + 3
    unheld = sorted(table.court())
    table.recover([1])
    assert sorted(table.court()) == unheld
    assert set(table.deck.keys) == {0, 2}


def test_seats_may_go_one_after_the_other_down_to_two() -> None:
    hands = [[0, 1], [2, 3], [4, 0], [1, 2], [3, 4]]
    table = CardTable.arranged(FIVE_KINDS, hands)
    for seat in (4, 0, 2):
        table.recover([seat])
        assert table.everything() == FIVE_KINDS
    assert set(table.deck.keys) == {1, 3}
    assert Counter(table.court()) == Counter(FIVE_KINDS) - Counter([2, 3, 1, 2])
    with pytest.raises(DeckUseError):
        begin_recovery(table.deck, [1])


# --- a survivor vanishes in the middle ------------------------------------------------------------


def points(messages: list[bytes]) -> set[bytes]:
    """All fields of the messages."""
    return {data[i : i + 32] for data in messages for i in range(0, len(data), 32)}


def test_a_recovery_begins_again_from_the_old_deck_when_another_seat_goes() -> None:
    table = CardTable.arranged(FIVE_KINDS, [[0, 0], [1, 1], [2, 2], [3, 4]], face_up=[4])
    old = table.deck
    table.recover_until_shares([3])
    aborted = table.recovery
    assert table.deck == old
    table.rounds = 0  # the same domains, the same seed: only what is proven is different
    table.recover([3, 2])
    assert Counter(table.court()) == Counter(FIVE_KINDS) - Counter([0, 0, 1, 1, 4])
    assert not points(aborted) & points(table.recovery)


def test_nothing_of_an_aborted_recovery_is_accepted_in_the_next() -> None:
    table = CardTable.arranged([0, 0, 1, 1, 2], [[0], [1], [2], [None]])
    table.recover_until_shares([3])
    from_seat_0 = table.recovery[0]
    phase = begin_recovery(table.deck, [2])
    for domain in (b"test, round 1", DOMAIN):
        with refused(Check.DECREMENT_PROOF):
            deducted(phase, 0, domain, from_seat_0)


# --- where nothing is hidden ----------------------------------------------------------------------


def test_nobody_speaks_when_all_cards_are_face_up() -> None:
    table = CardTable.arranged([0, 1], [[None], [None], [None]], face_up=[1, 0])
    table.recover([1])
    assert table.recovery == []
    assert table.deck.court == ()
    assert table.deck.face_up == (1, 0)


def test_nobody_deducts_when_nobody_holds_a_card() -> None:
    table = CardTable.arranged([0, 1, 1], [[None], [0], [None]], face_up=[1])
    assert begin_recovery(table.deck, [1]).waiting == ()
    table.recover([1])
    assert sorted(table.court()) == [0, 1]


def test_the_new_court_is_empty_when_the_survivors_hold_all() -> None:
    table = CardTable.arranged([0, 0, 1], [[0], [1], [None]], face_up=[0])
    table.recover([2])
    assert table.court() == []
    assert len(table.recovery) == 2 + 2 + 2


# --- our own mistakes -----------------------------------------------------------------------------


@pytest.fixture
def small() -> CardTable:
    """Three seats; seat 2 will be lost. Two survivors hold a card each."""
    return CardTable.arranged([0, 0, 1], [[0], [1], [0]])


@pytest.mark.parametrize("lost", [[], [7], [0, 1], [0, 1, 2], [2, 9]])
def test_a_recovery_needs_lost_seats_and_two_that_are_left(
    small: CardTable, lost: list[int]
) -> None:
    with pytest.raises(DeckUseError):
        begin_recovery(small.deck, lost)


def test_a_deck_with_picked_cards_cannot_be_recovered() -> None:
    """Nobody knows which card came in, so nobody knows which cards there are."""
    table = CardTable.of(3, [0, 1, 2])
    assert table.deck.copies == (1, 1, 1, 0, 0)
    table.pick(0, [0, 1, 2, 3], 2, 0)
    assert table.deck.copies is None
    with pytest.raises(DeckUseError):
        begin_recovery(table.deck, [1])


def test_a_deck_knows_its_copies_through_all_other_steps() -> None:
    table = CardTable.dealt(3, [0, 0, 1, 1, 2, 3, 4, 4], hand_size=1)
    copies = table.deck.copies
    assert copies == (2, 2, 1, 1, 2)
    table.draw([Draw(0, None)])
    table.exchange(0, [0])
    table.return_open(table.open(0, [0])[0])
    table.recover([1])
    table.leave(0)
    assert table.deck.copies == copies


def test_seats_speak_in_turn_and_with_their_own_secret(small: CardTable) -> None:
    phase, rnd, secrets = begin_recovery(small.deck, [2]), small.randomness, small.secrets
    wrong_turns: list[tuple[Deducting, int, Scalar]] = [
        (phase, 1, secrets[1]),
        (phase, 2, secrets[2]),
        (phase, 0, secrets[1]),
    ]
    for turn, seat, secret in wrong_turns:
        with pytest.raises(DeckUseError):
            deduct(turn, seat, secret, DOMAIN, rnd)
    with pytest.raises(DeckUseError):
        deducted(phase, 1, DOMAIN, b"")
    with pytest.raises(DeckUseError):
        phase.mixing()
    for seat in (0, 1):
        phase = deducted(phase, seat, DOMAIN, deduct(phase, seat, secrets[seat], DOMAIN, rnd))
    with pytest.raises(DeckUseError):
        deduct(phase, 0, secrets[0], DOMAIN, rnd)
    mixing = phase.mixing()
    with pytest.raises(DeckUseError):
        mix(mixing, 1, DOMAIN, rnd)
    with pytest.raises(DeckUseError):
        mixed(mixing, 2, DOMAIN, b"")
    with pytest.raises(DeckUseError):
        mixing.revealing()
    for seat in (0, 1):
        mixing = mixed(mixing, seat, DOMAIN, mix(mixing, seat, DOMAIN, rnd))
    revealing = mixing.revealing()
    with pytest.raises(DeckUseError):
        give_flags(revealing, 0, secrets[1], DOMAIN, rnd)
    with pytest.raises(DeckUseError):
        check_flags(revealing, 2, DOMAIN, b"")


def test_a_court_needs_all_shares_and_checked_ones(small: CardTable) -> None:
    revealing, shares = small.recover_until_shares([2])
    for wrong in (
        {},
        {0: shares[0]},
        {**shares, 2: shares[0]},
        {**shares, 1: shares[1][:2]},
        {**shares, 1: shares[0]},
    ):
        with pytest.raises(DeckUseError):
            recovered(revealing, wrong)
    assert len(recovered(revealing, shares).court) == 1
