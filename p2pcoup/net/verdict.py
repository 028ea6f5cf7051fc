"""Verdicts: whether each end takes the link, said inside TLS (SPEC 9.4).

They are needed because a TLS 1.3 client is done before the server has looked at its certificate,
and because the mesh must settle which of two crossing links stays (SPEC 9.6).
"""

import struct
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, TypeAlias, assert_never

from p2pcoup.net.address import Address
from p2pcoup.net.errors import MAX_REASON_BYTES, HandshakeError, printable
from p2pcoup.net.limits import Timing
from p2pcoup.net.streams import TlsStream, phase, receive_exactly

SESSION_BYTES: Final = 8
_NUMBER: Final = struct.Struct(">Q")


class _Tag(IntEnum):
    REFUSED = 0
    ACCEPTED = 1
    SUPERSEDED = 2


@dataclass(frozen=True, slots=True)
class Accepted:
    """The sender takes the link. The number of the end with the lower peer id counts (SPEC 9.6)."""

    session: bytes
    """8 random bytes of the sender's run: numbers of another run are not comparable."""
    number: int
    """Grows with every link the sender accepts with anybody during its run."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The sender does not want a link with this peer, for a reason that people can read."""

    reason: str


@dataclass(frozen=True, slots=True)
class Superseded:
    """The sender meanwhile has a newer link with this peer."""


Verdict: TypeAlias = Accepted | Refused | Superseded


def encode_verdict(verdict: Verdict) -> bytes:
    """A verdict's bytes: a tag, then session and number, or the framed reason, or nothing."""
    match verdict:
        case Accepted(session, number):
            if len(session) != SESSION_BYTES:
                raise ValueError(f"A session has {SESSION_BYTES} bytes, not {len(session)}.")
            return bytes([_Tag.ACCEPTED]) + session + _NUMBER.pack(number)
        case Refused(reason):
            text = reason.encode("ascii", "replace")[:MAX_REASON_BYTES]
            return bytes([_Tag.REFUSED, len(text)]) + text
        case Superseded():
            return bytes([_Tag.SUPERSEDED])
        case _:
            assert_never(verdict)


async def send_verdict(
    stream: TlsStream, remote: Address, verdict: Verdict, timing: Timing
) -> None:
    """Send this end's verdict. Raises LinkError."""
    with phase(timing.verdict, remote, "did not read"):
        await stream.send_all(encode_verdict(verdict))


async def receive_verdict(stream: TlsStream, remote: Address, timing: Timing) -> Verdict:
    """The other end's verdict. Raises LinkError, HandshakeError if it is none."""
    with phase(timing.verdict, remote, "did not say whether it takes the link"):
        (tag,) = await receive_exactly(stream, 1, remote)
        match tag:
            case _Tag.ACCEPTED:
                token = await receive_exactly(stream, SESSION_BYTES + _NUMBER.size, remote)
                (number,) = _NUMBER.unpack(token[SESSION_BYTES:])
                return Accepted(token[:SESSION_BYTES], number)
            case _Tag.REFUSED:
                (length,) = await receive_exactly(stream, 1, remote)
                if length > MAX_REASON_BYTES:
                    raise HandshakeError(f"{remote} refused with a reason that is too long.")
                return Refused(printable(await receive_exactly(stream, length, remote)))
            case _Tag.SUPERSEDED:
                return Superseded()
            case _:
                raise HandshakeError(f"{remote} sent the unknown verdict {tag}.")
