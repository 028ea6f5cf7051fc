"""Why no table is seen: found out by trying, and said with a way out (SPEC 9.9).

The trial is one message of no content to the multicast group, sent on each interface and waited for
on the port where everybody listens: the system gives a sender its own multicast back. So it finds
what most often is wrong: no network, a port that is taken, a firewall on this computer. That
another computer hides behind a firewall, or that a router passes no multicast on, cannot be found
out from here, and the sentence for silence says so.
"""

import contextlib
import errno
import secrets
import socket
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

import trio

from p2pcoup.net.interfaces import OwnAddress, multicast_addresses, own_addresses

MDNS_PORT: Final = 5353
GROUP: Final = "224.0.0.251"
GROUP6: Final = "ff02::fb"
HEARING: Final = 0.5
"""Seconds within which a computer hears its own multicast; it takes some microseconds."""

# A DNS answer with nothing in it: every program on the port passes over it.
_EMPTY_ANSWER: Final = struct.Struct("!HHHHHH")
_ANSWER_FLAGS: Final = 0x8400


class Reason(Enum):
    """Why no table is seen."""

    NO_NETWORK = "no-network"
    """This computer has no address at all."""
    ONLY_LOOPBACK = "only-loopback"
    """It has none but its own; only its own tables can be seen."""
    PORT_BLOCKED = "port-blocked"
    """The port of multicast DNS cannot be opened."""
    CANNOT_SEND = "cannot-send"
    """The system refuses to send multicast."""
    NOT_HEARD = "not-heard"
    """What is sent does not come back: a firewall on this computer."""
    NOBODY = "nobody"
    """Everything works here, and nobody has answered."""


_NOT_CONNECTED: Final = "this computer is not connected to any network"
_CAUSES: Final = {
    Reason.NO_NETWORK: _NOT_CONNECTED,
    Reason.ONLY_LOOPBACK: _NOT_CONNECTED,
    Reason.PORT_BLOCKED: "another program or the system does not let this one use UDP port "
    f"{MDNS_PORT} (multicast DNS)",
    Reason.CANNOT_SEND: "this computer does not let the program send multicast; a firewall or a "
    "VPN may be the cause",
    Reason.NOT_HEARD: f"this computer does not hear even itself on UDP port {MDNS_PORT} (multicast "
    "DNS); most likely its firewall is closed for it",
}
_NOBODY: Final = (
    "No table was found: nobody in this network has answered. There may be none open, the other "
    "computer's firewall may be closed, or the network (often a guest Wi-Fi) keeps its computers "
    "apart."
)
_WAY_OUT: Final = (
    "Whoever opens a table can give you its invite instead (coup://…); p2pcoup join takes it."
)


@dataclass(frozen=True, slots=True)
class Silence:
    """Why no table is seen; `detail` is what the system says about it, if anything."""

    reason: Reason
    detail: str = ""

    @property
    def text(self) -> str:
        """Some sentences for somebody who looks for a table."""
        match self.reason:
            case Reason.NOBODY:
                return f"{_NOBODY} {_WAY_OUT}"
            case Reason.NO_NETWORK:
                return f"No table can be found: {_NOT_CONNECTED}. Connect it, and try again."
            case Reason.ONLY_LOOPBACK:
                return f"No table was found on this computer, and it is the only one: {self._cause}"
            case _:
                return f"Tables in the network cannot be found: {self._cause} {_WAY_OUT}"

    @property
    def text_for_opener(self) -> str | None:
        """A sentence for somebody whose table should be found; None if nothing is wrong."""
        if self.reason is Reason.NOBODY:
            return None
        way_out = "" if _CAUSES[self.reason] is _NOT_CONNECTED else " Give them the invite."
        return f"Others cannot find this table by themselves: {self._cause}{way_out}"

    @property
    def _cause(self) -> str:
        return _CAUSES[self.reason] + (f" ({self.detail})." if self.detail else ".")


class MulticastError(Exception):
    """Multicast DNS does not work here; `silence` says why."""

    def __init__(self, silence: Silence) -> None:
        super().__init__(silence.text)
        self.silence: Final = silence


def opening_fault(error: OSError) -> Silence:
    """What it means that the sockets of multicast DNS could not be opened."""
    if error.errno in (errno.ENETUNREACH, errno.ENODEV, errno.EADDRNOTAVAIL):
        return Silence(Reason.CANNOT_SEND, _words(error))
    return Silence(Reason.PORT_BLOCKED, _words(error))


