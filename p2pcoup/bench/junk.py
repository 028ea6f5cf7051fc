"""Throw junk at a node in a running match, and see whether it goes on (``p2pcoup bench junk``).

Three node processes with bots play a match over loopback TCP. The node under attack, Ash, has a
link with Birch alone; what Cedar says comes by way of Birch. Another process throws junk at Ash:
calls that are no links, from many networks, and frames over links that Ash accepts, as it comes
with Cedar's key. So the thrower is the worst there is: a player at the table.

A *step* is a sentence of the story that Ash tells; its steps in a second say how fast it plays.
"""

import contextlib
import json
import os
import secrets
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

import trio

from p2pcoup.bench.figure import Figure
from p2pcoup.bench.thrower import Order, Thrown
from p2pcoup.demo.errors import DemoError
from p2pcoup.node.folder import HOME_VARIABLE
from p2pcoup.node.home import create_identity, identity_file
from p2pcoup.wire import PeerId

NAMES = ("Ash", "Birch", "Cedar")
ASH, BIRCH, CEDAR = range(3)
GAMES = 100  # so that the match lasts as long as the junk
NOBODY_LISTENS = 1  # a port of the system
PATIENCE = 60.0
"""Seconds without a step after which the match stands still."""
QUIET_SECONDS = 10.0
"""How long the steps are counted before the junk comes."""


@dataclass(frozen=True, slots=True)
class JunkFigures:
    """What was measured.

    Attributes:
        thrown: what the thrower has sent.
        seconds: how long the junk lasted.
        before, during: steps in a second.
        memory_before, memory_after, memory_peak: of Ash in KiB; None where the system does not say.
        faults: why Ash is not as it must be, in a sentence each; none if all is well.
    """

    thrown: Thrown
    seconds: float
    before: float
    during: float
    memory_before: int | None
    memory_after: int | None
    memory_peak: int | None
    faults: tuple[str, ...]

    def as_figures(self) -> list[Figure]:
        """The figures for people and machines."""
        figures = [
            Figure("junk connections", self.thrown.connections, ""),
            Figure("junk frames over links", self.thrown.frames, ""),
            Figure("links the node ended", max(0, self.thrown.links - 1), ""),
            Figure("time", self.seconds, "s"),
            Figure("steps of the match before", self.before, "/s"),
            Figure("steps of the match meanwhile", self.during, "/s"),
        ]
        memory = {
            "memory before": self.memory_before,
            "memory after": self.memory_after,
            "memory at most": self.memory_peak,
        }
        figures += [Figure(name, kib / 1024, "MB") for name, kib in memory.items() if kib]
        return figures


async def bench_junk(
    folder: Path, connections: int, frames: int, *, quiet: float = QUIET_SECONDS
) -> JunkFigures:
    """Throw so much at a node. The files of the match are in a new folder in ``folder`` and are
    removed afterwards. Raises DemoError.
    """
    folder = folder / secrets.token_hex(4)
    nodes = tuple(_Node(folder / name) for name in NAMES)
    outcome: JunkFigures | DemoError
    try:
        async with trio.open_nursery() as nursery:
            try:
                await _start(nursery, nodes)
                outcome = await _measure(nodes, connections, frames, quiet)
            except DemoError as error:
                outcome = error  # raised below, outside of the nursery
            nursery.cancel_scope.cancel()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if isinstance(outcome, DemoError):
        raise outcome
    return outcome


# --- the match ------------------------------------------------------------------------------------


