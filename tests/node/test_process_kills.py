"""Real node processes, killed at random moments and started again: every game comes to its end, all
have the same valid transcript, and nobody has ever signed two different things for one place."""

import os
import random
import signal
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import trio

from p2pcoup.demo.demo import free_ports
from tests.node.nodes import (
    HERE,
    NodeProcess,
    SeatFiles,
    assert_same_valid_game,
    contradictions,
    make_seats,
    open_nursery,
    start_process,
)

pytestmark = [
    pytest.mark.trio,
    pytest.mark.skipif(sys.platform == "win32", reason="it has no SIGKILL"),
]

GAMES = 50 if os.environ.get("P2PCOUP_NIGHTLY") == "1" else 2
SEATS = 3
KILLS = 3
MOST_LINES = 45  # of the log of a process that starts or plays on; a game has some more
LONGEST_PAUSE = 0.1  # seconds; between two lines of the log a node computes or writes


@dataclass
class Deaths:
    """The processes of one game, and what those had on disk that were killed."""

    nursery: trio.Nursery
    seats: list[SeatFiles]
    luck: random.Random
    ports: dict[int, int]
    running: dict[int, NodeProcess] = field(default_factory=dict)
    journals: list[tuple[bytes, ...]] = field(default_factory=list)
    killed: int = 0

    async def start(self, number: int) -> None:
        """Start a node, at the place where it was before."""
        seat, bot = self.seats[number], self.luck.choice(["random", "honest"])
        self.running[number] = await start_process(
            self.nursery,
            seat,
            self.ports,
            "--bot",
            bot,
            listen=f"{HERE}:{self.ports[number]}",
        )

    async def kill_one(self) -> None:
        """Kill a node at a random moment of its life, look at its journal, and start it again."""
        number = self.luck.randrange(SEATS)
        node = self.running[number]
        await node.told.wait_for_lines(self.luck.randrange(MOST_LINES))
        await trio.sleep(self.luck.uniform(0, LONGEST_PAUSE))
        if node.process.poll() is None:
            node.process.kill()
            self.killed += 1
        assert await node.end() in (0, -signal.SIGKILL)
        assert node.told.other_lines == []
        if (self.seats[number].folder / "journal").exists():
            self.journals.append(self.seats[number].journal())
        await self.start(number)

    async def to_the_end(self) -> None:
        """Wait until all have ended by themselves."""
        try:
            for node in self.running.values():
                assert await node.end() == 0
        except trio.TooSlowError:
            pytest.fail(f"the game stands still; the last words:\n{self.last_words()}")

    def last_words(self) -> str:
        """What every node has said at the end."""
        return "\n".join(
            f"seat {number} {event['time'][11:23]} {event['text']}"
            for number, node in sorted(self.running.items())
            for event in node.told.events[-8:]
        )


@pytest.mark.parametrize("seed", range(GAMES))
async def test_whoever_is_killed_at_any_moment_plays_on_and_never_contradicts_themselves(
    tmp_path: Path, seed: int
) -> None:
    seats = make_seats(tmp_path, SEATS, game=f"kills {seed}", deal=seed)
    async with open_nursery(4 * 60) as nursery:
        ports = dict(enumerate(free_ports(SEATS)))
        deaths = Deaths(nursery, seats, random.Random(seed), ports)
        for number in range(SEATS):
            await deaths.start(number)
        for _ in range(KILLS):
            await deaths.kill_one()
        await deaths.to_the_end()
    assert deaths.killed > 0
    assert_same_valid_game(seats)
    ends = [seat.journal() for seat in seats]
    assert contradictions(*deaths.journals, *ends) == []
