"""`p2pcoup host` and `p2pcoup join` on three computers of one network, which nobody has told where
the table is: network namespaces on a bridge, each with the real programs.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from p2pcoup.audit import Verdict, audit
from tests.node.lobbies import PATIENCE, Sitter, line_of, names, start_window
from tests.node.namespaces import Network, network
from tests.node.nodes import open_nursery

pytestmark = [
    pytest.mark.trio,
    pytest.mark.waits,
    pytest.mark.skipif(sys.platform != "linux", reason="network namespaces are Linux's"),
]


def on(lan: Network, machine: int, *arguments: str) -> Sequence[str]:
    """A command line that runs p2pcoup on that machine."""
    inside = lan.inside(machine).removeprefix("exec ").split()
    return [*inside, sys.executable, "-m", "p2pcoup", *arguments]


async def give_up_when_asked(player: Sitter) -> None:
    """Concede as soon as that is possible, so that the game is short."""
    state = await player.shows(
        lambda state: state["phase"] == "over" or (state["question"] or {}).get("concede")
    )
    if question := state["question"]:
        # The question may be closed by somebody else's answer; then there is another one.
        given = await player.ask("answer", question=question["id"], move=question["concede"])
        assert given["type"] == "ok" or given["code"] == "closed"
        if given["type"] == "error":
            await player.shows(lambda state: state["question"] != question)
            await give_up_when_asked(player)


async def do_as_the_clock_would(player: Sitter) -> None:
    """Choose at once what would be chosen when the time is over."""
    while True:
        state = await player.shows(lambda state: state["phase"] == "over" or state["question"])
        if state["phase"] == "over":
            return
        question = state["question"]
        given = await player.ask("answer", question=question["id"], move=question["default"])
        assert given["type"] == "ok" or given["code"] == "closed"
        await player.shows(lambda state, old=question: state["question"] != old)


async def test_three_computers_find_the_table_by_themselves_and_play_to_the_audit(
    tmp_path: Path,
) -> None:
    with network(3, 0) as lan:
        async with open_nursery(PATIENCE) as nursery:
            opening = on(lan, 0, "host", "--table", "friday", "--seats", "3")
            ash = await start_window(nursery, tmp_path, "Ash", opening)
            invite = (await ash.shows_lobby(lambda lobby: lobby["invite"]))["invite"]
            assert f"//{lan.address(0)}:" in invite
            guests = [
                await start_window(nursery, tmp_path, name, on(lan, machine, "join"))
                for machine, name in enumerate(("Birch", "Cedar"), 1)
            ]
            for guest in guests:
                lobby = await guest.shows_lobby(lambda lobby: len(names(lobby)) == 3)
                assert lobby["table"] == "friday"
                assert line_of(lobby, "Ash")["peer"] == lobby["opener"]
                (found,) = guest.told.other_lines
                assert found.startswith("Found: friday, opened by Ash (new): base, standard, ")
                assert (await guest.ask("ready", ready=True))["type"] == "ok"
            await ash.shows_lobby(lambda lobby: lobby["why_not_start"] is None)
            assert (await ash.ask("start"))["type"] == "ok"
            everybody = (ash, *guests)
            nursery.start_soon(do_as_the_clock_would, ash)
            for guest in guests:
                nursery.start_soon(give_up_when_asked, guest)
            for each in everybody:
                over = await each.shows(
                    lambda state: (
                        state["phase"] == "over" and state["game"]["outcome"]["audit"] == "valid"
                    )
                )
                assert over["game"]["outcome"]["winner"] == over["game"]["seats"][0]["seat"]
            for each in everybody:
                assert (await each.ask("quit"))["type"] == "ok"
                assert await each.end() == 0
    assert len({each.transcript for each in everybody}) == 1
    report = audit(ash.transcript)
    assert report.verdict is Verdict.VALID
    assert set(report.names) == {"Ash", "Birch", "Cedar"}


async def test_a_computer_in_another_network_finds_no_table_and_says_so(tmp_path: Path) -> None:
    with network(1, 1) as lan:
        lan.tear()
        async with open_nursery(PATIENCE) as nursery:
            ash = await start_window(nursery, tmp_path, "Ash", on(lan, 0, "host"))
            await ash.shows_lobby(lambda lobby: lobby["invite"])
            birch = await start_window(nursery, tmp_path, "Birch", on(lan, 1, "join"))
            assert await birch.end() == 1
            (told,) = birch.told.other_lines
            assert told.startswith("Error: ")
            assert "invite" in told
            assert (await ash.ask("quit"))["type"] == "ok"
            assert await ash.end() == 0


async def test_without_an_announcement_somebody_met_before_is_found_where_they_were(
    tmp_path: Path,
) -> None:
    with network(2, 0) as lan:
        for evening in (1, 2):
            async with open_nursery(PATIENCE) as nursery:
                opening = on(lan, 0, "host", "--no-announce")
                ash = await start_window(nursery, tmp_path, "Ash", opening)
                lobby = await ash.shows_lobby(lambda lobby: lobby["invite"])
                invite = [lobby["invite"]] if evening == 1 else []
                going = on(lan, 1, "join", *invite)
                birch = await start_window(nursery, tmp_path, "Birch", going)
                seen = await birch.shows_lobby(lambda lobby: len(names(lobby)) == 2)
                assert seen["opener"] == line_of(lobby, "Ash")["peer"]
                for each in (birch, ash):
                    assert (await each.ask("quit"))["type"] == "ok"
                    assert await each.end() == 0
                asked = [line for line in birch.told.other_lines if "whom you have met" in line]
                if evening == 1:
                    assert asked == []
                else:
                    (told,) = asked
                    assert told.startswith("No table is announced here. Asking Ash, ")
                    assert f"{lan.address(0)}:" in told
