"""Settling a link: both ends say whether they take it, and which of two stays (SPEC 9.4, 9.6).

The handshake ends with a verdict of each end, said inside TLS. Verdicts are needed because a TLS
1.3 client is done before the server has looked at its certificate, and because two links with one
peer come about when both dial at once, or when one comes back before the other has noticed that the
old link is dead.

Of the two ends the one with the lower peer id decides which link counts. It numbers the links it
accepts, and the newest counts; the other end takes whatever has the highest number. Numbers of
different runs of the deciding program (sessions) cannot be compared; there the one that arrives
later counts.

The listener speaks first. The deciding end enters a link into its table before it says so; the
other end does when it hears it. The deciding end takes what comes in, since a peer dials only when
it has no link, but lets its own attempt go if a link came in meanwhile.
"""

import struct
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, Generic, Protocol, TypeAlias, TypeVar, assert_never

from p2pcoup.net.errors import (
    MAX_REASON_BYTES,
    HandshakeError,
    NotAdmittedError,
    RefusedByPeerError,
    ReplacedError,
    printable,
)
from p2pcoup.net.handshake import Channel, phase, receive_exactly
from p2pcoup.net.limits import Timing
from p2pcoup.wire.identity import PeerId

SESSION_BYTES: Final = 8
_NUMBER: Final = struct.Struct(">Q")

# --- verdicts ----------------------------------------------------------------------------------


class _Tag(IntEnum):
    REFUSED = 0
    ACCEPTED = 1
    SUPERSEDED = 2


@dataclass(frozen=True, slots=True)
class Accepted:
    """The sender takes the link. The number of the deciding end counts."""

    session: bytes
    """8 random bytes of the sender's run: numbers of another run are not comparable."""
    number: int
    """Grows with every link the sender accepts with anybody during its run."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The sender does not want a link with this peer, for a reason that people can read."""

    reason: str


@dataclass(frozen=True, slots=True)
class Superseded:
    """The sender meanwhile has a newer link with this peer."""


Verdict: TypeAlias = Accepted | Refused | Superseded


def encode_verdict(verdict: Verdict) -> bytes:
    """A verdict's bytes: a tag, then session and number, or the framed reason, or nothing."""
    match verdict:
        case Accepted(session, number):
            if len(session) != SESSION_BYTES:
                raise ValueError(f"A session has {SESSION_BYTES} bytes, not {len(session)}.")
            return bytes([_Tag.ACCEPTED]) + session + _NUMBER.pack(number)
        case Refused(reason):
            text = reason.encode("ascii", "replace")[:MAX_REASON_BYTES]
            return bytes([_Tag.REFUSED, len(text)]) + text
        case Superseded():
            return bytes([_Tag.SUPERSEDED])
        case _:
            assert_never(verdict)


async def send_verdict(channel: Channel, verdict: Verdict, timing: Timing) -> None:
    """Send this end's verdict. Raises LinkError."""
    with phase(timing.verdict, channel.remote, "did not read"):
        await channel.stream.send_all(encode_verdict(verdict))


async def receive_verdict(channel: Channel, timing: Timing) -> Verdict:
    """The other end's verdict. Raises LinkError, HandshakeError if it is none."""
    stream, remote = channel.stream, channel.remote
    with phase(timing.verdict, remote, "did not say whether it takes the link"):
        (tag,) = await receive_exactly(stream, 1, remote)
        match tag:
            case _Tag.ACCEPTED:
                token = await receive_exactly(stream, SESSION_BYTES + _NUMBER.size, remote)
                (number,) = _NUMBER.unpack(token[SESSION_BYTES:])
                return Accepted(token[:SESSION_BYTES], number)
            case _Tag.REFUSED:
                (length,) = await receive_exactly(stream, 1, remote)
                if length > MAX_REASON_BYTES:
                    raise HandshakeError(f"{remote} refused with a reason that is too long.")
                return Refused(printable(await receive_exactly(stream, length, remote)))
            case _Tag.SUPERSEDED:
                return Superseded()
            case _:
                raise HandshakeError(f"{remote} sent the unknown verdict {tag}.")


# --- which link counts -------------------------------------------------------------------------

L = TypeVar("L")


@dataclass(frozen=True, slots=True)
class _Entry(Generic[L]):
    link: L
    token: Accepted


