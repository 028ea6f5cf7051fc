"""What the engine refuses, how it says so, and that nothing has changed after it."""

import pytest

from p2pcoup.rules import (
    BASE,
    Act,
    IllegalMoveError,
    RulesError,
    WrongSeatError,
    apply,
    legal_moves,
    parse_fact,
    parse_move,
    pending,
    start,
    state_to_text,
)
from tests.rules.scripts import play, table

ACTING = "act 0:"
CHALLENGING = "act 0: 0 steal 1\n challenge-action 1 2:"
HALF = "act 0: 0 steal 1\n challenge-action 1 2: 2 pass"
BLOCKING = CHALLENGING + " all pass\n block 1:"
BLOCKED = BLOCKING + " 1 block captain\n challenge-block 2 0:"
PROVING = CHALLENGING + " 1 challenge, 2 pass\n prove 0:"
SHOWING = PROVING + " 0 show 1\n open 0 1:"
LOSING = SHOWING + " 0 opened captain\n lose 1:"
SWAPPING = LOSING + " 1 lose 0\n open 1 0: 1 opened duke\n replace 0 1 captain:"
DRAWING = "act 0: 0 exchange\n challenge-action 1 2: all pass\n draw 0 2:"
KEEPING = DRAWING + " 0 drew\n keep 0:"
SHUFFLING = KEEPING + " 0 keep ?\n shuffle:"

WRONG_SEAT = [
    (ACTING, "1 income"),
    (ACTING, "2 pass"),
    (ACTING, "7 income"),
    (CHALLENGING, "0 pass"),
    (CHALLENGING, "0 challenge"),
    (HALF, "2 challenge"),
    (BLOCKING, "2 block captain"),
    (BLOCKING, "0 pass"),
    (BLOCKED, "1 challenge"),
    (PROVING, "1 show 0"),
    (SHOWING, "0 show 0"),
    (LOSING, "0 lose 0"),
    (LOSING, "2 lose 0"),
    (SWAPPING, "0 income"),
    (DRAWING, "0 keep 0,1"),
    (KEEPING, "1 keep 0,1"),
    (SHUFFLING, "0 keep 0,1"),
]

ILLEGAL = [
    (ACTING, "0 pass"),
    (ACTING, "0 challenge"),
    (ACTING, "0 block duke"),
    (ACTING, "0 show 0"),
    (ACTING, "0 decline"),
    (ACTING, "0 lose 0"),
    (ACTING, "0 keep 0,1"),
    (ACTING, "0 keep ?"),
    (ACTING, "0 coup 1"),
    (ACTING, "0 assassinate 1"),
    (ACTING, "0 steal 0"),
    (ACTING, "0 steal 3"),
    (CHALLENGING, "1 block captain"),
    (CHALLENGING, "1 income"),
    (BLOCKING, "1 challenge"),
    (BLOCKING, "1 block contessa"),
    (BLOCKING, "1 block duke"),
    (BLOCKED, "2 block captain"),
    (BLOCKED, "0 show 0"),
    (PROVING, "0 show 2"),
    (PROVING, "0 pass"),
    (PROVING, "0 lose 0"),
    (LOSING, "1 lose 2"),
    (LOSING, "1 show 0"),
    (LOSING, "1 pass"),
    (KEEPING, "0 keep 0"),
    (KEEPING, "0 keep 0,1,2"),
    (KEEPING, "0 keep 1,0"),
    (KEEPING, "0 keep 1,1"),
    (KEEPING, "0 keep 0,4"),
    (KEEPING, "0 concede"),
]

WRONG_FACTS = [
    (ACTING, "shuffled"),
    (ACTING, "0 opened duke"),
    (CHALLENGING, "0 drew"),
    (SHOWING, "1 opened captain"),
    (SHOWING, "0 opened duke"),
    (SHOWING, "0 opened captain,captain"),
    (SHOWING, "0 replaced"),
    (SWAPPING, "1 replaced"),
    (SWAPPING, "0 drew"),
    (SWAPPING, "shuffled"),
    (DRAWING, "1 drew"),
    (DRAWING, "shuffled"),
    (SHUFFLING, "0 drew"),
    (SHUFFLING, "0 replaced"),
]


