"""One seat's game as `p2pcoup.node.seat` runs it: table, journal, secret and policy together.

Each call returns what is to be sent; by then it is in the journal. Around every write there is a
place where the machine may die.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from p2pcoup.audit import make_evidence
from p2pcoup.journal import encode_transcript
from p2pcoup.rules import Move, Seat
from p2pcoup.table import (
    Accepted,
    Behind,
    Blame,
    Finished,
    LeftBehind,
    Notice,
    Player,
    Prompt,
    Refused,
    Table,
    Terms,
)
from p2pcoup.wire import SignedMessage
from tests.sim.inside import open_round
from tests.sim.record import Witness

Place = Callable[[str], None]
"""Told where the machine is; may raise Crash."""
Choose = Callable[[Prompt], Move]
MakeTable = Callable[[Player | None], Table]


class Crash(Exception):  # noqa: N818 - it is a fault we make, not an error of this program
    """The machine has died."""


@dataclass(slots=True)
class Step:
    """What one call brought about, as in `p2pcoup.node.seat`.

    Attributes:
        fresh: signed messages to pass on, already in the journal.
        prompts: what the player must still decide.
        ask_again: messages were dropped; others should send them once more.
        progress: something new was accepted.
    """

    fresh: list[SignedMessage] = field(default_factory=list)
    prompts: list[Prompt] = field(default_factory=list)
    ask_again: bool = False


class SeatedGame:
    """The game of one seat, from its journal if there is one."""

    def __init__(
        self, terms: Terms, player: Player, make_table: MakeTable, witness: Witness, place: Place
    ) -> None:
        self.terms = terms
        self.seat: Seat = player.seat
        self._witness = witness
        self._place = place
        self._disk = witness.disk
        self.table = make_table(player if self._disk.secret else None)
        witness.table = self.table
        for number, record in enumerate(self._disk.records):
            self._take_back(number, record)
        if self.table.outcome is not None:
            self._finish()
        elif not self._disk.secret:
            witness.broken.append("the secret is erased, but the journal does not end the game")
        kept = set(self._disk.records)
        for signed in witness.signed:
            if signed.raw not in kept:
                witness.broken.append(f"it had sent {where(signed)}, which is not in its journal")

    def _take_back(self, number: int, record: bytes) -> None:
        """Every record was accepted once and must be accepted again, as the node demands."""
        notices = self.table.receive(record)
        if any(isinstance(notice, Accepted) for notice in notices):
            return
        reasons = [notice.reason for notice in notices if isinstance(notice, Blame | Refused)]
        reason = reasons[0] if reasons else "It has no place in this game."
        self._witness.broken.append(f"record {number} is not accepted after a restart: {reason}")

    def begin(self) -> Step:
        """Start to speak."""
        return self._work_off(self.table.begin())

    def receive(self, raw: bytes) -> Step:
        """Take a signed message from a link."""
        return self._work_off(self.table.receive(raw))

    def declare_absent(self, seats: Iterable[Seat]) -> Step:
        """Say that these seats have been silent for too long."""
        return self._work_off(self.table.declare_absent(list(seats)))

    def answer(self, prompt: Prompt, choose: Choose) -> Step:
        """Let the player decide, unless it is too late."""
        if self.table.prompt != prompt:
            return Step()
        return self._work_off(self.table.answer(prompt.id, choose(prompt)))

    def _work_off(self, notices: Iterable[Notice]) -> Step:
        """Journal what was accepted and collect what is to be sent."""
        step = Step()
        for notice in notices:
            match notice:
                case Accepted(signed, own):
                    self._write(signed, durable=own)
                    step.fresh.append(signed)
                case Prompt(id=round_, view=view):
                    self._witness.views.append((round_, open_round(self.table).parent, view))
                    step.prompts.append(notice)
                case Behind():
                    step.ask_again = True
                case Blame():
                    evidence = make_evidence(self.table, notice)
                    self._witness.blames.append((notice, evidence))
                case LeftBehind():
                    self._witness.left_behind.append(notice)
                case Finished():
                    self._finish()
                case _:
                    pass
        return step

    def _write(self, signed: SignedMessage, *, durable: bool) -> None:
        what = "own" if durable else "other"
        self._place(f"before writing {what}")
        if durable:
            self._disk.sync()
        self._disk.append(signed.raw, durable=False)
        self._place(f"while writing {what}")
        if durable:
            self._disk.sync()
        self._place(f"after writing {what}")

    def _finish(self) -> None:
        """Keep the transcript, forget the secret; done again, it changes nothing."""
        self._place("before the end is written")
        self._disk.sync()
        self._place("before the transcript is written")
        self._disk.transcript = encode_transcript(
            self.terms.encode(), list(self.table.transcript())
        )
        self._place("before the secret is erased")
        self._disk.secret = False
        self._place("after the secret is erased")


def where(signed: SignedMessage) -> str:
    """A message in words."""
    message = signed.message
    texts = "".join(f" ({field})" for field in message.body if isinstance(field, str))
    return f"{message.kind.value}{texts} of seat {message.seat} in round {message.round}"
