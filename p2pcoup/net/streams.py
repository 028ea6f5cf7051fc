"""Reading streams exactly, each phase in its own time, every failure a LinkError.

Nothing of trio, ssl or the operating system leaves the blocks guarded here.
"""

import contextlib
import ssl
from collections.abc import AsyncIterator, Iterator
from typing import TypeAlias

import trio

from p2pcoup.net.address import Address
from p2pcoup.net.errors import BrokenLinkError, HandshakeError, LinkError, SilentPeerError

TlsStream: TypeAlias = "trio.SSLStream[trio.abc.Stream]"


async def receive_exactly(stream: trio.abc.ReceiveStream, count: int, remote: Address) -> bytes:
    """The next `count` bytes; raises HandshakeError if the stream ends before."""
    received = bytearray()
    while len(received) < count:
        part = await stream.receive_some(count - len(received))
        if not part:
            raise HandshakeError(
                f"{remote} closed the connection during the handshake; it may be busy, "
                "or not a node of this game."
            )
        received += part
    return bytes(received)


@contextlib.contextmanager
def phase(seconds: float, remote: Address, silent: str) -> Iterator[None]:
    """A part of the handshake with its own time. Every failure inside becomes a LinkError."""
    try:
        with trio.fail_after(seconds):
            yield
    except trio.TooSlowError as error:
        raise SilentPeerError(f"{remote} {silent} within {seconds:g} s.") from error
    except LinkError:
        raise
    except (trio.BrokenResourceError, trio.ClosedResourceError, ssl.SSLError, OSError) as error:
        raise BrokenLinkError(f"The connection with {remote} broke.") from error


@contextlib.asynccontextmanager
async def closing_on_failure(stream: trio.abc.AsyncResource) -> AsyncIterator[None]:
    """Close the stream at once if the block does not finish, whatever the reason."""
    try:
        yield
    except BaseException:
        await trio.aclose_forcefully(stream)
        raise
