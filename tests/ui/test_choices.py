"""Every choice has a key, words, and a reason if it is not possible."""

import pytest

from p2pcoup.ui.choices import Choice, flat, letter_keys, menu
from p2pcoup.ui.fields import Fields
from p2pcoup.ui.reading import read_state
from tests.ui.messages import STAGES, Message, asked


def choices(message: Message, *, secret: bool = False) -> tuple[Choice, ...]:
    state = read_state(Fields(message))
    assert state.question is not None
    assert state.game is not None
    return menu(state.question, state.game, secret=secret)


def by_key(message: Message, *, secret: bool = False) -> dict[str, Choice]:
    return {choice.key: choice for choice in choices(message, secret=secret)}


def test_a_letter_is_the_first_free_one_of_the_words() -> None:
    words = ["Exchange", "Examine", "x"]
    assert letter_keys((word, "") for word in words) == ["e", "x", "a"]


def test_in_another_script_the_letter_is_one_of_the_english_words() -> None:
    assert letter_keys([("수입", "income"), ("징세", "tax"), ("Überprüfung", "x")]) == [
        "i",
        "t",
        "b",
    ]


@pytest.mark.parametrize("edition", ["base", "inquisitor"])
@pytest.mark.parametrize("kind", STAGES)
def test_every_choice_of_every_question_has_a_key_of_its_own(kind: str, edition: str) -> None:
    shown = choices(asked(kind, edition))
    for group in (shown, *(choice.within for choice in shown if choice.within)):
        keys = [choice.key for choice in group]
        assert len(set(keys)) == len(keys)
        assert all(len(key) == 1 and (key.islower() or key.isdigit()) for key in keys)


@pytest.mark.parametrize("edition", ["base", "inquisitor"])
@pytest.mark.parametrize("kind", STAGES)
def test_every_move_can_be_reached_and_is_sent_as_it_came(kind: str, edition: str) -> None:
    message = asked(kind, edition)
    offered = [move["move"] for move in message["question"]["moves"]]
    reached = [choice.move for _group, choice in flat(choices(message))]
    if kind == "keep":  # both Dukes are the same
        assert reached == ["0 keep 0,1", "0 keep 0,3", "0 keep 1,2", "0 keep 1,3"]
    else:
        assert reached == offered


def test_a_choice_that_is_not_possible_says_why() -> None:
    shown = by_key(asked("act"))
    assert shown["c"].label == "Coup"
    assert shown["c"].refusal == "7 coins needed"
    assert shown["i"].possible


@pytest.mark.parametrize(
    ("why", "told"),
    [
        ({"why": "forced"}, "only Income now"),
        ({"why": "penniless"}, "no coins there"),
        ({"why": "coins", "needs": 1}, "1 coin needed"),
        ({"why": "of-a-later-version"}, "not possible now"),
    ],
)
def test_every_reason_is_told_in_words(why: Message, told: str) -> None:
    message = asked("act")
    for move in message["question"]["moves"][1:]:
        move |= {"legal": False, **why}
    assert by_key(message)["f"].refusal == told


def test_a_target_is_named_with_its_number_at_the_table_and_its_coins() -> None:
    steal = by_key(asked("act"))["s"]
    assert [(each.key, each.label, each.short) for each in steal.within] == [
        ("2", "Birch", "12 coins"),
        ("4", "Maximiliane Hohenstein-W", "7 coins"),
        ("5", "Élodie", "2 coins"),
        ("6", "Fern", "2 coins"),
    ]


def test_with_a_single_opponent_no_target_has_to_be_chosen() -> None:
    steal = by_key(asked("act", seats=2))["s"]
    assert (steal.label, steal.move, steal.within) == ("Steal", "0 steal 1", ())


def test_a_claim_says_whether_it_is_true_unless_the_hand_is_hidden() -> None:
    assert by_key(asked("act"))["t"].detail == "claim Duke (true)"
    assert by_key(asked("act"))["s"].detail == "claim Captain (bluff)"
    assert by_key(asked("act"))["a"].short == "pay 3, true"
    assert by_key(asked("act"), secret=True)["s"].detail == "claim Captain"
    assert by_key(asked("block"))["c"].short == "bluff"
    assert by_key(asked("block"), secret=True)["c"].short == ""


def test_a_card_that_lies_face_up_makes_no_claim_true() -> None:
    message = asked("act")
    message["game"]["seats"][0]["cards"] = [None, "duke"]
    assert by_key(message)["t"].short == "bluff"


@pytest.mark.parametrize("kind", ["lose", "keep", "reveal", "prove"])
def test_a_hidden_hand_stays_hidden_in_the_choices(kind: str) -> None:
    told = " ".join(f"{each.label} {each.detail}" for each in choices(asked(kind), secret=True))
    assert "card" in told
    for title in ("Duke", "Assassin", "Captain", "Ambassador", "Contessa"):
        assert title not in told
