"""One link: framed messages both ways over an authenticated stream, kept alive (SPEC 9.5).

Two tasks share the stream. One writes what is queued, and a ping when nothing was sent for a
while; the other reads and hands messages to the user, who may take his time: while he does, the
link is not read, and TCP slows the peer down. Pings are answered here, at most one answer waiting
at any time, so a flood of pings takes no memory.

Why a link ended is a value, not an exception: `run` returns it. The first of several counts.
"""

import contextlib
import struct
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

import trio

from p2pcoup.net.address import Address
from p2pcoup.net.errors import (
    MAX_REASON_BYTES,
    BrokenLinkError,
    ClosedByPeerError,
    ClosedError,
    FrameError,
    LinkError,
    SilentPeerError,
    SlowPeerError,
    printable,
)
from p2pcoup.net.frame import Frame, FrameDecoder, FrameType, encode_frame
from p2pcoup.net.handshake import Channel
from p2pcoup.net.limits import MAX_FRAME_BYTES, MAX_QUEUED_BYTES, QUEUED_FRAME_COST, Timing
from p2pcoup.wire.identity import PeerId

_READ_BYTES: Final = 64 * 1024
_PING: Final = struct.Struct(">Q")

Part: TypeAlias = Callable[["Link"], Awaitable[None]]


async def _at_once() -> None:
    """Nobody has to wait."""


