"""One round as it fills: who has spoken, and who is said to be gone (SPEC 8.2, 8.13).

A seat whose peer is gone, or that was caught cheating, would stop the game for ever. So the others
may close a round without it. Each signs a **statement of absence** that names a set of seats. What
keeps two honest peers from closing a round differently:

* The statements count when *every* other member has signed the very same set, and those signers
  are a majority. So of a table torn in parts at most one goes on.
* Who has accepted a message of a seat in the round, or has closed the round, never states that
  seat's absence in it. When another does, it **vouches** for the seat instead.
* Who has stated a seat's absence takes its message, and closes the round with it, only when a
  member it has not itself called absent vouches for the seat or has built on its message.

Nobody does both for one seat; whoever does is convicted by the two statements.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from p2pcoup.rules import Seat
from p2pcoup.table.rounds import Violation, one_text
from p2pcoup.wire import Kind, SignedMessage, round_digest

MAX_STATEMENTS = 16  # of one seat in one round; the set it names grows with each seat that is gone

Seats = frozenset[Seat]
NOBODY: Seats = frozenset()


def seats_to_text(seats: Collection[Seat]) -> str:
    """The canonical text of a set of seats, ascending: ``1,3``."""
    return ",".join(str(seat) for seat in sorted(seats))


def parse_seats(text: str) -> Seats:
    """The set of seats with that text. Raises Violation for anything else."""
    numbers = text.split(",")
    if all(number.isascii() and number.isdecimal() for number in numbers):
        seats = frozenset(Seat(int(number)) for number in numbers)
        if seats_to_text(seats) == text:
            return seats
    raise Violation("absence", f"{text!r} does not name seats.")


def may_go_on(members: Collection[Seat], gone: Seats) -> bool:
    """Whether the others may play on without these seats (SPEC 8.13).

    They must be a majority; exactly half counts with the lowest seat among them. Of two members
    either may go on, and then says so alone.
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
        late: messages of seats we have called absent; they count only if somebody vouches.
        stated: for each seat its statements of absence, by the set they name.
        vouched: for each seat the statements of those who say that it was there.
        faults: for each seat how many false messages it has sent.
        trusted: others have built on this round as it is, with the late messages.
        lost: once closed, the seats this round was closed without.
    """

    parent: bytes
    members: Seats
    messages: dict[Seat, SignedMessage] = field(default_factory=dict)
    late: dict[Seat, SignedMessage] = field(default_factory=dict)
    stated: dict[Seat, dict[Seats, SignedMessage]] = field(default_factory=dict)
    vouched: dict[Seat, dict[Seat, SignedMessage]] = field(default_factory=dict)
    faults: Counter[Seat] = field(default_factory=Counter)
    trusted: bool = False
    lost: Seats = NOBODY

    # --- what counts ------------------------------------------------------------------------------

    def in_order(self) -> list[SignedMessage]:
        """What the digest of a closed round covers and the transcript holds: the statements by
        which seats were lost, then the messages of the others, each in seat order.
        """
        statements = []
        if self.lost:
            by_seat = sorted(self.stated.items())
            statements = [some[self.lost] for seat, some in by_seat if self._signed(seat)]
        speakers = sorted(self.messages.keys() - self.lost)
        return [*statements, *(self.messages[seat] for seat in speakers)]

    def _signed(self, seat: Seat) -> bool:
        return seat not in self.lost and self.lost in self.stated[seat]

    def everything(self) -> Iterable[SignedMessage]:
        """All that was signed in an open round, for a peer that may lack it."""
        yield from (one for some in self.stated.values() for one in some.values())
        yield from self.messages.values()
        yield from (one for some in self.vouched.values() for one in some.values())

    def closes_without(self, speakers: Collection[Seat], own: Seat | None) -> Seats | None:
        """The seats to close the round without, if any; None: it cannot be closed yet."""
        gone = self._agreed()
        if not set(speakers) - gone <= self.messages.keys():
            return None
        if not gone and not self.held_against(own) <= self._vindicated(own):
            return None  # the others may be about to close it without those we have called absent
        return gone

    def _agreed(self) -> Seats:
        """The most seats whose absence all the other members have stated."""
        named = {gone for some in self.stated.values() for gone in some}
        agreed = [
            gone
            for gone in named
            if may_go_on(self.members, gone)
            and all(gone in self.stated.get(seat, {}) for seat in self.members - gone)
        ]
        return max(agreed, key=len, default=NOBODY)

    # --- who is called absent by whom -------------------------------------------------------------

    def named(self) -> Seats:
        """All seats that anybody calls absent."""
        return NOBODY.union(*(gone for some in self.stated.values() for gone in some))

    def held_against(self, seat: Seat | None) -> Seats:
        """All seats that ``seat`` has called absent in this round."""
        return NOBODY if seat is None else NOBODY.union(*self.stated.get(seat, {}))

    def _vindicated(self, own: Seat | None) -> Seats:
        """Of the seats we have called absent, those that were there after all: we have since taken
        their message, or somebody vouches for them whom we have not called absent ourselves.
        """
        against = self.held_against(own)
        if self.trusted:
            return against
        vouched = frozenset(seat for seat, by in self.vouched.items() if by.keys() - against)
        return vouched | self.messages.keys()

    def is_welcome(self, seat: Seat, own: Seat | None) -> bool:
        """Whether a message of that seat may count at our own seat."""
        if seat not in self.held_against(own) or seat in self._vindicated(own):
            return True
        agreed = self._agreed()  # then the round closes like that, whatever else we have said
        return bool(agreed) and seat not in agreed

    def to_vouch_for(self, seats: Collection[Seat], own: Seat | None) -> Seats:
        """Those of the seats for which ``own`` has not spoken yet, neither good nor bad."""
        done = {seat for seat, by in self.vouched.items() if own in by}
        return frozenset(seats) - self.held_against(own) - done - {own}

    def hear(self, signed: SignedMessage) -> bool:
        """Take a statement; False if it says nothing new.

        Raises:
            Violation: the statement is not one its signer may make.
        """
        signer = Seat(signed.message.seat)
        seats = parse_seats(one_text(signed.message.body))
        if signer in seats or not {signer, *seats} <= self.members:
            raise Violation("absence", f"Seat {signer} cannot say that of {seats_to_text(seats)}.")
        if signed.message.kind is Kind.ABSENT:
            statements = self.stated.setdefault(signer, {})
            new = seats not in statements and len(statements) < MAX_STATEMENTS
            if new:
                statements[seats] = signed
            return new
        new = False
        for seat in seats:
            new |= signer not in self.vouched.setdefault(seat, {})
            self.vouched[seat].setdefault(signer, signed)
        return new

    def contradiction(self, signer: Seat) -> tuple[SignedMessage, SignedMessage] | None:
        """Two statements of one seat that cannot both be honest: a seat absent and there."""
        for gone, absent in self.stated.get(signer, {}).items():
            for seat in gone:
                if signer in self.vouched.get(seat, {}):
                    return absent, self.vouched[seat][signer]
        return None

    def trust(self, built: Mapping[Seat, bytes], own: Seat | None) -> None:
        """Take the late messages for good if a member we have not called absent has built on them.

        ``built``: for each seat the parent that its message for the next round names.
        """
        whole = {**self.late, **self.messages}
        if not (self.held_against(own) and built and whole):
            return
        digest = round_digest(self.parent, [whole[seat] for seat in sorted(whole)])
        builders = {seat for seat, parent in built.items() if parent == digest}
        self.trusted |= bool(builders - self.held_against(own))
