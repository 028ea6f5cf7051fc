"""Who is at the other end: the handshake of a link (SPEC 9.3 and 9.4).

Python's `ssl` cannot ask a client for a certificate it does not know yet. So the dialler first
sends its self-signed certificate in the clear, the listener answers with its own, and each end
makes a TLS context for this one connection that trusts the other's certificate and nothing else.
The TLS 1.3 handshake, with both ends authenticated, then shows that each has the key; the
certificate TLS saw is compared with the one announced. What was sent in the clear thus proves
nothing and needs no protection, but whoever watches the network can see which peers talk.

    dialler                                 listener
      "p2pcoup" version length certificate ->
                                         <- the same
      ====== TLS 1.3, both authenticated ======
                                         <- verdict
      verdict                              ->

The dialler speaks first: if both did, they could block each other on streams without a buffer.
`verdict` says what the verdicts are for.
"""

import contextlib
import struct
from dataclasses import dataclass
from typing import Final

import trio

from p2pcoup.net.address import Address, explain_connect
from p2pcoup.net.credentials import MAX_CERTIFICATE_BYTES, Credentials, certified_peer
from p2pcoup.net.errors import HandshakeError, SelfLinkError, UnreachableError, WrongPeerError
from p2pcoup.net.limits import Timing
from p2pcoup.net.streams import TlsStream, closing_on_failure, phase, receive_exactly
from p2pcoup.wire.identity import PeerId

MAGIC: Final = b"p2pcoup"
LINK_VERSION: Final = 1
_PREAMBLE: Final = MAGIC + bytes([LINK_VERSION])
_LENGTH: Final = struct.Struct(">H")


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
    """The first bytes each end sends: preamble, length and certificate."""
    return _PREAMBLE + _LENGTH.pack(len(certificate)) + certificate


async def receive_hello(stream: trio.abc.Stream, remote: Address) -> bytes:
    """The certificate the other end announces. Reads not one byte more.

    Raises HandshakeError for anything that is no hello of this version.
    """
    preamble = await receive_exactly(stream, len(_PREAMBLE), remote)
    if preamble != _PREAMBLE:
        if preamble.startswith(MAGIC):
            raise HandshakeError(
                f"{remote} uses version {preamble[-1]} of the link protocol and this node "
                f"version {LINK_VERSION}; the older program has to be updated."
            )
        raise HandshakeError(f"What is at {remote} is not a node of this game.")
    (length,) = _LENGTH.unpack(await receive_exactly(stream, _LENGTH.size, remote))
    if not 0 < length <= MAX_CERTIFICATE_BYTES:
        raise HandshakeError(
            f"{remote} announced a certificate of {length} bytes; "
            f"at most {MAX_CERTIFICATE_BYTES} are allowed."
        )
    return await receive_exactly(stream, length, remote)


# --- both ends ---------------------------------------------------------------------------------


async def dial_channel(
    address: Address, credentials: Credentials, expected: PeerId | None, timing: Timing
) -> Channel:
    """Connect to the address and run Algorithm 9.4. Raises LinkError; closes what it opened."""
    try:
        with trio.fail_after(timing.connect):
            stream = await trio.open_tcp_stream(address.host, address.port)
    except trio.TooSlowError as error:
        raise UnreachableError(
            f"{address} did not answer within {timing.connect:g} s; "
            "a firewall may be in between, or the address is old."
        ) from error
    except (OSError, UnicodeError) as error:
        raise UnreachableError(_connect_words(address, error)) from error
    return await greet_listener(stream, credentials, expected, address, timing)


def _connect_words(address: Address, error: OSError | UnicodeError) -> str:
    if isinstance(error, OSError):
        return explain_connect(address, error)
    return f"{address.host!a} cannot be looked up: it is no host name."


async def greet_listener(
    stream: trio.abc.Stream,
    credentials: Credentials,
    expected: PeerId | None,
    remote: Address,
    timing: Timing,
) -> Channel:
    """Algorithm 9.4, the dialler's end: prove who we are and learn who answered.

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
    """Algorithm 9.4, the listener's end. Raises LinkError and closes the stream if it fails."""
    async with closing_on_failure(stream):
        with phase(timing.hello, remote, "did not say who it is"):
            try:
                certificate = await receive_hello(stream, remote)
            except HandshakeError:
                # Tells an older or newer node why; two words of preamble tell a stranger nothing.
                with contextlib.suppress(trio.BrokenResourceError):
                    await stream.send_all(_PREAMBLE)
                raise
            peer = certified_peer(certificate)
            _refuse_self(credentials, peer, remote)
            await stream.send_all(encode_hello(credentials.certificate))
        context = credentials.listening_context(certificate)
        secured = trio.SSLStream(stream, context, server_side=True)
        await _handshake(secured, certificate, remote, timing)
    return Channel(secured, peer, remote, dialled=False)


async def _handshake(secured: TlsStream, announced: bytes, remote: Address, timing: Timing) -> None:
    with phase(timing.tls, remote, "did not finish the TLS handshake"):
        try:
            await secured.do_handshake()
        except trio.BrokenResourceError as error:
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
