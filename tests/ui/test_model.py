"""Messages in, requests out: no question is ever answered that was not on the screen."""

import pytest

from p2pcoup.ui.model import GUARD_SECONDS, Link, Model
from tests.ui.messages import (
    GAME,
    RESUMED,
    WITHOUT_QUESTION,
    Message,
    asked,
    event,
    game,
    hello,
    state,
)

LATER = GUARD_SECONDS + 1


def after(*messages: dict[str, object], at: float = 0.0) -> Model:
    model = Model()
    for message in (hello(), *messages):
        model.receive(message, at)
    return model


def test_a_new_client_asks_for_all_events_of_this_run() -> None:
    (sent,) = Model().receive(hello("9f3c"), 0.0)
    assert sent == {"type": "resume", "n": 1, "run": "9f3c", "after": -1}


def test_a_client_that_comes_back_asks_for_what_it_missed() -> None:
    model = after(event(0, "zero"), event(1, "one"), event(2, "two"))
    (sent,) = model.receive(hello(), 0.0)
    assert (sent["run"], sent["after"]) == ("9f3c", 2)
    model.receive(event(2, "two"), 0.0)
    model.receive(event(3, "three"), 0.0)
    assert [each.text for each in model.events] == ["zero", "one", "two", "three"]


@pytest.mark.parametrize("reply", [RESUMED, RESUMED | {"type": "error", "text": "No."}])
def test_an_event_that_comes_before_those_asked_for_hides_none_of_them(reply: Message) -> None:
    model = after(event(2, "two"), {"type": "ok"}, {"type": "ok", "n": 7}, event(2, "two"))
    assert list(model.events) == []
    for message in (reply, *(event(number, str(number)) for number in range(3, 5))):
        model.receive(message, 0.0)
    assert [each.text for each in model.events] == ["3", "4"]  # those before are forgotten
    model = after(event(2, "two"), RESUMED)
    for number in range(4):
        model.receive(event(number, str(number)), 0.0)
    assert [each.text for each in model.events] == ["0", "1", "2", "3"]


def test_the_log_goes_on_with_another_run_of_the_node() -> None:
    model = after(RESUMED, event(7, "old"))
    (sent,) = model.receive(hello("other"), 0.0)
    assert (sent["run"], sent["after"]) == ("other", -1)
    model.receive(event(0, "new"), 0.0)
    assert [each.text for each in model.events] == ["old", "new"]
    assert [each.text for each in model.events_since(1)] == ["new"]
    assert model.events_since(2) == []


def test_an_answer_carries_the_id_of_its_question() -> None:
    model = after(asked("challenge-action"))
    (sent,) = model.answer(f"{GAME}:57", "0 pass", LATER)
    assert sent == {"type": "answer", "n": 2, "question": f"{GAME}:57", "move": "0 pass"}
    assert model.question is None
    assert model.waiting_for_reply


def test_a_question_is_answered_once() -> None:
    model = after(asked("challenge-action"))
    assert model.answer(f"{GAME}:57", "0 pass", LATER)
    assert model.answer(f"{GAME}:57", "0 challenge", LATER) == []


def test_a_late_answer_does_not_reach_the_next_question() -> None:
    model = after(asked("challenge-action"))
    model.receive(asked("lose", number=58), LATER)
    assert model.answer(f"{GAME}:57", "0 pass", LATER + LATER) == []
    assert model.notice == "That question is over; nothing was answered."
    assert model.question is not None


def test_a_question_that_has_only_just_come_is_not_answered_yet() -> None:
    model = after(asked("challenge-action"), at=10.0)
    assert model.answer(f"{GAME}:57", "0 pass", 10.0 + GUARD_SECONDS / 2) == []
    assert "only just come" in model.notice
    model.receive(asked("challenge-action"), 10.2)  # the same one again does not start it anew
    assert model.answer(f"{GAME}:57", "0 pass", 10.0 + GUARD_SECONDS)


