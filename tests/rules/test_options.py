"""The options of a game: their text, what they may be combined with, and what they change."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcoup.rules import (
    BASE,
    INQUISITOR,
    USUAL,
    IllegalMoveError,
    MoveSyntaxError,
    Options,
    Setup,
    apply,
    options_to_text,
    parse_move,
    parse_options,
    start,
    state_to_text,
)
from tests.rules.scripts import play, table, texts

TEXTS = {
    "standard": Options(),
    "set-of-five": Options(Setup.SET_OF_FIVE),
    "set-of-five,starter-coin": Options(Setup.SET_OF_FIVE, starter_coin=True),
    "no-block-after-challenge": Options(failed_challenger_may_block=False),
    "no-steal-from-penniless": Options(steal_from_penniless=False),
    "set-of-five,starter-coin,no-block-after-challenge,no-steal-from-penniless": Options(
        Setup.SET_OF_FIVE, True, False, False
    ),
}

NO_OPTIONS = [
    "",
    " ",
    "Standard",
    "standard,",
    "standard,no-steal-from-penniless",
    "standard,set-of-five",
    "set-of-five,set-of-five",
    "set-of-five, starter-coin",
    "starter-coin,set-of-five",
    "no-steal-from-penniless,no-block-after-challenge",
    "six-of-five",
    "set-of-five\n",
    "starter-coin",
    "x" * 1_000_000,
    "starter-coin," + "x" * 1_000_000,
]


@pytest.mark.parametrize("text", TEXTS)
def test_options_have_one_text_both_ways(text):
    assert options_to_text(TEXTS[text]) == text
    assert parse_options(text) == TEXTS[text]


@pytest.mark.parametrize("text", NO_OPTIONS, ids=range(len(NO_OPTIONS)))
def test_whatever_is_no_text_of_options_is_refused_in_few_words(text):
    with pytest.raises(MoveSyntaxError, match="are no options") as caught:
        parse_options(text)
    assert len(str(caught.value)) < 500


@given(st.booleans(), st.booleans(), st.booleans(), st.sampled_from(Setup))
def test_all_options_that_can_be_made_round_trip(coin, block, steal, setup):
    try:
        options = Options(setup, coin, block, steal)
    except ValueError:
        assert coin
        assert setup is Setup.STANDARD
    else:
        assert parse_options(options_to_text(options)) == options


def test_a_starter_coin_means_nothing_in_the_standard_set_up():
    with pytest.raises(ValueError, match="starter-coin is an option of the set-of-five set-up"):
        Options(starter_coin=True)


@pytest.mark.parametrize(
    ("seats", "options", "message"),
    [
        (3, Options(Setup.SET_OF_FIVE), "exactly 2 players, not 3"),
        (7, USUAL, "7 players cannot play the base game; it is for 2 to 6"),
        (1, Options(Setup.SET_OF_FIVE), "1 players cannot play the base game"),
    ],
)
def test_options_that_do_not_fit_the_table_are_refused_with_a_sentence(seats, options, message):
    with pytest.raises(ValueError, match=message):
        options.check(BASE, seats)
    with pytest.raises(ValueError, match=message):
        start(BASE, seats, range(seats), 0, options)


def test_a_state_names_its_options_only_where_they_are_not_usual():
    assert "options" not in state_to_text(start(BASE, 3, (0, 1, 2), 0))
    strict = Options(steal_from_penniless=False)
    text = state_to_text(start(INQUISITOR, 3, (0, 1, 2), 0, strict))
    assert text.startswith("inquisitor; options no-steal-from-penniless; order 0,1,2; ")


# D3 and D6


CHALLENGED = """
    act 0: 0 {action} 1
    challenge-action 1 2: {challenger} challenge, {other} pass
    prove 0: 0 show 0
    open 0 0: 0 opened {claim}
    lose {challenger}: {challenger} lose 0
    open {challenger} 0: {challenger} opened duke
    replace 0 0 {claim}: 0 replaced
"""
claims = pytest.mark.parametrize(
    ("action", "claim"), [("assassinate", "assassin"), ("steal", "captain")]
)


@claims
def test_d3_by_the_option_a_failed_challenger_may_not_block(action, claim):
    strict = table("3,2,2", options="no-block-after-challenge")
    script = CHALLENGED.format(action=action, claim=claim, challenger=1, other=2)
    after = {"assassinate": "open 1 1:", "steal": "coins 5,0,2\n act 1:"}[action]
    play(strict, f"{script}\n {after}")
    play(table("3,2,2"), f"{script}\n block 1:")


@claims
def test_d3_somebody_elses_failed_challenge_leaves_the_target_its_block(action, claim):
    strict = table("3,2,2", options="no-block-after-challenge")
    play(
        strict, CHALLENGED.format(action=action, claim=claim, challenger=2, other=1) + "\n block 1:"
    )


def test_d3_the_option_does_not_touch_challenges_of_a_block():
    play(
        table("3,2,2", options="no-block-after-challenge"),
        """
        act 0: 0 assassinate 1
        challenge-action 1 2: all pass
        block 1: 1 block contessa
        challenge-block 2 0: 0 challenge, 2 pass
        prove 1: 1 show 0
        open 1 0: 1 opened contessa
        lose 0: 0 lose 0
        open 0 0: 0 opened duke
        replace 1 0 contessa: 1 replaced
        act 1:
        """,
    )


def test_d6_by_the_option_somebody_without_coins_is_no_target_of_a_steal():
    strict = table("2,0,1", options="no-steal-from-penniless")
    assert [text for text in texts(strict, 0) if "steal" in text] == ["0 steal 2"]
    with pytest.raises(IllegalMoveError):
        apply(strict, parse_move(BASE, "0 steal 1"))
    assert "0 steal 1" in texts(table("2,0,1"), 0)


def test_d6_the_option_spares_nobody_from_other_actions():
    strict = table("7,0,0", options="no-steal-from-penniless")
    assert {"0 coup 1", "0 coup 2", "0 assassinate 1"} <= set(texts(strict, 0))
    assert not any("steal" in text for text in texts(strict, 0))
