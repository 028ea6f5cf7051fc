"""The command that plays one seat of a table."""

import sys
from pathlib import Path
from typing import Any

import click

from p2pcoup.bots import BOTS
from p2pcoup.cli.lobby_options import LobbyOptions, lobby_options
from p2pcoup.cli.pace import MAX_PACE
from p2pcoup.node.folder import home_folder


@click.command()
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
    "--pace",
    type=click.FloatRange(0, MAX_PACE),
    default=0.0,
    help="Seconds a bot thinks about a decision: yours, and those that sit down at your table.",
)
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
    pace: float,
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
    chosen = LobbyOptions.taken_from(lobby)
    if chosen.wanted == (table_path is not None):
        raise click.UsageError("Give one of --table, --host, --join and --watch.")
    from p2pcoup.cli.seat import SeatOptions, ways_in
    from p2pcoup.net import parse_address

    here = None if listen is None else parse_address(listen)
    home = home_folder()
    clients = ways_in(ways)
    options = SeatOptions(home, bot, bot_seed, pace, here, log, clients, chosen.end_with_input)
    if table_path is None:
        from p2pcoup.cli.lobby_seat import sit_in_lobby

        sys.exit(sit_in_lobby(options, chosen))
    from p2pcoup.cli.table_seat import sit_at_table

    sys.exit(sit_at_table(options, table_path))
