"""One round as it fills: who has spoken, and who is said to be gone (SPEC 8.2, 8.13).

A seat whose peer is gone, or that was caught cheating, would stop the game for ever. So the others
may close a round without it. Each signs a **statement of absence**: the number of an attempt to
agree, and the set of seats it calls absent in it; the set may be empty. What keeps two honest peers
from closing a round differently:

* A seat signs one set for each attempt, and attempts in ascending order. It closes the round
  without a set of seats only when *every* other member has signed that very set for the same
  attempt, and those signers are a majority.
* A statement is **void** when a seat that would have had to sign the same has signed another set
  for that attempt. A seat closes the round, with everybody or by an earlier attempt, only when all
  that it has signed since is void.
* Who has closed the round answers further attempts with the empty set: a few at once, the rest one
  by one.

Each of these is kept by signing nothing that contradicts it, so breaking one convicts by itself.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from p2pcoup.rules import Seat
from p2pcoup.table.rounds import Violation, one_text
from p2pcoup.wire import SignedMessage

MAX_ATTEMPTS = 99  # in one round; each takes the grace time
QUICK_ATTEMPTS = 6  # that are answered at once, beside one for each new name (`quick_attempts`)

Seats = frozenset[Seat]
NOBODY: Seats = frozenset()


class Statement(NamedTuple):
    """What a statement says: in this attempt its signer calls just these seats absent."""

    attempt: int
    seats: Seats

    @property
    def text(self) -> str:
        """The canonical text, seats ascending: ``2:1,3``; ``2:`` for nobody."""
        return f"{self.attempt}:{','.join(str(seat) for seat in sorted(self.seats))}"


def parse_statement(text: str) -> Statement:
    """The statement with that text. Raises Violation for anything else."""
    attempt, _, numbers = text.partition(":")
    parts = (attempt, *(numbers.split(",") if numbers else ()))
    if all(part.isascii() and part.isdecimal() for part in parts):
        seats = frozenset(Seat(int(number)) for number in parts[1:])
        statement = Statement(int(attempt), seats)
        if statement.text == text and 1 <= statement.attempt <= MAX_ATTEMPTS:
            return statement
    raise Violation("absence", f"{text!r} is no statement about seats.")


def may_go_on(members: Collection[Seat], gone: Seats) -> bool:
    """Whether the others may play on without these seats (SPEC 8.13).

    They must be a majority; exactly half counts with the lowest seat among them. Of two members
    either may go on, and then says so alone. So of a table torn in parts at most one goes on.
    """
    left = set(members) - gone
    if len(members) == 2:
        return len(left) == 1
    half = 2 * len(left) == len(members) and min(members) in left
    return half or 2 * len(left) > len(members)


@dataclass(slots=True)
class OpenRound:
    """A round that still waits for speakers, or one that is closed.

    Attributes:
        parent: digest of the round before.
        members: the seats in the game when the round began; only they make statements.
        speakers: the seats that are asked to speak, those included that were lost before.
        messages: the accepted messages.
        absent: for each seat its statements of absence, by attempt.
        faults: for each seat how many false messages it has sent.
        lost: once closed, the seats this round was closed without; ``attempt``: in which attempt.
    """

    parent: bytes
    members: Seats
    speakers: Seats
    messages: dict[Seat, SignedMessage] = field(default_factory=dict)
    absent: dict[Seat, dict[int, tuple[Statement, SignedMessage]]] = field(default_factory=dict)
    faults: Counter[Seat] = field(default_factory=Counter)
    lost: Seats = NOBODY
    attempt: int = 0

    # --- what counts ------------------------------------------------------------------------------

    def in_order(self) -> list[SignedMessage]:
        """What the digest of a closed round covers and the transcript holds, in the order of their
        places: the statements by which seats were lost, and the messages of the others.
        """
        signers = self.members - self.lost if self.lost else ()
        statements = [self.absent[seat][self.attempt][1] for seat in signers]
        spoken = [self.messages[seat] for seat in self.messages.keys() - self.lost]
        return sorted(statements + spoken, key=lambda signed: signed.message.place)

    def everything(self) -> Iterable[SignedMessage]:
        """All that was signed in an open round, for a peer that may lack it."""
        yield from self.messages.values()  # first, for only who has joined can be heard
        for some in self.absent.values():
            yield from (some[attempt][1] for attempt in sorted(some))

    def closed_by(self) -> Iterable[SignedMessage]:
        """All that made a closed round close as it did, to be heard again in this order."""
        counted = dict.fromkeys(self.in_order())
        void = set(self.messages.values())  # of seats lost, where they are not counted
        return [*counted, *(m for m in self.everything() if m not in counted and m not in void)]

    def agreements(self, own: Seat | None) -> list[Statement]:
        """The agreements by which our own seat may close the round without some seats."""
        return [
            said
            for said in {said for some in self.absent.values() for said, _ in some.values()}
            if said.seats
            and all(self.said_in(seat, said.attempt) == said for seat in self._outside(said))
            and may_go_on(self.members, said.seats)
            and self._may_follow(own, said)
        ]

    def _may_follow(self, own: Seat | None, agreed: Statement) -> bool:
        """Whether our own seat may close the round by an agreement. One that is outside of it: when
        what it has stated since cannot succeed. One that is given up: not on the word of one alone.
        """
        if own in agreed.seats:
            return len(self.members - agreed.seats) > 1
        return self._are_void(own, since=agreed.attempt)

    def may_close_whole(self, own: Seat | None) -> bool:
        """Whether nothing that we have stated ourselves can succeed any more."""
        return self._are_void(own, since=0)

    def _are_void(self, own: Seat | None, *, since: int) -> bool:
        """Of each of our statements after that attempt: whether a seat that would have had to sign
        it as well has signed something else.
        """
        return all(
            any(self.said_in(seat, attempt) not in (None, said) for seat in self._outside(said))
            for attempt, (said, _) in self._made_by(own).items()
            if attempt > since and said.seats
        )

    def _outside(self, said: Statement) -> Seats:
        return self.members - said.seats

    # --- statements -------------------------------------------------------------------------------

    def _made_by(self, seat: Seat | None) -> Mapping[int, tuple[Statement, SignedMessage]]:
        return {} if seat is None else self.absent.get(seat, {})

    @property
    def latest_attempt(self) -> int:
        """The highest attempt anybody has made; 0 when there is none."""
        return max((self.latest_of(seat) for seat in self.absent), default=0)

    @property
    def quick_attempts(self) -> int:
        """Up to which attempt others are answered at once (SPEC 8.13e): some, and one more for each
        seat that some seat has called absent for the first time here. Whoever begins an attempt
        without having waited has just caught somebody, and names a seat that it had not named. So
        its attempt is among these however many were used up, and nobody can make more of them than
        there are others to name.
        """
        return QUICK_ATTEMPTS + sum(len(self.held_against(seat)) for seat in self.absent)

    def latest_of(self, seat: Seat | None) -> int:
        """The latest attempt of one seat; 0 when it has made none. What lies beyond a gap in its
        attempts does not count before the gap is filled: nobody can use attempts up for others.
        """
        made = self._made_by(seat)
        return next(number for number in range(MAX_ATTEMPTS + 1) if number + 1 not in made)

    def statement_of(self, seat: Seat, attempt: int) -> SignedMessage | None:
        """The message in which a seat has made its statement for an attempt."""
        kept = self._made_by(seat).get(attempt)
        return None if kept is None else kept[1]

    def said_in(self, seat: Seat, attempt: int) -> Statement | None:
        """What a seat has stated in an attempt."""
        kept = self._made_by(seat).get(attempt)
        return None if kept is None else kept[0]

    def _named_in(self, attempt: int) -> set[Seats]:
        made = (some[attempt][0].seats for some in self.absent.values() if attempt in some)
        return set(made) - {NOBODY}

    def naming_in(self, attempt: int) -> Seats:
        """Who calls somebody absent in an attempt."""
        said = ((seat, self.said_in(seat, attempt)) for seat in self.absent)
        return frozenset(seat for seat, each in said if each is not None and each.seats)

    def held_against(self, seat: Seat | None) -> Seats:
        """All seats that one seat has called absent."""
        return NOBODY.union(*(said.seats for said, _ in self._made_by(seat).values()))

    def silent(self, own: Seat | None) -> Seats:
        """The members that have taken no part in our latest attempt; nobody before the first."""
        mine = self.latest_of(own)
        return frozenset(s for s in self.members if self.latest_of(s) < mine) if mine else NOBODY

    def new_attempt(self, own: Seat, gone: Seats) -> Statement | None:
        """What ``own`` may state of these seats; None if it has said so and others have still to
        answer, or if those left would be no majority.
        """
        mine = self.latest_of(own)
        said = self.said_in(own, mine)
        repeats = said is not None and said.seats == gone and mine == self.latest_attempt
        unanswered = any(self.latest_of(seat) < mine for seat in self.members - gone)
        pointless = not gone and mine == self.latest_attempt
        if pointless or (repeats and unanswered) or mine == MAX_ATTEMPTS:
            return None
        possible = not gone or may_go_on(self.members, gone)
        return Statement(mine + 1, gone) if possible else None

    def answer(self, own: Seat, gone: Seats) -> Statement | None:
        """What ``own`` has to say at once to an attempt that others have made: that it calls the
        very same seats absent, or that it has heard one of them. None: there is nothing to say yet.
        """
        attempt = self.latest_of(own) + 1
        if attempt > min(self.latest_attempt, self.quick_attempts):
            return None
        heard = self.messages.keys() - gone
        if self.is_named(attempt, gone) or any(seats & heard for seats in self._named_in(attempt)):
            return Statement(attempt, gone if may_go_on(self.members, gone) else NOBODY)
        return None

    def is_named(self, attempt: int, gone: Seats) -> bool:
        """Whether somebody calls just these seats absent in an attempt, and the rest may go on."""
        return gone in self._named_in(attempt) and may_go_on(self.members, gone)

    def hear(self, signed: SignedMessage) -> tuple[SignedMessage, SignedMessage] | bool:
        """Take a statement. True if it is new, False if not; two statements of one seat for one
        attempt, which no honest one signs both, if it contradicts an earlier one.

        Raises:
            Violation: the statement is not one its signer may make.
        """
        signer = Seat(signed.message.seat)
        said = parse_statement(one_text(signed.message.body))
        if signer in said.seats or not {signer, *said.seats} <= self.members:
            raise Violation("absence", f"Seat {signer} cannot make the statement {said.text}.")
        made = self.absent.setdefault(signer, {})
        if said.attempt not in made:
            made[said.attempt] = said, signed
            return True
        _, kept = made[said.attempt]
        return False if kept.raw == signed.raw else (kept, signed)
