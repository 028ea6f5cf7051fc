"""Peers at the table that do not behave: what they send costs little and is told."""

import os
from pathlib import Path

import pytest
import trio
import trio.testing

from p2pcoup.audit import Verdict, audit, verify_evidence_file
from p2pcoup.net import Address, Connected, Disconnected, Mesh, Received, open_mesh
from p2pcoup.net.limits import JUNK_BURST
from p2pcoup.node.gossip import (
    ANSWER_SECONDS,
    Have,
    Passed,
    Whispered,
    decode_gossip,
    encode_gossip,
)
from p2pcoup.node.log import COMPLAINT_SECONDS
from p2pcoup.node.seat import SeatedGame
from p2pcoup.wire import Kind, Message, PeerId, parse, sign
from tests.node.nodes import (
    HERE,
    PATIENCE,
    linked,
    make_seats,
    open_nursery,
    peer,
    signed_otherwise,
    start_local,
)

pytestmark = pytest.mark.trio


async def next_message(mesh: Mesh) -> None:
    """Wait for a message of the game."""
    with trio.fail_after(PATIENCE):
        async for event in mesh.events:
            if isinstance(event, Received) and isinstance(decode_gossip(event.payload), Passed):
                return


async def test_a_flood_of_requests_is_answered_at_a_bounded_rate(tmp_path: Path) -> None:
    seats = make_seats(tmp_path, 2)
    node_id = seats[0].identity.peer_id
    async with open_nursery() as nursery:
        node = start_local(nursery, seats[0])
        async with peer(seats[1], seats[0], await node.told.port()) as mesh:
            await linked(mesh)
            request = encode_gossip(Have(node.game.terms.game_id, 0, False))
            mesh.send(node_id, request)
            await next_message(mesh)
            started = trio.current_time()
            for _ in range(3000):
                assert mesh.send(node_id, request)
            mesh.send(node_id, b"the last one")
            await node.told.wait_for("garbled")
            await next_message(mesh)
            answers = 1
            while mesh.events.statistics().current_buffer_used:
                answers += isinstance(mesh.events.receive_nowait(), Received)
            elapsed = trio.current_time() - started
        node.scope.cancel()
    assert answers <= 1 + elapsed / ANSWER_SECONDS


