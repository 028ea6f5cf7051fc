"""How many messages of each peer are read: a bucket of BURST that fills up again (SPEC 12.7)."""

from collections.abc import Hashable

from p2pcoup.lobby.limits import BURST, MESSAGES_PER_SECOND


class Rate:
    """Counts by peer. Whoever has been quiet for long costs nothing: it is forgotten."""

    def __init__(self) -> None:
        self._left: dict[Hashable, tuple[float, float]] = {}

    def admits(self, peer: Hashable, now: float) -> bool:
        """Whether one more message of this peer is read now."""
        self._left = {who: at for who, at in self._left.items() if _filled(at, now) < BURST}
        left = _filled(self._left.get(peer, (BURST, now)), now)
        if left < 1:
            return False
        self._left[peer] = (left - 1, now)
        return True


def _filled(at: tuple[float, float], now: float) -> float:
    left, then = at
    return min(BURST, left + (now - then) * MESSAGES_PER_SECOND)
