"""The set of five for two players: rules R42 and R43, rulings D17, D22 and D25."""

import pytest

from p2pcoup.rules import (
    BASE,
    EDITIONS,
    INQUISITOR,
    Dealt,
    IllegalMoveError,
    Options,
    Pick,
    Setup,
    WrongSeatError,
    apply,
    parse_move,
    parse_state,
    start,
    state_to_text,
    view,
)
from tests.rules.scripts import play, texts

SET_OF_FIVE = Options(Setup.SET_OF_FIVE)
editions = pytest.mark.parametrize("edition", EDITIONS.values(), ids=EDITIONS)


def begun(edition=BASE, starter=0, options=SET_OF_FIVE):
    return start(edition, 2, (0, 1), starter, options)


@editions
def test_r43_each_player_picks_one_of_the_five_characters(edition):
    state = begun(edition)
    for seat in (0, 1):
        assert texts(state, seat) == [f"{seat} pick {one.name}" for one in edition.characters]


@editions
def test_r43_after_both_have_picked_one_card_is_dealt_to_each(edition):
    state = play(
        begun(edition),
        """
        pick 0 1: 1 pick duke
        cards ? ?
        pick 0: 0 pick contessa
        deal 1: dealt
        cards ?,? ?,?
        coins 2,2
        act 0:
        """,
    )
    assert state.influence(0) == state.influence(1) == 2


@pytest.mark.parametrize("arrival", ["0 pick duke, 1 pick duke", "1 pick captain, 0 pick ?"])
def test_r43_the_picks_are_secret_and_come_in_any_order(arrival):
    state = play(begun(), f"pick 0 1: {arrival}\n deal 1:")
    assert state_to_text(state) == (
        "base; options set-of-five; order 0,1; turn 0; coins 2,2; cards ? ?; deal 1; act 0"
    )


def test_r43_a_half_made_set_up_tells_who_has_picked_and_not_what():
    secret = apply(begun(), parse_move(BASE, "1 pick captain"))
    assert secret == apply(begun(), Pick(1, None))
    assert state_to_text(secret).endswith("pick 0; deal 1; act 0")
    assert parse_state(state_to_text(secret)) == secret


@editions
def test_r43_eight_cards_are_aside_and_three_are_the_court(edition):
    state = begun(edition)
    assert (state.aside, state.court_size) == (4, 5)
    state = play(state, "pick 0 1: 0 pick ?, 1 pick ?\n deal 1: dealt\n act 0:")
    assert (state.aside, state.court_size) == (4, 3)


def test_r43_the_picked_card_is_in_slot_0_and_the_dealt_one_in_slot_1():
    state = play(begun(), "pick 0 1: 0 pick duke, 1 pick ?\n deal 1: dealt\n act 0:")
    duke, captain = BASE.characters[0], BASE.characters[2]
    seen = view(state, 0, (duke, captain), (), (), (), aside=BASE.characters[1:])
    assert seen.held == (duke, captain)
    assert seen.aside == BASE.characters[1:]


@pytest.mark.parametrize("starter", [0, 1])
def test_r43_the_starter_is_asked_first_and_begins(starter):
    other = 1 - starter
    play(
        begun(starter=starter),
        f"""
        pick {starter} {other}: {other} pick ?, {starter} pick ?
        deal 1: dealt
        act {starter}: {starter} income
        act {other}:
        """,
    )


def test_r42_the_standard_set_up_of_two_is_right_after_the_deal():
    state = start(BASE, 2, (0, 1), 1)
    assert state_to_text(state) == "base; order 0,1; turn 1; coins 2,1; cards ?,? ?,?; act 1"


@pytest.mark.parametrize("starter", [0, 1])
def test_d17_both_begin_with_two_coins_unless_the_option_gives_the_starter_one(starter):
    assert begun(starter=starter).coins == (2, 2)
    option = Options(Setup.SET_OF_FIVE, starter_coin=True)
    assert begun(starter=starter, options=option).coins[starter] == 1
    assert begun(starter=starter, options=option).coins[1 - starter] == 2


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_r43_only_two_players_have_a_set_of_five(seats):
    with pytest.raises(ValueError, match="exactly 2 players, not"):
        start(BASE, seats, range(seats), 0, SET_OF_FIVE)


@pytest.mark.parametrize(("edition", "drawn"), [(BASE, 2), (INQUISITOR, 1)], ids=EDITIONS)
def test_d22_the_court_of_three_feeds_an_exchange(edition, drawn):
    state = play(
        begun(edition),
        f"""
        pick 0 1: 0 pick ?, 1 pick ?
        deal 1: dealt
        act 0: 0 exchange
        challenge-action 1: 1 pass
        draw 0 {drawn}: 0 drew
        keep 0:
        """,
    )
    assert state.court_size == 3 - drawn


def test_d25_nobody_gives_up_before_there_is_a_hand():
    for state in (begun(), apply(begun(), Pick(0, None))):
        with pytest.raises(IllegalMoveError, match="no hand to turn up; first pick"):
            apply(state, parse_move(BASE, "1 concede"))


def test_d25_a_player_lost_before_the_deal_has_lost_the_game():
    state = play(begun(), "pick 0 1: 1 pick duke, 1 lost\n over 0")
    assert state.coins == (2, 0)
    assert parse_state(state_to_text(state)) == state


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("0 income", IllegalMoveError),
        ("0 pass", IllegalMoveError),
        ("0 pick inquisitor", None),
        ("1 pick captain", WrongSeatError),
        ("2 pick duke", WrongSeatError),
    ],
)
def test_r43_nothing_else_is_possible_and_nobody_picks_twice(text, error):
    state = apply(begun(), Pick(1, None))
    if error is None:
        foreign = parse_move(INQUISITOR, text)
        with pytest.raises(IllegalMoveError, match="0 pick ambassador"):
            apply(state, foreign)
    else:
        with pytest.raises(error):
            apply(state, parse_move(BASE, text))


def test_r43_cards_are_dealt_only_after_the_picks():
    with pytest.raises(IllegalMoveError, match="waits for a decision"):
        apply(apply(begun(), Pick(1, None)), Dealt())
    over = play(begun(), "pick 0 1: 0 pick ?, 1 pick ?\n deal 1: dealt\n act 0:")
    with pytest.raises(IllegalMoveError):
        apply(over, Dealt())
    with pytest.raises(WrongSeatError, match="seat 0 decides: act"):
        apply(over, Pick(1, None))
