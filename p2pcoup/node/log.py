"""The node's log: one event a line, for people or as JSON (structured).

Every event has a short stable name, a sentence, and fields. Names and reasons that came from other
peers are shown escaped: nothing received can move a cursor or colour a terminal. Secrets are never
among the fields.

Lines are written by a thread of their own. A terminal that is paused, or a pipe nobody reads, holds
up that thread alone; what it cannot take is dropped, and the game goes on.
"""

import contextlib
import json
import math
import os
import queue
import sys
import threading
from collections.abc import Callable, Hashable, Mapping
from datetime import UTC, datetime
from types import TracebackType

MAX_WAITING_LINES = 10_000  # a long game has a fifth of it
CLOSE_SECONDS = 2.0  # how long the end of the program waits for a reader that has stopped
COMPLAINT_SECONDS = 10.0

Write = Callable[[str], object]


class NodeLog:
    """Writes events in one of two forms. Use it as a context, or `close` it, to see the last."""

    def __init__(self, form: str, write: Write | None = None) -> None:
        """``form`` is ``"text"`` or ``"json"``; lines go to standard error unless ``write``, which
        is called in a thread of its own, is given.
        """
        self._format = _json_line if form == "json" else _sentence
        self._write = write or _standard_error()
        self._lines: queue.Queue[str | None] = queue.Queue(MAX_WAITING_LINES)
        # A daemon, so that a reader that has stopped cannot keep the program from ending.
        self._writer = threading.Thread(target=self._write_lines, name="log", daemon=True)
        self._writer.start()

    def info(self, event: str, sentence: str, **fields: object) -> None:
        """Something happened as it should."""
        self._take("info", event, sentence, fields)

    def warning(self, event: str, sentence: str, **fields: object) -> None:
        """Something the user may want to look at; the node goes on."""
        self._take("warning", event, sentence, fields)

    def close(self) -> None:
        """Write what is waiting, for CLOSE_SECONDS at most. Nothing can be logged afterwards."""
        with contextlib.suppress(queue.Full):
            self._lines.put(None, timeout=CLOSE_SECONDS)
            self._writer.join(CLOSE_SECONDS)

    def __enter__(self) -> "NodeLog":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _take(self, level: str, event: str, text: str, fields: Mapping[str, object]) -> None:
        line = self._format(datetime.now(UTC), level, event, text, fields)
        with contextlib.suppress(queue.Full):
            self._lines.put_nowait(line)

    def _write_lines(self) -> None:
        while (line := self._lines.get()) is not None:
            # A full disk or a closed pipe under the log is no reason to stop a game.
            with contextlib.suppress(OSError):
                self._write(line + "\n")


def _standard_error() -> Write:
    """Writes to the descriptor itself: a Python stream that is stuck in a write cannot be closed.

    Without a standard error there is nowhere to write, least of all descriptor 2: the system may
    have given that number to the journal.
    """
    if sys.stderr is None:
        return lambda _line: None
    try:
        descriptor = sys.stderr.fileno()
    except OSError:  # something that only looks like a file has been put in its place
        return sys.stderr.write

    def write(line: str) -> None:
        rest = line.encode("utf-8", "backslashreplace")
        while rest:
            rest = rest[os.write(descriptor, rest) :]

    return write


def _json_line(
    when: datetime, level: str, event: str, text: str, fields: Mapping[str, object]
) -> str:
    """``{"time": …, "level": …, "event": …, "text": …, fields…}``."""
    time = when.isoformat(timespec="milliseconds")
    return json.dumps({"time": time, "level": level, "event": event, "text": text, **fields})


def _sentence(
    when: datetime, level: str, event: str, text: str, fields: Mapping[str, object]
) -> str:
    """``12:30:01 sentence``, in local time; a warning is marked with ``!``."""
    del event, fields
    mark = "! " if level == "warning" else ""
    return f"{when.astimezone():%H:%M:%S} {mark}{escaped(text)}"


def escaped(text: str) -> str:
    """The text with every character that could steer a terminal written as an escape."""
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )


class Complaints:
    """Lets a complaint through once in COMPLAINT_SECONDS and counts those in between.

    A peer that sends junk without end must not fill the disk through the log.
    """

    def __init__(self) -> None:
        self._last: dict[Hashable, float] = {}
        self._held_back: dict[Hashable, int] = {}

    def admit(self, about: Hashable, now: float) -> int | None:
        """How many of these were held back since the last one; None: hold this one back too."""
        if now < self._last.get(about, -math.inf) + COMPLAINT_SECONDS:
            self._held_back[about] = self._held_back.get(about, 0) + 1
            return None
        self._last[about] = now
        return self._held_back.pop(about, 0)
