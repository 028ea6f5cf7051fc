"""What every key does, and that a late one does nothing."""

import pytest

from p2pcoup.ui.keys import Page
from p2pcoup.ui.model import GUARD_SECONDS
from tests.ui.drawing import shown
from tests.ui.messages import GAME, INVITE, asked, game, lobby, over, peer, person, state

LATER = GUARD_SECONDS + 1


def test_the_key_beside_a_choice_sends_its_move() -> None:
    (sent,) = shown(asked("act")).press("t", LATER)
    assert (sent["type"], sent["question"], sent["move"]) == ("answer", f"{GAME}:57", "0 tax")


def test_a_targeted_action_takes_a_second_key_for_its_target() -> None:
    keys = shown(asked("act"))
    assert keys.press("s", LATER) == []
    assert keys.choosing_target is not None
    (sent,) = keys.press("4", LATER)
    assert sent["move"] == "0 steal 3"


def test_escape_goes_back_from_the_target_to_the_action() -> None:
    keys = shown(asked("act"))
    keys.press("s", LATER)
    keys.press("esc", LATER)
    assert keys.press("4", LATER) == []
    (sent,) = keys.press("i", LATER)
    assert sent["move"] == "0 income"


def test_a_chosen_action_does_not_survive_into_another_question() -> None:
    keys = shown(asked("act"))
    keys.press("s", LATER)
    keys.model.receive(asked("act", number=90), LATER)
    assert keys.choosing_target is None
    assert keys.press("4", LATER + LATER) == []


def test_a_key_for_what_is_not_possible_sends_nothing_and_says_why() -> None:
    keys = shown(asked("act"))
    assert keys.press("c", LATER) == []
    assert keys.model.notice == "Coup is not possible: 7 coins needed."


def test_a_late_key_never_answers_the_next_question() -> None:
    keys = shown(asked("challenge-action"))
    keys.model.receive(asked("block", number=58), LATER)  # both have the key p
    keys.follow()
    assert keys.press("p", LATER + GUARD_SECONDS / 2) == []
    assert "only just come" in keys.model.notice
    (sent,) = keys.press("p", LATER + LATER)
    assert sent["question"] == f"{GAME}:58"


def test_a_double_press_answers_once() -> None:
    keys = shown(asked("act"))
    assert len([*keys.press("i", LATER), *keys.press("i", LATER + 0.01)]) == 1


@pytest.mark.parametrize("key", ["z", "9", "I", "T", "tab", "left", "f5", "정"])
def test_no_other_key_answers_a_question(key: str) -> None:
    assert shown(asked("act")).press(key, LATER) == []


def test_passing_and_hiding_are_keys_of_the_client() -> None:
    keys = shown(asked("challenge-action"))
    (sent,) = keys.press("P", 0.0)
    assert sent["move"] == "0 pass"
    keys.press("H", 0.0)
    assert keys.secret
    keys.press("H", 0.0)
    assert not keys.secret


def test_giving_up_is_asked_back_and_bound_to_its_question() -> None:
    keys = shown(asked("act"))
    assert keys.press("G", LATER) == []
    assert keys.page is Page.CONFIRM
    assert keys.press("n", LATER) == []
    keys.press("G", LATER)
    (sent,) = keys.press("y", LATER)
    assert sent["move"] == "0 concede"


def test_a_question_that_comes_closes_what_would_lie_over_it() -> None:
    for key in ("G", "?"):
        keys = shown(asked("act"))
        keys.press(key, LATER)
        assert keys.page is not Page.NONE
        keys.model.receive(asked("lose", number=58), LATER)
        keys.follow()
        assert keys.page is Page.NONE


def test_a_line_that_is_being_written_is_not_closed_by_a_question() -> None:
    keys = shown(state("game", game=game("cards")))
    keys.press("T", LATER)
    keys.model.receive(asked("lose", number=58), LATER)
    keys.follow()
    assert keys.page is Page.TALK
    (sent,) = keys.said("  hello \n")
    assert (sent["type"], sent["text"]) == ("say", "hello")
    assert keys.page is Page.NONE
    assert keys.said("   ") == []


def test_quitting_is_asked_back_in_a_game_and_stops_the_node_it_started() -> None:
    keys = shown(asked("act"))
    assert keys.press("Q", LATER) == []
    assert not keys.leaving
    (sent,) = keys.press("y", LATER)
    assert sent["type"] == "quit"
    assert keys.leaving


def test_quitting_leaves_a_node_alone_that_was_there_before() -> None:
    keys = shown(asked("act"))
    keys.stays = True
    keys.press("ctrl c", LATER)
    assert keys.press("y", LATER) == []
    assert keys.leaving


def test_the_lobby_has_a_key_for_everything_that_is_possible() -> None:
    keys = shown(lobby())
    sent = [keys.press(key, 0.0) for key in "rsb"]
    assert [each[0]["type"] for each in sent] == ["ready", "start", "add-bot"]
    assert sent[0][0]["ready"] is False
    keys.press("l", 0.0)
    assert keys.press("y", 0.0)[0]["type"] == "leave"


