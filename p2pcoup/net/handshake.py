"""Who is at the other end: from a TCP connection to a TLS stream with a known peer (SPEC 9.3).

Python's `ssl` cannot ask a client for a certificate it does not know yet. So the dialler first
sends its self-signed certificate in the clear, the listener answers with its own, and each end
makes a TLS context for this one connection that trusts the other's certificate and nothing else.
The TLS 1.3 handshake, with both ends authenticated, then shows that each has the key; the
certificate TLS saw is compared with the one announced. What was sent in the clear thus proves
nothing and needs no protection, but whoever watches the network can see which peers talk.

    dialler                                      listener
      hello: "p2pcoup" version certificate   ->
                                             <-  hello
      ======== TLS 1.3, both authenticated ========
                                             <-  verdict
      verdict                                ->

The dialler speaks first: if both did, they could block each other on streams without a buffer.
Whether the listener wants this peer it says only inside TLS (`settle`); before, a stranger with a
copied certificate could find out whom it knows. Every part has its own time, nothing of trio, ssl
or the operating system leaves the blocks guarded by `phase`: every failure is a LinkError.
"""

import contextlib
import ssl
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

import trio

from p2pcoup.net.address import Address, explain_connect
from p2pcoup.net.credentials import CERTIFICATE_BYTES, Credentials, certified_peer
from p2pcoup.net.errors import (
    BrokenLinkError,
    HandshakeError,
    LinkError,
    SelfLinkError,
    SilentPeerError,
    UnreachableError,
    WrongPeerError,
)
from p2pcoup.net.limits import Timing
from p2pcoup.wire.identity import PeerId

TlsStream: TypeAlias = "trio.SSLStream[trio.abc.Stream]"

MAGIC: Final = b"p2pcoup"
LINK_VERSION: Final = 1
PREAMBLE: Final = MAGIC + bytes([LINK_VERSION])


@dataclass(frozen=True, slots=True)
class Channel:
    """A TLS stream to a peer whose identity is proved; it is not yet agreed that it stays."""

    stream: TlsStream
    peer: PeerId
    remote: Address
    dialled: bool
    """Whether this end dialled."""


# --- the hello, in the clear -------------------------------------------------------------------


def encode_hello(certificate: bytes) -> bytes:
    """The first bytes each end sends: preamble and certificate."""
    return PREAMBLE + certificate


async def receive_hello(stream: trio.abc.ReceiveStream, remote: Address) -> bytes:
    """What the other end announces as its certificate. Reads not one byte more.

    Raises HandshakeError for anything that is no hello of this version.
    """
    preamble = await receive_exactly(stream, len(PREAMBLE), remote)
    if preamble != PREAMBLE:
        if preamble.startswith(MAGIC):
            raise HandshakeError(
                f"{remote} uses version {preamble[-1]} of the link protocol and this node "
                f"version {LINK_VERSION}; the older program has to be updated."
            )
        raise HandshakeError(f"What is at {remote} is not a node of this game.")
    return await receive_exactly(stream, CERTIFICATE_BYTES, remote)


# --- both ends ---------------------------------------------------------------------------------


async def dial_channel(
    address: Address, credentials: Credentials, expected: PeerId | None, timing: Timing
) -> Channel:
    """Connect to the address and run Algorithm 9.3. Raises LinkError; closes what it opened."""
    try:
        with trio.fail_after(timing.connect):
            stream = await trio.open_tcp_stream(address.host, address.port)
    except trio.TooSlowError as error:
        raise UnreachableError(
            f"{address} did not answer within {timing.connect:g} s; "
            "a firewall may be in between, or the address is old."
        ) from error
    except OSError as error:
        raise UnreachableError(explain_connect(address, error)) from error
    except UnicodeError as error:
        raise UnreachableError(
            f"{address.host!a} cannot be looked up: it is no host name."
        ) from error
    return await greet_listener(stream, credentials, expected, address, timing)


