"""How often something may happen: a token bucket, and the pauses between attempts to dial.

Both are pure: the time and the random numbers come from the caller.
"""

import random
from typing import Final

from p2pcoup.net.limits import BACKOFF_FIRST, BACKOFF_LAST


class TokenBucket:
    """Allows `burst` at once and `per_second` in the long run. Times are seconds of one clock."""

    __slots__ = ("_burst", "_level", "_per_second", "_updated")

    def __init__(self, burst: float, per_second: float, now: float) -> None:
        self._burst: Final = burst
        self._per_second: Final = per_second
        self._level = burst
        self._updated = now

    def take(self, now: float) -> bool:
        """Whether it may happen now; if so, it counts."""
        passed = max(0.0, now - self._updated)
        self._level = min(self._burst, self._level + passed * self._per_second)
        self._updated = now
        if self._level < 1.0:
            return False
        self._level -= 1.0
        return True


class Backoff:
    """Pauses that double from BACKOFF_FIRST to BACKOFF_LAST, each shortened at random.

    Without the random part, two peers that lost each other at once would always dial at once.
    """

    __slots__ = ("_jitter", "_pause")

    def __init__(self, jitter: random.Random) -> None:
        self._jitter: Final = jitter
        self._pause = BACKOFF_FIRST

    def reset(self) -> None:
        """It worked: the next pause is the first again."""
        self._pause = BACKOFF_FIRST

    def next_pause(self) -> float:
        """Seconds to wait now: between a half and the whole of the current pause, then doubled."""
        pause = self._pause * self._jitter.uniform(0.5, 1.0)
        self._pause = min(BACKOFF_LAST, self._pause * 2)
        return pause
