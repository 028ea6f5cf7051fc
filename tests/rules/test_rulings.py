"""Rulings D1 to D27 where they concern the base game, by number."""

from itertools import permutations

import pytest

from p2pcoup.rules import (
    BASE,
    Action,
    Character,
    Edition,
    Effect,
    IllegalMoveError,
    WrongSeatError,
    apply,
    parse_move,
    pending,
)
from tests.rules.scripts import play, table, texts


def test_d1_the_block_window_opens_after_the_challenge_window_is_settled():
    play(
        table("3,2,2"),
        """
        act 0: 0 assassinate 2
        challenge-action 1 2: all pass
        block 2: 2 block contessa
        challenge-block 0 1: all pass
        act 1:
        """,
    )


def test_d2_the_target_may_block_after_somebody_elses_failed_challenge():
    play(
        table("2,2,2"),
        """
        act 0: 0 steal 1
        challenge-action 1 2: 1 pass, 2 challenge
        prove 0: 0 show 0
        open 0 0: 0 opened captain
        lose 2: 2 lose 0
        open 2 0: 2 opened duke
        replace 0 0 captain: 0 replaced
        block 1: 1 block captain
        challenge-block 2 0: all pass
        coins 2,2,2
        act 1:
        """,
    )


def test_d3_the_target_may_block_after_their_own_failed_challenge():
    play(
        table("3,2"),
        """
        act 0: 0 assassinate 1
        challenge-action 1: 1 challenge
        prove 0: 0 show 0
        open 0 0: 0 opened assassin
        lose 1: 1 lose 0
        open 1 0: 1 opened duke
        replace 0 0 assassin: 0 replaced
        block 1: 1 block contessa
        challenge-block 0: 0 pass
        cards ?,? duke,?
        act 1:
        """,
    )


def test_d4_the_loss_of_the_challenge_comes_before_the_loss_of_the_action():
    play(
        table("3,2,2"),
        """
        act 0: 0 assassinate 1
        challenge-action 1 2: 1 pass, 2 challenge
        prove 0: 0 show 1
        open 0 1: 0 opened assassin
        lose 2: 2 lose 1
        open 2 1: 2 opened duke
        replace 0 1 assassin: 0 replaced
        block 1: 1 pass
        lose 1: 1 lose 0
        open 1 0: 1 opened duke
        cards ?,? duke,? ?,duke
        act 1:
        """,
    )


def test_d5_an_action_against_a_target_out_by_their_own_challenge_has_no_effect():
    play(
        table("3,4,2", "?,? duke,? ?,?"),
        """
        act 0: 0 assassinate 1
        challenge-action 1 2: 1 challenge, 2 pass
        prove 0: 0 show 0
        open 0 0: 0 opened assassin
        open 1 1: 1 opened duke
        replace 0 0 assassin: 0 replaced
        coins 0,0,2
        act 2:
        """,
    )


def test_d5_a_steal_from_a_target_who_went_out_yields_nothing():
    state = play(
        table("3,4,2", "?,? duke,? ?,?"),
        """
        act 0: 0 steal 1
        challenge-action 1 2: 1 challenge, 2 pass
        prove 0: 0 show 0
        open 0 0: 0 opened captain
        open 1 1: 1 opened duke
        replace 0 0 captain: 0 replaced
        coins 3,0,2
        act 2:
        """,
    )
    assert state.treasury == 45


def test_d5_a_steal_yields_nothing_when_the_targets_block_bluff_puts_them_out():
    play(
        table("3,4,2", "?,? duke,? ?,?"),
        """
        act 0: 0 steal 1
        challenge-action 1 2: all pass
        block 1: 1 block captain
        challenge-block 2 0: 0 challenge, 2 pass
        prove 1: 1 decline
        open 1 1: 1 opened duke
        coins 3,0,2
        act 2:
        """,
    )


def test_d6_stealing_from_somebody_without_coins_is_legal_and_moves_none():
    play(
        table("2,0"),
        """
        act 0: 0 steal 1
        challenge-action 1: 1 pass
        block 1: 1 pass
        coins 2,0
        act 1:
        """,
    )


def test_d8_a_cost_is_paid_at_the_announcement():
    play(table("7,2"), "act 0: 0 coup 1\n coins 0,2\n lose 1:")
    play(table("3,2"), "act 0: 0 assassinate 1\n coins 0,2\n challenge-action 1:")


def test_d8_a_cost_that_comes_back_to_an_actor_who_goes_out_ends_in_the_treasury():
    state = play(
        table("5,2,2", "duke,? ?,? ?,?"),
        """
        act 0: 0 assassinate 1
        coins 2,2,2
        challenge-action 1 2: 1 challenge, 2 pass
        prove 0: 0 decline
        coins 5,2,2
        open 0 1: 0 opened captain
        coins 0,2,2
        act 1:
        """,
    )
    assert state.treasury == 46


@pytest.mark.parametrize("arrival", list(permutations(["0 challenge", "1 challenge", "3 pass"])))
def test_d11_of_several_challengers_the_next_one_clockwise_counts(arrival):
    play(
        table("2,2,2,2", turn=2),
        f"""
        act 2: 2 tax
        challenge-action 3 0 1: {", ".join(arrival)}
        prove 2: 2 decline
        """,
    )
    state = play(
        table("2,2,2,2", turn=2), f"act 2: 2 tax\n challenge-action 3 0 1: {', '.join(arrival)}"
    )
    assert state.step.challenger == 0


