"""What a peer takes that has signed nothing itself, where others contradict each other
(SPEC 8.13g).

Who is no member of a round may follow any course of the game: it can sign nothing that would hold
it to one. So where a seat has signed two things for one place, or two seats that are left have each
gone on alone, it takes one, and another when that one leads nowhere. Here is what there is to
choose from and what was tried; what to make of it is in :mod:`~p2pcoup.table.watching`.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from p2pcoup.rules import Seat
from p2pcoup.table.open_round import parse_statement
from p2pcoup.wire import Kind, SignedMessage

MAX_VERSIONS = 4  # of one word that are kept; a cheat can sign any number
MAX_SLOTS = 16  # of one seat: words that it signed twice


class Slot(NamedTuple):
    """What a seat may sign once: its word in a place, or its statement for an attempt there."""

    round: int
    parent: bytes
    seat: Seat
    attempt: int = 0


def slot_of(signed: SignedMessage) -> Slot:
    """Where an accepted message belongs."""
    message = signed.message
    slot = Slot(message.round, message.parent, Seat(message.seat))
    match message.kind, message.body:
        case Kind.ABSENT, (str(text),):
            return slot._replace(attempt=parse_statement(text).attempt)
    return slot


@dataclass(slots=True)
class Choices:
    """Words that were signed twice, and how often each was followed in vain.

    Whatever can be tried is a key of ``vain``: a message, or an agreement in its place.
    """

    vain: Counter[Hashable] = field(default_factory=Counter)
    _versions: dict[Slot, list[SignedMessage]] = field(default_factory=dict)
    _false: dict[Slot, set[SignedMessage]] = field(default_factory=dict)

    def note(self, first: SignedMessage, second: SignedMessage) -> None:
        """Keep two that contradict each other; of many the newest."""
        slot = slot_of(first)
        seats = sum(other.seat == slot.seat for other in self._versions)
        if slot not in self._versions and seats >= MAX_SLOTS:
            return
        false = self._false.get(slot, set())
        if not false.isdisjoint((first, second)) or len(false) >= MAX_VERSIONS:
            return  # it would be tried, and found false, every time it comes
        kept = self._versions.setdefault(slot, [first])
        if second not in kept:
            kept.append(second)
            del kept[1:-MAX_VERSIONS]  # the first is what this peer had before it knew

    def slots(self, round_: int, parent: bytes) -> Iterator[Slot]:
        """The words in a place of which there is more than one version."""
        return (slot for slot in self._versions if slot[:2] == (round_, parent))

    def best(self, slot: Slot) -> SignedMessage:
        """The version to follow: the one least often followed in vain; of several the newest, but
        before any was the one that came first.
        """
        first, *later = self._versions[slot]
        return min((first, *reversed(later)), key=lambda signed: self.vain[signed])

    def another(self, slot: Slot, than: SignedMessage) -> int | None:
        """How often the next best version was followed in vain; None if there is no other."""
        others = [signed for signed in self._versions[slot] if signed != than]
        return min((self.vain[signed] for signed in others), default=None)

    def discard(self, signed: SignedMessage) -> SignedMessage | None:
        """A version has turned out to be false: the next to take, if there is one."""
        if signed.message.kind is Kind.ABSENT:
            return None
        versions = self._versions.get(slot_of(signed), [])
        if signed not in versions:
            return None
        versions.remove(signed)
        self._false.setdefault(slot_of(signed), set()).add(signed)
        if not versions:
            del self._versions[slot_of(signed)]
            return None
        return self.best(slot_of(signed))

    def preferred(self, heard: Iterable[SignedMessage]) -> list[SignedMessage]:
        """What was heard in a place, with the version to follow of each word in it."""
        said = list(heard)
        if not self._versions or not said:
            return said
        best = {slot_of(signed): signed for signed in said}
        best |= {slot: self.best(slot) for slot in best if slot in self._versions}
        return list(best.values())