def refused(state, event, error):
    """Check that the event is refused with the error and leaves the state as it was."""
    before = state_to_text(state)
    with pytest.raises(error) as caught:
        apply(state, event)
    assert state_to_text(state) == before
    assert isinstance(caught.value, RulesError)
    return str(caught.value)


@pytest.mark.parametrize(("script", "text"), WRONG_SEAT)
def test_a_seat_without_a_decision_is_refused_and_told_whose_it_is(script, text):
    state = play(table("2,2,2"), script)
    message = refused(state, parse_move(BASE, text), WrongSeatError)
    owners = [seat for seat, _ in pending(state)]
    assert all(f"seat {seat} decides" in message for seat in owners)
    assert owners or "waits for the cards" in message


@pytest.mark.parametrize(("script", "text"), ILLEGAL)
def test_an_illegal_move_is_refused_with_the_list_of_legal_ones(script, text):
    state = play(table("2,2,2"), script)
    move = parse_move(BASE, text)
    message = refused(state, move, IllegalMoveError)
    _, _, listed = message.partition("choose from: ")
    assert [parse_move(BASE, one) for one in listed.split(", ") if "keep" not in one] == [
        one for one in legal_moves(state, move.seat) if "Keep" not in repr(one)
    ]


@pytest.mark.parametrize(("script", "text"), WRONG_FACTS)
def test_a_fact_that_answers_nothing_is_refused(script, text):
    state = play(table("2,2,2"), script)
    message = refused(state, parse_fact(BASE, text), IllegalMoveError)
    assert f"'{text}'" in message
    assert "the game waits for" in message


def test_a_fourth_copy_of_a_character_is_refused():
    state = play(table("7,2,2", "?,duke ?,duke ?,duke"), "act 0: 0 coup 1\n open 1 0:")
    message = refused(state, parse_fact(BASE, "1 opened duke"), IllegalMoveError)
    assert "another duke" in message


def test_a_claim_whose_copies_are_all_face_up_is_never_proven():
    state = play(
        table("2,2,2,2", "?,? ?,duke ?,duke ?,duke"),
        "act 0: 0 tax\n challenge-action 1 2 3: all pass\n act 1:",
    )
    state = play(
        state,
        """
        act 1: 1 tax
        challenge-action 2 3 0: 2 challenge, 3 pass, 0 pass
        prove 1: 1 show 0
        open 1 0:
        """,
    )
    refused(state, parse_fact(BASE, "1 opened duke"), IllegalMoveError)


@pytest.mark.parametrize(
    "act", [Act(0, BASE.action("steal")), Act(0, BASE.action("income"), 1)], ids=["none", "extra"]
)
def test_an_action_needs_a_target_exactly_when_it_is_targeted(act):
    refused(table("2,2,2"), act, IllegalMoveError)


def test_when_the_game_is_over_nothing_is_possible():
    state = play(
        table("7,2", "?,? duke,?"), "act 0: 0 coup 1\n open 1 1: 1 opened captain\n over 0"
    )
    assert "seat 0 has won" in refused(state, parse_move(BASE, "0 income"), WrongSeatError)
    assert "the game is over" in refused(state, parse_fact(BASE, "shuffled"), IllegalMoveError)


@pytest.mark.parametrize(
    ("seats", "order", "starter"),
    [(3, (0, 1), 0), (3, (0, 1, 1), 0), (3, (1, 2, 3), 1), (3, (0, 1, 2), 3), (1, (0,), 0)],
)
def test_a_game_starts_only_with_a_proper_table(seats, order, starter):
    with pytest.raises(ValueError, match=r"seat|players"):
        start(BASE, seats, order, starter)
