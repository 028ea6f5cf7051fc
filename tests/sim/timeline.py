"""Virtual time: one queue of what is to happen, in milliseconds (integers, so nothing is rounded).

What is due at the same moment happens in the order in which it was asked for.
"""

import heapq
from collections.abc import Callable

Action = Callable[[], None]


class Timeline:
    """The only clock of a simulated game."""

    def __init__(self) -> None:
        self.now = 0
        self._queue: list[tuple[int, int, Action]] = []
        self._asked = 0

    def at(self, time_ms: int, action: Action) -> None:
        """Let it happen at that time, or now if that is past."""
        heapq.heappush(self._queue, (max(time_ms, self.now), self._asked, action))
        self._asked += 1

    def after(self, delay_ms: int, action: Action) -> None:
        """Let it happen so much later."""
        self.at(self.now + delay_ms, action)

    def run(self, until: Callable[[], bool], end_ms: int) -> None:
        """Let things happen until the condition holds, time is over or nothing is left."""
        while self._queue and not until():
            time_ms, _, action = heapq.heappop(self._queue)
            if time_ms > end_ms:
                self.now = end_ms
                return
            self.now = time_ms
            action()
