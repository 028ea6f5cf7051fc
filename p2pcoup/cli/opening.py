"""The commands with which a table is opened: for others, or to play alone.

Each starts a node of its own and shows it; the node is the one that plays (`p2pcoup node`).
"""

import socket
from typing import Any

import click

from p2pcoup.cli.pace import pace_option
from p2pcoup.cli.table_options import chosen_seats, chosen_times, table_options
from p2pcoup.cli.window import show, window_options

PORT = 7700  # the same every time if it is free: for a firewall, or an invite that is typed
NO_HURRY = "600,300,120"  # the times of somebody who plays alone and holds up nobody


@click.command()
@click.option("--table", metavar="NAME", help="What the table is called.")
@click.option("--bots", type=click.IntRange(0, 9), default=0, help="How many bots sit down.")
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    help=f"Listen at this port.  [default: {PORT} if it is free]",
)
@click.option(
    "--announce/--no-announce", default=True, show_default=True, help="Tell the local network."
)
@pace_option
@table_options
@window_options
def host(
    table: str | None, bots: int, port: int | None, announce: bool, pace: float, **given: Any
) -> None:
    """Open a table and wait for others to sit down.

    The others find it with p2pcoup join, or you give them the invite that is shown. You start the
    game when all are ready; after that nobody is special.

    \b
        p2pcoup host --name Ash
        p2pcoup host --table "friday evening" --seats 4 --bots 1 --edition inquisitor

    Exit status: 0 you ended it or everything is played; 1 it did not work, and why is said.
    """
    command = ["--host", "--bots", str(bots), "--listen", f"0.0.0.0:{_port(port)}"]
    command += [] if table is None else ["--table-name", table]
    command += [*_table(given), "--pace", str(pace)]
    show([*command, "--announce" if announce else "--no-announce"], given)


@click.command()
@click.option(
    "--bots", type=click.IntRange(1, 9), default=3, show_default=True, help="How many bots."
)
@pace_option
@table_options
@window_options
def play(bots: int, pace: float, **given: Any) -> None:
    """Play alone against bots, at once.

    Each bot is a program of its own with its own key, as another player's would be. Nobody waits
    for you, so without --times you have ten minutes for a decision.

    \b
        p2pcoup play
        p2pcoup play --bots 1 --setup set-of-five

    Exit status: 0 you ended it or everything is played; 1 it did not work, and why is said.
    """
    given["seats"] = given["seats"] or bots + 1
    given["times"] = given["times"] or NO_HURRY
    alone = ["--bots", str(bots), "--start-when", str(bots + 1), "--listen", "127.0.0.1:0"]
    show(["--host", *alone, *_table(given), "--pace", str(pace)], given)


# --- small parts ----------------------------------------------------------------------------------


def _table(given: dict[str, Any]) -> list[str]:
    """The options of `table_options`, for the node; wrong ones are refused here."""
    chosen_seats(*(given[name] for name in ("seats", "edition", "setup", "options")))
    if given["times"] is not None:
        chosen_times(given["times"])
    names = ("seats", "games", "times", "edition", "setup", "options")
    chosen = [(name, given[name]) for name in names if given[name] is not None]
    return [text for name, value in chosen for text in (f"--{name}", str(value))]


def _port(port: int | None) -> int:
    """The port to listen at: the one wanted, else the usual one if it is free."""
    if port is not None:
        return port
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("0.0.0.0", PORT))  # noqa: S104 - as the node will
        except OSError:
            return 0
    return PORT
