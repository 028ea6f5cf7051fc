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

from p2pcoup.audit import Verdict, audit
from p2pcoup.net import Address, Connected, Mesh, PortInUseError, Received, open_mesh
from p2pcoup.node import NodeLog, play_seat
from p2pcoup.node.gossip import (
    ANSWER_SECONDS,
    Have,
    Passed,
    decode_gossip,
    encode_gossip,
)
from p2pcoup.node.log import COMPLAINT_SECONDS
from p2pcoup.node.node import GRACE_SECONDS, LINGER_SECONDS, PATIENCE_SECONDS
from tests.node.nodes import (
    PATIENCE,
    Held,
    SeatFiles,
    contradictions,
    identity_of,
    make_seats,
    open_nursery,
    start_local,
)

pytestmark = pytest.mark.trio
HERE = "127.0.0.1"


def assert_same_valid_game(seats: list[SeatFiles]) -> None:
    assert len({seat.transcript for seat in seats}) == 1
    assert audit(seats[0].transcript).verdict is Verdict.VALID
    assert contradictions(*(seat.journal() for seat in seats)) == []


async def port_nobody_has() -> int:
    with trio.socket.socket() as probe:
        await probe.bind((HERE, 0))
        return int(probe.getsockname()[1])


def peer(seat: SeatFiles, node: SeatFiles, port: int):
    """A mesh that has the identity of a seat but does as the test says, linked to a node."""
    return open_mesh(seat.identity, listen=None, peers={node.identity.peer_id: Address(HERE, port)})


async def linked(mesh: Mesh) -> None:
    with trio.fail_after(PATIENCE):
        while not isinstance(await mesh.events.receive(), Connected):
            pass


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
    assert fields == {"time", "level", "event", "text", "port", "seconds", *FINISHED_FIELDS}


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
        game = seat.sit_down()
        with NodeLog("json", lines.append) as log, pytest.raises(PortInUseError) as caught:
            await play_seat(seat.table({0: port}), seat.identity, game, log)
        game.close()
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


# --- peers at the table that do not behave --------------------------------------------------------


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
            for number in range(1000):
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


# --- silence --------------------------------------------------------------------------------------


async def test_after_a_long_silence_the_user_is_told_whom_the_game_waits_for_once(
    tmp_path: Path, mock_clock: MockClock
) -> None:
    mock_clock.rate = 1.0
    (seat, *_) = make_seats(tmp_path, 3)
    async with open_nursery(PATIENCE + 11 * PATIENCE_SECONDS) as nursery:
        node = start_local(nursery, seat)
        await node.told.wait_for("unreachable", 2)
        mock_clock.jump(PATIENCE_SECONDS)
        told = (await node.told.wait_for("waiting"))["text"]
        mock_clock.jump(9 * PATIENCE_SECONDS)
        await trio.testing.wait_all_tasks_blocked(0.01)
        node.scope.cancel()
    assert (
        told == "Nothing has come for 30 s; the game waits for Birch (no link) and Cedar (no link)."
    )
    assert len(node.told.all("waiting")) == 1


async def test_a_seat_nothing_is_heard_of_for_too_long_is_put_out_and_the_game_goes_on(
    tmp_path: Path, mock_clock: MockClock
) -> None:
    mock_clock.rate = 1.0
    seats = make_seats(tmp_path, 3)
    async with open_nursery(PATIENCE + 20 * GRACE_SECONDS) as nursery:
        with Held() as stuck:
            ash = start_local(nursery, seats[0])
            ports = {0: await ash.told.port()}
            birch = start_local(nursery, seats[1], ports)
            cedar = start_local(nursery, seats[2], ports, policy=stuck)
            await stuck.held()
            await trio.testing.wait_all_tasks_blocked(0.1)  # Ash and Birch have said their part
            while not (ash.told.all("left-behind") and birch.told.all("left-behind")):
                mock_clock.jump(GRACE_SECONDS)  # which also ends the links
                with trio.move_on_after(5):
                    await ash.told.wait_for("left-behind")
                    await birch.told.wait_for("left-behind")
            await ash.told.wait_for("finished")
            await birch.told.wait_for("finished")
            cedar.scope.cancel()
            mock_clock.jump(LINGER_SECONDS)
    for node in (ash, birch):
        text = node.told.all("left-behind")[0]["text"]
        assert text == "Nothing is heard of Cedar any more; the game goes on without them."
        assert not node.told.all("blame")
    assert seats[0].transcript == seats[1].transcript
    assert audit(seats[0].transcript).verdict is Verdict.VALID


async def test_nobody_is_put_out_before_all_have_sat_down(
    tmp_path: Path, mock_clock: MockClock
) -> None:
    mock_clock.rate = 1.0
    (seat, *_) = make_seats(tmp_path, 3)
    async with open_nursery(PATIENCE + 4 * GRACE_SECONDS) as nursery:
        node = start_local(nursery, seat)
        await node.told.wait_for("unreachable", 2)
        for _ in range(3):
            mock_clock.jump(GRACE_SECONDS)
            await trio.testing.wait_all_tasks_blocked(0.01)
        node.scope.cancel()
    assert len(seat.journal()) == 1, "its own joining, and nothing about the others"


# --- after the end --------------------------------------------------------------------------------


async def test_a_game_that_is_over_for_everybody_is_not_opened_to_the_network_again(
    tmp_path: Path,
) -> None:
    seats = make_seats(tmp_path, 2)
    async with open_nursery() as nursery:
        first = start_local(nursery, seats[0])
        start_local(nursery, seats[1], {0: await first.told.port()})
    async with open_nursery() as nursery:
        again = start_local(nursery, seats[0])
        await again.end()
    (event,) = again.told.events
    assert event["event"] == "already-played"
    assert event["transcript"] == str(seats[0].folder / "game.coup")
    assert "This game is already played." in event["text"]
    assert "new game name into the table file" in event["text"]


async def test_who_lacks_the_end_of_a_game_gets_it_from_one_who_starts_again(
    tmp_path: Path,
) -> None:
    seats = make_seats(tmp_path, 2)
    games = [seat.sit_down() for seat in seats]
    # Ash gets every message; what Ash says at the very end reaches nobody.
    flying = [(1 - seat, raw) for seat in (0, 1) for raw in games[seat].begin().fresh]
    while flying and games[0].outcome is None:
        to, raw = flying.pop(0)
        flying += [(1 - to, each) for each in games[to].receive(raw).fresh]
    for game in games:
        game.close()
    assert games[0].outcome is not None
    assert games[1].outcome is None
    async with open_nursery() as nursery:
        again = start_local(nursery, seats[0])
        late = start_local(nursery, seats[1], {0: await again.told.port()})
    assert late.game.outcome is not None
    assert again.told.all("already-played")
    assert "may lack its end" in again.told.all("already-played")[0]["text"]
    assert again.game.known_to_all
    assert late.game.known_to_all
    assert_same_valid_game(seats)


async def test_who_has_the_whole_game_does_not_wait_for_the_others_for_ever(
    tmp_path: Path, mock_clock: MockClock
) -> None:
    mock_clock.rate = 1.0
    seats = make_seats(tmp_path, 2)
    async with open_nursery() as nursery:
        first = start_local(nursery, seats[0])
        start_local(nursery, seats[1], {0: await first.told.port()})
    (seats[0].folder / "known-to-all").unlink()
    async with open_nursery(PATIENCE + LINGER_SECONDS) as nursery:
        again = start_local(nursery, seats[0])
        await again.told.wait_for("unreachable")
        mock_clock.jump(LINGER_SECONDS)
        await again.ended.wait()
    assert not again.game.known_to_all
