"""Links between peers: first in, first out like TCP, each with a pace of its own.

So messages overtake each other on different links, never on one. When a link is lost, what is on
its way is lost with it; both ends are told, and again when it is back. Who may link to whom is
decided by the faults of the game: a pair can be kept apart for good or for a while.
"""

import random
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Protocol

from tests.sim.timeline import Timeline

LINKING_MS = (5, 400)  # from the wish to be linked to the link
STALL_MS = 30_000


class End(Protocol):
    """One end of links: a peer."""

    running: bool

    def linked(self, to: int) -> None:
        """A link to that seat's peer is up."""

    def unlinked(self, to: int) -> None:
        """It is down."""

    def received(self, origin: int, payload: bytes) -> None:
        """Bytes have come from that seat's peer."""


@dataclass(slots=True)
class Link:
    """The link between two peers, in both directions.

    Attributes:
        pace_ms: the time a message takes, about.
        barriers: how many faults keep the two apart now.
        life: number of the present connection; None while there is none.
        busy_until: per direction, when the last payload sent arrives.
    """

    pace_ms: int
    barriers: int = 0
    life: int | None = None
    busy_until: dict[int, int] = field(default_factory=dict)


class Network:
    """All links of one game."""

    def __init__(
        self, timeline: Timeline, luck: random.Random, *, repeats: float, stalls: float
    ) -> None:
        """``repeats``: the chance that a payload is delivered twice; ``stalls``: that it holds up
        its link for about `STALL_MS`.
        """
        self._timeline = timeline
        self._luck = luck
        self._repeats = repeats
        self._stalls = stalls
        self._lives = 0
        self._links: dict[tuple[int, int], Link] = {}
        self._ends: dict[int, End] = {}
        self.delivered = 0
        self.stalled = 0

    def join(self, seat: int, end: End) -> None:
        """Add a peer, with a link to every other one as soon as both are running."""
        for other in self._ends:
            self._links[_pair(seat, other)] = Link(pace_ms=self._luck.choice((2, 10, 10, 40, 300)))
        self._ends[seat] = end

    def neighbours(self, seat: int) -> list[int]:
        """The seats this one is linked with now."""
        return [other for other in self._ends if other != seat and self._link(seat, other).life]

    # --- what faults do ---------------------------------------------------------------------------

    def keep_apart(self, one: int, other: int) -> None:
        """No link between the two until `let_together` is called as often."""
        self._link(one, other).barriers += 1
        self.cut(one, other)

    def let_together(self, one: int, other: int) -> None:
        """Take one barrier away."""
        self._link(one, other).barriers -= 1
        self.reconnect(one, other)

    def cut(self, one: int, other: int) -> None:
        """The link is lost, with all that is on its way."""
        link = self._link(one, other)
        if link.life is None:
            return
        link.life = None
        for here, there in ((one, other), (other, one)):
            if self._ends[here].running:
                self._ends[here].unlinked(there)

    def reconnect(self, one: int, other: int) -> None:
        """Both try to link again, and come through unless something keeps them apart."""
        delay = self._luck.randint(*LINKING_MS)
        self._timeline.after(delay, lambda: self._connect(one, other))

    def started(self, seat: int) -> None:
        """A peer runs (again): it links to all others."""
        for other in self._ends:
            if other != seat:
                self.reconnect(seat, other)

    def stopped(self, seat: int) -> None:
        """A peer is gone: its links are lost."""
        for other in self._ends:
            if other != seat:
                self.cut(seat, other)

    # --- what peers do ----------------------------------------------------------------------------

    def send(self, origin: int, to: int, payload: bytes) -> bool:
        """Put a payload on its way; False if there is no link."""
        link = self._link(origin, to)
        if link.life is None:
            return False
        for _ in range(1 + (self._luck.random() < self._repeats)):
            self._post(link, origin, to, payload)
        return True

    def _post(self, link: Link, origin: int, to: int, payload: bytes) -> None:
        life, pace = link.life, link.pace_ms
        delay = pace // 2 + int(self._luck.expovariate(1 / pace))
        if self._luck.random() < self._stalls:
            delay += int(self._luck.expovariate(1 / STALL_MS))
            self.stalled += 1
        arrives = max(self._timeline.now + delay, link.busy_until.get(to, 0))
        link.busy_until[to] = arrives

        def arrive() -> None:
            if link.life == life and self._ends[to].running:
                self.delivered += 1
                self._ends[to].received(origin, payload)

        self._timeline.at(arrives, arrive)

    def _connect(self, one: int, other: int) -> None:
        link = self._link(one, other)
        ends = (self._ends[one], self._ends[other])
        if link.life is not None or link.barriers or not (ends[0].running and ends[1].running):
            return
        self._lives += 1
        link.life = self._lives
        link.busy_until.clear()
        # A peer that crashes in the first call takes the link down before the second.
        for here, there in ((one, other), (other, one)):
            if link.life == self._lives and self._ends[here].running:
                self._ends[here].linked(there)

    def _link(self, one: int, other: int) -> Link:
        return self._links[_pair(one, other)]

    def islands(self, relays: Collection[int]) -> list[set[int]]:
        """Which of these are in touch with each other now, directly or through each other."""
        left = [seat for seat in relays if self._ends[seat].running]
        found: list[set[int]] = []
        while left:
            island = set(self._reachable(left[0], relays))
            found.append(island)
            left = [seat for seat in left if seat not in island]
        return found

    def _reachable(self, seat: int, relays: Collection[int]) -> Iterator[int]:
        seen, queue = {seat}, [seat]
        while queue:
            here = queue.pop()
            yield here
            new = [o for o in self.neighbours(here) if o in relays and o not in seen]
            seen.update(new)
            queue += new


def _pair(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)
