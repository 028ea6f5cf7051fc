"""A whole evening as a program: links, lobby, game (SPEC 12).

The links are opened once and stay: the game is played over those of the lobby, so it begins at once
and nobody who opened the table is needed for it.
"""

import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import trio

from p2pcoup.lobby import (
    Begin,
    Closed,
    Lobby,
    Manner,
    Person,
    Settings,
    join_table,
    open_table,
)
from p2pcoup.lobby.limits import MAX_ADDRESSES
from p2pcoup.net import Address, Mesh, open_mesh
from p2pcoup.net.interfaces import addresses_to_tell
from p2pcoup.net.invite import Invite
from p2pcoup.node import said
from p2pcoup.node.company import Company
from p2pcoup.node.desk import Beside, Ending, NothingBeside
from p2pcoup.node.errors import TableClosedError
from p2pcoup.node.known import open_known
from p2pcoup.node.lobby.bots import Bots
from p2pcoup.node.lobby.entering import GameFiles
from p2pcoup.node.lobby.late import LobbyBeside
from p2pcoup.node.lobby.picture import Around
from p2pcoup.node.lobby.places import Places
from p2pcoup.node.lobby.task import (
    LobbyDesk,
    NoLobbyDesk,
    Plan,
    Setting,
    run_lobby,
)
from p2pcoup.node.log import NodeLog
from p2pcoup.node.match import Match, OpenGame
from p2pcoup.node.node import tell_listening
from p2pcoup.node.playing import play_over
from p2pcoup.node.tablefile import TableFile, read_table_file
from p2pcoup.node.telling import Telling
from p2pcoup.table import Terms
from p2pcoup.wire import Identity, PeerId

FREE_SECONDS = 6.0


@dataclass(frozen=True, slots=True)
class Hosting:
    """Open a table of that name."""

    table: str
    settings: Settings


@dataclass(frozen=True, slots=True)
class Joining:
    """Go to the table of that invite, to sit down or to watch."""

    invite: Invite
    watching: bool = False


@dataclass(frozen=True, slots=True)
class Evening:
    """What somebody wants to do.

    Attributes:
        name: what they want to be called.
        listen: where to accept links.
        open_game: opens a game of ours; whoever decides in it is known there.
        bot: whether a program decides.
        bot_options: more options for the nodes of the bots at our table.
        always_ready: be ready for whatever is shown, as a bot always is.
        announce: tell the network of an open table.
        stay: after the last game, stay for another one.
        session: the run of a client this is for; its node finds the game again after a crash.
        plan: what happens by itself.
    """

    home: Path
    identity: Identity
    name: str
    listen: Address
    open_game: OpenGame
    bot: bool = False
    bot_options: Sequence[str] = ()
    always_ready: bool = False
    announce: bool = False
    stay: bool = False
    session: str = ""
    plan: Plan = field(default_factory=Plan)


async def spend_evening(
    evening: Evening, goal: Hosting | Joining, log: NodeLog, desk: LobbyDesk | None = None
) -> Ending:
    """Open a table or go to one, then play what is begun there.

    Raises:
        TableClosedError: there is no place here for us, and no game.
        ListenError: the node cannot listen there.
        JournalError: the disk refuses.
    """
    return await _Evening(evening, goal, log, desk or NoLobbyDesk()).run()


async def play_on(
    evening: Evening, path: Path, log: NodeLog, desk: LobbyDesk | None = None
) -> Ending:
    """Play a match on that was begun in a lobby, by its table file; our bots come along.

    Raises:
        TableFileError, JournalError: the game cannot be played on.
        ListenError: the node cannot listen where the others look for it.
    """
    table = read_table_file(path)
    me = evening.identity.peer_id
    peers = {peer: place for peer, place in table.addresses.items() if peer != me}
    await _port_is_free(table.addresses[me])
    async with (
        Bots(evening.home, evening.bot_options) as bots,
        open_mesh(evening.identity, listen=table.addresses[me], peers=peers) as mesh,
    ):
        tell_listening(log, mesh)
        await bots.resume(path.parent.name, evening.plan.bot)
        return await _play(evening, table, mesh, log, desk or NoLobbyDesk(), NothingBeside())


async def _port_is_free(address: Address) -> None:
    """Wait a little for the program that played before to end: it may still be about to."""
    with trio.move_on_after(FREE_SECONDS):
        while True:
            try:
                listeners = await trio.open_tcp_listeners(address.port, host=address.host)
            except OSError:
                await trio.sleep(FREE_SECONDS / 20)
                continue
            for listener in listeners:
                await listener.aclose()
            return


async def _play(
    evening: Evening, table: TableFile, mesh: Mesh, log: NodeLog, desk: LobbyDesk, beside: Beside
) -> Ending:
    """Play a match over links that are there."""
    match = await trio.to_thread.run_sync(Match, table, evening.open_game)
    company = Company(
        mesh, match, evening.identity, Telling(log, desk), beside, always_again=evening.bot
    )
    try:
        return await play_over(mesh, match, log, desk, company, stay=evening.stay)
    finally:
        match.close()


