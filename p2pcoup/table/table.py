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
from p2pcoup.table.open_round import NOBODY, OpenRound, Seats, may_go_on, parse_seats, seats_to_text
from p2pcoup.table.player import Player
from p2pcoup.table.rounds import Body, Context, Speaker, Violation, one_text
from p2pcoup.table.script import play
from p2pcoup.table.terms import Terms
from p2pcoup.wire import Kind, Message, SignedMessage, WireError, parse, round_digest, sign

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
        self.game = Game(terms)
        self.outcome: Outcome | None = None
        self.final_digest = b""  # of the last round, once there is an outcome
        self.proof_seconds = 0.0
        self._game_id = terms.game_id
        self._player = player
        self._clock = clock
        self._speaking = False
        self._answer: Move | None = None
        self._prompt: Prompt | None = None
        self._ahead = Ahead()
        self._told = 0
        self._caught: set[Seat] = set()
        self._rounds = [OpenRound(self._game_id, self.game.members)]
        self._script = play(self.game)
        self._round = next(self._script)

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
        round waits for and, once anybody is called absent, all that have not said so too.
        """
        if self.outcome is not None:
            return NOBODY
        silent = set(self.waiting_for)
        if self._now.named():
            silent |= self._now.members - self._now.stated.keys() - self._now.messages.keys()
        return frozenset(silent | self._now.held_against(self._own)) - {self._own}

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
        """State that these seats are gone, beside those already called absent in this round.

        Left out are seats that are not in the game or have spoken in the round: of these we know
        better. Nothing is said when those left are no majority. The caller decides when somebody
        has been silent for too long.
        """
        if self._own not in self.game.members or not self._speaking or self.outcome is not None:
            return []
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
        if (flaw := signature_flaw(self.game, signed)) is not None:
            return [Refused(flaw)]
        if message.kind in (Kind.ABSENT, Kind.PRESENT):
            return self._hear_statement(signed)
        if known is not None:
            return [self._equivocation(known, signed)]
        if self._speaking and not self._now.is_welcome(seat, self._own):
            self._now.late[seat] = signed
            return []
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
        return [self._accepted(signed)]

    def _accepted(self, signed: SignedMessage) -> Accepted:
        return Accepted(signed, own=signed.message.seat == self._own)

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
        past = self._rounds[message.round]
        known = past.messages.get(Seat(message.seat))
        if known is not None and known.raw == signed.raw:
            return []
        if message.kind is Kind.PRESENT:
            return []
        if message.parent != past.parent or (known is None and message.kind is not Kind.ABSENT):
            return [Refused(f"Round {message.round} is closed.")]
        if (flaw := signature_flaw(self.game, signed)) is not None:
            return [Refused(flaw)]
        if known is None or message.kind is Kind.ABSENT:
            return self._vouch_in_past(signed, past)
        return [self._equivocation(known, signed)]

    # --- absence (SPEC 8.13) --------------------------------------------------------------------

    @property
    def _own(self) -> Seat | None:
        return None if self._player is None else self._player.seat

    def _hear_statement(self, signed: SignedMessage) -> list[Notice]:
        try:
            if not self._now.hear(signed):
                return []
        except Violation as error:
            return [self._blame(error.rule, str(error), signed)]
        notices: list[Notice] = [self._accepted(signed)]
        signer = Seat(signed.message.seat)
        if (both := self._now.contradiction(signer)) is not None:
            reason = f"Seat {signer} called a seat absent and vouched for it, in one round."
            notices.append(self._blame("absence", reason, *both))
        return notices

    def _vouch_in_past(self, signed: SignedMessage, past: OpenRound) -> list[Notice]:
        """Whoever still calls seats absent in a round we have closed with them is told so."""
        if not self._speaking or self._own not in past.members - self.game.lost:
            return []
        try:
            named = parse_seats(one_text(signed.message.body)) & past.members
        except Violation:
            return []
        seats = past.to_vouch_for(named - past.lost, self._own)
        return (
            self._say(Kind.PRESENT, (seats_to_text(seats),), signed.message.round) if seats else []
        )

    def _speak_of_absence(self) -> list[Notice]:
        """Vouch for whom others call absent wrongly; call absent whom we have caught cheating."""
        now, own = self._now, self._own
        if not self._speaking or own not in now.members:
            return []
        notices: list[Notice] = []
        if there := now.to_vouch_for(now.named() & now.messages.keys(), own):
            notices += self._say(Kind.PRESENT, (seats_to_text(there),))
        notices += self._state_absent(self._caught)
        return notices

    def _hear_late(self) -> list[Notice]:
        """Take late messages after all, where others do."""
        now = self._now
        now.trust(self._ahead.parents(self.round + 1), self._own)
        welcome = [seat for seat in now.late if now.is_welcome(seat, self._own)]
        return [notice for seat in welcome for notice in self._hear(now.late.pop(seat))]

    def _state_absent(self, seats: Collection[Seat]) -> list[Notice]:
        """Call seats absent that have not spoken, if this says more than we said before and those
        left could go on; a peer that has lost the table just waits.
        """
        before = self._now.held_against(self._own)
        silent = self._now.members.intersection(seats) - {self._own}
        gone = (before | silent) - self._now.messages.keys()
        if gone <= before or not may_go_on(self._now.members, gone):
            return []
        return self._say(Kind.ABSENT, (seats_to_text(gone),))

    # --- moving on ------------------------------------------------------------------------------

    def _go_on(self, notices: list[Notice]) -> list[Notice]:
        """Speak where it is our turn and close rounds for as long as they are complete."""
        while self.outcome is None:
            notices += self._speak()
            notices += self._speak_of_absence()
            notices += self._hear_late()
            gone = self._now.closes_without(self._round.speakers, self._own)
            if gone is None:
                break
            notices += self._close_round(gone)
            for signed in self._ahead.take(self.round):
                notices += self._hear(signed)
        return notices + self._ask_again()

    def _ask_again(self) -> list[Notice]:
        """Say that dropped messages are needed again."""
        needed = self.outcome is None and self._ahead.must_ask_again(self.round)
        return [Behind()] if needed else []

    def _close_round(self, gone: Seats) -> list[Notice]:
        """Chain the digest, resume the script and open the next round."""
        closed = self._now
        closed.lost = gone
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
        return [*notices, *self._news()]

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
            at.hear(signed)
            return [self._accepted(signed)]
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
