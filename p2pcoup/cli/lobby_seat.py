"""A node that sits in a lobby first, as `p2pcoup node --host`, `--join` and `--watch` start it."""

import os
import random
import signal
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path

import trio

from p2pcoup.bots import BOTS
from p2pcoup.cli.lobby_options import LobbyOptions, own_identity, own_name
from p2pcoup.net import Address
from p2pcoup.node.api import Hub, Way, with_clients
from p2pcoup.node.failures import INTERRUPTED
from p2pcoup.node.home import HomeError, game_folder
from p2pcoup.node.lobby.entering import game_of_session, unfinished_game
from p2pcoup.node.lobby.evening import Evening, Joining, play_on, spend_evening
from p2pcoup.node.log import NodeLog
from p2pcoup.node.seat import SeatedGame
from p2pcoup.node.stopping import until_stopped
from p2pcoup.table import Terms

ANYWHERE = Address("0.0.0.0", 0)  # noqa: S104 - the others are to reach us
COPIED_BYTES = 65_536

Stopped = signal.Signals | None
Play = Callable[[NodeLog], Awaitable[Stopped]]


def sit_in_lobby(
    home: Path,
    chosen: LobbyOptions,
    bot: str | None,
    bot_seed: str | None,
    listen: Address | None,
    log: str,
    doors: Sequence[Way],
) -> int:
    """Spend an evening as the user has chosen; the exit status."""
    path = _game_to_play_on(home, chosen)
    name = own_name(home, chosen.name)
    goal = None if path else chosen.goal(name)
    own = own_identity(home)
    watching = isinstance(goal, Joining) and goal.watching
    policy = BOTS[bot or "honest"] if bot or not doors else None
    luck = random.Random(bot_seed)  # noqa: S311 - a bot's choices only; cards never come from it

    opened: list[Terms] = []

    def open_game(terms: Terms) -> SeatedGame:
        opened.append(terms)
        folder = game_folder(home, terms.game_id)
        return SeatedGame(
            terms, own, folder, policy, luck, clock=time.perf_counter, watching=watching
        )

    evening = Evening(
        home,
        own,
        name,
        listen or ANYWHERE,
        open_game,
        bot=policy is not None and not watching,
        always_ready=chosen.ready,
        announce=chosen.announce,
        stay=bool(doors) or chosen.end_with_input,
        session=chosen.session,
        plan=chosen.plan(bot),
    )

    async def play(node_log: NodeLog) -> Stopped:
        hub = Hub(own.peer_id, name) if doors else None

        async def spend() -> None:
            if path is not None:
                await play_on(evening, path, node_log, hub)
            elif goal is not None:
                await spend_evening(evening, goal, node_log, hub)

        stoppable = partial(until_stopped, spend, node_log, lambda: bool(opened))
        if hub is None:
            return await stoppable()
        return await with_clients(hub, doors, home, node_log, stoppable)

    with NodeLog(log) as node_log:
        stopped = trio.run(with_input(play, chosen.end_with_input), node_log)
    return INTERRUPTED if stopped is signal.SIGINT else 0


def _game_to_play_on(home: Path, chosen: LobbyOptions) -> Path | None:
    """The table file of a game that goes on, if the user wants that or this is a new start."""
    if not chosen.play_on:
        return game_of_session(home, chosen.session) if chosen.session else None
    path = unfinished_game(home)
    if path is None:
        raise HomeError("There is no game to play on. Open a table: p2pcoup host")
    return path


def with_input(play: Play, end_with_input: bool) -> Play:
    """The same; if wanted, it ends when standard input does: then whoever started us is gone.

    What comes on standard input is handed on to whoever reads it there.
    """

    async def watched(log: NodeLog) -> Stopped:
        result: list[Stopped] = []
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_hand_on_input, nursery.cancel_scope)
            result.append(await play(log))
            nursery.cancel_scope.cancel()
        return result[0] if result else signal.SIGTERM

    return watched if end_with_input else play


async def _hand_on_input(scope: trio.CancelScope) -> None:
    """Put a pipe in the place of standard input, and cancel the scope when the input has ended."""
    standard = sys.stdin.fileno()
    input_ = os.dup(standard)
    readable, writable = os.pipe()
    os.dup2(readable, standard)
    os.close(readable)
    one_thread = trio.CapacityLimiter(1)
    copy = partial(_copy, input_, writable)
    # The descriptors stay open until the end of the program: a thread may still be reading there.
    while await trio.to_thread.run_sync(copy, abandon_on_cancel=True, limiter=one_thread):
        pass
    scope.cancel()


def _copy(source: int, target: int) -> int:
    data = os.read(source, COPIED_BYTES)
    rest = data
    while rest:
        rest = rest[os.write(target, rest) :]
    return len(data)
