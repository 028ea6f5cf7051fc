"""The command line. Every error a user can meet is a sentence here, never a traceback."""

import json
import os
import random
import secrets
import signal
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
from p2pcoup.net import parse_address
from p2pcoup.node import (
    BROKEN_PIPE,
    HOME_VARIABLE,
    INTERRUPTED,
    NAMES,
    DemoGame,
    NodeLog,
    SeatedGame,
    create_identity,
    explain,
    game_folder,
    home_folder,
    identity_file,
    in_paragraphs,
    load_identity,
    play_demo,
    read_table_file,
    run_node,
)


class Cli(click.Group):
    """Turns whatever ends a command into a sentence and an exit status."""

    def invoke(self, ctx: click.Context) -> object:
        """Run a command."""
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort, SystemExit):
            raise
        except BaseException as error:  # noqa: BLE001 - the last place where a user can be told
            failure = explain(error)
        if failure.status == BROKEN_PIPE:
            # Or Python would complain when it flushes the stream at its end.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if failure.told:
            click.echo(failure.told, err=True)
        raise click.exceptions.Exit(failure.status)


# --- the program ----------------------------------------------------------------------------------


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
    folder = game_folder(home, table.terms.game_id)
    luck = random.Random(bot_seed)  # noqa: S311 - a bot's choices only; cards never come from it
    game = SeatedGame(table.terms, own, folder, BOTS[bot], luck, clock=time.perf_counter)
    try:
        with NodeLog(log) as node_log:
            stopped = trio.run(run_node, table, own, game, node_log, here)
    finally:
        game.close()
    sys.exit(INTERRUPTED if stopped is signal.SIGINT else 0)


# --- audit ----------------------------------------------------------------------------------------


@cli.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line, one line a file.")
@click.option("--story", is_flag=True, help="Tell the game as well.")
def audit(files: Sequence[Path], as_json: bool, story: bool) -> None:
    """Check finished games from their transcripts alone.

    Every signature, digest, commitment, proof and rule is checked; no secret and no trust is
    needed.

    \b
        p2pcoup audit game.coup
        p2pcoup audit --story game.coup
        p2pcoup audit --json *.coup

    Exit status: 0 all valid; 1 something does not hold (it says round, seat and rule); 2 a file is
    no transcript or its game is not finished.
    """
    verdicts = set()
    for path in files:
        report = audit_file(path)
        verdicts.add(report.verdict)
        if as_json:
            click.echo(json.dumps({"file": str(path), **report.as_dict()}))
            continue
        if story:
            click.echo("\n".join([*in_paragraphs(report.story), ""]))
        click.echo(f"{path}: {describe(report)}")
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
@click.option(
    "--seats",
    type=click.IntRange(2, len(NAMES)),
    default=4,
    show_default=True,
    help="How many players, each a process of its own.",
)
@click.option(
    "--games",
    type=click.IntRange(1, 1000),
    default=1,
    show_default=True,
    help="How many games, one after the other.",
)
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

    \b
        p2pcoup demo
        p2pcoup demo --seats 6 --bots random
        p2pcoup demo --games 10 --seats 2 --bots honest,random --seed 7

    Exit status 0 only if in every game all transcripts are the same bytes and the audit passes.
    """
    chosen = _chosen_bots(bots, seats)
    seed = secrets.token_hex(4) if seed is None else seed
    for number in range(games):
        stamp = datetime.now().astimezone().strftime("%Y%m%d-%H%M%S")
        folder = home_folder() / "demo" / f"{stamp}-{secrets.token_hex(3)}"
        click.echo(f"Game {number + 1} of {games}: {seats} node processes, bots {_list(chosen)}.\n")
        game = trio.run(_play_demo, folder, chosen, f"{seed}/{number}")
        _report_demo(game, seed)
        if game.report.verdict is not Verdict.VALID:
            sys.exit(1)


def _chosen_bots(bots: str, seats: int) -> list[str]:
    """A bot for each seat. Raises BadParameter for a name that is none."""
    named = [name.strip() for name in bots.split(",")]
    if unknown := [name for name in named if name not in BOTS]:
        raise click.BadParameter(
            f"there is no bot {unknown[0]!r}; choose from {', '.join(sorted(BOTS))}",
            param_hint="--bots",
        )
    return [named[number % len(named)] for number in range(seats)]


async def _play_demo(folder: Path, bots: Sequence[str], seed: str) -> DemoGame:
    return await play_demo(folder, bots=bots, seed=seed, echo=click.echo)


def _report_demo(game: DemoGame, seed: str) -> None:
    proofs = [run.figure("finished", "proof_seconds") for run in game.runs]
    dealt = max(run.figure("dealt", "seconds") for run in game.runs)
    sent = sum(run.figure("finished", "sent_bytes") for run in game.runs)
    size = game.transcript.stat().st_size
    click.echo(
        f"\nPlayed: {game.name}, in {game.seconds:.1f} s.\n"
        f"Cryptography: {sum(proofs) / len(proofs):.2f} s at each peer on average, for all proofs "
        f"and their checks; keys, shuffles and deal took {dealt:.2f} s.\n"
        f"Sent: {sent / 1e6:.1f} MB by all peers together. Bots' seed: {seed}.\n"
        f"Transcript: {game.transcript}, the same {size:,} bytes at all {len(game.runs)} peers.\n"
        f"Audit: {describe(game.report)}"
    )


@cli.command()
@click.option("--json", "as_json", is_flag=True, help="The figures as one JSON object.")
@click.option("--quick", is_flag=True, help="Only the proofs; no games with node processes.")
@click.option(
    "--repeats",
    type=click.IntRange(1, 10_000),
    default=25,
    show_default=True,
    help="How often each proof is measured; the median counts.",
)
def bench(as_json: bool, quick: bool, repeats: int) -> None:
    """Measure the proofs beside the raw cost of their library calls, and whole games.

    \b
        p2pcoup bench
        p2pcoup bench --quick --json
    """
    from p2pcoup.bench import Figure, measure_games, measure_proofs

    figures: list[Figure] = measure_proofs(repeats)
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
