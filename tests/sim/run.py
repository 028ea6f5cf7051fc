"""One game of a seed from plan to verdict, and the command that repeats it."""

import contextlib
import hashlib
import shlex
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from p2pcoup.table import table
from p2pcoup.wire import identity, message
from tests.sim.checks import problems
from tests.sim.course import Course
from tests.sim.insecure_group import insecure_group
from tests.sim.plan import Plan, Wanted, make_plan
from tests.sim.record import Record
from tests.sim.world import World, make_world


@dataclass(frozen=True, slots=True)
class Result:
    """A game that was played and judged.

    Attributes:
        problems: what is wrong, in sentences; empty if all is as it must be.
        digest: the same for every run of the same plan, on every machine.
    """

    plan: Plan
    record: Record
    problems: tuple[str, ...]
    digest: str = ""

    def failures(self) -> list[str]:
        """The first problem that each check has found, and how many more there are."""
        by_check: dict[str, list[str]] = {}
        for problem in self.problems:
            by_check.setdefault(problem.partition(":")[0], []).append(problem)
        return [
            first if not more else f"{first} (and {len(more)} more)"
            for first, *more in by_check.values()
        ]


@dataclass(frozen=True, slots=True)
class Setting:
    """What one command plays.

    Attributes:
        real: with the true group and every signature checked each time it is met.
    """

    wanted: Wanted = field(default_factory=Wanted)
    real: bool = False

    def command(self, seed: int) -> str:
        """The command that plays exactly this game again."""
        wanted = self.wanted
        options = {
            "seats": wanted.seats,
            "edition": wanted.edition,
            "setup": wanted.setup,
            "faults": None if wanted.faults is None else ",".join(wanted.faults) or "none",
            "cheats": wanted.cheat,
        }
        given = [f"--{name} {shlex.quote(str(v))}" for name, v in options.items() if v is not None]
        real = ["--real"] if self.real else []
        return " ".join((f"python -m tests.sim --seed {seed} --games 1", *given, *real))


def run(seed: int, setting: Setting) -> Result:
    """Play the game of a seed and check it. What the program raises is a problem, too."""
    plan = make_plan(seed, setting.wanted)
    world = make_world(plan)
    try:
        world.play()
        found = problems(Course(world.terms, world.record))
    except Exception as error:  # noqa: BLE001 - nothing may escape from the tables, whatever it is
        found = [f"no exception: {type(error).__name__}: {error}"]
        world.record.trace.append(f"{world.timeline.now:>8} {type(error).__name__}: {error}")
    return Result(plan, world.record, tuple(found), digest_of(world))


def digest_of(world: World) -> str:
    """Twelve digits that change with any event of the game."""
    digest = hashlib.sha256("\n".join(world.record.trace).encode())
    for witness in world.record.witnesses:
        digest.update(witness.disk.transcript or b"")
    return digest.hexdigest()[:12]


@contextlib.contextmanager
def bulk() -> Iterator[None]:
    """Play by the thousand: the stand-in for the group, and no bytes are judged twice.

    What a message says and whether its signature is good does not depend on who asks, so the peers
    of a simulated game share one answer.
    """
    with insecure_group():
        vars(message)["verify"] = lru_cache(maxsize=20_000)(identity.verify)
        vars(table)["parse"] = lru_cache(maxsize=20_000)(message.parse)
        try:
            yield
        finally:
            vars(message)["verify"] = identity.verify
            vars(table)["parse"] = message.parse


def commit() -> str:
    """The commit of the program, as far as it can be known."""
    command = ["git", "describe", "--always", "--dirty"]
    here = Path(__file__).parent
    try:
        found = subprocess.run(command, cwd=here, capture_output=True, text=True, check=False)
    except OSError:
        return "unknown"
    return found.stdout.strip() or "unknown"
