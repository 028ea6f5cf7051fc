"""The reference card as it is printed, in any language."""

import pytest

from p2pcoup.rules import EDITIONS, USUAL, Options, Setup, reference_card, reference_to_data
from p2pcoup.ui import words
from p2pcoup.ui.fields import Fields
from p2pcoup.ui.reference import COLUMNS, columns_of, printed_card, read_card
from tests.ui.catalogues import LANGUAGES

GAMES = [
    *((edition, USUAL) for edition in EDITIONS.values()),
    (EDITIONS["base"], Options(Setup.SET_OF_FIVE)),
]


@pytest.fixture(autouse=True)
def english_afterwards():
    yield
    words.speak("en")


def printed(edition, options):
    return printed_card(read_card(Fields({"sections": reference_to_data(edition, options)})))


@pytest.mark.parametrize(("edition", "options"), GAMES)
def test_in_english_it_is_the_card_of_the_rules(edition, options):
    words.speak("en")
    assert printed(edition, options) == reference_card(edition, options)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("edition", "options"), GAMES)
def test_in_every_language_it_has_the_same_parts_and_fits(language, edition, options):
    english = reference_card(edition, options)
    words.speak(language)
    card = printed(edition, options)
    rows = card.split("\n")
    assert max(map(columns_of, rows)) <= COLUMNS
    assert sum(not row for row in rows) == sum(not row for row in english.split("\n"))
    for character in edition.characters:
        assert card.count(words.character(character.name)) >= 2
    for action in edition.actions:
        assert any(row.startswith(f"  {words.action(action.name)}  ") for row in rows)
    assert set(rows) & set(english.split("\n")) <= {""}


def test_wide_characters_take_two_columns_and_marks_none():
    assert columns_of("Duke") == 4
    assert columns_of("공작") == 4
    assert columns_of("e\u0301") == 1
