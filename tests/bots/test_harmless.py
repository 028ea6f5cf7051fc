"""What is decided for somebody who does not answer, decision by decision."""

import random
from collections import Counter

import pytest

from p2pcoup.bots import harmless, random_move
from p2pcoup.rules import DecisionKind, Options, Seat, Setup, move_to_text, pending, start
from tests.bots.tables import Decided, Position, play, position
from tests.rules.dealer import Dealer
from tests.rules.random_games import TABLES, Table


def choice(game: Position, seat: int) -> str:
    """What is decided there: one move, whatever the luck."""
    (text,) = game.choices(harmless, seat)
    return text


HANDS = ["duke contessa", "captain captain", "duke captain", "assassin assassin"]


def test_a_turn_is_spent_on_what_nobody_can_stop() -> None:
    assert choice(position(HANDS, "2,2,2,2"), 0) == "0 income"
    assert choice(position(HANDS, "9,2,2,2"), 0) == "0 income"


def test_a_forced_coup_hits_the_richest() -> None:
    assert choice(position(HANDS, "10,2,5,3"), 0) == "0 coup 2"
    cards = "?,? ?,? duke,captain ?,?"
    assert choice(position(HANDS, "10,2,0,3", cards=cards), 0) == "0 coup 3"


def test_of_several_rich_ones_a_forced_coup_hits_the_first_clockwise() -> None:
    assert choice(position(HANDS, "10,4,4,4"), 0) == "0 coup 1"
    game = position(HANDS, "2,4,10,4", "0 income", "1 income")
    assert choice(game, 2) == "2 coup 1"  # 5 coins by now
    game = position(HANDS, "3,4,10,4", "0 income", "1 income")
    assert choice(game, 2) == "2 coup 1"
    game = position(HANDS, "4,2,10,5", "0 income", "1 income")
    assert choice(game, 2) == "2 coup 3"  # and seat 0 with as many comes later


def test_claims_are_neither_doubted_nor_blocked_even_with_the_card_in_hand() -> None:
    game = position(HANDS, "2,2,2,2", "0 tax")
    assert choice(game, 1) == "1 pass"
    game = position(["captain duke", "captain captain"], "2,2", "0 steal 1", "1 pass")
    assert choice(game, 1) == "1 pass"
    game.then("1 block captain")
    assert choice(game, 0) == "0 pass"


def test_a_claim_is_proven_with_the_card_and_given_up_without_it() -> None:
    assert choice(position(HANDS, "2,2,2,2", "0 tax", "1 challenge", "2 pass", "3 pass"), 0) == (
        "0 show 0"
    )
    bluff = position(HANDS, "2,2,2,2", "0 exchange", "1 challenge", "2 pass", "3 pass")
    assert choice(bluff, 0) == "0 decline"


@pytest.mark.parametrize(("hand", "lost"), [("duke contessa", 1), ("contessa duke", 0)])
def test_the_less_useful_card_is_lost(hand: str, lost: int) -> None:
    game = position(["duke duke", hand], "7,2", "0 coup 1")
    assert choice(game, 1) == f"1 lose {lost}"


def test_after_an_exchange_the_hand_stays_as_it_was() -> None:
    game = position(["ambassador contessa", "duke duke"], "2,2", "0 exchange", "1 pass")
    assert choice(game, 0) == "0 keep 0,1"
    cards = "?,contessa ?,?"
    game = position(["ambassador contessa", "duke duke"], "2,2", cards=cards)
    assert choice(game.then("0 exchange", "1 pass"), 0) == "0 keep 0"


def test_of_a_set_of_five_the_most_useful_card_is_picked() -> None:
    table = Table(TABLES[0].edition, Options(Setup.SET_OF_FIVE), 2)
    state = start(table.edition, 2, [Seat(0), Seat(1)], Seat(0), table.options)
    game = Position(state, Dealer.deal(state, random.Random(1)))
    assert choice(game, 0) == "0 pick assassin"


def test_the_less_useful_card_is_shown_to_an_examiner_who_lets_it_be_kept() -> None:
    hands = ["inquisitor duke", "contessa duke"]
    game = position(hands, "2,2", "0 examine 1", "1 pass", edition="inquisitor")
    assert choice(game, 1) == "1 reveal 0"
    assert choice(game.then("1 reveal 1"), 0) == "0 allow"


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_it_always_has_a_legal_answer_that_claims_nothing(table: Table) -> None:
    asked: Counter[DecisionKind] = Counter()

    def watch(decided: Decided) -> None:
        view = decided.view
        move = harmless(view)
        assert move in view.legal_moves()
        verb = move_to_text(move).split()[1]
        assert verb not in ("challenge", "block", "force")
        asked.update(kind for seat, kind in pending(decided.state) if seat == view.seat)

    for seed in range(6):
        play(table, [random_move] * table.seats, seed, watch)
    assert asked[DecisionKind.ACT]
    assert asked[DecisionKind.PROVE]


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_a_table_at_which_nobody_answers_comes_to_an_end(table: Table) -> None:
    assert play(table, [harmless] * table.seats, 1) in range(table.seats)
