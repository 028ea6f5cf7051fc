"""One round as it fills: who has spoken, and who is said to be gone (SPEC 8.2, 8.13).

A seat whose peer is gone, or that was caught cheating, would stop the game for ever. So the others
may close a round without it. Each signs a **statement of absence**: a set of seats, and the number
of the attempt to agree on one. What keeps two honest peers from closing a round differently:

* A seat signs one set for each attempt, and attempts in ascending order. It closes the round
  without a set of seats only when *every* other member has signed that very set for the same
  attempt, those signers are a majority, and what it has signed itself since cannot succeed.
* A seat **vouches** for one that others call absent by giving its word not to call it absent itself
  in any attempt so far. It does so when it has that seat's message, or has closed the round.
* A seat that has made statements closes the round with everybody only when none of them can
  succeed any more, because a seat that would have had to sign it as well has vouched.

Each of these is kept by signing nothing that contradicts it, so breaking one convicts by itself.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from p2pcoup.rules import Seat
from p2pcoup.table.rounds import Violation, one_text
from p2pcoup.wire import Kind, SignedMessage

MAX_ATTEMPTS = 99  # in one round; each takes the grace time
QUICK_ATTEMPTS = 3  # that are joined at once; so nobody can hurry the others through all of them

Seats = frozenset[Seat]
NOBODY: Seats = frozenset()


class Statement(NamedTuple):
    """What a statement says: these seats are absent, or were there, as of this attempt."""

    attempt: int
    seats: Seats

    @property
    def text(self) -> str:
        """The canonical text, seats ascending: ``2:1,3``."""
        return f"{self.attempt}:{','.join(str(seat) for seat in sorted(self.seats))}"


def parse_statement(text: str) -> Statement:
    """The statement with that text. Raises Violation for anything else."""
    attempt, _, numbers = text.partition(":")
    parts = (attempt, *numbers.split(","))
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
        messages: the accepted messages.
        absent: for each seat its statements of absence, by attempt.
        present: for each seat that is vouched for, the latest vouch of each other.
        faults: for each seat how many false messages it has sent.
        lost: once closed, the seats this round was closed without; ``attempt``: in which attempt.
    """

    parent: bytes
    members: Seats
    messages: dict[Seat, SignedMessage] = field(default_factory=dict)
    absent: dict[Seat, dict[int, tuple[Statement, SignedMessage]]] = field(default_factory=dict)
    present: dict[Seat, dict[Seat, tuple[int, SignedMessage]]] = field(default_factory=dict)
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
        yield from (signed for some in self.present.values() for _, signed in some.values())

    def closed_by(self) -> Iterable[SignedMessage]:
        """All that made a closed round close as it did, to be heard again in this order."""
        counted = dict.fromkeys(self.in_order())
        void = set(self.messages.values())  # of seats lost, where they are not counted
        return [*counted, *(m for m in self.everything() if m not in counted and m not in void)]

    def agreement(self, own: Seat | None) -> Statement | None:
        """The set of seats the round can be closed without, as our own seat may see it: in our
        latest attempt; for one who only watches, or is itself given up, in any.
        """
        for agreed in {said for some in self.absent.values() for said, _ in some.values()}:
            left = self.members - agreed.seats
            ours = self._may_follow(own, agreed)
            signed = all(self.said_in(seat, agreed.attempt) == agreed for seat in left)
            if ours and signed and may_go_on(self.members, agreed.seats):
                return agreed
        return None

    def _may_follow(self, own: Seat | None, agreed: Statement) -> bool:
        """Whether our own seat may close the round by an agreement. One that is outside of it: when
        what it has stated since cannot succeed. One that is given up: not on the word of one alone.
        """
        if own in agreed.seats:
            return len(self.members - agreed.seats) > 1
        since = [said for said, _ in self._of(own) if said.attempt > agreed.attempt]
        return all(self._is_void(said) for said in since)

    def _of(self, own: Seat | None) -> Iterable[tuple[Statement, SignedMessage]]:
        return () if own is None else self.absent.get(own, {}).values()

    def may_close_whole(self, own: Seat | None) -> bool:
        """Whether none of our own statements can succeed any more: of each, a seat that would have
        had to sign it too has given its word for one of those it names.
        """
        return all(self._is_void(said) for said, _ in self._of(own))

    def _is_void(self, said: Statement) -> bool:
        vouchers = {
            voucher
            for seat in said.seats
            for voucher, (attempt, _) in self.present.get(seat, {}).items()
            if attempt >= said.attempt
        }
        return bool(vouchers - said.seats)

    # --- statements -------------------------------------------------------------------------------

    @property
    def latest_attempt(self) -> int:
        """The highest attempt anybody has made; 0 when there is none."""
        return max((self.latest_of(seat) for seat in self.absent), default=0)

    def latest_of(self, seat: Seat | None) -> int:
        """The latest attempt of one seat; 0 when it has made none. What lies beyond a gap in its
        attempts does not count before the gap is filled: nobody can use attempts up for others.
        """
        made = {} if seat is None else self.absent.get(seat, {})
        return next(number for number in range(MAX_ATTEMPTS + 1) if number + 1 not in made)

    def said_in(self, seat: Seat, attempt: int) -> Statement | None:
        """What a seat has stated in an attempt."""
        kept = self.absent.get(seat, {}).get(attempt)
        return None if kept is None else kept[0]

    def named(self) -> Seats:
        """All seats that anybody calls absent."""
        return NOBODY.union(*(self.held_against(seat) for seat in self.absent))

    def held_against(self, seat: Seat | None) -> Seats:
        """All seats that one seat has called absent, as far as its attempts count."""
        some = {} if seat is None else self.absent.get(seat, {})
        counting = range(1, self.latest_of(seat) + 1)
        return NOBODY.union(*(some[attempt][0].seats for attempt in counting))

    def vouched_by(self, own: Seat | None, seat: Seat) -> int:
        """Up to which attempt ``own`` has given its word for ``seat``; 0 when it has not."""
        if own is None:
            return 0
        attempt, _ = self.present.get(seat, {}).get(own, (0, None))
        return attempt

    def silent(self, own: Seat | None) -> Seats:
        """The members that have taken no part in our latest attempt; nobody before the first."""
        mine = self.latest_of(own)
        return frozenset(s for s in self.members if self.latest_of(s) < mine) if mine else NOBODY

    def next_statement(self, own: Seat, gone: Seats) -> Statement | None:
        """What ``own`` may state of these seats; None if it has said so and others have still to
        answer, or if those left would be no majority.
        """
        mine = self.latest_of(own)
        attempt = mine + 1
        gone = frozenset(seat for seat in gone if self.vouched_by(own, seat) < attempt)
        said = self.said_in(own, mine)
        repeats = said is not None and said.seats == gone and mine == self.latest_attempt
        unanswered = any(self.latest_of(seat) < mine for seat in self.members - gone)
        if (
            not gone
            or (repeats and unanswered)
            or attempt > MAX_ATTEMPTS
            or not may_go_on(self.members, gone)
        ):
            return None
        return Statement(attempt, gone)

    def hear(self, signed: SignedMessage) -> tuple[SignedMessage, SignedMessage] | bool:
        """Take a statement. True if it is new, False if not; two statements of one seat, which no
        honest one signs both, if it contradicts an earlier one.

        Raises:
            Violation: the statement is not one its signer may make.
        """
        signer = Seat(signed.message.seat)
        said = parse_statement(one_text(signed.message.body))
        if signer in said.seats or not {signer, *said.seats} <= self.members:
            raise Violation("absence", f"Seat {signer} cannot make the statement {said.text}.")
        if signed.message.kind is Kind.ABSENT:
            return self._hear_absent(signer, said, signed)
        return self._hear_present(signer, said, signed)

    def _hear_absent(
        self, signer: Seat, said: Statement, signed: SignedMessage
    ) -> tuple[SignedMessage, SignedMessage] | bool:
        kept = self.absent.setdefault(signer, {}).setdefault(said.attempt, (said, signed))
        if kept[0] != said:
            return kept[1], signed
        for seat in said.seats:
            attempt, present = self.present.get(seat, {}).get(signer, (0, signed))
            if attempt >= said.attempt:
                return present, signed
        return kept[1] is signed

    def _hear_present(
        self, signer: Seat, said: Statement, signed: SignedMessage
    ) -> tuple[SignedMessage, SignedMessage] | bool:
        for absent, other in self.absent.get(signer, {}).values():
            if absent.attempt <= said.attempt and absent.seats & said.seats:
                return other, signed
        new = False
        for seat in said.seats:
            if self.vouched_by(signer, seat) < said.attempt:
                self.present.setdefault(seat, {})[signer] = (said.attempt, signed)
                new = True
        return new
