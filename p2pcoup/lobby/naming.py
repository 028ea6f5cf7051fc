"""The name of a table in the text of its games, which is ASCII (SPEC 12.5).

A name that is not ASCII is written as in internationalised domain names: `xn--` and its punycode
(RFC 3492). So whoever has the game only, and never saw the lobby, knows what the table is called.
"""

import re
from typing import Final

from p2pcoup.lobby.limits import GAME_RANDOM_BYTES
from p2pcoup.wire import WireError, clean_name

MAX_GAME_NAME: Final = 28
"""Characters of the name in the text; with the random digits and the number of a game they are 64.
A name has at most 24, but one that is not ASCII becomes longer."""

_CODED: Final = "xn--"
_TEXT: Final = re.compile(rf"(?P<name>.+) [0-9a-f]{{{2 * GAME_RANDOM_BYTES}}}( \(game [0-9]+\))?")


def game_text(table: str, chance: bytes) -> str:
    """The text of a game at a table of that name; ``chance`` makes it new."""
    return f"{_in_ascii(table)} {chance.hex()}"


def table_of(game: str) -> str:
    """What the table was called whose game has that text, as far as that fits into it; a text that
    no lobby has made is returned as it is.
    """
    found = _TEXT.fullmatch(game)
    if found is None:
        return game
    written = found["name"]
    if not written.startswith(_CODED):
        return written
    try:
        return clean_name(written.removeprefix(_CODED).encode("ascii").decode("punycode"))
    except (WireError, UnicodeError, ValueError, OverflowError):
        return written


def may_be(table: str, game: str) -> bool:
    """Whether a game with that text may be one of the table of that name."""
    return table_of(game) == table_of(game_text(table, bytes(GAME_RANDOM_BYTES)))


def _in_ascii(table: str) -> str:
    if table.isascii() and not table.startswith(_CODED):
        return table[:MAX_GAME_NAME]
    for length in range(len(table), 0, -1):
        coded = _CODED + table[:length].strip().encode("punycode").decode("ascii")
        if len(coded) <= MAX_GAME_NAME:
            return coded
    raise ValueError(f"{table!a} is no name")
