"""What a table makes of what it hears: judged and remembered (SPEC 8.2).

The part of :class:`~p2pcoup.table.table.Table` that deals with others. A message is judged in a
fixed order, cheapest first: structure, game, round, signature, and only then the proofs. Nothing
that is refused leaves a trace in the transcript.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable

from p2pcoup.rules import Move, Outcome, Seat
from p2pcoup.table.ahead import MAX_ROUNDS_AHEAD, Ahead
from p2pcoup.table.choices import Choices
from p2pcoup.table.game import Game
from p2pcoup.table.judge import REFUSALS, check, rule_of, signature_flaw
from p2pcoup.table.notices import Accepted, Blame, Notice, Prompt, Refused
from p2pcoup.table.open_round import NOBODY, OpenRound, Seats
from p2pcoup.table.player import Player
from p2pcoup.table.rounds import Body, Context
from p2pcoup.table.script import play
from p2pcoup.table.terms import Terms
from p2pcoup.wire import Kind, SignedMessage

MAX_EARLY = 16  # of one seat: statements that overtake its first message
MAX_FAULTS_PER_ROUND = 4  # checking a false proof costs as much as a true one

Clock = Callable[[], float]
Place = tuple[int, bytes]
"""A round and the digest of the one before: the same place is never left and come to otherwise."""


class Listener(ABC):
    """The state of a table and how it hears; speaking and moving on are the subclasses'."""

    def __init__(
        self,
        terms: Terms,
        player: Player | None = None,
        *,
        clock: Clock,
        seat: Seat | None = None,
    ) -> None:
        """``clock`` returns seconds and only measures how long the proofs take. ``seat`` is our
        own when there is no player any more: the secrets of a finished game are erased.
        """
        self.terms = terms
        self.proof_seconds = 0.0
        self._game_id = terms.game_id
        self._player = player
        self._identity = None if player is None else player.identity
        self._own = seat if player is None else player.seat
        self._clock = clock
        self._speaking = False
        self._answer: Move | None = None
        self._prompt: Prompt | None = None
        self._ahead = Ahead()
        self._caught: set[Seat] = set()
        self._declared: dict[Place, Seats] = {}
        self._waited: dict[Place, set[Seat]] = {}  # for whom one grace time more than others
        self._heard: dict[Place, dict[SignedMessage, None]] = {}
        self._torn: set[tuple[Place, Seat]] = set()
        self._choices = Choices()
        self._apart: dict[Seat, Place] = {}  # where seats on another course were last heard
        self._told = 0
        self._astray = False
        self._start()

    def _start(self) -> None:
        """Set the game to its beginning."""
        self.game = Game(self.terms)
        self.outcome: Outcome | None = None
        self.final_digest = b""  # that the last round signs, once there is an outcome
        self._script = play(self.game)
        self._round = next(self._script)
        self._rounds: list[OpenRound] = []
        self._early: dict[Seat, list[SignedMessage]] = {}
        self._open_round(self._game_id)

    def _open_round(self, parent: bytes) -> None:
        """Begin a round with the digest of the one before."""
        speakers = frozenset(self._round.speakers)
        self._rounds.append(OpenRound(parent, self.game.members, speakers))

    @property
    def round(self) -> int:
        """Number of the open round; every lower one is closed. Counts from 0."""
        return len(self._rounds) - 1

    @property
    def waiting_for(self) -> tuple[Seat, ...]:
        """The seats whose message the open round still lacks; empty when the game is over."""
        if self.outcome is not None:
            return ()
        return tuple(seat for seat in self._round.speakers if seat not in self._now.messages)

    @property
    def deadline(self) -> int:
        """How many seconds the open round may take by the terms; it belongs to the round, no single
        answer starts it anew.
        """
        times = self.terms.times
        return times.answer if self._round.kind is Kind.SEAL else times.decide

    @property
    def wanted(self) -> int:
        """From which round on others should send us what they have: the open one, or all when they
        build on another course of the game than ours.
        """
        return 0 if self._astray else self.round

    @property
    def unheard(self) -> Seats:
        """Whose absence may have to be stated when nothing happens for too long: the seats the open
        round waits for and, in an attempt to agree on who is gone, those that take no part in it.
        """
        if self.outcome is not None:
            return NOBODY
        return self._now.silent(self._own).union(self.waiting_for) - {self._own}

    # --- what the others do ----------------------------------------------------------------------

    @abstractmethod
    def receive(self, raw: bytes) -> list[Notice]:
        """Take bytes from any link, or a record of our journal. Never raises for what they hold."""

    @abstractmethod
    def _say(self, kind: Kind, body: Body, round_: int | None = None) -> list[Notice]:
        """Sign a message of our own for the open round, or a statement about an earlier one."""

    @abstractmethod
    def _hear_statement(self, signed: SignedMessage, at: OpenRound) -> list[Notice]:
        """Take a statement of absence for the open round, or for one that we have closed."""

    @abstractmethod
    def _repeat(self, past: OpenRound, round_: int, cheat: Seat) -> list[Notice]:
        """Two messages of one seat in one round may have torn the table: what is to be done."""

    @abstractmethod
    def _ask_again(self) -> list[Notice]:
        """Say that dropped messages are needed again."""

    # --- judging messages -----------------------------------------------------------------------

    @property
    def _now(self) -> OpenRound:
        return self._rounds[-1]

    @property
    def _place(self) -> Place:
        return self.round, self._now.parent

    def _is_closed(self, at: OpenRound) -> bool:
        return at is not self._now or self.outcome is not None

    def _hear(self, signed: SignedMessage) -> list[Notice]:
        """Judge a message for the open round."""
        message = signed.message
        seat = Seat(message.seat)
        known = self._now.messages.get(seat)
        if known is not None and known.raw == signed.raw:
            return []
        if (elsewhere := self._elsewhere(signed)) is not None:
            return elsewhere
        if (flaw := signature_flaw(self.game, signed)) is not None:
            return [Refused(flaw)]
        if message.kind is Kind.ABSENT:
            return self._hear_statement(signed, self._now)
        if known is not None:
            return [self._equivocation(known, signed), *self._repeat(self._now, self.round, seat)]
        if self._now.faults[seat] >= MAX_FAULTS_PER_ROUND:
            return [
                Refused(f"Seat {seat} has sent too many false messages in round {message.round}.")
            ]
        try:
            self._check(signed)
        except REFUSALS as error:
            self._now.faults[seat] += 1
            other = self._choices.discard(signed)
            blame = self._blame(rule_of(error), str(error), signed)
            return [blame, *([] if other is None else self._hear(other))]
        self._now.messages[seat] = signed
        early = self._early.pop(seat, [])
        return [self._accepted(signed), *(n for each in early for n in self._hear(each))]

    def _elsewhere(self, signed: SignedMessage) -> list[Notice] | None:
        """What becomes of a message that cannot be judged here, or not yet; None if it can."""
        seat = Seat(signed.message.seat)
        if signed.message.parent != self._now.parent:
            return self._on_another_course(signed)
        if seat in self.game.lost:
            reason = f"Seat {seat} is out of the game since an earlier round."
            return [Refused(reason, misplaced=True)]
        if seat not in self.game.public_keys and signed.message.kind is not Kind.JOIN:
            return self._hear_early(signed, seat)
        return None

    def _hear_early(self, signed: SignedMessage, seat: Seat) -> list[Notice]:
        """Keep a statement until its signer has joined; nobody can say anything else before."""
        early = self._early.setdefault(seat, [])
        if signed.message.kind is not Kind.ABSENT:
            return [Refused(f"Seat {seat} has not joined yet.")]
        if len(early) < MAX_EARLY:
            early.append(signed)
        else:
            self._ahead.dropped = True  # these may be forged, and a true one may be lost
        return []

    def _on_another_course(self, signed: SignedMessage) -> list[Notice]:
        """Its signer knows another past than we do: whoever is right, we must compare all of it."""
        message = signed.message
        if signature_flaw(self.game, signed) is None:
            self._apart[Seat(message.seat)] = place_of(signed)
            if not self._astray:
                self._astray = self._ahead.dropped = True
        return [
            Refused(
                f"Seat {message.seat} builds on another course of the game in round "
                f"{message.round}.",
                misplaced=True,
            )
        ]

    def _accepted(self, signed: SignedMessage) -> Accepted:
        self._heard.setdefault(place_of(signed), {})[signed] = None
        return Accepted(signed, signed.message.seat == self._own)

    def _blame(self, rule: str, reason: str, *evidence: SignedMessage) -> Blame:
        message = evidence[0].message
        seat = Seat(message.seat)
        self._caught.add(seat)
        raws = tuple(signed.raw for signed in evidence)
        if len(evidence) > 1:
            self._choices.note(*evidence)
        return Blame(seat, message.round, rule, reason, raws, self._before(message.round))

    def _before(self, round_: int) -> tuple[SignedMessage, ...]:
        """What somebody must know who was not there, to judge a message of that round."""
        if round_ == 0:  # nobody's key is known before it has joined
            return tuple(message for _, message in sorted(self._rounds[0].messages.items()))
        return tuple(signed for each in self._rounds[:round_] for signed in each.in_order())

    def _equivocation(self, first: SignedMessage, second: SignedMessage) -> Blame:
        seat, round_ = first.message.seat, first.message.round
        reason = f"Seat {seat} signed two different messages for round {round_}."
        return self._blame("equivocation", reason, first, second)

    def _check(self, signed: SignedMessage) -> None:
        """Raise what is wrong with a correctly signed message for the open round."""
        started = self._clock()
        try:
            check(self._round, self._context(Seat(signed.message.seat)), signed.message)
        finally:
            self.proof_seconds += self._clock() - started

    def _keep_for_later(self, signed: SignedMessage) -> list[Notice]:
        """Hold a message for a round we have not reached; others may be faster than we are."""
        message = signed.message
        too_far = message.round > self.round + MAX_ROUNDS_AHEAD
        if too_far or Seat(message.seat) not in self.game.public_keys:
            self._ahead.dropped = True
        elif (flaw := signature_flaw(self.game, signed)) is not None:
            return [Refused(flaw)]
        else:
            self._ahead.keep(signed)
        return self._ask_again()

    def _compare_with_past(self, signed: SignedMessage) -> list[Notice]:
        """A message for a closed round: an old one again, a statement, or one there cannot be."""
        message = signed.message
        past, seat = self._rounds[message.round], Seat(message.seat)
        known = past.messages.get(seat)
        if known is not None and known.raw == signed.raw:
            return []
        late = message.kind is not Kind.ABSENT and known is None and seat in past.speakers
        if message.parent != past.parent or late or seat in self.game.lost - past.members:
            self._note_course(signed, past)
            return [Refused(f"Round {message.round} is closed.", misplaced=True)]
        if (flaw := signature_flaw(self.game, signed)) is not None:
            return [Refused(flaw)]
        if message.kind is Kind.ABSENT:
            return self._hear_statement(signed, past)
        if known is not None:
            return [self._equivocation(known, signed), *self._repeat(past, message.round, seat)]
        reason = f"Seat {seat} has nothing to say in round {message.round}."
        return [self._blame("turn", reason, signed)]

    def _note_course(self, signed: SignedMessage, past: OpenRound) -> None:
        """Remember where a seat has spoken on another course, if we are free to follow it there."""
        free = self._own not in self._now.members and signed.message.parent != past.parent
        if free and signature_flaw(self.game, signed) is None:
            self._apart[Seat(signed.message.seat)] = place_of(signed)

    def _context(self, seat: Seat) -> Context:
        return Context(self._game_id, self.round, seat, self._now.parent)


def place_of(signed: SignedMessage) -> Place:
    return signed.message.round, signed.message.parent
