"""The story on the screen: every turn is a paragraph."""

from p2pcoup.demo.story import in_paragraphs
from p2pcoup.rules import narrate
from p2pcoup.table import Happened
from tests.table.party import NAMES, played


def test_an_empty_line_stands_before_each_turn_and_nowhere_else() -> None:
    told = ["Ash announces Income.", "It is Birch's turn.", "Birch announces Income."]
    assert list(in_paragraphs(told)) == [told[0], "", told[1], told[2]]


def test_no_sentence_of_the_story_is_lost() -> None:
    told = ["It is Ash's turn.", "Ash wins the game."]
    assert [line for line in in_paragraphs(told) if line] == told


def test_the_turns_of_a_real_game_are_found() -> None:
    steps = [notice for notice in played(3).notices[0] if isinstance(notice, Happened)]
    told = [str(s) for step in steps for s in narrate(step.before, step.event, step.after, NAMES)]
    turns = sum(step.before.turn != step.after.turn for step in steps)
    assert turns > 3
    assert list(in_paragraphs(told)).count("") >= turns