def usable(places: Sequence[str | int]) -> tuple[str | int, ...]:
    """Those of the places where multicast can be spoken and heard. Raises MulticastError if none.

    An interface that has just gone, or knows no multicast (some VPNs), must not spoil the others.
    """
    good: list[str | int] = []
    fault = Silence(Reason.NO_NETWORK)
    for place in places:
        try:
            _made(place, _join).close()
            _made(place, _speak).close()
        except OSError as error:
            fault = opening_fault(error)
        else:
            good.append(place)
    if not good:
        raise MulticastError(fault)
    return tuple(good)


async def diagnose(interfaces: Sequence[str] | None = None) -> Silence:
    """Why no table is seen in the networks of these IPv4 addresses; by default, in all.

    Takes up to `HEARING` seconds. Never raises for what is wrong with the network.
    """
    own = own_addresses()
    if not own:
        return Silence(Reason.NO_NETWORK)
    try:
        places = usable(tuple(interfaces) if interfaces is not None else multicast_addresses(own))
    except MulticastError as error:
        return error.silence
    fault = await _try(places)
    if fault is not None:
        return fault
    if interfaces is None and _is_alone(own):
        return Silence(Reason.ONLY_LOOPBACK)
    return Silence(Reason.NOBODY)


def _is_alone(own: Sequence[OwnAddress]) -> bool:
    return all(each.ip.is_loopback for each in own)


async def _try(places: Sequence[str | int]) -> Silence | None:
    """Send to the group in each place and listen; what is wrong, if so."""
    token = secrets.randbits(16)
    answer = _EMPTY_ANSWER.pack(token, _ANSWER_FLAGS, 0, 0, 0, 0)
    with contextlib.ExitStack() as open_sockets:
        try:
            listening = [open_sockets.enter_context(_made(place, _join)) for place in places]
        except OSError as error:
            return opening_fault(error)
        refused: list[OSError] = []
        for place in places:
            try:
                _send(place, answer)
            except OSError as error:
                refused.append(error)
        if len(refused) == len(places):
            return Silence(Reason.CANNOT_SEND, _words(refused[0]))
        if not await _heard(listening, answer):
            return Silence(Reason.NOT_HEARD)
    return None


async def _heard(listening: Sequence[socket.socket], answer: bytes) -> bool:
    """Whether one of the sockets receives exactly these bytes in time."""
    heard = trio.Event()

    async def listen(ear: trio.socket.SocketType) -> None:
        with contextlib.suppress(OSError):
            while await ear.recv(len(answer) + 1) != answer:
                pass
            heard.set()

    with trio.move_on_after(HEARING):
        async with trio.open_nursery() as nursery:
            for each in listening:
                nursery.start_soon(listen, trio.socket.from_stdlib_socket(each))
            await heard.wait()
            nursery.cancel_scope.cancel()
    return heard.is_set()


def _send(place: str | int, data: bytes) -> None:
    with _made(place, _speak) as mouth:
        group = GROUP if isinstance(place, str) else GROUP6
        mouth.sendto(data, (group, MDNS_PORT))


def _made(place: str | int, prepare: Callable[[socket.socket, str | int], None]) -> socket.socket:
    family = socket.AF_INET if isinstance(place, str) else socket.AF_INET6
    made = socket.socket(family, socket.SOCK_DGRAM)
    try:
        made.setblocking(False)
        prepare(made, place)
    except OSError:
        made.close()
        raise
    return made


def _join(ear: socket.socket, place: str | int) -> None:
    ear.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if hasattr(socket, "SO_REUSEPORT"):
        ear.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    ear.bind(("", MDNS_PORT))
    if isinstance(place, str):
        member = socket.inet_aton(GROUP) + socket.inet_aton(place)
        ear.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, member)
    else:
        member = socket.inet_pton(socket.AF_INET6, GROUP6) + struct.pack("@I", place)
        ear.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, member)


def _speak(mouth: socket.socket, place: str | int) -> None:
    if isinstance(place, str):
        mouth.bind((place, 0))
        interface = socket.inet_aton(place)
        mouth.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, interface)
    else:
        number = struct.pack("@I", place)
        mouth.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, number)


def _words(error: OSError) -> str:
    return (error.strerror or str(error)).rstrip(".")
