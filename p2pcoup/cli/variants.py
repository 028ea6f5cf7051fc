"""The options of a command that say which game is meant."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import click

from p2pcoup.rules import (
    BASE,
    EDITIONS,
    USUAL,
    Edition,
    Options,
    RulesError,
    Setup,
    parse_options,
)

Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Variant:
    """An edition and the options it is played with."""

    edition: Edition = BASE
    options: Options = USUAL

    @classmethod
    def chosen(cls, edition: str, setup: str | None, options: str | None, seats: int) -> "Variant":
        """The variant a user has named.

        Raises:
            BadParameter: there are no such options, or so many cannot play like this.
        """
        try:
            named = USUAL if options is None else parse_options(options)
        except RulesError as error:
            raise click.BadParameter(f"{error}", param_hint="--options") from error
        if setup is not None and options is not None:
            raise click.UsageError(
                "--setup is one of the --options; give one of the two, not both."
            )
        if setup is not None:
            named = Options(Setup(setup))
        try:
            named.check(EDITIONS[edition], seats)
        except ValueError as error:
            raise click.UsageError(f"{error}.") from error
        return cls(EDITIONS[edition], named)


def variant_options(command: Command) -> Command:
    """Add ``--edition``, ``--setup`` and ``--options``."""
    for option in (
        click.option(
            "--options",
            metavar="TEXT",
            help="All that departs from the usual game, as in a table file: words joined by "
            "commas, such as set-of-five,starter-coin.",
        ),
        click.option(
            "--setup",
            type=click.Choice([each.value for each in Setup]),
            help=f"How the cards come to the players.  [default: {Setup.STANDARD.value}]",
        ),
        click.option(
            "--edition",
            type=click.Choice(list(EDITIONS)),
            default=BASE.name,
            show_default=True,
            help="Which characters there are.",
        ),
    ):
        command = option(command)
    return command
