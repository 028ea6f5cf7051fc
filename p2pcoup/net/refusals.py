"""Telling the node about callers that were turned away, without letting junk drown the game."""

from typing import Final

import trio

from p2pcoup.net.address import Address
from p2pcoup.net.events import Event, Refused
from p2pcoup.net.limits import REFUSAL_BURST, REFUSALS_PER_SECOND
from p2pcoup.net.pacing import TokenBucket


class RefusalReports:
    """Sends some `Refused` events and counts the others. Never waits for the node."""

    def __init__(self, events: trio.MemorySendChannel[Event]) -> None:
        self._events: Final = events
        self._rate: TokenBucket | None = None
        self._unreported = 0

    def report(self, remote: Address, reason: str, now: float) -> None:
        """A connection from `remote` was turned away; `now` in seconds of one clock."""
        if self._rate is None:
            self._rate = TokenBucket(REFUSAL_BURST, REFUSALS_PER_SECOND, now)
        if not self._rate.take(now):
            self._unreported += 1
            return
        try:
            self._events.send_nowait(Refused(remote, reason, self._unreported))
        except trio.WouldBlock:
            self._unreported += 1
        else:
            self._unreported = 0
