"""Nodes that sit in lobbies, as processes of their own: their logs, and their clients' pictures."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import trio

from p2pcoup.node.folder import HOME_VARIABLE
from p2pcoup.node.seat import TRANSCRIPT_NAME
from tests.node.nodes import ROOT, Told

State = Mapping[str, object]
PATIENCE = 120.0  # seconds; several processes start and play, which takes a tenth of it


@dataclass
class Sitter:
    """`p2pcoup node --host`, `--join` or `--watch` as a process, with a client on its lines."""

    name: str
    home: Path
    process: trio.Process
    told: Told = field(default_factory=Told)
    state: State = field(default_factory=dict)
    replies: dict[int, State] = field(default_factory=dict)
    log_read: trio.Event = field(default_factory=trio.Event)
    _changed: trio.Event = field(default_factory=trio.Event)
    _asked: int = 0

    async def invite(self) -> str:
        """The invite to the table it has open."""
        return str((await self.told.wait_for("invite"))["invite"])

    async def shows(self, what: Callable[[State], object]) -> State:
        """Wait until the picture is like that; the picture."""
        with trio.fail_after(PATIENCE):
            while not (self.state and what(self.state)):
                await self._changed.wait()
        return self.state

    async def shows_lobby(self, what: Callable[[State], object]) -> State:
        """Wait until the lobby looks like that; the lobby's picture."""
        state = await self.shows(lambda state: state["lobby"] and what(state["lobby"]))
        return state["lobby"]

    async def ask(self, kind: str, **fields: object) -> State:
        """Send a request and wait for its answer."""
        self._asked += 1
        number = self._asked
        line = json.dumps({"type": kind, "n": number, **fields}) + "\n"
        await self.process.stdin.send_all(line.encode())
        with trio.fail_after(PATIENCE):
            while number not in self.replies:
                await self._changed.wait()
        return self.replies[number]

    def take(self, line: str) -> None:
        """One line of the API."""
        message = json.loads(line)
        match message["type"]:
            case "state":
                self.state = message
            case "ok" | "error":
                self.replies[message["n"]] = message
        self._changed.set()
        self._changed = trio.Event()

    async def end(self) -> int:
        """Its exit status, once it has ended and its log is read."""
        with trio.fail_after(PATIENCE):
            await self.log_read.wait()
            return await self.process.wait()

    @property
    def transcript(self) -> bytes:
        """That of its one game."""
        (path,) = (self.home / "games").glob(f"*/{TRANSCRIPT_NAME}")
        return path.read_bytes()


async def start_sitter(
    nursery: trio.Nursery, home: Path, name: str, *options: str, api: bool = False
) -> Sitter:
    """Start a node; with `api` a client listens to it and may ask."""
    command = [sys.executable, "-m", "p2pcoup", "node", "--name", name, "--log", "json"]
    command += ["--listen", "127.0.0.1:0", *options, *(["--api", "stdio"] if api else [])]
    process = await nursery.start(
        partial(
            trio.run_process,
            command,
            env={**os.environ, HOME_VARIABLE: str(home / name), "PYTHONPATH": str(ROOT)},
            stdin=subprocess.PIPE if api else subprocess.DEVNULL,
            stdout=subprocess.PIPE if api else subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            check=False,
        )
    )
    sitter = Sitter(name, home / name, process)
    nursery.start_soon(_read, process.stderr, sitter.told.take, sitter.log_read)
    if api:
        nursery.start_soon(_read, process.stdout, sitter.take, trio.Event())
    return sitter


async def start_window(
    nursery: trio.Nursery, home: Path, name: str, command: Sequence[str]
) -> Sitter:
    """Start a command that shows the API's messages, as `p2pcoup join --json` does."""
    process = await nursery.start(
        partial(
            trio.run_process,
            [*command, "--name", name, "--json"],
            env={**os.environ, HOME_VARIABLE: str(home / name), "PYTHONPATH": str(ROOT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            check=False,
        )
    )
    window = Sitter(name, home / name, process)
    nursery.start_soon(_read, process.stderr, window.told.take, window.log_read)
    nursery.start_soon(_read, process.stdout, window.take, trio.Event())
    return window


async def _read(
    stream: trio.abc.ReceiveStream, take: Callable[[str], None], done: trio.Event
) -> None:
    rest = b""
    async for chunk in stream:
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            take(line.decode())
    done.set()


def names(lobby: State) -> list[str]:
    """Who is at the table."""
    return [person["name"] for person in lobby["people"]]  # type: ignore[attr-defined]


def line_of(lobby: State, name: str) -> Mapping[str, object]:
    """One person's line in the picture of a lobby."""
    return next(each for each in lobby["people"] if each["name"] == name)  # type: ignore[attr-defined]


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    return [
        int(child)
        for task in Path(f"/proc/{pid}/task").iterdir()
        for child in (task / "children").read_text().split()
    ]
