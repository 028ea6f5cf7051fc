"""The mesh: one link with every peer that can be reached, kept up for ever (SPEC 9.6).

Every peer with a known address is dialled, with growing pauses, whenever there is no link with
it; everybody admitted may call. Which of two links with one peer stays is settled in the verdicts
that end the handshake (`settle`).

For each peer, events come as Connected, Received and so on, Disconnected, and again: a new link
waits for its turn until the end of the old one has been told.
"""

import contextlib
import os
import random
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

import trio

from p2pcoup.net.address import Address
from p2pcoup.net.credentials import Credentials
from p2pcoup.net.crossing import LinkTable
from p2pcoup.net.doorman import Call, Doorman
from p2pcoup.net.errors import ClosedError, LinkError, ReplacedError
from p2pcoup.net.events import Connected, Disconnected, Event, Received, Unreachable
from p2pcoup.net.frame import check_payload
from p2pcoup.net.handshake import Channel, dial_channel, greet_dialler
from p2pcoup.net.limits import EVENT_BUFFER, MAX_UNKNOWN_LINKS, STABLE_AFTER, Timing
from p2pcoup.net.link import Link
from p2pcoup.net.listen import address_of, caller_of, open_listeners
from p2pcoup.net.pacing import Backoff
from p2pcoup.net.refusals import RefusalReports
from p2pcoup.net.settle import settle
from p2pcoup.net.verdict import SESSION_BYTES
from p2pcoup.wire.identity import Identity, PeerId


@dataclass(slots=True, eq=False)
class _Held:
    """A link and its way through settling, Connected, Disconnected."""

    link: Link
    call: Call | None
    turn: trio.Semaphore | None = None
    connected_at: float | None = None
    finished: trio.Event = field(default_factory=trio.Event)

    @property
    def channel(self) -> Channel:
        return self.link.channel

    def replaced(self) -> None:
        self.link.end(
            ReplacedError(
                "There is a newer link with the same peer. If this goes on, two nodes "
                "have been started with the same key."
            )
        )


@dataclass(slots=True, eq=False)
class _Known:
    """A peer the node named. Without an address it can only call."""

    address: Address | None
    backoff: Backoff
    wake: trio.Event = field(default_factory=trio.Event)
    dialling: trio.CancelScope = field(default_factory=trio.CancelScope)
    reported: str | None = None


