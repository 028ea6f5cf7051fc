"""Parts of a screen: texts set in columns, on top of each other and beside each other.

Urwid sets a text (it breaks lines and knows wide characters) and paints the terminal. Between the
two there are only rows, and a text that was set once in a width is never set again: a key costs
what it changes, and not the whole screen.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Generic, Literal, Protocol, TypeAlias, TypeVar

import urwid

from p2pcoup.ui.screen.theme import Signs

Markup = str | tuple[str | None, Any] | list[Any]
"""Text with attributes, as urwid writes it."""

Segment: TypeAlias = tuple[str | None, str]
"""A piece of a text with its attribute."""

Row: TypeAlias = tuple[tuple[Any, Any, bytes], ...]
"""A row of the screen as urwid paints it: attribute, character set and bytes of every piece."""

Entry = TypeVar("Entry")

MIN_COLUMNS: Final = 80
MIN_ROWS: Final = 24
TEXTS_KEPT: Final = 4096
"""Texts that are not set anew: those of a screen are some two hundred."""

Size = tuple[()] | tuple[int] | tuple[int, int]
"""As urwid types the size of any widget; a box has columns and rows."""

Cursor: TypeAlias = tuple[int, int] | None
"""Column and row of the cursor, if there is one."""


class Part(Protocol):
    """Something as high as it needs."""

    def rows(self, columns: int) -> tuple[Row, ...]:
        """Set it in so many columns."""

    def cursor(self, columns: int) -> Cursor:
        """Where the cursor is in it."""


class Box(Protocol):
    """Something that takes all the rows it is given."""

    def fill(self, columns: int, rows: int) -> tuple[Row, ...]:
        """Draw exactly so many rows of so many columns."""

    def cursor_in(self, columns: int, rows: int) -> Cursor:
        """Where the cursor is in it."""


# --- texts ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Text:
    """A text with attributes; `style` is that of all that has none."""

    segments: tuple[Segment, ...]
    wrap: Literal["space", "any", "clip", "ellipsis"]
    align: Literal["left", "center"] = "left"
    style: str | None = None

    def rows(self, columns: int) -> tuple[Row, ...]:
        """Set it in so many columns."""
        return _set(self, columns)

    def cursor(self, columns: int) -> Cursor:  # noqa: ARG002
        """No cursor is in a text."""
        return None


@lru_cache(maxsize=TEXTS_KEPT)
def _set(text: Text, columns: int) -> tuple[Row, ...]:
    markup: list[Any] = list(text.segments) or [""]
    canvas = urwid.Text(markup, align=text.align, wrap=text.wrap).render((columns,))
    return tuple(
        tuple((text.style if a is None else a, charset, run) for a, charset, run in row)
        for row in canvas.content()
    )


def line(markup: Markup, style: str | None = None) -> Part:
    """One row; what does not fit ends in an ellipsis."""
    return Text(tuple(segments(markup)), "ellipsis", style=style)


def prose(markup: Markup) -> Part:
    """As many rows as the text needs, broken between words."""
    return Text(tuple(segments(markup)), "space")


def unbroken(markup: Markup) -> Part:
    """As many rows as the text needs, with nothing between them, to be marked and copied."""
    return Text(tuple(segments(markup)), "any")


def centred(markup: Markup) -> Part:
    """A paragraph in the middle."""
    return Text(tuple(segments(markup)), "space", "center")


def cells(row: Sequence[tuple[int, Markup]], rest: Markup = "") -> Part:
    """A row of cells with fixed widths; `rest` takes what is left."""
    return line([*(part for width, markup in row for part in fitted(markup, width)), rest])


def fitted(markup: Markup, width: int) -> list[Markup]:
    """The text in exactly so many columns: filled with blanks, or cut with an ellipsis."""
    spare = width - columns_of(markup)
    if spare >= 0:
        return [markup, " " * spare]
    parts: list[Markup] = []
    left = width - 1  # one column for the ellipsis
    for attribute, text in segments(markup):
        at, columns = urwid.calc_text_pos(text, 0, len(text), left)
        parts.append((attribute, text[:at]))
        left -= columns
        if at < len(text):
            parts.append((attribute, "…"))
            break
    return [*parts, " " * left]


def plain(markup: Markup) -> str:
    """The text without its attributes."""
    return "".join(text for _attribute, text in segments(markup))


def segments(markup: Markup, attribute: str | None = None) -> Iterator[Segment]:
    """The parts of a text with their attributes."""
    if isinstance(markup, str):
        if markup:
            yield attribute, markup
    elif isinstance(markup, tuple):
        yield from segments(markup[1], markup[0])
    else:
        for part in markup:
            yield from segments(part, attribute)


def columns_of(markup: Markup) -> int:
    """How many columns a text takes; wide characters take two."""
    if isinstance(markup, str):
        return len(markup) if markup.isascii() else int(urwid.calc_width(markup, 0, len(markup)))
    return sum(columns_of(text) for _attribute, text in segments(markup))


def ends(left: Markup, right: Markup, columns: int, style: str | None = None) -> Part:
    """One row with something at each end; the right end is never cut."""
    room = columns - columns_of(right) - 1
    both = [*fitted(left, room), " ", right]
    return Text(tuple(segments(both)), "clip", style=style)


def rule(title: str, columns: int, signs: Signs, end: str = "", style: str = "rule") -> Part:
    """A horizontal line with a title in it, and something at its end that is never cut."""
    last = f" {end} {signs.line}" if end else ""
    start: list[Markup] = []
    if title:
        start = [("rule", f"{signs.line} "), (style, title), ("rule", " ")]
    room = columns - columns_of(last)
    first = [*start, ("rule", signs.line * max(0, room - columns_of(start)))]
    return Text(tuple(segments([*fitted(first, room), (style, last)])), "clip")


@lru_cache(maxsize=TEXTS_KEPT)
def wrapped(text: str, columns: int) -> tuple[str, ...]:
    """The rows of a paragraph in so many columns."""
    return tuple(row.decode().rstrip() for row in urwid.Text(text).render((columns,)).text)


def height(parts: Sequence[Part], columns: int) -> int:
    """How many rows the parts take on top of each other."""
    return sum(len(part.rows(columns)) for part in parts)


@dataclass(frozen=True, slots=True)
class Typed:
    """A line that is being written."""

    edit: urwid.Widget

    def rows(self, columns: int) -> tuple[Row, ...]:
        """Set it in so many columns."""
        return tuple(tuple(row) for row in self._canvas(columns).content())

    def cursor(self, columns: int) -> Cursor:
        """Where the next letter will be."""
        cursor: Cursor = self._canvas(columns).cursor
        return cursor

    def _canvas(self, columns: int) -> urwid.Canvas:
        return self.edit.render((columns,), focus=True)


# --- whole screens --------------------------------------------------------------------------------


def _blank(columns: int) -> Row:
    return ((None, None, b" " * columns),)


def _exactly(found: Sequence[Row], columns: int, rows: int) -> tuple[Row, ...]:
    """So many rows: the first ones, or filled with blanks."""
    return (*found[:rows], *[_blank(columns)] * (rows - len(found)))


@dataclass(frozen=True, slots=True)
class Page:
    """Parts from the top and parts to the lower edge; `filling` takes the rows between.

    Where there are too few rows it is the upper parts that are cut.
    """

    parts: Sequence[Part]
    filling: Box | None = None
    below: Sequence[Part] = ()

    def fill(self, columns: int, rows: int) -> tuple[Row, ...]:
        """Draw exactly so many rows."""
        upper, lower = _stacked(self.parts, columns), _stacked(self.below, columns)[:rows]
        room = rows - len(lower)
        if self.filling is not None and room > len(upper):
            upper = (*upper, *self.filling.fill(columns, room - len(upper)))
        return (*_exactly(upper, columns, room), *lower)

    def cursor_in(self, columns: int, rows: int) -> Cursor:
        """Only what is at the lower edge can have a cursor."""
        at = rows - height(self.below, columns)
        for part in self.below:
            if found := part.cursor(columns):
                return found[0], at + found[1]
            at += len(part.rows(columns))
        return None


def _stacked(parts: Sequence[Part], columns: int) -> tuple[Row, ...]:
    return tuple(row for part in parts for row in part.rows(columns))


@dataclass(frozen=True, slots=True)
class Beside:
    """Two boxes beside each other; the right one has a fixed width."""

    left: Box
    right: Box
    right_columns: int
    gap: int = 1

    def fill(self, columns: int, rows: int) -> tuple[Row, ...]:
        """Draw exactly so many rows."""
        left_columns = columns - self.right_columns - self.gap
        left = self.left.fill(left_columns, rows)
        right = self.right.fill(self.right_columns, rows)
        between = _blank(self.gap)
        return tuple((*one, *between, *other) for one, other in zip(left, right, strict=True))

    def cursor_in(self, columns: int, rows: int) -> Cursor:  # noqa: ARG002
        """Nothing is written in columns."""
        return None


class Log(Generic[Entry]):
    """The last rows of what has happened; `scroll` rows of it are below the lower edge."""

    def __init__(
        self, entries: Sequence[Entry], draw: Callable[[Entry], Part], scroll: int = 0
    ) -> None:
        """Show these entries, the last one at the lower edge."""
        self._entries = entries
        self._draw = draw
        self._scroll = scroll

    def fill(self, columns: int, rows: int) -> tuple[Row, ...]:
        """Draw from the last entry upwards, no more than is seen."""
        wanted = rows + self._scroll
        found: list[tuple[Row, ...]] = []
        have = 0
        for entry in reversed(self._entries):
            found.append(self._draw(entry).rows(columns))
            have += len(found[-1])
            if have >= wanted:
                break
        whole = [row for each in reversed(found) for row in each]
        hidden = min(self._scroll, max(0, have - rows))
        seen = whole[max(0, have - hidden - rows) : have - hidden]
        return _exactly(seen, columns, rows)

    def cursor_in(self, columns: int, rows: int) -> Cursor:  # noqa: ARG002
        """Nothing is written in it."""
        return None


def too_small(columns: int, rows: int, told: str) -> Box:
    """What a terminal shows that has no room for a game."""
    parts = [centred(("strong", told)), line(""), centred(f"({columns} x {rows})")]
    above = (rows - height(parts, columns)) // 2
    return Page([*[line("")] * above, *parts])


class Picture(urwid.Canvas):
    """A drawn screen, as urwid paints it."""

    def __init__(self, box: Box, size: tuple[int, int]) -> None:
        """Draw the box in this size."""
        super().__init__()
        self._size = size
        self._drawn = box.fill(*size)
        self.cursor = box.cursor_in(*size)

    def cols(self) -> int:
        """Its columns."""
        return self._size[0]

    def rows(self) -> int:
        """Its rows."""
        return self._size[1]

    def content(self, *_part: Any, **_parts: Any) -> Iterator[Any]:
        """Yield all rows; it is never shown in part."""
        yield from (list(row) for row in self._drawn)


def box(size: Size) -> tuple[int, int]:
    """Columns and rows of a box."""
    if len(size) != 2:
        raise ValueError(f"a box has columns and rows, not {size}")
    return size