def test_what_is_not_possible_in_the_lobby_has_no_key() -> None:
    keys = shown(lobby(may=["leave"], invite=None))
    assert [keys.press(key, 0.0) for key in "rsbkoce"] == [[]] * 7
    assert keys.page is Page.NONE
    assert [command.key for command in keys.commands()] == ["?", "l", "T", "Q"]


def test_the_opener_changes_what_is_played_and_sends_it_as_one() -> None:
    keys = shown(lobby())
    assert keys.press("e", 0.0) == []
    assert [keys.press(key, 0.0) for key in "egg?x"] == [[]] * 5  # not a key of the lobby now
    (sent,) = keys.press("enter", 0.0)
    assert sent.pop("n") > 0
    assert sent == {"type": "settings", "edition": "inquisitor", "games": 3}
    assert keys.page is Page.NONE


def test_the_set_of_five_is_for_two_and_seats_are_at_least_those_that_are_taken() -> None:
    people = [person("Ash", you=True), person("Birch"), person("Elm", watching=True)]
    keys = shown(lobby(people=people, seats=6))
    keys.press("e", 0.0)
    keys.press("o", 0.0)
    (sent,) = keys.press("enter", 0.0)
    assert (sent["options"], sent["seats"]) == ("set-of-five", 2)
    seats = []
    keys.press("e", 0.0)
    for _time in range(5):
        keys.press("n", 0.0)
        seats.append(keys.draft.seats)
    assert seats == [2, 3, 4, 5, 6]


def test_a_draft_that_changes_nothing_or_is_left_sends_nothing() -> None:
    keys = shown(lobby())
    for pressed in (["e", "enter"], ["e", "g", "esc"], ["e", "e", "e", "o", "o", "enter"]):
        assert [keys.press(key, 0.0) for key in pressed] == [[]] * len(pressed)
        assert keys.page is Page.NONE


def test_options_that_no_key_stands_for_stay_until_they_are_changed() -> None:
    keys = shown(lobby(options="no-block-after-challenge"))
    keys.press("e", 0.0)
    keys.press("g", 0.0)
    (sent,) = keys.press("enter", 0.0)
    assert "options" not in sent


def test_the_settings_close_when_they_cannot_be_changed_any_more() -> None:
    keys = shown(lobby())
    keys.press("e", 0.0)
    keys.model.receive(lobby(may=["leave"]), 0.0)
    keys.follow()
    assert keys.page is Page.NONE


def test_quitting_in_the_lobby_does_not_promise_that_a_game_is_played_on() -> None:
    keys = shown(lobby())
    keys.press("Q", 0.0)
    assert keys.asked == "Quit? There is no game yet; you leave the table."
    assert keys.press("y", 0.0)[0]["type"] == "quit"


def test_somebody_is_sent_away_by_number() -> None:
    keys = shown(lobby())
    keys.press("k", 0.0)
    assert [person.name for _key, person in keys.people] == ["Birch", "정우", "Fern"]
    (sent,) = keys.press("2", 0.0)
    assert (sent["type"], sent["peer"]) == ("kick", peer("정우"))


def test_the_talk_of_a_player_is_hidden_and_shown_again() -> None:
    keys = shown(asked("act"))
    keys.press("M", 0.0)
    (sent,) = keys.press("1", 0.0)
    assert (sent["type"], sent["peer"], sent["muted"]) == ("mute", peer("Birch"), True)
    keys.model.receive(asked("act") | {"muted": [peer("Birch")]}, 0.0)
    keys.press("M", 0.0)
    assert keys.press("1", 0.0)[0]["muted"] is False


def test_the_invite_is_put_on_the_clipboard() -> None:
    keys = shown(lobby())
    keys.press("c", 0.0)
    assert keys.copied == INVITE
    assert keys.page is Page.INVITE


def test_another_game_is_asked_for_and_taken_back() -> None:
    keys = shown(over())
    (sent,) = keys.press("A", 0.0)
    assert (sent["type"], sent["again"]) == ("again", True)
    keys.model.receive(over() | {"again": {"asked": [0, 1], "asking": True}}, 0.0)
    assert keys.press("A", 0.0)[0]["again"] is False


def test_the_log_scrolls_back_and_returns() -> None:
    keys = shown(asked("act"))
    keys.press("page up", 0.0)
    keys.press("up", 0.0)
    assert keys.scroll == 6
    for _press in range(9):
        keys.press("page up", 0.0)
    assert keys.scroll == 8  # no further than there is anything
    keys.press("end", 0.0)
    assert keys.scroll == 0


def test_a_start_that_is_not_possible_yet_says_why() -> None:
    keys = shown(lobby(may=["leave", "kick"]))
    assert keys.press("s", 0.0) == []
    assert keys.model.notice == "It cannot start yet: Birch is not ready."
    guest = shown(lobby(opener=peer("Birch"), may=["ready", "leave"]))
    assert guest.press("s", 0.0) == []
    assert guest.model.notice == ""
