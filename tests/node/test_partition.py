"""A network that is torn in the middle of a game, between real processes on machines of their own:
the larger part goes on, the smaller one waits and says so, and no two transcripts ever differ."""

import signal
import sys
from pathlib import Path

import pytest
import trio

from p2pcoup.audit import Verdict, audit
from p2pcoup.table import Times
from tests.node.namespaces import Network, network
from tests.node.nodes import (
    NodeProcess,
    SeatFiles,
    contradictions,
    make_seats,
    open_nursery,
    start_process,
)

pytestmark = [
    pytest.mark.trio,
    pytest.mark.waits,
    pytest.mark.skipif(sys.platform != "linux", reason="network namespaces are Linux's"),
]

TIMES = Times(decide=3, answer=3, grace=2)
PORT = 7700


def table_text(seat: SeatFiles, at: Network) -> str:
    """The table file of this seat, with everybody's address in the network."""
    text = seat.table_text(dict.fromkeys(range(at.machines), PORT))
    for number in range(at.machines):
        text = text.replace(f'"127.0.0.1:{PORT}"', f'"{at.address(number)}:{PORT}"', 1)
    return text


async def start(nursery: trio.Nursery, seat: SeatFiles, at: Network) -> NodeProcess:
    here, number = f"{at.address(seat.number)}:{PORT}", seat.number
    run = f"{at.inside(number)} {{}} -m p2pcoup {{}}"
    options = ("--bot", "honest")
    text = table_text(seat, at)
    return await start_process(nursery, seat, {}, *options, run=run, listen=here, table_text=text)


async def test_of_a_torn_table_the_larger_part_plays_on_and_the_smaller_one_waits(
    tmp_path: Path,
) -> None:
    seats = make_seats(tmp_path, 5, times=TIMES)
    with network(3, 2) as lan:
        async with open_nursery(240) as nursery:
            nodes = [await start(nursery, seat, lan) for seat in seats]
            await nodes[0].told.wait_for("story", 5)
            lan.tear()
            for node in nodes[:3]:
                await node.told.wait_for("left-behind")
            for node in nodes[3:]:
                told = await node.told.wait_for("cut-off")
                assert told["seats"] == [0, 1, 2]
                assert "The game waits; if the others have gone on without you" in told["text"]
            for node in nodes[:3]:
                assert await node.end() == 0
            for node in nodes[3:]:
                assert node.told.all("finished") == node.told.all("left-behind") == []
            assert len({seat.transcript for seat in seats[:3]}) == 1
            report = audit(seats[0].transcript)
            assert report.verdict is Verdict.VALID
            assert {lost for each in report.losses for lost in each.seats} == {3, 4}
            lan.mend()
            await hear_the_end(nursery, seats, nodes, lan)
    assert len({seat.transcript for seat in seats}) == 1
    assert contradictions(*(seat.journal() for seat in seats)) == []


async def hear_the_end(
    nursery: trio.Nursery, seats: list[SeatFiles], nodes: list[NodeProcess], lan: Network
) -> None:
    """When one of the larger part is there again, the others learn how the game ended."""
    offering = await start(nursery, seats[0], lan)
    for node in nodes[3:]:
        told = await node.told.wait_for("left-behind")
        assert "the others" in told["text"].lower()
        await node.told.wait_for("finished")
    for node in (offering, *nodes[3:]):
        if node.process.poll() is None:
            node.process.send_signal(signal.SIGTERM)
        assert await node.end() == 0


async def test_a_short_tear_costs_nobody_the_game(tmp_path: Path) -> None:
    times = Times(decide=60, answer=60, grace=60)
    seats = make_seats(tmp_path, 3, times=times)
    with network(2, 1) as lan:
        async with open_nursery(240) as nursery:
            nodes = [await start(nursery, seat, lan) for seat in seats]
            await nodes[0].told.wait_for("story", 3)
            lan.tear()
            await nodes[0].told.wait_for("unlinked")
            lan.mend()
            for node in nodes:
                assert await node.end() == 0
                assert node.told.all("left-behind") == []
    assert len({seat.transcript for seat in seats}) == 1
    assert audit(seats[0].transcript).verdict is Verdict.VALID
    assert contradictions(*(seat.journal() for seat in seats)) == []
