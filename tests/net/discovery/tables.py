"""Tables announced and looked for on the loopback interface, and records made by hand.

Not a test module. Each test has a service type of its own, so that tests which run at the same time
on this machine, and real tables, are not met.
"""

import os
import secrets
import socket
import struct
from typing import Final

from p2pcoup.net.address import Address
from p2pcoup.net.discovery import Advert, Browser, TableEvent
from p2pcoup.wire import PeerId, peer_id
from tests.net.peers import soon

LOOPBACK: Final = ("127.0.0.1",)
HERE: Final = (Address("127.0.0.1", 7700),)
GROUP: Final = ("224.0.0.251", 5353)

A, PTR, TXT, SRV = 1, 12, 16, 33
IN, UNIQUE = 1, 0x8001


def peer(number: int) -> PeerId:
    """Some peer's id."""
    return peer_id((number + 2).to_bytes(32, "little"))


def advert(number: int = 0, *, taken: int = 1, table: str = "friday evening") -> Advert:
    """What some peer says of its table."""
    return Advert(peer(number), table, "Ash", "base", "standard", taken, 6)


def own_service() -> str:
    """A service type that nobody else has."""
    return f"_coup-{os.getpid() % 0xFFFF:04x}{secrets.token_hex(2)}._tcp.local."


async def told(browser: Browser) -> TableEvent:
    """The next thing the browser tells."""
    return await soon(browser.__anext__)


# --- records by hand ----------------------------------------------------------------------------


def name(text: str | bytes) -> bytes:
    """A DNS name without compression; its parts may be any bytes."""
    parts = text.encode() if isinstance(text, str) else text
    labels = [each for each in parts.split(b".") if each]
    return b"".join(bytes([len(each)]) + each for each in labels) + b"\0"


def record(owner: str, kind: int, data: bytes, *, ttl: int = 60) -> bytes:
    """A resource record."""
    of_all = IN if kind == PTR else UNIQUE
    return name(owner) + struct.pack("!HHIH", kind, of_all, ttl, len(data)) + data


def answer(*records: bytes) -> bytes:
    """A DNS message with these answers."""
    return struct.pack("!HHHHHH", 0, 0x8400, 0, len(records), 0, 0) + b"".join(records)


def pointer(service: str, instance: str, *, ttl: int = 60) -> bytes:
    """There is an instance of the service."""
    return record(service, PTR, name(f"{instance}.{service}"), ttl=ttl)


def table(
    service: str, instance: str, text: bytes, *, host: str = "127.0.0.1", port: int = 7700
) -> bytes:
    """A message with all records of one table; `text` is the data of its text record."""
    full = f"{instance}.{service}"
    where = f"{instance}-host.local."
    return answer(
        pointer(service, instance),
        record(full, SRV, struct.pack("!HHH", 0, 0, port) + name(where)),
        record(full, TXT, text),
        record(where, A, socket.inet_aton(host)),
    )


class Stranger:
    """Says whatever it likes to everybody on the loopback interface."""

    def __init__(self) -> None:
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "SO_REUSEPORT"):
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        self._socket.bind(("127.0.0.1", 5353))  # answers from other ports do not count
        here = socket.inet_aton("127.0.0.1")
        self._socket.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, here)

    def say(self, *messages: bytes) -> None:
        """Send each to the group."""
        for each in messages:
            self._socket.sendto(each, GROUP)

    def close(self) -> None:
        """Fall silent."""
        self._socket.close()
