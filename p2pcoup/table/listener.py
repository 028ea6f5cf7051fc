"""What a table makes of what it hears: judged, remembered, answered (SPEC 8.2, 8.13).

The half of :class:`~p2pcoup.table.table.Table` that deals with others. A message is judged in a
fixed order, cheapest first: structure, game, round, signature, and only then the proofs. Nothing
that is refused leaves a trace in the transcript.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection

from p2pcoup.rules import Move, Outcome, Seat
from p2pcoup.table.ahead import MAX_ROUNDS_AHEAD, Ahead
from p2pcoup.table.game import Game
from p2pcoup.table.judge import REFUSALS, check, rule_of, signature_flaw
from p2pcoup.table.notices import Accepted, Behind, Blame, Notice, Prompt, Refused
from p2pcoup.table.open_round import NOBODY, QUICK_ATTEMPTS, OpenRound, Seats, Statement
from p2pcoup.table.player import Player
from p2pcoup.table.rounds import Body, Context, Violation
from p2pcoup.table.script import play
from p2pcoup.table.terms import Terms
from p2pcoup.wire import Kind, SignedMessage

STATEMENTS = (Kind.ABSENT, Kind.PRESENT)
MAX_EARLY = 16  # of one seat: statements that overtake its first message
MAX_FAULTS_PER_ROUND = 4  # checking a false proof costs as much as a true one

Clock = Callable[[], float]


class Listener(ABC):
    """The state of a table and how it hears; speaking and moving on are the subclass's."""

    def __init__(self, terms: Terms, player: Player | None = None, *, clock: Clock) -> None:
        """``clock`` returns seconds and only measures how long the proofs take."""
        self.terms = terms
        self.proof_seconds = 0.0
        self._game_id = terms.game_id
        self._player = player
        self._clock = clock
        self._speaking = False
        self._answer: Move | None = None
        self._prompt: Prompt | None = None
        self._caught: set[Seat] = set()
        self._said: dict[tuple[int, bytes], dict[SignedMessage, None]] = {}
        self._told = 0
        self._paused = False
        self._astray = False
        self._start()

    def _start(self) -> None:
        """Set the game to its beginning."""
        self.game = Game(self.terms)
        self.outcome: Outcome | None = None
        self.final_digest = b""  # of the last round, once there is an outcome
        self._ahead = Ahead()
        self._rounds = [OpenRound(self._game_id, self.game.members)]
        self._script = play(self.game)
        self._round = next(self._script)
        self._early: dict[Seat, list[SignedMessage]] = {}

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

    # --- what the other half does ----------------------------------------------------------------

    @abstractmethod
    def receive(self, raw: bytes) -> list[Notice]:
        """Take bytes from any link, or a record of our journal. Never raises for what they hold."""

    @abstractmethod
    def _say(self, kind: Kind, body: Body, round_: int | None = None) -> list[Notice]:
        """Sign a message of our own for the open round, or a vouch for an earlier one."""

    @abstractmethod
    def _ask_again(self) -> list[Notice]:
        """Say that dropped messages are needed again."""

    # --- judging messages -----------------------------------------------------------------------

    @property
    def _now(self) -> OpenRound:
        return self._rounds[-1]

    def _hear(self, signed: SignedMessage) -> list[Notice]:
        """Judge a message for the open round."""
        message = signed.message
        seat = Seat(message.seat)
        known = self._now.messages.get(seat)
        if known is not None and known.raw == signed.raw:
            return []
        if message.parent != self._now.parent:
            return self._on_another_course(signed)
        if seat not in self.game.public_keys and message.kind is not Kind.JOIN:
            early = self._early.setdefault(seat, [])
            if len(early) < MAX_EARLY:
                early.append(signed)  # heard when its signer has joined
            return []
        if (flaw := signature_flaw(self.game, signed)) is not None:
            return [Refused(flaw)]
        if message.kind in STATEMENTS:
            return self._hear_statement(signed, self._now)
        if known is not None:
            return [self._equivocation(known, signed)]
        if self._now.faults[seat] >= MAX_FAULTS_PER_ROUND:
            return [
                Refused(f"Seat {seat} has sent too many false messages in round {message.round}.")
            ]
        try:
            self._check(signed)
        except REFUSALS as error:
            self._now.faults[seat] += 1
            return [self._blame(rule_of(error), str(error), signed)]
        self._now.messages[seat] = signed
        early = self._early.pop(seat, [])
        return [self._accepted(signed), *(n for each in early for n in self._hear(each))]

    def _on_another_course(self, signed: SignedMessage) -> list[Notice]:
        """Its signer knows another past than we do: whoever is right, we must compare all of it."""
        message = signed.message
        if signature_flaw(self.game, signed) is None and not self._astray:
            self._astray = self._ahead.dropped = True
        return [
            Refused(
                f"Seat {message.seat} builds on another course of the game in round "
                f"{message.round}."
            )
        ]

    def _accepted(self, signed: SignedMessage) -> Accepted:
        own = signed.message.seat == self._own
        if own:
            place = (signed.message.round, signed.message.parent)
            self._said.setdefault(place, {})[signed] = None
        return Accepted(signed, own)

    def _blame(self, rule: str, reason: str, *evidence: SignedMessage) -> Blame:
        message = evidence[0].message
        seat = Seat(message.seat)
        self._caught.add(seat)
        return Blame(seat, message.round, rule, reason, tuple(signed.raw for signed in evidence))

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
        """A message for a closed round is an old one again, or a second one: equivocation."""
        message = signed.message
        past, seat = self._rounds[message.round], Seat(message.seat)
        known = past.messages.get(seat)
        if known is not None and known.raw == signed.raw:
            return []
        statement = message.kind in STATEMENTS
        if message.parent != past.parent or not (known or statement):
            return [Refused(f"Round {message.round} is closed.")]
        if (flaw := signature_flaw(self.game, signed)) is not None:
            return [Refused(flaw)]
        if known is not None and not statement:
            return [self._equivocation(known, signed), *self._repeat(past, message.round, seat)]
        return self._hear_statement(signed, past)

    # --- absence (SPEC 8.13) --------------------------------------------------------------------

    @property
    def _own(self) -> Seat | None:
        return None if self._player is None else self._player.seat

    @property
    def _may_state(self) -> bool:
        return self._speaking and self.outcome is None and self._own in self._now.members

    def _hear_statement(self, signed: SignedMessage, at: OpenRound) -> list[Notice]:
        """Take a statement for the open round, or for one that we have closed."""
        try:
            new = at.hear(signed)
        except Violation as error:
            return [self._blame(error.rule, str(error), signed)]
        if isinstance(new, tuple):
            reason = f"Seat {signed.message.seat} made two statements that contradict each other."
            return [self._blame("absence", reason, *new)]
        if not new:
            return []
        notices: list[Notice] = [self._accepted(signed)]
        if at is not self._now:
            notices += self._vouch(at, at.named() & at.members, signed.message.round)
            notices += self._accept_loss(at, signed.message.round)
        return notices

    def _vouch(self, at: OpenRound, seats: Collection[Seat], round_: int) -> list[Notice]:
        """Give our word for seats that others call absent; once is enough in an open round."""
        own, attempt = self._own, at.latest_attempt
        if own not in at.members or own in self.game.lost or not self._speaking:
            return []
        again = at is not self._now
        there = frozenset(
            seat
            for seat in set(seats) - at.held_against(own) - at.lost - {own}
            if (at.vouched_by(own, seat) < attempt if again else not at.vouched_by(own, seat))
        )
        return self._say(Kind.PRESENT, (Statement(attempt, there).text,), round_) if there else []

    def _speak_of_absence(self) -> list[Notice]:
        """Vouch for whom others call absent wrongly, call absent whom we have caught cheating, and
        take part in every attempt once we have begun.
        """
        if not self._may_state:
            return []
        now, own = self._now, self._own
        notices = self._vouch(now, now.named() & now.messages.keys(), self.round)
        caught = self._caught & now.members
        joining = 0 < now.latest_of(own) < min(now.latest_attempt, QUICK_ATTEMPTS)
        if joining or not caught <= now.held_against(own):
            notices += self._state_absent(self.unheard if now.latest_of(own) else ())
        return notices

    def _state_absent(self, seats: Collection[Seat]) -> list[Notice]:
        own = self._own
        if own is None or not self._may_state:
            return []
        gone = (self._caught | set(seats)) & self._now.members - {own}
        said = self._now.next_statement(own, frozenset(gone))
        return [] if said is None else self._say(Kind.ABSENT, (said.text,))

    def _accept_loss(self, past: OpenRound, round_: int) -> list[Notice]:
        """The others have closed that round without us: follow them, as one who only watches."""
        agreed = past.agreement(self._own)
        if agreed is None or self._own not in agreed.seats or past.lost:
            return []
        self._speaking = False
        return self._go_back(round_)

    def _repeat(self, past: OpenRound, round_: int, cheat: Seat) -> list[Notice]:
        """Two messages of one seat in one round may have torn the table: the round is repeated
        without that seat, unless everybody else has built on it as we know it.
        """
        built = {m.message.seat for each in self._rounds[round_ + 1 :] for m in each.in_order()}
        if self._own in (None, cheat) or past.members - {cheat} - self.game.lost <= built | {
            self._own
        }:
            return []
        return self._go_back(round_)

    def _go_back(self, round_: int) -> list[Notice]:
        """Reopen a closed round with all that was said in it but by seats caught cheating."""
        kept = [m for each in self._rounds[:round_] for m in each.closed_by()]
        said = list(self._rounds[round_].everything())
        reopened = [m for m in said if m.message.seat not in self._caught]
        speaking, self._speaking = self._speaking, False
        self._start()
        for signed in kept:
            self.receive(signed.raw)
        self._paused = True  # what was said counts together: the round must not close half heard
        for signed in reopened:
            self.receive(signed.raw)
        self._paused = False
        self._prompt, self._answer = None, None
        self._told = len(self.game.happened)
        self._speaking = speaking
        return [Behind()]

    def _context(self, seat: Seat) -> Context:
        return Context(self._game_id, self.round, seat, self._now.parent)
