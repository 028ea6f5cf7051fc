"""Frames: how messages are told apart on a TLS stream (SPEC 9.5).

    length (4 bytes, big-endian; of what follows) | type (1 byte) | payload

A frame of an unknown type, of length zero or above the limit ends the link: both ends speak the
same version, so there is nothing to be lenient about.
"""

import struct
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from p2pcoup.net.errors import FrameError
from p2pcoup.net.limits import MAX_FRAME_BYTES, MAX_PAYLOAD_BYTES

_LENGTH: Final = struct.Struct(">I")
PING_BYTES: Final = 8
"""A ping carries a number which its pong returns, so the round trip can be measured."""


class FrameType(IntEnum):
    """What a frame is for. Only DATA concerns the user of a link."""

    DATA = 0
    PING = 1
    PONG = 2
    BYE = 3
    """The last frame of a link that is closed on purpose; the payload is the reason in ASCII."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame, its payload at most MAX_PAYLOAD_BYTES long."""

    type: FrameType
    payload: bytes


def encode_frame(frame: Frame) -> bytes:
    """A frame's bytes. Raises ValueError if our own caller made it too large."""
    check_payload(frame.payload)
    return _LENGTH.pack(1 + len(frame.payload)) + bytes([frame.type]) + frame.payload


def check_payload(payload: bytes) -> None:
    """Raises ValueError if our own caller wants to send more than fits into a frame."""
    if len(payload) > MAX_PAYLOAD_BYTES:
        raise ValueError(
            f"A message of {len(payload)} bytes cannot be sent; "
            f"at most {MAX_PAYLOAD_BYTES} fit into a frame."
        )


class FrameDecoder:
    """Cuts received bytes into frames. Holds less than one frame and one read at any time."""

    __slots__ = ("_buffer",)

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> None:
        """Take what was read. `next_frame` must then be asked until it has no more."""
        self._buffer += data

    def next_frame(self) -> Frame | None:
        """The next complete frame, or None if more bytes are needed.

        Raises FrameError as soon as a frame cannot become valid; the decoder is then of no use.
        """
        buffer = self._buffer
        if len(buffer) < _LENGTH.size:
            return None
        (length,) = _LENGTH.unpack_from(buffer)
        if not 0 < length <= MAX_FRAME_BYTES:
            raise FrameError(f"a frame of {length} bytes; 1 to {MAX_FRAME_BYTES} are allowed")
        if len(buffer) == _LENGTH.size:
            return None
        # The type is judged before the payload is waited for.
        kind = _frame_type(buffer[_LENGTH.size], length - 1)
        end = _LENGTH.size + length
        if len(buffer) < end:
            return None
        payload = bytes(buffer[_LENGTH.size + 1 : end])
        del buffer[:end]
        return Frame(kind, payload)


def _frame_type(number: int, payload_length: int) -> FrameType:
    try:
        kind = FrameType(number)
    except ValueError:
        raise FrameError(f"a frame of the unknown type {number}") from None
    if kind in (FrameType.PING, FrameType.PONG) and payload_length != PING_BYTES:
        raise FrameError(f"a {kind.name.lower()} of {payload_length} bytes, not {PING_BYTES}")
    return kind
