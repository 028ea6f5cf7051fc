"""Clients play whole games at real nodes, by WebSocket."""

import json
import random

import pytest
import trio

from p2pcoup.audit import Verdict, audit
from p2pcoup.table import Times
from tests.node.api.clients import random_legal, start_served
from tests.node.nodes import Held, make_seats, open_nursery, random_move, start_local

pytestmark = pytest.mark.trio


async def test_a_client_plays_a_whole_game_and_another_one_sees_the_same(tmp_path) -> None:
    ash, birch = make_seats(tmp_path, 2, deal=3)
    async with open_nursery() as nursery:
        node = start_served(nursery, ash)
        async with node.client() as player, node.client() as watcher:
            hello = await player.next()
            assert (hello["type"], hello["name"]) == ("hello", "Ash")
            opponent = start_local(nursery, birch, {0: await node.told.port()}, luck=3)
            nursery.start_soon(player.play, random_legal(random.Random(1)))
            last = await watcher.wait_for(lambda m: m.get("phase") == "ended")
        await node.end()
        await opponent.end()
    assert audit(ash.transcript).verdict is Verdict.VALID
    outcome = last["game"]["outcome"]
    assert outcome["winner"] == node.match.current.outcome.winner
    assert (outcome["audit"], outcome["by_absence"]) == ("valid", False)
    assert outcome["transcript"] == str(node.match.current.transcript_file)
    assert last["reason"] == "All games are over."
    for client in (player, watcher):
        numbers = [event["number"] for event in client.events]
        assert numbers == list(range(client.heard[0]["next"], node.hub.events.next))
        kinds = [message["type"] for message in client.heard]
        assert kinds[:2] == ["hello", "reference"]
        assert {"state", "event"} <= set(kinds)
    assert player.events[-len(watcher.events) :] == watcher.events, "who came first has a few more"
    told = [e["text"] for e in player.events if e["kind"] == "story"]
    assert told == [e["text"] for e in node.told.all("story")]
    assert not (ash.home / "api.json").exists(), "it is removed when the node ends"


async def test_of_two_clients_the_first_answer_counts_and_the_later_one_is_told_so(
    tmp_path,
) -> None:
    ash, birch = make_seats(tmp_path, 2)
    async with open_nursery() as nursery:
        node = start_served(nursery, ash)
        opponent = start_local(nursery, birch, {0: await node.told.port()})
        async with node.client() as one, node.client() as two:
            question = await one.question()
            same = await two.question()
            assert {**same, "remaining_ms": 0} == {**question, "remaining_ms": 0}
            other = await one.ask(type="answer", question=question["id"], move="1 income")
            assert (other["type"], other["code"]) == ("error", "not-possible")
            assert "choose from" in other["text"]
            garbled = await one.ask(type="answer", question=question["id"], move="dance")
            assert garbled["code"] == "not-possible"
            move = question["default"]
            assert await one.ask(type="answer", question=question["id"], move=move) == {
                "type": "ok",
                "n": 3,
            }
            late = await two.ask(type="answer", question=question["id"], move=move)
            assert (late["code"], late["n"]) == ("closed", 1)
            made_up = await two.ask(type="answer", question="0:0", move=move)
            assert made_up["code"] == "closed"
        node.scope.cancel()
        opponent.scope.cancel()


async def test_a_client_that_comes_back_gets_every_event_it_missed_once_and_in_order(
    tmp_path,
) -> None:
    ash, birch = make_seats(tmp_path, 2, deal=1)
    async with open_nursery() as nursery:
        node = start_served(nursery, ash)
        opponent = start_local(nursery, birch, {0: await node.told.port()}, luck=1)
        choose = random_legal(random.Random(2))
        async with node.client() as first:
            for _ in range(3):
                question = await first.question()
                await first.ask(type="answer", question=question["id"], move=choose(question))
            run = first.heard[0]["run"]
        known = first.events[-1]["number"]
        async with node.client() as second:
            hello = await second.next()
            assert hello["run"] == run
            assert hello["next"] > known
            assert (await second.ask(type="resume", run=run, after=known))["type"] == "ok"
            await second.play(choose)
        numbers = [event["number"] for event in second.events]
        assert sorted(set(numbers)) == list(range(known + 1, node.hub.events.next))
        await node.end()
        await opponent.end()


async def test_a_client_of_another_run_gets_all_events_there_are(tmp_path) -> None:
    ash, birch = make_seats(tmp_path, 2)
    async with open_nursery() as nursery:
        node = start_served(nursery, ash)
        opponent = start_local(nursery, birch, {0: await node.told.port()})
        async with node.client() as client:
            await client.question()
            await client.ask(type="resume", run="of yesterday", after=7000)
            run, count = client.heard[0]["run"], node.hub.events.next
            client.heard.clear()
            await client.wait_for(lambda m: m.get("number") == count - 1)
            assert [event["number"] for event in client.events] == list(range(count))
            ahead = await client.ask(type="resume", run=run, after=10**9)
            assert ahead["type"] == "ok", "it has all there is, and goes on from here"
        node.scope.cancel()
        opponent.scope.cancel()


