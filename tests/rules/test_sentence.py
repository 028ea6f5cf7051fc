"""Sentences that can be told in any language."""

import json
from string import Formatter

import pytest

from p2pcoup.rules import BASE, Character, argument_to_data, card_words, sentence_to_data, told
from p2pcoup.rules.sentence import LISTS, Template, listed, listed_the, slashed

ALL = (*told.TEMPLATES, *card_words.TEMPLATES, *LISTS)
TAKES = Template("{who} takes {coins} coin.", "{who} takes {coins} coins.", by="coins")
DUKE, _, CAPTAIN, *_ = BASE.characters
STEAL = BASE.action("steal")


def fields(text):
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_a_filled_template_is_told_in_english():
    said = Template("{who} claims the {character} and announces {action}.")
    told_now = said(who="Ann", character=CAPTAIN, action=STEAL)
    assert str(told_now) == "Ann claims the Captain and announces Steal."


def test_the_number_decides_between_the_two_forms():
    assert str(TAKES(who="Ann", coins=1)) == "Ann takes 1 coin."
    assert str(TAKES(who="Ann", coins=2)) == "Ann takes 2 coins."
    assert str(TAKES(who="Ann", coins=0)) == "Ann takes 0 coins."


def test_a_template_that_depends_on_a_number_wants_one():
    with pytest.raises(TypeError, match="decides between the two forms"):
        TAKES(who="Ann", coins="3")


def test_braces_in_a_name_stay_what_they_are():
    assert str(TAKES(who="{coins} {0.who}", coins=2)) == "{coins} {0.who} takes 2 coins."


@pytest.mark.parametrize(
    ("words", "text"), [("a", "a"), ("ab", "a and b"), ("abc", "a, b and c"), ("abcd", None)]
)
def test_a_list_is_made_of_parts(words, text):
    assert str(listed(list(words))) == (text or "a, b, c and d")


def test_cards_in_a_list_have_an_article_each():
    turned = Template("{who} turns up the {cards}.")
    cards = listed_the([DUKE, CAPTAIN, Character("miller")])
    assert str(turned(who="Ann", cards=cards)) == (
        "Ann turns up the Duke, the Captain and the Miller."
    )
    assert listed_the([DUKE]) is DUKE
    assert str(slashed([DUKE, CAPTAIN])) == "Duke/Captain"


def test_a_sentence_as_data_has_its_template_and_what_fills_it():
    sentence = told.PAYS_AGAINST(who="Ann", coins=3, action=STEAL, target="Bob")
    data = sentence_to_data(sentence)
    assert data == {
        "text": "Ann pays 3 coins and announces Steal against Bob.",
        "template": "{who} pays {coins} coin and announces {action} against {target}.",
        "plural": "{who} pays {coins} coins and announces {action} against {target}.",
        "n": 3,
        "args": {"who": "Ann", "coins": 3, "action": {"action": "steal"}, "target": "Bob"},
    }
    assert json.loads(json.dumps(data)) == data


def test_a_sentence_that_depends_on_no_number_has_no_plural_in_its_data():
    assert set(sentence_to_data(told.TURN(who="Ann"))) == {"text", "template", "args"}


def test_arguments_as_data_keep_their_kind():
    assert argument_to_data(DUKE) == {"character": "duke"}
    assert argument_to_data(BASE) == {"edition": "base"}
    assert argument_to_data(listed_the([DUKE, CAPTAIN])) == {
        "template": "{some} and the {last}",
        "args": {"some": {"character": "duke"}, "last": {"character": "captain"}},
    }


@pytest.mark.parametrize("template", ALL, ids=lambda each: each.text[:40])
def test_the_fields_of_every_template_have_plain_names_and_both_forms_agree(template):
    assert all(name.isidentifier() for name in fields(template.text))
    if template.plural is None:
        assert template.by == ""
    else:
        assert template.by in fields(template.plural)
        assert fields(template.text) <= fields(template.plural)


def test_no_two_templates_are_the_same():
    assert len({template.text for template in ALL}) == len(ALL)
