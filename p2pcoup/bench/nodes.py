"""Three node processes in a match over loopback TCP: for ``p2pcoup bench junk``.

Ash and Cedar have bots. Birch has a *player*: a client on its standard input and output, which
thinks for a while before each answer. So the match lasts, and what a decision costs can be told
from the time a player takes for it. Ash has a link with Birch alone; what Cedar says comes by way
of Birch.
"""

import contextlib
import json
import os
import random
import secrets
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Mapping
from pathlib import Path

import trio

from p2pcoup.demo.errors import DemoError
from p2pcoup.node.folder import HOME_VARIABLE
from p2pcoup.node.home import create_identity
from p2pcoup.node.limits import MAX_GAMES
from p2pcoup.wire import PeerId

NAMES = ("Ash", "Birch", "Cedar")
ASH, BIRCH, CEDAR = range(3)
NOBODY_LISTENS = 1  # a port of the system
PATIENCE = 60.0
"""Seconds without a step after which the match stands still."""


class BenchNode:
    """A node process with a bot or, when it is to think for a while, with a player.

    Attributes:
        told: how often it has told of each event.
        last_words: the last line of its log.
        status: how it has ended; None while it runs.
    """

    def __init__(self, home: Path, thinks: float | None = None) -> None:
        """``thinks``: the seconds that the player takes for each answer; None: a bot decides."""
        self.home = home
        self.peer: PeerId = create_identity(home).peer_id
        self.port = 0
        self.told: Counter[str] = Counter()
        self.last_words = ""
        self.pid = 0
        self.status: int | None = None
        self._thinks = thinks
        self._heard = trio.Event()

    @property
    def steps(self) -> int:
        """How many steps of the match it has told: sentences of the story."""
        return self.told["story"]

    async def until(self, reached: Callable[[], bool]) -> bool:
        """Wait for something to be true that it tells; whether it came to that in time."""
        with trio.move_on_after(PATIENCE):
            while not reached() and self.status is None:
                await self._heard.wait()
        return reached()

    async def next_step(self) -> None:
        """Wait until it tells the next step of the match, or ends."""
        steps = self.steps
        while self.steps == steps and self.status is None:
            await self._heard.wait()

    async def live(self, table: str, answered: Callable[[], None] = lambda: None) -> None:
        """Run it until it ends or is cancelled. ``answered`` is called when its player answers."""
        file = self.home / "table.toml"
        file.write_text(table, encoding="utf-8")
        command = [sys.executable, "-m", "p2pcoup", "node", "--table", str(file), "--log", "json"]
        plays = self._thinks is not None
        command += ["--api", "stdio"] if plays else ["--bot", "random"]
        process = await trio.lowlevel.open_process(
            [*command, "--listen", "127.0.0.1:0"],
            env={**os.environ, HOME_VARIABLE: str(self.home)},
            stdin=subprocess.PIPE if plays else subprocess.DEVNULL,
            stdout=subprocess.PIPE if plays else subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        self.pid = process.pid
        try:
            async with trio.open_nursery() as nursery:
                if self._thinks is not None:
                    nursery.start_soon(_play, process, self._thinks, answered)
                await self._listen(process)
                self.status = await process.wait()
                self._hear()
                nursery.cancel_scope.cancel()
        finally:
            process.kill()
            with trio.CancelScope(shield=True):
                await process.wait()

    async def _listen(self, process: trio.Process) -> None:
        if process.stderr is None:
            raise DemoError("The log of a node cannot be read.")
        async with contextlib.aclosing(lines_of(process.stderr)) as lines:
            async for line in lines:
                self.last_words = line.decode("utf-8", "replace")
                with contextlib.suppress(ValueError):
                    fields = json.loads(line)
                    self.told[fields["event"]] += 1
                    if fields["event"] == "listening":
                        self.port = fields["port"]
                    self._hear()

    def _hear(self) -> None:
        self._heard.set()
        self._heard = trio.Event()

    # --- what the system says of it ---------------------------------------------------------------

    def memory_kib(self, what: str = "VmRSS") -> int | None:
        """A figure about its memory; None where there is none."""
        found = [line.split()[1] for line in self._proc("status") if line.startswith(f"{what}:")]
        return int(found[0]) if found else None

    def processor_seconds(self) -> float | None:
        """The processor time it has used; None where the system does not say."""
        stat = " ".join(self._proc("stat")).rpartition(")")[2].split()
        ticks = stat[11:13]  # of itself, and of the system for it
        return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK") if ticks else None

    def _proc(self, name: str) -> list[str]:
        try:
            return Path(f"/proc/{self.pid}/{name}").read_text(encoding="ascii").splitlines()
        except OSError:
            return []


async def lines_of(stream: trio.abc.ReceiveStream) -> AsyncGenerator[bytes, None]:
    """The lines that come, each without its end; to be closed."""
    rest = b""
    async with stream:
        async for chunk in stream:
            *lines, rest = (rest + bytes(chunk)).split(b"\n")
            for line in lines:
                yield line


async def _play(process: trio.Process, thinks: float, answered: Callable[[], None]) -> None:
    """Answer every question with some legal move."""
    if process.stdin is None or process.stdout is None:
        raise DemoError("A node cannot be played.")
    luck, last = random.Random(1), ""  # noqa: S311 - a game's luck, no secret
    async with contextlib.aclosing(lines_of(process.stdout)) as lines:
        async for line in lines:
            question = json.loads(line).get("question")
            if question is None or question["id"] == last:
                continue
            last = question["id"]
            await trio.sleep(thinks)
            move = luck.choice([move["move"] for move in question["moves"] if move["legal"]])
            answer = {"type": "answer", "question": last, "move": move}
            answered()
            with contextlib.suppress(trio.BrokenResourceError):
                await process.stdin.send_all(json.dumps(answer).encode() + b"\n")


async def start_match(
    nursery: trio.Nursery,
    nodes: tuple[BenchNode, ...],
    answered: Callable[[], None] = lambda: None,
) -> None:
    """Start a match as long as may be and wait for its first step. Birch, the last, is the only one
    who knows where the others are. Raises DemoError.
    """
    game = secrets.token_hex(8)
    for number in (ASH, CEDAR, BIRCH):
        ports = {n: node.port for n, node in enumerate(nodes)} if number == BIRCH else {}
        nursery.start_soon(nodes[number].live, _table(game, nodes, ports), answered)
        if not await nodes[number].until(lambda n=number: nodes[n].port > 0):  # type: ignore[misc]
            raise DemoError(f"A node did not start: {nodes[number].last_words}")
    if not await nodes[ASH].until(lambda: nodes[ASH].steps > 0):
        raise DemoError(f"The match did not begin: {nodes[ASH].last_words}")


def _table(game: str, nodes: tuple[BenchNode, ...], ports: Mapping[int, int]) -> str:
    lines = [f'game = "junk {game}"', 'edition = "base"', f"games = {MAX_GAMES}"]
    for number, node in enumerate(nodes):
        lines += ["[[seats]]", f'name = "{NAMES[number]}"', f'peer = "{node.peer}"']
        lines += [f'address = "127.0.0.1:{ports.get(number) or NOBODY_LISTENS}"']
    return "\n".join(lines) + "\n"
