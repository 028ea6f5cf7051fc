"""What a node tells its user beside the story."""

import ast
from pathlib import Path
from string import Formatter

import pytest

from p2pcoup.node import said
from p2pcoup.rules.sentence import Template

NODE = Path(said.__file__).parent
BY_NAME = {name: value for name, value in vars(said).items() if isinstance(value, Template)}


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def used() -> set[str]:
    """The names that some other module of the node takes from `said`."""
    return {
        node.attr
        for path in NODE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "said"
    }


def test_every_text_is_used_and_none_is_missing() -> None:
    assert used() - {"TEMPLATES"} == set(BY_NAME)
    assert tuple(BY_NAME.values()) == said.TEMPLATES


@pytest.mark.parametrize("name", BY_NAME)
def test_a_text_can_be_told_with_its_fields(name: str) -> None:
    template = BY_NAME[name]
    args = {field: f"<{field}>" for field in fields(template.text)}
    told = str(template(**args))
    assert "{" not in told
    assert all(value in told for value in args.values())
