"""A table as the network tells of it: what is said, and where its opener would be (SPEC 9.9)."""

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import Final

from zeroconf import ServiceInfo

from p2pcoup.net.address import Address
from p2pcoup.net.discovery.advert import Advert, AdvertError, decode_advert
from p2pcoup.net.interfaces import own_addresses
from p2pcoup.net.invite import MAX_INVITE_ADDRESSES, Invite

_BROADCAST: Final = IPv4Address("255.255.255.255")


@dataclass(frozen=True, slots=True)
class Sighting:
    """A table that the network tells of. `key` is the name of the service, different for each."""

    key: str
    advert: Advert
    addresses: tuple[Address, ...]
    """Where its opener is said to be reached; those in networks of this computer first."""

    @property
    def invite(self) -> Invite:
        """The invite to it. It proves nothing yet; the opener's id is only what was said."""
        return Invite(self.advert.opener, self.addresses)


@dataclass(frozen=True, slots=True)
class Found:
    """A table that was not there before."""

    sighting: Sighting


@dataclass(frozen=True, slots=True)
class Changed:
    """Something else is said of a table, or it is elsewhere."""

    sighting: Sighting


@dataclass(frozen=True, slots=True)
class Gone:
    """A table has said goodbye, or nothing was heard of it for too long. `sighting` is the last."""

    sighting: Sighting


TableEvent = Found | Changed | Gone


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What this computer reaches directly, as far as it matters for where others may be."""

    nearby: frozenset[IPv4Network | IPv6Network] = frozenset()
    alone: bool = False
    """Only this computer itself is listened to, so its own addresses are good ones."""

    @classmethod
    def of(cls, interfaces: Sequence[str] | None) -> "Surroundings":
        """Those of these IPv4 addresses of this computer, or of all it has."""
        own = own_addresses()
        if interfaces is not None:
            own = tuple(each for each in own if str(each.ip) in interfaces)
        return cls(
            frozenset(each.network for each in own), all(each.ip.is_loopback for each in own)
        )

    def has(self, host: str) -> bool:
        """Whether the address is in a network this computer is in."""
        return any(ipaddress.ip_address(host) in network for network in self.nearby)

    def allows(self, host: str) -> bool:
        """Whether a peer can be there: strangers must not make this computer call itself."""
        if "%" in host:
            return False  # the name of an interface of this computer
        ip = ipaddress.ip_address(host)
        if ip.is_multicast or ip.is_unspecified or ip == _BROADCAST:
            return False
        if isinstance(ip, IPv6Address) and (ip.is_link_local or ip.ipv4_mapped is not None):
            return False
        return self.alone or not ip.is_loopback


def read_sighting(key: str, info: ServiceInfo, surroundings: Surroundings) -> Sighting | None:
    """What the records of a service say, if it can be shown and dialled; None if not."""
    try:
        advert = decode_advert(info.text or b"")
    except AdvertError:
        return None
    port = info.port or 0
    hosts = [each for each in info.parsed_scoped_addresses() if surroundings.allows(each)]
    hosts.sort(key=lambda host: (not surroundings.has(host), ":" in host, host))
    addresses = tuple(Address(host, port) for host in dict.fromkeys(hosts))[:MAX_INVITE_ADDRESSES]
    return Sighting(key, advert, addresses) if addresses and port else None
