"""Whole evenings between real processes: a table is opened, people come, a game is played."""

import os
import signal
import sys
from pathlib import Path

import pytest
import trio

from p2pcoup.audit import Verdict, audit
from p2pcoup.node.lobby.entering import TABLE_NAME, unfinished_game
from tests.node.lobbies import PATIENCE, children, line_of, names, start_sitter
from tests.node.nodes import open_nursery

pytestmark = pytest.mark.trio

BOT = ("--bot", "random", "--bot-seed", "7")


async def test_three_who_have_never_met_sit_down_and_play_a_game_that_anybody_can_check(
    tmp_path: Path,
) -> None:
    async with open_nursery(PATIENCE) as nursery:
        ash = await start_sitter(nursery, tmp_path, "Ash", "--host", "--start-when", "3", *BOT)
        invite = await ash.invite()
        guests = [
            await start_sitter(nursery, tmp_path, name, "--join", invite, *BOT)  # bots are ready
            for name in ("Birch", "Cedar")
        ]
        watcher = await start_sitter(nursery, tmp_path, "Elm", "--watch", invite)
        for each in (ash, *guests, watcher):
            assert await each.end() == 0, (each.told.other_lines, each.told.events[-3:])
    assert ash.transcript == guests[0].transcript == guests[1].transcript
    report = audit(ash.transcript)
    assert report.verdict is Verdict.VALID
    assert set(report.names) == {"Ash", "Birch", "Cedar"}
    for each in (ash, *guests, watcher):
        assert each.told.other_lines == []
    # A watcher who came before the start has seen the same game.
    assert watcher.transcript == ash.transcript
    assert unfinished_game(ash.home) is None


async def test_a_table_whose_opener_is_killed_is_opened_again_and_the_game_survives_a_crash(
    tmp_path: Path,
) -> None:
    times = ("--times", "60,60,60", "--session", "one")
    async with open_nursery(PATIENCE) as nursery:
        ash = await start_sitter(
            nursery, tmp_path, "Ash", "--host", "--bots", "1", *times, api=True
        )
        invite = await ash.invite()
        guests = [
            await start_sitter(nursery, tmp_path, name, "--join", invite, *times[2:], api=True)
            for name in ("Cedar", "Elm")
        ]
        cedar, elm = guests
        full = await elm.shows_lobby(lambda lobby: len(names(lobby)) == 4)
        (bot,) = set(names(full)) - {"Ash", "Cedar", "Elm"}
        assert line_of(full, bot)["bot"]
        assert full["opener_here"]
        assert full["invite"] is None

        ash.process.kill()
        assert await ash.end() == -signal.SIGKILL
        await cedar.shows_lobby(lambda lobby: not lobby["opener_here"])
        assert (await cedar.ask("ready", ready=True))["type"] == "error"
        await elm.shows_lobby(lambda lobby: "reopen" in lobby["may"])
        assert (await elm.ask("reopen"))["type"] == "ok"
        shown = await cedar.shows_lobby(lambda lobby: lobby["opener"] != full["opener"])
        assert shown["times"] == {"decide": 60, "answer": 60, "grace": 60}
        # The bot ends with the node that had started it.
        await elm.shows_lobby(lambda lobby: sorted(names(lobby)) == ["Cedar", "Elm"])
        assert (await cedar.ask("ready", ready=True))["type"] == "ok"
        await elm.shows_lobby(lambda lobby: lobby["why_not_start"] is None)
        assert (await elm.ask("start"))["type"] == "ok"
        game = (await cedar.shows(lambda state: state["phase"] == "game"))["game"]
        await elm.shows(lambda state: state["phase"] == "game")
        assert sorted(seat["name"] for seat in game["seats"]) == ["Cedar", "Elm"]

        cedar.process.kill()
        assert await cedar.end() == -signal.SIGKILL
        again = await start_sitter(
            nursery, tmp_path, "Cedar", "--join", invite, *times[2:], api=True
        )
        same = await again.shows(lambda state: state["game"] and state["game"]["turn"] is not None)
        assert same["game"]["id"] == game["id"]
        for each in (again, elm):
            assert (await each.ask("quit"))["type"] == "ok"
            assert await each.end() == 0
    assert unfinished_game(elm.home).name == TABLE_NAME


async def test_bots_fill_the_seats_and_end_with_the_node_that_sent_for_them(
    tmp_path: Path,
) -> None:
    if not hasattr(os, "pidfd_open") or not Path("/proc/self/task").exists():
        pytest.skip("needs Linux: it waits for the ends of grandchildren")
    async with open_nursery(PATIENCE) as nursery:
        ash = await start_sitter(nursery, tmp_path, "Ash", "--host", "--seats", "3", api=True)
        await ash.invite()
        await ash.shows_lobby(lambda lobby: "add-bot" in lobby["may"])
        for _ in range(2):
            assert (await ash.ask("add-bot", bot="honest"))["type"] == "ok"
        lobby = await ash.shows_lobby(
            lambda lobby: len(names(lobby)) == 3 and lobby["why_not_start"] is None
        )
        assert [person["bot"] for person in lobby["people"]] == [False, True, True]
        assert (await ash.ask("add-bot", bot="genius"))["text"] == "There is no bot 'genius'."
        full = await ash.ask("add-bot", bot="honest")
        assert (full["type"], full["text"]) == ("error", "The table is full.")
        assert (await ash.ask("start"))["type"] == "ok"
        await ash.shows(lambda state: state["phase"] == "game")
        bots = [os.pidfd_open(child) for child in children(ash.process.pid)]
        assert len(bots) == 2
        ash.process.kill()
        await ash.end()
        with trio.fail_after(PATIENCE):
            for bot in bots:
                await trio.lowlevel.wait_readable(bot)
                os.close(bot)


