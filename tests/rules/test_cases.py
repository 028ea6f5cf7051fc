"""Situations other implementations got wrong, each with its whole sequence of decisions.

The number in a name is that of the situation in the collection the project keeps of them.
"""

import pytest

from p2pcoup.rules import (
    BASE,
    IllegalMoveError,
    WrongSeatError,
    apply,
    parse_move,
    start,
)
from tests.rules.scripts import play, table, texts, verbs


def test_case_1_a_target_wrongly_challenging_a_real_assassin_loses_two():
    play(
        table("3,2"),
        """
        act 0: 0 assassinate 1
        challenge-action 1: 1 challenge
        prove 0: 0 show 1
        open 0 1: 0 opened assassin
        lose 1: 1 lose 0
        open 1 0: 1 opened duke
        replace 0 1 assassin: 0 replaced
        block 1: 1 pass
        open 1 1: 1 opened captain
        over 0
        """,
    )


def test_case_2_a_caught_contessa_bluff_costs_two():
    play(
        table("3,2"),
        """
        act 0: 0 assassinate 1
        challenge-action 1: 1 pass
        block 1: 1 block contessa
        challenge-block 0: 0 challenge
        prove 1: 1 decline
        lose 1: 1 lose 1
        open 1 1: 1 opened duke
        open 1 0: 1 opened captain
        coins 0,0
        over 0
        """,
    )


def test_case_3_the_second_loss_is_chosen_from_what_is_left():
    state = play(
        table("3,2"),
        """
        act 0: 0 assassinate 1
        challenge-action 1: 1 challenge
        prove 0: 0 show 1
        open 0 1: 0 opened assassin
        lose 1: 1 lose 0
        open 1 0: 1 opened duke
        replace 0 1 assassin: 0 replaced
        block 1: 1 pass
        open 1 1:
        """,
    )
    with pytest.raises(WrongSeatError):
        apply(state, parse_move(BASE, "1 lose 0"))


def test_case_4_challenger_and_target_both_lose_and_the_target_may_block():
    play(
        table("3,2,2"),
        """
        act 0: 0 assassinate 1
        challenge-action 1 2: 2 challenge, 1 pass
        prove 0: 0 show 0
        open 0 0: 0 opened assassin
        lose 2: 2 lose 0
        open 2 0: 2 opened duke
        replace 0 0 assassin: 0 replaced
        block 1: 1 pass
        lose 1: 1 lose 0
        open 1 0: 1 opened duke
        cards ?,? duke,? duke,?
        act 1:
        """,
    )


def test_case_5_the_target_is_assassinated_and_not_the_challenger_again():
    play(
        table("3,2,2,2", turn=0),
        """
        act 0: 0 assassinate 3
        challenge-action 1 2 3: 1 challenge, 2 pass, 3 pass
        prove 0: 0 show 0
        open 0 0: 0 opened assassin
        lose 1: 1 lose 1
        open 1 1: 1 opened contessa
        replace 0 0 assassin: 0 replaced
        block 3: 3 pass
        lose 3: 3 lose 0
        open 3 0: 3 opened contessa
        cards ?,? ?,contessa ?,? contessa,?
        act 1:
        """,
    )


def test_case_6_a_block_window_opens_after_a_failed_challenge_of_a_steal():
    play(
        table("2,2"),
        """
        act 0: 0 steal 1
        challenge-action 1: 1 challenge
        prove 0: 0 show 0
        open 0 0: 0 opened captain
        lose 1: 1 lose 0
        open 1 0: 1 opened duke
        replace 0 0 captain: 0 replaced
        block 1: 1 block captain
        challenge-block 0: 0 pass
        coins 2,2
        act 1:
        """,
    )


def test_case_10_nobody_waits_for_the_block_of_a_target_who_is_out():
    play(
        table("3,2,2", "?,? duke,? ?,?"),
        """
        act 0: 0 assassinate 1
        challenge-action 1 2: 1 challenge, 2 pass
        prove 0: 0 show 0
        open 0 0: 0 opened assassin
        open 1 1: 1 opened captain
        replace 0 0 assassin: 0 replaced
        coins 0,0,2
        act 2:
        """,
    )


