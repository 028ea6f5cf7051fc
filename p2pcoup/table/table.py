"""One seat's copy of a game, sans-IO (SPEC 8.2).

Bytes and answers go in, notices come out. The table runs the game script: it collects one valid
message from every speaker of the open round, closes the round into the digest chain and resumes
the script. It never waits, never reads a clock of its own and draws no randomness.

A message is judged in a fixed order, cheapest first: structure, game, round, signature, and only
then the proofs. Nothing that is refused leaves a trace in the transcript.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from p2pcoup.deck import ProofError
from p2pcoup.rules import (
    Concede,
    DecisionKind,
    Move,
    Outcome,
    RulesError,
    Seat,
    View,
    move_to_text,
    pending,
)
from p2pcoup.table.ahead import MAX_ROUNDS_AHEAD, Ahead
from p2pcoup.table.game import Game
from p2pcoup.table.notices import (
    Accepted,
    Behind,
    Blame,
    Finished,
    Notice,
    Prompt,
    Refused,
)
from p2pcoup.table.player import Player
from p2pcoup.table.rounds import Context, Speaker, Violation
from p2pcoup.table.script import play
from p2pcoup.table.terms import Terms
from p2pcoup.wire import (
    Kind,
    Message,
    SignedMessage,
    WireError,
    parse,
    peer_id,
    round_digest,
    sign,
    verify_signature,
)

MAX_FAULTS_PER_ROUND = 4  # checking a false proof costs as much as a true one

Clock = Callable[[], float]


class AnswerError(ValueError):
    """The player's answer cannot be taken: the message says why. Nothing has changed."""


