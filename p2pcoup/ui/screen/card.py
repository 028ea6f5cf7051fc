"""The reference card and the keys, on a page of their own or beside a large game."""

from collections.abc import Sequence
from typing import Final

from p2pcoup.ui.reference import Card, Table
from p2pcoup.ui.screen.frame import Frame
from p2pcoup.ui.screen.table import claim_legend
from p2pcoup.ui.screen.widgets import (
    Box,
    Markup,
    Page,
    Part,
    cells,
    columns_of,
    line,
    rule,
    wrapped,
)
from p2pcoup.ui.words import _

KEY_COLUMNS: Final = 14


def card_lines(frame: Frame, columns: int) -> list[Part]:
    """The reference card, one widget a row; empty while the node has not sent it."""
    card: Card = frame.model.card
    rows: list[Part] = []
    for section in card:
        rows.append(line(("strong", section.title)))
        for each in section.lines:
            if isinstance(each, Table):
                rows += _table(each, columns)
            else:
                rows += [line(f"  {row}") for row in wrapped(each, columns - 2)]
    return rows


def _table(table: Table, columns: int) -> list[Part]:
    widths = [
        max(columns_of(cell) for cell in column) + 2 for column in zip(*table.rows, strict=True)
    ]
    shown: list[Part] = []
    for number, row in enumerate(table.rows):
        style = "dim" if number == 0 and table.heads else ""
        found: list[tuple[int, Markup]] = [(2, "")]
        found += [(width, (style, cell)) for width, cell in zip(widths, row, strict=True)]
        if sum(widths) + 2 > columns:
            found, rest = found[:-1], (style, row[-1])
            shown.append(cells(found, rest))
        else:
            shown.append(cells(found))
    return shown


def key_lines(columns: int) -> list[Part]:
    """What the keys do that are the same everywhere."""
    known: Sequence[tuple[str, str]] = (
        ("a-z 1-9", _("answer the question on the screen; the key stands beside each choice")),
        ("Esc", _("back from choosing a player")),
        ("P", _("pass on everything until you are asked something else; again: stop")),
        ("H", _("hide your hand from people beside you, or show it")),
        ("T Enter", _("talk to the table; M: whose talk is hidden")),
        ("G", _("give up: your cards are turned up and you are out")),
        ("PgUp PgDn", _("look back in what happened; End: back to now")),
        ("Q", _("quit")),
    )
    shown: list[Part] = []
    for key, text in known:
        for number, row in enumerate(wrapped(text, columns - KEY_COLUMNS - 2)):
            first: Markup = ("key", key if number == 0 else "")
            shown.append(cells([(2, ""), (KEY_COLUMNS, first)], row))
    return shown


def card_screen(frame: Frame) -> Box:
    """Draw the reference card with the keys below it."""
    columns = frame.columns
    rows = card_lines(frame, columns)
    if not rows:
        rows = [line(_("The rules are not here yet; `p2pcoup rules` prints them."))]
    rows += [rule(_("Keys"), columns, frame.signs), *key_lines(columns)]
    rows += [cells([(2, ""), (KEY_COLUMNS, _("Claims"))], claim_legend(frame))]
    room = frame.rows - 2
    start = min(frame.keys.card_scroll, max(0, len(rows) - room))
    foot = _("Any key goes back to the game.")
    if len(rows) > room:
        foot = _("Arrows and PgUp, PgDn show the rest; any other key goes back.")
    asked = frame.model.question is not None  # its time runs on
    title = frame.title(_("The rules on one card"), frame.timer() if asked else _("help"))
    return Page([title, *rows[start : start + room]], below=[line(("wait", foot))])
