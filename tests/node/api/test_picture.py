"""The picture of a game: all that is public, one's own cards, and nothing else."""

import copy
import random
from dataclasses import replace

import pytest

from p2pcoup.lobby.limits import GAME_RANDOM_BYTES
from p2pcoup.node.api.chronicle import Chronicle
from p2pcoup.node.api.picture import (
    Sight,
    game_picture,
    outcome_picture,
    stage_picture,
)
from p2pcoup.rules import BASE, Act, Lost, Seat, Setup, pending, start
from tests.node.api.sights import SOME_TABLES, moments, sight, terms_of
from tests.rules.dealer import Dealer
from tests.rules.random_games import TABLES, Table
from tests.table.party import GAMES, played

OWN = {"you", "hand", "drawn", "aside", "returned", "examined"}
THREE = next(table for table in TABLES if str(table) == "base-3")


@pytest.mark.parametrize("table", SOME_TABLES, ids=str)
def test_cards_that_a_seat_does_not_know_can_be_swapped_and_its_picture_stays_the_same(
    table: Table,
) -> None:
    luck, terms, swaps = random.Random(7), terms_of(table), 0
    for number, (dealer, state, chronicle, _) in enumerate(moments(1, table)):
        if number % 3:
            continue
        seat = luck.randrange(table.seats)
        seen = game_picture(sight(terms, dealer, state, seat), chronicle)
        swapped = copy.deepcopy(dealer)
        swaps += swap_two_hidden(swapped, state, seat, luck)
        assert game_picture(sight(terms, swapped, state, seat), chronicle) == seen
    assert swaps > 3, "this game had nothing to swap"


def swap_two_hidden(dealer: Dealer, state, seat: int, luck: random.Random) -> int:
    """Exchange two unequal cards that this seat has not seen; 0 if there are none."""
    places = [(dealer.court, at) for at in range(len(dealer.court))]
    for other, hand in enumerate(dealer.hands):
        if other != seat and hand:
            places += [(hand, slot) for slot in state.face_down(Seat(other)) if slot < len(hand)]
    if dealer.drawn and seat != state.turn:
        places += [(dealer.drawn, at) for at in range(len(dealer.drawn))]
    luck.shuffle(places)
    for one, at in places:
        for two, there in places:
            if one[at] != two[there]:
                one[at], two[there] = two[there], one[at]
                return 1
    return 0


@pytest.mark.parametrize("table", SOME_TABLES, ids=str)
def test_who_only_watches_sees_no_card_that_is_not_face_up(table: Table) -> None:
    terms = terms_of(table)
    for dealer, state, chronicle, _ in moments(2, table):
        picture = game_picture(sight(terms, dealer, state, None), chronicle)
        assert all(not picture[own] for own in OWN - {"you"})
        assert picture["you"] is None
        for seat in picture["seats"]:
            up = [None if card is None else card.name for card in state.slots[seat["seat"]]]
            assert seat["cards"] == up


@pytest.mark.parametrize("table", SOME_TABLES, ids=str)
def test_a_seat_sees_its_own_cards_and_the_counts_fit(table: Table) -> None:
    terms = terms_of(table)
    for dealer, state, chronicle, _ in moments(3, table):
        for seat in state.living:
            picture = game_picture(sight(terms, dealer, state, seat), chronicle)
            if dealer.hands[seat]:
                assert picture["hand"] == [card.name for card in dealer.hands[seat]]
            drawn = dealer.drawn if seat == state.turn else []
            assert picture["drawn"] == [card.name for card in drawn]
            assert picture["returned"] == [c.name for c in dealer.returned.get(seat, ())]
            assert picture["court"] == len(dealer.court)
            coins = sum(each["coins"] for each in picture["seats"])
            assert coins + picture["treasury"] == table.edition.coin_supply


@pytest.mark.parametrize("table", SOME_TABLES, ids=str)
def test_the_stage_names_what_is_decided_and_whom_the_game_waits_for(table: Table) -> None:
    terms = terms_of(table)
    for dealer, state, chronicle, _ in moments(4, table):
        stage = stage_picture(sight(terms, dealer, state, None), chronicle)
        asked = pending(state)
        if state.outcome is not None:
            assert stage["kind"] == "result"
        elif asked:
            assert stage["kind"] == asked[0].kind.value
            assert stage["waiting_for"] == [decision.seat for decision in asked]
        else:
            assert stage["kind"] == "cards"


def test_the_action_of_a_turn_is_shown_until_the_turn_is_over() -> None:
    terms, act = terms_of(THREE), None
    for dealer, state, chronicle, step in moments(5, THREE):
        stage = stage_picture(sight(terms, dealer, state, None), chronicle)
        if isinstance(step.event, Act):
            act = step.event
        if stage["kind"] == "act":
            assert stage["act"] is None
        elif act is not None and stage["act"] is not None:
            assert stage["act"]["seat"] == act.seat
            assert stage["act"]["action"] == act.action.name
            assert stage["act"]["target"] == act.target


