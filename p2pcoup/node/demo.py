"""A whole game on one machine: separate node processes with bots over loopback TCP.

Nothing is shortened: every process has its own identity, journal and secret, and knows the others
only through its links. The story is read from the log of one of them.
"""

import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import trio

from p2pcoup.audit import Report, Verdict, audit
from p2pcoup.node.home import HOME_VARIABLE, create_identity, game_folder
from p2pcoup.node.seat import TRANSCRIPT_NAME
from p2pcoup.node.story import in_paragraphs
from p2pcoup.node.tablefile import TableFile, parse_table_file
from p2pcoup.wire import Identity

NAMES = ("Ash", "Birch", "Cedar", "Elm", "Fir", "Hazel")
# Below the range that systems hand out to outgoing connections, so that no dial can take a port
# before its listener does.
PORTS = range(20_000, 32_000)
STOP_SECONDS = 10.0  # how long a stopped node may take before it is killed
# Bots answer at once and a proof takes milliseconds; after such a silence nothing more will come.
SILENCE_SECONDS = 60.0

Echo = Callable[[str], None]


class DemoError(Exception):
    """The game could not be played or its transcripts do not agree; the message says why."""


@dataclass(slots=True)
class NodeRun:
    """What one node process reported: its log events by name, its exit status, its transcript."""

    name: str
    events: dict[str, dict[str, object]] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)
    status: int | None = None
    transcript: bytes | None = None

    def figure(self, event: str, name: str) -> float:
        """A number the node reported with an event; 0 when it did not."""
        value = self.events.get(event, {}).get(name)
        return float(value) if isinstance(value, int | float) else 0.0


@dataclass(frozen=True, slots=True)
class DemoGame:
    """A game that was played: one run for each seat, the kept transcript and its audit."""

    name: str
    runs: tuple[NodeRun, ...]
    transcript: Path
    report: Report
    seconds: float


async def play_demo(
    folder: Path, *, bots: Sequence[str], seed: str, echo: Echo = lambda _line: None
) -> DemoGame:
    """Play one game with a seat for each bot in ``bots`` and audit it.

    Args:
        folder: a new folder for the game; afterwards it holds the transcript alone. A game that
            is interrupted leaves nothing.
        bots: names of the bots by seat.
        seed: drives the bots' choices, never the cards.
        echo: is given the story as it happens, a line at a time.

    Raises:
        DemoError: a node failed, the game stands still, or the transcripts differ. The folder is
            left for inspection.
    """
    started = trio.current_time()
    homes = [folder / f"seat-{number}" for number in range(len(bots))]
    table, text = _set_up(homes)
    runs = tuple(NodeRun(name) for name in table.terms.names)
    try:
        await _play(runs, homes, bots, seed, text, echo)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    for run, home in zip(runs, homes, strict=True):
        path = game_folder(home, table.terms.game_id) / TRANSCRIPT_NAME
        run.transcript = path.read_bytes() if path.exists() else None
    transcript = agreed_transcript(runs, folder)
    report = await trio.to_thread.run_sync(audit, transcript.read_bytes())
    if report.verdict is Verdict.VALID:
        for home in homes:
            shutil.rmtree(home)
    return DemoGame(table.terms.game, runs, transcript, report, trio.current_time() - started)


def _set_up(homes: Sequence[Path]) -> tuple[TableFile, str]:
    """Give every seat a home with an identity, and return their common table file."""
    identities = [create_identity(home) for home in homes]
    text = _table_text(f"demo {secrets.token_hex(12)}", NAMES, identities)
    return parse_table_file(text), text


def _table_text(game: str, names: Iterable[str], identities: Sequence[Identity]) -> str:
    """The table file of a demo game; JSON strings are TOML strings as well."""
    lines = [f"game = {json.dumps(game)}", 'edition = "base"']
    for identity, name, port in zip(identities, names, _free_ports(len(identities)), strict=False):
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


# --- the processes --------------------------------------------------------------------------------


