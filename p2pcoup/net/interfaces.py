"""This computer's addresses: which to tell others, where to speak multicast (SPEC 9.8, 9.9).

`ifaddr` lists them; the rest is an order of preference. Nothing here leaves the computer.
"""

import contextlib
import ipaddress
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address
from typing import Final

import ifaddr

from p2pcoup.net.address import Address
from p2pcoup.net.invite import MAX_INVITE_ADDRESSES

_VIRTUAL: Final = ("docker", "br-", "veth", "virbr", "vmnet", "vboxnet", "lxc", "lxd", "podman")
"""Names of interfaces that usually lead to no other computer. They are told last, not left out."""

# Documentation networks (RFC 5737, RFC 3849): to ask which way out the system would take. Nothing
# is sent there; connecting a UDP socket only looks up the route.
_ANYWHERE: Final = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))


@dataclass(frozen=True, slots=True)
class OwnAddress:
    """An address of this computer, on which interface, and with how many bits of network."""

    ip: IPv4Address | IPv6Address
    interface: str
    index: int
    prefix: int

    @property
    def network(self) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
        """The network that is reached directly through it."""
        return ipaddress.ip_interface(f"{self.ip}/{self.prefix}").network


def own_addresses() -> tuple[OwnAddress, ...]:
    """All addresses of this computer, the most useful to others first."""
    found = []
    for adapter in ifaddr.get_adapters():
        for each in adapter.ips:
            text = each.ip if isinstance(each.ip, str) else each.ip[0]
            with contextlib.suppress(ValueError):  # a kind of address this Python does not know
                ip = ipaddress.ip_address(text.partition("%")[0])
                prefix = min(each.network_prefix, ip.max_prefixlen)
                found.append(OwnAddress(ip, adapter.name, adapter.index or 0, prefix))
    ways_out = _ways_out()

    def usefulness(own: OwnAddress) -> tuple[bool, bool, bool, int, bool]:
        return (
            own.ip.is_loopback,
            own.ip.is_link_local,
            own.interface.startswith(_VIRTUAL),
            own.ip.version,
            own.ip not in ways_out,
        )

    return tuple(sorted(found, key=usefulness))


def addresses_to_tell(listening: Iterable[Address]) -> tuple[Address, ...]:
    """Where others reach a node that listens at these numeric addresses: the best first, at most 8.

    All addresses (0.0.0.0 or ::) stand for those of this computer. Addresses of the computer itself
    (127.0.0.1) are told only if there is nothing else; IPv6 addresses that need the name of an
    interface are not told, since it means nothing elsewhere.
    """
    own = own_addresses()
    told: dict[Address, None] = {}
    for address in listening:
        ip = ipaddress.ip_address(address.host.partition("%")[0])
        if ip.is_unspecified:
            same_kind = [each.ip for each in own if each.ip.version == ip.version]
            told |= dict.fromkeys(Address(str(each), address.port) for each in same_kind)
        else:
            told[Address(str(ip), address.port)] = None
    useful = [each for each in told if not _needs_interface(each.host)]
    outside = [each for each in useful if not ipaddress.ip_address(each.host).is_loopback]
    # Sorting is stable: within a kind, the order of usefulness stays.
    best = sorted(outside or useful, key=lambda each: ":" in each.host)
    return tuple(best[:MAX_INVITE_ADDRESSES])


def multicast_addresses(own: Iterable[OwnAddress]) -> tuple[str | int, ...]:
    """Where to speak multicast: IPv4 addresses, or interface numbers where there is only IPv6.

    Only where there is no other interface, the loopback one; nothing at all without any.
    """
    own = tuple(own)
    outside = [each for each in own if not each.ip.is_loopback] or own
    by_ipv4 = [str(each.ip) for each in outside if isinstance(each.ip, IPv4Address)]
    by_ipv6 = [each.index for each in outside if isinstance(each.ip, IPv6Address)]
    return tuple(dict.fromkeys(by_ipv4)) or tuple(dict.fromkeys(by_ipv6))


def _needs_interface(host: str) -> bool:
    ip = ipaddress.ip_address(host)
    return isinstance(ip, IPv6Address) and ip.is_link_local


def _ways_out() -> frozenset[IPv4Address | IPv6Address]:
    """The addresses this computer would use towards the rest of the world."""
    ways = set()
    for family, anywhere in _ANYWHERE:
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asking:
            asking.connect((anywhere, 9))
            ways.add(ipaddress.ip_address(asking.getsockname()[0].partition("%")[0]))
    return frozenset(ways)