def test_case_11_an_assassination_stops_at_a_block_that_was_wrongly_challenged():
    play(
        table("3,2,2"),
        """
        act 0: 0 assassinate 1
        challenge-action 1 2: all pass
        block 1: 1 block contessa
        challenge-block 2 0: 0 challenge, 2 pass
        prove 1: 1 show 0
        open 1 0: 1 opened contessa
        lose 0: 0 lose 0
        open 0 0: 0 opened assassin
        replace 1 0 contessa: 1 replaced
        coins 0,2,2
        cards assassin,? ?,? ?,?
        act 1:
        """,
    )


def test_case_14_an_ambassador_block_is_not_proven_with_a_captain():
    state = play(
        table("2,2"),
        """
        act 0: 0 steal 1
        challenge-action 1: 1 pass
        block 1: 1 block ambassador
        challenge-block 0: 0 challenge
        prove 1: 1 show 1
        open 1 1:
        """,
    )
    with pytest.raises(IllegalMoveError, match="ambassador"):
        play(state, "open 1 1: 1 opened captain")


def test_case_15_only_the_target_blocks_an_assassination_anyone_blocks_aid():
    state = play(
        table("3,2,2"), "act 0: 0 assassinate 1\n challenge-action 1 2: all pass\n block 1:"
    )
    with pytest.raises(WrongSeatError, match="seat 1 decides: block"):
        apply(state, parse_move(BASE, "2 block contessa"))
    play(table("3,2,2"), "act 0: 0 foreign-aid\n block 1 2:")


def test_case_18_a_claim_just_proven_is_not_challenged_again():
    play(
        table("3,2,2,2"),
        """
        act 0: 0 steal 3
        challenge-action 1 2 3: 1 challenge, 2 challenge, 3 pass
        prove 0: 0 show 0
        open 0 0: 0 opened captain
        lose 1: 1 lose 0
        open 1 0: 1 opened duke
        replace 0 0 captain: 0 replaced
        block 3: 3 pass
        coins 5,2,2,0
        act 1:
        """,
    )


def test_case_20_after_a_challenge_the_action_runs_exactly_once():
    play(
        table("2,2"),
        """
        act 0: 0 tax
        challenge-action 1: 1 challenge
        prove 0: 0 show 0
        open 0 0: 0 opened duke
        lose 1: 1 lose 0
        open 1 0: 1 opened duke
        replace 0 0 duke: 0 replaced
        coins 5,2
        act 1:
        """,
    )


def test_case_21_no_action_starts_while_a_loss_is_still_to_be_chosen():
    state = play(table("7,2,2"), "act 0: 0 coup 2\n lose 2:")
    for text in ("1 income", "0 income"):
        with pytest.raises(WrongSeatError, match="seat 2 decides: lose"):
            apply(state, parse_move(BASE, text))
    with pytest.raises(IllegalMoveError, match="2 lose 0, 2 lose 1"):
        apply(state, parse_move(BASE, "2 income"))


def test_case_23_a_caught_assassin_gets_the_three_coins_back():
    play(
        table("3,2"),
        """
        act 0: 0 assassinate 1
        challenge-action 1: 1 challenge
        prove 0: 0 decline
        lose 0: 0 lose 0
        open 0 0: 0 opened duke
        coins 3,2
        act 1:
        """,
    )


def test_case_24_the_coins_of_a_blocked_assassination_stay_spent():
    play(
        table("3,2"),
        """
        act 0: 0 assassinate 1
        challenge-action 1: 1 pass
        block 1: 1 block contessa
        challenge-block 0: 0 pass
        coins 0,2
        act 1:
        """,
    )


def test_case_26_an_assassination_is_charged_once():
    play(
        table("7,2"),
        """
        act 0: 0 assassinate 1
        coins 4,2
        challenge-action 1: 1 pass
        coins 4,2
        block 1: 1 pass
        coins 4,2
        lose 1: 1 lose 0
        open 1 0: 1 opened duke
        coins 4,2
        act 1:
        """,
    )


def test_case_29_the_ten_coin_duty_holds_at_the_start_of_the_own_turn():
    state = play(
        table("8,2"),
        """
        act 0: 0 foreign-aid
        block 1: 1 pass
        act 1: 1 income
        act 0:
        """,
    )
    assert texts(state, 0) == ["0 coup 1"]


