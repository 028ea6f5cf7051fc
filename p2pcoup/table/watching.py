"""How a peer follows the game that is no member of its rounds: it watches, or is out (SPEC 8.13g).

Members hold each other to one course by what they sign. Whoever signs nothing takes what the
members agree on; and where they cannot agree any more, because a seat has signed two things or
because of two each goes on alone, it finds out which course leads on.
"""

from abc import abstractmethod
from collections.abc import Hashable, Sequence

from p2pcoup.rules import Seat
from p2pcoup.table.choices import Slot
from p2pcoup.table.listener import Listener
from p2pcoup.table.notices import Notice
from p2pcoup.table.open_round import NOBODY, OpenRound, Statement
from p2pcoup.wire import SignedMessage

WITH_BOTH = Statement(0, NOBODY)


class Watching(Listener):
    """How a table chooses among courses."""

    @abstractmethod
    def _go_back(self, round_: int) -> list[Notice]:
        """Reopen a closed round, with what is known now."""

    def _is_bound(self, at: OpenRound) -> bool:
        """Whether our own seat is a member of that round, so that what it signs there counts."""
        return self._own in at.members

    def _built_on(self, round_: int) -> set[int]:
        """Who has spoken in later rounds of the same course."""
        return {m.message.seat for each in self._rounds[round_ + 1 :] for m in each.in_order()}

    # --- agreements -------------------------------------------------------------------------------

    def _agreement(self, at: OpenRound) -> Statement | None:
        """By which agreement a round is closed without some seats, if by any."""
        found = at.agreements(self._own)
        if self._is_bound(at):
            return max(found, key=lambda said: said.attempt, default=None)
        said = max(self._ways(at, found), key=lambda way: self._preference(at, way), default=None)
        return said if said is not None and said.seats else None

    def _ways(self, at: OpenRound, found: Sequence[Statement]) -> list[Statement]:
        """The ways to close a round without being bound. Of two that are left each may go on by its
        word alone; who has nothing to lose by it does not take such a word from a seat that was
        blamed. And such a word may be wrong: the round may close with both as well.
        """
        if len(at.members) != 2:
            return list(found)
        trusted = [said for said in found if not at.members - said.seats <= self._caught]
        return [*trusted, WITH_BOTH] if trusted else []

    def _preference(self, at: OpenRound, said: Statement) -> tuple[int, bool, int, int]:
        """What was tried least; of two members' words the one that we have followed so far: a cheat
        can make a new one for every attempt.
        """
        ours = len(at.members) == 2 and bool(at.lost) and said == (at.attempt, at.lost)
        lowest = min(at.members - said.seats)
        return -self._choices.vain[_way(at, said)], ours, said.attempt, -lowest

    # --- another course ---------------------------------------------------------------------------

    def _reconsider(self) -> list[Notice]:
        """Go back to the first round in which, by what we know now, we would choose otherwise."""
        if self.outcome is not None:
            return []
        for number, at in enumerate(self._rounds):
            if not self._is_bound(at) and self._chooses_otherwise(number, at):
                return self._go_back(number)
        return []

    def _chooses_otherwise(self, number: int, at: OpenRound) -> bool:
        for slot in self._choices.slots(number, at.parent):
            current = _said(at, slot)
            if current is None:
                continue
            tried = self._choices.another(slot, than=current)
            if tried is not None and tried <= self._choices.vain[current]:
                self._choices.vain[current] += self._is_refuted(number, at)
            if self._choices.best(slot) != current:
                return True
        if not at.absent or at is self._now:
            return False
        return (at.attempt, at.lost) != (self._agreement(at) or WITH_BOTH)

    def _other_ways(self, at: OpenRound, chosen: Statement) -> int | None:
        """How often the next best way to close a round of two was tried; None if there is none."""
        if len(at.members) != 2:
            return None
        ways = self._ways(at, at.agreements(self._own))
        return min(
            (self._choices.vain[_way(at, way)] for way in ways if way != chosen), default=None
        )

    def _honest_members(self, at: OpenRound) -> set[Seat]:
        """The members of a round of whom nothing is known against them."""
        return set(at.members - self.game.lost) - self._caught

    def _is_vouched(self, number: int, at: OpenRound) -> bool:
        """Whether somebody who was not blamed goes on from that round as we have it."""
        return not self._honest_members(at).isdisjoint(self._built_on(number))

    def _is_refuted(self, number: int, at: OpenRound) -> bool:
        """Whether somebody who was not blamed goes on from another course, and nobody from ours."""
        if self._is_vouched(number, at):
            return False
        known = (self._apart[s] for s in self._honest_members(at) if s in self._apart)
        return any(
            number < round_ <= self.round and self._rounds[round_].parent != parent
            for round_, parent in known
        )

    def _try_another(self) -> None:
        """Nothing has happened for too long: the choice tried least often is to be made otherwise,
        of several the earliest.
        """
        found: list[tuple[int, Hashable]] = []
        for number, at in enumerate(self._rounds):
            if not self._is_bound(at):
                found += self._choices_in(number, at)
        if found:
            least, current = min(found, key=lambda each: each[0])
            self._choices.vain[current] = max(least, self._choices.vain[current]) + 1

    def _choices_in(self, number: int, at: OpenRound) -> list[tuple[int, Hashable]]:
        """What we have chosen in a round and how often something else was tried instead."""
        found: list[tuple[int, Hashable]] = []
        if not self._is_vouched(number, at):
            for slot in self._choices.slots(number, at.parent):
                current = _said(at, slot)
                tried = None if current is None else self._choices.another(slot, than=current)
                if tried is not None:
                    found.append((tried, current))
        chosen = Statement(at.attempt, at.lost)
        tried = self._other_ways(at, chosen) if at.absent else None
        return found if tried is None else [*found, (tried, _way(at, chosen))]


def _said(at: OpenRound, slot: Slot) -> SignedMessage | None:
    """What counts in a round of the word that was signed more than once."""
    return at.statement_of(slot.seat, slot.attempt) if slot.attempt else at.messages.get(slot.seat)


def _way(at: OpenRound, said: Statement) -> Hashable:
    """A way to close a round with two members."""
    return at.parent, said
