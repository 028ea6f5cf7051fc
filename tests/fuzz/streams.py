"""Targets: what comes over a connection. Frames, hello, verdict, gossip."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from typing import Final

import trio
import trio.testing

from p2pcoup.net import Address
from p2pcoup.net.credentials import Credentials
from p2pcoup.net.errors import FrameError, LinkError
from p2pcoup.net.frame import Frame, FrameDecoder, FrameType, encode_frame
from p2pcoup.net.handshake import Channel, encode_hello, greet_dialler
from p2pcoup.net.limits import MAX_FRAME_BYTES, MAX_PAYLOAD_BYTES, Timing
from p2pcoup.net.settle import (
    Accepted,
    Refused,
    Superseded,
    encode_verdict,
    receive_verdict,
)
from p2pcoup.node.gossip import (
    MAX_GOSSIP_BYTES,
    Gossip,
    Have,
    Passed,
    Whispered,
    decode_gossip,
    encode_gossip,
)
from p2pcoup.wire import WireError
from tests.fuzz.harness import target
from tests.fuzz.known import identity

SOMEWHERE: Final = Address("192.0.2.1", 7700)
READ_BYTES: Final = 64 * 1024  # what a link reads at once
_LENGTH_BYTES: Final = 4

# --- frames ---------------------------------------------------------------------------------------


def some_frames() -> Sequence[bytes]:
    """Frames of every type, alone and in a row."""
    frames = [
        encode_frame(Frame(FrameType.DATA, b"some message")),
        encode_frame(Frame(FrameType.DATA, b"")),
        encode_frame(Frame(FrameType.PING, bytes(8))),
        encode_frame(Frame(FrameType.PONG, b"\xff" * 8)),
        encode_frame(Frame(FrameType.BYE, b"The node has closed.")),
    ]
    large = encode_frame(Frame(FrameType.DATA, bytes(MAX_PAYLOAD_BYTES)))
    return [*frames, b"".join(frames), frames[2] + large[:-1]]


def _frames_of(data: bytes, cut: int, frames: list[Frame]) -> Iterator[None]:
    """Append the frames in bytes that come in parts of that size: a turn for each part.

    Raises FrameError for what is wrong with the next one.
    """
    decoder = FrameDecoder()
    for at in range(0, len(data), cut):
        decoder.feed(data[at : at + cut])
        while (frame := decoder.next_frame()) is not None:
            frames.append(frame)
        yield


@target("frame", some_frames, MAX_FRAME_BYTES + READ_BYTES, examples=300)
def frame(data: bytes) -> Iterator[None]:
    """Frames are the same however the bytes are cut, and encode to what was read. What a link reads
    at once is a turn.
    """
    data = data[: MAX_FRAME_BYTES + READ_BYTES]  # a stream has no end; this much lies there at once
    heard: list[tuple[list[Frame], str]] = []
    for cut in (READ_BYTES, 1 + len(data) // 7):
        frames, fault = list[Frame](), ""
        try:
            yield from _frames_of(data, cut, frames)
        except FrameError as error:
            fault = str(error)
        heard.append((frames, fault))
        yield
    assert heard[0] == heard[1]
    yield
    frames, fault = heard[0]
    encoded = bytearray()
    for at in range(0, len(frames), 10_000):
        encoded += b"".join(map(encode_frame, frames[at : at + 10_000]))
        yield
    assert data.startswith(encoded)
    assert fault or len(data) - len(encoded) < _LENGTH_BYTES + MAX_FRAME_BYTES


# --- the handshake --------------------------------------------------------------------------------


class Said(trio.abc.Stream):
    """A connection whose other end has said these bytes and then closed. Keeps what it is told."""

    def __init__(self, data: bytes) -> None:
        self.rest = data
        self.heard = bytearray()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        count = len(self.rest) if max_bytes is None else max_bytes
        taken, self.rest = self.rest[:count], self.rest[count:]
        return taken

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        self.heard += data

    async def wait_send_all_might_not_block(self) -> None:
        pass

    async def aclose(self) -> None:
        pass


@cache
def _credentials(number: int) -> Credentials:
    return Credentials(identity(number))


def some_hellos() -> Sequence[bytes]:
    """What a dialler says first, with the start of a TLS handshake, or with what is none."""
    hello = encode_hello(_credentials(1).certificate)
    record = b"\x16\x03\x01\x00\x05\x01\x00\x00\x01\x00"
    return [hello, hello + record, hello + b"GET / HTTP/1.1\r\n\r\n", hello[:-1], hello[:8]]


@target("hello", some_hellos, 64 * 1024, examples=60)
def hello(data: bytes) -> None:
    """Whatever a caller says, only a LinkError comes of it, and no more than a hello is said."""
    stream = Said(data)

    async def greet() -> None:
        with suppress(LinkError):
            await greet_dialler(stream, _credentials(0), SOMEWHERE, Timing())
            raise AssertionError("a recorded hello has completed a TLS handshake")

    trio.run(greet)


# --- verdicts -------------------------------------------------------------------------------------


def some_verdicts() -> Sequence[bytes]:
    """Every verdict there is."""
    verdicts = [
        Accepted(b"session.", 1),
        Accepted(b"\xff" * 8, 2**64 - 1),
        Refused("This node does not know you and expects no guests."),
        Refused(""),
        Superseded(),
    ]
    return list(map(encode_verdict, verdicts))


@target("verdict", some_verdicts, 256, examples=200)
def verdict(data: bytes) -> None:
    """A verdict encodes to what was read, but for characters a reason may not have."""
    stream = Said(data)
    channel = Channel(stream, identity(1).peer_id, SOMEWHERE, dialled=True)
    try:
        heard = trio.run(receive_verdict, channel, Timing())
    except LinkError:
        return
    read = data[: len(data) - len(stream.rest)]
    if isinstance(heard, Refused):
        assert heard.reason.isascii()
        assert heard.reason == "" or heard.reason.isprintable()
        assert len(encode_verdict(heard)) == len(read)
    else:
        assert encode_verdict(heard) == read


# --- gossip ---------------------------------------------------------------------------------------


def some_gossip() -> Sequence[bytes]:
    """What peers tell each other."""
    told: list[Gossip] = [
        Have(bytes(32), 0, False),
        Have(b"\xff" * 32, 65_535, True),
        Passed(bytes(200)),
    ]
    told.append(Whispered(bytes(100)))
    return list(map(encode_gossip, told))


@target("gossip", some_gossip, MAX_GOSSIP_BYTES, examples=300)
def gossip(data: bytes) -> None:
    """Gossip encodes to what was read."""
    with suppress(WireError):
        assert encode_gossip(decode_gossip(data)) == data
