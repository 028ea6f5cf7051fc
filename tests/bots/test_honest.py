"""The honest bot, decision by decision."""

import random

import pytest

from p2pcoup.bots import honest
from p2pcoup.rules import INQUISITOR, Options, Seat, Setup, start
from tests.bots.tables import Position, position
from tests.rules.dealer import Dealer


def choices(game: Position, seat: int) -> set[str]:
    return game.choices(honest, seat)


# --- its turn -------------------------------------------------------------------------------------


def test_it_acts_as_what_it_holds_and_as_nothing_else() -> None:
    assert choices(position(["duke contessa", "captain captain"], "2,2"), 0) == {"0 tax"}
    assert choices(position(["contessa contessa", "duke duke"], "2,2"), 0) == {"0 foreign-aid"}
    assert choices(position(["captain contessa", "duke duke"], "2,2"), 0) == {"0 steal 1"}


def test_a_card_that_is_face_up_is_no_claim_any_more() -> None:
    game = position(["duke contessa", "captain captain"], "2,2", cards="duke,? ?,?")
    assert "0 tax" not in choices(game, 0)


def test_with_ten_coins_it_coups() -> None:
    game = position(["duke contessa", "captain captain", "duke captain"], "10,2,3")
    assert choices(game, 0) == {"0 coup 2"}


def test_with_seven_coins_it_coups_the_strongest() -> None:
    hands = ["duke contessa", "captain captain", "duke captain", "assassin assassin"]
    assert choices(position(hands, "7,5,4,3"), 0) == {"0 coup 1"}
    assert choices(position(hands, "7,5,4,3", cards="?,? captain,? ?,? ?,?"), 0) == {"0 coup 2"}
    assert choices(position(hands, "7,5,5,3"), 0) == {"0 coup 1", "0 coup 2"}


def test_on_its_last_card_it_strikes_down_who_could_strike_next() -> None:
    hands = ["duke contessa", "captain captain", "duke captain"]
    cards = "?,contessa captain,? ?,?"
    assert choices(position(hands, "7,7,5", cards=cards), 0) == {"0 coup 1"}
    assert choices(position(hands, "7,6,5", cards=cards), 0) == {"0 coup 2"}


def test_on_its_last_card_it_steals_the_price_of_a_coup() -> None:
    hands = ["captain contessa", "duke duke", "duke captain"]
    cards = "?,contessa ?,? ?,?"
    assert choices(position(hands, "2,7,2", cards=cards), 0) == {"0 steal 1"}
    assert choices(position(hands, "6,8,6", cards=cards), 0) == {"0 steal 1"}


def test_it_assassinates_early_and_not_whom_it_believes_to_be_safe() -> None:
    hands = ["assassin contessa", "captain captain", "contessa captain"]
    assert choices(position(hands, "3,2,2"), 0) == {"0 assassinate 1", "0 assassinate 2"}
    game = position(hands, "6,2,2", "0 assassinate 2", "all pass", "2 block contessa", "all pass")
    game.then("1 income", "2 income")
    assert choices(game, 0) == {"0 assassinate 1"}


def test_a_strike_that_cannot_be_blocked_any_more_is_a_sure_one() -> None:
    hands = ["assassin contessa", "contessa captain", "contessa captain"]
    game = position(hands, "3,9,2", cards="?,contessa contessa,? contessa,?")
    assert choices(game, 0) == {"0 assassinate 1"}


def test_it_does_not_try_for_ever_what_is_blocked_every_time() -> None:
    game = position(["captain captain", "captain contessa"], "2,2")
    for _ in range(3):
        game.then("0 steal 1", "1 pass", "1 block captain", "0 pass", "1 steal 0", "0 pass")
        game.then("0 block captain", "1 pass")
    assert choices(game, 0).isdisjoint({"0 steal 1"})


def test_it_exchanges_a_poor_hand_and_not_a_good_one() -> None:
    poor = ["ambassador ambassador", "duke duke", "duke captain"]
    game = position(poor, "2,0,0", "0 income", "1 income", "2 foreign-aid")
    game.then("0 pass", "1 block duke", "all pass")
    assert choices(game, 0) == {"0 exchange"}
    assert choices(position(["duke ambassador", "captain captain"], "2,2"), 0) == {"0 tax"}


