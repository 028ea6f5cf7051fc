"""Commands of a player: who they are, and one seat of a table."""

import random
import signal
import sys
import time
from pathlib import Path

import click
import trio

from p2pcoup.bots import BOTS
from p2pcoup.cli.program import cli
from p2pcoup.net import parse_address
from p2pcoup.node import (
    INTERRUPTED,
    Match,
    NodeLog,
    SeatedGame,
    create_identity,
    game_folder,
    home_folder,
    identity_file,
    load_identity,
    read_table_file,
    run_node,
)
from p2pcoup.table import Terms

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
    required=True,
    type=click.Path(path_type=Path),
    help="The table file (TOML): which game, who sits where, how each is reached.",
)
@click.option(
    "--bot",
    type=click.Choice(sorted(BOTS)),
    default="honest",
    show_default=True,
    help="Who decides for your seat.",
)
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
def node(table_path: Path, bot: str, bot_seed: str | None, listen: str | None, log: str) -> None:
    """Play one seat of a table without a window, until its games are over.

    The table file names the game, the edition, and for each seat a name, a peer id and an address;
    all but the addresses must be the same in everybody's file. With games = 3 a match of three is
    played: the winner of a game starts the next one.

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

    What happens is told on standard error. Stop it with Ctrl-C whenever you like: started again
    with the same file it plays on; but a player of whom the others hear nothing for three minutes
    in the middle of a game is out of it. When the game is over it says where the transcript is.

    Exit status: 0 the game is over, or the node was asked to end (SIGTERM); 130 Ctrl-C; 1 it
    cannot be played, and why is said.
    """
    home = home_folder()
    own = load_identity(home)
    table = read_table_file(table_path)
    here = parse_address(listen) if listen is not None else None
    luck = random.Random(bot_seed)  # noqa: S311 - a bot's choices only; cards never come from it

    def sit_down(terms: Terms) -> SeatedGame:
        folder = game_folder(home, terms.game_id)
        return SeatedGame(terms, own, folder, BOTS[bot], luck, clock=time.perf_counter)

    match = Match(table, sit_down)
    try:
        with NodeLog(log) as node_log:
            stopped = trio.run(run_node, table, own, match, node_log, here)
    finally:
        match.close()
    sys.exit(INTERRUPTED if stopped is signal.SIGINT else 0)
