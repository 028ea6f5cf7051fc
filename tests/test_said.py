"""The modules of sentences: what a program says is written there, and all of it is said."""

import ast
from functools import cache
from string import Formatter

import pytest

from p2pcoup.lobby import said as lobby_said
from p2pcoup.node import said as node_said
from p2pcoup.rules import card_words, told
from p2pcoup.rules.sentence import Template
from tests import sources

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


@cache
def names_used() -> dict[str, set[str]]:
    """The constants that others take from each module, by whatever name they know it."""
    used: dict[str, set[str]] = {module: set() for module in MODULES}
    for path in sources.modules():
        known_as = {
            alias.asname or alias.name: module
            for node in sources.nodes(path)
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
            if (module := f"{node.module}.{alias.name}".removeprefix("p2pcoup.")) in MODULES
        }
        if not known_as:
            continue
        for node in sources.nodes(path):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                module = known_as.get(node.value.id)
                if module is not None:
                    used[module].add(node.attr)
    return used


@pytest.mark.parametrize("module", MODULES)
def test_every_sentence_is_said_somewhere_and_none_is_missing(module: str) -> None:
    assert names_used()[module] - {"TEMPLATES"} == set(templates(module))


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
