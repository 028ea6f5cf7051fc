"""The table file: which game, who sits where, and how each is reached (TOML).

::

    game = "friday evening, game 1"     # new for every game
    edition = "base"
    options = "standard"                # may be left out; other options: SPEC 11.10
    decide_seconds = 45                 # for a decision; all three may be left out
    answer_seconds = 20                 # for a sealed answer
    grace_seconds = 120                 # then the others may go on without a silent seat
    games = 1                           # may be left out; more: a match (R7)

    [[seats]]
    name = "Ash"
    peer = "…"                          # from: p2pcoup identity show
    address = "192.168.1.10:7700"

Everything but the addresses and the number of games is part of what all players sign; it must be
the same in everybody's file, or they are at different tables. Later games of a match are named by
what all sign as well, but how many there are to be is only what these players intend.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from p2pcoup.net import Address, parse_address
from p2pcoup.node.errors import NodeError
from p2pcoup.node.limits import MAX_GAMES
from p2pcoup.rules import RulesError, parse_options
from p2pcoup.table import Member, Terms, TermsError, Times, edition_named
from p2pcoup.wire import PeerId, clean_name, parse_peer_id

MAX_TABLE_FILE_BYTES = 65_536  # six seats need under 1 KiB; a mistaken file is refused early

_TIMES = {"decide": "decide_seconds", "answer": "answer_seconds", "grace": "grace_seconds"}
_KEYS = {"game", "edition", "options", "games", "seats", *_TIMES.values()}
# A string that does not end takes the rest of its line: so every quote is looked at once.
_STRING_OR_COMMENT = re.compile(r'"(?:[^"\\\n]|\\[^\n]?)*+"?|\'[^\'\n]*+\'?|#[^\n]*+')


class TableFileError(NodeError):
    """The table file cannot be used; the message says where and why."""


@dataclass(frozen=True, slots=True)
class TableFile:
    """A table file: the signed terms of the first game and, beside them, an address for each peer
    and how many games there are to be.
    """

    terms: Terms
    addresses: Mapping[PeerId, Address]
    games: int = 1


def later_text(first: str, number: int) -> str:
    """The text of a later game of a match, by that of the first one."""
    return f"{first} (game {number})"


def read_table_file(path: Path) -> TableFile:
    """Read and check a table file. Raises TableFileError with the file's name in front."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_TABLE_FILE_BYTES + 1)
        if len(data) > MAX_TABLE_FILE_BYTES:
            raise TableFileError(f"it is over {MAX_TABLE_FILE_BYTES} bytes long.")
        return parse_table_file(data.decode("utf-8-sig"))  # some editors put a mark in front
    except OSError as error:
        raise TableFileError(f"{path}: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise TableFileError(f"{path}: it is not a text file in UTF-8.") from error
    except TableFileError as error:
        raise TableFileError(f"{path}: {error}") from error


def parse_table_file(text: str) -> TableFile:
    """Read a table file's text. Raises TableFileError."""
    _refuse_dots(text)
    try:
        table = tomllib.loads(text)
    except ValueError as error:  # also for a number that Python finds too long
        raise TableFileError(f"it is not valid TOML: {error}.") from error
    except RecursionError as error:
        raise TableFileError("it is not valid TOML: it is nested too deeply.") from error
    _no_other_keys("the table", table, _KEYS)
    seats = table.get("seats")
    if not isinstance(seats, list) or not seats:
        raise TableFileError("there is no [[seats]] entry; every player needs one.")
    members, addresses = [], {}
    for number, seat in enumerate(seats):
        member, address = _read_seat(f"seat {number}", seat)
        members.append(member)
        addresses[member.peer] = address
    game, edition = (_text("the table", table, key) for key in ("game", "edition"))
    options = _text("the table", table, "options") if "options" in table else "standard"
    games = _games(table)
    try:
        terms = Terms(
            game, edition_named(edition), tuple(members), parse_options(options), _times(table)
        )
        if games > 1:
            replace(terms, game=later_text(game, games))  # refused now, not between two games
    except (TermsError, RulesError) as error:
        raise TableFileError(str(error)) from error
    return TableFile(terms, addresses, games)


def _refuse_dots(text: str) -> None:
    """Refuse dotted keys, and strings of several lines, in which they could hide: tomllib takes
    half a minute for 64 KiB of `a.a.a.a`, and people send each other table files.
    """
    if '"""' in text or "'''" in text:
        raise TableFileError("it has a string of several lines; every entry has one.")
    for number, line in enumerate(_STRING_OR_COMMENT.sub("", text).split("\n"), 1):
        if "." in line:
            raise TableFileError(
                f"line {number} has a point outside of quotes; no entry has one in its name, and "
                "numbers are whole."
            )


def _times(table: Mapping[str, object]) -> Times:
    """The times the table file names; the usual ones for those it does not."""
    given = {name: table[key] for name, key in _TIMES.items() if key in table}
    for name, value in given.items():
        if type(value) is not int:
            raise TableFileError(f"{_TIMES[name]} must be a whole number, not {value!a}.")
    return Times(**given)  # type: ignore[arg-type]


def _games(table: Mapping[str, object]) -> int:
    games = table.get("games", 1)
    if isinstance(games, bool) or not isinstance(games, int) or not 1 <= games <= MAX_GAMES:
        raise TableFileError(f"games must be a number from 1 to {MAX_GAMES}, not {games!a}.")
    return games


def _read_seat(where: str, seat: object) -> tuple[Member, Address]:
    if not isinstance(seat, dict):
        raise TableFileError(f"{where} must be a [[seats]] section.")
    _no_other_keys(where, seat, {"name", "peer", "address"})
    try:
        name = clean_name(_text(where, seat, "name"))
        peer = parse_peer_id(_text(where, seat, "peer"))
        address = parse_address(_text(where, seat, "address"))
    except TableFileError:
        raise
    except ValueError as error:
        raise TableFileError(f"{where}: {error}") from error
    if address.port == 0:
        raise TableFileError(f"{where}: {address} is no place to reach anybody; name a port.")
    return Member(peer, name), address


def _text(where: str, table: Mapping[str, object], key: str) -> str:
    value = table.get(key)
    if not isinstance(value, str):
        raise TableFileError(f'{where} needs a line {key} = "…".')
    return value


def _no_other_keys(where: str, table: Mapping[str, object], known: set[str]) -> None:
    if unknown := sorted(set(table) - known):
        raise TableFileError(
            f"{where} has an unknown entry {unknown[0]!r}; known: {', '.join(sorted(known))}."
        )
