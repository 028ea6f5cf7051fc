"""Text from elsewhere, made safe for a terminal.

A node checks names before it shows them (SPEC 3.6), and talk as well. A client does not rely on
it: whatever is to be shown passes through here, because one escape sequence would be enough to
paint another player's coins.
"""

import unicodedata
from typing import Final

MAX_SHOWN: Final = 2000
"""Characters of one text; no text of a game is nearly as long."""

MAX_MARKS: Final = 3
"""Combining marks in a row (SPEC 3.6); more would cover the lines above and below."""

_BLANKS: Final = frozenset({"Zs", "Zl", "Zp"})


def clean(text: str) -> str:
    """Return the text without what a terminal would obey or hide instead of showing it.

    Line ends and other blanks become single spaces. Controls, marks of direction, invisible and
    private characters and surrogates (all general categories C) are dropped.
    """
    shown: list[str] = []
    marks = 0
    for character in text[:MAX_SHOWN]:
        category = unicodedata.category(character)
        if category in _BLANKS or character in "\t\n\r\v\f":
            shown.append(" ")
            marks = 0
            continue
        if category.startswith("C"):
            continue
        marks = marks + 1 if category.startswith("M") else 0
        if marks <= MAX_MARKS:
            shown.append(character)
    return " ".join("".join(shown).split())