def test_an_answer_that_was_refused_can_be_given_again() -> None:
    model = after(asked("act"))
    (sent,) = model.answer(f"{GAME}:57", "0 income", LATER)
    refusal = {"type": "error", "code": "not-possible", "text": "No."}
    model.receive({**refusal, "n": 99}, LATER)
    assert model.question is None
    model.receive({**refusal, "n": sent["n"]}, LATER)
    assert model.question is not None
    assert model.notice == "No."


def test_an_answer_to_a_closed_question_is_said_to_have_changed_nothing() -> None:
    model = after(asked("act"))
    (sent,) = model.answer(f"{GAME}:57", "0 income", LATER)
    model.receive({"type": "error", "n": sent["n"], "code": "closed", "text": "x"}, LATER)
    assert model.notice == "That question was closed already; your answer changed nothing."
    assert model.question is None


def test_a_lost_link_hides_the_question_and_its_return_shows_it() -> None:
    model = after(asked("act"))
    model.lost("Trying again.")
    assert (model.link, model.link_told) == (Link.LOST, "Trying again.")
    assert model.question is None
    assert model.answer(f"{GAME}:57", "0 income", LATER) == []
    model.receive(hello(), LATER)
    assert model.link is Link.UP
    assert model.question is not None


@pytest.mark.parametrize("kind", ["challenge-action", "block", "challenge-block"])
def test_passing_on_everything_answers_the_windows(kind: str) -> None:
    model = after(asked(kind))
    (sent,) = model.toggle_passing()
    assert (sent["type"], sent["move"]) == ("answer", "0 pass")
    model.receive(asked(kind, number=58), 5.0)
    assert model.passing
    (sent,) = model.receive(asked(kind, number=59), 5.0)
    assert (sent["question"], sent["move"]) == (f"{GAME}:59", "0 pass")
    assert model.receive(asked(kind, number=59), 5.0) == []


@pytest.mark.parametrize("kind", ["act", "prove", "lose", "keep", "pick", "reveal", "judge"])
def test_passing_on_everything_ends_when_something_else_is_asked(kind: str) -> None:
    model = after(state("game", game=game("cards")))
    assert model.toggle_passing() == []
    assert model.passing
    assert model.receive(asked(kind), 0.0) == []
    assert not model.passing
    assert model.receive(asked("block", number=58), 0.0) == []


def test_passing_on_everything_ends_by_the_same_key() -> None:
    model = after()
    model.toggle_passing()
    assert model.toggle_passing() == []
    assert model.receive(asked("block"), 0.0) == []


def test_the_time_counts_down_from_when_the_picture_came() -> None:
    model = after(asked("act"), at=100.0)
    assert model.remaining(100.0) == 31
    assert model.remaining(130.5) == 1
    assert model.remaining(200.0) == 0
    assert model.until_next_second(200.0) is None
    pause = model.until_next_second(100.0)
    assert pause is not None
    assert model.remaining(100.0 + pause) == 30


def test_without_a_limit_nothing_counts_down() -> None:
    playing = game("cards")
    playing["stage"]["remaining_ms"] = None
    model = after(state("game", game=playing))
    assert model.remaining(0.0) is None
    assert model.until_next_second(0.0) is None


@pytest.mark.parametrize("kind", WITHOUT_QUESTION)
def test_where_nothing_is_asked_there_is_no_question(kind: str) -> None:
    assert after(state("game", game=game(kind))).question is None


@pytest.mark.parametrize(
    "message",
    [
        {},
        {"type": 7},
        {"type": "of-a-later-version", "x": 1},
        {"type": "state"},
        {"type": "state", "phase": "game", "game": [], "question": {"moves": [7, None, {}]}},
        {"type": "state", "phase": "game", "game": {"seats": [{"cards": [1, {}]}], "stage": 3}},
        {"type": "state", "phase": "lobby", "lobby": {"people": "nobody", "times": []}},
        {"type": "event", "number": "x"},
        {"type": "error"},
        {"type": "reference", "sections": [{"lines": [[], [[]]]}]},
    ],
)
def test_a_message_with_holes_or_unknown_parts_is_survived(message: dict[str, object]) -> None:
    model = after(asked("act"))
    assert model.receive(message, 1.0) == []
