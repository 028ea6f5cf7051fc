"""Ruling D25, a seat that is lost: out at any moment, its hidden cards unseen in the Court."""

import pytest

from p2pcoup.rules import (
    IllegalMoveError,
    Lost,
    apply,
    parse_state,
    pending,
    state_to_text,
)
from tests.rules.scripts import play, table, texts


def test_d25_a_lost_seat_is_out_without_coins_and_its_hidden_cards_are_in_the_court():
    before = table("2,5,2", "?,? ?,duke ?,?")
    after = apply(before, Lost(1))
    assert after.living == (0, 2)
    assert after.coins == (2, 0, 2)
    assert after.slots == ((None, None), (before.slots[1][1],), (None, None))
    assert after.court_size == before.court_size + 1
    assert after.treasury == before.treasury + 5


def test_d25_a_lost_seat_keeps_what_was_face_up_and_its_text_says_so():
    state = play(table("2,2,2,2", "?,? ?,duke ?,? ?,?"), "act 0: 1 lost, 3 lost")
    text = "base; order 0,1,2,3; turn 0; coins 2,0,2,0; cards ?,? duke ?,? -; act 0"
    assert state_to_text(state) == text
    assert parse_state(text) == state


def test_d25_with_one_left_the_game_is_over():
    state = play(table("2,2,2"), "act 0: 2 lost, 0 lost\n over 1")
    assert state.outcome.winner == 1
    assert pending(state) == ()


def test_d25_a_seat_that_is_out_cannot_be_lost():
    state = table("2,0,2", "?,? duke,duke ?,?")
    for seat in (1, 3, -1):
        with pytest.raises(IllegalMoveError, match=f"seat {seat} is not in the game"):
            apply(state, Lost(seat))
    with pytest.raises(IllegalMoveError, match="not in the game"):
        apply(play(table("2,2"), "act 0: 1 lost\n over 0"), Lost(1))


def test_d25_the_lost_seats_turn_passes_to_the_next():
    play(table("2,2,2"), "act 0: 0 lost\n act 1: 1 income\n act 2: 2 income\n act 1:")


def test_d25_another_seats_turn_goes_on_without_the_lost_target():
    state = play(table("7,2,2"), "act 0: 2 lost\n act 0:")
    assert "0 coup 1" in texts(state, 0)
    assert not any(text.endswith(" 2") for text in texts(state, 0))


def test_d25_a_lost_seat_answers_nothing_and_the_window_closes_without_it():
    play(
        table("2,2,2"),
        """
        act 0: 0 tax
        challenge-action 1 2: 1 pass
        challenge-action 2: 2 lost
        coins 5,2,0
        act 1:
        """,
    )


def test_d25_what_a_lost_seat_had_answered_does_not_count():
    play(
        table("2,2,2,2"),
        """
        act 0: 0 foreign-aid
        block 1 2 3: 1 block duke, 3 block duke
        block 2: 1 lost
        block 2: 2 pass
        challenge-block 0 2:
        """,
    )
    play(
        table("2,2,2"),
        """
        act 0: 0 tax
        challenge-action 1 2: 1 concede
        challenge-action 2: 1 lost
        challenge-action 2: 2 pass
        coins 5,0,2
        act 2:
        """,
    )


@pytest.mark.parametrize(
    "script",
    [
        "act 0: 0 assassinate 1\n challenge-action 1 2:",
        "act 0: 0 assassinate 1\n challenge-action 1 2: 1 challenge,",
        "act 0: 0 assassinate 1\n challenge-action 1 2: all pass\n block 1:",
        "act 0: 0 assassinate 1\n challenge-action 1 2: 1 challenge, 2 pass\n prove 0:",
        "act 0: 0 tax\n challenge-action 1 2: 1 challenge, 2 pass\n prove 0: 0 show 0\n open 0 0:",
        "act 0: 0 foreign-aid\n block 1 2: 1 pass,",
        "act 0: 0 exchange\n challenge-action 1 2: all pass\n draw 0 2:",
        "act 0: 0 exchange\n challenge-action 1 2: all pass\n draw 0 2: 0 drew\n keep 0:",
    ],
)
def test_d25_the_action_of_a_lost_seat_has_no_effect(script):
    after = play(table("5,2,2"), f"{script} 0 lost\n coins 0,2,2\n cards - ?,? ?,?\n act 1:")
    assert after.court_size == 15 - 4


def test_d25_a_loss_others_have_to_choose_stays_when_the_actor_is_lost():
    play(
        table("7,2,2"),
        """
        act 0: 0 coup 1
        lose 1: 0 lost
        lose 1: 1 lose 0
        open 1 0: 1 opened duke
        act 1:
        """,
    )


