"""The commands with which one goes to a table that there is: to sit down, to watch, to play on.

Each starts a node of its own and shows it; the node is the one that plays (`p2pcoup node`).
"""

from typing import Any

import click

from p2pcoup.cli.pace import pace_option
from p2pcoup.cli.window import load, show, window_options


@click.command()
@click.argument("invite", required=False)
@window_options
def join(invite: str | None, **given: Any) -> None:
    """Sit down at a table: by its invite, or one in the local network.

    \b
        p2pcoup join --name Birch
        p2pcoup join 'coup://192.168.1.10:7700#AAAAAAA-…'

    Exit status: 0 you ended it or everything is played; 1 it did not work, and why is said.
    """
    from p2pcoup.cli.finding import chosen_invite

    show(["--join", chosen_invite(invite, to_sit=True, meanwhile=lambda: load(given))], given)


@click.command()
@click.argument("invite", required=False)
@window_options
def watch(invite: str | None, **given: Any) -> None:
    """Watch a table, before its game or in the middle of it.

    \b
        p2pcoup watch
        p2pcoup watch 'coup://192.168.1.10:7700#AAAAAAA-…'

    Exit status: 0 you ended it or everything is played; 1 it did not work, and why is said.
    """
    from p2pcoup.cli.finding import chosen_invite

    show(["--watch", chosen_invite(invite, to_sit=False, meanwhile=lambda: load(given))], given)


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
