"""The text of a whole state."""

import pytest

from p2pcoup.rules import BASE, MoveSyntaxError, parse_state, start, state_to_text
from tests.rules.scripts import play

START = "base; order 2,0,1; turn 0; coins 2,2,2; cards ?,? ?,? ?,?; act 0"

WINDOW = "base; order 0,1,2; turn 0; coins 2,2,2; cards ?,? ?,? ?,?; "
EXAMINING = WINDOW.replace("base", "inquisitor")
FIVE = "base; options set-of-five; order 1,0; turn 0; coins 2,2; cards ? ?; "
STATES = [
    START,
    "base; order 0,1; turn 0; coins 3,0; cards ?,duke duke,captain",
    WINDOW + "challenge-action | 0 steal 1 | 1,2; ask | block | 0 steal 1; carry-out | 0 steal 1",
    WINDOW + "challenge-action | 0 tax | 1 | 2 challenge; carry-out | 0 tax",
    WINDOW + "challenge-action | 0 tax | 2 | 1 concede; carry-out | 0 tax",
    WINDOW + "block | 0 foreign-aid | 2 | 1 block duke; carry-out | 0 foreign-aid",
    WINDOW + "challenge-block | 0 foreign-aid | 1 block duke | 2,0",
    WINDOW + "prove | challenge-action | 0 tax | 1; carry-out | 0 tax",
    WINDOW + "prove | challenge-block | 0 steal 1 | 1 block captain | 2",
    WINDOW + "show | challenge-action | 0 tax | 1 0; carry-out | 0 tax",
    WINDOW + "lose 1; replace 0 1 captain; ask | block | 0 steal 1; carry-out | 0 steal 1",
    WINDOW + "open 1 0,1; open 2 0,1; carry-out | 0 tax",
    WINDOW + "open 2 0,1; ask | challenge-block | 0 foreign-aid | 1 block duke",
    WINDOW + "open 1 1",
    WINDOW + "draw 0 2",
    WINDOW + "keep 0 2",
    WINDOW + "shuffle",
    WINDOW.replace("2,2,2", "2,2,0").replace("?,? ?,? ?,?", "?,? ?,? duke") + "act 0",
    WINDOW.replace("2,2,2", "2,2,0").replace("?,? ?,? ?,?", "?,? ?,? -") + "lose 1",
    WINDOW.replace("2,2,2", "2,2,0").replace("?,? ?,? ?,?", "?,? ?,? -")
    + "prove | challenge-action | 0 tax | 2; carry-out | 0 tax",
    EXAMINING + "reveal 1 0",
    EXAMINING + "show-to 1 1 0",
    EXAMINING + "judge 0 1 1",
    EXAMINING + "redraw 1 0",
    EXAMINING.replace("2,2,2", "0,2,2").replace("?,? ?,? ?,?", "- ?,? ?,?") + "redraw 1 0",
    EXAMINING + "challenge-action | 0 examine 1 | 1,2; carry-out | 0 examine 1",
    FIVE + "pick 0,1; deal 1; act 0",
    FIVE + "pick 1; deal 1; act 0",
    FIVE + "deal 1; act 0",
    FIVE.replace("? ?", "?,? ?,?") + "act 0",
    FIVE.replace("2,2", "1,0").replace("? ?", "? -").removesuffix("; "),
    FIVE.replace("set-of-five", "set-of-five,starter-coin").replace("2,2", "1,2")
    + "pick 0,1; deal 1; act 0",
]

