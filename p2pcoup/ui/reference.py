"""The rules on one card, as the node sends them for its edition and options."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Final, TypeAlias
from unicodedata import category, east_asian_width

from p2pcoup.ui.fields import Fields
from p2pcoup.ui.sentences import say

COLUMNS: Final = 80
"""Of the card as it is printed."""


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


def printed_card(card: Card, columns: int = COLUMNS) -> str:
    """The card for a terminal or a file, in lines that long at most; no line break at its end."""
    title, *sections = card
    told = [title.title]
    for section in sections:
        told += ["", section.title]
        for each in section.lines:
            rows = _rows(each) if isinstance(each, Table) else _wrapped(each, columns - 2)
            told += [f"  {row}" for row in rows]
    return "\n".join(told)


def _rows(table: Table) -> Iterator[str]:
    """Columns as wide as their widest cell, two spaces apart."""
    widths = [max(map(columns_of, column)) for column in zip(*table.rows, strict=True)]
    for row in table.rows:
        cells = (
            cell + " " * (width - columns_of(cell)) for cell, width in zip(row, widths, strict=True)
        )
        yield "  ".join(cells).rstrip()


def _wrapped(text: str, columns: int) -> Iterator[str]:
    """A paragraph broken between words."""
    row = ""
    for word in text.split(" "):
        if row and columns_of(row) + 1 + columns_of(word) > columns:
            yield row
            row = word
        else:
            row = f"{row} {word}" if row else word
    yield row


def columns_of(text: str) -> int:
    """How many columns a terminal needs for a text; wide characters take two."""
    return sum(
        0 if category(each) == "Mn" else 2 if east_asian_width(each) in "WF" else 1 for each in text
    )
