"""What a seat knows: never more than is true, and all that its cards and the history tell."""

from math import comb

import pytest

from p2pcoup.bots.knowledge import Knowledge, know
from p2pcoup.rules import BASE, Character, Seat
from tests.bots.tables import Position, position
from tests.rules.random_games import FIVE, TABLES, Table, random_game


def named(game: Position, name: str) -> Character:
    character = game.state.edition.character(name)
    assert character is not None
    return character


def chance(game: Position, knower: int, seat: int, name: str) -> float:
    return know(game.view(knower)).chance(Seat(seat), named(game, name))


def belief(game: Position, knower: int, seat: int, name: str) -> float:
    return know(game.view(knower)).belief(Seat(seat), named(game, name))


def in_court(game: Position, knower: int) -> dict[str, int]:
    court = know(game.view(knower)).court
    return {character.name: count for character, count in court.items() if count}


def check(knowledge: Knowledge, hands: list[list[Character]], court: list[Character]) -> None:
    """Whatever is known for certain is so."""
    state = knowledge.view.state
    for character, count in knowledge.court.items():
        assert court.count(character) >= count
    for (seat, slot), character in knowledge.shown.items():
        assert state.slots[seat][slot] is None
        assert hands[seat][slot] == character
    for seat in knowledge.others():
        held = [hands[seat][slot] for slot in state.face_down(seat) if hands[seat]]
        for character in state.edition.characters if held else ():
            likely = knowledge.chance(seat, character)
            assert 0 <= likely <= 1
            assert 0 <= knowledge.belief(seat, character) <= 1
            if character in held:
                assert likely > 0
            else:
                assert likely < 1


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_what_is_known_for_certain_is_true_after_every_step_of_random_games(table: Table) -> None:
    steps = 0
    for seed in range(6):
        for dealer, _, _, state in random_game(seed, table, losing=0.01):
            # While a shown card is on its way to the Court, everybody sees where it is.
            if state.request is None and state.outcome is None:
                for seat in state.living:
                    check(know(dealer.view(state, seat)), dealer.hands, dealer.court)
                    steps += 1
    assert steps > 100


def test_before_anything_has_happened_only_counting_helps() -> None:
    game = position(["duke contessa", "captain captain"], "2,2")
    # Of 13 cards it does not see two are Dukes and three Captains.
    assert chance(game, 0, 1, "duke") == pytest.approx(1 - comb(11, 2) / comb(13, 2))
    assert chance(game, 0, 1, "captain") == pytest.approx(1 - comb(10, 2) / comb(13, 2))


def test_face_up_cards_count_for_everybody() -> None:
    game = position(["duke contessa", "duke duke"], "2,2", cards="?,? duke,?")
    assert chance(game, 0, 1, "duke") == pytest.approx(1 / 12)
    game = position(["duke duke", "duke captain"], "2,2", cards="duke,? duke,?")
    assert chance(game, 0, 1, "duke") == 0


def test_cards_put_back_in_an_exchange_are_in_the_court_until_somebody_draws() -> None:
    game = position(["duke ambassador", "captain captain", "assassin duke"], "2,2,2")
    game.then("0 exchange", "all pass", "0 keep 1,2")  # the Duke and a Contessa go back
    assert in_court(game, 0) == {"duke": 1, "contessa": 1}
    assert in_court(game, 1) == {}
    game.then("1 exchange", "all pass", "1 keep 0,1")
    assert in_court(game, 0) == {}


def test_a_card_put_back_twice_survives_a_draw_of_one() -> None:
    game = position(["duke duke", "inquisitor captain"], "2,2", edition="inquisitor")
    game.then("0 exchange", "1 pass", "0 keep 0,2")  # a feigned one: a Duke goes back
    assert in_court(game, 0) == {"duke": 1}
    game.then("1 income", "0 exchange", "1 pass")
    game.then("0 keep 1,2")  # its own draw may have been that Duke; the other one goes back now
    assert in_court(game, 0) == {"duke": 1}


def test_a_card_shown_and_returned_may_be_drawn_back_at_once() -> None:
    game = position(["duke captain", "assassin contessa", "contessa captain"], "2,2,2")
    game.then("0 tax", "1 challenge", "2 pass", "0 show 0", "1 lose 0")
    assert in_court(game, 1) == {}
    assert 0 < chance(game, 1, 0, "duke") < 1


def test_what_is_set_aside_in_a_set_of_five_is_out_of_play() -> None:
    for dealer, _, _, state in random_game(3, Table(BASE, FIVE, 2), losing=0):
        if state.request is None and state.outcome is None and len(state.slots[0]) == 2:
            knowledge = know(dealer.view(state, Seat(0)))
            assert knowledge.unseen.total() == 15 - 4 - 2
            assert all(knowledge.unseen[card] <= 2 for card in state.edition.characters)
            break
    else:
        raise AssertionError("no such state")


