"""What a seat can know about the cards it does not see, from its own cards and the history.

Certain are cards it was shown and that are still where they were, and copies that must lie in the
Court: those it has put back itself and those others have shown, less what was drawn since.
Anything else is as likely in one hidden place as in any other; whoever has claimed a character is
believed a little more.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import comb

from p2pcoup.rules import (
    Act,
    Block,
    Character,
    Decline,
    Drew,
    Event,
    Examined,
    Keep,
    Lose,
    Lost,
    Opened,
    Pass,
    Redrawn,
    Replaced,
    Reveal,
    Seat,
    Show,
    Shown,
    View,
)

CLAIM_WEIGHT = 3.0
"""How many times as often one claims a character when one holds it as when one does not."""

MAX_CLAIMS = 5
"""Claims of one character that count; more say nothing new."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What one seat knows; made by `know`."""

    view: View
    court: Counter[Character]
    """Copies that lie in the Court for certain."""
    shown: dict[tuple[Seat, int], Character]
    """Face-down cards of others that the seat was shown, by seat and slot."""
    claims: dict[Seat, Counter[Character]]
    """How often each seat has claimed what, until such a card of it was shown or lost, or it
    declined to show one. An exchange changes nothing: one keeps what one can use."""
    unseen: Counter[Character]
    """Copies whose place the seat does not know."""

    def chance(self, seat: Seat, character: Character) -> float:
        """How likely another seat holds a character; 0 and 1 mean for certain."""
        known = self.known(seat)
        if character in known:
            return 1.0
        cards = self.view.state.influence(seat) - len(known)
        places = self.unseen.total()
        return 1 - comb(places - self.unseen[character], cards) / comb(places, cards)

    def belief(self, seat: Seat, character: Character) -> float:
        """The same chance, in the light of what the seat has claimed."""
        chance = self.chance(seat, character)
        claimed = self.claims[seat][character] if seat in self.claims else 0
        weight = CLAIM_WEIGHT ** min(claimed, MAX_CLAIMS)
        return weight * chance / (weight * chance + 1 - chance)

    def stopped(self, act: Act) -> float:
        """How likely an action is blocked: that somebody who may holds a card that does."""
        passed = 1.0
        for seat in self.others() if act.target is None else (act.target,):
            for character in act.action.blockers:
                passed *= 1 - self.belief(seat, character)
        return 1 - passed

    def known(self, seat: Seat) -> list[Character]:
        """The face-down cards of another seat that this one was shown."""
        return [card for (owner, _), card in self.shown.items() if owner == seat]

    def others(self) -> tuple[Seat, ...]:
        """The other seats still in."""
        return tuple(seat for seat in self.view.state.living if seat != self.view.seat)


def know(view: View) -> Knowledge:
    """Return what the seat of a view knows."""
    memory = _Memory(view)
    for place, event in enumerate(view.history):
        if not isinstance(event, Pass):  # most of a history, and it tells nothing
            memory.hear(event)
            memory.watch(place, event)
    state = view.state
    shown = {
        (seat, slot): card
        for (seat, slot), card in memory.shown.items()
        if state.slots[seat][slot] is None
    }
    unseen = Counter(state.edition.cards())
    unseen.subtract(memory.court)
    unseen.subtract(card for hand in state.slots for card in hand if card is not None)
    unseen.subtract((*view.held, *view.drawn, *view.aside, *shown.values()))
    return Knowledge(view, memory.court, shown, memory.claims, +unseen)


class _Memory:
    """Goes through the history once, event by event."""

    def __init__(self, view: View) -> None:
        self.court: Counter[Character] = Counter()
        self.shown: dict[tuple[Seat, int], Character] = {}
        self.claims: dict[Seat, Counter[Character]] = {}
        self._me = view.seat
        self._returned: Iterator[Character] = iter(view.returned)
        self._examined: dict[int, Examined] = {one.at: one for one in view.examined}
        self._drawing = 0
        self._latest: dict[Seat, Character] = {}
        self._slot: int | None = None
        self._proving = False
        self._proof: Character | None = None

    def hear(self, event: Event) -> None:
        """Take in what a seat says."""
        match event:
            case Act(seat, action):
                self._drawing, self._slot, self._proving = action.amount, None, False
                if action.claim is not None:
                    self._claim(seat, action.claim)
            case Block(seat, character):
                self._claim(seat, character)
            case Decline(seat) if seat in self._latest:
                self._drop_claim(seat, self._latest[seat])
            case Show(_, slot):
                self._slot, self._proving = slot, True
            case Reveal(_, slot):
                self._slot = slot
            case Lose(seat, slot):
                self._lose_sight(seat, slot)
            case _:
                pass

    def _claim(self, seat: Seat, character: Character) -> None:
        self._latest[seat] = character
        self.claims.setdefault(seat, Counter())[character] += 1

    def _drop_claim(self, seat: Seat, character: Character) -> None:
        self.claims.get(seat, Counter()).pop(character, None)

    def watch(self, place: int, event: Event) -> None:
        """Take in what happens to the cards."""
        match event:
            case Opened(seat, characters):
                # Up for good, or on its way to the Court: the claim stood for this card.
                for character in characters:
                    self._drop_claim(seat, character)
                if self._proving:  # the loss of the challenger comes between this and the swap
                    self._proving, self._proof = False, characters[0]
            case Replaced(seat) if self._proof is not None:
                self.court[self._proof] += 1
                self._draw(1)
                self._lose_sight(seat, self._slot)
                self._slot = None
            case Drew():
                self._draw(self._drawing)
            case Keep(seat):
                self._lose_sight(seat, None)
                self._put_back(seat, self._drawing)
            case Shown(seat) if (seen := self._examined.get(place)) is not None:
                self._slot = seen.slot
                self.shown[seat, seen.slot] = seen.character
            case Lost(seat):
                # its cards go back unseen, those it had shown us with them
                self.court.update(card for (owner, _), card in self.shown.items() if owner == seat)
                self._lose_sight(seat, None)
            case Redrawn(seat):
                self._draw(1)
                self._put_back(seat, 1)
                self._redrawn(seat)
            case _:
                pass

    def _redrawn(self, seat: Seat) -> None:
        """A card this seat was shown, and whose owner had to draw anew, is now in the Court."""
        old = self.shown.get((seat, self._slot)) if self._slot is not None else None
        if old is not None:
            self.court[old] += 1
        self._lose_sight(seat, self._slot)

    def _draw(self, count: int) -> None:
        """Any of the cards known to be in the Court may be among those drawn."""
        self.court = Counter({card: n - count for card, n in self.court.items() if n > count})

    def _put_back(self, seat: Seat, count: int) -> None:
        if seat == self._me:
            self.court.update(card for _, card in zip(range(count), self._returned, strict=False))

    def _lose_sight(self, seat: Seat, slot: int | None) -> None:
        """This card, or any of the seat's when the slot is not known, may be another one now."""
        for place in [each for each in self.shown if each[0] == seat and slot in (None, each[1])]:
            del self.shown[place]
