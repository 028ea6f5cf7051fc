"""Nodes in this process over loopback TCP: whole games, links that come and go, and peers that do
not behave."""

import base64
import json
import threading
import time
from pathlib import Path

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from p2pcoup.net import Address, PortInUseError, open_mesh
from p2pcoup.node.log import NodeLog
from p2pcoup.node.node import play_seat
from p2pcoup.node.playing import LINGER_SECONDS
from tests.node.nodes import (
    HERE,
    PATIENCE,
    Held,
    SeatFiles,
    assert_same_valid_game,
    identity_of,
    linked,
    make_seats,
    open_nursery,
    peer,
    start_local,
)

pytestmark = pytest.mark.trio


async def port_nobody_has() -> int:
    with trio.socket.socket() as probe:
        await probe.bind((HERE, 0))
        return int(probe.getsockname()[1])


# --- whole games ----------------------------------------------------------------------------------


async def test_two_nodes_play_a_game_to_the_end_and_both_stop(tmp_path: Path) -> None:
    seats = make_seats(tmp_path, 2)
    async with open_nursery() as nursery:
        first = start_local(nursery, seats[0])
        second = start_local(nursery, seats[1], {0: await first.told.port()})
    for node in (first, second):
        assert len(node.told.all("finished")) == 1
        assert node.told.all("story")
        assert node.game.known_to_all
        events = [event["event"] for event in node.told.events]
        assert events.index("linked") < events.index("complete")
    assert first.told.all("story")[-1]["text"].endswith("wins the game.")
    assert_same_valid_game(seats)


async def test_the_log_of_a_whole_game_holds_no_secret(tmp_path: Path) -> None:
    seats = make_seats(tmp_path, 2)
    secrets = [(seat.folder / "secret").read_bytes() for seat in seats]
    keys = [seat.identity.private_key.private_bytes_raw() for seat in seats]
    async with open_nursery() as nursery:
        first = start_local(nursery, seats[0])
        second = start_local(nursery, seats[1], {0: await first.told.port()})
    log = json.dumps([*first.told.events, *second.told.events])
    assert '"finished"' in log
    for value in (*secrets, *keys):
        for secret in (value, value[-40:-8]):  # the seed stands between a mark and a checksum
            assert secret.hex() not in log
            assert base64.b64encode(secret).decode()[:-4] not in log
    fields = {name for event in first.told.events for name in event}
    assert fields == {*COMMON_FIELDS, "peer", "port", "seconds", "living", *FINISHED_FIELDS}


COMMON_FIELDS = {"time", "level", "event", "text"}
FINISHED_FIELDS = {"transcript", "rounds", "proof_seconds", "sent_bytes", "peak_memory_kib"}


async def test_players_who_cannot_reach_each_other_play_through_one_who_reaches_both(
    tmp_path: Path, mock_clock: MockClock
) -> None:
    mock_clock.rate = 1.0  # as usual; it only jumps besides
    seats = make_seats(tmp_path, 3)
    async with open_nursery(PATIENCE + LINGER_SECONDS) as nursery:
        middle = start_local(nursery, seats[0])
        port = await middle.told.port()
        sides = [start_local(nursery, seat, {0: port}) for seat in seats[1:]]
        for node in sides:
            await node.told.wait_for("linked")
        for node in (middle, *sides):
            await node.told.wait_for("finished")
        mock_clock.jump(LINGER_SECONDS)  # the sides never hear of each other's end
    assert [len(node.told.all("linked")) for node in (middle, *sides)] == [2, 1, 1]
    assert_same_valid_game(seats)


async def test_a_node_that_stops_in_the_middle_of_a_game_plays_on_when_it_is_back(
    tmp_path: Path,
) -> None:
    seats = make_seats(tmp_path, 2)
    async with open_nursery() as nursery:
        with Held(decision=2) as ash:
            stays = start_local(nursery, seats[0], policy=ash)
            port = await stays.told.port()
            leaves = start_local(nursery, seats[1], {0: port})
            await ash.held()
            leaves.scope.cancel()
            await leaves.end()
            said = seats[1].journal()
            ash.let_go()
            back = start_local(nursery, seats[1], {0: port}, luck=7)
    assert back.told.all("restored")[0]["messages"] == len(said) > 0
    assert [event["event"] for event in stays.told.events].count("linked") == 2
    assert stays.told.all("unlinked")[0]["text"].startswith("Lost the link to Birch: ")
    assert seats[1].journal()[: len(said)] == said
    assert_same_valid_game(seats)


async def test_a_peer_that_arrives_late_is_said_to_be_unreachable_once_and_then_linked(
    tmp_path: Path,
) -> None:
    seats = make_seats(tmp_path, 2)
    late = await port_nobody_has()
    async with open_nursery() as nursery:
        first = start_local(nursery, seats[0], {1: late})
        told = (await first.told.wait_for("unreachable"))["text"]
        second = start_local(nursery, seats[1], listen=late)
        await second.told.wait_for("linked")
    assert told.startswith("Cannot reach Birch yet, still trying. Nobody listens at 127.0.0.1:")
    assert len(first.told.all("unreachable")) == 1
    assert_same_valid_game(seats)


