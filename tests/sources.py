"""The sources of the program, read and parsed once for all tests that look into them."""

import ast
from functools import cache
from pathlib import Path

import p2pcoup

PROGRAM = Path(p2pcoup.__file__).parent


@cache
def modules() -> tuple[Path, ...]:
    """Return all modules of the program, in order."""
    return tuple(sorted(PROGRAM.rglob("*.py")))


@cache
def text(path: Path) -> str:
    """Return what is written in a module."""
    return path.read_text(encoding="utf-8")


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Return a module's syntax tree, its top first, then everything in it level by level."""
    return tuple(ast.walk(ast.parse(text(path))))
