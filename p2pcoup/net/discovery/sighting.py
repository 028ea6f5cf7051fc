"""A table as the network tells of it: what is said, and where its opener would be (SPEC 9.9)."""

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass, replace
from ipaddress import IPv4Network, IPv6Network
from itertools import zip_longest

from zeroconf import ServiceInfo

from p2pcoup.net.address import Address
from p2pcoup.net.discovery.advert import Advert, AdvertError, decode_advert
from p2pcoup.net.elsewhere import can_be_elsewhere
from p2pcoup.net.interfaces import own_addresses
from p2pcoup.net.invite import MAX_INVITE_ADDRESSES, Invite


@dataclass(frozen=True, slots=True)
class Sighting:
    """A table that the network tells of. `key` is the name of the service, different for each."""

    key: str
    advert: Advert
    addresses: tuple[Address, ...]
    """Where its opener is said to be reached; those in networks of this computer first."""
    others: tuple[Address, ...] = ()
    """Where other services with the same opener's id are said to be; see `joined`."""

    @property
    def invite(self) -> Invite:
        """The invite to it. It proves nothing yet; the opener's id is only what was said."""
        return Invite(self.advert.opener, (self.addresses + self.others)[:MAX_INVITE_ADDRESSES])


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
        return can_be_elsewhere(host, loopback=self.alone)


def joined(sightings: Sequence[Sighting]) -> tuple[Sighting, ...]:
    """Each with where the others of the same opener's id are said to be.

    Liars can use the id of an opener, and which of several services is its own does not show. The
    link does show it: so whichever is chosen, the addresses of the others are tried too. Of
    each service the first ones are, so that no single one leaves no place for the others.
    """
    return tuple(
        _with_others(each, [o for o in sightings if _is_rival(each, o)]) for each in sightings
    )


def _is_rival(one: Sighting, other: Sighting) -> bool:
    return one.key != other.key and one.advert.opener == other.advert.opener


def _with_others(sighting: Sighting, rivals: Sequence[Sighting]) -> Sighting:
    own = sighting.addresses[: max(1, MAX_INVITE_ADDRESSES - len(rivals))]
    turns = zip_longest(*(each.addresses for each in rivals))
    places = dict.fromkeys(place for turn in turns for place in turn if place is not None)
    others = [place for place in places if place not in own]
    return replace(sighting, addresses=own, others=tuple(others[: MAX_INVITE_ADDRESSES - len(own)]))


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
