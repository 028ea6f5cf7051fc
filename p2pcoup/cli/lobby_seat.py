"""A node that sits in a lobby first, as `p2pcoup node --host`, `--join` and `--watch` start it."""

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from p2pcoup.cli.input_end import Stopped
from p2pcoup.cli.lobby_options import LobbyOptions
from p2pcoup.cli.names import own_identity, own_name
from p2pcoup.cli.seat import SeatOptions
from p2pcoup.cli.table_options import chosen_seats, chosen_times
from p2pcoup.lobby import Settings
from p2pcoup.net import Address
from p2pcoup.net.invite import parse_invite
from p2pcoup.node.home import HomeError, game_folder
from p2pcoup.node.lobby.entering import game_of_session, unfinished_game
from p2pcoup.node.lobby.evening import Evening, Hosting, Joining, play_on, spend_evening
from p2pcoup.node.lobby.task import Plan
from p2pcoup.node.log import NodeLog
from p2pcoup.node.seat import SeatedGame
from p2pcoup.node.stopping import until_stopped
from p2pcoup.table import Terms, Times
from p2pcoup.wire import WireError, clean_name

if TYPE_CHECKING:
    from p2pcoup.node.api import Hub

ANYWHERE = Address("0.0.0.0", 0)  # noqa: S104 - the others are to reach us


def sit_in_lobby(options: SeatOptions, chosen: LobbyOptions) -> int:
    """Spend an evening as the user has chosen; the exit status."""
    home = options.home
    path = _game_to_play_on(home, chosen)
    name = own_name(home, chosen.name)
    goal = None if path else _goal(chosen, name)
    own = own_identity(home)
    watching = isinstance(goal, Joining) and goal.watching
    policy, luck = options.policy, options.luck()

    opened: list[Terms] = []

    def open_game(terms: Terms) -> SeatedGame:
        opened.append(terms)
        folder = game_folder(home, terms.game_id)
        return SeatedGame(
            terms,
            own,
            folder,
            policy,
            luck,
            clock=time.perf_counter,
            watching=watching,
            pace=options.pace,
        )

    evening = Evening(
        home,
        own,
        name,
        options.listen or ANYWHERE,
        open_game,
        bot=policy is not None and not watching,
        bot_options=("--pace", str(options.pace)),
        always_ready=chosen.ready,
        announce=chosen.announce,
        stay=bool(options.ways) or chosen.end_with_input,
        session=chosen.session,
        plan=Plan(chosen.start_when, chosen.bots, options.bot or "honest"),
    )

    async def run(log: NodeLog, hub: "Hub | None") -> Stopped:
        async def spend() -> None:
            if path is not None:
                await play_on(evening, path, log, hub)
            elif goal is not None:
                await spend_evening(evening, goal, log, hub)

        return await until_stopped(spend, log, lambda: bool(opened))

    return options.play(own.peer_id, name, run)


def _game_to_play_on(home: Path, chosen: LobbyOptions) -> Path | None:
    """The table file of a game that goes on, if the user wants that or this is a new start."""
    if not chosen.play_on:
        return game_of_session(home, chosen.session) if chosen.session else None
    path = unfinished_game(home)
    if path is None:
        raise HomeError("There is no game to play on. Open a table: p2pcoup host")
    return path


def _goal(chosen: LobbyOptions, name: str) -> Hosting | Joining:
    """What the user wants. Raises UsageError, BadParameter or InviteError."""
    if [chosen.host, chosen.join is not None, chosen.watch is not None].count(True) != 1:
        raise click.UsageError("Give one of --host, --join and --watch.")
    if not chosen.host:
        invite = parse_invite(chosen.join or chosen.watch or "")
        return Joining(invite, watching=chosen.watch is not None)
    return Hosting(_table_name(chosen, name), _settings(chosen))


def _table_name(chosen: LobbyOptions, name: str) -> str:
    try:
        return clean_name(chosen.table_name or name)
    except WireError as error:
        raise click.BadParameter(str(error), param_hint="--table-name") from error


def _settings(chosen: LobbyOptions) -> Settings:
    """What is to be played. Raises UsageError, BadParameter or TermsError."""
    seats, variant = chosen_seats(chosen.seats, chosen.edition, chosen.setup, chosen.options)
    times = Times() if chosen.times is None else chosen_times(chosen.times)
    return Settings(variant.edition, variant.options, seats, chosen.games, times)
