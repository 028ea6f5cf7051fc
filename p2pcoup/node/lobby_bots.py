"""Bots that fill seats: programs of their own, with an identity of their own, ended with us.

Each has a data folder below ours. It learns of our end by the end of its standard input, so it does
not outlive us even if we are killed.
"""

import os
import subprocess
import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import trio

from p2pcoup.journal import make_private_folder
from p2pcoup.node.demo import NAMES
from p2pcoup.node.home import HOME_VARIABLE

END_SECONDS = 5.0  # for a bot to end when its input has
LOG_NAME = "log.jsonl"


@dataclass(slots=True)
class Bot:
    """One bot's process."""

    name: str
    home: Path
    process: trio.Process


class Bots:
    """The bots of one node. Use it as a context; at the end of it all bots end."""

    def __init__(self, home: Path, extra: Sequence[str] = ()) -> None:
        """``home`` is our own data folder; ``extra`` are more options for each bot's node."""
        self._home = home / "bots"
        self._extra = tuple(extra)
        self._bots: list[Bot] = []

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
        self._bots.append(Bot(name, home, process))
        return name

    async def end(self) -> None:
        """Let all bots end."""
        for bot in self._bots:
            if bot.process.stdin is not None:
                await bot.process.stdin.aclose()
        with trio.move_on_after(END_SECONDS):
            for bot in self._bots:
                await bot.process.wait()
        for bot in self._bots:
            if bot.process.returncode is None:
                bot.process.kill()
                await bot.process.wait()

    async def __aenter__(self) -> "Bots":
        return self

    async def __aexit__(self, *_: object) -> None:
        with trio.CancelScope(shield=True):
            await self.end()


def _names() -> Sequence[str]:
    more = [f"{name} {number}" for number in range(2, 9) for name in NAMES]
    return [*NAMES, *more]
