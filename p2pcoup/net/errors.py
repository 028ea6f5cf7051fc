"""Why a link could not be made or ended, and why this node cannot listen.

A `LinkError` is never this node's bug: a peer or the network between did something, so the mesh
reports it and goes on. A `ListenError` is for the person who chose the address. Every message is
a sentence that can be shown as it is; text that came from a peer has passed `printable`.
"""

from typing import Final

MAX_REASON_BYTES: Final = 120
"""A reason a peer gives for refusing or closing: one line on a terminal."""


class LinkError(Exception):
    """A link could not be made, or has ended. The message says with whom and why."""


class UnreachableError(LinkError):
    """No connection to the address: nobody listens there, no route, no such name, no answer."""


class HandshakeError(LinkError):
    """Who answered or called did not complete the handshake of SPEC 9.3: not a peer of this
    program, or one that does not have the key of the certificate it shows."""


class WrongPeerError(LinkError):
    """Another peer answered than the one dialled."""


class SelfLinkError(LinkError):
    """Both ends of the connection have this node's own identity."""


class NotAdmittedError(LinkError):
    """This node does not want a link with that peer."""


class RefusedByPeerError(LinkError):
    """The peer is who it should be, but does not want a link; the message carries its reason."""


class FrameError(LinkError):
    """The linked peer sent bytes that are no frame (SPEC 9.5)."""


class SilentPeerError(LinkError):
    """Nothing came, not even a ping, or a phase of the handshake took too long."""


class SlowPeerError(LinkError):
    """The peer does not read what it is sent; it may link again and catch up."""


class JunkError(LinkError):
    """The peer sent too much that no honest one sends; it gets no link for a while."""


class BrokenLinkError(LinkError):
    """The connection broke."""


class ClosedByPeerError(LinkError):
    """The peer said goodbye; the message carries its reason."""


class ReplacedError(LinkError):
    """A newer link with the same peer has taken this one's place."""


class ClosedError(LinkError):
    """This node itself closed the link."""


class ListenError(Exception):
    """This node cannot listen at the address it was given."""


class PortInUseError(ListenError):
    """Another program has the port."""


def printable(reason: bytes) -> str:
    """A peer's reason as text that is safe on a terminal or page: printable ASCII, one line."""
    shown = reason[:MAX_REASON_BYTES]
    return "".join(chr(byte) if 0x20 <= byte < 0x7F else "?" for byte in shown)
