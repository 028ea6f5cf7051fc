"""Throws junk at a node, for ``p2pcoup bench junk``: a process of its own.

Reads an order from standard input, one JSON object, and writes JSON lines to standard output: at
some numbers of frames ``{"mark": frames}``, at last what became of it all (`Thrown`). All loops are
bounded; what the node refuses is not tried again but counted.
"""

import contextlib
import json
import random
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Final

import trio

from p2pcoup.net import Address
from p2pcoup.net.credentials import Credentials
from p2pcoup.net.errors import LinkError
from p2pcoup.net.frame import PING_BYTES, Frame, FrameDecoder, FrameType, encode_frame
from p2pcoup.net.handshake import PREAMBLE, Channel, dial_channel, encode_hello
from p2pcoup.net.limits import JUNK_PAUSE_SECONDS, Timing
from p2pcoup.net.settle import SESSION_BYTES, Accepted, receive_verdict, send_verdict
from p2pcoup.node.gossip import Have, Passed, Whispered, decode_gossip, encode_gossip
from p2pcoup.wire import Identity, Kind, Message, WireError, parse, sign

CALLERS: Final = 16
"""Connections that are made at the same time."""
HELD: Final = 64
"""Connections that are kept open without a word."""
BATCH: Final = 64
"""Frames of one write."""
CAUGHT: Final = 256
"""Messages of the node that are kept to be sent back to it."""
CONNECT_SECONDS: Final = 5.0
ANSWER_SECONDS: Final = 1.0
PAUSE_SECONDS: Final = JUNK_PAUSE_SECONDS + 0.2
"""Between two links, when the node has ended one."""
LINKS_OF_JUNK: Final = 10
"""Links on which plain junk is sent until the node ends them. After that only such frames are sent
as an honest peer may send too, though never so many: these do not end a link."""
MOST_FAILURES: Final = 100
"""Links that do not come about, after which no more are tried."""
READ_SECONDS: Final = 30.0
"""How long the last frames may take to be read."""
MARKS: Final = tuple(lead * 10**power for power in range(4, 9) for lead in (1, 3))


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be thrown at which node.

    Attributes:
        port: where the node listens, on 127.0.0.1.
        identity: the PEM of a seat the node admits; frames are sent as that peer.
        frames, connections: how many.
        seed: of all that is random.
    """

    port: int
    identity: str
    frames: int
    connections: int
    seed: int


@dataclass(slots=True)
class Thrown:
    """What was thrown.

    Attributes:
        frames: sent on links that the node had accepted.
        read: those the node has read for certain: a ping behind them was answered. The others lay
            unread when a link was cut, or were read just before.
        links: how many such links there were.
        cut: how many of them the node has ended.
        connections: calls that were no links.
        turned_away: calls that did not even connect, or were closed before the node said a word.
        kinds: frames by what was wrong with them.
    """

    frames: int = 0
    read: int = 0
    links: int = 0
    cut: int = 0
    connections: int = 0
    turned_away: int = 0
    kinds: dict[str, int] = field(default_factory=dict)


class Thrower:
    """Carries out one order."""

    def __init__(self, order: Order) -> None:
        self.thrown = Thrown()
        self._order = order
        self._target = Address("127.0.0.1", order.port)
        self._seat = Identity.from_pem(order.identity.encode("ascii"))
        self._stranger = Credentials(Identity.generate())
        self._luck = random.Random(order.seed)  # noqa: S311 - junk, not secrets
        self._held: deque[trio.abc.Stream] = deque()
        self._caught: deque[bytes] = deque(maxlen=CAUGHT)
        self._game = bytes(32)

    async def throw(self) -> None:
        """Throw connections and frames at the same time."""
        numbers = iter(range(self._order.connections))
        async with trio.open_nursery() as nursery:
            for _ in range(CALLERS):
                nursery.start_soon(self._call_for_all, numbers)
            nursery.start_soon(self._flood)
        for stream in self._held:
            await trio.aclose_forcefully(stream)

    # --- connections ------------------------------------------------------------------------------

    async def _call_for_all(self, numbers: Iterator[int]) -> None:
        for number in numbers:
            self.thrown.connections += 1
            with trio.move_on_after(CONNECT_SECONDS):
                try:
                    await self._call(number)
                except OSError:  # not even connected
                    self.thrown.turned_away += 1

    async def _call(self, number: int) -> None:
        """One junk connection; every other one from a network that has not called yet."""
        source = None
        if number % 2 and sys.platform == "linux":
            source = f"127.{1 + number // 60000 % 250}.{number // 250 % 250}.{1 + number % 250}"
        host, port = self._target
        stream = await trio.open_tcp_stream(host, port, local_address=source)
        words = self._words(number)
        if words is None:
            self._held.append(stream)
            if len(self._held) > HELD:
                await trio.aclose_forcefully(self._held.popleft())
            return
        answered = 0
        try:
            async with stream:
                await stream.send_all(words)
                with trio.move_on_after(ANSWER_SECONDS):
                    while data := await stream.receive_some(4096):
                        answered += len(data)
        except trio.BrokenResourceError:
            pass
        self.thrown.turned_away += not answered

    def _words(self, number: int) -> bytes | None:
        """What a junk caller says; None: nothing at all."""
        hello = encode_hello(self._stranger.certificate)
        match number // 2 % 6:
            case 0:
                return self._luck.randbytes(self._luck.randrange(1, 2000))
            case 1:
                return b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
            case 2:
                return hello + self._luck.randbytes(200)  # garbage where TLS should begin
            case 3:
                return PREAMBLE + self._luck.randbytes(len(hello))
            case 4:
                return hello + b"\x16\x03\x01\xff\xff" + bytes(20_000)  # a record that is too long
            case _:
                return None

    # --- frames -----------------------------------------------------------------------------------

    async def _flood(self) -> None:
        credentials, failures = Credentials(self._seat), 0
        while not self._is_done and failures < MOST_FAILURES:
            try:
                channel = await dial_channel(self._target, credentials, None, Timing())
                try:
                    await receive_verdict(channel, Timing())
                    await send_verdict(channel, Accepted(bytes(SESSION_BYTES), 1), Timing())
                    self.thrown.links += 1
                    await self._flood_link(channel)
                finally:
                    await trio.aclose_forcefully(channel.stream)
            except LinkError:
                failures += 1
            if not self._is_done:
                await trio.sleep(PAUSE_SECONDS)

    async def _flood_link(self, channel: Channel) -> None:
        """Send until the node ends the link or all is thrown; read what it sends meanwhile. Behind
        each batch comes a ping with the number of frames, so its pong says what was read.
        """
        read_before, sent = self.thrown.read, 0
        all_read = trio.Event()
        async with trio.open_nursery() as nursery:

            async def read() -> None:
                decoder = FrameDecoder()
                with contextlib.suppress(trio.BrokenResourceError):
                    while data := await channel.stream.receive_some(65_536):
                        decoder.feed(bytes(data))
                        while (frame := decoder.next_frame()) is not None:
                            if frame.type is FrameType.PONG:
                                pong = int.from_bytes(frame.payload, "big")
                                self.thrown.read = read_before + pong
                            self._catch(frame)
                        if self._is_done and self.thrown.read == read_before + sent:
                            all_read.set()
                self.thrown.cut += 1
                nursery.cancel_scope.cancel()

            nursery.start_soon(read)
            with contextlib.suppress(trio.BrokenResourceError):
                while not self._is_done:
                    frames = [self._frame() for _ in range(BATCH)]
                    sent += len(frames)
                    frames.append(Frame(FrameType.PING, sent.to_bytes(PING_BYTES, "big")))
                    await channel.stream.send_all(b"".join(map(encode_frame, frames)))
                    self._count(BATCH)
                with trio.move_on_after(READ_SECONDS):
                    await all_read.wait()
                nursery.cancel_scope.cancel()
            # The node has ended the link: the reading task sees it as well, and ends this.

    @property
    def _is_done(self) -> bool:
        return self.thrown.frames >= self._order.frames

    def _count(self, more: int) -> None:
        """So many more frames were sent; tell it at 10,000, 30,000, 100,000 and so on."""
        before, self.thrown.frames = self.thrown.frames, self.thrown.frames + more
        if any(before < mark <= self.thrown.frames for mark in MARKS):
            print(json.dumps({"mark": self.thrown.frames}), flush=True)  # noqa: T201

    def _catch(self, frame: Frame) -> None:
        if frame.type is not FrameType.DATA:
            return
        self._caught.append(frame.payload)
        with contextlib.suppress(WireError):
            match decode_gossip(frame.payload):
                case Passed(raw):
                    self._game = parse(raw).message.game
                case Have(game):
                    self._game = game

    def _frame(self) -> Frame:
        kinds = _JUNK if self.thrown.links <= LINKS_OF_JUNK else _HARMLESS
        name, make = self._luck.choice(kinds)
        self.thrown.kinds[name] = self.thrown.kinds.get(name, 0) + 1
        return Frame(FrameType.DATA, make(self))

    # --- what is wrong with a frame ---------------------------------------------------------------

    def random_bytes(self) -> bytes:
        """Bytes that are nothing."""
        return self._luck.randbytes(self._luck.randrange(1, 600))

    def no_message(self) -> bytes:
        """Passes on what is no message."""
        return encode_gossip(Passed(self._luck.randbytes(self._luck.randrange(1, 600))))

    def replay(self) -> bytes:
        """What the node has sent, back to it."""
        return self._luck.choice(self._caught) if self._caught else self.false_have()

    def false_have(self) -> bytes:
        """A request for what the sender does not lack."""
        return encode_gossip(Have(self._game, self._luck.randrange(2000), False))

    def of_another_game(self) -> bytes:
        """A well signed message of a game that nobody plays."""
        return encode_gossip(Passed(self._message(self._luck.randbytes(32), 0)))

    def unsigned(self) -> bytes:
        """A message of the game with a false signature."""
        raw = self._message(self._game, self._luck.randrange(200))
        return encode_gossip(Passed(raw[:-64] + self._luck.randbytes(64)))

    def forged_aside(self) -> bytes:
        """Words that nobody has signed."""
        return encode_gossip(Whispered(self._luck.randbytes(self._luck.randrange(65, 400))))

    def _message(self, game: bytes, round_: int) -> bytes:
        message = Message(game, round_, 0, self._luck.randbytes(32), Kind.DECIDE, ("0 income",))
        return sign(message, self._seat).raw


_Make = Callable[[Thrower], bytes]
_HARMLESS: Final[Sequence[tuple[str, _Make]]] = (
    ("replayed", Thrower.replay),
    ("false have", Thrower.false_have),
)
_JUNK: Final[Sequence[tuple[str, _Make]]] = (
    *_HARMLESS,
    ("random bytes", Thrower.random_bytes),
    ("no message", Thrower.no_message),
    ("of another game", Thrower.of_another_game),
    ("unsigned", Thrower.unsigned),
    ("forged aside", Thrower.forged_aside),
)


def main() -> None:
    """Carry out the order on standard input."""
    thrower = Thrower(Order(**json.load(sys.stdin)))
    trio.run(thrower.throw)
    print(json.dumps(asdict(thrower.thrown)))  # noqa: T201


if __name__ == "__main__":
    main()
