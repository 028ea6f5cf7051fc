"""The architecture, held by a test: imports go downwards only, trio stays in the shell."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from p2pcoup.rules import EDITIONS
from tests import sources

MAY_IMPORT = {
    "rules": set(),
    "deck": set(),
    "wire": set(),
    "table": {"rules", "deck", "wire"},
    "journal": {"wire"},
    "bots": {"rules"},
    "audit": {"rules", "wire", "table", "journal"},
    "net": {"wire"},
    "lobby": {"rules", "wire", "table"},
    "node": {"rules", "deck", "wire", "table", "journal", "bots", "audit", "net", "lobby"},
    "demo": {"rules", "wire", "table", "audit", "bots", "node"},
    "ui": set(),
}
SHELL = {"net", "node", "demo", "ui"}
TOP = {"__init__", "__main__", "cli", "bench"}


def modules() -> Iterator[tuple[str, Path]]:
    for path in sources.modules():
        place = path.relative_to(sources.PROGRAM).parts
        yield (place[0] if len(place) > 1 else path.stem), path


@cache
def imported(path: Path) -> tuple[str, ...]:
    return tuple(imports(path))


def imports(path: Path) -> Iterator[str]:
    for node in sources.nodes(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            if node.module == "p2pcoup":
                yield from (f"p2pcoup.{alias.name}" for alias in node.names)
            else:
                yield node.module or ""


def test_every_folder_is_in_the_architecture() -> None:
    assert {folder for folder, _ in modules()} == set(MAY_IMPORT) | TOP


@pytest.mark.parametrize("folder", MAY_IMPORT)
def test_a_folder_imports_only_from_those_below_it(folder: str) -> None:
    for where, path in modules():
        if where != folder:
            continue
        for name in imported(path):
            if name.startswith("p2pcoup."):
                layer = name.split(".")[1]
                assert layer == folder or layer in MAY_IMPORT[folder], f"{path} imports {name}"


def test_trio_and_clocks_and_processes_stay_in_the_shell() -> None:
    outside = {"trio", "socket", "ssl", "subprocess", "asyncio", "threading", "signal"}
    for folder, path in modules():
        if folder in SHELL | TOP:
            continue
        found = {name.split(".")[0] for name in imported(path)} & outside
        assert not found, f"{path} imports {found}"


def test_the_core_draws_no_chance_and_reads_no_clock_of_its_own() -> None:
    allowed = {
        ("deck", "secrets"): "Randomness.from_system",
        ("journal", "secrets"): "the default source of a new seed",
        ("bots", "random"): "the type of a bot's generator",
        ("audit", "time"): "measures, never decides",
    }
    for folder, path in modules():
        if folder in SHELL | TOP:
            continue
        found = {name.split(".")[0] for name in imported(path)} & {"time", "random", "secrets"}
        unexpected = {name for name in found if (folder, name) not in allowed}
        assert not unexpected, f"{path} imports {unexpected}"


def test_only_the_edition_tables_name_a_character_or_a_claimed_action() -> None:
    names = {character.name for edition in EDITIONS.values() for character in edition.characters}
    for _, path in modules():
        if path.name == "editions.py":
            continue
        docstrings = _docstrings(path)
        for node in sources.nodes(path):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                if node in docstrings:
                    continue
                words = {word.strip("\"'.,;:()").lower() for word in node.value.split()}
                assert not words & names, f"{path}:{node.lineno} names {words & names}"


def _docstrings(path: Path) -> set[ast.expr]:
    return {node.value for node in sources.nodes(path) if isinstance(node, ast.Expr)}
