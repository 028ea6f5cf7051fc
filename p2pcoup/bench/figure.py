"""A measured figure, for people and for machines."""

from dataclasses import dataclass

from p2pcoup.deck.group import OperationCount


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured figure.

    Attributes:
        unit: of ``value`` and ``raw``, such as ``"ms"``.
        raw: the median of the same libsodium calls alone, where that makes sense.
        limit: what the project promises, in words.
    """

    name: str
    value: float
    unit: str
    raw: float | None = None
    calls: OperationCount | None = None
    limit: str = ""

    def as_dict(self) -> dict[str, object]:
        """The figure for machines."""
        calls = self.calls and {
            "variable": self.calls.variable,
            "base": self.calls.base,
            "add": self.calls.add,
            "valid": self.calls.valid,
        }
        return {
            "value": round(self.value, 4),
            "unit": self.unit,
            "raw": None if self.raw is None else round(self.raw, 4),
            "ratio": None if self.raw is None else round(self.value / self.raw, 4),
            "calls": calls,
            "limit": self.limit,
        }

    def __str__(self) -> str:
        text = f"{self.value:10.3f} {self.unit:<4}"
        if self.raw is not None and self.calls is not None:
            count = f"{self.calls.variable}+{self.calls.base}+{self.calls.add}+{self.calls.valid}"
            text += f"  raw {self.raw:8.3f}  x {self.value / self.raw:4.2f}  calls {count:<13}"
        return text + (f"  ({self.limit})" if self.limit else "")
