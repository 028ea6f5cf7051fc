"""The rules on one card and the keys, on the key ?."""

import pytest

from p2pcoup.rules import INQUISITOR, USUAL, reference_to_data
from p2pcoup.ui import words
from p2pcoup.ui.keys import Page
from tests.ui.drawing import rows, shown, text
from tests.ui.messages import asked

CARD = {
    "type": "reference", "edition": "inquisitor", "options": "standard",
    "sections": reference_to_data(INQUISITOR, USUAL),
}  # fmt: skip


def test_the_card_shows_the_rules_and_scrolls_to_the_keys() -> None:
    keys = shown(asked("act", "inquisitor"), CARD)
    keys.press("?", 5.0)
    first = text(keys, (80, 24))
    assert "Inquisitor edition, 2 to 6 players" in first
    assert "Captain/Inquisitor" in first
    keys.press("page down", 5.0)
    keys.press("page down", 5.0)
    assert keys.page is Page.CARD
    assert "pass on everything until you are asked something else" in text(keys, (80, 24))
    keys.press("q", 5.0)
    assert keys.page is Page.NONE


def test_the_key_that_closes_the_card_answers_nothing() -> None:
    keys = shown(asked("act"), CARD)
    keys.press("?", 5.0)
    assert keys.press("i", 5.0) == []
    assert keys.model.question is not None


def test_without_a_card_it_says_where_the_rules_are() -> None:
    keys = shown(asked("act"))
    keys.press("?", 5.0)
    assert "`p2pcoup rules` prints them" in text(keys, (80, 24))


def test_a_very_large_window_shows_the_card_beside_the_game() -> None:
    screen = text(shown(asked("act", "inquisitor"), CARD), (200, 70))
    assert "The rules on one card" in screen
    assert "Captain/Inquisitor" in screen
    assert "Waiting for: you" in screen


@pytest.mark.parametrize("language", ["de", "fr", "it", "ko"])
def test_the_card_fits_80_columns_in_every_language(language: str) -> None:
    try:
        words.speak(language)
        keys = shown(asked("act", "inquisitor"), CARD)
        keys.press("?", 5.0)
        drawn = rows(keys, (80, 70))
        assert not [row for row in drawn if row.rstrip().endswith("…")]
    finally:
        words.speak("en")