@pytest.mark.parametrize(
    "script",
    [
        "challenge-block 2 0:",
        "challenge-block 2 0: 0 challenge,",
        "challenge-block 2 0: 2 challenge, 0 pass\n prove 1:",
        "challenge-block 2 0: 2 challenge, 0 pass\n prove 1: 1 show 1\n open 1 1:",
    ],
)
def test_d25_the_block_of_a_lost_seat_falls_and_the_action_goes_ahead(script):
    begin = "act 0: 0 foreign-aid\n block 1 2: 1 block duke, 2 block duke\n"
    play(table("2,2,2"), f"{begin} {script} 1 lost\n coins 4,0,2\n act 2:")


def test_d25_a_block_that_is_proven_stands_even_when_its_seat_is_lost_then():
    play(
        table("2,2,2"),
        """
        act 0: 0 foreign-aid
        block 1 2: 1 block duke, 2 pass
        challenge-block 2 0: 2 challenge, 0 pass
        prove 1: 1 show 1
        open 1 1: 1 opened duke
        lose 2: 1 lost
        lose 2: 2 lose 0
        open 2 0: 2 opened duke
        coins 2,0,2
        act 2:
        """,
    )


def test_d25_a_lost_target_ends_the_action_once_the_challenge_is_settled():
    play(
        table("3,2,2"),
        """
        act 0: 0 assassinate 1
        challenge-action 1 2: 1 lost
        challenge-action 2: 2 challenge
        prove 0: 0 decline
        coins 3,0,2
        lose 0: 0 lose 0
        open 0 0: 0 opened duke
        act 2:
        """,
    )
    play(
        table("3,2,2"),
        """
        act 0: 0 assassinate 1
        challenge-action 1 2: all pass
        block 1: 1 lost
        coins 0,0,2
        act 2:
        """,
    )


def test_d25_a_challenge_lives_on_without_its_challenger_and_nobody_loses_for_it():
    begin = "act 0: 0 tax\n challenge-action 1 2: 1 challenge, 2 pass\n prove 0: 1 lost\n prove 0:"
    play(table("2,2,2"), begin + " 0 decline\n lose 0: 0 lose 0\n open 0 0: 0 opened duke\n act 2:")
    play(
        table("2,2,2"),
        begin + " 0 show 0\n open 0 0: 0 opened duke\n replace 0 0 duke: 0 replaced\n"
        "coins 5,0,2\n act 2:",
    )


def test_d25_a_shown_card_is_in_the_court_again_when_its_seat_is_lost_before_the_swap():
    state = play(
        table("2,2,2"),
        """
        act 0: 0 tax
        challenge-action 1 2: 1 challenge, 2 pass
        prove 0: 0 show 0
        open 0 0: 0 opened duke
        lose 1: 0 lost
        lose 1: 1 lose 0
        open 1 0: 1 opened duke
        coins 0,2,2
        act 1:
        """,
    )
    assert state.court_size == 15 - 4


def test_d25_a_loss_or_an_opening_of_a_lost_seat_is_dropped():
    play(table("7,2,2"), "act 0: 0 coup 1\n lose 1: 1 lost\n coins 0,0,2\n act 2:")
    play(table("7,2,2"), "act 0: 0 coup 1\n lose 1: 1 lose 0\n open 1 0: 1 lost\n cards ?,? - ?,?")
    play(
        table("2,2,2"),
        """
        act 0: 0 tax
        challenge-action 1 2: 1 concede, 2 concede
        open 1 0,1: 2 lost
        open 1 0,1: 1 opened duke,duke
        over 0
        """,
    )


def test_d25_a_pending_shuffle_stays_to_be_done():
    play(
        table("2,2,2"),
        """
        act 0: 0 exchange
        challenge-action 1 2: all pass
        draw 0 2: 0 drew
        keep 0: 0 keep ?
        shuffle: 0 lost
        shuffle: shuffled
        act 1:
        """,
    )


def test_d25_a_claim_that_is_still_to_be_asked_about_falls_with_its_seat():
    play(
        table("3,2,2,2"),
        """
        act 0: 0 foreign-aid
        block 1 2 3: 1 concede, 2 block duke, 3 pass
        open 1 0,1: 2 lost
        open 1 0,1: 1 opened duke,duke
        coins 5,0,0,2
        act 3:
        """,
    )
    play(
        table("3,2,2,2"),
        """
        act 0: 0 tax
        challenge-action 1 2 3: 1 concede, 2 challenge, 3 pass
        open 1 0,1: 0 lost
        open 1 0,1: 1 opened duke,duke
        coins 0,0,2,2
        act 2:
        """,
    )
