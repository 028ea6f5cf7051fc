"""Which screen is shown: it follows from the model, the keyboard and the size alone."""

import urwid

from p2pcoup.ui.keys import Keys, Page
from p2pcoup.ui.model import Link, Model
from p2pcoup.ui.screen.card import card_screen
from p2pcoup.ui.screen.ending import ended_screen, over_screen
from p2pcoup.ui.screen.frame import Frame
from p2pcoup.ui.screen.game import game_screen
from p2pcoup.ui.screen.lobby import invite_screen, lobby_screen
from p2pcoup.ui.screen.widgets import MIN_COLUMNS, MIN_ROWS, Box, too_small
from p2pcoup.ui.words import _, fill


def compose(
    model: Model,
    keys: Keys,
    size: tuple[int, int],
    now: float,
    talk: urwid.Widget | None = None,
) -> Box:
    """Return the whole screen as one box. `talk` is the line being written, if one is."""
    columns, rows = size
    if columns < MIN_COLUMNS or rows < MIN_ROWS:
        told = _("Please make this window larger: {columns} columns and {rows} rows are needed.")
        wanted = {"columns": str(MIN_COLUMNS), "rows": str(MIN_ROWS)}
        return too_small(columns, rows, fill(told, wanted))
    frame = Frame(model, keys, columns, rows, now, talk)
    if keys.page is Page.CARD:
        return card_screen(frame)
    if keys.page is Page.INVITE and model.lobby is not None:
        return invite_screen(frame, model.lobby)
    match model.state.phase:
        case "lobby" if model.lobby is not None:
            return lobby_screen(frame, model.lobby)
        case "game" if model.game is not None:
            return game_screen(frame, model.game)
        case "over" | "ended" if model.game is not None and model.game.outcome is not None:
            return over_screen(frame, model.game)
        case _ if model.state.phase == "ended" or model.link is Link.GONE:
            return ended_screen(frame)
        case _:
            return ended_screen(frame, _("Waiting for the node to start …"))
