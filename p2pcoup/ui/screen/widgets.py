"""Small parts of a screen: lines, rules, rows of cells, and the log."""

from collections.abc import Sequence
from typing import Any, Final, Literal

import urwid

from p2pcoup.ui.screen.theme import Signs

Markup = str | tuple[str, Any] | list[Any]
"""Text with attributes, as urwid writes it."""

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


def cells(row: Sequence[tuple[int, Markup]], rest: Markup | None = None) -> urwid.Widget:
    """A row of cells with fixed widths; `rest` takes what is left."""
    parts: list[Any] = [(width, line(markup)) for width, markup in row]
    if rest is not None:
        parts.append(line(rest))
    return urwid.Columns(parts)


def ends(left: Markup, right: Markup) -> urwid.Widget:
    """One row with something at each end; the right end is never cut."""
    width = columns_of(right)
    return urwid.Columns([line(left), (width, line(right, "right"))], dividechars=1)


def columns_of(markup: Markup) -> int:
    """How many columns a text takes; wide characters take two."""
    text = urwid.util.decompose_tagmarkup(markup)[0]
    return int(urwid.calc_width(text, 0, len(text)))


def rule(
    title: str, columns: int, signs: Signs, end: str = "", style: str = "rule"
) -> urwid.Widget:
    """A horizontal line with a title in it, and something at its end that is never cut."""
    last = f" {end} {signs.line}" if end else ""
    start = [("rule", f"{signs.line} "), (style, title), ("rule", " ")] if title else []
    room = columns - columns_of(last)
    first = [*start, ("rule", signs.line * max(0, room - columns_of(start or "")))]
    width = columns_of(last)
    left = urwid.Text(first, wrap="ellipsis" if columns_of(first) > room else "clip")
    if not last:
        return left
    return urwid.Columns([left, (width, urwid.Text([(style, last)], wrap="clip"))])


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


class Log(urwid.Widget):
    """The last rows of what has happened; `scroll` rows of it are below the lower edge."""

    _sizing = frozenset([urwid.BOX])
    _selectable = False

    def __init__(self, entries: Sequence[Markup], scroll: int = 0) -> None:
        """Show these entries, the last one at the lower edge."""
        super().__init__()
        self._entries = entries
        self._scroll = scroll

    def render(self, size: Size, focus: bool = False) -> urwid.Canvas:  # noqa: ARG002
        """Draw from the last entry upwards, no more than is seen."""
        columns, rows = box(size)
        wanted = rows + self._scroll
        found: list[urwid.Canvas] = []
        have = 0
        for entry in reversed(self._entries):
            canvas = prose(entry).render((columns,))
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
