"""The options of a command that opens a table, and what is said of wrong ones."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from p2pcoup.cli.variants import Variant, variant_options
from p2pcoup.node.limits import MAX_GAMES
from p2pcoup.rules import EDITIONS

if TYPE_CHECKING:
    from p2pcoup.table import Times

Command = TypeVar("Command", bound=Callable[..., Any])


def table_options(command: Command) -> Command:
    """Add the options that say what is played at a table that is opened."""
    for option in (
        click.option(
            "--times",
            metavar="DECIDE,ANSWER,GRACE",
            help="Seconds for a decision, for an answer, and before the others go on without a "
            "silent seat.  [default: 45,20,120]",
        ),
        click.option(
            "--games",
            type=click.IntRange(1, MAX_GAMES),
            default=1,
            show_default=True,
            help="How many games are played in a row.",
        ),
        click.option(
            "--seats",
            type=click.IntRange(2, 10),
            help="How many can sit down.  [default: as many as can play]",
        ),
        variant_options,
    ):
        command = option(command)
    return command


def chosen_seats(
    seats: int | None, edition: str, setup: str | None, options: str | None
) -> tuple[int, Variant]:
    """How many can sit down, and what they play. Raises UsageError or BadParameter."""
    if seats is None:
        seats = 2 if "set-of-five" in (setup or options or "") else EDITIONS[edition].max_players
    return seats, Variant.chosen(edition, setup, options, seats)


def chosen_times(text: str) -> "Times":
    """The times of a table. Raises BadParameter."""
    # The protocol of the game is much to load, and whoever leaves the times as they are needs none.
    from p2pcoup.table import TermsError, Times

    try:
        decide, answer, grace = map(int, text.split(","))
        return Times(decide, answer, grace)
    except (ValueError, TermsError) as error:
        raise click.BadParameter(
            "Three whole numbers of seconds are needed: for a decision, for an answer, and of "
            "grace; for example 45,20,120.",
            param_hint="--times",
        ) from error