@pytest.mark.parametrize(
    ("order", "starter", "coins"),
    [((0, 1), 0, (1, 2)), ((0, 1), 1, (2, 1)), ((1, 0), 0, (1, 2)), ((1, 0), 1, (2, 1))],
)
def test_case_33_the_one_coin_start_goes_to_the_actual_starter(order, starter, coins):
    assert start(BASE, 2, order, starter).coins == coins


@pytest.mark.parametrize("proven", ["action", "block"])
def test_case_36_a_proven_card_goes_back_and_is_replaced(proven):
    scripts = {
        "action": """
            act 0: 0 exchange
            challenge-action 1: 1 challenge
            prove 0: 0 show 0
            open 0 0: 0 opened ambassador
            lose 1: 1 lose 0
            open 1 0: 1 opened duke
            replace 0 0 ambassador: 0 replaced
            draw 0 2:
            """,
        "block": """
            act 0: 0 foreign-aid
            block 1: 1 block duke
            challenge-block 0: 0 challenge
            prove 1: 1 show 1
            open 1 1: 1 opened duke
            lose 0: 0 lose 0
            open 0 0: 0 opened duke
            replace 1 1 duke: 1 replaced
            act 1:
            """,
    }
    play(table("2,2"), scripts[proven])


def test_case_38_no_replacement_is_drawn_when_the_challenge_ended_the_game():
    play(
        table("3,2", "?,? duke,?"),
        """
        act 0: 0 assassinate 1
        challenge-action 1: 1 challenge
        prove 0: 0 show 0
        open 0 0: 0 opened assassin
        open 1 1: 1 opened captain
        over 0
        """,
    )


def test_case_39_an_exchange_does_not_bring_back_a_lost_influence():
    state = play(
        table("2,2", "?,duke ?,?"),
        """
        act 0: 0 exchange
        challenge-action 1: 1 pass
        draw 0 2: 0 drew
        keep 0:
        """,
    )
    with pytest.raises(IllegalMoveError):
        apply(state, parse_move(BASE, "0 keep 0,1"))
    state = play(state, "keep 0: 0 keep 1\n shuffle: shuffled\n cards ?,duke ?,?")
    assert state.influence(0) == 1


def test_case_41_the_court_is_shuffled_after_an_exchange():
    play(
        table("2,2"),
        """
        act 0: 0 exchange
        challenge-action 1: 1 pass
        draw 0 2: 0 drew
        keep 0: 0 keep 0,1
        shuffle: shuffled
        act 1:
        """,
    )


@pytest.mark.parametrize(("cards", "keep"), [("?,? ?,?", "0,3"), ("duke,? ?,?", "2")])
def test_case_44_as_many_cards_are_returned_as_were_drawn(cards, keep):
    before = table("2,2", cards)
    after = play(
        before,
        f"""
        act 0: 0 exchange
        challenge-action 1: 1 pass
        draw 0 2: 0 drew
        keep 0: 0 keep {keep}
        shuffle: shuffled
        """,
    )
    assert after.court_size == before.court_size


def test_case_46_a_choice_of_an_earlier_exchange_is_worth_nothing_in_a_later_one():
    state = play(
        table("2,2", "?,? duke,?"),
        """
        act 0: 0 exchange
        challenge-action 1: 1 pass
        draw 0 2: 0 drew
        keep 0: 0 keep 1,3
        shuffle: shuffled
        act 1: 1 exchange
        challenge-action 0: 0 pass
        draw 1 2: 1 drew
        keep 1:
        """,
    )
    with pytest.raises(WrongSeatError, match="seat 1 decides: keep"):
        apply(state, parse_move(BASE, "0 keep 1,3"))
    with pytest.raises(IllegalMoveError):
        apply(state, parse_move(BASE, "1 keep 1,3"))


def test_case_52_eliminated_players_are_not_asked():
    state = play(
        table("3,0,2,2", "?,? duke,captain ?,? ?,?"),
        """
        act 0: 0 foreign-aid
        block 2 3: 3 pass, 2 block duke
        challenge-block 3 0:
        """,
    )
    for text in ("1 challenge", "1 pass"):
        with pytest.raises(WrongSeatError):
            apply(state, parse_move(BASE, text))


