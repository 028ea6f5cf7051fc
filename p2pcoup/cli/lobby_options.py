"""Options of `p2pcoup node` that lead to a table before its game."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

import click

from p2pcoup.cli.variants import Variant, variant_options
from p2pcoup.journal import make_private_folder
from p2pcoup.lobby import Settings
from p2pcoup.net.invite import parse_invite
from p2pcoup.node.home import HomeError, create_identity, identity_file, load_identity
from p2pcoup.node.lobby.evening import Hosting, Joining
from p2pcoup.node.lobby.task import Plan
from p2pcoup.node.tablefile import MAX_GAMES
from p2pcoup.rules import EDITIONS
from p2pcoup.table import TermsError, Times
from p2pcoup.wire import Identity, WireError, clean_name

Command = TypeVar("Command", bound=Callable[..., Any])
NAME_FILE = "name"
MAX_NAME_BYTES = 400


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

    def goal(self, name: str) -> Hosting | Joining:
        """What the user wants. Raises UsageError, BadParameter or InviteError."""
        if [self.host, self.join is not None, self.watch is not None].count(True) != 1:
            raise click.UsageError("Give one of --host, --join and --watch.")
        if not self.host:
            invite = parse_invite(self.join or self.watch or "")
            return Joining(invite, watching=self.watch is not None)
        return Hosting(self._table(name), self.settings())

    def settings(self) -> Settings:
        """What is to be played. Raises UsageError, BadParameter or TermsError."""
        given = (self.seats, self.games, self.times, self.edition, self.setup, self.options)
        return chosen_settings(*given)

    def plan(self, bot: str | None) -> Plan:
        """What happens by itself."""
        return Plan(self.start_when, self.bots, bot or "honest")

    def _table(self, name: str) -> str:
        try:
            return clean_name(self.table_name or f"{name[:16].rstrip()}'s table")
        except WireError as error:
            raise click.BadParameter(str(error), param_hint="--table-name") from error


def chosen_settings(
    seats: int | None,
    games: int,
    times: str | None,
    edition: str,
    setup: str | None,
    options: str | None,
) -> Settings:
    """What is played by these options. Raises UsageError, BadParameter or TermsError."""
    if seats is None:
        seats = 2 if "set-of-five" in (setup or options or "") else EDITIONS[edition].max_players
    chosen = Variant.chosen(edition, setup, options, seats)
    return Settings(chosen.edition, chosen.options, seats, games, _times(times))


def _times(text: str | None) -> Times:
    if text is None:
        return Times()
    try:
        decide, answer, grace = map(int, text.split(","))
        return Times(decide, answer, grace)
    except (ValueError, TermsError) as error:
        raise click.BadParameter(
            "Three whole numbers of seconds are needed: for a decision, for an answer, and of "
            "grace; for example 45,20,120.",
            param_hint="--times",
        ) from error


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


# --- who we are -----------------------------------------------------------------------------------


def own_identity(home: Path) -> Identity:
    """The identity of this user, made now if there is none yet. Raises HomeError."""
    return load_identity(home) if identity_file(home).exists() else create_identity(home)


def own_name(home: Path, name: str | None) -> str:
    """What this user wants to be called: as given, which is remembered, or as before.

    Raises:
        BadParameter: no name could be used like that.
        HomeError: none was given yet, or it cannot be kept.
    """
    path = home / NAME_FILE
    if name is None:
        try:
            return clean_name(path.read_bytes()[:MAX_NAME_BYTES].decode())
        except (OSError, ValueError):
            raise HomeError("Say once what you want to be called: --name NAME") from None
    try:
        called = clean_name(name)
    except WireError as error:
        raise click.BadParameter(str(error), param_hint="--name") from error
    try:
        make_private_folder(home)
        path.write_text(called, encoding="utf-8")
    except OSError as error:
        raise HomeError(f"Your name cannot be kept in {path}: {error.strerror}.") from error
    return called
