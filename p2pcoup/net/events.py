"""What the mesh tells the node. For each peer: Connected, then Received…, then Disconnected."""

from dataclasses import dataclass
from typing import TypeAlias

from p2pcoup.net.address import Address
from p2pcoup.wire.identity import PeerId


@dataclass(frozen=True, slots=True)
class Connected:
    """There is a link with the peer. What an earlier link did not deliver is lost: compare."""

    peer: PeerId
    remote: Address
    """Where the connection goes to or comes from; a caller's port is not the one it listens on."""


@dataclass(frozen=True, slots=True)
class Disconnected:
    """The link with the peer has ended; the mesh dials again if it knows an address."""

    peer: PeerId
    reason: str


@dataclass(frozen=True, slots=True)
class Received:
    """A message, exactly as the peer sent it on the link. It may pass on somebody else's."""

    peer: PeerId
    payload: bytes


@dataclass(frozen=True, slots=True)
class Unreachable:
    """Dialling the peer does not work. Reported once until the reason changes or it works."""

    peer: PeerId
    reason: str


@dataclass(frozen=True, slots=True)
class Refused:
    """An incoming connection was turned away. At most about one a second is reported."""

    remote: Address
    reason: str
    unreported: int
    """How many others have been turned away since the last report."""


Event: TypeAlias = Connected | Disconnected | Received | Unreachable | Refused