# --- challenges -----------------------------------------------------------------------------------


def test_it_challenges_a_claim_whose_copies_it_all_sees() -> None:
    hands = ["captain assassin", "duke contessa", "duke duke"]
    cards = "?,? ?,? duke,duke"
    game = position([*hands, "captain contessa"], "2,2,0,2", "0 tax", cards=cards + " ?,?")
    assert choices(game, 1) == {"1 challenge"}  # two face up and one in its own hand
    assert choices(game, 3) == {"3 pass"}  # two face up: the third may well be there


def test_it_challenges_a_block_whose_copies_it_all_sees() -> None:
    hands = ["assassin contessa", "duke captain", "contessa contessa"]
    cards = "?,? ?,? contessa,contessa"
    game = position(hands, "3,2,0", "0 assassinate 1", "1 pass", "1 block contessa", cards=cards)
    assert choices(game, 0) == {"0 challenge"}


def test_it_does_not_challenge_what_is_only_unlikely() -> None:
    hands = ["captain assassin", "contessa contessa", "duke duke", "captain captain"]
    game = position(hands, "2,2,0,2", "0 tax", cards="?,? ?,? duke,duke ?,?")
    for seat in (1, 3):
        assert choices(game, seat) == {f"{seat} pass"}


def test_it_remembers_what_it_has_put_back_until_somebody_draws() -> None:
    def after(*events: str) -> Position:
        hands = ["duke ambassador", "captain assassin", "duke duke"]
        put_back = ("0 exchange", "1 pass", "0 keep 1,2")  # the last Duke
        return position(hands, "2,2,0", *put_back, *events, cards="?,? ?,? duke,duke")

    assert choices(after("1 tax"), 0) == {"0 challenge"}
    assert choices(after("1 income", "0 income", "1 tax"), 0) == {"0 challenge"}
    drawn = after("1 exchange", "0 pass", "1 keep 0,1", "0 income", "1 tax")
    assert choices(drawn, 0) == {"0 pass"}


def test_it_remembers_what_it_was_shown_until_it_can_have_changed() -> None:
    hands = ["inquisitor duke", "captain contessa"]
    inquisitor = {"edition": "inquisitor", "cards": "?,? ?,contessa"}
    game = position(hands, "2,2", "0 examine 1", "1 pass", "0 allow", "1 tax", **inquisitor)
    assert choices(game, 0) == {"0 challenge"}
    game = position(hands, "2,2", "0 examine 1", "1 pass", "0 allow", "1 steal 0", **inquisitor)
    assert choices(game, 0) == {"0 pass"}
    game = position(hands, "2,2", "0 examine 1", "1 pass", "0 force", "1 tax", **inquisitor)
    assert choices(game, 0) == {"0 pass"}


def test_the_last_card_is_defended_by_a_challenge_if_nothing_else_is_left() -> None:
    cards = "?,? ?,duke"
    game = position(["assassin duke", "captain duke"], "3,2", "0 assassinate 1", cards=cards)
    assert choices(game, 1) == {"1 challenge"}
    game = position(["assassin duke", "contessa duke"], "3,2", "0 assassinate 1", cards=cards)
    assert choices(game, 1) == {"1 pass"}
    game.then("1 pass")
    assert choices(game, 1) == {"1 block contessa"}


def test_with_two_cards_or_as_a_bystander_it_lets_an_assassination_pass() -> None:
    hands = ["assassin duke", "captain duke", "captain duke"]
    game = position(hands, "3,2,2", "0 assassinate 1", cards="?,? ?,? ?,duke")
    assert choices(game, 1) == {"1 pass"}
    assert choices(game, 2) == {"2 pass"}


# --- blocks and proofs ----------------------------------------------------------------------------


