"""The catalogues: every text a person may see, in every language there is."""

import gettext
import re
import textwrap
from functools import cache
from string import Formatter

import pytest
from urwid import calc_width

from p2pcoup.rules import EDITIONS, USUAL, Options, Setup
from p2pcoup.rules.editions import Action, Character, Edition
from p2pcoup.rules.reference import reference
from p2pcoup.rules.sentence import Sentence
from tests.ui import catalogues
from tests.ui.catalogues import LANGUAGES, as_mo, as_po, po_file, source

load, updated = cache(catalogues.load), cache(catalogues.updated)
every_language = pytest.mark.parametrize("language", LANGUAGES)

NAMES = ("who", "target", "other", "claimant", "examiner", "actor", "name", "character", "action")
"""Fields that hold a name or a title."""

TABLE_COLUMNS = 78
"""A table on the card stands two columns in, on a screen of eighty."""


def messages(catalog):
    return [message for message in catalog if message.id]


def translated(language):
    return [m for m in messages(load(language)) if m.string and all(forms(m.string))]


def forms(text):
    return text if isinstance(text, tuple | list) else (text,)


def fields(text):
    return sorted(name for _, name, _, _ in Formatter().parse(text) if name is not None)


def spaces_around(text):
    return text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]


def limit(message):
    """The most columns a text may have, as its comment says; None: as many as it likes."""
    found = re.search(r"max (\d+) columns", " ".join(message.auto_comments))
    return int(found[1]) if found else None


def width(text):
    return calc_width(text, 0, len(text))


@every_language
def test_every_text_is_translated(language):
    left = [m.id for m in messages(updated(language)) if not m.string or not all(forms(m.string))]
    assert left == []


@every_language
def test_the_catalogue_is_what_make_catalogues_would_write(language):
    assert po_file(language).read_text(encoding="utf-8") == as_po(updated(language))


@every_language
def test_the_compiled_catalogue_fits_the_text(language):
    assert po_file(language).with_suffix(".mo").read_bytes() == as_mo(updated(language))


@every_language
def test_nothing_is_guessed_and_nothing_is_left_over(language):
    catalog = load(language)
    assert [message.id for message in catalog if message.fuzzy] == []
    assert list(catalog.obsolete) == []
    text = po_file(language).read_text(encoding="utf-8")
    assert "fuzzy" not in text
    assert "#~" not in text


@every_language
def test_a_translation_has_exactly_the_fields_of_its_source(language):
    for message in translated(language):
        first, last = forms(message.id)[0], forms(message.id)[-1]
        *others, general = forms(message.string)
        assert fields(general) == fields(last), message.id
        for form in others:
            assert fields(form) in (fields(first), fields(last)), message.id


@every_language
def test_there_are_as_many_forms_as_the_language_has(language):
    catalog = load(language)
    for message in translated(language):
        expected = catalog.num_plurals if isinstance(message.id, tuple) else 1
        assert len(forms(message.string)) == expected, message.id


@every_language
def test_a_translation_ends_like_its_source(language):
    ends = (".", "!", "?", "…", ":")
    for message in translated(language):
        english = forms(message.id)[0]
        for form in forms(message.string):
            assert form.strip().endswith(ends) == english.strip().endswith(ends), form
            assert spaces_around(form) == spaces_around(english), form
            assert "  " not in form


@every_language
def test_a_label_fits_its_place(language):
    limited = [message for message in translated(language) if limit(message)]
    for message in limited:
        for form in (*forms(message.string), *forms(message.id)):
            longest = width(re.sub(r"\{\w+\}", "00", form))
            assert longest <= limit(message), f"{form!r} has {longest} columns"


def test_some_labels_have_a_width():
    assert any(limit(message) for message in messages(source()))


@pytest.mark.parametrize(
    ("language", "forms_of"),
    [("de", {0: 1, 1: 0, 2: 1}), ("it", {0: 1, 1: 0, 2: 1}), ("fr", {0: 0, 1: 0, 2: 1})],
)
def test_the_number_chooses_the_form_that_the_language_has_for_it(language, forms_of):
    told = translation(language)
    template = "{who} gets {coins} coin back.", "{who} gets {coins} coins back."
    string = load(language).get(template[0]).string
    assert string[0] != string[1]
    assert {n: string.index(told.ngettext(*template, n)) for n in forms_of} == forms_of


