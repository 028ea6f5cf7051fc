"""Commands of a player: who they are, and one seat of a table."""

import random
import signal
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import click
import trio

from p2pcoup.bots import BOTS
from p2pcoup.cli.lobby_options import LobbyOptions, lobby_options
from p2pcoup.cli.lobby_seat import sit_in_lobby, with_input
from p2pcoup.cli.program import cli
from p2pcoup.net import parse_address
from p2pcoup.node.api import Hub, parse_way, with_clients
from p2pcoup.node.failures import INTERRUPTED
from p2pcoup.node.home import (
    create_identity,
    game_folder,
    home_folder,
    identity_file,
    load_identity,
)
from p2pcoup.node.log import NodeLog
from p2pcoup.node.match import Match
from p2pcoup.node.node import run_node
from p2pcoup.node.seat import SeatedGame
from p2pcoup.node.tablefile import read_table_file
from p2pcoup.table import Terms
from p2pcoup.wire import PeerId

# --- identity -------------------------------------------------------------------------------------


@cli.group()
def identity() -> None:
    """Who you are to other players: a lasting key, known by its peer id.

    \b
    Once, on every machine:    p2pcoup identity create
    For the table files:       p2pcoup identity show
    """


@identity.command("create")
def identity_create() -> None:
    """Make your identity and print its peer id.

    There is one for each data folder; an existing one is never overwritten. The key is a file that
    only you can read. Who loses it sits down as somebody else; who copies it can sit down as you.

    \b
        p2pcoup identity create
    """
    made = create_identity(home_folder())
    click.echo("Your peer id, for the others' table files:", err=True)
    click.echo(made.peer_id)
    click.echo(
        f"The key is in {identity_file(home_folder())}. Keep it to yourself; whoever has it can "
        "sit down as you.",
        err=True,
    )


@identity.command("show")
def identity_show() -> None:
    """Print your peer id, and nothing else.

    \b
        p2pcoup identity show
    """
    click.echo(load_identity(home_folder()).peer_id)


# --- node -----------------------------------------------------------------------------------------


@cli.command()
@click.option(
    "--table",
    "table_path",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="The table file (TOML): which game, who sits where, how each is reached.",
)
@click.option(
    "--bot",
    type=click.Choice(sorted(BOTS)),
    help="Who decides for your seat: this bot; without --api, honest does.",
)
@lobby_options
@click.option("--bot-seed", help="Makes the bot's choices repeatable. It never touches the cards.")
@click.option(
    "--listen",
    metavar="HOST:PORT",
    help="Listen here instead of at your own address in the table file, e.g. behind a router. "
    "Port 0: any free one.",
)
@click.option(
    "--log",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Sentences for people, or one JSON object a line.",
)
@click.option(
    "--api",
    "ways",
    multiple=True,
    metavar="stdio|127.0.0.1:PORT",
    help="Serve clients: by JSON lines on standard input and output, or by WebSocket (port 0: any "
    "free one). They decide for your seat unless --bot does.",
)
def node(
    table_path: Path | None,
    bot: str | None,
    bot_seed: str | None,
    listen: str | None,
    log: str,
    ways: tuple[str, ...],
    **lobby: Any,
) -> None:
    """Play one seat of a table without a window, until its games are over.

    With --host, --join or --watch it goes to a table first; p2pcoup host, join and watch do that
    with a window. Otherwise the table file names the game, the edition, and for each seat a name, a
    peer id and an address; all but the addresses must be the same in everybody's file. With games =
    3 a match of three is played: the winner of a game starts the next one.

    \b
        game = "friday, game 1"            # new for every game
        edition = "base"
        games = 1                          # may be left out
        [[seats]]
        name = "Ash"
        peer = "…"                         # p2pcoup identity show
        address = "192.168.1.10:7700"

    \b
        p2pcoup node --table friday.toml
        p2pcoup node --table friday.toml --bot random --log json

    With --api somebody else decides: a terminal, a page, a program of your own. Whoever does not
    answer in time has a harmless choice made for them.

    \b
        p2pcoup node --table friday.toml --api 127.0.0.1:0
        p2pcoup node --table friday.toml --api stdio

    What happens is told on standard error. Stop it with Ctrl-C whenever you like: started again
    with the same file it plays on; but a player of whom the others hear nothing for three minutes
    in the middle of a game is out of it. When the game is over it says where the transcript is.

    Exit status: 0 the game is over, or the node was asked to end (SIGTERM); 130 Ctrl-C; 1 it
    cannot be played, and why is said.
    """
    home = home_folder()
    here = parse_address(listen) if listen is not None else None
    doors = [parse_way(way) for way in dict.fromkeys(ways)]
    chosen = LobbyOptions.taken_from(lobby)
    if chosen.wanted and table_path is None:
        sys.exit(sit_in_lobby(home, chosen, bot, bot_seed, here, log, doors))
    if chosen.wanted or table_path is None:
        raise click.UsageError("Give one of --table, --host, --join and --watch.")
    own = load_identity(home)
    table = read_table_file(table_path)
    policy = BOTS[bot or "honest"] if bot or not doors else None
    luck = random.Random(bot_seed)  # noqa: S311 - a bot's choices only; cards never come from it

    def sit_down(terms: Terms) -> SeatedGame:
        folder = game_folder(home, terms.game_id)
        return SeatedGame(terms, own, folder, policy, luck, clock=time.perf_counter)

    match = Match(table, sit_down)

    async def play(node_log: NodeLog) -> signal.Signals | None:
        if not doors:
            return await run_node(table, own, match, node_log, here)
        hub = Hub(own.peer_id, _name(table.terms, own.peer_id))
        desk_run = partial(run_node, table, own, match, node_log, here, hub)
        return await with_clients(hub, doors, home, node_log, desk_run)

    try:
        with NodeLog(log) as node_log:
            stopped = trio.run(with_input(play, chosen.end_with_input), node_log)
    finally:
        match.close()
    sys.exit(INTERRUPTED if stopped is signal.SIGINT else 0)


def _name(terms: Terms, peer: PeerId) -> str | None:
    seat = terms.seat_of(peer)
    return None if seat is None else terms.names[seat]
