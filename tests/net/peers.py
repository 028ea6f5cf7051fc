"""Real nodes whose events a test can wait for, and peers that a test plays by hand.

Not a test module. Waiting is for something to happen; SOON only ends a test that would hang.
"""

import contextlib
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Final, TypeVar

import trio

from p2pcoup.net import Address, Connected, Disconnected, Event, Mesh, Received, open_mesh
from p2pcoup.net.credentials import Credentials
from p2pcoup.net.frame import Frame, FrameDecoder, FrameType, encode_frame
from p2pcoup.net.handshake import Channel, dial_channel, greet_dialler, greet_listener
from p2pcoup.net.limits import Timing
from p2pcoup.net.settle import SESSION_BYTES, Accepted, receive_verdict, send_verdict
from p2pcoup.wire.identity import Identity, PeerId

SOON: Final = 15.0
"""Seconds after which what a test waits for will not happen any more."""

FAST: Final = Timing(ping_after=0.2, first_pause=0.01, last_pause=0.1)
"""Short pauses between dials; patient with honest peers on a busy machine."""

ANYWHERE: Final = Address("127.0.0.1", 0)

T = TypeVar("T")


async def soon(work: Callable[[], Awaitable[T]]) -> T:
    """What the work returns, which it has to do soon."""
    with trio.fail_after(SOON):
        return await work()


# --- connections -------------------------------------------------------------------------------


async def connect(address: Address) -> trio.SocketStream:
    """A bare TCP connection."""
    with trio.fail_after(SOON):
        return await trio.open_tcp_stream(address.host, address.port)


async def rest_of(stream: trio.abc.ReceiveStream) -> bytes:
    """All that still comes until the other end closes, in whatever way."""
    received = b""
    with trio.fail_after(SOON), contextlib.suppress(trio.BrokenResourceError):
        while part := await stream.receive_some(65536):
            received += bytes(part)
    return received


@contextlib.asynccontextmanager
async def socket_pair() -> AsyncIterator[tuple[trio.SocketStream, trio.SocketStream]]:
    """Both ends of one TCP connection over loopback; closed afterwards."""
    (listener,) = await trio.open_tcp_listeners(0, host=ANYWHERE.host)
    async with listener:
        port = listener.socket.getsockname()[1]
        one = await connect(Address(ANYWHERE.host, port))
        two = await listener.accept()
    try:
        yield one, two
    finally:
        await trio.aclose_forcefully(one)
        await trio.aclose_forcefully(two)


@contextlib.asynccontextmanager
async def channel_pair(
    dialler: Credentials, listener: Credentials
) -> AsyncIterator[tuple[Channel, Channel]]:
    """Both ends of one TLS connection over loopback, the dialler's first; closed afterwards."""
    channels: dict[str, Channel] = {}
    async with socket_pair() as (one, two):

        async def greet() -> None:
            channels["dialler"] = await greet_listener(one, dialler, None, ANYWHERE, Timing())

        with trio.fail_after(SOON):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(greet)
                channels["listener"] = await greet_dialler(two, listener, ANYWHERE, Timing())
        try:
            yield channels["dialler"], channels["listener"]
        finally:
            await trio.aclose_forcefully(channels["dialler"].stream)
            await trio.aclose_forcefully(channels["listener"].stream)


def open_files() -> int | None:
    """How many file descriptors this process has open; None where the system does not say."""
    try:
        return len(os.listdir("/dev/fd"))  # noqa: PTH208 - a Path would have to be iterated
    except OSError:
        return None


# --- a peer by hand ----------------------------------------------------------------------------


