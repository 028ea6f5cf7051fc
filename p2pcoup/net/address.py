"""Where a peer listens: a host (IPv4, IPv6 or a name) and a TCP port, as text (SPEC 9.1).

`parse_address` and `str` are inverse to each other. Errors of the operating system about an
address become sentences here, so that dialling and listening say the same thing the same way.
"""

import errno
import ipaddress
import re
import socket
from typing import Final, NamedTuple

MAX_ADDRESS_TEXT: Final = 300
"""Longer text is no address: a name has at most 253 characters, a port five."""
MAX_NAME: Final = 253
MAX_PORT: Final = 65535

_NAME: Final = re.compile(
    r"(?!-)[A-Za-z0-9_-]{1,63}(?<!-)(\.(?!-)[A-Za-z0-9_-]{1,63}(?<!-))*\.?", re.ASCII
)
_DOTTED_DIGITS: Final = re.compile(r"[0-9.]+", re.ASCII)
_PORT: Final = re.compile(r"[0-9]{1,5}", re.ASCII)


class AddressError(ValueError):
    """The text is no address. The message is a sentence for the person who wrote it."""


class Address(NamedTuple):
    """A host without brackets and a TCP port. Port 0 (listening only): the system chooses."""

    host: str
    port: int

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


def parse_address(text: str, *, default_port: int | None = None) -> Address:
    """Algorithm 9.1: `name:port`, `1.2.3.4:port` or `[ipv6]:port`.

    Without a port the default is taken, if there is one. Raises AddressError.
    """
    text = text.strip()
    if len(text) > MAX_ADDRESS_TEXT:
        raise AddressError("This text is too long to be an address.")
    host, port_text = _split(text)
    if port_text is None:
        if default_port is None:
            raise AddressError(f"{text!a} has no port; write host:port, for example {text}:5470.")
        port = default_port
    elif not _PORT.fullmatch(port_text) or int(port_text) > MAX_PORT:
        raise AddressError(f"{port_text!a} is no port; a port is a number from 0 to {MAX_PORT}.")
    else:
        port = int(port_text)
    return Address(host, port)


def _split(text: str) -> tuple[str, str | None]:
    if text.startswith("["):
        host, bracket, rest = text[1:].partition("]")
        if not bracket or (rest and not rest.startswith(":")):
            raise AddressError(f"{text!a} is no address; an IPv6 address is written [::1]:port.")
        if not _is_ipv6(host):
            raise AddressError(f"{host!a} is no IPv6 address, and only those stand in brackets.")
        return host, rest[1:] if rest else None
    if text.count(":") > 1:
        hint = f"[{text}]:port" if _is_ipv6(text) else "[::1]:port"
        raise AddressError(f"{text!a} has several colons; write an IPv6 address as {hint}.")
    host, colon, port = text.partition(":")
    if not host:
        raise AddressError(f"{text!a} has no host; write host:port.")
    if not _is_host(host):
        raise AddressError(f"{host!a} is neither a host name nor an IP address.")
    return host, port if colon else None


def _is_host(host: str) -> bool:
    if _DOTTED_DIGITS.fullmatch(host):
        # "1.2.3" and "127.1" are names to no resolver, only to lenient parsers of addresses.
        try:
            ipaddress.IPv4Address(host)
        except ValueError:
            return False
        return True
    return len(host) <= MAX_NAME and _NAME.fullmatch(host) is not None


def _is_ipv6(host: str) -> bool:
    try:
        ipaddress.IPv6Address(host)
    except ValueError:
        return False
    # A zone such as %eth0 is kept, but it may not smuggle anything printable-unsafe.
    return host.isascii() and host.isprintable()


def network_of(host: str) -> str:
    """What counts as one place for the limits on incoming connections.

    An IPv4 address; for IPv6 the /64, because whoever has one address has its whole /64.
    """
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.IPv6Network((int(address) >> 64 << 64, 64)))


_CONNECT_REASONS: Final = {
    errno.ECONNREFUSED: "nobody listens at {address}; is the other node running there?",
    errno.ETIMEDOUT: "{address} does not answer; a firewall may be in between.",
    errno.EHOSTUNREACH: "there is no way to {address}; is it in another network?",
    errno.ENETUNREACH: "there is no way to {address}; is this computer connected to a network?",
    errno.ECONNRESET: "{address} closed the connection at once; it may be busy.",
    errno.EACCES: "this computer does not allow connections to {address}.",
    errno.EPERM: "a firewall on this computer does not allow connections to {address}.",
    errno.EADDRNOTAVAIL: "{address} cannot be reached from any address of this computer.",
}


def explain_connect(address: Address, error: OSError) -> str:
    """Why connecting to the address failed, as a sentence."""
    if isinstance(error, socket.gaierror):
        return f"The name {address.host} is not known; check its spelling, or use an IP address."
    for cause in _causes(error):
        if cause.errno in _CONNECT_REASONS:
            reason = _CONNECT_REASONS[cause.errno].format(address=address)
            return reason[0].upper() + reason[1:]
    return f"Connecting to {address} failed: {_system_words(error)}."


def explain_listen(address: Address, error: OSError) -> str:
    """Why listening at the address failed, and what to do, as a sentence."""
    if isinstance(error, socket.gaierror):
        return f"Cannot listen at {address}: the name {address.host} is not known."
    match error.errno:
        case errno.EADDRINUSE:
            return (
                f"Cannot listen at {address}: another program, perhaps this one started twice, "
                "already uses the port. Close it, or choose another port."
            )
        case errno.EACCES | errno.EPERM:
            return (
                f"Cannot listen at {address}: this user may not use port {address.port}. "
                "Choose a port from 1024 up."
            )
        case errno.EADDRNOTAVAIL:
            return (
                f"Cannot listen at {address}: {address.host} is not an address of this computer. "
                "Use one of its own, or 0.0.0.0 for all of them."
            )
        case errno.EAFNOSUPPORT:
            return f"Cannot listen at {address}: this computer has no such kind of address."
        case _:
            return f"Cannot listen at {address}: {_system_words(error)}."


def _causes(error: OSError) -> list[OSError]:
    """The error itself and those it was raised from: one for each address a name stands for."""
    causes = [error]
    group = error.__cause__
    if isinstance(group, BaseExceptionGroup):
        causes += [each for each in group.exceptions if isinstance(each, OSError)]
    elif isinstance(group, OSError):
        causes.append(group)
    return causes


def _system_words(error: OSError) -> str:
    last = _causes(error)[-1]
    return (last.strerror or str(last) or type(last).__name__).rstrip(".")
