"""The numbered events of one run of a node, for clients that come late or come back.

The oldest are forgotten when all together would be more than MAX_LOG_BYTES.
"""

import json
from collections import deque
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Final

MAX_LOG_BYTES: Final = 4 * 1024 * 1024  # an event has some 200 bytes, a long game 1,500 events


def to_json(message: Mapping[str, object]) -> str:
    """One message of the API: JSON on one line, in ASCII, so that no terminal can spoil it."""
    return json.dumps(message, separators=(",", ":"), allow_nan=False)


class EventLog:
    """Events by number, from `first` to the one before `next`."""

    def __init__(self, most_bytes: int = MAX_LOG_BYTES) -> None:
        self._most_bytes = most_bytes
        self._lines: deque[str] = deque()
        self._bytes = 0
        self.first = 0
        self.next = 0

    def add(self, fields: Mapping[str, object]) -> None:
        """Number an event and keep it."""
        line = to_json({"type": "event", "number": self.next, **fields})
        self._lines.append(line)
        self._bytes += len(line)
        self.next += 1
        while self._bytes > self._most_bytes:
            self._bytes -= len(self._lines.popleft())
            self.first += 1

    def lines(self, number: int, most: int) -> Iterator[str]:
        """At most so many events from that number on, or from the first that is kept."""
        start = max(number - self.first, 0)
        return islice(self._lines, start, start + most)
