"""The hub: what is told to clients, and how what they want comes to the node."""

import json

import pytest
import trio
import trio.testing

from p2pcoup.node import said
from p2pcoup.node.api import Hub
from p2pcoup.node.api.client import MAX_ERRORS_IN_A_ROW, Client, UnwelcomeError
from p2pcoup.node.api.eventlog import EventLog
from p2pcoup.node.wishes import DONE, Ready, Reply, Settings

pytestmark = pytest.mark.trio

LOBBY = {"table": "friday", "edition": "base", "options": "standard"}


def no_drop() -> None:
    raise AssertionError("this client reads")


def new_hub() -> Hub:
    return Hub("AAAAAAA", None)


async def lines(client: Client) -> list[dict]:
    """What waits to be sent."""
    with trio.fail_after(5):
        return [json.loads(line) for line in await client.next_lines()]


async def test_a_lobby_is_shown_with_the_reference_card_of_what_will_be_played() -> None:
    hub = new_hub()
    with hub.client(no_drop) as client:
        (hello,) = await lines(client)
        assert (hello["type"], hello["name"], hello["next"]) == ("hello", None, 0)
        hub.show_lobby(LOBBY)
        reference, state = await lines(client)
        assert (reference["type"], reference["edition"]) == ("reference", "base")
        assert (state["phase"], state["lobby"], state["game"]) == ("lobby", LOBBY, None)
        hub.show_lobby({**LOBBY, "table": "saturday"})
        (state,) = await lines(client)
        assert state["lobby"]["table"] == "saturday"
        hub.show_lobby({**LOBBY, "edition": "inquisitor"})
        reference, state = await lines(client)
        assert reference["edition"] == "inquisitor"


async def test_several_changes_come_as_one_picture() -> None:
    hub = new_hub()
    with hub.client(no_drop) as client:
        for number in range(50):
            hub.show_lobby({**LOBBY, "games": number})
        *_, state = await lines(client)
        assert state["lobby"]["games"] == 49
        assert client.has_all


async def test_a_wish_is_fulfilled_by_the_node_and_answered_once() -> None:
    hub = new_hub()
    with hub.client(no_drop) as client:
        await lines(client)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(client.take, '{"type": "ready", "ready": true, "n": 1}')
            request = await hub.next_request()
            assert request.wish == Ready(True)
            request.reply(DONE)
            request.reply(Reply("closed", "This one comes too late."))
        assert await lines(client) == [{"type": "ok", "n": 1}]


async def test_a_wish_that_is_open_when_the_node_ends_is_answered_and_so_is_a_later_one() -> None:
    hub = new_hub()
    async with trio.open_nursery() as nursery:
        with hub.client(no_drop) as client:
            await lines(client)
            nursery.start_soon(client.take, '{"type": "settings", "seats": 3, "n": 1}')
            assert (await hub.next_request()).wish == Settings(seats=3)
            nursery.start_soon(client.take, '{"type": "start", "n": 2}')
            await trio.testing.wait_all_tasks_blocked()
            nursery.start_soon(hub.end, "The table was closed.")
            await trio.testing.wait_all_tasks_blocked()
            await client.take('{"type": "leave", "n": 3}')
            told = await lines(client)
            assert {m["n"]: m["code"] for m in told[:3]} == dict.fromkeys((1, 2, 3), "closed")
            assert (told[3]["phase"], told[3]["reason"]) == ("ended", "The table was closed.")
            assert told[3]["why_ended"] is None
            assert await lines(client) == []


async def test_a_request_that_nobody_waits_for_any_more_was_not_taken() -> None:
    hub = new_hub()
    with hub.client(no_drop) as client:
        with trio.move_on_after(0) as passed:
            await hub.next_request()
        assert passed.cancelled_caught
        async with trio.open_nursery() as nursery:
            nursery.start_soon(client.take, '{"type": "start"}')
            (await hub.next_request()).reply(DONE)


async def test_a_client_that_is_too_far_behind_is_disconnected() -> None:
    hub = new_hub()
    hub.events = EventLog(most_bytes=2000)
    dropped: list[bool] = []
    with hub.client(lambda: dropped.append(True)) as client, hub.client(no_drop) as other:
        await lines(client)
        await lines(other)
        for number in range(40):
            hub.told("talk", f"number {number}", {"peer": "AAAAAAA", "name": "Ash"}, None)
            if number % 5 == 0:
                await lines(other)
        assert dropped
        assert [event["number"] for event in await lines(other)] == [36, 37, 38, 39]


async def test_a_client_that_sends_only_nonsense_is_disconnected_and_one_request_pardons_it() -> (
    None
):
    hub = new_hub()
    with hub.client(no_drop) as client:
        await lines(client)
        for _ in range(2):
            for _ in range(MAX_ERRORS_IN_A_ROW):
                await client.take("nonsense")
            assert {m["code"] for m in await lines(client)} == {"bad-message"}
            await client.take('{"type": "resume", "run": "", "after": 0}')
            await lines(client)
        for _ in range(MAX_ERRORS_IN_A_ROW):
            await client.take("nonsense")
        with pytest.raises(UnwelcomeError, match="nothing that is a request"):
            await client.take("nonsense")


async def test_nothing_more_is_taken_from_a_client_that_does_not_read_its_answers() -> None:
    hub = new_hub()
    taken = 0
    with hub.client(no_drop) as client:

        async def ask() -> None:
            nonlocal taken
            while taken < 1000:
                await client.take('{"type": "resume", "run": "", "after": 0}')
                taken += 1

        async with trio.open_nursery() as nursery:
            nursery.start_soon(ask)
            await trio.testing.wait_all_tasks_blocked()
            assert taken < 100
            while taken < 1000:
                await lines(client)
                await trio.testing.wait_all_tasks_blocked()


async def test_what_others_wrote_cannot_steer_a_terminal() -> None:
    hub = new_hub()
    with hub.client(no_drop) as client:
        hub.told("refused", "Turned away \x1b[2Jsomebody\u202e.", {}, None)
        _, event = await lines(client)
        assert event["text"] == "Turned away \\x1b[2Jsomebody\\u202e."
        assert (event["kind"], event["name"]) == ("table", "refused")


async def test_a_reason_that_is_known_can_be_told_in_any_language() -> None:
    hub = new_hub()
    with hub.client(no_drop) as client:
        await lines(client)
        hub.told("unlinked", said.UNLINKED(who="Birch", reason="The node has closed."), {}, None)
        (event,) = await lines(client)
        assert event["text"] == "Lost the link to Birch: The node has closed."
        assert event["args"]["reason"] == {"template": "The node has closed.", "args": {}}
        async with trio.open_nursery() as nursery:
            nursery.start_soon(hub.end, "All games are over.")
            *_, state = await lines(client)
            assert state["why_ended"]["template"] == state["reason"] == "All games are over."
            nursery.cancel_scope.cancel()