class Mesh:
    """Links with peers. Everything but `bind`, `run` and `close` may be called at any time.

    Args:
        identity: who this node is; it has a link with each peer but itself.
        listen: where to accept callers; None: nowhere. Port 0: the system chooses (`addresses`).
        peers: the peers to keep links with, and where they listen if that is known.
        admit: who may call besides `peers`; by default nobody.
        jitter: the random part of pauses; needs no secrecy.
        timing: how long each phase may take.
    """

    def __init__(
        self,
        identity: Identity,
        *,
        listen: Address | None,
        peers: Mapping[PeerId, Address | None],
        admit: Callable[[PeerId], bool] = lambda _peer: False,
        jitter: random.Random | None = None,
        timing: Timing | None = None,
    ) -> None:
        self.me: Final = identity.peer_id
        self._credentials: Final = Credentials(identity)
        self._listen: Final = listen
        self._admit: Final = admit
        self._jitter: Final = jitter or random.Random()  # noqa: S311 - spreads load, hides nothing
        self._timing: Final = timing or Timing()
        self._table: Final = LinkTable[_Held](self.me, os.urandom(SESSION_BYTES))
        self._known: Final[dict[PeerId, _Known]] = {}
        self._turns: Final[dict[PeerId, trio.Semaphore]] = {}
        self._changed = trio.Event()
        self._doorman: Final = Doorman()
        self._listeners: list[trio.SocketListener] = []
        self._nursery: trio.Nursery | None = None
        self._closing: Final = trio.Event()
        self._closed: Final = trio.Event()
        self._events, self.events = trio.open_memory_channel[Event](EVENT_BUFFER)
        self._refusals: Final = RefusalReports(self._events)
        for peer, address in peers.items():
            self.add_peer(peer, address)

    # --- what the node asks and says

    @property
    def addresses(self) -> tuple[Address, ...]:
        """Where this node listens, once it does."""
        return tuple(address_of(listener) for listener in self._listeners)

    @property
    def linked(self) -> frozenset[PeerId]:
        """The peers there is a link with now."""
        return frozenset(peer for peer in self._table.peers() if self._current(peer) is not None)

    def round_trip(self, peer: PeerId) -> float | None:
        """Seconds a ping to the peer and back took lately; None if it is not known."""
        held = self._current(peer)
        return None if held is None else held.link.round_trip

    def send(self, peer: PeerId, payload: bytes) -> bool:
        """Queue a message for one peer without waiting; whether there is a link that took it.

        Taken is not delivered: the link may break. Raises ValueError above MAX_PAYLOAD_BYTES.
        """
        check_payload(payload)
        held = self._current(peer)
        return held is not None and held.link.offer(payload)

    def broadcast(self, payload: bytes, but: PeerId | None = None) -> None:
        """Queue a message for every linked peer, except one (from whom it came)."""
        check_payload(payload)
        for peer in self.linked:
            if peer != but:
                self.send(peer, payload)

    def add_peer(self, peer: PeerId, address: Address | None) -> None:
        """Keep a link with this peer from now on, or dial it at a new address."""
        if peer == self.me:
            raise ValueError("A node cannot have itself as a peer; leave its own id out.")
        known = self._known.get(peer)
        if known is not None:
            known.address = address
            known.backoff.reset()
            known.wake.set()
            self._notify()
            return
        known = self._known[peer] = _Known(address, Backoff(self._jitter))
        if self._nursery is not None:
            self._nursery.start_soon(self._keep_dialling, peer, known)

    def remove_peer(self, peer: PeerId) -> None:
        """Stop dialling this peer and say goodbye to it. It may still call if `admit` says so."""
        known = self._known.pop(peer, None)
        if known is not None:
            known.dialling.cancel()
        held = self._current(peer)
        if held is not None:
            held.link.finish(ClosedError("This node no longer needs the link."))

    async def bind(self) -> None:
        """Start to listen, so that errors come before anything else. `run` does it if need be.

        Raises PortInUseError, or ListenError for other reasons.
        """
        if self._listen is not None and not self._listeners:
            self._listeners = await open_listeners(self._listen)

    async def run(self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Keep the mesh until `close` or cancellation. `events` ends when this returns."""
        try:
            await self.bind()
            async with trio.open_nursery() as nursery:
                self._nursery = nursery
                for peer, known in self._known.items():
                    nursery.start_soon(self._keep_dialling, peer, known)
                if self._listeners:
                    nursery.start_soon(trio.serve_listeners, self._answer, self._listeners)
                task_status.started()
                await self._closing.wait()
                await self._say_goodbye()
                nursery.cancel_scope.cancel()
        finally:
            self._shut()

    async def close(self) -> None:
        """Send what is queued, say goodbye, end `run`. Takes at most `timing.close` seconds."""
        self._closing.set()
        if self._nursery is None:
            self._shut()
        await self._closed.wait()

    def _shut(self) -> None:
        self._nursery = None
        self._events.close()
        for listener in self._listeners:
            listener.socket.close()
        self._closed.set()

    async def _say_goodbye(self) -> None:
        with trio.move_on_after(self._timing.close):
            links = [self._table.current(peer) for peer in self._table.peers()]
            for held in filter(None, links):
                held.link.finish(ClosedError("The node has closed."))
            for held in filter(None, links):
                await held.finished.wait()

    # --- making links

    async def _answer(self, stream: trio.SocketStream) -> None:
        """Serve one incoming connection. Never raises for what the caller does."""
        remote = caller_of(stream)
        if remote is None:
            await trio.aclose_forcefully(stream)
            return
        scope = trio.CancelScope()
        call = self._doorman.knock(remote.host, trio.current_time(), scope.cancel)
        if call is None:
            await trio.aclose_forcefully(stream)
            self._report_refusal(remote, "Too many connections from there.")
            return
        try:
            with scope:
                channel = await greet_dialler(stream, self._credentials, remote, self._timing)
                held = _Held(Link(channel, self._timing), call)
                ended = await self._live(held)
                if held.connected_at is None and not isinstance(ended, ReplacedError):
                    self._report_refusal(remote, str(ended))
            if scope.cancelled_caught:
                self._report_refusal(remote, "It was slow, and others were waiting.")
        except LinkError as error:
            self._report_refusal(remote, str(error))
        finally:
            self._doorman.leave(call)

    async def _keep_dialling(self, peer: PeerId, known: _Known) -> None:
        with known.dialling:
            await self._until_link_is_missing(peer, known)
            while True:
                reason = await self._dial(peer, known)
                if reason is not None and self._current(peer) is None:
                    await self._report_unreachable(peer, known, reason)
                await self._pause(peer, known)

    async def _pause(self, peer: PeerId, known: _Known) -> None:
        """Until a link is missing and has been for the pause that is due, or the node is asked to
        hurry. Also after a link that lasted: who lost it at the other end will dial as well."""
        while True:
            await self._until_link_is_missing(peer, known)
            with trio.move_on_after(known.backoff.next_pause()):
                await known.wake.wait()
            known.wake = trio.Event()
            if self._link_is_missing(peer, known):
                return

    async def _until_link_is_missing(self, peer: PeerId, known: _Known) -> None:
        while not self._link_is_missing(peer, known):
            await self._changed.wait()

    def _link_is_missing(self, peer: PeerId, known: _Known) -> bool:
        can_dial = known.address is not None and not self._closing.is_set()
        return can_dial and self._current(peer) is None

    async def _dial(self, peer: PeerId, known: _Known) -> str | None:
        """One attempt and, if it succeeds, the link's life; why there was none, if so."""
        if known.address is None or self._nursery is None:
            return None
        try:
            channel = await dial_channel(known.address, self._credentials, peer, self._timing)
        except LinkError as error:
            return str(error)
        held = _Held(Link(channel, self._timing), None)
        # Not in this task: when the peer is removed, dialling stops but the goodbye is still said.
        self._nursery.start_soon(self._live, held)
        await held.finished.wait()
        if held.connected_at is not None or isinstance(held.link.ended, ReplacedError):
            return None
        return str(held.link.ended)

    # --- the life of a link

    async def _live(self, held: _Held) -> LinkError:
        """Settle the link, pass on what comes, and tell the node about its beginning and end."""
        peer = held.link.peer
        try:
            ended = await held.link.run(
                lambda _link: self._settle(held), lambda _link: self._consume(held)
            )
            self._release(held)
            if held.connected_at is not None:
                await self._events.send(Disconnected(peer, str(ended)))
            return ended
        finally:
            self._release(held)
            if held.turn is not None:
                held.turn.release()
                if held.turn.value > 0:  # nobody waits: strangers must not fill the table
                    del self._turns[peer]
            held.finished.set()

    async def _settle(self, held: _Held) -> None:
        await settle(held, self._table, self._objection, self._timing)
        self._notify()
        if held.call is not None:
            self._doorman.leave(held.call)

    def _objection(self, peer: PeerId) -> str | None:
        if self._closing.is_set():
            return "This node is closing."
        if peer in self._known:
            return None
        if not self._admit(peer):
            return "This node does not know you and expects no guests."
        guests = self._table.peers() - self._known.keys()
        if len(guests - {peer}) >= MAX_UNKNOWN_LINKS:
            return "This node has too many guests."
        return None

    async def _consume(self, held: _Held) -> None:
        peer = held.link.peer
        turn = self._turns.setdefault(peer, trio.Semaphore(1))
        await turn.acquire()
        held.turn = turn
        await self._events.send(Connected(peer, held.link.remote))
        held.connected_at = trio.current_time()
        if peer in self._known:
            self._known[peer].reported = None
        while True:
            await self._events.send(Received(peer, await held.link.receive()))

    def _current(self, peer: PeerId) -> _Held | None:
        held = self._table.current(peer)
        return held if held is not None and held.link.ended is None else None

    def _release(self, held: _Held) -> None:
        peer = held.link.peer
        if not self._table.drop(peer, held):
            return
        lasted = 0.0 if held.connected_at is None else trio.current_time() - held.connected_at
        if lasted >= STABLE_AFTER and peer in self._known:
            self._known[peer].backoff.reset()
        self._notify()

    def _notify(self) -> None:
        self._changed.set()
        self._changed = trio.Event()

    # --- telling the node

    async def _report_unreachable(self, peer: PeerId, known: _Known, reason: str) -> None:
        if reason != known.reported:
            known.reported = reason
            await self._events.send(Unreachable(peer, reason))

    def _report_refusal(self, remote: Address, reason: str) -> None:
        self._refusals.report(remote, reason, trio.current_time())


@contextlib.asynccontextmanager
async def open_mesh(
    identity: Identity,
    *,
    listen: Address | None,
    peers: Mapping[PeerId, Address | None],
    admit: Callable[[PeerId], bool] = lambda _peer: False,
    jitter: random.Random | None = None,
    timing: Timing | None = None,
) -> AsyncIterator[Mesh]:
    """A running mesh for the length of the block; then what is queued is sent and links closed.

    Raises PortInUseError or another ListenError before the block is entered. What the block
    raises comes out as it is, not in an exception group.
    """
    mesh = Mesh(identity, listen=listen, peers=peers, admit=admit, jitter=jitter, timing=timing)
    await mesh.bind()
    failure: Exception | None = None
    async with trio.open_nursery() as nursery:
        await nursery.start(mesh.run)
        try:
            yield mesh
        except Exception as error:  # noqa: BLE001 - raised again below, outside of the nursery
            failure = error
        finally:
            with trio.CancelScope(shield=True):
                await mesh.close()
    if failure is not None:
        raise failure
