"""What goes wrong in a game beside cheating: links, machines, and peers that never come back.

Faults come in the first minutes, while the game is played, and all but those that are for good are
over after `HEALED_MS`. After that the game must come to its end.
"""

import random
from collections.abc import Sequence
from itertools import combinations

from p2pcoup.table import Times
from tests.sim.network import Network
from tests.sim.peer import Peer
from tests.sim.plan import Plan
from tests.sim.record import Record
from tests.sim.timeline import Timeline

GRACE_MS = 1000 * (Times().decide + Times().grace)
HEALED_MS = 10 * GRACE_MS
LATE_MS = (5_000, 20_000, 20_000, 2 * GRACE_MS)


class Faults:
    """Puts the faults of a plan on the timeline of its game."""

    def __init__(
        self,
        plan: Plan,
        timeline: Timeline,
        network: Network,
        peers: Sequence[Peer],
        record: Record,
    ) -> None:
        self._plan = plan
        self._timeline = timeline
        self._network = network
        self._peers = peers
        self._record = record
        self._luck = plan.luck("faults")

    def begin(self) -> None:
        """Start all peers and arrange what is to happen to them."""
        if "apart" in self._plan.faults:
            self._keep_some_apart()
        late = self._chosen("late")
        for peer in self._peers:
            delay = self._luck.choice(LATE_MS) if peer.seat in late else 0
            start = self._luck.randint(0, 2_000) + delay
            self._timeline.at(start, peer.start)
        if "cuts" in self._plan.faults:
            for _ in range(self._luck.randint(1, 12)):
                self._cut(self._soon())
        if "partition" in self._plan.faults and len(self._peers) > 1:
            self._part(self._soon())
        for seat in self._chosen("vanish"):
            self._vanish(seat, self._soon())

    def _chosen(self, kind: str) -> list[int]:
        """The seats that a fault of this kind hits: less than half, but of two seats one."""
        if kind not in self._plan.faults:
            return []
        most = max(1, (len(self._peers) - 1) // 2)
        return self._luck.sample(range(len(self._peers)), self._luck.randint(1, most))

    def _soon(self) -> int:
        """A moment in the game; the first seconds, when most of it is said, are the likeliest."""
        return int(self._luck.expovariate(1 / 4_000)) % (HEALED_MS // 2)

    def _note(self, kind: str, what: str) -> None:
        self._record.faults[kind] += 1
        self._record.trace.append(f"{self._timeline.now:>8} {kind}: {what}")

    def _keep_some_apart(self) -> None:
        """Take direct links away, for good, as long as everybody can be reached through others."""
        pairs = list(combinations(range(len(self._peers)), 2))
        self._luck.shuffle(pairs)
        kept = list(pairs)
        for pair in pairs[: len(pairs) // 2]:
            rest = [other for other in kept if other != pair]
            if _all_reached(len(self._peers), rest):
                kept = rest
                self._network.keep_apart(*pair)
                self._note("apart", f"{pair}")

    def _cut(self, time_ms: int) -> None:
        one, other = self._luck.sample(range(len(self._peers)), 2)
        lasts = int(self._luck.expovariate(1 / 8_000))

        def cut() -> None:
            self._note("cuts", f"{one} and {other} for {lasts} ms")
            self._network.keep_apart(one, other)
            self._timeline.after(lasts, lambda: self._network.let_together(one, other))

        self._timeline.at(time_ms, cut)

    def _part(self, time_ms: int) -> None:
        """Some are cut off from the rest: for less or for more than the grace time, or for good."""
        seats = list(range(len(self._peers)))
        away = self._luck.sample(seats, self._luck.randint(1, len(seats) // 2))
        pairs = [(one, other) for one in seats for other in away if one not in away]
        lasts = self._luck.choice((GRACE_MS // 3, 2 * GRACE_MS, 5 * GRACE_MS, None))

        def part() -> None:
            self._note("partition", f"{away} for {lasts} ms")
            for pair in pairs:
                self._network.keep_apart(*pair)
            if lasts is not None:
                self._timeline.after(lasts, heal)

        def heal() -> None:
            for pair in pairs:
                self._network.let_together(*pair)

        self._timeline.at(time_ms, part)

    def _vanish(self, seat: int, time_ms: int) -> None:
        """Gone for good; not before it has sat down, as a table waits for that without end."""

        def vanish() -> None:
            peer = self._peers[seat]
            if peer.running and peer.game.table.round == 0:
                self._timeline.after(500, vanish)
                return
            self._note("vanish", f"seat {seat}")
            peer.vanish()

        self._timeline.at(time_ms, vanish)


def crash_places(luck: random.Random) -> frozenset[int]:
    """At which places of a peer's work its machine dies: early ones and late ones alike."""
    count, mean = luck.randint(1, 6), luck.choice((20, 100, 400))
    return frozenset(int(luck.expovariate(1 / mean)) + 1 for _ in range(count))


def _all_reached(count: int, pairs: Sequence[tuple[int, int]]) -> bool:
    reached = {0}
    for _ in range(count):
        reached |= {b for a, b in pairs if a in reached} | {a for a, b in pairs if b in reached}
    return len(reached) == count
