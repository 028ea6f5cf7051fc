"""The command that plays whole games on this machine."""

import functools
import secrets
import sys
from datetime import datetime

import click
import trio

from p2pcoup.bots import BOTS
from p2pcoup.bots.names import NAMES
from p2pcoup.cli.checks import describe
from p2pcoup.cli.program import listed
from p2pcoup.cli.variants import Variant, variant_options
from p2pcoup.demo.demo import DemoMatch, play_demo
from p2pcoup.demo.faults import Faults, most_kills
from p2pcoup.node.folder import home_folder
from p2pcoup.node.limits import MAX_GAMES


@click.command()
@click.option(
    "--seats",
    type=click.IntRange(2, len(NAMES)),
    default=4,
    show_default=True,
    help="How many players, each a process of its own.",
)
@click.option(
    "--games",
    type=click.IntRange(1, MAX_GAMES),
    default=1,
    show_default=True,
    help="How many games: a match, in which the winner starts the next game.",
)
@click.option(
    "--bots",
    default="honest,random",
    show_default=True,
    help=f"Bots by seat, separated by commas and repeated as needed: {', '.join(sorted(BOTS))}.",
)
@click.option("--seed", help="Makes the bots repeatable. The cards are always dealt afresh.")
@click.option(
    "--kill",
    type=click.IntRange(0),
    default=0,
    help="So many of the programs are killed for good in the middle of the game.",
)
@click.option(
    "--restart",
    type=click.IntRange(0, 100),
    default=0,
    help="So often one of the programs is killed and started again.",
)
@variant_options
def demo(
    seats: int,
    games: int,
    bots: str,
    seed: str | None,
    kill: int,
    restart: int,
    edition: str,
    setup: str | None,
    options: str | None,
) -> None:
    """Play whole games on this machine and audit them.

    Each seat is a process of its own with its own keys, linked to the others over loopback TCP.

    \b
        p2pcoup demo
        p2pcoup demo --seats 6 --bots random --edition inquisitor
        p2pcoup demo --seats 2 --setup set-of-five
        p2pcoup demo --games 3 --seats 2 --bots honest,random --seed 7
        p2pcoup demo --seats 5 --kill 2
        p2pcoup demo --seats 5 --restart 3

    With --kill and --restart programs are killed at random moments, without warning: the others put
    the dead ones out of the game, whose cards nobody sees, and whoever is started again plays on.

    Exit status 0 only if of every game all transcripts are the same bytes, the audit passes, and
    each game goes on from the one before it.
    """
    chosen = _chosen_bots(bots, seats)
    faults = _chosen_faults(kill, restart, seats, games)
    variant = Variant.chosen(edition, setup, options, seats)
    seed = secrets.token_hex(4) if seed is None else seed
    stamp = datetime.now().astimezone().strftime("%Y%m%d-%H%M%S")
    folder = home_folder() / "demo" / f"{stamp}-{secrets.token_hex(3)}"
    click.echo(f"Game 1 of {games}: {seats} node processes, bots {listed(chosen)}.\n")
    play = functools.partial(
        play_demo,
        folder,
        bots=chosen,
        seed=seed,
        games=games,
        edition=variant.edition,
        options=variant.options,
        faults=faults,
        echo=click.echo,
    )
    match = trio.run(play)
    _report(match, seed)
    sys.exit(0 if match.valid else 1)


def _chosen_bots(bots: str, seats: int) -> list[str]:
    """A bot for each seat. Raises BadParameter for a name that is none."""
    named = [name.strip() for name in bots.split(",")]
    if unknown := [name for name in named if name not in BOTS]:
        raise click.BadParameter(
            f"there is no bot {unknown[0]!r}; choose from {', '.join(sorted(BOTS))}",
            param_hint="--bots",
        )
    return [named[number % len(named)] for number in range(seats)]


def _chosen_faults(kill: int, restart: int, seats: int, games: int) -> Faults:
    """Raises BadParameter for what no game survives."""
    most = most_kills(seats)
    if kill > most:
        raise click.BadParameter(
            f"of {seats} players at most {most} can be killed: those left must be a majority, or "
            "nobody may go on",
            param_hint="--kill",
        )
    if restart and kill + 1 == seats:
        raise click.BadParameter("there is nobody left to be started again", param_hint="--restart")
    if games > 1 and (kill or restart):
        raise click.BadParameter("programs are killed in a single game only", param_hint="--games")
    return Faults(kill, restart)


def _report(match: DemoMatch, seed: str) -> None:
    """Print what a match was like."""
    proofs = match.figures("finished", "proof_seconds")
    dealt = max(match.figures("dealt", "seconds"), default=0.0)
    click.echo(
        f"\nPlayed: {match.name}, in {match.seconds:.1f} s.\n"
        f"Cryptography: {sum(proofs) / len(match.alive):.2f} s at each peer on average, for all "
        f"proofs and their checks; keys, shuffles and deal took {dealt:.2f} s.\n"
        f"Sent: {sum(match.figures('finished', 'sent_bytes')) / 1e6:.1f} MB by all peers together. "
        f"Bots' seed: {seed}."
    )
    left = "" if len(match.alive) == len(match.runs) else " that are left"
    for game in match.games:
        size = game.transcript.stat().st_size
        click.echo(
            f"Transcript: {game.transcript}, the same {size:,} bytes at all {len(match.alive)} "
            f"peers{left}.\nAudit: {describe(game.report)}"
        )
    if len(match.games) > 1:
        click.echo(f"Match: {match.flaw or 'every game goes on from the one before it.'}")
