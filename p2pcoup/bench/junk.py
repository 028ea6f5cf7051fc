"""Throw junk at a node in a running match, and see whether it goes on (``p2pcoup bench junk``).

The node is Ash of three (`nodes`). Another process (`thrower`) throws junk at it: calls that are no
links, from many networks, and frames over links that Ash accepts, as it comes with Cedar's key. So
the thrower is the worst there is: a player at the table.

A *step* is a sentence of the story that Ash tells. A *wait* is the time from a decision of Birch's
player to the next step at Ash: what people notice, as it is none of the time they think.

A match takes memory for every game that was played. So afterwards the same match is played without
junk, with a player who does not think, and its memory taken after as many steps.
"""

import contextlib
import json
import secrets
import shutil
import statistics
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TypeVar

import trio

from p2pcoup.bench.figure import Figure
from p2pcoup.bench.nodes import ASH, BIRCH, CEDAR, NAMES, BenchNode, lines_of, start_match
from p2pcoup.bench.thrower import Order, Thrown
from p2pcoup.demo.errors import DemoError
from p2pcoup.node.home import identity_file
from p2pcoup.node.limits import MAX_GAMES

T = TypeVar("T")

THINKS_SECONDS = 1.0
"""What the player takes for a decision, so that the match lasts as long as the junk."""
QUIET_SECONDS = 20.0
"""How long the match is watched before the junk comes."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How a match went for a while.

    Attributes:
        steps: how many there were.
        waits: in seconds.
        processor: seconds of processor time that Ash used; None where the system does not say.
    """

    seconds: float = 0.0
    steps: int = 0
    waits: list[float] = field(default_factory=list)
    processor: float | None = None

    def as_figures(self, when: str) -> Iterator[Figure]:
        """The figures for people and machines."""
        yield Figure(f"{when}: steps of the match", self.steps / self.seconds, "/s")
        if len(self.waits) > 1:
            yield Figure(f"{when}: wait, median", 1000 * statistics.median(self.waits), "ms")
            most = statistics.quantiles(self.waits, n=20)[-1]
            yield Figure(f"{when}: wait, 19 of 20 below", 1000 * most, "ms")
        if self.processor is not None:
            share = 100 * self.processor / self.seconds
            yield Figure(f"{when}: Ash's part of a core", share, "%")


@dataclass(frozen=True, slots=True)
class Memory:
    """Ash's memory in KiB after so many steps of the match, when so many frames had been thrown."""

    frames: int
    steps: int
    kib: int


@dataclass(frozen=True, slots=True)
class JunkFigures:
    """What was measured.

    Attributes:
        thrown: what the thrower has sent.
        before, during: how the match went.
        memory: during the junk, the first before it; empty where the system does not say.
        control: as many steps without junk, in the same order.
        memory_peak: of Ash with junk, in KiB; None where the system does not say.
        faults: why Ash is not as it must be, in a sentence each; none if all is well.
    """

    thrown: Thrown
    before: Pace
    during: Pace
    memory: tuple[Memory, ...]
    control: tuple[Memory, ...]
    memory_peak: int | None
    faults: tuple[str, ...]

    def as_figures(self) -> list[Figure]:
        """The figures for people and machines."""
        thrown = self.thrown
        figures = [
            Figure("junk calls", thrown.connections, ""),
            Figure("  closed by the node without a word", thrown.turned_away, ""),
            Figure("junk frames sent over links", thrown.frames, ""),
            Figure("  read by the node for certain", thrown.read, ""),
            Figure("links the node ended", thrown.cut, ""),
            Figure("time", self.during.seconds, "s"),
            *self.before.as_figures("before"),
            *self.during.as_figures("meanwhile"),
        ]
        for number, now in enumerate(self.memory):
            figures.append(Figure(f"memory after {now.frames:,} frames", now.kib / 1024, "MB"))
            for without in self.control[number : number + 1]:
                name = f"  after as many steps, {now.steps}, without junk"
                figures.append(Figure(name, without.kib / 1024, "MB"))
        if self.memory_peak is not None:
            figures.append(Figure("memory at most", self.memory_peak / 1024, "MB"))
        return figures


async def bench_junk(
    folder: Path,
    connections: int,
    frames: int,
    *,
    quiet: float = QUIET_SECONDS,
    thinks: float = THINKS_SECONDS,
) -> JunkFigures:
    """Throw so much at a node. The files of the match are in a new folder in ``folder`` and are
    removed afterwards. Raises DemoError.
    """
    place = folder / secrets.token_hex(4)
    try:
        measured = await _in_match(
            place / "junk", thinks, lambda match: _under_junk(match, connections, frames, quiet)
        )
        marks = measured.memory
        without = await _in_match(place / "quiet", 0.0, lambda match: _without_junk(match, marks))
    finally:
        shutil.rmtree(place, ignore_errors=True)
    return replace(measured, control=without)


# --- a match --------------------------------------------------------------------------------------


