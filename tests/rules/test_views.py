"""What a seat may know: its own cards beside what is public, and nothing of the others."""

import random

import pytest

from p2pcoup.rules import (
    BASE,
    INQUISITOR,
    Examined,
    Keep,
    Options,
    Pick,
    Seat,
    Setup,
    Shown,
    legal_moves,
    move_to_text,
    parse_move,
    start,
    view,
)
from tests.rules.dealer import Dealer
from tests.rules.scripts import event, play, table

DUKE, ASSASSIN, CAPTAIN, AMBASSADOR, CONTESSA = BASE.characters


def listed(seen):
    return [move_to_text(move) for move in seen.legal_moves()]


def perform(dealer, state, *happens):
    """Play texts with a dealer; the cards answer whenever they are asked."""
    for text in happens:
        while state.request is not None:
            state = dealer.play(state, dealer.answer(state))
        state = dealer.play(state, event(state, text))
    while state.request is not None:
        state = dealer.play(state, dealer.answer(state))
    return state


def test_a_show_is_listed_only_with_a_card_that_proves_the_claim():
    state = play(table("2,2"), "act 0: 0 tax\n challenge-action 1: 1 challenge\n prove 0:")
    assert listed(view(state, 0, (CAPTAIN, DUKE), (), (), ())) == ["0 show 1", "0 decline"]
    assert listed(view(state, 0, (CAPTAIN, CAPTAIN), (), (), ())) == ["0 decline"]
    assert listed(view(state, 0, (DUKE, DUKE), (), (), ())) == [
        "0 show 0",
        "0 show 1",
        "0 decline",
    ]
    assert listed(view(state, 1, (DUKE, DUKE), (), (), ())) == []


def test_elsewhere_a_view_lists_all_legal_moves():
    state = table("2,2")
    assert view(state, 0, (DUKE, DUKE), (), (), ()).legal_moves() == legal_moves(state, Seat(0))


def test_held_cards_are_the_known_face_down_ones_in_slot_order():
    state = table("2,2", "?,duke ?,?")
    assert view(state, 0, (CAPTAIN, DUKE), (), (), ()).held == (CAPTAIN,)
    assert view(state, 1, (None, CONTESSA), (), (), ()).held == (CONTESSA,)


@pytest.mark.parametrize(
    ("seat", "hand", "drawn", "message"),
    [
        (2, (DUKE, DUKE), (), "seat 2 is not at this table"),
        (0, (DUKE,), (), "does not fit its face-up cards"),
        (0, (DUKE, CAPTAIN), (), "does not fit its face-up cards"),
        (1, (DUKE, DUKE), (CONTESSA,), "has not drawn 1 cards"),
    ],
)
def test_parts_that_do_not_fit_each_other_are_refused(seat, hand, drawn, message):
    with pytest.raises(ValueError, match=message):
        view(table("2,2", "?,duke ?,?"), seat, hand, drawn, (), ())


@pytest.mark.parametrize("secret", [Keep(0, (0, 1)), Keep(1, (0,)), Pick(0, DUKE)])
def test_a_history_that_tells_a_secret_choice_is_refused_whoever_made_it(secret):
    with pytest.raises(ValueError, match="the history tells what somebody kept or picked"):
        view(table("2,2"), 0, (DUKE, DUKE), (), (), [secret])
    public = type(secret)(secret.seat, None)
    assert view(table("2,2"), 0, (DUKE, DUKE), (), (), [public]).history == (public,)


def test_what_was_returned_in_an_exchange_is_known_to_its_seat_alone():
    state = table("2,2")
    cards = Dealer.stacked(state, "ambassador duke", "captain captain")
    cards.court.sort(key=lambda card: card != CONTESSA, reverse=True)  # contessas on top
    state = perform(cards, state, "0 exchange", "1 pass", "0 keep 0,2")
    assert cards.view(state, 0).returned == (DUKE, CONTESSA)
    assert cards.view(state, 0).held == (AMBASSADOR, CONTESSA)
    assert cards.view(state, 1).returned == ()
    assert "0 keep ?" in [move_to_text(e) for e in cards.history if isinstance(e, Keep)]