# --- the event loop -------------------------------------------------------------------------------


async def test_no_proof_is_made_or_checked_in_the_thread_of_the_event_loop(tmp_path: Path) -> None:
    threads = []

    def clock() -> float:  # the table reads it before and after each of its proofs
        threads.append(threading.get_ident())
        return time.perf_counter()

    seats = make_seats(tmp_path, 2)
    async with open_nursery() as nursery:
        first = start_local(nursery, seats[0], clock=clock)
        start_local(nursery, seats[1], {0: await first.told.port()}, clock=clock)
    assert len(threads) > 100
    assert threading.get_ident() not in threads


async def test_a_node_answers_callers_while_a_proof_takes_for_ever(tmp_path: Path) -> None:
    at_work, finish = threading.Event(), threading.Event()

    def clock() -> float:
        at_work.set()
        finish.wait(PATIENCE)
        return 0.0

    seats = make_seats(tmp_path, 2)
    async with open_nursery() as nursery:
        try:
            node = start_local(nursery, seats[0], clock=clock)
            port = await node.told.port()
            async with peer(seats[1], seats[0], port) as mesh:
                await linked(mesh)  # TCP, TLS and both verdicts
                assert await trio.to_thread.run_sync(at_work.wait, PATIENCE)
                assert not node.told.all("linked"), "the game itself is held up"
                finish.set()
                await node.told.wait_for("linked")
            node.scope.cancel()
        finally:
            finish.set()


# --- who answers, and who calls -------------------------------------------------------------------


async def test_a_port_in_use_is_an_error_before_anything_else(tmp_path: Path) -> None:
    (seat, _) = make_seats(tmp_path, 2)
    lines: list[str] = []
    listener = (await trio.open_tcp_listeners(0, host=HERE))[0]
    async with listener:
        port = listener.socket.getsockname()[1]
        match = seat.match()
        with NodeLog("json", lines.append) as log, pytest.raises(PortInUseError) as caught:
            await play_seat(seat.table({0: port}), seat.identity, match, log)
        match.close()
    assert f"Cannot listen at 127.0.0.1:{port}" in str(caught.value)
    assert lines == []
    assert seat.journal() == ()


async def test_another_peer_at_a_seat_s_address_is_named_and_does_not_play(tmp_path: Path) -> None:
    seats = make_seats(tmp_path, 2)
    impostor = identity_of(9)
    listen = Address(HERE, 0)
    async with open_mesh(impostor, listen=listen, peers={}) as mesh, open_nursery() as nursery:
        node = start_local(nursery, seats[0], {1: mesh.addresses[0].port})
        told = (await node.told.wait_for("unreachable"))["text"]
        node.scope.cancel()
    assert told.startswith("Cannot reach Birch yet, still trying. At 127.0.0.1:")
    assert impostor.peer_id in told
    assert seats[1].identity.peer_id in told
    assert node.game.table.round == 0


async def send_garbage(port: int, garbage: bytes) -> bytes:
    """Everything the node answers before it hangs up."""
    answer = b""
    stream = await trio.open_tcp_stream(HERE, port)
    async with stream:
        with trio.fail_after(PATIENCE):
            try:
                await stream.send_all(garbage)
                async for chunk in stream:
                    answer += chunk
            except trio.BrokenResourceError:
                pass
    return answer


async def test_garbage_from_a_stranger_during_a_game_is_turned_away_and_changes_nothing(
    tmp_path: Path,
) -> None:
    seats = make_seats(tmp_path, 2)
    async with open_nursery() as nursery:
        with Held() as ash:
            first = start_local(nursery, seats[0], policy=ash)
            port = await first.told.port()
            start_local(nursery, seats[1], {0: port})
            await ash.held()
            for garbage in (b"GET / HTTP/1.1\r\n\r\n", b"\x16\x03\x01" + bytes(500), b"\xff" * 9):
                assert len(await send_garbage(port, garbage)) < 100
            ash.let_go()
            await first.told.wait_for("refused", 3)
    assert_same_valid_game(seats)
    assert first.told.all("message-refused") == first.told.all("garbled") == []


async def test_a_stranger_with_a_key_of_its_own_is_turned_away(tmp_path: Path) -> None:
    seats = make_seats(tmp_path, 2)
    stranger = SeatFiles(0, tmp_path, (identity_of(9),), "node test")
    async with open_nursery() as nursery:
        node = start_local(nursery, seats[0])
        async with peer(stranger, seats[0], await node.told.port()):
            told = (await node.told.wait_for("refused"))["text"]
        node.scope.cancel()
    assert "does not know you" in told
    assert not node.told.all("linked")