class _Evening:
    def __init__(
        self, evening: Evening, goal: Hosting | Joining, log: NodeLog, desk: LobbyDesk
    ) -> None:
        self._plan = evening
        self._goal = goal
        self._log = log
        self._desk = desk
        self._telling = Telling(log, desk)
        self._lobby: Lobby | None = None
        self._around = Around()
        self._admits: Callable[[PeerId], bool] = lambda _peer: False

    async def run(self) -> Ending:
        plan = self._plan
        opened = partial(open_mesh, plan.identity, listen=plan.listen, peers={})
        async with opened(admit=lambda peer: self._admits(peer)) as mesh, AsyncExitStack() as stack:
            tell_listening(self._log, mesh)
            bots = await stack.enter_async_context(Bots(plan.home, plan.bot_options))
            nursery = await stack.enter_async_context(trio.open_nursery())
            places = Places(mesh)
            files = GameFiles(
                plan.home, mesh.me, lambda terms: _where(terms, places, mesh.me), plan.session
            )
            lobby = self._lobby = self._begin(mesh, places, files)
            self._admits = lobby.admits
            announce = self._announce(mesh, nursery) if plan.announce else lambda: None
            setting = self._setting(mesh, places, files, bots, announce)
            end = await run_lobby(setting)
            announce()
            if isinstance(end, Begin):
                # Whoever is not at the table may come and watch now.
                self._admits = lambda peer: lobby.admits(peer) or not lobby.is_opener
                ending = await self._play(mesh, places, end)
            else:
                ending = Ending.QUIT
            await bots.dismiss()  # they end while we take leave of the network
            nursery.cancel_scope.cancel()
        if isinstance(end, Closed) and not end.wished:
            raise TableClosedError(end.text)
        return ending

    def _begin(self, mesh: Mesh, places: Places, files: GameFiles) -> Lobby:
        plan, now = self._plan, trio.current_time()
        goal = self._goal
        manner = Manner(plan.always_ready or plan.bot, files.is_new, time.time_ns() // 1_000_000)
        told = tuple(map(str, addresses_to_tell(mesh.addresses)[:MAX_ADDRESSES]))
        if isinstance(goal, Hosting):
            me = Person(mesh.me, plan.name, told, plan.bot)
            return open_table(
                me, plan.identity, goal.table, goal.settings, secrets.token_bytes, now, manner
            )
        addresses = () if goal.watching else told
        me = Person(mesh.me, plan.name, addresses, plan.bot, goal.watching)
        opener = goal.invite.peer
        places.keep(opener, [str(address) for address in goal.invite.addresses])
        return join_table(me, plan.identity, opener, secrets.token_bytes, now, manner)

    def _announce(self, mesh: Mesh, nursery: trio.Nursery) -> Callable[[], None]:
        """Tell the network of the table; call the result whenever the table may have changed."""
        from p2pcoup.node.lobby.announce import Announcer  # only who announces loads what it takes

        def failed(fault: str) -> None:
            self._around.notes.append(fault)
            self._telling.warning("not-announced", fault)

        if self._lobby is None:
            raise RuntimeError("there is no lobby yet")
        announcer = Announcer(self._lobby, mesh.addresses, failed)
        nursery.start_soon(announcer.run)
        return announcer.look

    def _setting(
        self,
        mesh: Mesh,
        places: Places,
        files: GameFiles,
        bots: Bots,
        on_change: Callable[[], None],
    ) -> Setting:
        if self._lobby is None:
            raise RuntimeError("there is no lobby yet")
        lobby = self._lobby
        known = open_known(self._plan.home)
        around = self._around
        if known.trouble:
            around.notes.append(known.trouble)
        invite = Invite(mesh.me, addresses_to_tell(mesh.addresses))

        def changed() -> None:
            if lobby.is_opener and around.invite is None and not self._plan.plan.alone:
                around.invite, around.address = str(invite), str(invite.addresses[0])
                self._telling.info("invite", said.INVITE(invite=str(invite)), invite=str(invite))
            on_change()

        changed()
        return Setting(
            mesh,
            lobby,
            self._telling,
            self._desk,
            places,
            files,
            known,
            bots,
            around,
            self._plan.plan,
            changed,
            lambda: str(_from_here(invite, mesh)),
        )

    async def _play(self, mesh: Mesh, places: Places, begin: Begin) -> Ending:
        if self._lobby is None:
            raise RuntimeError("there is no lobby yet")
        terms = begin.terms
        table = TableFile(terms, _where(terms, places, mesh.me), begin.started.games)
        beside = LobbyBeside(mesh, self._lobby, places)
        return await _play(self._plan, table, mesh, self._log, self._desk, beside)


def _where(terms: Terms, places: Places, me: PeerId) -> Mapping[PeerId, Address]:
    return places.best([member.peer for member in terms.roster], me)


def _from_here(invite: Invite, mesh: Mesh) -> Invite:
    """The invite for programs on this machine: over loopback, if that is listened at."""
    port = mesh.addresses[0].port
    for address in mesh.addresses:
        if address.host in ("0.0.0.0", "127.0.0.1"):  # noqa: S104 - compared, not listened at
            return Invite(invite.peer, (Address("127.0.0.1", port),))
    return invite