def test_it_blocks_with_what_it_holds() -> None:
    game = position(["captain duke", "captain ambassador"], "2,2", "0 steal 1", "1 pass")
    assert choices(game, 1) == {"1 block captain", "1 block ambassador"}
    game = position(["assassin duke", "contessa duke"], "3,2", "0 assassinate 1", "1 pass")
    assert choices(game, 1) == {"1 block contessa"}
    game = position(["assassin captain", "duke duke", "contessa duke"], "3,2,2", "0 foreign-aid")
    assert choices(game, 1) == {"1 block duke"}
    assert choices(game, 2) == {"2 block duke"}


def test_it_never_blocks_with_what_it_does_not_hold() -> None:
    game = position(["captain duke", "contessa duke"], "2,2", "0 steal 1", "1 pass")
    assert choices(game, 1) == {"1 pass"}
    hands = ["assassin duke", "duke contessa", "captain duke"]
    game = position(hands, "3,2,2", "0 assassinate 1", cards="?,? ?,contessa ?,?")
    game.then("1 pass", "2 challenge", "0 show 0", "2 lose 0")
    assert choices(game, 1) == {"1 pass"}  # nothing honest is left


def test_challenged_it_shows_the_card() -> None:
    game = position(["captain duke", "duke contessa"], "2,2", "0 tax", "1 challenge")
    assert choices(game, 0) == {"0 show 1"}
    game = position(["duke duke", "captain contessa"], "2,2", "0 tax", "1 challenge")
    assert choices(game, 0) == {"0 show 0", "0 show 1"}


def test_it_declines_only_where_others_have_claimed_for_it() -> None:
    game = position(["captain captain", "duke contessa"], "2,2", "0 tax", "1 challenge")
    assert choices(game, 0) == {"0 decline"}


# --- cards ----------------------------------------------------------------------------------------


def test_it_loses_the_less_useful_card() -> None:
    game = position(["duke captain", "contessa duke"], "7,2", "0 coup 1")
    assert choices(game, 1) == {"1 lose 0"}
    game = position(["duke captain", "duke assassin"], "7,2", "0 coup 1")
    assert len(choices(game, 1)) == 1


def test_it_keeps_the_more_useful_cards() -> None:
    game = position(["duke ambassador", "captain contessa"], "2,2")
    court = game.dealer.court
    court += [court.pop(0), court.pop(1)]
    assert [card.name for card in court[-2:]] == ["duke", "assassin"]
    game.then("0 exchange", "1 pass")  # drawn from the end: an assassin, then a duke
    assert choices(game, 0) == {"0 keep 0,2", "0 keep 2,3"}  # one duke is enough


def test_in_a_set_of_five_it_picks_one_of_the_most_useful_cards() -> None:
    state = start(INQUISITOR, 2, [Seat(0), Seat(1)], Seat(0), Options(Setup.SET_OF_FIVE))
    game = Position(state, Dealer.deal(state, random.Random(0)))
    assert choices(game, 0) == {"0 pick assassin", "0 pick captain"}
    assert choices(game, 1) == {"1 pick assassin", "1 pick captain"}


def test_examined_it_shows_its_less_useful_card() -> None:
    hands = ["inquisitor duke", "contessa duke"]
    game = position(hands, "2,2", "0 examine 1", "1 pass", edition="inquisitor")
    assert choices(game, 1) == {"1 reveal 0"}


@pytest.mark.parametrize(("slot", "verdict"), [(0, "0 allow"), (1, "0 force")])
def test_an_examined_card_is_changed_if_it_is_better_than_most(slot: int, verdict: str) -> None:
    hands = ["inquisitor duke", "contessa assassin"]
    game = position(hands, "2,2", "0 examine 1", "1 pass", edition="inquisitor")
    game.then(f"1 reveal {slot}")
    assert choices(game, 0) == {verdict}


# --- in general -----------------------------------------------------------------------------------


def test_without_a_decision_it_has_no_move() -> None:
    game = position(["duke captain", "duke contessa"], "2,2")
    with pytest.raises(ValueError, match="seat 1 has nothing to decide"):
        honest(game.view(1), random.Random(0))
