"""The client as a whole: which way of showing, which node."""

import os
import sys
from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from typing import Final, assert_never

import trio

from p2pcoup.ui import words
from p2pcoup.ui.child import child
from p2pcoup.ui.connection import Connection
from p2pcoup.ui.lines import run_lines, run_through

FAILED: Final = 1


class Mode(Enum):
    """How the game is shown."""

    SCREEN = "screen"
    PLAIN = "plain"
    JSON = "json"
    """The API's own lines, unchanged."""


def chosen_mode(*, plain: bool = False, as_json: bool = False) -> Mode:
    """The way that was asked for, else the full screen where there is one."""
    if as_json:
        return Mode.JSON
    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    dumb = os.environ.get("TERM", "") in ("", "dumb")
    if plain or not terminal or dumb or sys.platform == "win32":
        return Mode.PLAIN
    return Mode.SCREEN


async def run_client(
    node_command: Sequence[str] | None,
    mode: Mode,
    lang: str | None = None,
    *,
    api_file: Path | None = None,
) -> int:
    """Show a game until the user ends it or it is over, and return the exit status.

    Args:
        node_command: starts a node that speaks the API on its standard streams; None: attach to the
            node that has written `api_file`. A node that was started ends with the client.
        mode: how it is shown.
        lang: the language; None: that of the locale.
    """
    words.speak(lang)
    connection, stays = _connect(node_command, api_file)
    match mode:
        case Mode.SCREEN:
            from p2pcoup.ui.screen import run_screen  # urwid is only loaded where it is used

            told = await run_screen(connection, stays=stays)
        case Mode.PLAIN:
            told = await run_lines(connection, stays=stays)
        case Mode.JSON:
            told = await run_through(connection)
        case _:
            assert_never(mode)
    if told:
        sys.stderr.write(f"{told}\n")
    return FAILED if told else 0


def _connect(node_command: Sequence[str] | None, api_file: Path | None) -> tuple[Connection, bool]:
    """The connection, and whether the node plays on without us."""
    if node_command is not None:
        return child(node_command), False
    if api_file is None:
        raise ValueError("a client needs the command of a node or the file of a running one")
    from p2pcoup.ui.websocket import attached

    return attached(api_file), True


def run(
    node_command: Sequence[str] | None,
    mode: Mode,
    lang: str | None = None,
    *,
    api_file: Path | None = None,
) -> int:
    """`run_client` for a command of the command line."""

    async def main() -> int:
        return await run_client(node_command, mode, lang, api_file=api_file)

    return trio.run(main)
