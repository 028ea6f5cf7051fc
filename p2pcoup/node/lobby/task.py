"""The lobby as a task: one table before its game, over the links that the game will use (SPEC 12).

One task waits for what the mesh reports, for wishes of the user and for what is due, whichever
comes first, lets the sans-IO `Lobby` judge, and carries out what it wants done, in that order. What
must be on disk is, before anything that follows is sent.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import trio

from p2pcoup.bots import BOTS
from p2pcoup.journal import JournalError
from p2pcoup.lobby import (
    Begin,
    Closed,
    Drop,
    Effect,
    Enter,
    Keep,
    Lobby,
    NotPossible,
    Said,
    Send,
    Told,
    Withdraw,
    is_lobby,
)
from p2pcoup.net import Connected, Disconnected, Event, Mesh, Received, Refused, Unreachable
from p2pcoup.node import said
from p2pcoup.node.desk import Desk, NoDesk
from p2pcoup.node.gossip import Have, decode_gossip
from p2pcoup.node.inbox import first_of
from p2pcoup.node.known import KnownPeers
from p2pcoup.node.lobby.bots import BotEnded, Bots
from p2pcoup.node.lobby.meeting import Meeting
from p2pcoup.node.lobby.picture import Around, lobby_picture
from p2pcoup.node.lobby.places import Places, host_text
from p2pcoup.node.lobby.wishes import fulfil
from p2pcoup.node.log import Complaints
from p2pcoup.node.telling import Telling
from p2pcoup.node.wishes import DONE, NOT_POSSIBLE, AddBot, Quit, Reply, Request
from p2pcoup.rules import Sentence
from p2pcoup.wire import PeerId, WireError, parse

PAUSE_SECONDS = 3.0  # between two starts that are nobody's wish

News: TypeAlias = Event | Request | BotEnded


class LobbyDesk(Desk, Protocol):
    """A desk that can also show a lobby."""

    def show_lobby(self, lobby: Mapping[str, object]) -> None:
        """The picture of API.md 2.1 has changed."""


class NoLobbyDesk(NoDesk):
    """Nobody looks at the lobby and nobody wishes anything."""

    def show_lobby(self, lobby: Mapping[str, object]) -> None:
        """Nobody looks."""


class Archive(Protocol):
    """Where a game that begins is written down."""

    def keep(self, enter: Enter) -> None:
        """Write down all that is needed to play this game. Raises JournalError or OSError."""

    def forget(self, withdraw: Withdraw) -> None:
        """That game will never be played."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What happens without anybody at a desk.

    Attributes:
        start_when: start as soon as so many sit at the table and all is as it must be; 0: never.
        bots: how many bots sit down at once.
        bot: the kind of bot that does.
    """

    start_when: int = 0
    bots: int = 0
    bot: str = "honest"

    @property
    def alone(self) -> bool:
        """Whether the bots are all that is waited for, so nobody is to be invited."""
        return 0 < self.start_when <= self.bots + 1


@dataclass(slots=True)
class Setting:
    """All that a lobby has to do with beside its own state."""

    mesh: Mesh
    lobby: Lobby
    telling: Telling
    desk: LobbyDesk
    places: Places
    archive: Archive
    known: KnownPeers
    bots: Bots
    around: Around
    plan: Plan
    on_change: Callable[[], None]
    bot_invite: Callable[[], str]


async def run_lobby(setting: Setting) -> Begin | Closed:
    """Sit in the lobby until a game begins or the lobby is over.

    Raises:
        JournalError: a game that begins cannot be written down.
    """
    return await _Running(setting).run()


class _Running:
    def __init__(self, setting: Setting) -> None:
        self._set = setting
        self._lobby = setting.lobby
        self._mesh = setting.mesh
        self._complaints = Complaints()
        self._meeting = Meeting(
            self._lobby.me.peer, setting.places, setting.known, setting.around, setting.telling
        )
        self._on_the_way: set[str] = set()  # bots that do not sit at the table yet
        self._end: Begin | Closed | None = None
        self._start_at = math.inf
        self._not_before = -math.inf

    async def run(self) -> Begin | Closed:
        for _ in range(self._set.plan.bots):
            await self._add_bot(self._set.plan.bot)
        await self._carry_out()
        while self._end is None:
            await self._meet_all()
            self._plan_start()
            self._show()
            for news in await self._next():
                await self._take(news)
            self._do_what_is_due()
            await self._carry_out()
        return self._end

    # --- what comes -------------------------------------------------------------------------------

    async def _next(self) -> Sequence[News]:
        """What the mesh reports or the desk asks; nothing when something else is due first."""
        return await first_of(
            min(self._lobby.due_at(), self._start_at, self._may_change_at()),
            self._mesh.events.receive,
            self._set.desk.next_request,
            self._set.bots.next_ended,
        )

    async def _take(self, news: News) -> None:
        if isinstance(news, Request):
            await self._asked(news)
        elif isinstance(news, BotEnded):
            self._bot_ended(news)
        else:
            self._heard(news)

    def _heard(self, event: Event) -> None:
        now, places = trio.current_time(), self._set.places
        match event:
            case Connected(peer, remote):
                places.linked(peer, remote)
                self._lobby.linked(peer, host_text(remote), now)
            case Disconnected(peer):
                self._lobby.unlinked(peer, now)
            case Unreachable(peer, reason):
                places.unreachable(peer)
                told = said.UNREACHABLE(who=self._name(peer), reason=reason)
                self._set.telling.warning("unreachable", told)
            case Refused(remote, reason):
                told = said.TURNED_AWAY(address=str(remote), reason=reason)
                self._set.telling.warning("refused", told)
            case Received(peer, payload) if is_lobby(payload):
                self._lobby.receive(peer, payload, now)
            case Received(peer, payload):
                self._heard_game(peer, payload)

    def _heard_game(self, peer: PeerId, payload: bytes) -> None:
        """Somebody is in the game already. All they say is asked for when we are."""
        try:
            gossip = decode_gossip(payload)
            if isinstance(gossip, Have):
                self._lobby.heard_game(peer, gossip.game)
            elif raw := getattr(gossip, "raw", b""):
                self._lobby.heard_game(peer, parse(raw).message.game)
        except WireError:
            self._mesh.reproach(peer)  # nothing of a lobby, and nothing of a game

    async def _asked(self, request: Request) -> None:
        match request.wish:
            case AddBot(bot) if bot not in BOTS:
                request.reply(Reply(NOT_POSSIBLE, f"There is no bot {bot[:40]!a}."))
                return
            case AddBot(bot):
                request.reply(await self._add_bot(bot))
                return
            case Quit():
                self._end = Closed("The program was stopped.", wished=True)
                request.reply(DONE)
                return
            case wish:
                reply = fulfil(self._lobby, wish, trio.current_time())
        request.reply(reply or Reply(NOT_POSSIBLE, "That is not possible before a game."))

    async def _add_bot(self, bot: str) -> Reply:
        sheet = self._lobby.sheet
        if sheet is None or not self._lobby.is_opener:
            return Reply(NOT_POSSIBLE, "Only whoever opened the table can send for a bot.")
        if len(sheet.seated) >= sheet.settings.seats:
            return Reply(NOT_POSSIBLE, "The table is full.")
        taken = [person.name for person in sheet.people]
        try:
            name = await self._set.bots.join(self._set.bot_invite(), bot, taken)
        except (JournalError, OSError) as error:
            return Reply(NOT_POSSIBLE, f"The bot cannot be started: {error}")
        self._on_the_way.add(name)
        self._set.telling.info("bot", said.BOT(who=name), name=name)
        return DONE

    def _bot_ended(self, bot: BotEnded) -> None:
        """A bot's process is gone, and will not come back: nobody waits for it."""
        sheet = self._lobby.sheet
        sits = bot.peer is not None and sheet is not None and sheet.person(bot.peer) is not None
        if not sits and bot.name not in self._on_the_way:
            return  # it was sent away, or has left
        self._on_the_way.discard(bot.name)
        if bot.peer is not None:
            self._lobby.has_gone(bot.peer)
        log = str(bot.log)
        told = said.BOT_SILENT(who=bot.name, file=log)
        if bot.last:
            told = said.BOT_FAILED(who=bot.name, reason=bot.last, file=log)
        self._set.telling.warning("bot-ended", told, name=bot.name)

    # --- what follows -----------------------------------------------------------------------------

    def _do_what_is_due(self) -> None:
        now = trio.current_time()
        if now >= self._lobby.due_at():
            self._lobby.tick(now)
        if now >= self._start_at:
            self._start_at = math.inf
            try:
                self._lobby.start(now)
            except NotPossible as error:
                self._set.telling.info("not-started", str(error))

    def _plan_start(self) -> None:
        """If the plan says so, start when everybody is there and ready."""
        sheet, now = self._lobby.sheet, trio.current_time()
        self._start_at = math.inf
        least = self._set.plan.start_when
        if sheet is None or not least or len(sheet.seated) < least or not self._lobby.is_opener:
            return
        if self._lobby.why_not_start(now) is None:
            self._start_at = max(now, self._not_before)
        elif self._lobby.why_not_start(at := self._lobby.startable_at()) is None:
            self._start_at = max(at, now, self._not_before)

    def _may_change_at(self) -> float:
        """When a new picture is due by the mere passing of time."""
        at = self._lobby.startable_at()
        return at if at > trio.current_time() else math.inf

    async def _carry_out(self) -> None:
        while effects := self._lobby.take():
            for effect in effects:
                await self._do(effect)

    async def _do(self, effect: Effect) -> None:
        match effect:
            case Send(peer, payload):
                self._mesh.send(peer, payload)
            case Keep(peer, addresses):
                self._set.places.keep_told(peer, addresses, self._teller(peer))
            case Drop(peer):
                self._set.places.drop(peer)
            case Told(event, text, warning, fields):
                self._tell(event, text, warning, fields)
            case Said(peer, name, text):
                self._set.telling.info("talk", text, peer=peer, name=name)
            case Enter():
                await trio.to_thread.run_sync(self._set.archive.keep, effect)
            case Withdraw():
                await trio.to_thread.run_sync(self._set.archive.forget, effect)
            case Begin():
                self._end = effect
            case Closed(text):
                self._set.telling.info("closed", text)
                self._end = effect

    def _teller(self, peer: PeerId) -> PeerId:
        """Who says where that peer can be reached: the opener's sheet, or to the opener itself."""
        sheet = self._lobby.sheet
        return peer if sheet is None or self._lobby.is_opener else sheet.opener

    def _tell(
        self, event: str, text: Sentence, warning: bool, fields: Mapping[str, object]
    ) -> None:
        if event == "garbled":
            # Not by the text: whoever sends junk would have new words for each.
            held_back = self._complaints.admit(self._sitter(fields), trio.current_time())
            if held_back is None:
                return
        if event in ("start-called-off", "start-void"):
            # Or a peer that never signs would make us ask for ever, as fast as it answers.
            self._not_before = trio.current_time() + PAUSE_SECONDS
        tell = self._set.telling.warning if warning else self._set.telling.info
        tell(event, text, **fields)

    def _sitter(self, fields: Mapping[str, object]) -> object:
        """The peer of an event, if it is at the table; all strangers are one."""
        sheet, peer = self._lobby.sheet, fields.get("peer")
        people = () if sheet is None else sheet.people
        return peer if peer in {person.peer for person in people} else None

    async def _meet_all(self) -> None:
        """Look who is on the sheet now."""
        sheet = self._lobby.sheet
        people = () if sheet is None else sheet.people
        self._on_the_way -= {person.name for person in people if person.bot}
        await self._meeting.look(people, self._mesh.linked)

    def _show(self) -> None:
        now = trio.current_time()
        self._set.on_change()
        picture = lobby_picture(self._lobby, self._set.around, now, self._mesh.linked)
        if picture is not None:
            self._set.desk.show_lobby(picture)

    def _name(self, peer: PeerId) -> str:
        sheet = self._lobby.sheet
        return peer if sheet is None else sheet.label(peer)
