"""The command that plays whole games on this machine."""

import functools
import secrets
import sys
from datetime import datetime

import click
import trio

from p2pcoup.bots import BOTS
from p2pcoup.cli.checks import describe
from p2pcoup.cli.program import cli, listed
from p2pcoup.cli.variants import Variant, variant_options
from p2pcoup.node import MAX_GAMES, NAMES, DemoMatch, home_folder, play_demo


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
@variant_options
def demo(
    seats: int,
    games: int,
    bots: str,
    seed: str | None,
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

    Exit status 0 only if of every game all transcripts are the same bytes, the audit passes, and
    each game goes on from the one before it.
    """
    chosen = _chosen_bots(bots, seats)
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


def _report(match: DemoMatch, seed: str) -> None:
    """Print what a match was like."""
    proofs = match.figures("finished", "proof_seconds")
    dealt = max(match.figures("dealt", "seconds"), default=0.0)
    click.echo(
        f"\nPlayed: {match.name}, in {match.seconds:.1f} s.\n"
        f"Cryptography: {sum(proofs) / len(match.runs):.2f} s at each peer on average, for all "
        f"proofs and their checks; keys, shuffles and deal took {dealt:.2f} s.\n"
        f"Sent: {sum(match.figures('finished', 'sent_bytes')) / 1e6:.1f} MB by all peers together. "
        f"Bots' seed: {seed}."
    )
    for game in match.games:
        size = game.transcript.stat().st_size
        click.echo(
            f"Transcript: {game.transcript}, the same {size:,} bytes at all {len(match.runs)} "
            f"peers.\nAudit: {describe(game.report)}"
        )
    if len(match.games) > 1:
        click.echo(f"Match: {match.flaw or 'every game goes on from the one before it.'}")
