"""What a run of many games amounts to, for the end of its output."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, fields

from tests.sim.run import Result


@dataclass(slots=True)
class Figures:
    """Sums over all games of a run."""

    games: int = 0
    failed: int = 0
    seats: int = 0
    messages: int = 0
    delivered: int = 0
    lost: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    excused: Counter[str] = field(default_factory=Counter)
    tried: Counter[str] = field(default_factory=Counter)
    blamed: Counter[str] = field(default_factory=Counter)
    owed: int = 0

    def add(self, result: Result) -> None:
        """Count one more game."""
        record = result.record
        self.games += 1
        self.failed += bool(result.problems)
        self.seats += result.plan.seats
        self.messages += sum(len(witness.said) for witness in record.witnesses)
        self.delivered += record.delivered
        self.faults += record.faults
        self.excused += record.excused
        self.owed += sum(len(witness.duties) for witness in record.honest)
        self.lost += len({seat for _, seat in record.lost})
        evidence = {raw for w in record.honest for b, _ in w.blames for raw in b.evidence}
        for lie in record.lies:
            self.tried[lie.cheat] += 1
            self.blamed[lie.cheat] += any(raw in evidence for raw in lie.raws)

    def as_dict(self) -> dict[str, object]:
        """The figures for machines."""
        return {
            name: dict(value) if isinstance(value, Counter) else value
            for name, value in ((each.name, getattr(self, each.name)) for each in fields(self))
        }

    def lines(self, seconds: float) -> Iterator[str]:
        """The figures as text."""
        yield (
            f"{self.games} games of {self.seats} seats: {self.messages} messages signed, "
            f"{self.delivered} payloads delivered, {self.lost} seats lost, in {seconds:.0f} s"
        )
        faults = ", ".join(f"{kind} {count}" for kind, count in sorted(self.faults.items()))
        yield f"faults and what came of them: {faults or 'none'}"
        excused = ", ".join(f"{why} {count}" for why, count in sorted(self.excused.items()))
        yield f"excused, by checks: {excused or 'nothing'}"
        if self.tried:
            cheats = ", ".join(
                f"{name} {self.blamed[name]}/{count}" for name, count in sorted(self.tried.items())
            )
            yield f"cheats blamed/tried: {cheats}; {self.owed} blames were due"
        yield f"{self.failed} games failed" if self.failed else "every game is as it must be"
