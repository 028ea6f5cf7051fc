"""Bots of a lobby as processes: they end with their node, and one that fails is told of."""

import os
import signal
import sys
from pathlib import Path

import pytest
import trio

from p2pcoup.bots.names import NAMES
from p2pcoup.lobby.limits import KEPT_SECONDS
from p2pcoup.node.home import identity_file
from p2pcoup.node.lobby.bots import END_SECONDS, Bots
from tests.node.lobbies import PATIENCE, children, names, start_sitter
from tests.node.nodes import open_nursery

pytestmark = pytest.mark.trio

FIRST = next(name for name in NAMES if name != "Ash")


def spoil_identity(home: Path) -> Path:
    """A data folder in which no bot can start."""
    file = identity_file(home)
    file.parent.mkdir(parents=True)
    file.write_text("no key")
    return file


async def test_the_opener_is_told_when_a_bot_fails_before_it_sits_down_and_sends_for_another(
    tmp_path: Path,
) -> None:
    home = tmp_path / "Ash" / "bots" / FIRST
    file = spoil_identity(home)
    async with open_nursery(PATIENCE) as nursery:
        ash = await start_sitter(nursery, tmp_path, "Ash", "--host", api=True)
        await ash.invite()
        assert (await ash.ask("add-bot", bot="honest"))["type"] == "ok"
        told = await ash.told.wait_for("bot-ended")
        assert told["level"] == "warning"
        assert told["text"].startswith(f"The bot {FIRST} has ended. It said last: ")
        assert "Error: " in told["text"]
        assert told["text"].endswith(str(home / "log.jsonl"))
        file.unlink()
        assert (await ash.ask("add-bot", bot="honest"))["type"] == "ok"
        lobby = await ash.shows_lobby(lambda lobby: len(names(lobby)) == 2)
        bot = lobby["people"][1]["peer"]
        # One that was sent away has sat there: its end is no surprise.
        assert (await ash.ask("kick", peer=bot))["type"] == "ok"
        await ash.shows_lobby(lambda lobby: len(names(lobby)) == 1)
        assert (await ash.ask("quit"))["type"] == "ok"
        assert await ash.end() == 0
    assert len(ash.told.all("bot-ended")) == 1


async def test_one_who_plays_with_bots_alone_is_not_asked_to_invite_anybody(tmp_path: Path) -> None:
    alone = ("--host", "--bots", "1", "--start-when", "2", "--pace", "0.01")
    async with open_nursery(PATIENCE) as nursery:
        ash = await start_sitter(nursery, tmp_path, "Ash", *alone, api=True)
        lobby = await ash.shows_lobby(lambda _lobby: True)
        assert lobby["invite"] is None
        await ash.shows(lambda state: state["question"])
        assert (await ash.ask("quit"))["type"] == "ok"
        assert await ash.end() == 0
    assert not ash.told.all("invite")


@pytest.mark.skipif(sys.platform != "linux", reason="asks /proc for the bot's process")
async def test_the_seat_of_a_bot_that_dies_at_the_table_is_free_at_once(tmp_path: Path) -> None:
    async with open_nursery(PATIENCE) as nursery:
        ash = await start_sitter(nursery, tmp_path, "Ash", "--host", api=True)
        await ash.invite()
        assert (await ash.ask("add-bot", bot="honest"))["type"] == "ok"
        await ash.shows_lobby(lambda lobby: len(names(lobby)) == 2)
        (bot,) = children(ash.process.pid)
        os.kill(bot, signal.SIGKILL)
        with trio.fail_after(KEPT_SECONDS / 2):
            await ash.shows_lobby(lambda lobby: len(names(lobby)) == 1)
        assert (await ash.told.wait_for("bot-ended"))["text"].startswith(f"The bot {FIRST} has")
        assert (await ash.ask("quit"))["type"] == "ok"
        assert await ash.end() == 0


@pytest.mark.skipif(sys.platform == "win32", reason="there a program is not asked, only ended")
async def test_bots_that_are_only_starting_end_at_once_and_not_when_they_are_ready(
    tmp_path: Path,
) -> None:
    with trio.fail_after(PATIENCE):
        async with Bots(tmp_path) as bots:
            for _ in range(3):
                await bots.join("coup://127.0.0.1:9#nobody", "honest", [])
            began = trio.current_time()
        # Long before the time after which they are killed, however slow they are to start.
        assert trio.current_time() - began < END_SECONDS
