"""Colours and signs. Colours never say anything that words or signs do not say as well."""

import os
from typing import Final

import urwid

NO_COLOUR_VARIABLE: Final = "NO_COLOR"
"""https://no-color.org: set and not empty, no colours are used."""

_PALETTE: Final = (
    # name, foreground, background, in one colour
    ("title", "white,bold", "dark blue", "standout"),
    ("alert", "white,bold", "dark red", "standout"),
    ("rule", "dark cyan", "default", "default"),
    ("key", "yellow,bold", "default", "bold"),
    ("off", "dark gray", "default", "default"),
    ("strong", "white,bold", "default", "bold"),
    ("turn", "light green,bold", "default", "bold"),
    ("wait", "yellow", "default", "bold"),
    ("hand", "light cyan,bold", "default", "bold"),
    ("gone", "dark gray", "default", "default"),
    ("good", "light green", "default", "default"),
    ("bad", "light red", "default", "default"),
    ("talk", "light magenta", "default", "default"),
    ("dim", "dark gray", "default", "default"),
)


def palette() -> list[tuple[str, str, str, str]]:
    """Return urwid's palette; on a light and on a dark terminal alike the usual text is default."""
    return list(_PALETTE)


def colours() -> int:
    """How many colours are used: 16, or 1 for a user who wants none."""
    return 1 if os.environ.get(NO_COLOUR_VARIABLE) else 16


class Signs:
    """Signs that every UTF-8 terminal has, with others for terminals that are not."""

    def __init__(self, *, unicode: bool | None = None) -> None:
        """Choose the signs for the terminal's encoding."""
        if unicode is None:
            unicode = urwid.util.get_encoding() == "utf-8"
        self.turn = "▶" if unicode else ">"
        self.line = "─" if unicode else "-"
        self.proven = "✓" if unicode else "+"
        self.caught = "✗" if unicode else "x"
        self.dot = "·" if unicode else "-"
        self.more = "…" if unicode else "..."
        self.star = "★" if unicode else "*"
        self.corners = "┌┐└┘│" if unicode else "++++|"