class Hand:
    """One end of a settled link that does exactly what the test says, and nothing else."""

    def __init__(self, channel: Channel) -> None:
        self.channel = channel
        self._decoder = FrameDecoder()

    async def say(self, kind: FrameType, payload: bytes = b"") -> None:
        """Send one frame."""
        await self.write(encode_frame(Frame(kind, payload)))

    async def write(self, data: bytes) -> None:
        """Send any bytes."""
        with trio.fail_after(SOON):
            await self.channel.stream.send_all(data)

    async def hear(self, *kinds: FrameType) -> Frame | None:
        """The next frame (of one of these kinds, if some are given); None at the end."""
        with trio.fail_after(SOON):
            while True:
                frame = self._decoder.next_frame()
                if frame is None:
                    try:
                        data = await self.channel.stream.receive_some(65536)
                    except trio.BrokenResourceError:
                        return None
                    if not data:
                        return None
                    self._decoder.feed(bytes(data))
                elif not kinds or frame.type in kinds:
                    return frame

    async def close(self) -> None:
        """Close the connection without a word."""
        await trio.aclose_forcefully(self.channel.stream)


@contextlib.asynccontextmanager
async def hand_dials(
    address: Address, credentials: Credentials, number: int = 1
) -> AsyncIterator[Hand]:
    """Dial a node and let it accept the link; closed afterwards."""
    channel = await dial_channel(address, credentials, None, Timing())
    try:
        assert isinstance(await receive_verdict(channel, Timing()), Accepted)
        await send_verdict(channel, Accepted(b"by hand." * (SESSION_BYTES // 8), number), Timing())
        yield Hand(channel)
    finally:
        await trio.aclose_forcefully(channel.stream)


# --- whole nodes -------------------------------------------------------------------------------


class Node:
    """A mesh whose events are read as they come, and kept."""

    def __init__(self, mesh: Mesh) -> None:
        self.mesh = mesh
        self.events: list[Event] = []
        self._more = trio.Event()

    @property
    def me(self) -> PeerId:
        return self.mesh.me

    @property
    def address(self) -> Address:
        """Where the node listens."""
        (address,) = self.mesh.addresses
        return address

    async def read(self) -> None:
        """Read until the mesh has closed."""
        async for event in self.mesh.events:
            self.events.append(event)
            self._more.set()
            self._more = trio.Event()

    async def until(self, reached: Callable[[], bool]) -> None:
        """Wait for the event after which the condition holds."""
        try:
            with trio.fail_after(SOON):
                while not reached():
                    await self._more.wait()
        except trio.TooSlowError:
            raise AssertionError(f"It never came to that; {self.events[-20:]}") from None

    def of(self, kind: type[T], peer: PeerId | None = None) -> list[T]:
        """The events of this kind, of one peer if it is given."""
        return [
            event
            for event in self.events
            if isinstance(event, kind) and (peer is None or getattr(event, "peer", None) == peer)
        ]

    def is_linked(self, peer: PeerId) -> bool:
        """Whether the last that was told about the peer is that there is a link."""
        return len(self.of(Connected, peer)) == len(self.of(Disconnected, peer)) + 1

    def received(self, peer: PeerId) -> list[bytes]:
        """The messages that came from the peer."""
        return [event.payload for event in self.of(Received, peer)]


@contextlib.asynccontextmanager
async def open_node(
    identity: Identity,
    peers: Mapping[PeerId, Address | None] | None = None,
    *,
    listen: Address | None = ANYWHERE,
    admit: Callable[[PeerId], bool] = lambda _peer: False,
    timing: Timing = FAST,
) -> AsyncIterator[Node]:
    """A running node on a free port of this computer."""
    async with trio.open_nursery() as nursery:
        opened = open_mesh(identity, listen=listen, peers=peers or {}, admit=admit, timing=timing)
        async with opened as mesh:
            node = Node(mesh)
            nursery.start_soon(node.read)
            yield node


async def linked(one: Node, two: Node) -> None:
    """Wait until both have been told of a link with each other."""
    await one.until(lambda: one.is_linked(two.me))
    await two.until(lambda: two.is_linked(one.me))


async def talk(one: Node, two: Node, words: bytes) -> None:
    """A message there and one back, over the link there is."""
    for speaker, listener in ((one, two), (two, one)):
        before = len(listener.received(speaker.me))
        assert speaker.mesh.send(listener.me, words)
        await listener.until(lambda: len(listener.received(speaker.me)) > before)  # noqa: B023
        assert listener.received(speaker.me)[-1] == words
