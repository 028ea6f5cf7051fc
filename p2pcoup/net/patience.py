"""How much a linked peer may send: of anything, and of what no honest peer sends (SPEC 9.7).

Both are credits that come back slowly and do not depend on links: who dials again has no new one.
Only the user of the mesh can say what junk is. Pure: time comes from the caller.
"""

from collections import OrderedDict
from typing import Final

from p2pcoup.net.limits import (
    JUNK_BURST,
    JUNK_PAUSE_SECONDS,
    JUNK_PER_SECOND,
    MAX_CREDITS,
)
from p2pcoup.net.rate import TokenBucket
from p2pcoup.wire.identity import PeerId


class Credits:
    """A credit for every peer that has lately used some of it."""

    def __init__(self, burst: float, per_second: float) -> None:
        self._burst: Final = burst
        self._per_second: Final = per_second
        self._left: OrderedDict[PeerId, TokenBucket] = OrderedDict()

    def __len__(self) -> int:
        return len(self._left)

    def take(self, peer: PeerId, now: float) -> bool:
        """Whether the peer had something left; if so, it now has less."""
        left = self._left.get(peer)
        if left is None:
            if len(self._left) >= MAX_CREDITS:
                self._left.popitem(last=False)  # the one that was quiet for longest
            left = self._left[peer] = TokenBucket(self._burst, self._per_second, now)
        self._left.move_to_end(peer)
        return left.take(now)


class Patience:
    """What is left of it, for every peer that was reproached lately."""

    def __init__(self) -> None:
        self._credits: Final = Credits(JUNK_BURST, JUNK_PER_SECOND)
        self._shut_out: dict[PeerId, float] = {}

    def reproach(self, peer: PeerId, now: float) -> bool:
        """The peer has sent junk. Whether that was too much: it is then shut out for a while."""
        if self._credits.take(peer, now):
            return False
        self._shut_out = {each: until for each, until in self._shut_out.items() if until > now}
        self._shut_out[peer] = now + JUNK_PAUSE_SECONDS
        return True

    def is_over(self, peer: PeerId, now: float) -> bool:
        """Whether the peer is shut out at this time."""
        return self._shut_out.get(peer, now) > now