async def greet_listener(
    stream: trio.abc.Stream,
    credentials: Credentials,
    expected: PeerId | None,
    remote: Address,
    timing: Timing,
) -> Channel:
    """Algorithm 9.3, the dialler's end: prove who we are and learn who answered.

    Raises LinkError and closes the stream if that fails or, with WrongPeerError, if it is not
    the expected peer.
    """
    async with closing_on_failure(stream):
        with phase(timing.hello, remote, "did not say who it is"):
            await stream.send_all(encode_hello(credentials.certificate))
            certificate = await receive_hello(stream, remote)
        peer = certified_peer(certificate)
        _refuse_self(credentials, peer, remote)
        if expected is not None and peer != expected:
            raise WrongPeerError(
                f"At {remote} answers the peer {peer}, not {expected}; "
                "the address or the peer id is wrong or out of date."
            )
        context = credentials.dialling_context(certificate)
        secured = trio.SSLStream(stream, context, server_side=False)
        await _handshake(secured, certificate, remote, timing)
    return Channel(secured, peer, remote, dialled=True)


async def greet_dialler(
    stream: trio.abc.Stream, credentials: Credentials, remote: Address, timing: Timing
) -> Channel:
    """Algorithm 9.3, the listener's end. Raises LinkError and closes the stream if it fails."""
    async with closing_on_failure(stream):
        with phase(timing.hello, remote, "did not say who it is"):
            try:
                certificate = await receive_hello(stream, remote)
            except HandshakeError:
                # Tells an older or newer node why; these bytes tell a stranger nothing.
                with contextlib.suppress(trio.BrokenResourceError):
                    await stream.send_all(PREAMBLE)
                raise
            peer = certified_peer(certificate)
            await stream.send_all(encode_hello(credentials.certificate))
        _refuse_self(credentials, peer, remote)  # after our hello: so the other end sees it as well
        context = credentials.listening_context(certificate)
        secured = trio.SSLStream(stream, context, server_side=True)
        await _handshake(secured, certificate, remote, timing)
    return Channel(secured, peer, remote, dialled=False)


async def _handshake(secured: TlsStream, announced: bytes, remote: Address, timing: Timing) -> None:
    with phase(timing.tls, remote, "did not finish the TLS handshake"):
        try:
            await secured.do_handshake()
        except trio.BrokenResourceError as error:
            cause = error.__cause__
            if not isinstance(cause, ssl.SSLError) or isinstance(cause, ssl.SSLEOFError):
                raise  # it ended; nothing was wrong with what came
            raise HandshakeError(
                f"{remote} did not prove that the certificate it sent is its own."
            ) from error
    # A certificate that was signed *by* the announced one would satisfy OpenSSL as well.
    shown: object = secured.getpeercert(binary_form=True)
    if shown != announced:
        raise HandshakeError(f"{remote} used another certificate than the one it announced.")


def _refuse_self(credentials: Credentials, peer: PeerId, remote: Address) -> None:
    if peer == credentials.peer_id:
        raise SelfLinkError(
            f"{remote} has this node's own identity: it is this node itself, "
            "or a second one that was started with a copy of the same key."
        )


# --- reading in time ---------------------------------------------------------------------------


async def receive_exactly(stream: trio.abc.ReceiveStream, count: int, remote: Address) -> bytes:
    """The next `count` bytes; raises BrokenLinkError if the stream ends before."""
    received = bytearray()
    while len(received) < count:
        part = await stream.receive_some(count - len(received))
        if not part:
            raise BrokenLinkError(_broken_off(remote))
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
        raise BrokenLinkError(_broken_off(remote)) from error


def _broken_off(remote: Address) -> str:
    # One sentence for a closed and a reset connection: which of them comes is a matter of chance.
    return (
        f"{remote} closed the connection during the handshake; it may be busy, "
        "or not a node of this game."
    )


@contextlib.asynccontextmanager
async def closing_on_failure(stream: trio.abc.AsyncResource) -> AsyncIterator[None]:
    """Close the stream at once if the block does not finish, whatever the reason."""
    try:
        yield
    except BaseException:
        await trio.aclose_forcefully(stream)
        raise
