"""Whom the game waits for while the link to them is down; and when they are back."""

from p2pcoup.node.report import Report
from p2pcoup.node.seat import SeatedGame
from p2pcoup.wire import PeerId


class Missing:
    """Remembers whose link is down and who is said to be missed, so that each is told once."""

    def __init__(self, game: SeatedGame, report: Report) -> None:
        self._game = game
        self._report = report
        self._down: set[PeerId] = set()
        self._told: set[PeerId] = set()

    def lost(self, peer: PeerId) -> None:
        """The link to a peer has ended."""
        self._down.add(peer)

    def heard_of(self, peer: PeerId) -> None:
        """There is a link again, or a message of theirs has come another way."""
        self._down.discard(peer)
        if peer in self._told:
            self._told.discard(peer)
            self._report.back(peer)

    def look(self) -> None:
        """Say so if the game waits for somebody whose link is down."""
        roster = self._game.terms.roster
        for peer in (roster[seat].peer for seat in self._game.table.waiting_for):
            if peer in self._down and peer not in self._told:
                self._told.add(peer)
                self._report.reconnecting(peer)
