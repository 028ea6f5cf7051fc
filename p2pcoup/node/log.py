"""The node's log: one event a line, for people or as JSON (structured).

Every event has a short stable name, a sentence, and fields. Names and reasons that came from other
peers are shown escaped: nothing received can move a cursor or colour a terminal. Secrets are never
among the fields.
"""

import json
import logging
import sys
from datetime import UTC, datetime
from typing import TextIO

LOGGER_NAME = "p2pcoup.node"


class NodeLog:
    """Writes events through the standard library's logging, in one of two forms."""

    def __init__(self, form: str, stream: TextIO | None = None) -> None:
        """``form`` is ``"text"`` or ``"json"``; the stream is standard error unless given."""
        self._logger = logging.Logger(LOGGER_NAME, logging.INFO)
        handler = logging.StreamHandler(stream or sys.stderr)
        handler.setFormatter(_JsonLines() if form == "json" else _Sentences())
        self._logger.addHandler(handler)

    def info(self, event: str, sentence: str, **fields: object) -> None:
        """Something happened as it should."""
        self._logger.info(sentence, extra={"event": event, "fields": fields})

    def warning(self, event: str, sentence: str, **fields: object) -> None:
        """Something the user may want to look at; the node goes on."""
        self._logger.warning(sentence, extra={"event": event, "fields": fields})


class _JsonLines(logging.Formatter):
    """``{"time": …, "level": …, "event": …, "text": …, fields…}``, one object a line."""

    def format(self, record: logging.LogRecord) -> str:
        when = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line = {
            "time": when,
            "level": record.levelname.lower(),
            "event": record.__dict__["event"],
            "text": record.getMessage(),
            **record.__dict__["fields"],
        }
        return json.dumps(line)


class _Sentences(logging.Formatter):
    """``12:30:01 sentence``."""

    def format(self, record: logging.LogRecord) -> str:
        when = datetime.fromtimestamp(record.created).astimezone().strftime("%H:%M:%S")
        mark = "! " if record.levelno >= logging.WARNING else ""
        return f"{when} {mark}{escaped(record.getMessage())}"


def escaped(text: str) -> str:
    """The text with every character that could steer a terminal written as an escape."""
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )
