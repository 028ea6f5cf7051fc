"""Ruling D25, conceding, in every phase."""

from itertools import permutations

import pytest

from p2pcoup.rules import BASE, IllegalMoveError, WrongSeatError, apply, legal_moves, parse_move
from tests.rules.scripts import play, table


def concede(seat):
    return parse_move(BASE, f"{seat} concede")


def test_d25_a_seat_conceding_its_turn_turns_up_all_cards_and_is_out():
    state = play(
        table("5,2,2"),
        """
        act 0: 0 concede
        open 0 0,1: 0 opened duke,contessa
        coins 0,2,2
        cards duke,contessa ?,? ?,?
        act 1:
        """,
    )
    assert state.living == (1, 2)


def test_d25_conceding_is_not_listed_among_the_legal_moves():
    state = table("2,2")
    assert concede(0) not in legal_moves(state, 0)
    assert apply(state, concede(0)).request is not None


def test_d25_only_hidden_cards_are_turned_up():
    play(
        table("2,2", "duke,? ?,?"),
        "act 0: 0 concede\n open 0 1: 0 opened captain\n coins 0,2\n over 1",
    )


def test_d25_conceding_in_a_window_is_no_challenge_and_waits_for_the_others():
    play(
        table("2,2,2"),
        """
        act 0: 0 tax
        challenge-action 1 2: 1 concede
        challenge-action 2: 2 pass
        open 1 0,1: 1 opened duke,duke
        coins 5,0,2
        act 2:
        """,
    )


def test_d25_a_challenge_beside_a_concession_is_still_resolved():
    play(
        table("2,2,2"),
        """
        act 0: 0 tax
        challenge-action 1 2: 2 challenge, 1 concede
        open 1 0,1: 1 opened duke,duke
        prove 0: 0 show 0
        open 0 0: 0 opened duke
        lose 2: 2 lose 0
        open 2 0: 2 opened captain
        replace 0 0 duke: 0 replaced
        coins 5,0,2
        act 2:
        """,
    )


@pytest.mark.parametrize("arrival", list(permutations(["0 concede", "3 concede", "1 pass"])))
def test_d25_several_conceding_in_one_window_go_clockwise(arrival):
    play(
        table("2,2,2,2", turn=2),
        f"""
        act 2: 2 tax
        challenge-action 3 0 1: {", ".join(arrival)}
        open 3 0,1: 3 opened duke,captain
        open 0 0,1: 0 opened duke,captain
        coins 0,2,5,0
        act 1:
        """,
    )


def test_d25_the_game_ends_when_all_others_concede():
    play(
        table("2,2,2"),
        """
        act 0: 0 tax
        challenge-action 1 2: 2 concede, 1 concede
        open 1 0,1: 1 opened duke,captain
        open 2 0,1: 2 opened duke,captain
        coins 2,0,0
        over 0
        """,
    )


def test_d25_a_target_conceding_in_the_challenge_window_ends_the_action():
    play(
        table("3,2,2"),
        """
        act 0: 0 assassinate 1
        challenge-action 1 2: 1 concede, 2 pass
        open 1 0,1: 1 opened duke,captain
        coins 0,0,2
        act 2:
        """,
    )


def test_d25_a_target_conceding_instead_of_blocking_ends_the_action():
    play(
        table("3,2,2"),
        """
        act 0: 0 steal 1
        challenge-action 1 2: all pass
        block 1: 1 concede
        open 1 0,1: 1 opened duke,captain
        coins 3,0,2
        act 2:
        """,
    )


def test_d25_conceding_instead_of_blocking_lets_another_block_count():
    play(
        table("3,2,2"),
        """
        act 0: 0 foreign-aid
        block 1 2: 1 concede, 2 block duke
        open 1 0,1: 1 opened duke,captain
        challenge-block 0: 0 pass
        coins 3,0,2
        act 2:
        """,
    )


def test_d25_an_actor_conceding_instead_of_proving_fails_and_is_out():
    state = play(
        table("5,2,2"),
        """
        act 0: 0 assassinate 1
        challenge-action 1 2: 1 challenge, 2 pass
        prove 0: 0 concede
        coins 5,2,2
        open 0 0,1: 0 opened assassin,duke
        coins 0,2,2
        cards assassin,duke ?,? ?,?
        act 1:
        """,
    )
    assert state.treasury == 46