async def test_junk_from_a_peer_is_told_now_and_then_and_counted(tmp_path: Path) -> None:
    seats = make_seats(tmp_path, 2)
    node_id = seats[0].identity.peer_id
    async with open_nursery() as nursery:
        node = start_local(nursery, seats[0])
        async with peer(seats[1], seats[0], await node.told.port()) as mesh:
            await linked(mesh)
            started = trio.current_time()
            for number in range(JUNK_BURST // 3):
                mesh.send(node_id, b"junk %d" % number)
                mesh.send(node_id, encode_gossip(Passed(b"no message %d" % number)))
            mesh.send(node_id, encode_gossip(Have(b"another game", 0, False)))
            await node.told.wait_for("other-table")
            elapsed = trio.current_time() - started
        node.scope.cancel()
    for event in ("garbled", "message-refused"):
        assert 1 <= len(node.told.all(event)) <= 2 + elapsed / COMPLAINT_SECONDS
    assert node.told.all("garbled")[0]["text"].startswith("Birch sent something that cannot be")
    assert node.told.all("message-refused")[0]["text"].startswith("Birch passed on a message")


NIGHTLY = os.environ.get("P2PCOUP_NIGHTLY") == "1"
JUNK, MORE_JUNK = ("random", "unsigned"), ("no message", "another game", "aside")


@pytest.mark.parametrize("kind", [*JUNK, *MORE_JUNK] if NIGHTLY else JUNK)
async def test_a_peer_that_sends_nothing_but_junk_loses_its_link_for_a_while(
    tmp_path: Path, kind: str
) -> None:
    seats = make_seats(tmp_path, 2)
    node_id = seats[0].identity.peer_id
    game = seats[1].sit_down()
    (join,) = game.begin().fresh
    game.close()
    place = (parse(join).message.game, 1, 1, bytes(32), Kind.COIN, (bytes(32), bytes(32)))
    other = Message(bytes(32), *place[1:])
    junk = {
        "random": b"junk",
        "no message": encode_gossip(Passed(b"junk")),
        "another game": encode_gossip(Passed(sign(other, seats[1].identity).raw)),
        "unsigned": encode_gossip(Passed(sign(Message(*place), seats[0].identity).raw)),
        "aside": encode_gossip(Whispered(b"junk" * 30)),
    }[kind]
    async with open_nursery() as nursery:
        node = start_local(nursery, seats[0])
        async with peer(seats[1], seats[0], await node.told.port()) as mesh:
            await linked(mesh)
            mesh.send(node_id, encode_gossip(Passed(join)))
            for _ in range(2 * JUNK_BURST):
                mesh.send(node_id, junk)
            assert "too much that is of no use" in (await node.told.wait_for("unlinked"))["text"]
            with trio.fail_after(PATIENCE):
                async for event in mesh.events:
                    if isinstance(event, Disconnected):
                        break
                # The mesh dials again and is told to wait, then it has a link once more.
                unreachable = await mesh.events.receive()
                assert "You have sent too much" in unreachable.reason
                while not isinstance(await mesh.events.receive(), Connected):
                    pass
        node.scope.cancel()
    assert node.told.all("blame") == []


async def test_a_false_message_is_blamed_on_its_author_once_with_the_evidence(
    tmp_path: Path,
) -> None:
    seats, others = make_seats(tmp_path, 2), make_seats(tmp_path / "other", 2, deal=1)
    terms = seats[1].table().terms
    messages = []
    for seat in (seats[1], others[1]):  # the same player with two secrets: two different joins
        game = seat.sit_down()
        messages += game.begin().fresh
        game.close()
    async with open_nursery() as nursery:
        node = start_local(nursery, seats[0])
        async with peer(seats[1], seats[0], await node.told.port()) as mesh:
            await linked(mesh)
            for raw in (*messages, messages[1], messages[1]):
                mesh.send(seats[0].identity.peer_id, encode_gossip(Passed(raw)))
            mesh.send(seats[0].identity.peer_id, encode_gossip(Have(b"another game", 0, False)))
            await node.told.wait_for("other-table")
        node.scope.cancel()
    (blame,) = node.told.all("blame")
    assert (blame["seat"], blame["round"], blame["rule"]) == (1, 0, "equivocation")
    assert [bytes.fromhex(raw) for raw in blame["evidence"]] == messages
    assert blame["text"].startswith(f"{terms.names[1]} broke the rule equivocation in round 0")
    assert blame["text"].endswith(f"Evidence for anybody: {blame['file']}")
    assert verify_evidence_file(Path(blame["file"])).name == terms.names[1]


async def test_nodes_at_different_tables_are_told_to_compare_their_files(tmp_path: Path) -> None:
    here = make_seats(tmp_path / "a", 2, game="friday")
    there = make_seats(tmp_path / "b", 2, game="saturday")
    async with open_nursery() as nursery:
        first = start_local(nursery, here[0])
        second = start_local(nursery, there[1], {0: await first.told.port()})
        told = [(await node.told.wait_for("other-table"))["text"] for node in (first, second)]
        first.scope.cancel()
        second.scope.cancel()
    assert [text.split(" ")[0] for text in told] == ["Birch", "Ash"]
    assert all("Compare your table files" in text for text in told)


async def decision_of(game: SeatedGame, mesh: Mesh, others: list[PeerId]) -> bytes:
    """Play honestly up to the first open decision of one's own, which is not sent."""
    fresh = game.begin().fresh
    with trio.fail_after(PATIENCE):
        async for event in mesh.events:
            for raw in fresh:
                if parse(raw).message.kind is Kind.DECIDE and parse(raw).message.seat == game.seat:
                    return raw
                for other in others:
                    mesh.send(other, encode_gossip(Passed(raw)))
            fresh = []
            if isinstance(event, Received):
                match decode_gossip(event.payload):
                    case Passed(raw):
                        fresh = game.receive(raw).fresh
                    case Have():
                        fresh = game.messages(0)
    raise AssertionError("the links have ended")


async def test_a_seat_that_tells_two_others_different_things_is_out_and_they_play_on(
    tmp_path: Path,
) -> None:
    seats = make_seats(tmp_path, 3)
    others = [seat.identity.peer_id for seat in seats[:2]]
    cedar = seats[2].sit_down()
    async with open_nursery() as nursery:
        ash = start_local(nursery, seats[0])
        ports = {0: await ash.told.port()}
        birch = start_local(nursery, seats[1], ports)
        ports[1] = await birch.told.port()
        places = {seats[n].identity.peer_id: Address(HERE, ports[n]) for n in (0, 1)}
        async with open_mesh(seats[2].identity, listen=None, peers=places) as mesh:
            true = await decision_of(cedar, mesh, others)
            for other, raw in zip(
                others, (true, signed_otherwise(seats[2], true, ("2 concede",))), strict=True
            ):
                assert mesh.send(other, encode_gossip(Passed(raw)))
            for node in (ash, birch):
                await node.told.wait_for("finished")
                node.scope.cancel()
    cedar.close()
    for seat, node in zip(seats[:2], (ash, birch), strict=True):
        assert [event["seats"] for event in node.told.all("left-behind")] == [[2]]
        assert {event["seat"] for event in node.told.all("blame")} == {2}
        (file,) = seat.folder.glob("evidence-*")
        assert verify_evidence_file(file).rule == "equivocation"
    assert seats[0].transcript == seats[1].transcript
    assert audit(seats[0].transcript).verdict is Verdict.VALID