class LinkTable(Generic[L]):
    """At most one link for each peer. `me` is this node's id, `session` names this run of it.

    Pure bookkeeping: what it returns as replaced must be ended by the caller.
    """

    def __init__(self, me: PeerId, session: bytes) -> None:
        if len(session) != SESSION_BYTES:
            raise ValueError(f"A session has {SESSION_BYTES} bytes, not {len(session)}.")
        self._me: Final = me
        self._session: Final = session
        self._number = 0
        self._entries: Final[dict[PeerId, _Entry[L]]] = {}

    def decides(self, peer: PeerId) -> bool:
        """Whether this end decides about links with the peer: canonical ids in ASCII order."""
        return self._me < peer

    def current(self, peer: PeerId) -> L | None:
        """The link with the peer, if there is one."""
        entry = self._entries.get(peer)
        return None if entry is None else entry.link

    def peers(self) -> frozenset[PeerId]:
        """All peers there is a link with."""
        return frozenset(self._entries)

    def token(self) -> Accepted:
        """What this end writes into its verdict on a link it accepts."""
        self._number += 1
        return Accepted(self._session, self._number)

    def take(self, peer: PeerId, link: L, token: Accepted) -> L | None:
        """At the deciding end: the link with this own token counts from now on.

        Returns the link it replaces.
        """
        replaced = self.current(peer)
        self._entries[peer] = _Entry(link, token)
        return replaced

    def follow(self, peer: PeerId, link: L, theirs: Accepted) -> L | None:
        """At the other end: the deciding end has accepted this link with its token.

        Returns the link that must be ended: the one replaced, none, or `link` itself if it is
        older than the one there is.
        """
        entry = self._entries.get(peer)
        if (
            entry is not None
            and entry.token.session == theirs.session
            and entry.token.number > theirs.number
        ):
            return link
        return self.take(peer, link, theirs)

    def drop(self, peer: PeerId, link: L) -> bool:
        """The link has ended. Whether it was the one that counted."""
        entry = self._entries.get(peer)
        if entry is None or entry.link is not link:
            return False
        del self._entries[peer]
        return True


# --- settling ----------------------------------------------------------------------------------


class Replaceable(Protocol):
    """What the table holds here: something that has a channel and can be told to end."""

    @property
    def channel(self) -> Channel:
        """The channel to settle."""
        ...

    def replaced(self) -> None:
        """A newer link with the same peer counts now; end at once."""
        ...


R = TypeVar("R", bound=Replaceable)
Objection: TypeAlias = Callable[[PeerId], str | None]
"""Why a link with a peer is not wanted; None if it is."""


async def settle(link: R, table: LinkTable[R], objection: Objection, timing: Timing) -> None:
    """Algorithm 9.6. Afterwards both ends have the link in their tables, or will drop it.

    The objection is asked for once, at the moment of this end's verdict. Raises LinkError if the
    link does not come about.
    """
    channel = link.channel
    theirs = await _their_verdict(channel, timing) if channel.dialled else None
    mine = _my_verdict(link, table, objection)
    await send_verdict(channel, mine, timing)
    match mine:
        case Refused(reason):
            raise NotAdmittedError(f"{channel.peer} was refused: {reason}")
        case Superseded():
            raise ReplacedError("A link with the same peer came in meanwhile.")
        case Accepted():
            pass
        case _:
            assert_never(mine)
    if theirs is None:
        theirs = await _their_verdict(channel, timing)
    if not table.decides(channel.peer):
        _end(table.follow(channel.peer, link, theirs))


def _my_verdict(link: R, table: LinkTable[R], objection: Objection) -> Verdict:
    peer = link.channel.peer
    reason = objection(peer)
    if reason is not None:
        return Refused(reason)
    if table.decides(peer) and link.channel.dialled and table.current(peer) is not None:
        return Superseded()
    token = table.token()
    if table.decides(peer):
        _end(table.take(peer, link, token))
    return token


async def _their_verdict(channel: Channel, timing: Timing) -> Accepted:
    verdict = await receive_verdict(channel, timing)
    match verdict:
        case Accepted():
            return verdict
        case Refused(reason):
            raise RefusedByPeerError(f"{channel.remote} refused the link: {reason}")
        case Superseded():
            raise ReplacedError("The peer has a newer link with this node.")
        case _:
            assert_never(verdict)


def _end(link: Replaceable | None) -> None:
    if link is not None:
        link.replaced()
