"""The audit of every finished game, one after the other, beside everything else."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import trio

from p2pcoup.audit import Verdict
from p2pcoup.journal.files import reason
from p2pcoup.node.archive import audit_and_note
from p2pcoup.node.limits import MAX_GAMES

PENDING: Final = "pending"
VALID, INVALID = "valid", "invalid"


@dataclass(frozen=True, slots=True)
class Found:
    """What an audit has found: `PENDING`, `VALID` or `INVALID`, and then what does not hold."""

    verdict: str
    flaw: str | None = None


class Audits:
    """What is known of the transcripts of this run."""

    def __init__(self, changed: Callable[[], None]) -> None:
        """``changed`` is called when a verdict is there."""
        self._changed = changed
        self._found: dict[str, Found] = {}
        self._add, self._waiting = trio.open_memory_channel[str](MAX_GAMES)
        self._done = trio.Event()
        self._done.set()

    def found(self, transcript: str | None) -> Found:
        """What is known of that transcript."""
        return self._found.get(transcript or "", Found(PENDING))

    def want(self, transcript: str | None) -> None:
        """Audit that file some time, unless there is none, or it is known already."""
        if transcript is None or transcript in self._found:
            return
        try:
            self._add.send_nowait(transcript)
        except trio.WouldBlock:
            return  # games take minutes and audits seconds: nobody really plays like this
        self._found[transcript] = Found(PENDING)
        self._done = trio.Event()

    async def run(self) -> None:
        """Audit what is wanted, for ever."""
        async for transcript in self._waiting:
            self._found[transcript] = await trio.to_thread.run_sync(
                _audited, Path(transcript), abandon_on_cancel=True
            )
            self._changed()
            if Found(PENDING) not in self._found.values():
                self._done.set()

    async def done(self) -> None:
        """Wait until all is audited that was wanted so far."""
        await self._done.wait()


def _audited(transcript: Path) -> Found:
    """Whether the finished game is one that anybody can check; it is noted beside the game."""
    try:
        report = audit_and_note(transcript.parent)
    except OSError as error:
        return Found(INVALID, f"The transcript cannot be read: {reason(error)}.")
    return Found(VALID) if report.verdict is Verdict.VALID else Found(INVALID, report.problem)
