"""Bots that fill seats: programs of their own, with an identity of their own, ended with us.

Each has a data folder below ours. It learns of our end by the end of its standard input, so it does
not outlive us even if we are killed.
"""

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Collection, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

import trio

from p2pcoup.bots.names import NAMES
from p2pcoup.journal import make_private_folder
from p2pcoup.node.folder import HOME_VARIABLE
from p2pcoup.node.home import HomeError, load_identity
from p2pcoup.wire import PeerId

GOODBYE_SECONDS = 0.5  # for a bot to end by itself when its input has
END_SECONDS = 5.0  # and for one that was asked to
LOG_NAME = "log.jsonl"
TAIL_BYTES = 4096
MAX_ENDED = 32  # ends of bots that are waited for here; more bots there cannot be at a table


@dataclass(slots=True)
class Bot:
    """One bot's process."""

    name: str
    home: Path
    process: trio.Process


@dataclass(frozen=True, slots=True)
class BotEnded:
    """The process of a bot has ended.

    Attributes:
        peer: who it was at the table; None if it did not come so far.
        last: the last sentence in its log; empty if it said nothing.
        log: where the rest of it is.
    """

    name: str
    peer: PeerId | None
    last: str
    log: Path


class Bots:
    """The bots of one node. Use it as a context; at the end of it all bots end."""

    def __init__(self, home: Path, extra: Sequence[str] = ()) -> None:
        """``home`` is our own data folder; ``extra`` are more options for each bot's node."""
        self._home = home / "bots"
        self._extra = tuple(extra)
        self._bots: list[Bot] = []
        self._tell, self._ended = trio.open_memory_channel[BotEnded](MAX_ENDED)
        self._stack = AsyncExitStack()
        self._nursery: trio.Nursery | None = None

    async def next_ended(self) -> BotEnded:
        """Wait for the end of a bot's process; each is told once."""
        return await self._ended.receive()

    async def join(self, invite: str, bot: str, taken: Collection[str]) -> str:
        """Send a bot to the table of that invite; its name, which none of ``taken`` has.

        Raises JournalError or OSError if there is no place for its files.
        """
        used = {each.name for each in self._bots if each.process.returncode is None} | set(taken)
        name = next(name for name in _names() if name not in used)
        return await self._start(name, ["--join", invite, "--name", name, "--ready", "--bot", bot])

    async def resume(self, game: str, bot: str) -> list[str]:
        """Send those who played in that game (its folder's name) back to it."""
        names = []
        for home in sorted(self._home.glob("*")):
            table = home / "games" / game / "table.toml"
            if await trio.to_thread.run_sync(table.exists):
                names.append(await self._start(home.name, ["--table", str(table), "--bot", bot]))
        return names

    async def _start(self, name: str, options: Sequence[str]) -> str:
        home = self._home / name
        await trio.to_thread.run_sync(make_private_folder, home)
        command = [sys.executable, "-m", "p2pcoup", "node", *options, *self._extra]
        with (home / LOG_NAME).open("wb") as log:
            process = await trio.lowlevel.open_process(
                [*command, "--end-with-input", "--log", "json"],
                env={**os.environ, HOME_VARIABLE: str(home)},
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=log,
            )
        bot = Bot(name, home, process)
        self._bots.append(bot)
        if self._nursery is not None:
            self._nursery.start_soon(self._watch, bot)
        return name

    async def _watch(self, bot: Bot) -> None:
        await bot.process.wait()
        log = bot.home / LOG_NAME
        peer = await trio.to_thread.run_sync(_peer_of, bot.home)
        last = await trio.to_thread.run_sync(_last_sentence, log)
        with contextlib.suppress(trio.WouldBlock):  # nobody is interested any more
            self._tell.send_nowait(BotEnded(bot.name, peer, last, log))

    async def dismiss(self) -> None:
        """Tell all bots that they are to end, and wait for none."""
        for bot in self._bots:
            if bot.process.stdin is not None:
                await bot.process.stdin.aclose()

    async def end(self) -> None:
        """Let all bots end. One that is only starting does not see the end of its input yet; it is
        asked to end in a way that it cannot miss, and that is gentle for one that runs.
        """
        await self.dismiss()
        if not await self._have_ended(GOODBYE_SECONDS) and sys.platform != "win32":
            for bot in self._bots:
                if bot.process.poll() is None:
                    bot.process.terminate()
        if not await self._have_ended(END_SECONDS):
            for bot in self._bots:
                if bot.process.poll() is None:
                    bot.process.kill()
                    await bot.process.wait()

    async def _have_ended(self, seconds: float) -> bool:
        """Whether all bots end within that time."""
        with trio.move_on_after(seconds):
            for bot in self._bots:
                await bot.process.wait()
        return all(bot.process.poll() is not None for bot in self._bots)

    async def __aenter__(self) -> "Bots":
        self._nursery = await self._stack.enter_async_context(trio.open_nursery())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> bool | None:
        with trio.CancelScope(shield=True):
            await self.end()
        if self._nursery is not None:
            self._nursery.cancel_scope.cancel()
        return await self._stack.__aexit__(kind, error, traceback)


def _peer_of(home: Path) -> PeerId | None:
    """Who the bot of that data folder is."""
    try:
        return load_identity(home).peer_id
    except HomeError:
        return None


def _last_sentence(log: Path) -> str:
    """What a bot's log says last: one JSON object a line, or what a program says that fails."""
    try:
        with log.open("rb") as file:
            file.seek(max(0, log.stat().st_size - TAIL_BYTES))
            lines = file.read().decode("utf-8", "replace").strip().splitlines()
    except OSError:
        return ""
    if not lines:
        return ""
    try:
        return str(json.loads(lines[-1])["text"])
    except (ValueError, LookupError, TypeError):
        return lines[-1]


def _names() -> Sequence[str]:
    more = [f"{name} {number}" for number in range(2, 9) for name in NAMES]
    return [*NAMES, *more]
