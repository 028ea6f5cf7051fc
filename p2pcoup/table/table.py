"""One seat's copy of a game, sans-IO (SPEC 8.2).

Bytes and answers go in, notices come out. The table runs the game script: it collects one valid
message from every speaker of the open round, closes the round into the digest chain and resumes
the script. It never waits, never reads a clock of its own and draws no randomness. How it hears is
in :mod:`~p2pcoup.table.listener`, how it goes on without seats in :mod:`~p2pcoup.table.absence`;
here are its public face, speaking and moving on.
"""

from collections.abc import Collection, Iterable, Iterator

from p2pcoup.rules import Move, Seat, View, pending
from p2pcoup.table.absence import Absence
from p2pcoup.table.errors import AnswerError, OwnMessageError
from p2pcoup.table.listener import place_of
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
from p2pcoup.table.open_round import NOBODY
from p2pcoup.table.player import Player
from p2pcoup.table.rounds import Body, Speaker
from p2pcoup.wire import (
    Identity,
    Kind,
    Message,
    SignedMessage,
    WireError,
    parse,
    round_digest,
    sign,
)


class Table(Absence):
    """A running game as one peer sees it; without a player it only watches and checks.

    Life: feed it the journal with :meth:`receive`, call :meth:`begin`, then keep feeding it
    messages and answers. Until :meth:`begin` it never speaks, so a restarted peer first takes back
    what it has already said.
    """

    # --- what the caller may ask ----------------------------------------------------------------

    @property
    def prompt(self) -> Prompt | None:
        """What our player must decide now, or None."""
        return self._prompt

    def transcript(self) -> Iterator[SignedMessage]:
        """What counts of all that was said, in the order of the transcript; of the open round the
        messages so far.
        """
        for each in self._rounds:
            yield from each.in_order()

    def messages(self, since: int) -> Iterator[SignedMessage]:
        """All messages from round ``since`` on that a peer may need which lacks them."""
        for each in self._rounds[max(since, 0) :]:
            yield from each.closed_by()

    def view(self) -> View:
        """What our own seat may know at this moment."""
        if self._player is None:
            raise AnswerError("A peer without a seat has no hand to look at.")
        return self._player.view(self.game)

    # --- what the caller gives ------------------------------------------------------------------

    def remember(self, records: Iterable[bytes]) -> None:
        """Take over from a journal what our own seat has signed, before the records are received
        in their order. Each is said again when its place has come, and nothing else there.
        """
        for raw in records:
            signed = parse(raw)
            if signed.message.game == self._game_id and signed.message.seat == self._own:
                self._heard.setdefault(place_of(signed), {})[signed] = None
        self._recall()

    def begin(self, identity: Identity | None = None) -> list[Notice]:
        """Start to speak for our own seat.

        Args:
            identity: of our seat when its game is over and its secret erased. Nothing is left to
                play, but somebody who was cut off may wait for our word on a closed round (8.13e).
        """
        self._identity = self._identity or identity
        self._speaking = True
        closed = list(enumerate(self._rounds[:-1]))
        return self._go_on([n for round_, past in closed for n in self._abstain(past, round_)])

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
        self._declared[self._place] = frozenset(seats)
        if not self._is_bound(self._now):
            self._try_another()
        rounds = self._rounds
        notices = self._rejoin() or self._abstain_slowly()
        if self._rounds is rounds:  # we have not gone back
            notices += self._state_absent()
        return self._go_on(notices)

    # --- moving on ------------------------------------------------------------------------------

    def _go_on(self, notices: list[Notice]) -> list[Notice]:
        """Speak where it is our turn and close rounds for as long as they are complete."""
        while self.outcome is None:
            notices += self._speak()
            notices += self._speak_of_absence()
            if self._can_close():
                notices += self._close_round()
            elif back := self._reconsider():
                notices += back
            else:
                break
        return notices + self._ask_again()

    def _ask_again(self) -> list[Notice]:
        """Say that dropped messages are needed again."""
        needed = self.outcome is None and self._ahead.must_ask_again(self.round)
        return [Behind()] if needed else []

    def _can_close(self) -> bool:
        """Whether the open round has all it needs; sets what it is closed without."""
        now = self._now
        agreed = self._agreement(now)
        now.attempt, now.lost = (0, NOBODY) if agreed is None else agreed
        if not set(self.waiting_for) <= now.lost:
            now.lost = NOBODY
            return False
        return agreed is not None or now.may_close_whole(self._own)

    def _close_round(self) -> list[Notice]:
        """Chain the digest, resume the script and open the next round."""
        closed = self._now
        gone = closed.lost
        self._astray = False
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
            # What the last round signs. Its own digest may differ: who has seats in it may sign
            # twice, and nothing follows in which that would come out.
            self.outcome, self.final_digest = end.value, closed.parent
        else:
            self._open_round(digest)
            notices += self._abstain(closed, self.round - 1)
            notices += self._recall()
        return [*notices, *self._news()]

    def _recall(self) -> list[Notice]:
        """Hear again what was said in this very place before we went back, and what came too early.
        So nothing of our own is signed twice, and nothing of others is lost.
        """
        notices: list[Notice] = []
        heard = list(self._heard.get(self._place, ()))
        for signed in heard if self._is_bound(self._now) else self._choices.preferred(heard):
            said = self._hear(signed)
            own = signed.message.seat == self._own
            if own and any(isinstance(notice, Refused | Blame) for notice in said):
                raise OwnMessageError(
                    f"what this peer has signed for round {self.round} is refused now."
                )
            notices += [notice for notice in said if not isinstance(notice, Accepted)]
            notices += [Accepted(signed, own, again=True)] if own else []
        for signed in self._ahead.take(self.round):
            notices += self._hear(signed)
        return notices

    def _go_back(self, round_: int) -> list[Notice]:
        """Reopen a closed round, with what is known now."""
        speaking, self._speaking = self._speaking, False
        self._start()
        self._recall()
        while self.round < round_ and self._can_close():
            self._close_round()
        self._prompt, self._answer = None, None
        self._told = len(self.game.happened)
        self._speaking = speaking
        return [Behind()]

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
        """Sign a message of our own for the open round, or a statement about an earlier one."""
        if self._identity is None or self._own is None:
            raise RuntimeError("who only watches says nothing")
        number = self.round if round_ is None else round_
        at = self._rounds[number]
        place = (self._game_id, number, self._own, at.parent)
        signed = sign(Message(*place, kind, body), self._identity)
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
