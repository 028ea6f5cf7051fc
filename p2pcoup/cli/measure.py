"""The command that measures."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click
import trio

from p2pcoup.node.folder import home_folder

if TYPE_CHECKING:
    from p2pcoup.bench.figure import Figure

JSON = click.option("--json", "as_json", is_flag=True, help="The figures as one JSON object.")


@click.group(invoke_without_command=True)
@JSON
@click.option("--quick", is_flag=True, help="Only the proofs; no games with node processes.")
@click.option(
    "--repeats",
    type=click.IntRange(1, 10_000),
    default=25,
    show_default=True,
    help="How often each proof is measured; the median counts.",
)
@click.pass_context
def bench(ctx: click.Context, as_json: bool, quick: bool, repeats: int) -> None:
    """Measure the proofs beside the raw cost of their library calls, and whole games.

    \b
        p2pcoup bench
        p2pcoup bench --quick --json
        p2pcoup bench rules
        p2pcoup bench client
        p2pcoup bench junk
    """
    if ctx.invoked_subcommand is not None:
        return
    from p2pcoup.bench.games import measure_games
    from p2pcoup.bench.proofs import measure_proofs

    figures = measure_proofs(repeats)
    if not quick:
        figures += trio.run(measure_games, home_folder() / "bench")
    _show(figures, as_json)


@bench.command("rules")
@JSON
@click.option(
    "--games",
    type=click.IntRange(1, 10_000_000),
    default=5000,
    show_default=True,
    help="How many games are played.",
)
@click.option(
    "--seed", type=int, default=1, show_default=True, help="The same seed gives the same games."
)
def bench_rules(as_json: bool, games: int, seed: int) -> None:
    """Measure the rules alone: random games of four on one core, without cryptography.

    If the package coupml is installed, the same number of its games is measured as well.

    \b
        p2pcoup bench rules
        p2pcoup bench rules --games 20000 --json
    """
    from p2pcoup.bench.rules import measure_rules

    _show(measure_rules(games, seed), as_json)


@bench.command("junk")
@JSON
@click.option(
    "--connections",
    type=click.IntRange(0, 1_000_000),
    default=10_000,
    show_default=True,
    help="How many calls that are no links.",
)
@click.option(
    "--frames",
    type=click.IntRange(0, 100_000_000),
    default=1_000_000,
    show_default=True,
    help="How many frames of junk over links that the node accepts.",
)
@click.pass_context
def bench_junk(ctx: click.Context, as_json: bool, connections: int, frames: int) -> None:
    """Throw junk at a node in a running match, and see whether the match goes on.

    With the numbers it has by itself it takes about twenty minutes. Exit status: 0 the match went
    on; 1 it did not, or somebody was blamed for what nobody has signed.

    \b
        p2pcoup bench junk
        p2pcoup bench junk --connections 500 --frames 20000
    """
    from p2pcoup.bench.junk import bench_junk as measure

    measured = trio.run(measure, home_folder() / "bench", connections, frames)
    _show(measured.as_figures(), as_json)
    for fault in measured.faults:
        click.echo(fault, err=True)
    ctx.exit(1 if measured.faults else 0)


@bench.command("client")
@JSON
@click.option(
    "--keys",
    type=click.IntRange(1, 10_000),
    default=60,
    show_default=True,
    help="How many keys are pressed in each size of the window.",
)
def bench_client(as_json: bool, keys: int) -> None:
    """Measure how soon a key is seen on the full screen, in a small and in a large window.

    The client plays a real game in a terminal of its own: once on the machine as it is, once while
    every core has other work. What it needs while it only waits is told too.

    \b
        p2pcoup bench client
        p2pcoup bench client --keys 200 --json
    """
    from p2pcoup.bench.client import ClientBenchError
    from p2pcoup.bench.client import bench_client as measure

    try:
        measured = measure(home_folder() / "bench", keys)
    except ClientBenchError as error:
        raise click.ClickException(str(error)) from error
    _show(measured.as_figures(), as_json)


def _show(figures: "Sequence[Figure]", as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps({figure.name: figure.as_dict() for figure in figures}))
        return
    width = max(len(figure.name) for figure in figures)
    for figure in figures:
        click.echo(f"{figure.name:<{width}}  {figure}")
