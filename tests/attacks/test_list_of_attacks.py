"""The list of threats names, for every attack, tests that exist."""

import ast
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
THREATS = (TESTS.parent / "protocol" / "THREATS.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| (\d*) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
ROWS = [match.groups() for match in ROW.finditer(THREATS)]
NUMBERED = 30


def defined_in(path: Path) -> set[str]:
    """The names of the tests in a module."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return {node.name for node in tree.body if isinstance(node, functions)}


def test_every_attack_is_listed_once() -> None:
    numbers = [int(number) for number, *_ in ROWS if number]
    assert sorted(numbers) == list(range(1, NUMBERED + 1))
    attacks = [attack for _, attack, *_ in ROWS]
    assert len(set(attacks)) == len(attacks) > NUMBERED
    assert len(ROWS) == sum(line.startswith("| ") for line in THREATS.splitlines()) - 3


@pytest.mark.parametrize(("attack", "tests"), [(row[1], row[3]) for row in ROWS])
def test_every_test_that_is_named_for_an_attack_exists(attack: str, tests: str) -> None:
    named = re.findall(r"`([^`]+)`", tests)
    assert named, attack
    for name in named:
        module, _, function = name.partition("::")
        path = TESTS / module
        assert path.is_file(), name
        assert function in defined_in(path), name