class _Match:
    """A match that runs, and how long it lets people wait."""

    def __init__(self, place: Path, thinks: float) -> None:
        self.nodes = tuple(
            BenchNode(place / name, thinks if number == BIRCH else None)
            for number, name in enumerate(NAMES)
        )
        self.ash = self.nodes[ASH]
        self.waits: list[float] = []
        self._answered_at: float | None = None

    def answered(self) -> None:
        """The player has decided something."""
        self._answered_at = trio.current_time()

    async def time_waits(self) -> None:
        """Note how long each step after a decision takes."""
        while self.ash.status is None:
            await self.ash.next_step()
            if self._answered_at is not None:
                self.waits.append(trio.current_time() - self._answered_at)
                self._answered_at = None

    async def pace(self, work: Callable[[], Awaitable[None]]) -> Pace:
        """How the match goes during the work."""
        began, steps, waits = trio.current_time(), self.ash.steps, len(self.waits)
        used = self.ash.processor_seconds()
        await work()
        pace = Pace(trio.current_time() - began, self.ash.steps - steps, self.waits[waits:])
        now = self.ash.processor_seconds()
        return pace if used is None or now is None else replace(pace, processor=now - used)

    def memory(self, frames: int) -> tuple[Memory, ...]:
        """What Ash takes now, if the system says it."""
        kib = self.ash.memory_kib()
        return () if kib is None else (Memory(frames, self.ash.steps, kib),)


async def _in_match(place: Path, thinks: float, work: Callable[[_Match], Awaitable[T]]) -> T:
    """Do some work while a match runs, then end it. Raises DemoError."""
    match = _Match(place, thinks)
    outcome: T | DemoError
    async with trio.open_nursery() as nursery:
        try:
            await start_match(nursery, match.nodes, match.answered)
            nursery.start_soon(match.time_waits)
            outcome = await work(match)
        except DemoError as error:
            outcome = error  # raised below, outside of the nursery
        nursery.cancel_scope.cancel()
    if isinstance(outcome, DemoError):
        raise outcome
    return outcome


# --- with junk and without ------------------------------------------------------------------------


async def _under_junk(match: _Match, connections: int, frames: int, quiet: float) -> JunkFigures:
    key = identity_file(match.nodes[CEDAR].home).read_text(encoding="ascii")
    order = Order(match.ash.port, key, frames, connections, seed=1)
    thrown = Thrown()
    memory: list[Memory] = []

    async def throw() -> None:
        nonlocal thrown
        thrown = await _throw(order, lambda count: memory.extend(match.memory(count)))

    before = await match.pace(lambda: trio.sleep(quiet))
    memory.extend(match.memory(0))
    during = await match.pace(throw)
    if not memory or memory[-1].frames != thrown.frames:
        memory.extend(match.memory(thrown.frames))
    faults = await _faults(match.ash, order, thrown)
    peak = match.ash.memory_kib("VmHWM")
    return JunkFigures(thrown, before, during, tuple(memory), (), peak, faults)


async def _without_junk(match: _Match, marks: Sequence[Memory]) -> tuple[Memory, ...]:
    memory: list[Memory] = []
    for mark in marks:
        while match.ash.steps < mark.steps:
            steps = match.ash.steps
            if not await match.ash.until(lambda told=steps: match.ash.steps > told):  # type: ignore[misc]
                return tuple(memory)  # this match was the shorter one
        memory.extend(match.memory(0))
    return tuple(memory)


async def _throw(order: Order, at_mark: Callable[[int], None]) -> Thrown:
    """Run the thrower to its end."""
    process = await trio.lowlevel.open_process(
        [sys.executable, "-m", "p2pcoup.bench.thrower"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    thrown: Thrown | None = None
    try:
        if process.stdin is not None and process.stdout is not None:
            async with process.stdin:
                await process.stdin.send_all(json.dumps(asdict(order)).encode())
            async with contextlib.aclosing(lines_of(process.stdout)) as lines:
                async for line in lines:
                    told = json.loads(line)
                    if "mark" in told:
                        at_mark(told["mark"])
                    else:
                        thrown = Thrown(**told)
        status = await process.wait()
    finally:
        process.kill()
        with trio.CancelScope(shield=True):
            await process.wait()
    if thrown is None:
        raise DemoError(f"The thrower failed with status {status}.")
    return thrown


async def _faults(node: BenchNode, order: Order, thrown: Thrown) -> tuple[str, ...]:
    """What is wrong with a node after the junk."""
    faults, steps = [], node.steps
    if not await node.until(lambda: node.steps > steps or node.told["finished"] == MAX_GAMES):
        faults.append(f"The match does not go on. The last the node said: {node.last_words}")
    if thrown.frames < order.frames:
        faults.append(f"Only {thrown.frames:,} frames could be thrown.")
    if node.told["blame"]:
        faults.append("Somebody was blamed, though nobody has signed anything false.")
    if node.told["left-behind"]:
        faults.append("Somebody was put out of the game.")
    return tuple(faults)
