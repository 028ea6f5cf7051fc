"""The modules of sentences: what a program says is written there, and all of it is said."""

import ast
from pathlib import Path
from string import Formatter

import pytest

import p2pcoup
from p2pcoup.lobby import said as lobby_said
from p2pcoup.node import said as node_said
from p2pcoup.rules import card_words, told
from p2pcoup.rules.sentence import Template

ROOT = Path(p2pcoup.__file__).parent
MODULES = {
    "rules.told": told,
    "rules.card_words": card_words,
    "lobby.said": lobby_said,
    "node.said": node_said,
}


def templates(name: str) -> dict[str, Template]:
    return {
        constant: value
        for constant, value in vars(MODULES[name]).items()
        if isinstance(value, Template)
    }


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def names_used(module: str) -> set[str]:
    """The constants other modules take from it, by whatever name they know it."""
    layer, _, own = module.partition(".")
    used: set[str] = set()
    for path in ROOT.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        known_as = {
            alias.asname or alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module == f"p2pcoup.{layer}"
            for alias in node.names
            if alias.name == own
        }
        used |= {
            node.attr
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id in known_as
        }
    return used


@pytest.mark.parametrize("module", MODULES)
def test_every_sentence_is_said_somewhere_and_none_is_missing(module: str) -> None:
    assert names_used(module) - {"TEMPLATES"} == set(templates(module))


@pytest.mark.parametrize("module", MODULES)
def test_the_list_of_a_module_holds_all_its_sentences(module: str) -> None:
    assert tuple(templates(module).values()) == MODULES[module].TEMPLATES


@pytest.mark.parametrize("module", MODULES)
def test_a_sentence_shows_all_that_fills_it(module: str) -> None:
    for template in templates(module).values():
        form = template.text if template.plural is None else template.plural
        args: dict[str, str | int] = {field: f"<{field}>" for field in fields(form)}
        number = {template.by: 2} if template.by else {}
        said = str(template(**(args | number)))
        assert "{" not in said
        assert all(str((args | number)[field]) in said for field in fields(form))
