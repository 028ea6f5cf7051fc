"""The table's name in the text of its games."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcoup.lobby.limits import GAME_RANDOM_BYTES
from p2pcoup.lobby.naming import game_text, may_be, table_of
from p2pcoup.node.limits import MAX_GAMES
from p2pcoup.node.tablefile import later_text
from p2pcoup.table.terms import MAX_GAME_TEXT
from p2pcoup.wire import WireError, clean_name

CHANCE = bytes(range(GAME_RANDOM_BYTES))


def is_name(text: str) -> bool:
    try:
        return clean_name(text) == text
    except WireError:
        return False


@pytest.mark.parametrize("name", ["friday evening at our club", "Jörg", "한별", "Übung 2", "xn--a"])
def test_a_table_is_called_the_same_by_who_has_only_the_game(name: str) -> None:
    name = clean_name(name[:24])
    text = game_text(name, CHANCE)
    assert text.endswith(" 000102030405060708090a0b")
    assert table_of(text) == table_of(later_text(text, 2)) == name
    assert may_be(name, text)


def test_a_name_that_does_not_fit_is_cut_and_still_known_to_be_the_same() -> None:
    name = "한별 님의 아주 긴 이름의 테이블"
    text = game_text(name, CHANCE)
    assert name.startswith(table_of(text))
    assert len(table_of(text)) >= 6
    assert may_be(name, text)
    assert not may_be("한", text)


@given(st.text(max_size=24).filter(is_name))
def test_every_name_makes_a_text_that_a_game_can_have(name: str) -> None:
    text = game_text(name, CHANCE)
    assert text.isascii()
    assert text.isprintable()
    assert len(later_text(text, MAX_GAMES)) <= MAX_GAME_TEXT
    assert name.startswith(table_of(text))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("friday, game 1", "friday, game 1"),
        (f"xn--31b1bl8b {'0' * 24}x", f"xn--31b1bl8b {'0' * 24}x"),
        (f"xn--{'9' * 20} {'0' * 24}", f"xn--{'9' * 20}"),  # no punycode
        (f"xn--a-pin {'0' * 24}", "xn--a-pin"),  # what changes the direction of text is no name
    ],
)
def test_a_text_that_no_lobby_makes_is_shown_as_it_is(text: str, shown: str) -> None:
    assert table_of(text) == shown
