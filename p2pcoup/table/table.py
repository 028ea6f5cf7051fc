"""One seat's copy of a game, sans-IO (SPEC 8.2).

Bytes and answers go in, notices come out. The table runs the game script: it collects one valid
message from every speaker of the open round, closes the round into the digest chain and resumes
the script. It never waits, never reads a clock of its own and draws no randomness.

A message is judged in a fixed order, cheapest first: structure, game, round, signature, and only
then the proofs. Nothing that is refused leaves a trace in the transcript.
"""

from collections.abc import Callable, Collection, Iterable, Iterator

from p2pcoup.rules import Move, Outcome, Seat, View, pending
from p2pcoup.table.ahead import MAX_ROUNDS_AHEAD, Ahead
from p2pcoup.table.errors import AnswerError, OwnMessageError
from p2pcoup.table.game import Game
from p2pcoup.table.judge import REFUSALS, check, rule_of, signature_flaw
from p2pcoup.table.notices import (
    Accepted,
    Behind,
    Blame,
    Finished,
    LeftBehind,
    Notice,
    Prompt,
    Refused,
)
from p2pcoup.table.open_round import NOBODY, QUICK_ATTEMPTS, OpenRound, Seats, Statement
from p2pcoup.table.player import Player
from p2pcoup.table.rounds import Body, Context, Speaker, Violation
from p2pcoup.table.script import play
from p2pcoup.table.terms import Terms
from p2pcoup.wire import Kind, Message, SignedMessage, WireError, parse, round_digest, sign

STATEMENTS = (Kind.ABSENT, Kind.PRESENT)
MAX_EARLY = 16  # of one seat: statements that overtake its first message
MAX_FAULTS_PER_ROUND = 4  # checking a false proof costs as much as a true one

Clock = Callable[[], float]


