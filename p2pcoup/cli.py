"""The command line. Every error a user can meet is a sentence here, never a traceback."""

import json
import random
import secrets
import sys
import time
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path

import click
import trio

from p2pcoup import __version__
from p2pcoup.audit import Report, Verdict, audit_file
from p2pcoup.bots import BOTS
from p2pcoup.journal import JournalError
from p2pcoup.net import AddressError, ListenError, parse_address
from p2pcoup.node.demo import NAMES, DemoError, DemoGame, play_demo
from p2pcoup.node.home import (
    HOME_VARIABLE,
    HomeError,
    create_identity,
    game_folder,
    home_folder,
    identity_file,
    load_identity,
)
from p2pcoup.node.log import NodeLog
from p2pcoup.node.node import run_node
from p2pcoup.node.seat import SeatedGame
from p2pcoup.node.tablefile import TableFileError, read_table_file
from p2pcoup.table import TermsError

USER_ERRORS = (
    HomeError,
    TableFileError,
    TermsError,
    JournalError,
    AddressError,
    ListenError,
    DemoError,
)


class Cli(click.Group):
    """Turns the program's own errors into one sentence and exit status 1."""

    def invoke(self, ctx: click.Context) -> object:
        """Run a command."""
        try:
            return super().invoke(ctx)
        except USER_ERRORS as error:
            raise click.ClickException(str(error)) from error
        except ExceptionGroup as group:  # from the tasks of a node
            users, others = group.split(USER_ERRORS)
            if users is None or others is not None:
                raise
            raise click.ClickException(str(_first(users))) from group


def _first(group: ExceptionGroup) -> Exception:
    error: Exception = group
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    return error


@click.group(
    cls=Cli,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=f"All files live in one folder: {HOME_VARIABLE} if it is set, else your data folder.",
)
@click.version_option(__version__, prog_name="p2pcoup")
def cli() -> None:
    """Coup, the bluffing card game, without a server and without a dealer.

    Every player runs this program. The cards are dealt by a protocol in which nobody sees them, and
    the signed transcript of a game can be checked by anybody.

    \b
    A first look:       p2pcoup demo
    Play over a LAN:    p2pcoup identity create, then p2pcoup node --table FILE
    Check a game:       p2pcoup audit game.coup
    """


# --- identity -------------------------------------------------------------------------------------


@cli.group()
def identity() -> None:
    """Who you are to other players: a lasting key, known by its peer id."""


@identity.command("create")
def identity_create() -> None:
    """Make your identity. There is one a data folder; an existing one is never overwritten."""
    made = create_identity(home_folder())
    click.echo(f"Your peer id, for the others' table files:\n{made.peer_id}")
    click.echo(
        f"The key is in {identity_file(home_folder())}. Keep it to yourself; whoever has it can "
        "sit down as you.",
        err=True,
    )


@identity.command("show")
def identity_show() -> None:
    """Print your peer id."""
    click.echo(load_identity(home_folder()).peer_id)


# --- node -----------------------------------------------------------------------------------------