@dataclass(slots=True)
class _OpenRound:
    """A round that still waits for speakers, or one that is closed."""

    parent: bytes
    messages: dict[Seat, SignedMessage] = field(default_factory=dict)
    faults: dict[Seat, int] = field(default_factory=dict)

    def in_seat_order(self) -> list[SignedMessage]:
        return [self.messages[seat] for seat in sorted(self.messages)]


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
        self._rounds = [_OpenRound(self._game_id)]
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
    def prompt(self) -> Prompt | None:
        """What our player must decide now, or None."""
        return self._prompt

    def messages(self, since: int = 0) -> Iterator[SignedMessage]:
        """All accepted messages from round ``since`` on, in the order of the transcript."""
        for closed in self._rounds[max(since, 0) :]:
            yield from closed.in_seat_order()

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
            return self._compare_with_past(signed)
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
        half_way = asked.decision.kind in (DecisionKind.KEEP, DecisionKind.PICK)
        conceding = isinstance(move, Concede) and not half_way
        legal = asked.view.legal_moves()
        if move.seat != asked.decision.seat or not (conceding or move in legal):
            possible = ", ".join(move_to_text(each) for each in legal)
            raise AnswerError(
                f"'{move_to_text(move)}' is not possible here; choose from: {possible}."
            )
        self._prompt, self._answer = None, move
        return self._go_on([])

    # --- judging messages -----------------------------------------------------------------------

    @property
    def _now(self) -> _OpenRound:
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
        if self._now.faults.get(seat, 0) >= MAX_FAULTS_PER_ROUND:
            return [
                Refused(f"Seat {seat} has sent too many false messages in round {message.round}.")
            ]
        if (flaw := self._signature_flaw(signed)) is not None:
            return [Refused(flaw)]
        if known is not None:
            return [_equivocation(known, signed)]
        try:
            self._check(signed)
        except (Violation, ProofError, WireError, RulesError) as error:
            self._now.faults[seat] = self._now.faults.get(seat, 0) + 1
            return [Blame(seat, self.round, _rule(error), str(error), (signed.raw,))]
        self._now.messages[seat] = signed
        return [Accepted(signed, own=self._player is not None and seat == self._player.seat)]

    def _check(self, signed: SignedMessage) -> None:
        """Raise what is wrong with a correctly signed message for the open round."""
        message, seat = signed.message, Seat(signed.message.seat)
        if seat not in self._round.speakers:
            raise Violation("turn", f"Seat {seat} has nothing to say in round {message.round}.")
        if message.kind is not self._round.kind:
            wanted = self._round.kind.value
            raise Violation(
                "kind", f"Round {message.round} wants {wanted}, not {message.kind.value}."
            )
        started = self._clock()
        try:
            self._round.hear(self._context(seat), message.body)
        finally:
            self.proof_seconds += self._clock() - started

    def _signature_flaw(self, signed: SignedMessage) -> str | None:
        """Why the signature proves nothing, or None when it is good."""
        seat = Seat(signed.message.seat)
        key = self.game.public_keys.get(seat)
        if key is None:
            match signed.message:
                case Message(kind=Kind.JOIN, body=(bytes(key), _)):
                    if peer_id(key) != self.terms.roster[seat].peer:
                        return f"Seat {seat} belongs to another peer."
                case _:
                    return f"Seat {seat} has not joined yet."
        try:
            verify_signature(signed, key)
        except WireError as error:
            return str(error)
        return None

    def _keep_for_later(self, signed: SignedMessage) -> list[Notice]:
        """Hold a message for a round we have not reached; others may be faster than we are."""
        message = signed.message
        too_far = message.round > self.round + MAX_ROUNDS_AHEAD
        if too_far or Seat(message.seat) not in self.game.public_keys:
            self._ahead.dropped = True
        elif (flaw := self._signature_flaw(signed)) is not None:
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
        if known is None or message.parent != past.parent:
            return [Refused(f"Round {message.round} is closed.")]
        if (flaw := self._signature_flaw(signed)) is not None:
            return [Refused(flaw)]
        return [_equivocation(known, signed)]

    # --- moving on ------------------------------------------------------------------------------

    def _go_on(self, notices: list[Notice]) -> list[Notice]:
        """Speak where it is our turn and close rounds for as long as they are complete."""
        while self.outcome is None:
            notices += self._speak()
            if self.waiting_for:
                break
            self._close_round()
            notices += self._news()
            for signed in self._ahead.take(self.round):
                notices += self._hear(signed)
        return notices + self._ask_again()

    def _ask_again(self) -> list[Notice]:
        """Say that dropped messages are needed again."""
        needed = self.outcome is None and self._ahead.must_ask_again(self.round)
        return [Behind()] if needed else []

    def _close_round(self) -> None:
        """Chain the digest, resume the script and open the next round."""
        digest = round_digest(self._now.parent, self._now.in_seat_order())
        try:
            self._round = next(self._script)
        except StopIteration as end:
            self.outcome, self.final_digest = end.value, digest
        else:
            self._rounds.append(_OpenRound(digest))

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
        context = self._context(player.seat)
        started = self._clock()
        body = self._round.say(Speaker(context, player.secrets, player.public_key, self._answer))
        self.proof_seconds += self._clock() - started
        self._answer = None
        place = (context.game, context.round, context.seat, context.parent)
        signed = sign(Message(*place, self._round.kind, body), player.identity)
        # Our own message passes the same checks as everybody's before it leaves: a fault of this
        # machine must not get its player blamed.
        notices = self._hear(signed)
        if not any(isinstance(notice, Accepted) for notice in notices):
            raise RuntimeError(f"our own message was not valid and was not sent: {notices}")
        return notices

    def _ask(self, player: Player) -> list[Notice]:
        if self._prompt is not None:
            return []
        decision = next(one for one in pending(self.game.playing) if one.seat == player.seat)
        self._prompt = Prompt(self.round, decision, player.view(self.game))
        return [self._prompt]

    def _context(self, seat: Seat) -> Context:
        return Context(self._game_id, self.round, seat, self._now.parent)


def _equivocation(first: SignedMessage, second: SignedMessage) -> Blame:
    message = first.message
    return Blame(
        Seat(message.seat),
        message.round,
        "equivocation",
        f"Seat {message.seat} signed two different messages for round {message.round}.",
        (first.raw, second.raw),
    )


def _rule(error: Exception) -> str:
    """The short name of the rule that an error of any layer below stands for."""
    match error:
        case Violation(rule=rule):
            return rule
        case ProofError(check=check):
            return check
        case RulesError():
            return "move"
        case _:
            return "message"