def test_korean_has_one_form_for_all_numbers():
    told = translation("ko")
    template = "{who} gets {coins} coin back.", "{who} gets {coins} coins back."
    assert len({told.ngettext(*template, n) for n in range(4)}) == 1


def test_what_is_marked_in_code_is_found_with_what_translators_are_told():
    code = """
        told = f"{_('in an f-string')} {N_('later' ' on')}"
        # Translators: max 8 columns.
        label = pgettext("card", "lost")
        words.ngettext("{n} card", "{n} cards", many)
        _(name)
    """
    found = list(catalogues.marked(textwrap.dedent(code)))
    assert sorted(found, key=str) == [
        ("in an f-string", None, []),
        ("later on", None, []),
        ("lost", "card", ["Translators: max 8 columns."]),
        (("{n} card", "{n} cards"), None, []),
    ]


# The sentences of the game, told


def translation(language):
    with po_file(language).with_suffix(".mo").open("rb") as file:
        return gettext.GNUTranslations(file)


def say(told, argument):
    """An argument in a language: how a client does it, from the same catalogue."""
    match argument:
        case Sentence(template, args, plural, n):
            text = told.gettext(template) if plural is None else told.ngettext(template, plural, n)
            return text.format_map({name: say(told, each) for name, each in args.items()})
        case Character():
            return told.pgettext("character", argument.title)
        case Action():
            return told.pgettext("action", argument.title)
        case Edition():
            return told.pgettext("edition", argument.title)
        case _:
            return str(argument)


CARDS = [
    (edition, options)
    for edition in EDITIONS.values()
    for options in (
        USUAL,
        Options(failed_challenger_may_block=False, steal_from_penniless=False),
        Options(Setup.SET_OF_FIVE),
        Options(Setup.SET_OF_FIVE, starter_coin=True),
    )
]


@every_language
@pytest.mark.parametrize(("edition", "options"), CARDS)
def test_every_row_of_the_reference_card_fits_a_screen_of_eighty(language, edition, options):
    told = translation(language)
    for section in reference(edition, options):
        assert width(say(told, section.title)) <= TABLE_COLUMNS
        if not section.rows:
            continue
        rows = [[width(say(told, cell)) for cell in row] for row in section.rows]
        longest = [max(column) for column in zip(*rows, strict=True)]
        assert sum(longest) + 2 * (len(longest) - 1) <= TABLE_COLUMNS, longest


@every_language
def test_no_two_characters_and_no_two_actions_have_one_title(language):
    told = translation(language)
    for edition in EDITIONS.values():
        for named in (edition.characters, edition.actions):
            titles = [say(told, each) for each in named]
            assert len(set(titles)) == len(titles)
            assert all(width(title) <= 17 for title in titles)


def test_a_turn_is_told_like_this_in_every_language():
    turns = {
        language: translation(language).gettext("It is {who}'s turn.") for language in LANGUAGES
    }
    assert turns == {
        "de": "{who} ist am Zug.",
        "fr": "À {who} de jouer.",
        "it": "È il turno di {who}.",
        "ko": "{who} 님의 차례입니다.",
    }


def test_no_french_word_that_would_lose_its_vowel_stands_before_a_name():
    trap = re.compile(
        rf"\b(de|le|la|que|ne|se|me|te|je|si) \{{({'|'.join(NAMES)})\}}", re.IGNORECASE
    )
    told = [form for message in translated("fr") for form in forms(message.string)]
    assert trap.search("Au tour de {who}.")
    assert [form for form in told if trap.search(form)] == []


def test_no_korean_particle_that_depends_on_the_last_letter_follows_a_field():
    trap = re.compile(r"\}(이|가|은|는|을|를|와|과|로|으로|라|이라)(?!\w)")
    told = [form for message in translated("ko") for form in forms(message.string)]
    assert trap.search("{who}이 이깁니다.")
    assert [form for form in told if trap.search(form)] == []