async def test_somebody_comes_to_watch_in_the_middle_of_a_game(tmp_path: Path) -> None:
    async with open_nursery(PATIENCE) as nursery:
        ash = await start_sitter(nursery, tmp_path, "Ash", "--host", "--start-when", "2", api=True)
        invite = await ash.invite()
        await start_birch(nursery, tmp_path, invite)
        state = await ash.shows(lambda state: state["question"])
        watcher = await start_sitter(nursery, tmp_path, "Elm", "--watch", invite, api=True)
        seen = await watcher.shows(
            lambda state: state["game"] and state["game"]["turn"] is not None
        )
        assert seen["game"]["id"] == state["game"]["id"]
        assert seen["game"]["you"] is None
        assert seen["game"]["hand"] == []
        await ash.shows(lambda state: state["watching"] == 1)
        sitter = await start_sitter(nursery, tmp_path, "Fir", "--join", invite)
        assert await sitter.end() == 1
        assert "A game is being played" in sitter.told.all("closed")[0]["text"]
        for each in (watcher, ash):
            assert (await each.ask("quit"))["type"] == "ok"
            assert await each.end() == 0
        nursery.cancel_scope.cancel()


async def start_birch(nursery: trio.Nursery, home: Path, invite: str) -> None:
    await start_sitter(nursery, home, "Birch", "--join", invite, "--ready", *BOT)


@pytest.mark.skipif(sys.platform == "win32", reason="signals are a POSIX matter")
async def test_a_node_is_stopped_in_the_lobby_and_the_others_are_told(tmp_path: Path) -> None:
    async with open_nursery(PATIENCE) as nursery:
        ash = await start_sitter(nursery, tmp_path, "Ash", "--host", api=True)
        invite = await ash.invite()
        birch = await start_sitter(nursery, tmp_path, "Birch", "--join", invite, api=True)
        await ash.shows_lobby(lambda lobby: len(names(lobby)) == 2)
        birch.process.send_signal(signal.SIGINT)
        assert await birch.end() == 130
        (stopped,) = birch.told.all("stopped")
        assert stopped["text"].endswith("No game had begun, so there is none to play on.")
        await ash.shows_lobby(
            lambda lobby: len(names(lobby)) == 1 or not line_of(lobby, "Birch")["here"]
        )
        cedar = await start_sitter(nursery, tmp_path, "Cedar", "--join", invite, api=True)
        lobby = await ash.shows_lobby(lambda lobby: "Cedar" in names(lobby))
        assert (await ash.ask("kick", peer=line_of(lobby, "Cedar")["peer"]))["type"] == "ok"
        assert await cedar.end() == 1
        assert cedar.told.all("closed")[0]["text"] == "You were sent away from this table."
        assert cedar.told.other_lines == ["Error: You were sent away from this table."]
        assert cedar.state["reason"] == "Error: You were sent away from this table."
        assert (await ash.ask("leave"))["type"] == "ok"
        assert await ash.end() == 0


async def test_people_talk_before_the_game_and_who_quits_is_told_that_there_is_none_to_play_on(
    tmp_path: Path,
) -> None:
    async with open_nursery(PATIENCE) as nursery:
        ash = await start_sitter(nursery, tmp_path, "Ash", "--host", api=True)
        invite = await ash.invite()
        birch = await start_sitter(nursery, tmp_path, "Birch", "--join", invite, api=True)
        elm = await start_sitter(nursery, tmp_path, "Elm", "--watch", invite, api=True)
        everybody = (ash, birch, elm)
        for each in everybody:
            await each.shows_lobby(lambda lobby: len(names(lobby)) == 3)
        assert (await birch.ask("say", text="  One game,  or two?"))["type"] == "ok"
        assert (await elm.ask("say", text="x" * 281))["code"] == "too-long"
        assert (await elm.ask("say", text="Two!"))["type"] == "ok"
        for each in everybody:
            await each.told.wait_for("talk", 2)
            said = [(event["name"], event["text"]) for event in each.told.all("talk")]
            assert sorted(said) == [("Birch", "One game, or two?"), ("Elm", "Two!")]
        codes = [(await birch.ask("say", text="And?")).get("code") for _ in range(8)]
        assert "too-often" in codes
        for each in reversed(everybody):
            assert (await each.ask("quit"))["type"] == "ok"
            assert await each.end() == 0
            assert each.state["phase"] == "ended"
            assert each.state["reason"].startswith("The node was stopped before a game began")
