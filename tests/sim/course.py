"""A game that has been played, as the checks see it."""

from collections.abc import Iterator
from dataclasses import dataclass

from p2pcoup.journal import read_transcript
from p2pcoup.table import Table, Terms
from p2pcoup.wire import SignedMessage
from tests.sim.record import Record, Witness

TORN = "torn by a cheat"
TWO_PARTED = "two parted"


@dataclass(slots=True)
class Course:
    """The record of a game beside its terms."""

    terms: Terms
    record: Record

    @property
    def finished(self) -> list[Witness]:
        """The honest seats that have the whole game."""
        return [witness for witness in self.record.honest if witness.disk.transcript is not None]

    def watched(self, transcript: bytes) -> Iterator[Table]:
        """A table without a seat that follows a transcript, at the beginning of each round."""
        table = Table(self.terms, clock=lambda: 0.0)
        yield table
        for signed in read_transcript(transcript).messages:
            before = table.round
            table.receive(signed.raw)
            if table.round != before and table.outcome is None:
                yield table

    def parting(self, one: bytes, other: bytes) -> str | None:
        """What excuses two transcripts for not being the same; None: nothing does.

        Of two seats that lose each other each goes on alone (SPEC 8.13): one transcript ends with
        the word of one of them alone, the other one with that of the other, alone or, if it has
        heard the last word of the first, beside it. And a seat that signs two messages can tear a
        game in two where no honest seat has anything to say any more: two signatures under the
        result, or a course that only cheats have gone on from there.
        """
        ours, theirs = _by_round(one), _by_round(other)
        first = min(r for r in {*ours, *theirs} if ours.get(r) != theirs.get(r))
        signers = {
            s.message.seat
            for s in ours.get(first, [])
            for t in theirs.get(first, [])
            if s.message.place == t.message.place and s.raw != t.raw
        }
        cheats = self.record.cheats
        if signers:
            later = [
                {s.message.seat for r, said in course.items() if r > first for s in said}
                for course in (ours, theirs)
            ]
            only_cheats = any(seats <= cheats for seats in later)
            return TORN if signers <= cheats and only_cheats else None
        members = next((t.game.members for t in self.watched(one) if t.round == first), frozenset())
        last = [{s.message.seat for s in course[max(course)]} for course in (ours, theirs)]
        alone = any(len(seats) == 1 for seats in last) and last[0] | last[1] == members
        reason = cheats & members or not self.record.undisturbed
        return TWO_PARTED if len(members) == 2 and alone and reason else None


def _by_round(transcript: bytes) -> dict[int, list[SignedMessage]]:
    rounds: dict[int, list[SignedMessage]] = {}
    for signed in read_transcript(transcript).messages:
        rounds.setdefault(signed.message.round, []).append(signed)
    return rounds
