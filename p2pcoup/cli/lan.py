"""The commands with which people play: open a table, go to one, watch, play alone, play on.

Each starts a node of its own and shows it; the node is the one that plays (`p2pcoup node`).
"""

import contextlib
import secrets
import socket
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
import trio

from p2pcoup.cli.lobby_options import chosen_settings, own_name, table_options
from p2pcoup.cli.program import cli
from p2pcoup.net import Address
from p2pcoup.net.invite import Invite, parse_invite
from p2pcoup.node.home import HomeError, home_folder
from p2pcoup.node.known import KnownPeer, open_known
from p2pcoup.wire import PeerId

if TYPE_CHECKING:  # a node, which comes through here as well, needs neither
    from p2pcoup.net.discovery import Sighting

Command = TypeVar("Command", bound=Callable[..., Any])

PORT = 7700  # the same every time if it is free: for a firewall, or an invite that is typed
LOOK_SECONDS = 3.0  # until it is said that there is no table; most answer within a second
KNOCK_SECONDS = 1.0  # for somebody met before to answer
MOST_ASKED = 8  # of those met before
MORE_SECONDS = 0.4  # after the first table, for others: they answer a question at the same time


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


@cli.command()
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
@table_options
@window_options
def host(table: str | None, bots: int, port: int | None, announce: bool, **given: Any) -> None:
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
    command += _table(given)
    _show([*command, "--announce" if announce else "--no-announce"], given)


@cli.command()
@click.argument("invite", required=False)
@window_options
def join(invite: str | None, **given: Any) -> None:
    """Sit down at a table: by its invite, or at one in the local network.

    \b
        p2pcoup join --name Birch
        p2pcoup join 'coup://192.168.1.10:7700#AAAAAAA-…'

    Exit status: 0 you ended it or everything is played; 1 it did not work, and why is said.
    """
    _show(["--join", _invite(invite, to_sit=True)], given)


@cli.command()
@click.argument("invite", required=False)
@window_options
def watch(invite: str | None, **given: Any) -> None:
    """Watch a table, before its game or in the middle of it.

    \b
        p2pcoup watch
        p2pcoup watch 'coup://192.168.1.10:7700#AAAAAAA-…'

    Exit status: 0 you ended it or everything is played; 1 it did not work, and why is said.
    """
    _show(["--watch", _invite(invite, to_sit=False)], given)


@cli.command()
@click.option(
    "--bots", type=click.IntRange(1, 9), default=3, show_default=True, help="How many bots."
)
@table_options
@window_options
def play(bots: int, **given: Any) -> None:
    """Play alone against bots, at once.

    Each bot is a program of its own with its own key, as another player's would be.

    \b
        p2pcoup play
        p2pcoup play --bots 1 --setup set-of-five

    Exit status: 0 you ended it or everything is played; 1 it did not work, and why is said.
    """
    given["seats"] = given["seats"] or bots + 1
    alone = ["--bots", str(bots), "--start-when", str(bots + 1), "--listen", "127.0.0.1:0"]
    _show(["--host", *alone, *_table(given)], given)


@cli.command()
@window_options
def resume(**given: Any) -> None:
    """Play on where you left the last table: after a crash, or after you stopped.

    \b
        p2pcoup resume

    Exit status: 0 you ended it or everything is played; 1 it did not work, and why is said.
    """
    _show(["--play-on"], given)


# --- small parts ----------------------------------------------------------------------------------


def _show(options: Sequence[str], given: dict[str, Any]) -> None:
    """Start a node with these options and show it until the user ends it."""
    from p2pcoup.ui import chosen_mode, run

    name = _name(given["name"])
    session = ["--session", secrets.token_hex(8), "--api", "stdio", "--end-with-input"]
    node = [sys.executable, "-m", "p2pcoup", "node", *options, "--name", name, *session]
    mode = chosen_mode(plain=given["plain"], as_json=given["as_json"])
    sys.exit(run(node, mode, given["lang"]))


def _name(name: str | None) -> str:
    """The user's name, asked for if it is not known yet and somebody is there to ask."""
    home = home_folder()
    try:
        return own_name(home, name)
    except HomeError:
        if name is not None or not sys.stdin.isatty():
            raise
    asked: str = click.prompt("What do you want to be called?")
    return own_name(home, asked)


def _table(given: dict[str, Any]) -> list[str]:
    """The options of `table_options`, for the node."""
    names = ("seats", "games", "times", "edition", "setup", "options")
    chosen_settings(*(given[name] for name in names))  # refused here, not by the node
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


def _invite(invite: str | None, *, to_sit: bool) -> str:
    """The invite that was given, that of a table in the local network, or else the way to somebody
    we have met before.
    """
    if invite is not None:
        return str(parse_invite(invite))
    tables, why = trio.run(_look, to_sit)
    if not tables:
        known = trio.run(met_before, home_folder())
        if known is None or known.address is None:
            raise click.ClickException(why)
        told = f"No table is announced here. Asking {known.name}, whom you have met, at"
        click.echo(f"{told} {known.address}.", err=True)
        return str(Invite(known.peer, (known.address,)))
    if len(tables) == 1:
        click.echo(f"Found: {_line(tables[0])}", err=True)
        return str(tables[0].invite)
    for number, table in enumerate(tables, 1):
        click.echo(f"{number:>3}  {_line(table)}", err=True)
    if not sys.stdin.isatty():
        raise click.ClickException("There are several tables; name one by its invite.")
    chosen = click.prompt("Which one?", type=click.IntRange(1, len(tables)), err=True)
    return str(tables[chosen - 1].invite)


async def _look(to_sit: bool) -> "tuple[Sequence[Sighting], str]":
    """The tables one can go to; if there is none, why."""
    from p2pcoup.net.discovery import browse

    async with browse() as browser:
        with trio.move_on_after(LOOK_SECONDS):
            while not any(not to_sit or _has_room(table) for table in browser.tables):
                await anext(browser)
            await trio.sleep(MORE_SECONDS)
        tables = [table for table in browser.tables if not to_sit or _has_room(table)]
        if tables:
            return tables, ""
        if browser.tables:
            return [], "There is no free seat at any table in the network. Watch: p2pcoup watch"
        return [], (await browser.why_nothing()).text


async def met_before(home: Path) -> KnownPeer | None:
    """Somebody we have met before and whose program answers where it did then; of several the one
    seen last. Who it really is shows only when there is a link.
    """
    met = [each for each in open_known(home).remembered() if each.address is not None]
    answering: set[PeerId] = set()

    async def knock(peer: PeerId, address: Address) -> None:
        with contextlib.suppress(OSError), trio.move_on_after(KNOCK_SECONDS):
            await (await trio.open_tcp_stream(*address)).aclose()
            answering.add(peer)

    async with trio.open_nursery() as nursery:
        for each in met[:MOST_ASKED]:
            if each.address is not None:
                nursery.start_soon(knock, each.peer, each.address)
    return next((each for each in met if each.peer in answering), None)


def _has_room(table: "Sighting") -> bool:
    from p2pcoup.net.discovery import TableState

    advert = table.advert
    return advert.state is TableState.OPEN and advert.taken < advert.seats


def _line(table: "Sighting") -> str:
    advert = table.advert
    return (
        f"{advert.table}, opened by {advert.opener_name}: {advert.edition}, {advert.options}, "
        f"{advert.taken} of {advert.seats} seats taken"
    )
