"""Addresses that others name: where a peer on another computer can be (SPEC 9.9, 12.4).

Strangers must not make this computer call itself, or everybody at once.
"""

import ipaddress
from ipaddress import IPv4Address, IPv6Address
from typing import Final

_BROADCAST: Final = IPv4Address("255.255.255.255")


def is_loopback(host: str) -> bool:
    """Whether that IP address is this very computer; a name is none."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def can_be_elsewhere(host: str, *, loopback: bool = False) -> bool:
    """Whether a peer can be there, as a stranger says. A name leads wherever its owner wants, also
    to this computer, so it does not count.

    Args:
        loopback: whether peers on this very computer are meant too.
    """
    if "%" in host:
        return False  # the name of an interface of this computer
    try:
        ip = ipaddress.ip_address(host)
    except ValueError:
        return False
    if ip.is_multicast or ip.is_unspecified or ip == _BROADCAST:
        return False
    if isinstance(ip, IPv6Address) and (ip.is_link_local or ip.ipv4_mapped is not None):
        return False
    return loopback or not ip.is_loopback
