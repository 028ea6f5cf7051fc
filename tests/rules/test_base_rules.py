"""Rules R1 to R42 of the base game, by number; the table is in seeds/README.md."""

import pytest

from p2pcoup.rules import (
    BASE,
    DecisionKind,
    IllegalMoveError,
    Seat,
    WrongSeatError,
    apply,
    legal_moves,
    parse_move,
    pending,
    start,
    view,
)
from tests.rules.scripts import play, table, texts, verbs

# Set-up


def test_r1_there_are_fifteen_cards_three_of_each_of_five_characters():
    cards = BASE.cards()
    assert len(cards) == 15
    assert [character.name for character in BASE.characters] == [
        "duke",
        "assassin",
        "captain",
        "ambassador",
        "contessa",
    ]
    assert all(cards.count(character) == 3 for character in BASE.characters)


def test_r2_coins_not_with_players_are_the_treasury():
    state = start(BASE, 3, (0, 1, 2), 0)
    assert state.treasury == 50 - 6


def test_r2_the_supply_never_limits_an_action():
    state = table("8,9,9,9,9,9")
    assert state.treasury == -3
    state = play(state, "act 0: 0 tax\n challenge-action 1 2 3 4 5: all pass")
    assert state.coins[0] == 11


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_r3_two_to_six_may_play(seats):
    state = start(BASE, seats, range(seats), 0)
    assert state.living == tuple(range(seats))


@pytest.mark.parametrize("seats", [0, 1, 7])
def test_r3_fewer_than_two_and_more_than_six_may_not_play(seats):
    with pytest.raises(ValueError, match="2 to 6"):
        start(BASE, seats, range(seats), 0)


def test_r4_everyone_has_two_face_down_cards_and_the_rest_is_the_court():
    state = start(BASE, 4, (0, 1, 2, 3), 0)
    assert state.slots == ((None, None),) * 4
    assert state.court_size == 15 - 8


def test_r5_a_view_holds_the_own_cards_and_nobody_elses():
    state = start(BASE, 2, (0, 1), 0)
    hand = BASE.characters[:2]
    seen = view(state, Seat(0), hand, (), (), ())
    assert seen.held == hand
    assert seen.state.slots == ((None, None), (None, None))


def test_r6_everyone_begins_with_two_visible_coins():
    assert start(BASE, 3, (2, 0, 1), 2).coins == (2, 2, 2)


def test_r7_the_winner_of_the_previous_game_starts_the_next():
    ended = play(
        table("7,0", "duke,? duke,?"),
        """
        act 0: 0 coup 1
        open 1 1: 1 opened duke
        over 0
        """,
    )
    following = start(BASE, 2, (1, 0), ended.outcome.winner)
    assert following.turn == 0
    assert following.coins == (1, 2)


def test_r42_with_two_players_the_starter_has_one_coin():
    assert start(BASE, 2, (0, 1), 0).coins == (1, 2)
    assert start(BASE, 2, (0, 1), 1).coins == (2, 1)


# Influence and the end


def test_r8_the_last_player_with_influence_wins():
    state = play(
        table("7,0,0", "duke,? captain,captain contessa,?"),
        """
        act 0: 0 coup 2
        open 2 1: 2 opened contessa
        over 0
        """,
    )
    assert state.outcome.winner == 0
    assert pending(state) == ()


def test_r9_the_loser_chooses_which_card_to_turn_up():
    play(
        table("7,0"),
        """
        act 0: 0 coup 1
        lose 1: 1 lose 1
        open 1 1: 1 opened captain
        cards ?,? ?,captain
        act 1:
        """,
    )


def test_r10_a_face_up_card_stays_and_gives_no_influence():
    state = play(
        table("7,1"),
        """
        act 0: 0 coup 1
        lose 1: 1 lose 0
        open 1 0: 1 opened duke
        act 1: 1 income
        cards ?,? duke,?
        act 0: 0 income
        cards ?,? duke,?
        """,
    )
    assert state.influence(1) == 1
    assert state.face_up(BASE.character("duke")) == 1


def test_r11_without_a_face_down_card_a_player_is_out_and_their_coins_go():
    state = play(
        table("7,5,3", "?,? duke,? ?,?"),
        """
        act 0: 0 coup 1
        open 1 1: 1 opened captain
        coins 0,0,3
        cards ?,? duke,captain ?,?
        act 2:
        """,
    )
    assert state.living == (0, 2)
    assert state.treasury == 47


