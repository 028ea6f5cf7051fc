"""One link: framed messages both ways over an authenticated stream, kept alive (SPEC 9.5).

Two tasks share the stream. One writes what is queued, and a ping when nothing was sent for a
while; the other reads and hands messages to the user, who may take his time: while he does, the
link is not read, and TCP slows the peer down. Pings are answered here, at most one answer waiting
at any time, so a flood of pings takes no memory.

Why a link ended is a value, not an exception: `run` returns it. The first of several counts.
"""

import struct
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Final

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


class Link:
    """A link with one peer. `run` is its whole life; everything else may be called meanwhile."""

    def __init__(self, channel: Channel, timing: Timing) -> None:
        self.channel: Final = channel
        self._timing: Final = timing
        self._scope: Final = trio.CancelScope()
        self._decoder: Final = FrameDecoder()
        self._queue: Final[deque[bytes]] = deque()
        self._queued_bytes = 0
        self._pong: bytes | None = None
        self._pings = 0
        self._ping_sent_at = 0.0
        self._wake = trio.Event()
        self._last_words: LinkError | None = None
        self._goodbye: LinkError | None = None
        self._ended: LinkError | None = None
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
    def ended(self) -> LinkError | None:
        """Why the link has ended or is about to; None while it works."""
        return self._ended

    def offer(self, payload: bytes) -> bool:
        """Queue a message without waiting; whether it was taken.

        A peer that has let the queue fill up does not read: its link ends with SlowPeerError.
        Raises ValueError for a payload above MAX_PAYLOAD_BYTES.
        """
        frame = encode_frame(Frame(FrameType.DATA, payload))
        if self._ended is not None or self._last_words is not None:
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
        """End the link at once. `run` returns the reason of the first call."""
        if self._ended is None:
            self._ended = self._goodbye or reason
            self._scope.cancel()

    def finish(self, reason: LinkError) -> None:
        """Send what is queued and a goodbye with the reason, then end the link."""
        if self._last_words is None:
            self._last_words = reason
            self._wake.set()

    async def run(
        self,
        settle: Callable[["Link"], Awaitable[None]],
        consume: Callable[["Link"], Awaitable[None]],
    ) -> LinkError:
        """Live until the link ends, and return why.

        First `settle` has the stream for itself (verdicts, SPEC 9.6). Then messages are sent, and
        `consume` runs beside; it calls `receive` and ends the link when it returns.
        """
        try:
            with self._scope:
                await self._guard(settle)
                if self._ended is None:
                    async with trio.open_nursery() as nursery:
                        nursery.start_soon(self._guard, Link._write)
                        nursery.start_soon(self._consume, consume)
        finally:
            await trio.aclose_forcefully(self.channel.stream)
        return self._ended or ClosedError("This node closed the link.")

    async def _guard(self, part: Callable[["Link"], Awaitable[None]]) -> None:
        try:
            await part(self)
        except LinkError as error:
            self.end(error)

    async def _consume(self, consume: Callable[["Link"], Awaitable[None]]) -> None:
        await self._guard(consume)
        self.end(ClosedError("This node closed the link."))

    # --- reading

    async def receive(self) -> bytes:
        """The next message of the peer. Raises LinkError when there are no more."""
        while True:
            try:
                frame = self._decoder.next_frame()
            except FrameError as error:
                raise FrameError(f"{self.remote} sent {error}.") from error
            if frame is None:
                self._decoder.feed(await self._read())
                continue
            match frame.type:
                case FrameType.DATA:
                    return frame.payload
                case FrameType.PING:
                    self._pong = frame.payload
                    self._wake.set()
                case FrameType.PONG:
                    self._take_pong(frame.payload)
                case FrameType.BYE:
                    reason = printable(frame.payload)
                    raise ClosedByPeerError(f"{self.remote} closed the link: {reason}")

    def _take_pong(self, payload: bytes) -> None:
        if payload == _PING.pack(self._pings):
            self.round_trip = trio.current_time() - self._ping_sent_at

    async def _read(self) -> bytes:
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
        while True:
            if not self._has_work():
                self._wake = trio.Event()
                with trio.move_on_after(self._timing.ping_after):
                    await self._wake.wait()
            data = self._next_bytes()
            last = self._last_words if not self._queue else None
            await self._send(data)
            if last is not None:
                # Closing a socket with unread bytes resets it, and what we just sent may be lost.
                # So the peer closes first; the reader sees that and ends the link.
                self._goodbye = last
                await trio.sleep(self._timing.close)
                self.end(last)

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
            words = str(self._last_words).encode("ascii", "replace")[:MAX_REASON_BYTES]
            parts.append(encode_frame(Frame(FrameType.BYE, words)))
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