def test_an_examined_card_is_known_until_it_can_have_changed() -> None:
    game = position(["inquisitor duke", "captain contessa"], "2,2", edition="inquisitor")
    game.then("0 examine 1", "1 pass", "1 reveal 0", "0 allow")
    assert know(game.view(0)).shown == {(1, 0): named(game, "captain")}
    assert chance(game, 0, 1, "captain") == 1
    assert chance(game, 0, 1, "contessa") < 1
    assert know(game.view(1)).shown == {}
    game.then("1 exchange", "0 pass", "1 keep 0,1")
    assert know(game.view(0)).shown == {}


def test_all_cards_of_a_hand_being_known_rules_everything_else_out() -> None:
    game = position(
        ["inquisitor duke", "captain contessa"], "2,2", edition="inquisitor", cards="?,? ?,contessa"
    )
    game.then("0 examine 1", "1 pass", "0 allow")
    assert chance(game, 0, 1, "captain") == 1
    assert chance(game, 0, 1, "duke") == 0
    assert chance(game, 0, 1, "contessa") == 0


def test_a_card_its_owner_had_to_change_is_in_the_court() -> None:
    game = position(["inquisitor duke", "captain contessa"], "2,2", edition="inquisitor")
    game.then("0 examine 1", "1 pass", "1 reveal 0", "0 force")
    assert know(game.view(0)).shown == {}
    assert in_court(game, 0) == {"captain": 1}
    assert in_court(game, 1) == {"captain": 1}


def test_a_shown_card_that_is_lost_is_no_longer_counted_as_hidden() -> None:
    game = position(["inquisitor duke", "captain contessa"], "7,2", edition="inquisitor")
    game.then("0 examine 1", "1 pass", "1 reveal 0", "0 allow", "1 income", "0 coup 1", "1 lose 0")
    knowledge = know(game.view(0))
    assert knowledge.shown == {}
    assert knowledge.unseen[named(game, "captain")] == 2


def test_the_shown_cards_of_a_lost_seat_are_in_the_court() -> None:
    game = position(
        ["inquisitor duke", "captain contessa", "duke duke"], "2,2,2", edition="inquisitor"
    )
    game.then("0 examine 1", "all pass", "1 reveal 0", "0 allow", "1 lost")
    assert know(game.view(0)).shown == {}
    assert in_court(game, 0) == {"captain": 1}


def test_a_shown_card_turned_up_before_its_seat_was_lost_is_not_in_the_court() -> None:
    game = position(
        ["inquisitor duke", "captain contessa", "duke duke"], "7,2,2", edition="inquisitor"
    )
    game.then("0 examine 1", "all pass", "1 reveal 0", "0 allow", "1 income", "2 income")
    game.then("0 coup 1", "1 lose 0", "1 lost")
    assert in_court(game, 0) == {}


def test_a_forced_redraw_may_take_a_card_known_to_be_in_the_court() -> None:
    game = position(["inquisitor duke", "captain contessa"], "2,2", edition="inquisitor")
    game.then("0 exchange", "1 pass", "0 keep 0,2")
    assert in_court(game, 0) == {"duke": 1}
    game.then("1 income", "0 examine 1", "1 pass", "1 reveal 0", "0 force")
    assert in_court(game, 0) == {"captain": 1}


def test_a_card_changed_for_another_examiner_is_forgotten() -> None:
    hands = ["duke inquisitor", "captain contessa", "inquisitor duke"]
    game = position(hands, "2,2,2", edition="inquisitor", cards="?,? ?,contessa ?,?")
    game.then("0 income", "1 income", "2 examine 1", "all pass", "2 allow")
    assert chance(game, 2, 1, "captain") == 1
    # The card in the examiner's slot 1 is challenged and shown; seat 1 has only one left to show.
    game.then("0 examine 1", "1 pass", "2 challenge", "0 show 1", "2 lose 0", "0 force")
    assert know(game.view(2)).shown == {}


def test_a_claim_makes_a_card_more_likely_and_a_second_one_still_more() -> None:
    game = position(["contessa contessa", "duke captain"], "2,2", "0 income")
    before = belief(game, 0, 1, "duke")
    assert before == chance(game, 0, 1, "duke")
    game.then("1 tax", "0 pass")
    once = belief(game, 0, 1, "duke")
    game.then("0 foreign-aid", "1 block duke", "0 pass")
    twice = belief(game, 0, 1, "duke")
    assert before < once < twice < 1
    assert chance(game, 0, 1, "duke") == before


def test_a_claim_counts_no_longer_once_the_card_is_shown_lost_or_not_shown() -> None:
    hands = ["contessa contessa", "duke captain", "assassin assassin"]
    start = ("0 income", "1 tax")
    for end in (
        ("0 challenge", "2 pass", "1 show 0", "0 lose 0"),
        ("0 challenge", "2 pass", "1 decline", "1 lose 1"),
        ("all pass", "2 coup 1", "1 lose 0"),
    ):
        game = position(hands, "2,2,7", *start, *end)
        assert belief(game, 0, 1, "duke") == pytest.approx(chance(game, 0, 1, "duke"))


def test_a_claim_of_what_cannot_be_there_is_not_believed() -> None:
    game = position(["duke duke", "duke captain"], "2,2", cards="?,? duke,?")
    game.then("0 income", "1 tax", "0 pass")
    assert belief(game, 0, 1, "duke") == 0
