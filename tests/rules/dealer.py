"""The hidden cards for tests: a plain list in a shuffled order that answers the engine's requests.

Not a test module. In a real game the cards are cryptographic; here they lie open to the test.
"""

import random
from dataclasses import dataclass, field

from p2pcoup.rules import (
    Character,
    Draw,
    Drew,
    Fact,
    Keep,
    Move,
    Open,
    Opened,
    Replace,
    Replaced,
    Seat,
    Shuffle,
    Shuffled,
    State,
)


@dataclass
class Dealer:
    """Hands, drawn cards and Court of one game."""

    rng: random.Random
    court: list[Character]
    hands: list[list[Character]]
    """Per seat, per slot; face-up cards keep their character."""
    drawn: list[Character] = field(default_factory=list)
    returned: dict[Seat, list[Character]] = field(default_factory=dict)
    """What each seat has itself put back into the Court."""

    @classmethod
    def deal(cls, state: State, rng: random.Random) -> "Dealer":
        """Shuffle and deal for a state in which nothing is face up yet."""
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

    def answer(self, state: State) -> Fact:
        """Do what the state requests and return the fact."""
        match state.request:
            case Open(seat, slots):
                return Opened(seat, tuple(self.hands[seat][slot] for slot in slots))
            case Replace(seat, slot):
                self._return(seat, [self.hands[seat][slot]])
                self.rng.shuffle(self.court)
                self.hands[seat][slot] = self.court.pop()
                return Replaced(seat)
            case Draw(seat, count):
                self.drawn = [self.court.pop() for _ in range(count)]
                return Drew(seat)
            case Shuffle():
                self.rng.shuffle(self.court)
                return Shuffled()
            case None:
                raise AssertionError("the state requests nothing")

    def note(self, state: State, move: Move) -> None:
        """Carry out the secret side of a move about to be applied to the state."""
        if isinstance(move, Keep):
            assert move.kept is not None
            slots = state.face_down(move.seat)
            pool = [self.hands[move.seat][slot] for slot in slots] + self.drawn
            for slot, position in zip(slots, move.kept, strict=True):
                self.hands[move.seat][slot] = pool[position]
            back = [card for place, card in enumerate(pool) if place not in move.kept]
            self._return(move.seat, back)
            self.drawn = []

    def _return(self, seat: Seat, cards: list[Character]) -> None:
        self.court += cards
        self.returned.setdefault(seat, []).extend(cards)


def _named(state: State, name: str) -> Character:
    character = state.edition.character(name)
    assert character is not None, name
    return character
