"""Programs that are killed in a demo: which ones, and when.

What is struck and after how many sentences of the story follows from the seed, as far as the cards,
which are dealt afresh, let a game go the same way. Only SIGKILL is used: a program gets no chance
to say goodbye or to write anything down.
"""

import functools
import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import trio

from p2pcoup.demo.runs import Echo, NodeRun, Pulse

SENTENCES_EACH = 5  # a game has more sentences than this for each seat, however it goes
LONGEST_PAUSE = 0.15  # seconds; what a node does between two sentences takes less


@dataclass(frozen=True, slots=True)
class Faults:
    """How many programs are killed for good, and how often one is killed and started again."""

    kill: int = 0
    restart: int = 0


NO_FAULTS = Faults()


@dataclass(frozen=True, slots=True, order=True)
class Blow:
    """A program is killed.

    Attributes:
        after: so many sentences of the story must have been told.
        pause: seconds after that, to strike between two sentences as well.
        seat: whose program it is.
        for_good: whether it stays dead; otherwise it is started again at once.
    """

    after: int
    pause: float
    seat: int
    for_good: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """All blows in their order, and the seat that is never struck, whose story is shown."""

    teller: int
    blows: tuple[Blow, ...]


def most_kills(seats: int) -> int:
    """Of how many programs killed at once the others are still a majority (SPEC 8.13a)."""
    return 1 if seats == 2 else (seats - 1) // 2


def plan_faults(seats: int, faults: Faults, seed: str) -> Plan:
    """The same seed plans the same. There must be a seat for each kind of blow beside the teller;
    ValueError if there is not.
    """
    luck = random.Random(f"faults {seed}")  # noqa: S311 - chooses whom to kill, never a card
    others = luck.sample(range(seats), seats)
    teller = others.pop() if faults.kill else 0
    killed, spared = others[: faults.kill], [s for s in others[faults.kill :] if s != teller]
    if faults.kill > most_kills(seats) or (faults.restart and not spared):
        raise ValueError(f"of {seats} programs so many cannot be killed: {faults}")

    def blow(seat: int, for_good: bool) -> Blow:
        after = luck.randrange(SENTENCES_EACH * seats)
        return Blow(after, luck.uniform(0, LONGEST_PAUSE), seat, for_good)

    blows = [blow(seat, True) for seat in killed]
    blows += [blow(luck.choice(spared), False) for _ in range(faults.restart)]
    return Plan(teller, tuple(sorted(blows)))


def leaves_a_majority(living: Collection[int], dead: Collection[int]) -> bool:
    """Whether those who play on are enough to put the dead out, even if one more of them is
    eliminated by the cards before it comes to that.

    Args:
        living: the seats with influence.
        dead: those of them whose programs are killed.
    """
    members, left = len(living), len({*living} - {*dead})
    return left == members or members - left == 1 or 2 * (left - 1) > members - 1


# --- while the game goes on -----------------------------------------------------------------------


async def strike(runs: Sequence[NodeRun], plan: Plan, pulse: Pulse, echo: Echo) -> None:
    """Deal the blows, each at its time or, while it would leave no majority, as soon as it may be.

    A seat can only be lost once all have sat down: before that a table waits as long as it must.
    """
    scene = _Scene(runs, plan.teller)
    for blow in plan.blows:
        is_time = functools.partial(scene.is_time, blow)
        await pulse.until(is_time)
        await trio.sleep(blow.pause)
        await pulse.until(is_time)  # somebody may be out since
        run = runs[blow.seat]
        if not scene.is_over and run.kill(for_good=blow.for_good):
            again = "" if blow.for_good else " and started again"
            echo(f"{run.name}'s program is killed{again}.")


@dataclass(frozen=True, slots=True)
class _Scene:
    """The game as the teller tells it."""

    runs: Sequence[NodeRun]
    teller: int

    @property
    def is_over(self) -> bool:
        return self.runs[self.teller].is_over

    def is_time(self, blow: Blow) -> bool:
        """Whether to strike now; so it is as well when it is too late."""
        told = len(self._story) >= blow.after and self.runs[blow.seat].is_running
        return self.is_over or (told and (not blow.for_good or self._may_fall(blow.seat)))

    def _may_fall(self, seat: int) -> bool:
        """Whether the game goes on without that seat and those that fell before."""
        living = self._living
        fallen = {number for number, run in enumerate(self.runs) if run.fallen}
        seated = all("seated" in run.events for run in self.runs)
        return seated and leaves_a_majority(living, (fallen | {seat}).intersection(living))

    @property
    def _story(self) -> Sequence[dict[str, object]]:
        return self.runs[self.teller].events.get("story", ())

    @property
    def _living(self) -> Collection[int]:
        living = self._story[-1].get("living") if self._story else None
        return living if isinstance(living, list) else range(len(self.runs))