def test_d25_a_blocking_target_conceding_instead_of_proving_ends_the_action():
    play(
        table("3,4,2"),
        """
        act 0: 0 steal 1
        challenge-action 1 2: all pass
        block 1: 1 block captain
        challenge-block 2 0: 2 challenge, 0 pass
        prove 1: 1 concede
        open 1 0,1: 1 opened captain,duke
        coins 3,0,2
        act 2:
        """,
    )


def test_d25_a_blocker_of_foreign_aid_conceding_instead_of_proving_lets_it_through():
    play(
        table("3,4,2"),
        """
        act 0: 0 foreign-aid
        block 1 2: 1 block duke, 2 pass
        challenge-block 2 0: 2 challenge, 0 pass
        prove 1: 1 concede
        open 1 0,1: 1 opened captain,duke
        coins 5,0,2
        act 2:
        """,
    )


def test_d25_an_actor_conceding_while_their_action_is_blocked_loses_it():
    play(
        table("3,4,2"),
        """
        act 0: 0 foreign-aid
        block 1 2: 1 block duke, 2 pass
        challenge-block 2 0: 0 concede, 2 pass
        open 0 0,1: 0 opened captain,duke
        coins 0,4,2
        act 1:
        """,
    )


def test_d25_an_actor_conceding_beside_a_challenge_of_the_block_gets_nothing_from_it():
    play(
        table("6,4,2"),
        """
        act 0: 0 assassinate 1
        challenge-action 1 2: all pass
        block 1: 1 block contessa
        challenge-block 2 0: 0 concede, 2 challenge
        open 0 0,1: 0 opened captain,duke
        coins 0,4,2
        prove 1: 1 decline
        lose 1: 1 lose 0
        open 1 0: 1 opened duke
        cards captain,duke duke,? ?,?
        act 1:
        """,
    )


def test_d25_conceding_instead_of_choosing_a_loss_turns_up_both_cards():
    play(
        table("7,2,2"),
        """
        act 0: 0 coup 1
        lose 1: 1 concede
        open 1 0,1: 1 opened captain,duke
        coins 0,0,2
        act 2:
        """,
    )


def test_d25_a_challenger_conceding_at_their_loss_leaves_swap_and_action_in_place():
    play(
        table("2,2,2"),
        """
        act 0: 0 steal 1
        challenge-action 1 2: 2 challenge, 1 pass
        prove 0: 0 show 0
        open 0 0: 0 opened captain
        lose 2: 2 concede
        open 2 0,1: 2 opened duke,duke
        replace 0 0 captain: 0 replaced
        block 1: 1 pass
        coins 4,0,0
        act 1:
        """,
    )


def test_d25_a_target_who_concedes_after_a_lost_challenge_loses_nothing_twice():
    play(
        table("3,2,2"),
        """
        act 0: 0 assassinate 1
        challenge-action 1 2: 1 challenge, 2 pass
        prove 0: 0 show 0
        open 0 0: 0 opened assassin
        lose 1: 1 concede
        open 1 0,1: 1 opened duke,duke
        replace 0 0 assassin: 0 replaced
        act 2:
        """,
    )


def test_d25_nobody_concedes_in_the_middle_of_an_exchange():
    state = play(
        table("2,2"),
        "act 0: 0 exchange\n challenge-action 1: 1 pass\n draw 0 2: 0 drew\n keep 0:",
    )
    with pytest.raises(IllegalMoveError, match="0 keep 0,1"):
        apply(state, concede(0))


def test_d25_nobody_concedes_without_a_decision_of_their_own():
    with pytest.raises(WrongSeatError):
        apply(table("2,2,2"), concede(1))
    state = play(table("2,2,2"), "act 0: 0 tax\n challenge-action 1 2: 1 pass")
    with pytest.raises(WrongSeatError):
        apply(state, concede(1))
    waiting = play(table("7,2"), "act 0: 0 coup 1\n lose 1: 1 lose 0\n open 1 0:")
    with pytest.raises(WrongSeatError, match="waits for the cards: open 1 0"):
        apply(waiting, concede(1))
