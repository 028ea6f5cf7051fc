"""What a table makes of what it hears: judged, remembered, answered (SPEC 8.2, 8.13).

The half of :class:`~p2pcoup.table.table.Table` that deals with others. A message is judged in a
fixed order, cheapest first: structure, game, round, signature, and only then the proofs. Nothing
that is refused leaves a trace in the transcript.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable

from p2pcoup.rules import Move, Outcome, Seat
from p2pcoup.table.ahead import MAX_ROUNDS_AHEAD, Ahead
from p2pcoup.table.game import Game
from p2pcoup.table.judge import REFUSALS, check, rule_of, signature_flaw
from p2pcoup.table.notices import Accepted, Blame, Notice, Prompt, Refused
from p2pcoup.table.open_round import NOBODY, OpenRound, Seats, Statement
from p2pcoup.table.player import Player
from p2pcoup.table.rounds import Body, Context, Violation
from p2pcoup.table.script import play
from p2pcoup.table.terms import Terms
from p2pcoup.wire import Kind, SignedMessage

MAX_EARLY = 16  # of one seat: statements that overtake its first message
MAX_FAULTS_PER_ROUND = 4  # checking a false proof costs as much as a true one

Clock = Callable[[], float]
Place = tuple[int, bytes]
"""A round and the digest of the one before: the same place is never left and come to otherwise."""


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
        self._ahead = Ahead()
        self._caught: set[Seat] = set()
        self._declared: dict[Place, Seats] = {}
        self._heard: dict[Place, dict[SignedMessage, None]] = {}
        self._struck: set[tuple[Place, Seat]] = set()
        self._told = 0
        self._astray = False
        self._start()

    def _start(self) -> None:
        """Set the game to its beginning."""
        self.game = Game(self.terms)
        self.outcome: Outcome | None = None
        self.final_digest = b""  # of the last round, once there is an outcome
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

    # --- what the other half does ----------------------------------------------------------------

    @abstractmethod
    def receive(self, raw: bytes) -> list[Notice]:
        """Take bytes from any link, or a record of our journal. Never raises for what they hold."""

    @abstractmethod
    def _say(self, kind: Kind, body: Body, round_: int | None = None) -> list[Notice]:
        """Sign a message of our own for the open round, or a statement about an earlier one."""

    @abstractmethod
    def _ask_again(self) -> list[Notice]:
        """Say that dropped messages are needed again."""

    @abstractmethod
    def _go_back(self, round_: int) -> list[Notice]:
        """Reopen a closed round, with what is known now."""

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
        if (elsewhere := self._elsewhere(signed)) is not None:
            return elsewhere
        if (flaw := signature_flaw(self.game, signed)) is not None:
            return [Refused(flaw)]
        if message.kind is Kind.ABSENT:
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

    def _elsewhere(self, signed: SignedMessage) -> list[Notice] | None:
        """What becomes of a message that cannot be judged here, or not yet; None if it can."""
        seat = Seat(signed.message.seat)
        if signed.message.parent != self._now.parent:
            return self._on_another_course(signed)
        if seat in self.game.lost:
            reason = f"Seat {seat} is out of the game since an earlier round."
            return [Refused(reason, misplaced=True)]
        if seat not in self.game.public_keys and signed.message.kind is not Kind.JOIN:
            early = self._early.setdefault(seat, [])
            if len(early) < MAX_EARLY:
                early.append(signed)  # heard when its signer has joined
            return []
        return None

    def _on_another_course(self, signed: SignedMessage) -> list[Notice]:
        """Its signer knows another past than we do: whoever is right, we must compare all of it."""
        message = signed.message
        if signature_flaw(self.game, signed) is None and not self._astray:
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
            return [Refused(f"Round {message.round} is closed.", misplaced=True)]
        if (flaw := signature_flaw(self.game, signed)) is not None:
            return [Refused(flaw)]
        if message.kind is Kind.ABSENT:
            return self._hear_statement(signed, past)
        if known is not None:
            return [self._equivocation(known, signed), *self._repeat(past, message.round, seat)]
        reason = f"Seat {seat} has nothing to say in round {message.round}."
        return [self._blame("turn", reason, signed)]

    # --- absence (SPEC 8.13) --------------------------------------------------------------------

    @property
    def _own(self) -> Seat | None:
        return None if self._player is None else self._player.seat

    @property
    def _place(self) -> Place:
        return self.round, self._now.parent

    @property
    def _may_state(self) -> bool:
        return self._speaking and self.outcome is None and self._own in self._now.members

    @property
    def _gone(self) -> Seats:
        """Whom we call absent: who was caught, and of those that our caller has declared in this
        round who is still not heard. So nobody can hurry us to give up a seat that is only slow.
        """
        silent = self._declared.get(self._place, NOBODY) & self.unheard
        return (silent | self._caught) & self._now.members - {self._own}

    def _hear_statement(self, signed: SignedMessage, at: OpenRound) -> list[Notice]:
        """Take a statement for the open round, or for one that we have closed."""
        seat, round_ = Seat(signed.message.seat), signed.message.round
        try:
            new = at.hear(signed)
        except Violation as error:
            return [self._blame(error.rule, str(error), signed)]
        if isinstance(new, tuple):
            reason = f"Seat {seat} made two statements that contradict each other."
            return [self._blame("absence", reason, *new), *self._repeat(at, round_, seat)]
        if not new:
            return []
        notices: list[Notice] = [self._accepted(signed)]
        if self._is_closed(at) and seat != self._own:
            notices += self._abstain(at, round_)
            notices += self._follow(at, round_)
        return notices

    def _is_closed(self, at: OpenRound) -> bool:
        return at is not self._now or self.outcome is not None

    def _abstain(self, at: OpenRound, round_: int) -> list[Notice]:
        """We have closed that round: the others' attempts since do not get our signature; unless we
        wait in vain ourselves and hear no more of those seats than they do.
        """
        own = self._own
        notices: list[Notice] = []
        if not self._speaking or own not in at.members or own in self.game.lost:
            return []
        while (attempt := at.latest_of(own) + 1) <= at.latest_attempt:
            gone = at.silent(own) - {own}
            if self._place in self._declared and at.is_named(attempt, gone):
                return notices + self._reopen(Statement(attempt, gone), round_)
            notices += self._say(Kind.ABSENT, (Statement(attempt, NOBODY).text,), round_)
        return notices

    def _reopen(self, said: Statement, round_: int) -> list[Notice]:
        """Make a statement about a round we have closed, and go back to it. To have closed a round
        binds nobody, statements do.
        """
        notices = [*self._say(Kind.ABSENT, (said.text,), round_), *self._go_back(round_)]
        self._declared[self._place] = said.seats
        return notices

    def _speak_of_absence(self) -> list[Notice]:
        """Call absent whom we have caught, and answer what others state."""
        own, notices = self._own, list[Notice]()
        while own is not None and self._may_state:
            now, gone = self._now, self._gone
            fresh = not self._caught & gone <= now.held_against(own)
            said = now.answer(own, gone) or (now.new_attempt(own, gone) if fresh else None)
            if said is None:
                break
            notices += self._say(Kind.ABSENT, (said.text,))
        return notices

    def _state_absent(self) -> list[Notice]:
        own = self._own
        if own is None or not self._may_state:
            return []
        said = self._now.new_attempt(own, self._gone)
        return [] if said is None else self._say(Kind.ABSENT, (said.text,))

    def _rejoin(self) -> list[Notice]:
        """Nothing has happened for too long, and another seat still tries to agree on a round that
        we have closed: take part in that again.
        """
        own = self._own
        for number, past in enumerate(self._rounds[:-1]):
            if own is None or not self._may_state or not past.latest_of(own):
                continue
            built = {m.message.seat for each in self._rounds[number + 1 :] for m in each.in_order()}
            stuck = {s for s in past.members - {own} if past.held_against(s)} - built - past.lost
            said = past.new_attempt(own, past.silent(own) - {own}) if stuck else None
            if said is not None and said.seats:
                return self._reopen(said, number)
        return []

    def _follow(self, past: OpenRound, round_: int) -> list[Notice]:
        """The others have closed that round differently, and we do not count or were given up."""
        agreed = past.agreement(self._own)
        if agreed is None or (agreed.seats, agreed.attempt) == (past.lost, past.attempt):
            return []
        if self._own in agreed.seats:
            self._speaking = False
        elif self._own in past.members:
            return []
        return self._go_back(round_)

    def _repeat(self, past: OpenRound, round_: int, cheat: Seat) -> list[Notice]:
        """Two messages of one seat in one round may have torn the table: the round is repeated
        without that seat, unless everybody else has built on it as we know it. Once is enough.
        """
        place = round_, past.parent
        done = cheat in past.lost or (place, cheat) in self._struck or self.outcome is not None
        if done or not self._is_closed(past) or self._own in (None, cheat):
            return []
        built = {m.message.seat for each in self._rounds[round_ + 1 :] for m in each.in_order()}
        if past.members - {cheat, self._own} - self.game.lost <= built:
            return []
        self._struck.add((place, cheat))
        for signed in [m for m in self._heard[place] if m.message.seat == cheat]:
            del self._heard[place][signed]
        return self._go_back(round_)

    def _context(self, seat: Seat) -> Context:
        return Context(self._game_id, self.round, seat, self._now.parent)


def place_of(signed: SignedMessage) -> Place:
    return signed.message.round, signed.message.parent