def test_r12_the_game_ends_the_moment_one_player_is_left():
    state = play(
        table("7,5", "?,? duke,?"),
        """
        act 0: 0 coup 1
        open 1 1: 1 opened captain
        over 0
        """,
    )
    assert state.agenda == ()
    assert state.request is None
    with pytest.raises(WrongSeatError, match="seat 0 has won"):
        apply(state, parse_move(BASE, "0 income"))


# Turns


def test_r13_turns_go_clockwise_along_the_agreed_order_with_one_action_each():
    play(
        table("2,2,2,2", order="2,0,3,1", turn=3),
        """
        act 3: 3 income
        act 1: 1 income
        act 2: 2 income
        act 0: 0 income
        act 3:
        """,
    )


def test_r13_a_turn_cannot_be_passed():
    with pytest.raises(IllegalMoveError, match="0 income"):
        apply(table("2,2"), parse_move(BASE, "0 pass"))


def test_r14_with_ten_coins_only_coup_is_legal():
    assert texts(table("10,2,2"), 0) == ["0 coup 1", "0 coup 2"]
    assert texts(table("12,2,2"), 0) == ["0 coup 1", "0 coup 2"]
    with pytest.raises(IllegalMoveError):
        apply(table("10,2,2"), parse_move(BASE, "0 income"))


def test_r14_with_nine_coins_everything_is_legal():
    assert verbs(table("9,2,2"), 0) == {action.name for action in BASE.actions}


def test_r14_more_than_ten_coins_are_allowed_outside_the_own_turn():
    play(
        table("9,2"),
        """
        act 0: 0 tax
        challenge-action 1: 1 pass
        coins 12,2
        act 1: 1 income
        act 0: 0 coup 1
        coins 5,3
        """,
    )


def test_r15_first_challenges_then_blocks_then_success():
    play(
        table("2,2,2"),
        """
        act 0: 0 steal 1
        challenge-action 1 2: all pass
        block 1: 1 pass
        coins 4,0,2
        act 1:
        """,
    )


def test_r16_a_claim_needs_no_card_and_none_is_shown_unless_challenged():
    assert {"tax", "steal", "exchange"} <= verbs(table("2,2"), 0)
    play(
        table("2,2"),
        """
        act 0: 0 tax
        challenge-action 1: 1 pass
        cards ?,? ?,?
        act 1:
        """,
    )


# Actions


def test_r17_income_is_one_coin_and_nobody_is_asked():
    play(table("2,2"), "act 0: 0 income\n coins 3,2\n act 1:")


def test_r18_foreign_aid_is_two_coins_and_cannot_be_challenged():
    play(
        table("2,2,2"),
        """
        act 0: 0 foreign-aid
        block 1 2: all pass
        coins 4,2,2
        act 1:
        """,
    )


@pytest.mark.parametrize(("blocker", "other", "around"), [(1, 2, "2 0"), (2, 1, "0 1")])
def test_r18_any_other_player_may_block_foreign_aid_as_duke(blocker, other, around):
    state = play(table("2,2,2"), "act 0: 0 foreign-aid\n block 1 2:")
    assert texts(state, blocker) == [f"{blocker} pass", f"{blocker} block duke"]
    play(
        state,
        f"""
        block 1 2: {other} pass, {blocker} block duke
        challenge-block {around}: all pass
        coins 2,2,2
        act 1:
        """,
    )


def test_r19_coup_costs_seven_and_cannot_be_answered():
    play(
        table("8,2,2"),
        """
        act 0: 0 coup 2
        coins 1,2,2
        lose 2: 2 lose 0
        open 2 0: 2 opened duke
        act 1:
        """,
    )
    assert "coup" not in verbs(table("6,2,2"), 0)


def test_r20_tax_is_three_coins_and_cannot_be_blocked():
    play(
        table("2,2,2"),
        """
        act 0: 0 tax
        challenge-action 1 2: all pass
        coins 5,2,2
        act 1:
        """,
    )


def test_r21_assassination_costs_three_and_takes_an_influence():
    play(
        table("3,2,2"),
        """
        act 0: 0 assassinate 1
        coins 0,2,2
        challenge-action 1 2: all pass
        block 1: 1 pass
        lose 1: 1 lose 1
        open 1 1: 1 opened contessa
        act 1:
        """,
    )
    assert "assassinate" not in verbs(table("2,2,2"), 0)


def test_r21_the_target_may_block_with_contessa():
    state = play(
        table("3,2,2"), "act 0: 0 assassinate 1\n challenge-action 1 2: all pass\n block 1:"
    )
    assert texts(state, 1) == ["1 pass", "1 block contessa"]