NO_STATES = [
    "",
    "base",
    START + " ",
    " " + START,
    START + "\n",
    START + "; ",
    START.replace("base", "bass"),
    START.replace("; turn 0", ""),
    START.replace("order 2,0,1", "order 2,0"),
    START.replace("order 2,0,1", "order 2,0,0"),
    START.replace("order 2,0,1", "order 2, 0,1"),
    START.replace("order 2,0,1", "order 2,0,3"),
    START.replace("order 2,0,1", "order 2,0,-1"),
    START.replace("turn 0", "turn 1"),
    START.replace("turn 0", "turn 00"),
    START.replace("act 0", "act 1"),
    START.replace("act 0", "act -1"),
    START.replace("act 0", "dance 0"),
    START.replace("; act 0", ""),
    START.replace("2,2,2", "2,2"),
    START.replace("2,2,2", "2,2,-1"),
    START.replace("2,2,2", "2,+2,2"),
    START.replace("?,? ?,? ?,?", "?,? ?,?"),
    START.replace("?,? ?,? ?,?", "?,? ?,? ?"),
    START.replace("?,? ?,? ?,?", "?,? ?,? ?,?,?"),
    START.replace("?,? ?,? ?,?", "?,? ?,? ?,joker"),
    START.replace("?,? ?,? ?,?", "?,? duke,duke duke,duke"),
    START.replace("?,? ?,? ?,?", "?,? duke,captain ?,?"),
    "base; order 0,1; turn 0; coins 3,0; cards ?,duke duke,captain; act 0",
    "base; order 0,1; turn 0; coins 0,0; cards duke,duke captain,captain",
    START + "; act 0",
    WINDOW + "lose 1; act 0",
    WINDOW + "carry-out | 0 tax",
    WINDOW + "ask | block | 0 steal 1",
    WINDOW + "challenge-action | 0 income | 1,2",
    WINDOW + "challenge-action | 1 tax | 2,0",
    WINDOW + "challenge-action | 0 tax | 2,1",
    WINDOW + "challenge-action | 0 tax | 0,1",
    WINDOW + "challenge-action | 0 tax | ",
    WINDOW + "challenge-action | 0 tax | 1 | 1 challenge",
    WINDOW + "challenge-action | 0 tax | 1 | 2 pass",
    WINDOW + "challenge-action | 0 tax | 1 | 2 block duke",
    WINDOW + "challenge-action | 0 tax",
    WINDOW + "block | 0 tax | 1,2",
    WINDOW + "block | 0 foreign-aid | 1 | 2 challenge",
    WINDOW + "block | 0 foreign-aid | 1 | 2 block captain",
    WINDOW + "block | 0 steal 1 | 1,2",
    WINDOW + "block | 0 steal 0 | 0",
    WINDOW + "block | 0 steal 7 | 7",
    WINDOW + "challenge-block | 0 foreign-aid | 1 block captain | 2,0",
    WINDOW + "challenge-block | 0 foreign-aid | 0 block duke | 1,2",
    WINDOW + "challenge-block | 0 steal 1 | 2 block captain | 0,1",
    WINDOW + "challenge-block | 0 steal 1 | 1 pass | 2,0",
    WINDOW + "challenge-block | 0 steal 1",
    WINDOW + "act | 0 tax | 1,2",
    WINDOW + "prove | block | 0 steal 1 | 1",
    WINDOW + "prove | challenge-action | 0 tax | 0",
    WINDOW + "prove | challenge-action | 0 tax | 7",
    WINDOW + "prove | challenge-action | 0 tax | 1 | 2",
    WINDOW + "prove",
    WINDOW + "show | challenge-action | 0 tax | 1",
    WINDOW + "show | challenge-action | 0 tax | 1 2",
    WINDOW + "lose 9",
    WINDOW + "lose -1",
    WINDOW + "open 1 1,0",
    WINDOW + "open 1 2",
    WINDOW + "open 1 0,0",
    WINDOW + "open 9 0",
    WINDOW + "open -1 0",
    WINDOW + "replace 0 2 captain",
    WINDOW + "replace 0 1",
    WINDOW + "replace 0 1 joker",
    WINDOW + "draw 1 2",
    WINDOW + "keep 0 9",
    WINDOW.replace("?,? ?,? ?,?", "?,? ?,duke ?,?") + "lose 1",
    WINDOW + "shuffle " + "; shuffle" * 1000,
    "9" * 1900,
    START + "; carry-out | 0 tax",
    START + "; lose 1",
    WINDOW + "challenge-block | 0 foreign-aid | 1 block duke | 2,0; carry-out | 0 foreign-aid",
    WINDOW + "prove | challenge-block | 0 steal 1 | 1 block captain | 2; carry-out | 0 steal 1",
    START.replace("base;", "base; options standard;"),
    START.replace("base;", "base; options starter-coin;"),
    START.replace("base;", "base; options set-of-five;"),
    START.replace("base;", "base; options ;"),
    START.replace("order 2,0,1", "order 2,0,1; options no-steal-from-penniless"),
    WINDOW + "reveal 1 0",
    WINDOW + "judge 0 1 0",
    WINDOW + "redraw 1 0",
    WINDOW + "pick 0,1; deal 1; act 0",
    WINDOW + "deal 1; act 0",
    EXAMINING + "reveal 1 2",
    EXAMINING + "reveal 0 0",
    EXAMINING.replace("?,? ?,? ?,?", "?,? ?,duke ?,?") + "reveal 1 0",
    EXAMINING + "judge 0 1 2",
    EXAMINING + "judge 1 0 0",
    EXAMINING + "show-to 1 0 1",
    EXAMINING + "show-to 1 0",
    EXAMINING + "redraw 0 0",
    EXAMINING.replace("2,2,2", "0,2,2").replace("?,? ?,? ?,?", "- ?,? ?,?") + "judge 0 1 0",
    EXAMINING + "redraw 1 2",
    EXAMINING + "lose 1; judge 0 1 0",
    WINDOW.replace("?,? ?,? ?,?", "?,? ?,? -") + "act 0",
    WINDOW.replace("?,? ?,? ?,?", "?,? ?,? ?") + "act 0",
    WINDOW.replace("2,2,2", "2,2,0").replace("?,? ?,? ?,?", "?,? ?,? -") + "act 2",
    WINDOW.replace("2,2,2", "2,2,0").replace("?,? ?,? ?,?", "?,? ?,? --") + "act 0",
    FIVE + "act 0",
    FIVE + "pick 1,0; deal 1; act 0",
    FIVE + "pick 0,1; deal 2; act 0",
    FIVE + "pick 0,1; deal 1; act 1",
    FIVE + "pick 0,1; deal 1",
    FIVE + "pick 0,1; act 0",
    FIVE + "pick 0,0; deal 1; act 0",
    FIVE + "pick 2; deal 1; act 0",
    FIVE.replace("2,2", "1,2") + "pick 0,1; deal 1; act 0",
    FIVE.replace("2,2", "2,3") + "pick 0,1; deal 1; act 0",
    FIVE.replace("? ?", "?,? ?,?") + "pick 0,1; deal 1; act 0",
    FIVE.replace("? ?", "duke ?") + "pick 0,1; deal 1; act 0",
]


def test_the_start_is_written_as_one_line():
    assert state_to_text(start(BASE, 3, (2, 0, 1), 0)) == START


@pytest.mark.parametrize("text", STATES)
def test_a_state_has_one_text_both_ways(text):
    assert state_to_text(parse_state(text)) == text


@pytest.mark.parametrize("text", NO_STATES)
def test_whatever_is_no_state_is_refused(text):
    with pytest.raises(MoveSyntaxError, match="is not a state"):
        parse_state(text)


def test_the_refusal_of_an_endless_text_is_short():
    with pytest.raises(MoveSyntaxError) as caught:
        parse_state("x" * 1_000_000)
    assert len(str(caught.value)) < 2500


def test_a_game_goes_on_from_its_text():
    state = parse_state(STATES[3])
    play(
        state,
        """
        challenge-action 1: 1 challenge
        prove 0: 0 show 1
        open 0 1: 0 opened duke
        lose 1: 1 lose 0
        open 1 0: 1 opened captain
        replace 0 1 duke: 0 replaced
        coins 5,2,2
        act 1:
        """,
    )
