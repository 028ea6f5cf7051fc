"""Who has gone from a table whose last game is over: nobody waits for them with another one."""

import math

from p2pcoup.node.seat import SeatedGame
from p2pcoup.rules import Seat
from p2pcoup.wire import PeerId

AWAY_SECONDS = 10.0
"""Without a link for so long: a link that only broke is up again in two or three."""


class Away:
    """Remembers since when there is no link to each peer. Times are seconds of one clock."""

    def __init__(self) -> None:
        self._since: dict[PeerId, float] = {}

    def look(self, game: SeatedGame, linked: frozenset[PeerId], now: float) -> frozenset[Seat]:
        """The seats of the others that are away."""
        others = {
            member.peer: seat
            for seat, member in zip(game.terms.seats, game.terms.roster, strict=True)
            if seat != game.seat and member.peer not in linked
        }
        self._since = {peer: self._since.get(peer, now) for peer in others}
        return frozenset(
            seat for peer, seat in others.items() if now >= self._since[peer] + AWAY_SECONDS
        )

    def due_at(self, now: float) -> float:
        """When one more will be away; infinite if nobody will."""
        return min(
            (at + AWAY_SECONDS for at in self._since.values() if at + AWAY_SECONDS > now),
            default=math.inf,
        )
