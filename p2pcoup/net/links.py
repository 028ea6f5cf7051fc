"""All links of a node: each from the verdicts to the last thing told about it (SPEC 9.6).

For each peer, events come as Connected, Received and so on, Disconnected, and again: a new link
waits for its turn until the end of the old one has been told. When the node does not take events,
links are not read, and each waits for its turn: one that floods cannot shut out another.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

import trio

from p2pcoup.net.dial import Dialler
from p2pcoup.net.errors import JunkError, LinkError, ReplacedError
from p2pcoup.net.events import Connected, Disconnected, Event, Received
from p2pcoup.net.handshake import Channel
from p2pcoup.net.limits import FRAME_BURST, FRAMES_PER_SECOND, MAX_GUESTS, Timing
from p2pcoup.net.link import Link
from p2pcoup.net.patience import Credits, Patience
from p2pcoup.net.settle import SESSION_BYTES, LinkTable, settle
from p2pcoup.wire.identity import PeerId


@dataclass(slots=True, eq=False)
class Held:
    """A link and how far it has come: settled, its turn, told of, over."""

    link: Link
    on_settled: Callable[[], None] = lambda: None
    settled_at: float | None = None
    turn: trio.Semaphore | None = None
    told: bool = False
    """Whether the node knows of it, so that it must be told of its end."""
    ended: LinkError | None = None
    over: trio.Event = field(default_factory=trio.Event)

    @property
    def channel(self) -> Channel:
        """The link's channel."""
        return self.link.channel

    def replaced(self) -> None:
        """A newer link with the same peer counts now."""
        self.link.end(
            ReplacedError(
                "There is a newer link with the same peer. If this goes on, two nodes "
                "have been started with the same key."
            )
        )

    @property
    def fault(self) -> str | None:
        """Why the link never came about, if that is so; to be replaced is no fault."""
        if self.settled_at is not None or isinstance(self.ended, ReplacedError):
            return None
        return str(self.ended)


class Links:
    """At most one usable link for each peer.

    Args:
        me: this node.
        named: the peers the node named, and who dials them.
        admit: who may call besides those.
        events: where the node is told.
        timing: how long each phase may take.
    """

    def __init__(
        self,
        me: PeerId,
        named: Mapping[PeerId, Dialler],
        admit: Callable[[PeerId], bool],
        events: trio.MemorySendChannel[Event],
        timing: Timing,
    ) -> None:
        self._named: Final = named
        self._admit: Final = admit
        self._events: Final = events
        self._timing: Final = timing
        self._table: Final = LinkTable[Held](me, os.urandom(SESSION_BYTES))
        self._guests: Final[set[Held]] = set()
        self._turns: Final[dict[PeerId, trio.Semaphore]] = {}
        self._patience: Final = Patience()
        self._rates: Final = Credits(FRAME_BURST, FRAMES_PER_SECOND)
        self._closing = False

    def usable(self, peer: PeerId) -> Link | None:
        """The link that takes messages for the peer, if there is one."""
        held = self._table.current(peer)
        return held.link if held is not None and held.link.usable else None

    @property
    def peers(self) -> frozenset[PeerId]:
        """The peers there is a usable link with."""
        return frozenset(peer for peer in self._table.peers() if self.usable(peer) is not None)

    def reproach(self, peer: PeerId) -> None:
        """The peer has sent what no honest one sends; too much of it ends its link."""
        if self._patience.reproach(peer, trio.current_time()):
            link = self.usable(peer)
            if link is not None:
                link.end(JunkError(f"{link.remote} sent too much that is of no use."))

    async def live(self, held: Held) -> None:
        """The whole life of a link whose channel is new. Afterwards `held` says how it went."""
        try:
            await self._run(held)
            if held.told:
                await self._events.send(Disconnected(held.link.peer, str(held.ended)))
        finally:
            if held.turn is not None:
                held.turn.release()
                if held.turn.value > 0:  # nobody waits: strangers must not fill the table
                    del self._turns[held.link.peer]

    async def finish_all(self, reason: LinkError) -> None:
        """Take no more links; send what is queued, say goodbye, and wait for the ends."""
        self._closing = True
        held = [each for each in map(self._table.current, self._table.peers()) if each is not None]
        for each in held:
            each.link.finish(reason)
        for each in held:
            await each.over.wait()

    async def _run(self, held: Held) -> None:
        peer = held.link.peer
        try:
            held.ended = await held.link.run(
                lambda _link: self._settle(held), lambda _link: self._consume(held)
            )
        finally:
            self._guests.discard(held)
            if self._table.drop(peer, held) and peer in self._named:
                now = trio.current_time()
                self._named[peer].lost(0.0 if held.settled_at is None else now - held.settled_at)
            held.over.set()

    async def _settle(self, held: Held) -> None:
        await settle(held, self._table, lambda peer: self._objection(peer, held), self._timing)
        held.settled_at = trio.current_time()
        held.on_settled()
        if held.link.peer in self._named:
            self._named[held.link.peer].linked()

    def _objection(self, peer: PeerId, held: Held) -> str | None:
        if self._closing:
            return "This node is closing."
        if self._patience.is_over(peer, trio.current_time()):
            return "You have sent too much that is of no use; wait a little."
        if peer in self._named:
            return None
        if not self._admit(peer):
            return "This node does not know you and expects no guests."
        guests = {guest.link.peer for guest in self._guests} - self._named.keys()
        if len(guests - {peer}) >= MAX_GUESTS:
            return "This node has too many guests."
        self._guests.add(held)
        return None

    async def _consume(self, held: Held) -> None:
        peer = held.link.peer
        turn = self._turns.setdefault(peer, trio.Semaphore(1))
        await turn.acquire()
        held.turn = turn
        await self._events.send(Connected(peer, held.link.remote))
        held.told = True

        async def allow() -> None:
            while not self._rates.take(peer, trio.current_time()):
                await trio.sleep(1 / FRAMES_PER_SECOND)

        while True:
            payload = await held.link.receive(allow)
            await self._events.send(Received(peer, payload))
