"""Replay a transcript through the table without secrets and report (SPEC 8.12).

The auditor is a table without a player: every signature, digest, commitment, proof and rule is
checked by the very code that checked it during the game. What is added here is that the file holds
every message once, in order, and nothing else.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from p2pcoup.journal import TranscriptError, TranscriptFile, load_transcript, read_transcript
from p2pcoup.rules import narrate, outcome_to_text
from p2pcoup.table import (
    Accepted,
    Blame,
    Happened,
    LeftBehind,
    Notice,
    Refused,
    Sequel,
    Table,
    Terms,
    TermsError,
    decode_terms,
)
from p2pcoup.wire import SignedMessage


class Verdict(Enum):
    """What an audit found. The value is the exit status of the command."""

    VALID = 0
    """Every signature, digest, commitment, proof and rule holds, to the signed result."""
    INVALID = 1
    """Something in the transcript does not hold; the report says what."""
    UNREADABLE = 2
    """The file is not a transcript this program can read."""
    UNFINISHED = 3
    """All it holds is valid, but the game has no signed result. The exit status is 2 as well."""

    @property
    def exit_status(self) -> int:
        """0 valid, 1 invalid, 2 not readable or unfinished."""
        return min(self.value, 2)


@dataclass(frozen=True, slots=True)
class Report:
    """The result of one audit.

    Attributes:
        problem: one sentence, None when valid.
        round, seat, rule: where and what, as far as the problem has a place.
        rounds, messages: how many were found to hold.
        story: the game in sentences, as far as it was found to hold.
        losses: where the others went on without seats, and who signed that these were gone.
        names, peers: who had which seat.
        order: the seats clockwise, once the cards are dealt.
        sequel: what the terms say of the game before, in a later game of a match.
        final_digest: the digest that is signed in the last round of a valid game; a next game
            names it.
    """

    verdict: Verdict
    problem: str | None = None
    round: int | None = None
    seat: int | None = None
    rule: str | None = None
    game: str | None = None
    edition: str | None = None
    names: tuple[str, ...] = ()
    peers: tuple[str, ...] = ()
    rounds: int = 0
    messages: int = 0
    outcome: str | None = None
    winner: int | None = None
    story: tuple[str, ...] = ()
    losses: tuple[LeftBehind, ...] = ()
    order: tuple[int, ...] = ()
    sequel: Sequel | None = None
    final_digest: bytes = b""

    def as_dict(self) -> dict[str, object]:
        """The report for machines (``p2pcoup audit --json``)."""
        return {
            "verdict": self.verdict.name.lower(),
            "problem": self.problem,
            "round": self.round,
            "seat": self.seat,
            "rule": self.rule,
            "game": self.game,
            "edition": self.edition,
            "names": list(self.names),
            "rounds": self.rounds,
            "messages": self.messages,
            "outcome": self.outcome,
            "winner": self.winner,
            "losses": [
                {"round": loss.round, "seats": sorted(loss.seats), "by": list(loss.by)}
                for loss in self.losses
            ],
            "by_absence": self.by_absence,
        }

    @property
    def by_absence(self) -> bool:
        """Whether the winner won because the other was gone, as only the winner itself states."""
        return any(loss.by == (self.winner,) for loss in self.losses)


def audit_file(path: Path) -> Report:
    """Audit the transcript in a file; a file that cannot be read gives an UNREADABLE report."""
    return _audit(lambda: load_transcript(path))


def audit(data: bytes) -> Report:
    """Audit the bytes of a ``.coup`` file. Never raises for what they hold."""
    return _audit(lambda: read_transcript(data))


def _audit(load: Callable[[], TranscriptFile]) -> Report:
    try:
        transcript = load()
        terms = decode_terms(transcript.terms)
    except (TranscriptError, TermsError) as error:
        return Report(Verdict.UNREADABLE, str(error))
    return _Replay(terms).run(transcript.messages)


def match_flaw(earlier: Report, later: Report) -> str | None:
    """Why the later game does not go on from the earlier one as its terms say, in a sentence.

    None when it does, and when its terms name another game or none (SPEC 8.12).
    """
    sequel = later.sequel
    if sequel is None or not earlier.final_digest or sequel.previous != earlier.final_digest:
        return None
    lost = {seat for loss in earlier.losses for seat in loss.seats}
    left = [seat for seat in range(len(earlier.peers)) if seat not in lost]
    if [(earlier.names[seat], earlier.peers[seat]) for seat in left] != list(
        zip(later.names, later.peers, strict=True)
    ):
        return f"Game {later.game!a} is not played by those who were left of the game before it."
    around = [left.index(seat) for seat in earlier.order if seat in left]
    if list(sequel.order) != around:
        return f"The seats of game {later.game!a} are not those of the game before it."
    if earlier.winner is not None and sequel.starter != _starter(earlier, left):
        return f"Game {later.game!a} was not started by the winner of the game before it."
    return None


def _starter(earlier: Report, left: Sequence[int]) -> int | None:
    """Who starts the next game (Algorithm 8.1): the winner, or the next one that is left."""
    first = earlier.order.index(earlier.winner or 0)
    clockwise = (*earlier.order[first:], *earlier.order[:first])
    return next((left.index(seat) for seat in clockwise if seat in left), None)


class _Replay:
    """One run through the messages of a transcript."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._table = Table(terms, clock=time.perf_counter)
        self._count = 0
        self._story: list[str] = []
        self._losses: list[LeftBehind] = []

    def run(self, messages: Sequence[SignedMessage]) -> Report:
        """Replay the messages, which are in order of round and seat."""
        for signed in messages:
            if (problem := self._take(signed)) is not None:
                return problem
        if self._table.outcome is None:
            missing = " and ".join(self._terms.names[seat] for seat in self._table.waiting_for)
            return self._report(
                Verdict.UNFINISHED,
                f"The game is not finished: it stops in round {self._table.round}, "
                f"which still needs the word of {missing}.",
                round=self._table.round,
            )
        for signed, counted in zip(messages, self._table.transcript(), strict=False):
            if signed.raw != counted.raw:  # a statement of absence that led to nothing
                place = (signed.message.round, signed.message.seat)
                return self._invalid("The message has no place in this game.", *place, "order")
        return self._report(Verdict.VALID)

    def _take(self, signed: SignedMessage) -> Report | None:
        """Replay one message; a report when it does not hold."""
        place = (signed.message.round, signed.message.seat)
        accepted = False
        for notice in self._table.receive(signed.raw):
            accepted |= isinstance(notice, Accepted)
            if (problem := self._judge(notice, *place)) is not None:
                return problem
        if not accepted:
            return self._invalid("The message has no place in this game.", *place, "order")
        self._count += 1
        return None

    def _judge(self, notice: Notice, round_: int, seat: int) -> Report | None:
        match notice:
            case Blame(rule=rule, reason=reason):
                return self._invalid(reason, round_, seat, rule)
            case Refused(reason):
                return self._invalid(reason, round_, seat, "message")
            case LeftBehind(by=by, seats=seats):
                self._losses.append(notice)
                self._story.append(self._loss(by, sorted(seats)))
            case Happened(before, event, after):
                told = narrate(before, event, after, self._terms.names)
                self._story += [str(sentence) for sentence in told]
        return None

    def _loss(self, by: Sequence[int], seats: Sequence[int]) -> str:
        names = self._terms.names
        who, gone = (" and ".join(names[seat] for seat in some) for some in (by, seats))
        alone = "alone states" if len(by) == 1 else "state"
        return f"{who} {alone} that {gone} {'is' if len(seats) == 1 else 'are'} gone."

    def _invalid(self, reason: str, round_: int, seat: int, rule: str) -> Report:
        name = self._terms.names[seat] if seat < len(self._terms.names) else "nobody"
        problem = f"Round {round_}, seat {seat} ({name}), rule {rule}: {reason}"
        return self._report(Verdict.INVALID, problem, round=round_, seat=seat, rule=rule)

    def _report(
        self,
        verdict: Verdict,
        problem: str | None = None,
        *,
        round: int | None = None,  # noqa: A002 - the report's own word
        seat: int | None = None,
        rule: str | None = None,
    ) -> Report:
        outcome, state = self._table.outcome, self._table.game.state
        return Report(
            verdict,
            problem,
            round,
            seat,
            rule,
            game=self._terms.game,
            edition=self._terms.edition.name,
            names=self._terms.names,
            peers=tuple(member.peer for member in self._terms.roster),
            rounds=self._table.round + (outcome is not None),
            messages=self._count,
            outcome=None if outcome is None else outcome_to_text(outcome),
            winner=None if outcome is None else outcome.winner,
            story=tuple(self._story),
            losses=tuple(self._losses),
            order=() if state is None else state.order,
            sequel=self._terms.sequel,
            final_digest=self._table.final_digest,
        )
