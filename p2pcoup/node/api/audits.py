"""The audit of every finished game, one after the other, beside everything else."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

import trio

from p2pcoup.audit import Verdict
from p2pcoup.node.archive import audit_and_note
from p2pcoup.node.tablefile import MAX_GAMES

PENDING: Final = "pending"
VALID, INVALID = "valid", "invalid"


class Audits:
    """What is known of the transcripts of this run."""

    def __init__(self, changed: Callable[[], None]) -> None:
        """``changed`` is called when a verdict is there."""
        self._changed = changed
        self._verdicts: dict[str, str] = {}
        self._add, self._waiting = trio.open_memory_channel[str](MAX_GAMES)
        self._done = trio.Event()
        self._done.set()

    def verdict(self, transcript: str | None) -> str:
        """`PENDING`, `VALID` or `INVALID`."""
        return self._verdicts.get(transcript or "", PENDING)

    def want(self, transcript: str | None) -> None:
        """Audit that file some time, unless there is none, or it is known already."""
        if transcript is None or transcript in self._verdicts:
            return
        try:
            self._add.send_nowait(transcript)
        except trio.WouldBlock:
            return  # games take minutes and audits seconds: nobody really plays like this
        self._verdicts[transcript] = PENDING
        self._done = trio.Event()

    async def run(self) -> None:
        """Audit what is wanted, for ever."""
        async for transcript in self._waiting:
            self._verdicts[transcript] = await trio.to_thread.run_sync(
                _verdict, Path(transcript), abandon_on_cancel=True
            )
            self._changed()
            if PENDING not in self._verdicts.values():
                self._done.set()

    async def done(self) -> None:
        """Wait until all is audited that was wanted so far."""
        await self._done.wait()


def _verdict(transcript: Path) -> str:
    """Whether the finished game is one that anybody can check; it is noted beside the game."""
    try:
        report = audit_and_note(transcript.parent)
    except OSError:
        return INVALID
    return VALID if report.verdict is Verdict.VALID else INVALID
