"""Small parts of a screen: lines, rules, rows of cells, and the log."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, Generic, Literal, TypeVar

import urwid

from p2pcoup.ui.screen.theme import Signs

Markup = str | tuple[str | None, Any] | list[Any]
"""Text with attributes, as urwid writes it."""

Entry = TypeVar("Entry")

MIN_COLUMNS: Final = 80
MIN_ROWS: Final = 24


Size = tuple[()] | tuple[int] | tuple[int, int]
"""As urwid types the size of any widget; a box has columns and rows."""


def line(markup: Markup, align: Literal["left", "center", "right"] = "left") -> urwid.Widget:
    """One row; what does not fit ends in an ellipsis."""
    return urwid.Text(markup, align=align, wrap="ellipsis")


def prose(markup: Markup) -> urwid.Widget:
    """As many rows as the text needs, broken between words."""
    return urwid.Text(markup, wrap="space")


def cells(row: Sequence[tuple[int, Markup]], rest: Markup = "") -> urwid.Widget:
    """A row of cells with fixed widths; `rest` takes what is left.

    It is one text, because a screen has a hundred cells and urwid's columns are not cheap.
    """
    parts = [part for width, markup in row for part in fitted(markup, width)]
    return urwid.Text([*parts, rest], wrap="ellipsis")


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


def segments(markup: Markup, attribute: str | None = None) -> Iterator[tuple[str | None, str]]:
    """The parts of a text with their attributes."""
    if isinstance(markup, str):
        yield attribute, markup
    elif isinstance(markup, tuple):
        yield from segments(markup[1], markup[0])
    else:
        for part in markup:
            yield from segments(part, attribute)


def columns_of(markup: Markup) -> int:
    """How many columns a text takes; wide characters take two."""
    if isinstance(markup, str):
        return int(urwid.calc_width(markup, 0, len(markup)))
    return sum(columns_of(text) for _attribute, text in segments(markup))


def ends(left: Markup, right: Markup, columns: int) -> urwid.Widget:
    """One row with something at each end; the right end is never cut."""
    room = columns - columns_of(right) - 1
    return urwid.Text([*fitted(left, room), " ", right], wrap="clip")


def rule(
    title: str, columns: int, signs: Signs, end: str = "", style: str = "rule"
) -> urwid.Widget:
    """A horizontal line with a title in it, and something at its end that is never cut."""
    last = f" {end} {signs.line}" if end else ""
    start: list[Markup] = []
    if title:
        start = [("rule", f"{signs.line} "), (style, title), ("rule", " ")]
    room = columns - columns_of(last)
    first = [*start, ("rule", signs.line * max(0, room - columns_of(start)))]
    return urwid.Text([*fitted(first, room), (style, last)], wrap="clip")


def wrapped(text: str, columns: int) -> list[str]:
    """The rows of a paragraph in so many columns."""
    return [row.decode().rstrip() for row in prose(text).render((columns,)).text]


def height(widgets: Sequence[urwid.Widget], columns: int) -> int:
    """How many rows the parts take on top of each other."""
    return sum(widget.render((columns,)).rows() for widget in widgets)


def page(parts: Sequence[urwid.Widget], filling: urwid.Widget | None = None) -> urwid.Widget:
    """Parts from the top; `filling`, a box, takes the rows that are left."""
    items: list[Any] = [("pack", part) for part in parts]
    items.append(filling if filling is not None else urwid.SolidFill(" "))
    return urwid.Pile(items)


def box(size: Size) -> tuple[int, int]:
    """Columns and rows of a box."""
    if len(size) != 2:
        raise ValueError(f"a box has columns and rows, not {size}")
    return size


class Log(urwid.Widget, Generic[Entry]):
    """The last rows of what has happened; `scroll` rows of it are below the lower edge."""

    _sizing = frozenset([urwid.BOX])
    _selectable = False

    def __init__(
        self, entries: Sequence[Entry], draw: Callable[[Entry, int], urwid.Canvas], scroll: int = 0
    ) -> None:
        """Show these entries, the last one at the lower edge. `draw` gives one in some columns."""
        super().__init__()
        self._entries = entries
        self._draw = draw
        self._scroll = scroll

    def render(self, size: Size, focus: bool = False) -> urwid.Canvas:  # noqa: ARG002
        """Draw from the last entry upwards, no more than is seen."""
        columns, rows = box(size)
        wanted = rows + self._scroll
        found: list[urwid.Canvas] = []
        have = 0
        for entry in reversed(self._entries):
            canvas = self._draw(entry, columns)
            found.append(canvas)
            have += canvas.rows()
            if have >= wanted:
                break
        if not found:
            return urwid.SolidCanvas(" ", columns, rows)
        whole = urwid.CanvasCombine([(canvas, None, False) for canvas in reversed(found)])
        hidden = min(self._scroll, max(0, have - rows))
        if hidden:
            whole.trim_end(hidden)
        if whole.rows() > rows:
            whole.trim(whole.rows() - rows)
        if whole.rows() < rows:
            whole.pad_trim_top_bottom(0, rows - whole.rows())
        return whole


def too_small(columns: int, rows: int, told: str) -> urwid.Widget:
    """What a terminal shows that has no room for a game."""
    size = f"{columns} x {rows}"
    return urwid.Filler(urwid.Text([("strong", told), f"\n({size})"], align="center"))
