"""What the commands have in common that start a node and show it.

This program is the window alone; it knows the node's local API and nothing of the game.
"""

import secrets
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from p2pcoup.node.folder import NAME_FILE, home_folder

if TYPE_CHECKING:
    from p2pcoup.ui.run import Mode

Command = TypeVar("Command", bound=Callable[..., Any])


def window_options(command: Command) -> Command:
    """Add the options that say who plays and how it is shown."""
    for option in (
        click.option("--lang", metavar="LANGUAGE", help="de, en, fr, it, ko; else your system's."),
        click.option("--json", "as_json", is_flag=True, help="The API's own messages, one a line."),
        click.option("--plain", is_flag=True, help="Lines instead of the full screen."),
        click.option("--name", help="What you want to be called; it is remembered."),
    ):
        command = option(command)
    return command


def show(options: Sequence[str], given: dict[str, Any]) -> None:
    """Start a node with these options and show it until the user ends it."""
    from p2pcoup.ui.run import run

    session = ["--session", secrets.token_hex(8), "--api", "stdio", "--end-with-input"]
    node = [sys.executable, "-m", "p2pcoup", "node", *options, *_name(given["name"]), *session]
    sys.exit(run(node, load(given), given["lang"]))


def load(given: dict[str, Any]) -> "Mode":
    """Load what will show the game; the way it is shown."""
    from p2pcoup.ui.run import Mode, chosen_mode

    mode = chosen_mode(plain=given["plain"], as_json=given["as_json"])
    if mode is Mode.SCREEN:
        import p2pcoup.ui.screen  # noqa: F401
    return mode


def _called(text: str) -> str:
    """What was typed as a name, if it can be one. Raises UsageError, and it is asked again."""
    from p2pcoup.wire import WireError, clean_name

    try:
        return clean_name(text)
    except WireError as error:
        raise click.UsageError(str(error)) from error


def _name(name: str | None) -> list[str]:
    """The option with the user's name, who is asked for it if it is not known yet and somebody is
    there to ask; nothing if the node finds it remembered. Raises BadParameter or HomeError.
    """
    home = home_folder()
    if name is None and (home / NAME_FILE).exists():
        return []
    from p2pcoup.cli.names import own_name  # only where there is a new name to be looked at

    if name is None and sys.stdin.isatty():
        name = click.prompt("What do you want to be called?", prompt_suffix=" ", value_proc=_called)
    return ["--name", own_name(home, name)]
