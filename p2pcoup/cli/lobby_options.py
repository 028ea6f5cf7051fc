"""Options of `p2pcoup node` that lead to a table before its game."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, TypeVar

import click

from p2pcoup.cli.table_options import table_options

Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class LobbyOptions:
    """What the user gave; the fields bear the names of the options."""

    host: bool
    join: str | None
    watch: str | None
    name: str | None
    table_name: str | None
    seats: int | None
    games: int
    times: str | None
    edition: str
    setup: str | None
    options: str | None
    bots: int
    ready: bool
    start_when: int
    announce: bool
    end_with_input: bool
    session: str
    play_on: bool

    @classmethod
    def taken_from(cls, given: dict[str, Any]) -> "LobbyOptions":
        """Those of a command's arguments that are of a lobby."""
        return cls(**{field.name: given[field.name] for field in fields(cls)})

    @property
    def wanted(self) -> bool:
        """Whether a lobby is wanted at all."""
        return self.host or self.join is not None or self.watch is not None or self.play_on


def lobby_options(command: Command) -> Command:
    """Add the options of a lobby to a command."""
    for option in (
        click.option("--end-with-input", is_flag=True, hidden=True),
        click.option("--session", default="", hidden=True),
        click.option("--play-on", is_flag=True, help="Play on at the last table."),
        click.option(
            "--announce/--no-announce",
            default=False,
            help="Tell the local network of the table.  [default: do not]",
        ),
        click.option(
            "--start-when",
            type=click.IntRange(0, 10),
            default=0,
            metavar="N",
            help="With --host: start as soon as N sit at the table and all are ready.",
        ),
        click.option("--ready", is_flag=True, help="With --join: be ready at once."),
        click.option(
            "--bots",
            type=click.IntRange(0, 9),
            default=0,
            help="With --host: how many bots sit down.",
        ),
        table_options,
        click.option("--table-name", metavar="NAME", help="With --host: what the table is called."),
        click.option("--name", help="What you want to be called; it is remembered."),
        click.option("--watch", metavar="INVITE", help="Watch at somebody's table."),
        click.option("--join", metavar="INVITE", help="Sit down at somebody's table."),
        click.option("--host", is_flag=True, help="Open a table."),
    ):
        command = option(command)
    return command