@pytest.mark.parametrize("last", [1, 2, 3])
def test_case_53_everyone_alive_but_the_claimant_answers(last):
    others = [seat for seat in (1, 2, 3) if seat != last]
    state = play(
        table("2,2,2,2"),
        f"""
        act 0: 0 tax
        challenge-action 1 2 3: {others[0]} pass, {others[1]} pass
        challenge-action {last}:
        """,
    )
    assert texts(state, last) == [f"{last} pass", f"{last} challenge"]


def test_case_56_a_target_eliminated_a_moment_ago_is_not_struck_again():
    play(
        table("3,2,2", "?,? ?,duke ?,?"),
        """
        act 0: 0 assassinate 1
        challenge-action 1 2: all pass
        block 1: 1 block contessa
        challenge-block 2 0: 2 challenge, 0 pass
        prove 1: 1 decline
        open 1 0: 1 opened captain
        act 2:
        """,
    )


def test_case_56_the_dead_cannot_be_targeted():
    state = table("7,0,2", "?,? duke,captain ?,?")
    assert {text.split()[-1] for text in texts(state, 0) if len(text.split()) == 3} == {"2"}
    for text in ("0 coup 1", "0 steal 1", "0 assassinate 1"):
        with pytest.raises(IllegalMoveError):
            apply(state, parse_move(BASE, text))


def test_case_62_the_same_answer_twice_is_refused():
    state = play(table("2,2,2"), "act 0: 0 tax\n challenge-action 1 2: 1 pass")
    with pytest.raises(WrongSeatError):
        apply(state, parse_move(BASE, "1 pass"))


@pytest.mark.parametrize(
    ("edition", "offered", "absent"),
    [
        ("base", {"exchange"}, {"examine"}),
        ("inquisitor", {"exchange", "examine"}, set()),
    ],
)
def test_case_72_roles_come_from_the_edition(edition, offered, absent):
    state = table("2,2", edition=edition)
    assert offered <= verbs(state, 0)
    assert not absent & verbs(state, 0)
    blocking = play(state, "act 0: 0 steal 1\n challenge-action 1: 1 pass\n block 1:")
    second = {"base": "ambassador", "inquisitor": "inquisitor"}[edition]
    assert texts(blocking, 1) == ["1 pass", "1 block captain", f"1 block {second}"]


def test_case_74_the_examined_player_chooses_which_card_is_shown():
    state = play(
        table("2,2,2", edition="inquisitor"),
        "act 0: 0 examine 2\n challenge-action 1 2: all pass\n reveal 2:",
    )
    assert texts(state, 2) == ["2 reveal 0", "2 reveal 1"]
    play(state, "reveal 2: 2 reveal 1\n show-to 2 1 0:")
    play(state, "reveal 2: 2 reveal 0\n show-to 2 0 0:")


def test_case_76_an_examination_is_two_decisions_of_two_players():
    play(
        table("2,2,2", edition="inquisitor"),
        """
        act 0: 0 examine 2
        challenge-action 1 2: all pass
        reveal 2: 2 reveal 0
        show-to 2 0 0: 2 shown
        judge 0: 0 force
        redraw 2 0: 2 redrawn
        act 1:
        """,
    )


def test_case_86_a_proven_ambassador_is_swapped_before_the_exchange():
    play(
        table("2,2"),
        """
        act 0: 0 exchange
        challenge-action 1: 1 challenge
        prove 0: 0 show 1
        open 0 1: 0 opened ambassador
        lose 1: 1 lose 0
        open 1 0: 1 opened duke
        replace 0 1 ambassador: 0 replaced
        draw 0 2: 0 drew
        keep 0: 0 keep 0,1
        shuffle: shuffled
        act 1:
        """,
    )


def test_case_87_declining_is_legal_whatever_one_holds():
    state = play(table("2,2"), "act 0: 0 tax\n challenge-action 1: 1 challenge\n prove 0:")
    assert "0 decline" in texts(state, 0)
    play(
        state,
        """
        prove 0: 0 decline
        lose 0: 0 lose 1
        open 0 1: 0 opened duke
        coins 2,2
        act 1:
        """,
    )
