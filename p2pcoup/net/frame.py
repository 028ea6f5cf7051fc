"""Frames: how messages are told apart on a TLS stream (SPEC 9.5).

    length (4 bytes, big-endian; of what follows) | type (1 byte) | payload

A frame of an unknown type, of length zero or above the limit ends the link: both ends speak the
same version, so there is nothing to be lenient about.
"""

import struct
from enum import IntEnum
from typing import Final, NamedTuple

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


class Frame(NamedTuple):
    """One frame, its payload at most MAX_PAYLOAD_BYTES long. (A tuple, as it is made so often.)"""

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


_TYPES: Final = tuple(FrameType)  # by number; asking the class takes three times as long
_PAYLOAD_AT: Final = _LENGTH.size + 1
_unpack_length: Final = _LENGTH.unpack_from


class FrameDecoder:
    """Cuts received bytes into frames. Holds less than one frame and one read at any time.

    One call of `next_frame` takes some microseconds, however many frames lie there.
    """

    __slots__ = ("_at", "_buffer")

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._at = 0  # what is before has been given away

    def feed(self, data: bytes) -> None:
        """Take what was read. `next_frame` must then be asked until it has no more."""
        del self._buffer[: self._at]
        self._at = 0
        self._buffer += data

    def next_frame(self) -> Frame | None:
        """The next complete frame, or None if more bytes are needed.

        Raises FrameError as soon as a frame cannot become valid; the decoder is then of no use.
        """
        buffer, payload_at = self._buffer, self._at + _PAYLOAD_AT
        received = len(buffer)
        if received < payload_at - 1:
            return None
        (length,) = _unpack_length(buffer, self._at)
        if not 0 < length <= MAX_FRAME_BYTES:
            raise FrameError(f"a frame of {length} bytes; 1 to {MAX_FRAME_BYTES} are allowed")
        if received < payload_at:
            return None
        # The type is judged before the payload is waited for.
        number = buffer[payload_at - 1]
        if number >= len(_TYPES):
            raise FrameError(f"a frame of the unknown type {number}")
        kind = _TYPES[number]
        if length != 1 + PING_BYTES and (kind is FrameType.PING or kind is FrameType.PONG):
            raise FrameError(f"a {kind.name.lower()} of {length - 1} bytes, not {PING_BYTES}")
        end = payload_at + length - 1
        if received < end:
            return None
        self._at = end
        return Frame(kind, bytes(buffer[payload_at:end]))
