"""The mesh: one link with every peer that can be reached, kept up for ever (SPEC 9.6).

Every peer with a known address is dialled, with growing pauses, whenever there is no link with
it (`dial`); everybody admitted may call (`door`). Both ways lead through the handshake
(`handshake`) to the verdicts, which say whether the link stays (`settle`), and then to messages
(`link`). What the node is told, and in which order, is the matter of `links`.
"""

import contextlib
import random
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Final

import trio

from p2pcoup.net.address import Address
from p2pcoup.net.credentials import Credentials
from p2pcoup.net.dial import Dialler
from p2pcoup.net.door import Doorman, RefusalReports
from p2pcoup.net.errors import BrokenLinkError, ClosedError, LinkError
from p2pcoup.net.events import Event, Unreachable
from p2pcoup.net.frame import check_payload
from p2pcoup.net.handshake import dial_channel, greet_dialler
from p2pcoup.net.limits import EVENT_BUFFER, Timing
from p2pcoup.net.link import Link
from p2pcoup.net.links import Held, Links
from p2pcoup.net.listening import address_of, caller_of, open_listeners
from p2pcoup.wire.identity import Identity, PeerId


class Mesh:
    """Links with peers. `open_mesh` makes one; then everything may be called at any time.

    `events` is for the node to read. It ends when the mesh has closed.
    """

    def __init__(
        self,
        identity: Identity,
        admit: Callable[[PeerId], bool],
        jitter: random.Random,
        timing: Timing,
    ) -> None:
        self.me: Final = identity.peer_id
        self._credentials: Final = Credentials(identity)
        self._jitter: Final = jitter
        self._timing: Final = timing
        self._events, self.events = trio.open_memory_channel[Event](EVENT_BUFFER)
        self._diallers: Final[dict[PeerId, Dialler]] = {}
        self._links: Final = Links(self.me, self._diallers, admit, self._events, timing)
        self._doorman: Final = Doorman()
        self._refusals: Final = RefusalReports(self._events)
        self._listeners: list[trio.SocketListener] = []
        self.addresses: tuple[Address, ...] = ()
        """Where this node listens, with the ports that the system chose."""
        self._nursery: trio.Nursery | None = None
        self._closing: Final = trio.Event()

    # --- what the node asks and says

    @property
    def linked(self) -> frozenset[PeerId]:
        """The peers there is a link with now."""
        return self._links.peers

    def round_trip(self, peer: PeerId) -> float | None:
        """Seconds a ping to the peer and back took lately; None if it is not known."""
        link = self._links.usable(peer)
        return None if link is None else link.round_trip

    def send(self, peer: PeerId, payload: bytes) -> bool:
        """Queue a message for one peer without waiting; whether there is a link that took it.

        Taken is not delivered: the link may break. A peer that lets MAX_QUEUED_BYTES pile up
        loses its link. Raises ValueError above MAX_PAYLOAD_BYTES.
        """
        check_payload(payload)
        link = self._links.usable(peer)
        return link is not None and link.offer(payload)

    def reproach(self, peer: PeerId) -> None:
        """Count what the peer has sent as junk: something that no honest peer sends or passes on.

        After JUNK_BURST of it the link is ended, and there is none for JUNK_PAUSE_SECONDS.
        """
        self._links.reproach(peer)

    def add_peer(self, peer: PeerId, address: Address | None) -> None:
        """Keep a link with this peer from now on, or dial it at a new address.

        Without an address the peer is waited for. Raises ValueError for this node itself.
        """
        if peer == self.me:
            raise ValueError("A node cannot have itself as a peer; leave its own id out.")
        if peer in self._diallers:
            self._diallers[peer].redirect(address)
            return
        dialler = Dialler(address, lambda: peer in self.linked, self._jitter, self._timing)
        self._diallers[peer] = dialler
        if self._nursery is not None:
            self._nursery.start_soon(self._keep_dialling, self._nursery, peer, dialler)

    def remove_peer(self, peer: PeerId) -> None:
        """Stop dialling this peer and say goodbye to it. It may still call if it is admitted."""
        dialler = self._diallers.pop(peer, None)
        if dialler is not None:
            dialler.stop()
        link = self._links.usable(peer)
        if link is not None:
            link.finish(ClosedError("This node no longer needs the link."))

    # --- opening and closing, for open_mesh

    async def bind(self, listen: Address) -> None:
        """Start to listen, before anything else. Raises PortInUseError or another ListenError."""
        self._listeners = await open_listeners(listen)
        self.addresses = tuple(map(address_of, self._listeners))

    async def run(self) -> None:
        """Keep the mesh until `close`, whatever is cancelled outside; `close` must follow."""
        try:
            with trio.CancelScope(shield=True):
                async with trio.open_nursery() as nursery:
                    self._nursery = nursery
                    for peer, dialler in self._diallers.items():
                        nursery.start_soon(self._keep_dialling, nursery, peer, dialler)
                    if self._listeners:
                        nursery.start_soon(trio.serve_listeners, self._answer, self._listeners)
                    await self._closing.wait()
                    await self._say_goodbye()
                    nursery.cancel_scope.cancel()
        finally:
            self._nursery = None
            self._events.close()

    def close(self) -> None:
        """Let `run` send what is queued, say goodbye and end, within `timing.close` seconds."""
        self._closing.set()

    async def _say_goodbye(self) -> None:
        for dialler in self._diallers.values():
            dialler.stop()
        with trio.move_on_after(self._timing.close):
            await self._links.finish_all(ClosedError("The node has closed."))

    # --- making links

    async def _keep_dialling(self, nursery: trio.Nursery, peer: PeerId, dialler: Dialler) -> None:
        async def attempt(address: Address) -> None:
            reason = await self._dial(nursery, peer, address)
            if reason is not None and peer not in self.linked and dialler.is_news(reason):
                await self._events.send(Unreachable(peer, reason))

        await dialler.run(attempt)

    async def _dial(self, nursery: trio.Nursery, peer: PeerId, address: Address) -> str | None:
        """One attempt and, if it succeeds, the link's life; why there was none, if so."""
        try:
            channel = await dial_channel(address, self._credentials, peer, self._timing)
        except LinkError as error:
            return str(error)
        held = Held(Link(channel, self._timing))
        # In a task of its own: when dialling is stopped, the link can still say goodbye.
        nursery.start_soon(self._links.live, held)
        await held.over.wait()
        return held.fault

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
                held = Held(Link(channel, self._timing), lambda: self._doorman.welcome(call))
                await self._links.live(held)
                # One that breaks off was not turned away; perhaps a newer link has replaced it.
                if held.fault is not None and not isinstance(held.ended, BrokenLinkError):
                    self._report_refusal(remote, held.fault)
            if scope.cancelled_caught:
                self._report_refusal(remote, "It was slow, and others were waiting.")
        except LinkError as error:
            self._report_refusal(remote, str(error))
        finally:
            self._doorman.leave(call)

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

    So it is also when the block is cancelled, which thus takes up to `timing.close` seconds. What
    the block raises comes out as it is, not in an exception group.

    Args:
        identity: who this node is.
        listen: where to accept callers; None: nowhere. Port 0: the system chooses (`addresses`).
        peers: the peers to keep links with, and where they listen if that is known.
        admit: who may call besides `peers`; by default nobody.
        jitter: the random part of pauses; needs no secrecy.
        timing: how long each phase may take.

    Raises:
        PortInUseError, or another ListenError: before the block is entered.
    """
    jitter = jitter or random.Random()  # noqa: S311 - spreads load, hides nothing
    mesh = Mesh(identity, admit, jitter, timing or Timing())
    for peer, address in peers.items():
        mesh.add_peer(peer, address)
    if listen is not None:
        await mesh.bind(listen)
    failure: Exception | None = None
    async with trio.open_nursery() as nursery:
        nursery.start_soon(mesh.run)
        try:
            yield mesh
        except Exception as error:  # noqa: BLE001 - raised again below, outside of the nursery
            failure = error
        finally:
            mesh.close()
    if failure is not None:
        raise failure
