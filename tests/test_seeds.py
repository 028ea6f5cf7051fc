"""Every rule names where it comes from and the tests that show it; recorded games are replayed."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from p2pcoup.rules import (
    MoveSyntaxError,
    apply,
    outcome_to_text,
    parse_fact,
    parse_move,
    parse_state,
    state_to_text,
)
from tests.rules import golden

ROOT = Path(__file__).parents[1]
README = (ROOT / "seeds" / "README.md").read_text(encoding="utf-8")

RULES = [*range(1, 41), 42, 43, *range(50, 54)]
RULINGS = [*range(1, 7), 8, *range(11, 16), 17, 18, 19, 21, 22, 25, 26, 27]
NUMBERS = [*(f"R{number}" for number in RULES), *(f"D{number}" for number in RULINGS)]
DOCUMENTS = {
    "S0": "000_3709f7d7cf2017c0.txt",
    "S1": "001_53d4371a47255ddb.txt",
    "S2": "002_265d81a6d8558437.txt",
    "S3": "003_4d5d8454d2ea4987.txt",
    "S4": "004_4871b2cb6da42db2.txt",
}


WORDS = """
pass challenge block show decline lose keep pick reveal allow force concede
opened replaced drew shuffled dealt shown redrawn lost winner
"""


@cache
def rows():
    """Return {number: cells} of the rows of all tables of rules."""
    found = re.findall(r"^\| ([RD]\d+) \| (.*) \|$", README, re.MULTILINE)
    assert len(found) == len(dict(found)), "a number twice"
    return {number: cells.split(" | ") for number, cells in found}


@cache
def existing_tests():
    """Return the names of all test functions of the rules."""
    return {
        node.name
        for path in (ROOT / "tests" / "rules").glob("test_*.py")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


def numbers_in(name):
    return {number.upper() for number in re.findall(r"(?<=_)[rd]\d+(?=_)", name)}


def test_every_rule_and_ruling_is_listed_once_in_order():
    assert list(rows()) == NUMBERS


@pytest.mark.parametrize("number", NUMBERS)
def test_a_rule_names_documents_and_a_ruling_the_rules_it_belongs_to(number):
    cells = rows()[number]
    if number.startswith("R"):
        rule, documents, _ = cells
        assert rule.strip()
        assert set(re.findall(r"S\d", documents)) <= set(DOCUMENTS)
        assert documents.startswith("all") or re.findall(r"S\d", documents)
    else:
        question, ruling, on, _ = cells
        assert question.strip()
        assert ruling.strip()
        assert set(on.split()) <= set(NUMBERS)


@pytest.mark.parametrize("number", NUMBERS)
def test_every_test_named_beside_a_rule_exists_and_bears_its_number(number):
    named = re.findall(r"`(test_\w+)`", rows()[number][-1])
    assert named
    assert set(named) <= existing_tests()
    assert all(number in numbers_in(name) for name in named)


def test_no_test_bears_the_number_of_a_rule_that_is_not_listed():
    borne = {number for name in existing_tests() for number in numbers_in(name)}
    assert borne <= set(NUMBERS)


def test_the_documents_are_named():
    for short, name in DOCUMENTS.items():
        assert f"| **{short}** | `{name}` |" in README


# Recorded games


def replay(text):
    """Play a recorded game and compare every state that is written in it."""
    first, *lines = text.splitlines()
    state = parse_state(first)
    compared = 0
    for line in lines:
        if line.startswith("= winner"):
            assert line == f"= {outcome_to_text(state.outcome)}"
        elif line.startswith("= "):
            assert line == f"= {state_to_text(state)}"
            assert parse_state(line[2:]) == state
            compared += 1
        else:
            state = apply(state, event(state, line))
    assert state.outcome is not None
    return compared


def event(state, line):
    try:
        return parse_move(state.edition, line)
    except MoveSyntaxError:
        return parse_fact(state.edition, line)


@pytest.mark.parametrize("name", golden.GAMES)
def test_a_recorded_game_is_played_again_as_it_was(name):
    text = (golden.FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert replay(text) > 5


@pytest.mark.parametrize("name", golden.GAMES)
def test_a_recorded_game_is_what_its_maker_makes(name):
    text = (golden.FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert golden.played(name) == text


def test_there_is_no_other_recorded_game():
    names = {path.stem for path in golden.FOLDER.glob("*.txt")}
    assert names == set(golden.GAMES)
    assert all(name.rpartition("-")[0] == golden.GAMES[name][0].name for name in names)


def test_a_changed_line_of_a_recorded_game_is_noticed():
    text = (golden.FOLDER / "base-1.txt").read_text(encoding="utf-8")
    changed = re.sub(r"^= (.*) coins (\d+)", r"= \1 coins 49", text, count=1, flags=re.MULTILINE)
    assert changed != text
    with pytest.raises(AssertionError):
        replay(changed)


def test_between_them_the_recorded_games_hold_every_kind_of_move_and_fact():
    words = set()
    for name in golden.GAMES:
        lines = (golden.FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
        words |= {word for line in lines if ";" not in line for word in line.split()}
    assert words >= set(WORDS.split())