def test_before_the_deal_the_picture_has_names_and_no_cards() -> None:
    table = next(table for table in TABLES if table.options.setup is Setup.SET_OF_FIVE)
    for each, court in ((THREE, 15), (table, 5)):
        terms = terms_of(each)
        dealer = Dealer(random.Random(0), [], [[] for _ in range(each.seats)])
        before = replace(sight(terms, dealer, start_of(each), None), state=None)
        picture = game_picture(before, Chronicle())
        assert picture["order"] == list(range(each.seats))
        assert [seat["cards"] for seat in picture["seats"]] == [[]] * each.seats
        assert (picture["court"], picture["treasury"], picture["turn"]) == (court, 50, None)
        assert stage_picture(before, Chronicle())["kind"] == "setup"


def start_of(table: Table):
    return start(table.edition, table.seats, range(table.seats), Seat(0), table.options)


@pytest.mark.parametrize(
    ("game", "shown"),
    [
        ("friday, game 1", "friday, game 1"),
        (f"Ash's table {'0a' * GAME_RANDOM_BYTES}", "Ash's table"),
        (f"Ash's table {'0a' * GAME_RANDOM_BYTES} (game 2)", "Ash's table"),
        ("0a" * GAME_RANDOM_BYTES, "0a" * GAME_RANDOM_BYTES),
    ],
)
def test_a_table_is_called_as_people_call_it(game: str, shown: str) -> None:
    terms = replace(terms_of(THREE), game=game)
    before = Sight(terms, None, None, None, (), ())
    assert game_picture(before, Chronicle())["table"] == shown


def test_a_lost_seat_and_one_that_cheated_are_told_apart_from_one_that_was_beaten() -> None:
    state = start_of(THREE)
    dealer = Dealer.deal(state, random.Random(1))
    after = dealer.play(state, Lost(Seat(1)))
    seen = sight(terms_of(THREE), dealer, after, 0)
    for caught, status in ((frozenset(), "lost"), (frozenset({Seat(1)}), "caught")):
        one = replace(seen, lost=frozenset({Seat(1)}), caught=caught)
        assert [s["status"] for s in game_picture(one, Chronicle())["seats"]] == [
            "playing",
            status,
            "playing",
        ]
    locked = replace(seen, lost=frozenset({Seat(1)}), holders=frozenset(map(Seat, range(3))))
    assert stage_picture(locked, Chronicle())["kind"] == "recovery"


def test_the_outcome_says_whether_the_last_opponent_was_lost_or_beaten() -> None:
    two = next(table for table in TABLES if str(table) == "base-2")
    state = start_of(two)
    dealer = Dealer.deal(state, random.Random(1))
    assert outcome_picture(sight(terms_of(two), dealer, state, 0), None, "pending") is None
    after = dealer.play(state, Lost(Seat(1)))
    lost = outcome_picture(sight(terms_of(two), dealer, after, 0), "a file", "valid")
    assert lost == {
        "winner": 0,
        "by_absence": True,
        "transcript": "a file",
        "audit": "valid",
        "flaw": None,
        "told": "Ash wins the game.",
        "how": {
            "text": "Ash wins the game.",
            "template": "{who} wins the game.",
            "args": {"who": "Ash"},
        },
    }
    for dealer, state, _, _ in moments(1, Table(BASE, two.options, 2)):
        end = outcome_picture(sight(terms_of(two), dealer, state, None), None, "pending")
    assert end is not None
    assert end["winner"] == state.living[0]
    assert end["by_absence"] is False


@pytest.mark.parametrize("game", GAMES[2:], ids=lambda game: f"{game[0]} seats, seed {game[1]}")
def test_in_a_game_with_real_cards_all_seats_have_the_same_public_picture(game) -> None:
    """The end of a game that was played with proofs, as every seat's own table has it."""
    party = played(*game)
    pictures = []
    for seat, table in enumerate(party.tables):
        public = table.game
        chronicle = Chronicle.of(public.happened)
        seen = Sight(party.terms, Seat(seat), public.state, None, public.history, ())
        picture = game_picture(seen, chronicle)
        for each in picture["seats"]:
            del each["link"]
        pictures.append({key: value for key, value in picture.items() if key not in OWN})
    assert all(picture == pictures[0] for picture in pictures)


def test_the_first_turn_is_counted_before_anything_has_happened_in_it() -> None:
    two = next(table for table in TABLES if str(table) == "base-2")
    state = start_of(two)
    first = sight(terms_of(two), Dealer.deal(state, random.Random(1)), state, 0)
    assert game_picture(first, Chronicle())["turns"] == 1
