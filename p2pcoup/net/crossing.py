"""Which of two links with one peer is the link (SPEC 9.6). Pure bookkeeping, no I/O.

Two links come about when both peers dial at once, or when one comes back before the other has
noticed that the old link is dead. Of the two ends the one with the lower peer id decides. It
numbers the links it takes, and of one peer's links the newest is the one that counts; the other
end takes whatever has the highest number. Numbers of different runs of the deciding program
(sessions) cannot be compared; there the one that arrives later counts.
"""

from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from p2pcoup.net.verdict import SESSION_BYTES, Accepted
from p2pcoup.wire.identity import PeerId

L = TypeVar("L")


@dataclass(frozen=True, slots=True)
class _Entry(Generic[L]):
    link: L
    token: Accepted


class LinkTable(Generic[L]):
    """At most one link for each peer. `me` is this node's id, `session` names this run of it."""

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

        Returns the link it replaces; that one must be ended.
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