class Table:
    """A running game as one peer sees it; without a player it only watches and checks.

    Life: feed it the journal with :meth:`receive`, call :meth:`begin`, then keep feeding it
    messages and answers. Until :meth:`begin` it never speaks, so a restarted peer first takes back
    what it has already said.
    """

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

    # --- what the caller may ask ----------------------------------------------------------------

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
    def unheard(self) -> Seats:
        """Whose absence may have to be stated when nothing happens for too long: the seats the open
        round waits for and, in an attempt to agree on who is gone, those that take no part in it.
        """
        if self.outcome is not None:
            return NOBODY
        return self._now.silent(self._own).union(self.waiting_for) - {self._own}

    @property
    def prompt(self) -> Prompt | None:
        """What our player must decide now, or None."""
        return self._prompt

    def messages(self, since: int = 0) -> Iterator[SignedMessage]:
        """All messages from round ``since`` on in the order of the transcript, then whatever is
        signed in the open round.
        """
        since = max(since, 0)
        for number, each in enumerate(self._rounds[since:], since):
            is_open = number == self.round and self.outcome is None
            yield from each.everything() if is_open else each.in_order()

    def view(self) -> View:
        """What our own seat may know at this moment."""
        if self._player is None:
            raise AnswerError("A peer without a seat has no hand to look at.")
        return self._player.view(self.game)

    # --- what the caller gives ------------------------------------------------------------------

    def begin(self) -> list[Notice]:
        """Start to speak for our own seat."""
        self._speaking = True
        return self._go_on([])

    def receive(self, raw: bytes) -> list[Notice]:
        """Take bytes from any link, or a record of our journal. Never raises for what they hold."""
        try:
            signed = parse(raw)
        except WireError as error:
            return [Refused(str(error))]
        message = signed.message
        if message.game != self._game_id:
            return [Refused("The message belongs to another game.")]
        if message.seat >= len(self.terms.roster):
            return [Refused(f"There is no seat {message.seat} at this table.")]
        if message.round > self.round:
            return self._keep_for_later(signed)
        if message.round < self.round or self.outcome is not None:
            return self._go_on(self._compare_with_past(signed))
        return self._go_on(self._hear(signed))

    def answer(self, prompt: int, move: Move) -> list[Notice]:
        """Take the player's move for the prompt with that id.

        Raises:
            AnswerError: no such prompt is open, or the player cannot make that move; the message
                says what is possible. The prompt stays open.
        """
        asked = self._prompt
        if asked is None or asked.id != prompt:
            raise AnswerError("This decision is no longer open; nothing was changed.")
        asked.check(move)
        self._prompt, self._answer = None, move
        return self._go_on([])

    def declare_absent(self, seats: Collection[Seat]) -> list[Notice]:
        """State that just these seats of the game are gone: a new attempt to agree, if it differs
        from our last (SPEC 8.13). Nothing is said when those left are no majority. The caller
        decides when somebody has been silent for too long.
        """
        return self._go_on(self._state_absent(seats))

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
            return [
                Refused(
                    f"Seat {seat} builds on another course of the game in round {message.round}."
                )
            ]
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
        if self._own in (None, cheat) or past.members - {cheat} <= built | {self._own}:
            return []
        return self._go_back(round_)

    def _go_back(self, round_: int) -> list[Notice]:
        """Reopen a closed round with all that was said in it but by seats caught cheating."""
        kept = [m for each in self._rounds[:round_] for m in each.in_order()]
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

    # --- moving on ------------------------------------------------------------------------------

    def _go_on(self, notices: list[Notice]) -> list[Notice]:
        """Speak where it is our turn and close rounds for as long as they are complete."""
        while self.outcome is None:
            notices += self._speak()
            notices += self._speak_of_absence()
            if not self._can_close():
                break
            notices += self._close_round()
            for signed in self._ahead.take(self.round):
                notices += self._hear(signed)
        return notices + self._ask_again()

    def _ask_again(self) -> list[Notice]:
        """Say that dropped messages are needed again."""
        needed = self.outcome is None and self._ahead.must_ask_again(self.round)
        return [Behind()] if needed else []

    def _can_close(self) -> bool:
        """Whether the open round has all it needs; sets what it is closed without."""
        now = self._now
        if self._paused:
            return False
        agreed = now.agreement(self._own)
        now.attempt, now.lost = (0, NOBODY) if agreed is None else agreed
        if not set(self.waiting_for) <= now.lost:
            now.lost = NOBODY
            return False
        return agreed is not None or now.may_close_whole(self._own)

    def _close_round(self) -> list[Notice]:
        """Chain the digest, resume the script and open the next round."""
        closed = self._now
        gone = closed.lost
        digest = round_digest(closed.parent, closed.in_order())
        notices: list[Notice] = []
        if gone:
            self.game.lost |= gone
            self._prompt = None  # what was asked may be void
            self._speaking &= self._own not in gone
            notices.append(LeftBehind(self.round, gone, tuple(sorted(closed.members - gone))))
        try:
            self._resume()
        except StopIteration as end:
            self.outcome, self.final_digest = end.value, digest
        else:
            self._rounds.append(OpenRound(digest, self.game.members))
            self._recall()
            notices += self._vouch(closed, closed.named(), self.round - 1)
        return [*notices, *self._news()]

    def _recall(self) -> None:
        """Take back what we have said in this very place before: nothing is signed twice."""
        for signed in list(self._said.get((self.round, self._now.parent), ())):
            self._hear(signed)

    def _resume(self) -> None:
        """Go on in the script to the next round that needs no lost seat."""
        lost = self.game.lost
        self._round = self._script.send(tuple(lost.intersection(self._round.speakers)))
        while missing := tuple(lost.intersection(self._round.speakers)):
            self._round = self._script.send(missing)

    def _news(self) -> Iterable[Notice]:
        """What the script did since last time."""
        steps = self.game.happened[self._told :]
        self._told = len(self.game.happened)
        yield from steps
        if self.outcome is not None:
            yield Finished(self.outcome)

    def _speak(self) -> list[Notice]:
        """Say what our own seat must say in the open round, or ask the player first."""
        player = self._player
        if not self._speaking or player is None or player.seat not in self.waiting_for:
            return []
        if self._round.asks and self._answer is None:
            return self._ask(player)
        started = self._clock()
        context = self._context(player.seat)
        body = self._round.say(Speaker(context, player.secrets, player.public_key, self._answer))
        self.proof_seconds += self._clock() - started
        self._answer = None
        return self._say(self._round.kind, body)

    def _say(self, kind: Kind, body: Body, round_: int | None = None) -> list[Notice]:
        """Sign a message of our own for the open round, or a vouch for an earlier one."""
        if self._player is None:
            raise RuntimeError("who only watches says nothing")
        number = self.round if round_ is None else round_
        at = self._rounds[number]
        place = (self._game_id, number, self._player.seat, at.parent)
        signed = sign(Message(*place, kind, body), self._player.identity)
        if at is not self._now:
            return self._hear_statement(signed, at)
        # Our own message passes the same checks as everybody's before it leaves: a fault of this
        # machine must not get its player blamed.
        notices = self._hear(signed)
        if not any(isinstance(notice, Accepted) for notice in notices):
            raise OwnMessageError(
                f"This peer made a {kind.value} message that its own check refuses, so it was not "
                f"sent: {notices[0].reason if isinstance(notices[0], Blame | Refused) else ''}"
            )
        return notices

    def _ask(self, player: Player) -> list[Notice]:
        if self._prompt is not None:
            return []
        decision = next(one for one in pending(self.game.playing) if one.seat == player.seat)
        self._prompt = Prompt(self.round, decision, player.view(self.game))
        return [self._prompt]

    def _context(self, seat: Seat) -> Context:
        return Context(self._game_id, self.round, seat, self._now.parent)