@pytest.mark.parametrize(("coins", "after"), [("2,3", "4,1"), ("2,2", "4,0"), ("2,1", "3,0")])
def test_r22_steal_takes_two_coins_or_the_last_one(coins, after):
    play(
        table(coins),
        f"""
        act 0: 0 steal 1
        challenge-action 1: 1 pass
        block 1: 1 pass
        coins {after}
        act 1:
        """,
    )


def test_r22_the_target_may_block_with_captain_or_ambassador():
    state = play(table("2,2"), "act 0: 0 steal 1\n challenge-action 1: 1 pass\n block 1:")
    assert texts(state, 1) == ["1 pass", "1 block captain", "1 block ambassador"]


def test_r23_exchange_draws_two_returns_two_and_shuffles():
    state = play(
        table("2,2"),
        """
        act 0: 0 exchange
        challenge-action 1: 1 pass
        draw 0 2: 0 drew
        keep 0:
        """,
    )
    assert state.court_size == 15 - 4 - 2
    assert texts(state, 0) == [f"0 keep {a},{b}" for a in range(4) for b in range(a + 1, 4)]
    state = play(state, "keep 0: 0 keep 1,3\n shuffle: shuffled\n act 1:")
    assert state.court_size == 15 - 4
    assert state.slots == ((None, None), (None, None))


def test_r24_contessa_stops_nothing_but_an_assassination():
    contessa = BASE.character("contessa")
    assert [action.name for action in BASE.actions if contessa in action.blockers] == [
        "assassinate"
    ]
    assert not any(action.claim == contessa for action in BASE.actions)


# Blocks and challenges


def test_r25_a_block_is_a_claim_that_others_may_challenge():
    play(
        table("3,2,2"),
        """
        act 0: 0 assassinate 1
        challenge-action 1 2: all pass
        block 1: 1 block contessa
        challenge-block 2 0: 2 challenge, 0 pass
        prove 1: 1 decline
        lose 1: 1 lose 0
        open 1 0: 1 opened duke
        open 1 1: 1 opened captain
        act 2:
        """,
    )


@pytest.mark.parametrize("action", ["steal", "assassinate"])
def test_r26_steal_and_assassination_are_blocked_by_their_target_only(action):
    state = play(table("3,2,2"), f"act 0: 0 {action} 2\n challenge-action 1 2: all pass\n block 2:")
    with pytest.raises(WrongSeatError):
        apply(state, parse_move(BASE, "1 block contessa"))


def test_r27_a_block_that_stands_keeps_the_cost_paid():
    play(
        table("3,2,2"),
        """
        act 0: 0 assassinate 1
        challenge-action 1 2: all pass
        block 1: 1 block contessa
        challenge-block 2 0: all pass
        coins 0,2,2
        cards ?,? ?,? ?,?
        act 1:
        """,
    )


def test_r28_nothing_blocks_a_block():
    state = play(
        table("3,2,2"),
        """
        act 0: 0 foreign-aid
        block 1 2: 1 block duke, 2 pass
        challenge-block 2 0:
        """,
    )
    assert texts(state, 2) == ["2 pass", "2 challenge"]
    with pytest.raises(IllegalMoveError):
        apply(state, parse_move(BASE, "2 block duke"))


def test_r29_any_other_living_player_may_challenge():
    state = play(
        table("2,2,0,2", "?,? ?,? duke,captain ?,?"),
        "act 0: 0 steal 1\n challenge-action 1 3:",
    )
    assert texts(state, 3) == ["3 pass", "3 challenge"]
    assert texts(state, 2) == []


def test_r30_when_play_has_moved_on_it_is_too_late():
    state = play(table("2,2,2"), "act 0: 0 tax\n challenge-action 1 2: all pass\n act 1:")
    with pytest.raises(WrongSeatError, match="seat 1 decides: act"):
        apply(state, parse_move(BASE, "2 challenge"))


def test_r31_a_challenge_is_resolved_before_the_action_goes_on():
    play(
        table("2,2,2"),
        """
        act 0: 0 steal 1
        challenge-action 1 2: 2 challenge, 1 pass
        prove 0: 0 show 0
        open 0 0: 0 opened captain
        lose 2: 2 lose 0
        open 2 0: 2 opened duke
        replace 0 0 captain: 0 replaced
        coins 2,2,2
        block 1: 1 pass
        coins 4,0,2
        act 1:
        """,
    )


