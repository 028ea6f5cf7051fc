"""One seat's game as `p2pcoup.node.seat` runs it: table, journal, secret and policy together.

Each call returns what is to be sent; by then it is in the journal. Around every write there is a
place where the machine may die.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field

from p2pcoup.audit import make_evidence
from p2pcoup.journal import encode_transcript
from p2pcoup.node.gossip import Have
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
from p2pcoup.wire import SignedMessage, parse
from tests.sim.forgery import STATEMENTS
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
        fresh: signed messages to pass on, already in the journal: those of the game, and false ones
            that prove something against their signer.
        prompts: what the player must still decide.
        lost: what was told of seats that the game goes on without.
        ask_again: messages were dropped; others should send them once more.
        progress: somebody has spoken; a statement that others are silent is none.
    """

    fresh: list[SignedMessage] = field(default_factory=list)
    lost: list[LeftBehind] = field(default_factory=list)
    prompts: list[Prompt] = field(default_factory=list)
    ask_again: bool = False
    progress: bool = False


class SeatedGame:
    """The game of one seat, from its journal if there is one."""

    def __init__(
        self, terms: Terms, player: Player, make_table: MakeTable, witness: Witness, place: Place
    ) -> None:
        self.terms = terms
        self.seat: Seat = player.seat
        self._identity = player.identity
        self._witness = witness
        self._place = place
        self._disk = witness.disk
        self._accused: dict[tuple[Seat, int], tuple[bytes, ...]] = {}
        self._disk.sync()  # as `Journal.open` does: what a crash has left is safe from the next one
        self.table = make_table(player if self._disk.secret else None)
        witness.table = self.table
        self.table.remember(self._disk.records)
        for number, record in enumerate(self._disk.records):
            self._take_back(number, record)
        if self.table.outcome is not None:
            self._finish()
        elif not self._disk.secret:
            witness.broken.append("the secret is erased, but the journal does not end the game")
        kept = set(self._disk.records)
        for raw, signed in witness.said.items():
            if raw not in kept:
                witness.broken.append(f"it had sent {where(signed)}, which is not in its journal")

    def _take_back(self, number: int, record: bytes) -> None:
        """Every record was accepted once, or proved something against another seat; it is at least
        still a message of the game, as the node demands.
        """
        for notice in self.table.receive(record):
            match notice:
                case Blame(seat=seat) if seat != self.seat:
                    self._remember(notice)
                case Refused(reason, misplaced=False) | Blame(reason=reason):
                    what = f"record {number} is not accepted after a restart: {reason}"
                    self._witness.broken.append(what)
                case _:
                    pass

    def messages(self, since: int) -> list[SignedMessage]:
        """All messages from that round on, for a peer that lacks them, and the false ones."""
        false = [parse(raw) for evidence in self._accused.values() for raw in evidence]
        return [*self.table.messages(since), *false]

    def have(self) -> Have:
        """What this peer holds of the game."""
        finished = self.table.outcome is not None
        return Have(self.terms.game_id, self.table.wanted + finished, finished)

    def begin(self) -> Step:
        """Start to speak."""
        return self._work_off(self.table.begin(self._identity))

    def receive(self, raw: bytes) -> Step:
        """Take a signed message from a link."""
        return self._work_off(self.table.receive(raw))

    def declare_absent(self, seats: Collection[Seat] | None = None) -> Step:
        """State that these seats are gone; by default those that nothing is heard of."""
        silent = self.table.unheard if seats is None else seats
        return self._work_off(self.table.declare_absent(silent))

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
                case Accepted(signed, own, again):
                    if not again:
                        self._write(signed, durable=own)
                        step.progress |= signed.message.kind not in STATEMENTS
                    step.fresh.append(signed)
                case Prompt(id=round_, view=view):
                    self._witness.views.append((round_, open_round(self.table).parent, view))
                    step.prompts.append(notice)
                case Behind():
                    step.ask_again = True
                case Blame():
                    step.fresh += self._accuse(notice)
                case LeftBehind():
                    step.lost.append(notice)
                case Finished():
                    self._finish()
                case _:
                    pass
        return step

    def _accuse(self, blame: Blame) -> list[SignedMessage]:
        """Keep the evidence; the messages it consists of, if they are to be passed on."""
        self._witness.blames.append((blame, make_evidence(self.terms, blame)))
        if blame.seat == self.seat or not self._remember(blame):
            return []
        self._disk.append(blame.evidence[-1], durable=False)
        return [parse(raw) for raw in blame.evidence]

    def _remember(self, blame: Blame) -> bool:
        """Keep what was signed falsely: one blame of a seat and round."""
        place = (blame.seat, blame.round)
        if place in self._accused:
            return False
        self._accused[place] = blame.evidence
        return True

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
