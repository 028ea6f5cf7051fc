"""What is offered to a player: legal moves, and why the others are not."""

import random

import pytest

from p2pcoup.rules import BASE, USUAL, Options, RulesError, Seat, apply, move_to_text, start
from p2pcoup.rules.choices import Why, choices
from tests.rules.dealer import Dealer
from tests.rules.random_games import TABLES, Table, random_game


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_the_legal_ones_are_the_views_own_and_every_other_one_is_refused_by_the_rules(
    table: Table,
) -> None:
    forbidden = set()
    for seed in range(3):
        for dealer, _, _, state in random_game(seed, table):
            for seat in state.living:
                view = dealer.view(state, seat)
                offered = choices(view)
                assert [c.move for c in offered if c.why is None] == list(view.legal_moves())
                for choice in offered:
                    if choice.why in (None, Why.CARD):  # which card it is, the rules do not know
                        continue
                    forbidden.add(choice.why)
                    with pytest.raises(RulesError):
                        apply(state, choice.move)
    assert Why.COINS in forbidden


def offered(coins: dict[int, int], options: Options = USUAL) -> dict[str, tuple]:
    """What seat 0 may look for at the beginning of its turn."""
    state = start(BASE, 3, range(3), Seat(0), options)
    dealer = Dealer.deal(state, random.Random(1))
    state = state._replace(coins=tuple(coins.get(seat, 2) for seat in range(3)))
    return {
        move_to_text(choice.move): (choice.why, choice.needs)
        for choice in choices(dealer.view(state, Seat(0)))
    }


def test_too_few_coins_say_how_many_are_needed() -> None:
    menu = offered({0: 2})
    assert menu["0 coup 1"] == (Why.COINS, 7)
    assert menu["0 assassinate 2"] == (Why.COINS, 3)
    assert menu["0 income"] == (None, None)


def test_with_ten_coins_only_the_forced_action_is_left() -> None:
    menu = offered({0: 10})
    assert {text for text, (why, _) in menu.items() if why is None} == {"0 coup 1", "0 coup 2"}
    assert {why for why, _ in menu.values()} == {None, Why.FORCED}


def test_from_a_penniless_target_nothing_can_be_taken_where_the_table_says_so() -> None:
    assert offered({1: 0})["0 steal 1"] == (None, None)
    strict = offered({1: 0}, Options(steal_from_penniless=False))
    assert strict["0 steal 1"] == (Why.PENNILESS, None)
    assert strict["0 steal 2"] == (None, None)


def test_a_card_that_does_not_prove_the_claim_is_offered_with_the_reason() -> None:
    state = start(BASE, 2, range(2), Seat(0))
    dealer = Dealer.stacked(state, "captain duke", "duke duke")
    for move in choices(dealer.view(state, Seat(0))):
        if move_to_text(move.move) == "0 tax":
            state = dealer.play(state, move.move)
    challenge = choices(dealer.view(state, Seat(1)))[1].move
    state = dealer.play(state, challenge)
    menu = choices(dealer.view(state, Seat(0)))
    assert [(move_to_text(choice.move), choice.why) for choice in menu] == [
        ("0 show 0", Why.CARD),
        ("0 show 1", None),
        ("0 decline", None),
    ]
    assert choices(dealer.view(state, Seat(1))) == ()