async def test_who_does_not_answer_has_the_default_made_and_is_told(tmp_path) -> None:
    ash, birch = make_seats(tmp_path, 2, times=Times(decide=1, answer=1))
    async with open_nursery() as nursery:
        node = start_served(nursery, ash)
        twin = start_served(nursery, birch, {0: await node.told.port()})
        async with node.client() as client, twin.client() as other:
            question = await client.question()
            assert 0 < question["remaining_ms"] <= 1000
            answered = await client.wait_for(lambda m: m.get("name") == "answered-for-you")
            assert answered["kind"] == "table"
            late = await client.ask(
                type="answer", question=question["id"], move=question["default"]
            )
            assert late["code"] == "closed"
            assert (await other.ask(type="quit"))["type"] == "ok"
            assert (await client.ask(type="quit"))["type"] == "ok"
            ended = await client.wait_for(lambda m: m.get("phase") == "ended")
            assert ended["question"] is None
            assert "the same command plays on" in ended["reason"]
        await node.end()
        await twin.end()


async def test_a_seat_that_is_only_heard_through_others_is_shown_as_such(tmp_path) -> None:
    ash, birch, cedar = make_seats(tmp_path, 3)
    async with open_nursery() as nursery:
        node = start_served(nursery, ash)
        third = start_local(nursery, cedar, {0: await node.told.port()})
        other = start_local(nursery, birch, {2: await third.told.port()})
        async with node.client() as client:
            await client.question()
            state = client.state
            if "relayed" not in str(state):
                state = await client.wait_for(lambda m: "relayed" in str(m))
            links = {seat["name"]: seat["link"] for seat in state["game"]["seats"]}
            assert links == {"Ash": "you", "Birch": "relayed", "Cedar": "linked"}
        for each in (node, third, other):
            each.scope.cancel()


async def test_to_give_up_is_an_answer_like_others(tmp_path) -> None:
    ash, birch = make_seats(tmp_path, 2)
    async with open_nursery() as nursery:
        node = start_served(nursery, ash)
        opponent = start_local(nursery, birch, {0: await node.told.port()})
        async with node.client() as client:
            question = await client.question()
            while question["concede"] is None:
                move = question["default"]
                await client.ask(type="answer", question=question["id"], move=move)
                question = await client.question()
            answer = await client.ask(
                type="answer", question=question["id"], move=question["concede"]
            )
            assert answer["type"] == "ok"
            ended = await client.wait_for(lambda m: m.get("phase") == "ended")
        assert ended["game"]["outcome"]["winner"] == 1
        seats = {seat["seat"]: seat["status"] for seat in ended["game"]["seats"]}
        assert seats == {0: "out", 1: "playing"}
        assert "gives up" in " ".join(event["text"] for event in client.events)
        await node.end()
        await opponent.end()


async def test_sixteen_clients_are_served_alike_and_one_that_floods_delays_nobody(
    tmp_path,
) -> None:
    ash, birch = make_seats(tmp_path, 2)
    async with open_nursery() as nursery:
        with Held(1, random_move) as hold:  # the game stands while the clients ask
            node = start_served(nursery, ash)
            opponent = start_local(nursery, birch, {0: await node.told.port()}, policy=hold)
            flooding = trio.CancelScope()

            async def flood() -> None:
                with flooding:
                    async with node.client() as client:
                        while True:
                            await client.socket.send_message(json.dumps({"type": "start"}))

            nursery.start_soon(flood)
            asked = 0

            async def ask() -> None:
                nonlocal asked
                async with node.client() as client:
                    for _ in range(3):
                        reply = await client.ask(type="leave")
                        assert reply["code"] == "not-possible", "there is no lobby"
                        asked += 1

            async with trio.open_nursery() as together:
                for _ in range(15):
                    together.start_soon(ask)
            assert asked == 45
            flooding.cancel()
        node.scope.cancel()
        opponent.scope.cancel()


async def test_muting_is_shown_to_all_clients_and_hides_talk(tmp_path) -> None:
    ash, birch = make_seats(tmp_path, 2)
    peer = birch.identity.peer_id
    async with open_nursery() as nursery:
        node = start_served(nursery, ash)
        async with node.client() as one, node.client() as two:
            await two.wait_for(lambda m: m["type"] == "state")
            talk = {"peer": peer, "name": "Birch"}
            node.hub.told("talk", "Hello!", talk, None)
            assert (await one.wait_for(lambda m: m.get("kind") == "talk"))["text"] == "Hello!"
            assert (await one.ask(type="mute", peer=peer, muted=True))["type"] == "ok"
            assert (await two.wait_for(lambda m: m.get("muted")))["muted"] == [peer]
            node.hub.told("talk", "You bluff!", talk, None)
            assert (await one.ask(type="mute", peer=peer, muted=False))["type"] == "ok"
            node.hub.told("talk", "Still here.", talk, None)
            after = await two.wait_for(lambda m: m.get("text") == "Still here.")
            assert after["name"] == "Birch"
            assert "You bluff!" not in [event["text"] for event in two.events]
            wrong = await one.ask(type="mute", peer="nobody", muted=True)
            assert wrong["code"] == "not-possible"
        node.scope.cancel()
