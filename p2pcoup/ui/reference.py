"""The rules on one card, as the node sends them for its edition and options."""

from dataclasses import dataclass
from itertools import groupby
from typing import TypeAlias

from p2pcoup.ui.fields import Fields
from p2pcoup.ui.sentences import say


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells, all of the same number."""

    rows: tuple[tuple[str, ...], ...]
    heads: bool
    """Whether the first row holds heads."""


@dataclass(frozen=True, slots=True)
class Section:
    """A title and what is below it."""

    title: str
    lines: tuple["str | Table", ...]


Card: TypeAlias = tuple[Section, ...]


def read_card(message: Fields) -> Card:
    """Read a ``reference`` message, in the language chosen now."""
    return tuple(
        Section(say(section.part("title").whole), tuple(_lines(section.values("lines"))))
        for section in message.parts("sections")
    )


def _lines(lines: list[object]) -> list["str | Table"]:
    """Sentences as they are; rows of cells that follow each other become one table."""
    found: list[str | Table] = []
    for is_row, group in groupby(lines, lambda each: isinstance(each, list)):
        if not is_row:
            found += [say(each) for each in group]
            continue
        rows = [tuple(say(cell) for cell in row) for row in group if isinstance(row, list)]
        width = max(len(row) for row in rows)
        even = tuple(row + ("",) * (width - len(row)) for row in rows)
        found.append(Table(even, heads=width > 3))
    return found