class Link:
    """A link with one peer. `run` is its whole life; everything else may be called meanwhile."""

    def __init__(self, channel: Channel, timing: Timing) -> None:
        self.channel: Final = channel
        self._timing: Final = timing
        self._scope: Final = trio.CancelScope()
        self._consuming: Final = trio.CancelScope()
        self._decoder: Final = FrameDecoder()
        self._queue: Final[deque[bytes]] = deque()
        self._queued_bytes = 0
        self._pong: bytes | None = None
        self._pings = 0
        self._ping_sent_at = 0.0
        self._wake = trio.Event()
        self._last_words: bytes | None = None
        self._ended: LinkError | None = None
        self._finishing: LinkError | None = None
        self.round_trip: float | None = None
        """Seconds from the latest answered ping to its pong; None before the first."""

    @property
    def peer(self) -> PeerId:
        """The authenticated peer at the other end."""
        return self.channel.peer

    @property
    def remote(self) -> Address:
        """The address the connection goes to or comes from."""
        return self.channel.remote

    @property
    def queued_bytes(self) -> int:
        """What waits to be sent, as counted against MAX_QUEUED_BYTES."""
        return self._queued_bytes

    @property
    def usable(self) -> bool:
        """Whether messages can be offered: it has not ended and is not about to."""
        return self._ended is None and self._finishing is None

    def offer(self, payload: bytes) -> bool:
        """Queue a message without waiting; whether it was taken.

        A peer that has let the queue fill up does not read: its link ends with SlowPeerError.
        Raises ValueError for a payload above MAX_PAYLOAD_BYTES.
        """
        frame = encode_frame(Frame(FrameType.DATA, payload))
        if not self.usable:
            return False
        cost = len(frame) + QUEUED_FRAME_COST
        if self._queued_bytes + cost > MAX_QUEUED_BYTES:
            self.end(
                SlowPeerError(
                    f"{self.remote} does not read: {len(self._queue)} messages are waiting."
                )
            )
            return False
        self._queue.append(frame)
        self._queued_bytes += cost
        self._wake.set()
        return True

    def end(self, reason: LinkError) -> None:
        """End the link at once. `run` returns the reason of the first call, or of `finish`."""
        if self._ended is None:
            self._ended = self._finishing or reason
            self._scope.cancel()

    def finish(self, reason: LinkError, words: str | None = None) -> None:
        """Send what is queued and a goodbye, then end the link.

        The goodbye's words are what the peer is told; by default the reason itself.
        """
        if self.usable:
            self._finishing = reason
            self._last_words = (words or str(reason)).encode("ascii", "replace")[:MAX_REASON_BYTES]
            self._wake.set()

    async def run(self, settle: Part, consume: Part) -> LinkError:
        """Live until the link ends, and return why.

        First `settle` has the stream for itself (verdicts, SPEC 9.4). Then messages are sent, and
        `consume` runs beside; it calls `receive` again and again. It is cancelled when the link
        ends; until then it may finish only by raising LinkError.
        """
        try:
            with self._scope:
                await self._guard(settle)
                if self._ended is None:
                    async with trio.open_nursery() as nursery:
                        nursery.start_soon(self._guard, Link._write)
                        nursery.start_soon(self._guard, lambda _link: self._read(consume))
        finally:
            await trio.aclose_forcefully(self.channel.stream)
        return self._ended or ClosedError("This node closed the link.")

    async def _guard(self, part: Part) -> None:
        try:
            await part(self)
        except LinkError as error:
            self.end(error)

    # --- reading

    async def receive(self, allow: Callable[[], Awaitable[None]] = _at_once) -> bytes:
        """The next message of the peer. Before each frame, of whatever type, ``allow`` may make
        the peer wait. Raises LinkError when there are no more.
        """
        while True:
            frame = self._decoder.next_frame()
            if frame is None:
                self._decoder.feed(await self._receive_some())
                continue
            await allow()
            match frame.type:
                case FrameType.DATA:
                    return frame.payload
                case FrameType.PING:
                    self._pong = frame.payload
                    self._wake.set()
                    await trio.lowlevel.checkpoint()  # thousands of pings may lie there
                case FrameType.PONG:
                    self._take_pong(frame.payload)
                    await trio.lowlevel.checkpoint()
                case FrameType.BYE:
                    reason = printable(frame.payload)
                    raise ClosedByPeerError(f"{self.remote} closed the link: {reason}")

    def _take_pong(self, payload: bytes) -> None:
        if payload == _PING.pack(self._pings):
            self.round_trip = trio.current_time() - self._ping_sent_at

    async def _read(self, consume: Part) -> None:
        """The reading task: the user's part, and after our goodbye what still comes."""
        try:
            with self._consuming:
                await consume(self)
        except FrameError as error:
            self._reject(str(error))
        with trio.move_on_after(self._timing.close):
            await self._discard()
        self.end(ClosedError("This node closed the link."))

    def _reject(self, fault: str) -> None:
        """The peer does not keep to the rules of frames: tell it what is wrong, and no more."""
        self._queue.clear()
        self._queued_bytes = 0
        self._pong = None
        self.finish(FrameError(f"{self.remote} sent {fault}."), f"You sent {fault}.")

    async def _discard(self) -> None:
        """Read on until the peer closes, or says goodbye as well; always raises LinkError.

        Closing a socket with unread bytes resets the connection, and then what was just sent may
        be lost. So the peer closes first.
        """
        with contextlib.suppress(FrameError):
            while True:
                await self.receive()
        while True:
            await self._receive_some()

    async def _receive_some(self) -> bytes:
        try:
            with trio.fail_after(self._timing.dead_after):
                data = bytes(await self.channel.stream.receive_some(_READ_BYTES))
        except trio.TooSlowError as error:
            raise SilentPeerError(
                f"Nothing was heard from {self.remote} for {self._timing.dead_after:g} s."
            ) from error
        except (trio.BrokenResourceError, trio.ClosedResourceError, OSError) as error:
            raise BrokenLinkError(f"The connection with {self.remote} broke.") from error
        if not data:
            raise ClosedByPeerError(f"{self.remote} closed the link.")
        return data

    # --- writing

    async def _write(self) -> None:
        """The writing task: ends after the goodbye, and leaves the closing to the reading task."""
        while not self._said_goodbye():
            if not self._has_work():
                self._wake = trio.Event()
                with trio.move_on_after(self._timing.ping_after):
                    await self._wake.wait()
            await self._send(self._next_bytes())
        self._consuming.cancel()

    def _said_goodbye(self) -> bool:
        return self._finishing is not None and self._last_words is None

    def _has_work(self) -> bool:
        return bool(self._queue) or self._pong is not None or self._last_words is not None

    def _next_bytes(self) -> bytes:
        """The next write: a pong, queued messages up to about a frame, a goodbye; else a ping."""
        parts: list[bytes] = []
        if self._pong is not None:
            parts.append(encode_frame(Frame(FrameType.PONG, self._pong)))
            self._pong = None
        size = 0
        while self._queue and size < MAX_FRAME_BYTES:
            frame = self._queue.popleft()
            self._queued_bytes -= len(frame) + QUEUED_FRAME_COST
            size += len(frame)
            parts.append(frame)
        if self._last_words is not None and not self._queue:
            parts.append(encode_frame(Frame(FrameType.BYE, self._last_words)))
            self._last_words = None
        if not parts:
            self._pings += 1
            self._ping_sent_at = trio.current_time()
            parts.append(encode_frame(Frame(FrameType.PING, _PING.pack(self._pings))))
        return b"".join(parts)

    async def _send(self, data: bytes) -> None:
        try:
            with trio.fail_after(self._timing.dead_after):
                await self.channel.stream.send_all(data)
        except trio.TooSlowError as error:
            raise SlowPeerError(
                f"{self.remote} has read nothing for {self._timing.dead_after:g} s."
            ) from error
        except (trio.BrokenResourceError, trio.ClosedResourceError, OSError) as error:
            raise BrokenLinkError(f"The connection with {self.remote} broke.") from error
