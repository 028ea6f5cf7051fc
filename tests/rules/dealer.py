"""The hidden cards for tests: plain lists that answer the engine's requests.

Not a test module. In a real game the cards are cryptographic; here they lie open to the test.
A test plays like this: ``state = dealer.play(state, event)`` with a move, or with
``dealer.answer(state)`` where the state has a request; ``dealer.view(state, seat)`` is what a
player in that seat may know.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from p2pcoup.rules import (
    Character,
    Deal,
    Dealt,
    Draw,
    Drew,
    Event,
    Examined,
    Fact,
    Keep,
    Lost,
    Move,
    Open,
    Opened,
    Pick,
    Redraw,
    Redrawn,
    Replace,
    Replaced,
    Seat,
    Setup,
    Show,
    Shown,
    ShowTo,
    Shuffle,
    Shuffled,
    State,
    View,
    apply,
    view,
)


@dataclass
class Dealer:
    """Hands, drawn cards, Court and history of one game."""

    rng: random.Random
    court: list[Character]
    hands: list[list[Character]]
    """Per seat, per slot; face-up cards keep their character. Empty before the seat has picked."""
    drawn: list[Character] = field(default_factory=list)
    returned: dict[Seat, list[Character]] = field(default_factory=dict)
    """What each seat has itself put back into the Court, unseen by the others."""
    aside: dict[Seat, list[Character]] = field(default_factory=dict)
    """What each seat has set aside in the set of five."""
    examined: dict[Seat, list[Examined]] = field(default_factory=dict)
    """What each seat was shown as an examiner."""
    history: list[Event] = field(default_factory=list)
    """All that was played through `play`, in public form."""

    @classmethod
    def deal(cls, state: State, rng: random.Random) -> "Dealer":
        """Shuffle and deal for the first state of a game."""
        if state.options.setup is Setup.SET_OF_FIVE:
            return cls(rng, list(state.edition.characters), [[] for _ in state.slots])
        court = list(state.edition.cards())
        rng.shuffle(court)
        hands = [[court.pop() for _ in hand] for hand in state.slots]
        return cls(rng, court, hands)

    @classmethod
    def stacked(cls, state: State, *hands: str) -> "Dealer":
        """Deal these hands ("duke contessa", one per seat); the Court is the rest, unshuffled."""
        court = list(state.edition.cards())
        dealt = [[_named(state, name) for name in hand.split()] for hand in hands]
        for hand in dealt:
            for character in hand:
                court.remove(character)
        return cls(random.Random(0), court, dealt)

    def play(self, state: State, event: Event) -> State:
        """Apply a move or a fact, with its secret side, and write it into the history."""
        if not isinstance(event, Fact):
            self.note(state, event)
        elif isinstance(event, Lost):
            self._take_back(state, event.seat)
        after = apply(state, event)
        if isinstance(event, Keep):
            event = Keep(event.seat, None)
        elif isinstance(event, Pick):
            event = Pick(event.seat, None)
        self.history.append(event)
        return after

    def view(self, state: State, seat: Seat) -> View:
        """What the player in that seat may know."""
        hand: Sequence[Character | None] = self.hands[seat] or [None for _ in state.slots[seat]]
        drawn = self.drawn if seat == state.turn else ()
        returned, aside = self.returned.get(seat, ()), self.aside.get(seat, ())
        examined = self.examined.get(seat, ())
        return view(state, seat, hand, drawn, returned, self.history, aside, examined)

    def answer(self, state: State) -> Fact:
        """Do what the state requests and return the fact."""
        match state.request:
            case Open(seat, slots):
                return Opened(seat, tuple(self.hands[seat][slot] for slot in slots))
            case Replace(seat, slot):
                self.court.append(self.hands[seat][slot])
                self.rng.shuffle(self.court)
                self.hands[seat][slot] = self.court.pop()
                return Replaced(seat)
            case Draw(seat, count):
                self.drawn = [self.court.pop() for _ in range(count)]
                return Drew(seat)
            case Shuffle():
                self.rng.shuffle(self.court)
                return Shuffled()
            case Deal(count):
                self.rng.shuffle(self.court)
                for seat in state.order:
                    self.hands[seat] += [self.court.pop() for _ in range(count)]
                return Dealt()
            case ShowTo(seat, slot, examiner):
                shown = Examined(len(self.history), seat, slot, self.hands[seat][slot])
                self.examined.setdefault(examiner, []).append(shown)
                return Shown(seat)
            case Redraw(seat, slot):
                old, self.hands[seat][slot] = self.hands[seat][slot], self.court.pop()
                self._return(seat, [old])
                self.rng.shuffle(self.court)
                return Redrawn(seat)
            case None:
                raise AssertionError("the state requests nothing")

    def note(self, state: State, move: Move) -> None:
        """Carry out the secret side of a move about to be applied to the state."""
        match move:
            case Keep(seat, kept):
                assert kept is not None
                slots = state.face_down(seat)
                pool = [self.hands[seat][slot] for slot in slots] + self.drawn
                for slot, position in zip(slots, kept, strict=True):
                    self.hands[seat][slot] = pool[position]
                self._return(seat, [card for place, card in enumerate(pool) if place not in kept])
                self.drawn = []
            case Pick(seat, character):
                assert character is not None
                self.hands[seat] = [character]
                self.aside[seat] = [one for one in state.edition.characters if one != character]
            case _:
                pass

    def truthful(self, state: State, moves: Sequence[Move]) -> list[Move]:
        """Leave out Show with a card that is not the claimed one: the cards would refuse it."""
        claimed = state.question.character if state.question else None
        return [
            move
            for move in moves
            if not isinstance(move, Show) or self.hands[move.seat][move.slot] == claimed
        ]

    def _take_back(self, state: State, seat: Seat) -> None:
        """The hidden cards of a lost seat are in the Court again."""
        hidden = [
            card for card, up in zip(self.hands[seat], state.slots[seat], strict=False) if not up
        ]
        self.hands[seat] = [up for up in state.slots[seat] if up is not None]
        if state.drawn and seat == state.turn:
            hidden += self.drawn
            self.drawn = []
        self.court += hidden
        self.rng.shuffle(self.court)

    def _return(self, seat: Seat, cards: list[Character]) -> None:
        self.court += cards
        self.returned.setdefault(seat, []).extend(cards)


def _named(state: State, name: str) -> Character:
    character = state.edition.character(name)
    assert character is not None, name
    return character
