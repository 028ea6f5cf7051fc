"""Templates are filled with words and nothing else; the language is chosen by name or locale."""

import pytest

from p2pcoup.rules import Options, Setup, options_to_text
from p2pcoup.ui import words
from p2pcoup.ui.fields import Fields
from p2pcoup.ui.reading import read_state
from p2pcoup.ui.reference import Table, read_card
from p2pcoup.ui.sentences import read_event, say

LOST = "Lost the link to {who}: {reason}"


@pytest.fixture(autouse=True)
def _english_afterwards() -> object:
    yield
    words.speak("en")


def test_a_template_reads_no_attributes_of_what_fills_it() -> None:
    template = "{who.__class__} {who!r} {who} {{who}} {other}"
    assert words.fill(template, {"who": "Ash"}) == "{who.__class__} {who!r} Ash {Ash} {other}"


def test_lists_read_as_a_sentence() -> None:
    assert words.listed([]) == ""
    assert words.listed(["a"]) == "a"
    assert words.listed(["a", "b"]) == "a and b"
    assert words.either(["a", "b", "c"]) == "a, b or c"


def test_titles_come_from_canonical_names() -> None:
    assert words.action("foreign-aid") == "Foreign Aid"
    assert words.character("") == ""


def test_a_language_without_a_catalogue_is_english() -> None:
    assert words.speak("tlh") == "en"
    assert words.coins(1) == "1 coin"
    assert words.coins(2) == "2 coins"


@pytest.mark.parametrize("asked", ["de", "de_AT"])
def test_a_language_is_found_by_its_name_with_or_without_a_country(asked: str) -> None:
    assert "de" in words.languages()
    assert words.speak(asked) == "de"
    assert words._("yes") == "ja"


def test_the_locale_of_the_environment_is_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("LANG", "ko_KR.UTF-8")
    assert words.speak() == "ko"
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    assert words.speak() == "en"


def test_an_event_is_told_from_its_template() -> None:
    message = {
        "type": "event", "number": 3, "kind": "story", "text": "Ash pays 3 coins.",
        "template": "{who} pays {n} coin.", "plural": "{who} pays {n} coins.", "n": 3,
        "args": {"who": "A\x1bsh", "n": 3},
    }  # fmt: skip
    assert read_event(Fields(message)).text == "Ash pays 3 coins."
    assert read_event(Fields({**message, "n": 1})).text == "Ash pays 3 coin."
    assert read_event(Fields({**message, "template": ""})).text == "Ash pays 3 coins."


def test_arguments_are_titles_numbers_names_and_parts() -> None:
    part = {"template": "{some} and {last}", "args": {"some": "Ash", "last": "Birch"}}
    assert say({"action": "foreign-aid"}) == "Foreign Aid"
    assert say({"character": "grey-eminence"}) == "Grey Eminence"
    assert say(7) == "7"
    assert say(part) == "Ash and Birch"
    assert say(None) == ""


def test_a_sentence_inside_itself_without_end_is_cut_off() -> None:
    endless: dict[str, object] = {"template": "{x}", "args": {}}
    endless["args"] = {"x": endless}
    assert say(endless) == ""


def test_rows_of_cells_become_one_table_with_all_columns() -> None:
    sections = [
        {
            "title": {"text": "Actions"},
            "lines": [{"text": "All of them:"}, ["action", "cost", "-", "x"], [{"action": "tax"}]],
        }
    ]
    (section,) = read_card(Fields({"sections": sections}))
    assert section.title == "Actions"
    assert section.lines == (
        "All of them:",
        Table((("action", "cost", "-", "x"), ("Tax", "", "", "")), heads=True),
    )


def test_options_are_told_in_words_and_unknown_ones_as_they_are() -> None:
    assert words.options("set-of-five,starter-coin") == "set of five, a coin less for the starter"
    assert words.options("upside-down") == "upside-down"


def test_every_option_of_the_rules_has_words() -> None:
    other = Options(failed_challenger_may_block=False, steal_from_penniless=False)
    five = Options(Setup.SET_OF_FIVE, starter_coin=True)
    names = {name for each in (other, five) for name in options_to_text(each).split(",")}
    assert names | {"standard"} == set(words.OPTIONS)


def test_a_reason_within_a_sentence_is_told_in_the_language_too() -> None:
    reason = {
        "template": "{address} closed the link: {reason}",
        "args": {
            "address": "192.168.1.20:7700",
            "reason": {"template": "The node has closed.", "args": {}},
        },
    }
    told = {
        "template": "Lost the link to {who}: {reason}",
        "args": {"who": "Ash", "reason": reason},
    }
    words.speak("de")
    assert say(told) == (
        "Verbindung zu Ash verloren: 192.168.1.20:7700 hat die Verbindung geschlossen: "
        "Der Knoten hat sich beendet."
    )


def test_why_the_node_has_ended_is_told_in_the_language_or_else_as_it_came() -> None:
    known = {"text": "All games are over.", "template": "All games are over.", "args": {}}
    words.speak("de")
    message = {"type": "state", "phase": "ended", "reason": "All games are over."}
    assert read_state(Fields(message | {"why_ended": known})).reason == "Alle Spiele sind zu Ende."
    assert read_state(Fields(message | {"why_ended": None})).reason == "All games are over."


def test_the_no_break_spaces_of_a_translation_stay() -> None:
    words.speak("fr")
    told = {
        "template": "Lost the link to {who}: {reason}",
        "args": {"who": "A\u00a0B", "reason": "x"},
    }
    assert say(told) == "Connexion avec A B perdue\u00a0: x"
