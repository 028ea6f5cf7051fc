"""A whole game on one machine: separate node processes with bots over loopback TCP.

Nothing is shortened: every process has its own identity, journal and secret, and knows the others
only through its links. The story is read from the log of one of them.
"""

import json
import os
import secrets
import shutil
import socket
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import trio

from p2pcoup.audit import Report, Verdict, audit
from p2pcoup.node.home import HOME_VARIABLE, create_identity, game_folder
from p2pcoup.node.seat import TRANSCRIPT_NAME
from p2pcoup.node.tablefile import parse_table_file
from p2pcoup.wire import Identity

NAMES = ("Ash", "Birch", "Cedar", "Elm", "Fir", "Hazel")
# Below the range that systems hand out to outgoing connections, so that no dial can take a port
# before its listener does.
PORTS = range(20_000, 32_000)
STOP_SECONDS = 10.0  # how long a stopped node may take before it is killed

Echo = Callable[[str], None]


class DemoError(Exception):
    """The game could not be played or its transcripts do not agree; the message says why."""


@dataclass(slots=True)
class NodeRun:
    """What one node process reported: its log events by name, its exit status, its transcript."""

    name: str
    events: dict[str, dict[str, object]] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    status: int | None = None
    transcript: bytes | None = None

    def figure(self, event: str, name: str) -> float:
        """A number the node reported with an event; 0 when it did not."""
        value = self.events.get(event, {}).get(name)
        return float(value) if isinstance(value, int | float) else 0.0


@dataclass(frozen=True, slots=True)
class DemoGame:
    """A game that was played: one run for each seat, the kept transcript and its audit."""

    runs: tuple[NodeRun, ...]
    transcript: Path
    report: Report
    seconds: float


async def play_demo(
    folder: Path, *, bots: Sequence[str], seed: str, echo: Echo = lambda _line: None
) -> DemoGame:
    """Play one game with a seat for each bot in ``bots`` and audit it.

    Args:
        folder: a new folder for the game; afterwards it holds the transcript alone.
        bots: names of the bots by seat.
        seed: drives the bots' choices, never the cards.
        echo: is given the story as it happens, a line at a time.

    Raises:
        DemoError: a node failed, or the transcripts differ. The folder is left for inspection.
    """
    started = trio.current_time()
    names = NAMES[: len(bots)]
    homes = [folder / f"seat-{number}" for number in range(len(bots))]
    identities = [create_identity(home) for home in homes]
    text = _table_text(f"demo {secrets.token_hex(12)}", names, identities)
    table = parse_table_file(text)
    runs = tuple(NodeRun(name) for name in names)
    async with trio.open_nursery() as nursery:
        for number, (run, home, bot) in enumerate(zip(runs, homes, bots, strict=True)):
            (home / "table.toml").write_text(text, encoding="utf-8")
            options = ["--bot", bot, "--bot-seed", f"{seed}/{number}"]
            nursery.start_soon(_run_node, run, home, options, echo if number == 0 else None)
    for run, home in zip(runs, homes, strict=True):
        path = game_folder(home, table.terms.game_id) / TRANSCRIPT_NAME
        run.transcript = path.read_bytes() if path.exists() else None
    transcript = _agreed_transcript(runs, folder)
    report = await trio.to_thread.run_sync(audit, transcript.read_bytes())
    if report.verdict is Verdict.VALID:
        for home in homes:
            shutil.rmtree(home)
    return DemoGame(runs, transcript, report, trio.current_time() - started)


def _table_text(game: str, names: Sequence[str], identities: Sequence[Identity]) -> str:
    """The table file of a demo game; JSON strings are TOML strings as well."""
    lines = [f"game = {json.dumps(game)}", 'edition = "base"']
    for name, identity, port in zip(names, identities, _free_ports(len(names)), strict=True):
        lines += ["", "[[seats]]", f"name = {json.dumps(name)}", f'peer = "{identity.peer_id}"']
        lines += [f'address = "127.0.0.1:{port}"']
    return "\n".join(lines) + "\n"


def _free_ports(count: int) -> list[int]:
    """Loopback ports nobody listens on now."""
    free: list[int] = []
    for port in secrets.SystemRandom().sample(PORTS, len(PORTS)):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        free.append(port)
        if len(free) == count:
            return free
    raise DemoError("There are not enough free ports on this machine.")


async def _run_node(run: NodeRun, home: Path, options: Sequence[str], echo: Echo | None) -> None:
    """Run one node to its end, reading its log; a cancelled demo stops it first."""
    command = [sys.executable, "-m", "p2pcoup", "node", "--table", str(home / "table.toml")]
    process = await trio.lowlevel.open_process(
        [*command, "--log", "json", *options],
        env={**os.environ, HOME_VARIABLE: str(home)},
        stdin=None,
        stderr=-1,
    )
    stream = process.stderr
    if stream is None:
        raise DemoError("The log of a node cannot be read.")
    try:
        rest = b""
        async with stream:
            async for chunk in stream:
                *lines, rest = (rest + bytes(chunk)).split(b"\n")
                for line in lines:
                    _take_log_line(run, line, echo)
        run.status = await process.wait()
    finally:
        with trio.CancelScope(shield=True):
            if process.poll() is None:
                process.terminate()
                with trio.move_on_after(STOP_SECONDS):
                    await process.wait()
            if process.poll() is None:
                process.kill()
                await process.wait()


def _take_log_line(run: NodeRun, line: bytes, echo: Echo | None) -> None:
    try:
        entry = json.loads(line)
    except ValueError:
        run.warnings.append(line.decode(errors="replace"))
        return
    run.events[entry["event"]] = entry
    if entry["event"] == "story" and echo is not None:
        echo(entry["text"])
    if entry["level"] == "warning":
        run.warnings.append(entry["text"])


def _agreed_transcript(runs: Sequence[NodeRun], folder: Path) -> Path:
    """Keep the transcript all nodes have; raises when one failed or has another one."""
    for run in runs:
        if run.status != 0 or run.transcript is None:
            told = "\n".join(f"  {line}" for line in run.warnings[-5:]) or "  (nothing)"
            raise DemoError(
                f"The node of {run.name} ended with status {run.status} and without a finished "
                f"game. The last it said:\n{told}\nEverything is left in {folder}."
            )
    if len({run.transcript for run in runs}) != 1:
        raise DemoError(f"The nodes have different transcripts. They are left in {folder}.")
    path = folder / TRANSCRIPT_NAME
    path.write_bytes(runs[0].transcript or b"")
    return path