def test_r32_the_challenged_player_shows_the_card_or_declines():
    state = play(table("2,2"), "act 0: 0 tax\n challenge-action 1: 1 challenge\n prove 0:")
    assert texts(state, 0) == ["0 show 0", "0 show 1", "0 decline"]
    play(
        state,
        """
        prove 0: 0 decline
        lose 0: 0 lose 0
        open 0 0: 0 opened duke
        coins 2,2
        act 1:
        """,
    )


def test_r32_another_card_than_the_claimed_one_proves_nothing():
    state = play(
        table("2,2"),
        "act 0: 0 tax\n challenge-action 1: 1 challenge\n prove 0: 0 show 0\n open 0 0:",
    )
    with pytest.raises(IllegalMoveError, match="duke was claimed"):
        play(state, "open 0 0: 0 opened captain")


@pytest.mark.parametrize("slot", [0, 1])
def test_r33_the_loser_of_a_challenge_chooses_the_influence_to_lose(slot):
    play(
        table("2,2"),
        f"""
        act 0: 0 tax
        challenge-action 1: 1 challenge
        prove 0: 0 show 1
        open 0 1: 0 opened duke
        lose 1: 1 lose {slot}
        open 1 {slot}: 1 opened captain
        replace 0 1 duke: 0 replaced
        coins 5,2
        act 1:
        """,
    )


def test_r34_a_shown_card_is_swapped_and_stays_an_influence():
    state = play(
        table("2,2"),
        """
        act 0: 0 tax
        challenge-action 1: 1 challenge
        prove 0: 0 show 1
        open 0 1: 0 opened duke
        lose 1: 1 lose 0
        open 1 0: 1 opened contessa
        replace 0 1 duke: 0 replaced
        cards ?,? contessa,?
        """,
    )
    assert state.influence(0) == 2
    assert state.court_size == 11


def test_r35_a_challenged_action_that_is_not_proven_fails_and_its_cost_comes_back():
    play(
        table("3,2,2"),
        """
        act 0: 0 assassinate 1
        coins 0,2,2
        challenge-action 1 2: 2 challenge, 1 pass
        prove 0: 0 decline
        coins 3,2,2
        lose 0: 0 lose 0
        open 0 0: 0 opened duke
        cards duke,? ?,? ?,?
        act 1:
        """,
    )


def test_r36_a_challenged_block_that_is_not_proven_lets_the_action_go_ahead():
    play(
        table("2,2,2"),
        """
        act 0: 0 steal 1
        challenge-action 1 2: all pass
        block 1: 1 block ambassador
        challenge-block 2 0: 2 pass, 0 challenge
        prove 1: 1 decline
        coins 2,2,2
        lose 1: 1 lose 0
        open 1 0: 1 opened captain
        coins 4,0,2
        act 1:
        """,
    )


def test_r37_a_proven_block_stands_and_its_card_is_swapped():
    play(
        table("2,2,2"),
        """
        act 0: 0 steal 1
        challenge-action 1 2: all pass
        block 1: 1 block ambassador
        challenge-block 2 0: 2 pass, 0 challenge
        prove 1: 1 show 1
        open 1 1: 1 opened ambassador
        lose 0: 0 lose 0
        open 0 0: 0 opened captain
        replace 1 1 ambassador: 1 replaced
        coins 2,2,2
        cards captain,? ?,? ?,?
        act 1:
        """,
    )


def test_r38_a_target_can_lose_two_influences_in_one_turn():
    play(
        table("3,2,2"),
        """
        act 0: 0 assassinate 1
        challenge-action 1 2: 1 challenge, 2 pass
        prove 0: 0 show 0
        open 0 0: 0 opened assassin
        lose 1: 1 lose 1
        open 1 1: 1 opened duke
        replace 0 0 assassin: 0 replaced
        block 1: 1 pass
        open 1 0: 1 opened captain
        cards ?,? captain,duke ?,?
        act 2:
        """,
    )


def test_r39_talk_is_no_move_and_binds_nobody():
    kinds = {kind.value for kind in DecisionKind}
    assert kinds == {
        "act",
        "challenge-action",
        "block",
        "challenge-block",
        "prove",
        "lose",
        "keep",
        "pick",
        "reveal",
        "judge",
    }


def test_r40_no_action_gives_or_lends_coins():
    state = table("9,2")
    for move in legal_moves(state, Seat(0)):
        assert apply(state, move).coins[1] <= 2
