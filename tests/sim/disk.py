"""A peer's files as a crash leaves them: the journal, and the secret of the game.

The rules are those of `p2pcoup.journal` and `p2pcoup.node.seat`: a durable record is on disk with
everything before it when `append` returns; of the records after the last durable one a crash
leaves the first few, by chance. The secret is there from the start and erased when the game is
over and the journal complete.
"""

import random
from dataclasses import dataclass, field


@dataclass(slots=True)
class Disk:
    """The files of one seat.

    Attributes:
        records: the journal, oldest first.
        durable: how many of them no crash can take away.
        secret: whether the game's secret is still there.
        transcript: the finished game's file.
    """

    records: list[bytes] = field(default_factory=list)
    durable: int = 0
    secret: bool = True
    transcript: bytes | None = None

    def append(self, record: bytes, *, durable: bool) -> None:
        """As `Journal.append`."""
        self.records.append(record)
        if durable:
            self.durable = len(self.records)

    def sync(self) -> None:
        """As `Journal.sync`."""
        self.durable = len(self.records)

    def crash(self, luck: random.Random) -> None:
        """Power is lost: anything not durable may be gone, the last first."""
        del self.records[luck.randint(self.durable, len(self.records)) :]