@cli.command()
@click.option(
    "--table",
    "table_path",
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
@click.option("--listen", metavar="HOST:PORT", help="Listen here instead of at your own address.")
@click.option("--log", type=click.Choice(["text", "json"]), default="text", show_default=True)
def node(table_path: Path, bot: str, bot_seed: str | None, listen: str | None, log: str) -> None:
    """Play one seat of a table without a window, until the game is over.

    The table file names the game, the edition, and for each seat a name, a peer id and an address;
    all but the addresses must be the same in everybody's file:

    \b
        game = "friday, game 1"            # new for every game
        edition = "base"
        [[seats]]
        name = "Ash"
        peer = "…"                         # p2pcoup identity show
        address = "192.168.1.10:7700"

    Stop it with Ctrl-C whenever you like: started again with the same file it plays on. When the
    game is over it says where the transcript is.
    """
    home = home_folder()
    own = load_identity(home)
    table = read_table_file(table_path)
    here = parse_address(listen) if listen else None
    node_log = NodeLog(log)
    folder = game_folder(home, table.terms.game_id)
    luck = random.Random(bot_seed)  # noqa: S311 - a bot's choices only; cards never come from it
    game = SeatedGame(table.terms, own, folder, BOTS[bot], luck, clock=time.perf_counter)
    try:
        trio.run(run_node, table, own, game, node_log, here)
    finally:
        game.close()


# --- audit ----------------------------------------------------------------------------------------


@cli.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line, one line a file.")
@click.option("--story", is_flag=True, help="Tell the game as well.")
def audit(files: Sequence[Path], as_json: bool, story: bool) -> None:
    """Check finished games from their transcripts alone.

    Every signature, digest, commitment, proof and rule is checked; no secret and no trust is
    needed. Exit status: 0 all valid; 1 something does not hold (it says round, seat and rule);
    2 a file is no transcript or its game is not finished.
    """
    reports = [(path, audit_file(path)) for path in files]
    for path, report in reports:
        if as_json:
            click.echo(json.dumps({"file": str(path), **report.as_dict()}))
            continue
        if story:
            click.echo("\n".join(report.story))
        click.echo(f"{path}: {describe(report)}")
    verdicts = {report.verdict for _, report in reports}
    worst = Verdict.INVALID if Verdict.INVALID in verdicts else max(verdicts, key=_status)
    sys.exit(worst.exit_status)


def _status(verdict: Verdict) -> int:
    return verdict.exit_status


def describe(report: Report) -> str:
    """The verdict of an audit in a sentence or two."""
    if report.verdict is Verdict.VALID and report.winner is not None:
        return (
            f"valid. {report.names[report.winner]} won against "
            f"{_list(name for name in report.names if name != report.names[report.winner])}; "
            f"{report.messages} signed messages in {report.rounds} rounds all hold."
        )
    words = {
        Verdict.INVALID: "NOT VALID",
        Verdict.UNFINISHED: "unfinished",
        Verdict.UNREADABLE: "not readable as a transcript",
    }
    return f"{words.get(report.verdict, 'valid')}. {report.problem}"


# --- demo and bench -------------------------------------------------------------------------------


@cli.command()
@click.option("--seats", type=click.IntRange(2, len(NAMES)), default=4, show_default=True)
@click.option("--games", type=click.IntRange(1, 1000), default=1, show_default=True)
@click.option(
    "--bots",
    default="honest,random",
    show_default=True,
    help=f"Bots by seat, separated by commas and repeated as needed: {', '.join(sorted(BOTS))}.",
)
@click.option("--seed", help="Makes the bots repeatable. The cards are always dealt afresh.")
def demo(seats: int, games: int, bots: str, seed: str | None) -> None:
    """Play whole games on this machine and audit them.

    Each seat is a process of its own with its own keys, linked to the others over loopback TCP.
    Exit status 0 only if all transcripts of a game are the same bytes and its audit passes.
    """
    chosen = [bots.split(",")[number % len(bots.split(","))] for number in range(seats)]
    if unknown := sorted(set(chosen) - set(BOTS)):
        raise click.BadParameter(
            f"there is no bot {unknown[0]!r}; choose from {', '.join(sorted(BOTS))}",
            param_hint="--bots",
        )
    seed = seed or secrets.token_hex(4)
    for number in range(games):
        stamp = datetime.now().astimezone().strftime("%Y%m%d-%H%M%S")
        folder = home_folder() / "demo" / f"{stamp}-{secrets.token_hex(3)}"
        click.echo(f"Game {number + 1} of {games}: {seats} node processes, bots {_list(chosen)}.\n")
        game = trio.run(_play_demo, folder, chosen, f"{seed}/{number}")
        _report_demo(game, seed)
        if game.report.verdict is not Verdict.VALID:
            sys.exit(1)


async def _play_demo(folder: Path, bots: Sequence[str], seed: str) -> DemoGame:
    return await play_demo(folder, bots=bots, seed=seed, echo=click.echo)


def _report_demo(game: DemoGame, seed: str) -> None:
    proofs = [run.figure("finished", "proof_seconds") for run in game.runs]
    dealt = max(run.figure("dealt", "seconds") for run in game.runs)
    sent = sum(run.figure("finished", "sent_bytes") for run in game.runs)
    click.echo(
        f"\nPlayed in {game.seconds:.1f} s. Keys, shuffles and deal took {dealt:.2f} s; proofs and "
        f"their checks in the whole game {sum(proofs) / len(proofs):.2f} s at each peer; "
        f"{sent / 1e6:.1f} MB were sent. Bots' seed: {seed}."
    )
    size = game.transcript.stat().st_size
    click.echo(f"All {len(game.runs)} transcripts are the same {size:,} bytes: {game.transcript}")
    click.echo(f"Audit: {describe(game.report)}")


@cli.command()
@click.option("--json", "as_json", is_flag=True, help="The figures as one JSON object.")
@click.option("--quick", is_flag=True, help="Only the proofs; no games with node processes.")
def bench(as_json: bool, quick: bool) -> None:
    """Measure the proofs beside the raw cost of their library calls, and whole games."""
    from p2pcoup.bench import Figure, measure_games, measure_proofs

    figures: list[Figure] = measure_proofs()
    if not quick:
        figures += trio.run(measure_games, home_folder() / "bench")
    if as_json:
        click.echo(json.dumps({figure.name: figure.as_dict() for figure in figures}))
        return
    width = max(len(figure.name) for figure in figures)
    for figure in figures:
        click.echo(f"{figure.name:<{width}}  {figure}")


def _list(words: Iterable[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def main() -> None:
    """The ``p2pcoup`` command."""
    cli()
