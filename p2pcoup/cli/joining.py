"""The commands with which one goes to a table that there is: to sit down, to watch, to play on.

Each starts a node of its own and shows it; the node is the one that plays (`p2pcoup node`).
"""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from p2pcoup.cli.pace import pace_option
from p2pcoup.cli.window import load, show, window_options

Command = TypeVar("Command", bound=Callable[..., Any])


def looking_options(command: Command) -> Command:
    """Add the options that say where tables are looked for; for trying things out."""
    for option in (
        click.option("--service", hidden=True),
        click.option("--interface", "interfaces", multiple=True, hidden=True),
    ):
        command = option(command)
    return command


@click.command()
@click.argument("invite", required=False)
@looking_options
@window_options
def join(
    invite: str | None, service: str | None, interfaces: tuple[str, ...], **given: Any
) -> None:
    """Sit down at a table: by its invite, or one in the local network.

    \b
        p2pcoup join --name Birch
        p2pcoup join 'coup://192.168.1.10:7700#AAAAAAA-…'

    Of a table in the network it is said whether you have met whoever opened it. If the name is one
    you have met, but with another key, you are asked before you sit down.

    Exit status: 0 you ended it or everything is played; 1 it did not work, and why is said.
    """
    from p2pcoup.cli.finding import Where, chosen_invite

    where = Where(service, interfaces)
    there = chosen_invite(invite, True, meanwhile=lambda: load(given), where=where)
    show(["--join", there], given)


@click.command()
@click.argument("invite", required=False)
@looking_options
@window_options
def watch(
    invite: str | None, service: str | None, interfaces: tuple[str, ...], **given: Any
) -> None:
    """Watch a table, before its game or in the middle of it.

    \b
        p2pcoup watch
        p2pcoup watch 'coup://192.168.1.10:7700#AAAAAAA-…'

    Exit status: 0 you ended it or everything is played; 1 it did not work, and why is said.
    """
    from p2pcoup.cli.finding import Where, chosen_invite

    where = Where(service, interfaces)
    there = chosen_invite(invite, False, meanwhile=lambda: load(given), where=where)
    show(["--watch", there], given)


@click.command()
@pace_option
@window_options
def resume(pace: float, **given: Any) -> None:
    """Play on where you left the last table: after a crash, or after you stopped.

    \b
        p2pcoup resume

    Exit status: 0 you ended it or everything is played; 1 it did not work, and why is said.
    """
    show(["--play-on", "--pace", str(pace)], given)
