"""The screens in another language: nothing of the client's own stays English."""

import re

import pytest
import urwid

from p2pcoup.rules import BASE, reference_to_data
from p2pcoup.ui import words
from p2pcoup.ui.keys import Page
from tests.ui.catalogues import LANGUAGES, as_mo, source
from tests.ui.drawing import shown, text
from tests.ui.messages import STAGES, WITHOUT_QUESTION, asked, game, lobby, over, state

CARD = {
    "type": "reference",
    "edition": "base",
    "options": "standard",
    "sections": reference_to_data(BASE),
}

SMALL, LARGE = (80, 24), (200, 60)

SCREENS = [
    *((asked(stage), Page.NONE) for stage in STAGES),
    *((asked(stage, "inquisitor"), Page.NONE) for stage in ("act", "reveal", "judge")),
    *((state("game", game=game(stage)), Page.NONE) for stage in WITHOUT_QUESTION),
    (state("game", game=game("block", you=None)), Page.NONE),
    (asked("act"), Page.CARD),
    (lobby(), Page.NONE),
    (lobby(), Page.INVITE),
    (lobby(), Page.SETTINGS),
    (lobby(starting=True), Page.NONE),
    (lobby(opener_here=False, may=["reopen"]), Page.NONE),
    (over(), Page.NONE),
    (over(audit="invalid"), Page.NONE),
    (over(by_absence=True), Page.NONE),
    (state("ended"), Page.NONE),
]

NOT_OURS = (
    r"friday evening|Birch is not ready|The link to Birch is down|he never has it"
    r"|Ash|Birch|Maximil\S*( Hoh\S*)?|\S?lodie|Fern"
    r"|p2pcoup \w+|coup://\S*|[A-G-]{8,}|/home/\S*"
    r"|Esc|Enter|PgUp PgDn|a-z 1-9|Coup"
)
"""Names, what the node wrote in English, commands, paths, and what is printed on keys."""


@pytest.fixture(autouse=True)
def english_afterwards():
    urwid.set_encoding("utf-8")
    yield
    words.speak("en")


def veiled(text):
    """The text with every letter but those of its fields made unreadable."""
    return re.sub(r"\{\w+\}|[A-Za-z]", lambda it: it[0] if it[0][0] == "{" else "Ж", text)


@pytest.fixture
def veil(tmp_path, monkeypatch):
    """A language in which every text of the catalogue is unreadable."""
    catalog = source()
    for message in catalog:
        if message.id:
            many = isinstance(message.id, tuple)
            message.string = tuple(map(veiled, message.id)) if many else veiled(message.id)
    folder = tmp_path / "xx" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "p2pcoup.mo").write_bytes(as_mo(catalog))
    monkeypatch.setattr(words, "LOCALE_FOLDER", tmp_path)
    assert words.speak("xx") == "xx"


def drawn(each, page, size):
    keys = shown(CARD, each)
    if page is Page.SETTINGS:
        keys.press("e", 0.0)
    keys.page = page
    return keys, text(keys, size)


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_every_word_of_a_screen_is_in_the_catalogue(veil, size):
    for each, page in SCREENS:
        _, screen = drawn(each, page, size)
        assert re.findall(r"[A-Za-z]{2,}", re.sub(NOT_OURS, "", screen)) == [], screen


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_screen_fits_the_smallest_terminal_and_cuts_no_choice_short(language):
    assert words.speak(language) == language
    for each, page in SCREENS:
        keys, screen = drawn(each, page, SMALL)
        assert len(screen.splitlines()) == SMALL[1]
        for choice in keys.choices if page is Page.NONE else ():
            assert choice.label in screen, (choice.label, screen)
