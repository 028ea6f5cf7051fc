"""How often something may happen. The time comes from the caller."""

from typing import Final


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