async def _play(
    runs: Sequence[NodeRun],
    homes: Sequence[Path],
    bots: Sequence[str],
    seed: str,
    table_text: str,
    echo: Echo,
) -> None:
    """Run a node for every seat until all have ended, one has failed, or nothing moves any more."""
    async with trio.open_nursery() as nursery:
        watch = _Watch(nursery.cancel_scope)
        for number, (run, home, bot) in enumerate(zip(runs, homes, bots, strict=True)):
            (home / "table.toml").write_text(table_text, encoding="utf-8")
            options = ["--bot", bot, "--bot-seed", f"{seed}/{number}"]
            tell = echo if number == 0 else None
            nursery.start_soon(_run_node, run, home, options, tell, watch)


class _Watch:
    """Ends the game when no node has said anything for SILENCE_SECONDS, or one has failed."""

    def __init__(self, scope: trio.CancelScope) -> None:
        self._scope = scope
        self.heard()

    def heard(self) -> None:
        """A node has said something."""
        self._scope.deadline = trio.current_time() + SILENCE_SECONDS

    def ended(self, run: NodeRun) -> None:
        """A node has ended; if the game was not over, the others would wait for it for ever."""
        if run.status != 0 or "finished" not in run.events:
            self._scope.cancel()


async def _run_node(
    run: NodeRun, home: Path, options: Sequence[str], echo: Echo | None, watch: _Watch
) -> None:
    """Run one node to its end, reading its log; a cancelled demo stops it first."""
    command = [sys.executable, "-m", "p2pcoup", "node", "--table", str(home / "table.toml")]
    process = await trio.lowlevel.open_process(
        [*command, "--log", "json", *options],
        env={**os.environ, HOME_VARIABLE: str(home)},
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    try:
        await _read_log(process, run, echo, watch)
        run.status = await process.wait()
        watch.ended(run)
    finally:
        with trio.CancelScope(shield=True):
            await _stop(process)


async def _stop(process: trio.Process) -> None:
    if process.poll() is None:
        process.terminate()
        with trio.move_on_after(STOP_SECONDS):
            await process.wait()
    if process.poll() is None:
        process.kill()
        await process.wait()


async def _read_log(process: trio.Process, run: NodeRun, echo: Echo | None, watch: _Watch) -> None:
    if process.stderr is None:
        raise DemoError("The log of a node cannot be read.")
    rest = b""
    async with process.stderr as stream:
        async for chunk in stream:
            watch.heard()
            *lines, rest = (rest + bytes(chunk)).split(b"\n")
            for line in lines:
                _take_log_line(run, line, echo)


def _take_log_line(run: NodeRun, line: bytes, echo: Echo | None) -> None:
    match _json(line):
        case {"event": str(event), "text": str(text), **fields}:
            run.events[event] = {str(name): value for name, value in fields.items()}
            if event != "story":
                run.said.append(text)
            elif echo is not None:
                for part in in_paragraphs([text]):
                    echo(part)
        case _:  # an error from before or after the log
            run.said.append(line.decode(errors="replace"))


def _json(line: bytes) -> object:
    try:
        value: object = json.loads(line)
    except ValueError:
        return None
    return value


# --- the result -----------------------------------------------------------------------------------


def agreed_transcript(runs: Sequence[NodeRun], folder: Path) -> Path:
    """Keep the transcript all nodes have; raises when one failed or has another one."""
    failed = [run for run in runs if run.status not in (0, None)]
    stuck = [run for run in runs if run.status is None or run.transcript is None]
    if failed or stuck:
        run = (failed or stuck)[0]
        told = "\n".join(f"  {line}" for line in run.said[-5:]) or "  (nothing)"
        how = f"ended with status {run.status}" if failed else "did not finish the game"
        raise DemoError(
            f"The node of {run.name} {how}. The last it said:\n{told}\n"
            f"Everything is left in {folder}."
        )
    if len({run.transcript for run in runs}) != 1:
        raise DemoError(f"The nodes have different transcripts. They are left in {folder}.")
    path = folder / TRANSCRIPT_NAME
    path.write_bytes(runs[0].transcript or b"")
    return path
