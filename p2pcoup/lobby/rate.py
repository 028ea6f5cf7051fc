"""How many messages of each peer are read: a bucket that fills up again (SPEC 12.7)."""

from collections.abc import Hashable

from p2pcoup.lobby.limits import BURST, MESSAGES_PER_SECOND


class Rate:
    """Counts by peer. Whoever has been quiet for long costs nothing: it is forgotten."""

    def __init__(self, burst: float = BURST, per_second: float = MESSAGES_PER_SECOND) -> None:
        """``burst`` at once after a quiet time, then ``per_second``."""
        self._burst = burst
        self._per_second = per_second
        self._left: dict[Hashable, tuple[float, float]] = {}

    def admits(self, peer: Hashable, now: float) -> bool:
        """Whether one more message of this peer is read now."""
        filling = {who: at for who, at in self._left.items() if self._filled(at, now) < self._burst}
        self._left = filling
        left = self._filled(self._left.get(peer, (self._burst, now)), now)
        if left < 1:
            return False
        self._left[peer] = (left - 1, now)
        return True

    def _filled(self, at: tuple[float, float], now: float) -> float:
        left, then = at
        return min(self._burst, left + (now - then) * self._per_second)