def test_drawn_cards_are_seen_by_the_drawing_seat_while_it_chooses():
    state = table("2,2")
    cards = Dealer.stacked(state, "ambassador duke", "captain captain")
    state = perform(cards, state, "0 exchange", "1 pass")
    assert cards.view(state, 0).drawn == tuple(cards.drawn)
    assert len(cards.view(state, 0).drawn) == 2
    assert cards.view(state, 1).drawn == ()


# The set of five


def test_set_aside_cards_are_in_the_view_of_their_own_seat_alone():
    state = start(BASE, 2, (0, 1), 0, Options(Setup.SET_OF_FIVE))
    cards = Dealer.deal(state, random.Random(1))
    assert cards.view(state, 0).hand == (None,)
    assert cards.view(state, 0).aside == ()
    state = perform(cards, state, "0 pick captain", "1 pick duke")
    assert cards.view(state, 0).aside == (DUKE, ASSASSIN, AMBASSADOR, CONTESSA)
    assert cards.view(state, 1).aside == (ASSASSIN, CAPTAIN, AMBASSADOR, CONTESSA)
    assert cards.view(state, 0).hand[0] == CAPTAIN
    assert all(isinstance(e, Pick) is False or e.character is None for e in cards.history)


@pytest.mark.parametrize("aside", [(DUKE,), (DUKE, DUKE, CAPTAIN, CONTESSA), BASE.characters])
def test_cards_that_cannot_have_been_set_aside_are_refused(aside):
    state = start(BASE, 2, (0, 1), 0, Options(Setup.SET_OF_FIVE))
    with pytest.raises(ValueError, match="cannot have set aside"):
        view(state, 0, (None,), (), (), (), aside)
    with pytest.raises(ValueError, match="cannot have set aside"):
        view(table("2,2"), 0, (DUKE, DUKE), (), (), (), aside)


# Examinations


def examined_game(*happens):
    state = table("2,2,2", edition="inquisitor")
    cards = Dealer.stacked(state, "inquisitor duke", "captain contessa", "duke captain")
    return cards, perform(cards, state, "0 examine 1", "1 pass", "2 pass", *happens)


def test_the_examiner_knows_the_card_while_it_judges_and_nobody_else_does():
    cards, state = examined_game("1 reveal 1")
    seen = cards.view(state, 0)
    (one,) = seen.examined
    assert (one.seat, one.slot, one.character) == (1, 1, CONTESSA)
    assert seen.history[one.at] == Shown(1)
    assert listed(seen) == ["0 allow", "0 force"]
    for other in (1, 2):
        assert cards.view(state, other).examined == ()


@pytest.mark.parametrize("verdict", ["0 allow", "0 force"])
def test_the_examiner_still_knows_later_what_it_has_seen_and_when(verdict):
    cards, state = examined_game("1 reveal 1", verdict, "1 income")
    (one,) = cards.view(state, 0).examined
    after = cards.view(state, 0).history[one.at + 1]
    assert after == parse_move(INQUISITOR, verdict)
    assert one.character == CONTESSA


def test_a_forced_redraw_shows_in_the_view_of_its_own_seat_alone():
    cards, state = examined_game("1 reveal 1", "0 force")
    assert cards.view(state, 1).returned == (CONTESSA,)
    assert cards.view(state, 0).returned == ()
    assert cards.view(state, 2).returned == ()


@pytest.mark.parametrize(
    "examined",
    [
        [Examined(0, Seat(1), 0, DUKE)],
        [Examined(9, Seat(1), 0, DUKE)],
        [Examined(-1, Seat(1), 0, DUKE)],
        [Examined(1, Seat(0), 0, DUKE)],
        [Examined(1, Seat(2), 0, DUKE)],
    ],
)
def test_an_examined_card_that_nobody_has_shown_is_refused(examined):
    history = [parse_move(INQUISITOR, "1 reveal 0"), Shown(Seat(1))]
    state = table("2,2,2", edition="inquisitor")
    with pytest.raises(ValueError, match="was not shown all the cards"):
        view(state, 0, (DUKE, DUKE), (), (), history, (), examined)
    right = [Examined(1, Seat(1), 0, DUKE)]
    assert view(state, 0, (DUKE, DUKE), (), (), history, (), right).examined == tuple(right)
