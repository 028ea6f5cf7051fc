"""Whom the game waits for while the link to them is down."""

from collections.abc import Collection

from p2pcoup.wire import PeerId


class Missing:
    """Remembers whose link is down and who is said to be missed, so each is told once."""

    def __init__(self) -> None:
        self._down: set[PeerId] = set()
        self._told: set[PeerId] = set()

    def lost(self, peer: PeerId) -> None:
        """The link to a peer has ended."""
        self._down.add(peer)

    def heard_of(self, peer: PeerId) -> bool:
        """There is a link again, or a message of theirs came another way; whether to say so."""
        self._down.discard(peer)
        was_told = peer in self._told
        self._told.discard(peer)
        return was_told

    def newly(self, waited_for: Collection[PeerId]) -> list[PeerId]:
        """Those of whom to say now that the game waits for them."""
        new = [peer for peer in waited_for if peer in self._down and peer not in self._told]
        self._told.update(new)
        return new
