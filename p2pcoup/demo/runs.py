"""The node processes of a demo: started, listened to, killed, stopped."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import trio

from p2pcoup.demo.errors import DemoError
from p2pcoup.demo.story import in_paragraphs
from p2pcoup.node.folder import HOME_VARIABLE

STOP_SECONDS = 10.0  # how long a stopped node may take before it is killed
# Bots answer at once and a proof takes milliseconds; after such a silence nothing more will come.
SILENCE_SECONDS = 60.0
STORY = ("story", "next-game", "score")  # the events of the teller that are shown
ENDINGS = ("finished", "already-played")  # what a node says of a game that is over

Echo = Callable[[str], None]


class Pulse:
    """Beats whenever a node has said something or has ended."""

    def __init__(self) -> None:
        self._next = trio.Event()

    def beat(self) -> None:
        """Something has happened."""
        self._next.set()
        self._next = trio.Event()

    async def until(self, true: Callable[[], bool]) -> None:
        """Wait for something to be true; looked at with every beat."""
        while not true():
            await self._next.wait()


@dataclass(slots=True)
class NodeRun:
    """What one node process reported: its log events by name, its exit status, its transcripts.
    Each event has a field more: ``age``, in seconds since the process was started.

    Attributes:
        fallen: it was killed and stays dead; nothing more is expected of it.
    """

    name: str
    events: dict[str, list[dict[str, object]]] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)
    status: int | None = None
    transcripts: list[bytes] = field(default_factory=list)
    fallen: bool = False
    _process: trio.Process | None = None
    _start_again: bool = False
    _started_at: float = 0.0

    def figure(self, event: str, name: str) -> list[float]:
        """The numbers of that name the node reported with such events, one a game."""
        values = [fields.get(name) for fields in self.events.get(event, ())]
        return [float(value) for value in values if isinstance(value, int | float)]

    @property
    def is_over(self) -> bool:
        """Whether it has ended by itself, or will soon."""
        return self.status is not None or any(each in self.events for each in ENDINGS)

    @property
    def is_running(self) -> bool:
        """Whether there is a process now."""
        return self._process is not None and self._process.poll() is None

    def has_finished(self, games: int) -> bool:
        """Whether it has told the end of so many games."""
        return len(self.transcript_files) == games

    @property
    def transcript_files(self) -> list[Path]:
        """The transcripts it says it has, in the order of the games. One that was killed after the
        end of a game tells it again.
        """
        told = (each for ending in ENDINGS for each in self.events.get(ending, ()))
        return list(dict.fromkeys(Path(str(each.get("transcript"))) for each in told))

    def kill(self, *, for_good: bool) -> bool:
        """Kill the process, if there is one; whether there was."""
        if self._process is None or not self.is_running:
            return False
        self.fallen, self._start_again = for_good, not for_good
        self._process.kill()
        return True

    def stop(self) -> None:
        """Ask the process to end, if there is one."""
        if self._process is not None and self.is_running:
            self._process.terminate()

    async def live(
        self, home: Path, options: Sequence[str], echo: Echo | None, heard: Callable[[], None]
    ) -> None:
        """Run the node to its end, again each time it was killed to be started again; whoever
        cancels this stops it. ``echo`` is given its story.
        """
        command = [sys.executable, "-m", "p2pcoup", "node", "--table", str(home / "table.toml")]
        environment = {**os.environ, HOME_VARIABLE: str(home)}
        while True:
            self._started_at = trio.current_time()
            self._process = process = await trio.lowlevel.open_process(
                [*command, "--log", "json", *options],
                env=environment,
                stdin=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
            )
            try:
                await self._listen(process, echo, heard)
                status = await process.wait()
            finally:
                with trio.CancelScope(shield=True):
                    await _stop(process)
            if not self._start_again:
                break
            self._start_again = False
        self.status = None if self.fallen else status

    async def _listen(
        self, process: trio.Process, echo: Echo | None, heard: Callable[[], None]
    ) -> None:
        if process.stderr is None:
            raise DemoError("The log of a node cannot be read.")
        rest = b""
        async with process.stderr as stream:
            async for chunk in stream:
                *lines, rest = (rest + bytes(chunk)).split(b"\n")
                for line in lines:
                    self._take(line, echo)
                heard()

    def _take(self, line: bytes, echo: Echo | None) -> None:
        match _json(line):
            case {"event": str(event), "text": str(text), **fields}:
                told = {str(name): value for name, value in fields.items()}
                told["age"] = trio.current_time() - self._started_at
                self.events.setdefault(event, []).append(told)
                if event != "story":
                    self.said.append(text)
                if echo is not None and event in STORY:
                    for part in in_paragraphs([text] if event == "story" else ["", text]):
                        echo(part)
            case _:  # an error from before or after the log
                self.said.append(line.decode(errors="replace"))


async def _stop(process: trio.Process) -> None:
    if process.poll() is None:
        process.terminate()
        with trio.move_on_after(STOP_SECONDS):
            await process.wait()
    if process.poll() is None:
        process.kill()
        await process.wait()


def _json(line: bytes) -> object:
    try:
        value: object = json.loads(line)
    except ValueError:
        return None
    return value