@pytest.mark.parametrize("arrival", list(permutations(["3 block duke", "0 pass", "1 block duke"])))
def test_d11_of_several_blockers_the_next_one_clockwise_counts(arrival):
    play(
        table("2,2,2,2", order="0,1,2,3", turn=2),
        f"""
        act 2: 2 foreign-aid
        block 3 0 1: {", ".join(arrival)}
        challenge-block 0 1 2:
        """,
    )


def test_d11_nothing_happens_before_everyone_has_answered():
    state = play(table("2,2,2"), "act 0: 0 tax\n challenge-action 1 2: 1 challenge")
    assert [(decision.seat, decision.kind.value) for decision in pending(state)] == [
        (2, "challenge-action")
    ]


def test_d12_foreign_aid_goes_through_when_its_block_is_caught_and_nobody_blocks_again():
    play(
        table("2,2,2"),
        """
        act 0: 0 foreign-aid
        block 1 2: 1 block duke, 2 block duke
        challenge-block 2 0: 0 challenge, 2 pass
        prove 1: 1 decline
        lose 1: 1 lose 0
        open 1 0: 1 opened captain
        coins 4,2,2
        act 1:
        """,
    )


def test_d13_a_claim_just_proven_is_not_challenged_again_in_the_same_action():
    state = play(
        table("2,2,2"),
        """
        act 0: 0 tax
        challenge-action 1 2: all pass
        act 1: 1 tax
        challenge-action 2 0: 2 challenge, 0 pass
        prove 1: 1 show 0
        open 1 0: 1 opened duke
        lose 2: 2 lose 0
        open 2 0: 2 opened captain
        replace 1 0 duke: 1 replaced
        coins 5,5,2
        act 2:
        """,
    )
    with pytest.raises(WrongSeatError):
        apply(state, parse_move(BASE, "0 challenge"))


def test_d14_a_steal_block_must_be_proven_with_the_character_it_named():
    state = play(
        table("2,2"),
        """
        act 0: 0 steal 1
        challenge-action 1: 1 pass
        block 1: 1 block ambassador
        challenge-block 0: 0 challenge
        prove 1: 1 show 0
        open 1 0:
        """,
    )
    with pytest.raises(IllegalMoveError, match="ambassador was claimed"):
        play(state, "open 1 0: 1 opened captain")


def test_d15_a_holder_who_is_challenged_is_asked_even_with_one_card():
    state = play(
        table("2,2", "duke,? ?,?"), "act 0: 0 tax\n challenge-action 1: 1 challenge\n prove 0:"
    )
    assert texts(state, 0) == ["0 show 1", "0 decline"]


def test_d18_of_two_copies_the_shown_one_is_swapped():
    play(
        table("2,2"),
        """
        act 0: 0 tax
        challenge-action 1: 1 challenge
        prove 0: 0 show 1
        open 0 1: 0 opened duke
        lose 1: 1 lose 0
        open 1 0: 1 opened duke
        replace 0 1 duke:
        """,
    )


def test_d19_a_challenge_that_ends_the_game_draws_no_replacement():
    play(
        table("2,2", "?,? duke,?"),
        """
        act 0: 0 tax
        challenge-action 1: 1 challenge
        prove 0: 0 show 1
        open 0 1: 0 opened duke
        open 1 1: 1 opened captain
        coins 2,0
        over 0
        """,
    )


def test_d21_an_exchange_with_one_influence_keeps_one_of_three():
    state = play(
        table("2,2", "duke,? ?,?"),
        """
        act 0: 0 exchange
        challenge-action 1: 1 pass
        draw 0 2: 0 drew
        keep 0:
        """,
    )
    assert texts(state, 0) == ["0 keep 0", "0 keep 1", "0 keep 2"]
    play(state, "keep 0: 0 keep 2\n shuffle: shuffled\n cards duke,? ?,?\n act 1:")


def test_d22_an_edition_whose_court_could_run_out_is_refused():
    only = Character("only")
    coup = Action("coup", Effect.STRIKE, 1, cost=7)
    draw = Action("draw", Effect.EXCHANGE, 4, claim=only)
    with pytest.raises(ValueError, match="Court may be too small"):
        Edition("thin", (only,), (coup, draw), coup, copies=15)


def test_d22_the_court_of_six_players_still_feeds_an_exchange():
    state = play(
        table("2,2,2,2,2,2"),
        "act 0: 0 exchange\n challenge-action 1 2 3 4 5: all pass\n draw 0 2: 0 drew",
    )
    assert state.court_size == 1


def test_d26_everyone_alive_but_the_blocker_may_challenge_a_block():
    play(
        table("2,2,0,2", "?,? ?,? duke,duke ?,?"),
        """
        act 0: 0 foreign-aid
        block 1 3: 3 block duke, 1 pass
        challenge-block 0 1:
        """,
    )


def test_d27_first_the_challengers_loss_then_the_swap_then_the_action():
    play(
        table("2,2"),
        """
        act 0: 0 exchange
        challenge-action 1: 1 challenge
        prove 0: 0 show 0
        open 0 0: 0 opened ambassador
        lose 1: 1 lose 0
        open 1 0: 1 opened duke
        replace 0 0 ambassador: 0 replaced
        draw 0 2: 0 drew
        keep 0: 0 keep ?
        shuffle: shuffled
        act 1:
        """,
    )