class _Node:
    """A node process with a bot, and what it has told."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.peer: PeerId = create_identity(home).peer_id
        self.port = 0
        self.told: Counter[str] = Counter()
        self.last_words = ""
        self.pid = 0
        self.status: int | None = None
        self._heard = trio.Event()

    @property
    def steps(self) -> int:
        """How many steps of the match it has told."""
        return self.told["story"]

    async def until(self, reached: Callable[[], bool]) -> bool:
        """Wait for something to be true that it tells; whether it came to that in time."""
        with trio.move_on_after(PATIENCE):
            while not reached() and self.status is None:
                await self._heard.wait()
        return reached()

    async def live(self, table: str) -> None:
        """Run it until it ends or is cancelled."""
        file = self.home / "table.toml"
        file.write_text(table, encoding="utf-8")
        command = [sys.executable, "-m", "p2pcoup", "node", "--table", str(file), "--log", "json"]
        process = await trio.lowlevel.open_process(
            [*command, "--bot", "random", "--listen", "127.0.0.1:0"],
            env={**os.environ, HOME_VARIABLE: str(self.home)},
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        self.pid = process.pid
        try:
            await self._listen(process)
            self.status = await process.wait()
            self._hear()
        finally:
            process.kill()
            with trio.CancelScope(shield=True):
                await process.wait()

    async def _listen(self, process: trio.Process) -> None:
        if process.stderr is None:
            raise DemoError("The log of a node cannot be read.")
        rest = b""
        async with process.stderr as stream:
            async for chunk in stream:
                *lines, rest = (rest + bytes(chunk)).split(b"\n")
                for line in lines:
                    self._take(line)
                self._hear()

    def _take(self, line: bytes) -> None:
        self.last_words = line.decode("utf-8", "replace")
        with contextlib.suppress(ValueError):
            fields = json.loads(line)
            self.told[fields["event"]] += 1
            if fields["event"] == "listening":
                self.port = fields["port"]

    def _hear(self) -> None:
        self._heard.set()
        self._heard = trio.Event()

    def memory_kib(self, what: str) -> int | None:
        """A figure of the system about its memory; None where there is none."""
        try:
            status = Path(f"/proc/{self.pid}/status").read_text(encoding="ascii")
        except OSError:
            return None
        found = [line.split()[1] for line in status.splitlines() if line.startswith(f"{what}:")]
        return int(found[0]) if found else None


async def _start(nursery: trio.Nursery, nodes: tuple[_Node, ...]) -> None:
    """Start the match. Birch, the last, is the only one who knows where the others are."""
    game = secrets.token_hex(8)
    for number in (ASH, CEDAR, BIRCH):
        ports = {n: node.port for n, node in enumerate(nodes)} if number == BIRCH else {}
        nursery.start_soon(nodes[number].live, _table(game, nodes, ports))
        if not await nodes[number].until(lambda n=number: nodes[n].port > 0):  # type: ignore[misc]
            raise DemoError(f"A node did not start: {nodes[number].last_words}")
    if not await nodes[ASH].until(lambda: nodes[ASH].steps > 0):
        raise DemoError(f"The match did not begin: {nodes[ASH].last_words}")


def _table(game: str, nodes: tuple[_Node, ...], ports: Mapping[int, int]) -> str:
    lines = [f'game = "junk {game}"', 'edition = "base"', f"games = {GAMES}"]
    for number, node in enumerate(nodes):
        lines += ["[[seats]]", f'name = "{NAMES[number]}"', f'peer = "{node.peer}"']
        lines += [f'address = "127.0.0.1:{ports.get(number) or NOBODY_LISTENS}"']
    return "\n".join(lines) + "\n"


# --- the junk -------------------------------------------------------------------------------------


async def _measure(
    nodes: tuple[_Node, ...], connections: int, frames: int, quiet: float
) -> JunkFigures:
    ash, key = nodes[ASH], identity_file(nodes[CEDAR].home).read_text(encoding="ascii")
    order = Order(ash.port, key, frames, connections, seed=1)
    thrown = Thrown()

    async def throw() -> None:
        nonlocal thrown
        thrown = await _throw(order)

    before, _ = await _pace(ash, lambda: trio.sleep(quiet))
    memory = ash.memory_kib("VmRSS")
    during, seconds = await _pace(ash, throw)
    after, peak = ash.memory_kib("VmRSS"), ash.memory_kib("VmHWM")
    faults = await _faults(ash)
    return JunkFigures(thrown, seconds, before, during, memory, after, peak, faults)


async def _pace(node: _Node, work: Callable[[], Awaitable[None]]) -> tuple[float, float]:
    """The steps in a second during the work, and the seconds it took."""
    began, steps = trio.current_time(), node.steps
    await work()
    seconds = trio.current_time() - began
    return (node.steps - steps) / seconds, seconds


async def _throw(order: Order) -> Thrown:
    """Run the thrower to its end."""
    done = await trio.run_process(
        [sys.executable, "-m", "p2pcoup.bench.thrower"],
        stdin=json.dumps(asdict(order)).encode(),
        capture_stdout=True,
        check=False,
    )
    if done.returncode != 0:
        raise DemoError(f"The thrower failed with status {done.returncode}.")
    return Thrown(**json.loads(done.stdout))


async def _faults(node: _Node) -> tuple[str, ...]:
    """What is wrong with a node after the junk."""
    faults, steps = [], node.steps
    if not await node.until(lambda: node.steps > steps or node.told["finished"] == GAMES):
        faults.append(f"The match does not go on. The last the node said: {node.last_words}")
    if node.told["blame"]:
        faults.append("Somebody was blamed, though nobody has signed anything false.")
    if node.told["left-behind"]:
        faults.append("Somebody was put out of the game.")
    return tuple(faults)
