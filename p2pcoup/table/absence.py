"""Who is gone: what a table states about absence, and what it makes of others' statements
(SPEC 8.13).

What counts as agreed is in :mod:`~p2pcoup.table.open_round`. Here is when our own seat states
something, and when a round that is closed is opened again: because the others have closed it
without us, because a seat that signed twice may have torn the table, or because we would otherwise
wait for ever.
"""

from p2pcoup.rules import Seat
from p2pcoup.table.notices import Notice
from p2pcoup.table.open_round import NOBODY, OpenRound, Seats, Statement
from p2pcoup.table.rounds import Violation
from p2pcoup.table.watching import Watching
from p2pcoup.wire import Kind, SignedMessage


class Absence(Watching):
    """How a table goes on without seats."""

    # --- the open round -------------------------------------------------------------------------

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

    # --- rounds that are closed ------------------------------------------------------------------

    def _abstain(self, at: OpenRound, round_: int, until: int | None = None) -> list[Notice]:
        """We have closed that round: the others' attempts since do not get our signature, up to
        that one, or to the last of the quick; unless we have reason to go back to it ourselves.
        """
        own = self._own
        notices: list[Notice] = []
        if not self._speaking or own not in at.members or own in self.game.lost:
            return []
        while (attempt := at.latest_of(own) + 1) <= at.latest_attempt:
            gone = self._given_up(at, round_)
            if at.is_named(attempt, gone):
                return notices + self._reopen(Statement(attempt, gone), round_)
            if attempt > (at.quick_attempts if until is None else until):
                break  # nobody makes us sign without end
            notices += self._say(Kind.ABSENT, (Statement(attempt, NOBODY).text,), round_)
        return notices

    def _abstain_slowly(self) -> list[Notice]:
        """Nothing has happened for too long: answer one more attempt for each round we have closed.
        Somebody who was cut off may need it, and was waiting for us: it gets one more grace time in
        this place.
        """
        rounds, notices = self._rounds, list[Notice]()
        for number, past in enumerate(rounds[:-1]):
            if self._rounds is rounds:  # we have not gone back
                mine = past.latest_of(self._own)
                answered = self._abstain(past, number, mine + 1)
                notices += answered
                if answered and self._rounds is rounds:
                    self._wait_again(past.naming_in(mine + 1))
        return notices

    def _wait_again(self, seats: Seats) -> None:
        """These have only now got an answer from us: not to be called silent yet, but once."""
        waited = self._waited.setdefault(self._place, set())
        self._declared[self._place] -= seats - waited
        waited |= seats

    def _rejoin(self) -> list[Notice]:
        """Nothing has happened for too long: begin an attempt anew for a round that we have closed,
        if there is reason to.
        """
        own = self._own
        for number, past in enumerate(self._rounds[:-1]):
            if own is None or not self._may_state or not past.latest_of(own):
                continue
            said = past.new_attempt(own, self._given_up(past, number))
            if said is not None and said.seats:
                return self._reopen(said, number)
        return []

    def _given_up(self, past: OpenRound, round_: int) -> Seats:
        """Whom to call absent in a round we have closed: who has torn it; or, while we wait in vain
        and others still make attempts for it, who takes no part in them.
        """
        own, others = self._own, past.members - {self._own} - self.game.lost
        torn = {s for s in others if ((round_, past.parent), s) in self._torn} - past.lost
        built = self._built_on(round_)
        if self.outcome is not None or own not in past.members or others - torn <= built:
            return NOBODY
        if torn or self._place not in self._declared:
            return frozenset(torn)
        stuck = any(past.held_against(seat) for seat in others - built)
        return past.silent(own) - {own} if stuck else NOBODY

    def _reopen(self, said: Statement, round_: int) -> list[Notice]:
        """Make a statement about a round we have closed, and go back to it. To have closed a round
        binds nobody, statements do.
        """
        notices = [*self._say(Kind.ABSENT, (said.text,), round_), *self._go_back(round_)]
        self._declared[self._place] = said.seats
        return notices

    def _follow(self, past: OpenRound, round_: int) -> list[Notice]:
        """The others have closed that round differently, and we do not count or were given up."""
        agreed = self._agreement(past)
        if agreed is None or (agreed.seats, agreed.attempt) == (past.lost, past.attempt):
            return []
        if self._own in agreed.seats:
            self._speaking = False
        elif self._is_bound(past):
            return []
        return self._go_back(round_)

    def _repeat(self, past: OpenRound, round_: int, cheat: Seat) -> list[Notice]:
        """Two messages of one seat in one round may have torn the table: call it absent there. Who
        is no member looks for the course that leads on.
        """
        self._torn.add(((round_, past.parent), cheat))
        own, closed = self._own, self._is_closed(past)
        if own is None or not closed or not self._may_state or cheat in past.lost:
            return []
        if cheat in past.held_against(own):
            return []  # said already; a third signature makes nobody sign a third time
        said = past.new_attempt(own, self._given_up(past, round_)) if own in past.members else None
        return [] if said is None or not said.seats else self._reopen(said, round_)
