"""Links between peers: TLS 1.3 over TCP, and the mesh that keeps them (SPEC 9)."""

from p2pcoup.net.address import Address, AddressError, parse_address
from p2pcoup.net.errors import LinkError, ListenError, PortInUseError
from p2pcoup.net.events import Connected, Disconnected, Event, Received, Refused, Unreachable
from p2pcoup.net.mesh import Mesh, open_mesh

__all__ = [
    "Address",
    "AddressError",
    "Connected",
    "Disconnected",
    "Event",
    "LinkError",
    "ListenError",
    "Mesh",
    "PortInUseError",
    "Received",
    "Refused",
    "Unreachable",
    "open_mesh",
    "parse_address",
]
