"""Settling a link: both ends say whether they take it, and which of two stays (SPEC 9.6).

The listener speaks first. The deciding end (`crossing`) enters a link into its table before it
says so; the other end does when it hears it. The deciding end takes what comes in, since a peer
dials only when it has no link, but lets its own attempt go if a link came in meanwhile.
"""

from collections.abc import Callable
from typing import Protocol, TypeVar, assert_never

from p2pcoup.net.crossing import LinkTable
from p2pcoup.net.errors import NotAdmittedError, RefusedByPeerError, ReplacedError
from p2pcoup.net.handshake import Channel
from p2pcoup.net.limits import Timing
from p2pcoup.net.verdict import (
    Accepted,
    Refused,
    Superseded,
    Verdict,
    receive_verdict,
    send_verdict,
)
from p2pcoup.wire.identity import PeerId


class Replaceable(Protocol):
    """What the table holds: something that belongs to a channel and can be told to end."""

    @property
    def channel(self) -> Channel:
        """The channel to settle."""
        ...

    def replaced(self) -> None:
        """A newer link with the same peer counts now; end at once."""
        ...


L = TypeVar("L", bound=Replaceable)


async def settle(
    link: L,
    table: LinkTable[L],
    objection: Callable[[PeerId], str | None],
    timing: Timing,
) -> None:
    """Algorithm 9.6. Afterwards both ends have the link in their tables, or will drop it.

    `objection` says why a link with a peer is not wanted, None if it is; it is asked once, at the
    moment of this end's verdict. Raises LinkError if the link does not come about.
    """
    channel = link.channel
    theirs = await _their_verdict(channel, timing) if channel.dialled else None
    mine = _my_verdict(link, table, objection)
    await send_verdict(channel.stream, channel.remote, mine, timing)
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


def _my_verdict(link: L, table: LinkTable[L], objection: Callable[[PeerId], str | None]) -> Verdict:
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
    verdict = await receive_verdict(channel.stream, channel.remote, timing)
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
