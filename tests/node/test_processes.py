"""`p2pcoup node` as a process: killed, stopped, without a log, on a full disk."""

import signal
import sys
from pathlib import Path

import pytest

from p2pcoup.audit import Verdict, audit
from p2pcoup.rules import Move, View
from tests.node.nodes import (
    Held,
    NodeProcess,
    contradictions,
    make_seats,
    open_nursery,
    start_local,
    start_process,
)

pytestmark = [
    pytest.mark.trio,
    pytest.mark.skipif(sys.platform == "win32", reason="signals and shells are a POSIX matter"),
]


def patient(view: View, _luck: object) -> Move:
    """Takes income, accepts everything, and so leaves the other all the time it needs."""
    moves = view.legal_moves()
    calm = [move for move in moves if type(move).__name__ in ("Pass", "Decline")]
    return (calm or moves)[0]


async def test_a_node_killed_in_mid_game_plays_the_same_game_on_and_never_signs_twice(
    tmp_path: Path,
) -> None:
    ash, birch = make_seats(tmp_path, 2)
    journals = []
    async with open_nursery() as nursery:
        with Held(1, patient) as first, Held(3, first) as both:
            local = start_local(nursery, ash, policy=both)
            ports = {0: await local.told.port()}
            for hold in (first, both):
                node = await start_process(nursery, birch, ports, "--bot", "honest")
                await hold.held()
                node.process.kill()
                hold.let_go()  # Ash says the next thing to nobody, or to one who is dying
                assert await node.end() == -signal.SIGKILL
                journals.append(birch.journal())
            last = await start_process(nursery, birch, ports, "--bot", "random")
            assert await last.end() == 0
            await local.end()
    assert 0 < len(journals[0]) < len(journals[1])
    assert last.told.all("restored")[0]["messages"] == len(journals[1])
    assert birch.transcript == ash.transcript
    assert audit(ash.transcript).verdict is Verdict.VALID
    end = birch.journal()
    for earlier in journals:
        assert end[: len(earlier)] == earlier
    assert contradictions(*journals, end, ash.journal()) == []


async def test_a_node_that_is_asked_to_stop_does_so_cleanly_and_can_go_on(tmp_path: Path) -> None:
    ash, birch = make_seats(tmp_path, 2)
    async with open_nursery() as nursery:
        with Held(1, patient) as hold:
            local = start_local(nursery, ash, policy=hold)
            ports = {0: await local.told.port()}
            for number, status in ((signal.SIGTERM, 0), (signal.SIGINT, 130)):
                node = await start_process(nursery, birch, ports)
                await node.told.wait_for("linked")
                if number is signal.SIGTERM:
                    await hold.held()
                node.process.send_signal(number)
                assert await node.end() == status
                assert node.told.other_lines == [], "no traceback, nothing but the log"
                (stopped_by,) = node.told.all("stopped")
                assert number.name in stopped_by["text"]
            said = birch.journal()
            assert len(said) > 0
            hold.let_go()
            last = await start_process(nursery, birch, ports)
            assert await last.end() == 0
            await local.end()
    goodbyes = [event["text"] for event in local.told.all("unlinked")]
    assert len(goodbyes) >= 2
    assert all("The node has closed." in text for text in goodbyes[:2])
    assert birch.transcript == ash.transcript
    assert birch.journal()[: len(said)] == said
    assert contradictions(birch.journal(), ash.journal()) == []


async def test_a_node_plays_on_when_its_log_cannot_be_written(tmp_path: Path) -> None:
    ash, birch, cedar = make_seats(tmp_path, 3)
    async with open_nursery() as nursery:
        local = start_local(nursery, ash)
        ports = {0: await local.told.port()}
        full = await start_process(nursery, birch, ports, run="exec {} -m p2pcoup {} 2>/dev/full")
        # Its journal may now get the number that standard error would have.
        closed = await start_process(nursery, cedar, ports, run="exec {} -m p2pcoup {} 2>&-")
        await local.end()
        for node in (full, closed):
            await stopped(node)
    assert b'"event"' not in (cedar.folder / "journal").read_bytes()
    assert ash.transcript == birch.transcript == cedar.transcript
    assert contradictions(ash.journal(), birch.journal(), cedar.journal()) == []


async def stopped(node: NodeProcess) -> None:
    """Ask a node to end that would wait for a peer it has no link with."""
    node.process.send_signal(signal.SIGTERM)
    assert await node.end() == 0


# The limit begins when the library is loaded that is unpacked into the temporary folder.
ON_A_FULL_DISK = (
    "exec {} -c 'import p2pcoup.deck; from p2pcoup.cli import main; import resource; "
    "resource.setrlimit(resource.RLIMIT_FSIZE, (6000, 6000)); main()' {}"
)


async def test_a_full_disk_stops_a_node_with_a_sentence_and_it_plays_on_when_there_is_room(
    tmp_path: Path,
) -> None:
    ash, birch = make_seats(tmp_path, 2)
    async with open_nursery() as nursery:
        local = start_local(nursery, ash)
        ports = {0: await local.told.port()}
        full = await start_process(nursery, birch, ports, run=ON_A_FULL_DISK)
        assert await full.end() == 1
        said = birch.journal()
        last = await start_process(nursery, birch, ports)
        assert await last.end() == 0
        await local.end()
    (sentence,) = full.told.other_lines
    assert sentence.startswith(f"Error: The journal {birch.folder / 'journal'} cannot be written")
    assert "start p2pcoup again" in sentence
    assert len(said) > 0
    assert birch.journal()[: len(said)] == said
    assert birch.transcript == ash.transcript
    assert contradictions(said, birch.journal(), ash.journal()) == []
