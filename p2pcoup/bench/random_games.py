"""Measure the rules alone: complete random games on one core, without cryptography.

A *decision* is one move chosen from ``legal_moves`` and applied with every check ``apply`` makes.
The hidden cards lie open in plain lists here; the Court is a bag from which any card may come,
which is the same as shuffling it and drawing the top.
"""

import random
import time
from dataclasses import dataclass
from functools import lru_cache

from p2pcoup.rules import (
    BASE,
    USUAL,
    Character,
    Deal,
    Dealt,
    Draw,
    Drew,
    Edition,
    Fact,
    Keep,
    Move,
    Open,
    Opened,
    Options,
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
    apply,
    legal_moves,
    start,
)

SEATS = 4
_SECRET = frozenset((Show, Keep, Pick))
"""Moves that have to do with hidden cards."""
_opened = lru_cache(maxsize=256)(Opened)
"""The same fact is the same object, as the same move is in ``legal_moves``."""


@dataclass(frozen=True, slots=True)
class RulesFigures:
    """What was measured."""

    games: int
    decisions: int
    seconds: float

    @property
    def games_per_second(self) -> float:
        """Complete games a second."""
        return self.games / self.seconds

    @property
    def decisions_per_second(self) -> float:
        """Decisions a second, the cards' answers between them included in the time."""
        return self.decisions / self.seconds


def bench_rules(
    games: int,
    seed: int,
    edition: Edition = BASE,
    seats: int = SEATS,
    options: Options = USUAL,
) -> RulesFigures:
    """Play that many random games; the same seed gives the same games."""
    cards = edition.characters if options.setup is Setup.SET_OF_FIVE else edition.cards()
    luck = random.Random(seed)  # noqa: S311 - no secret depends on it
    order = [Seat(seat) for seat in range(seats)]
    decisions = 0
    began = time.perf_counter()
    for _ in range(games):
        first = start(edition, seats, order, order[int(luck.random() * seats)], options)
        decisions += _play(first, _Cards(first, cards, luck), luck)
    return RulesFigures(games, decisions, time.perf_counter() - began)


def _play(state: State, table: "_Cards", luck: random.Random) -> int:
    """Play one game and return how many decisions it took."""
    decisions, chance = 0, luck.random
    while state.step is not None:
        deciders = state.deciders
        if not deciders:
            state = apply(state, table.answer(state))
            continue
        moves = legal_moves(state, deciders[0])
        move = moves[int(chance() * len(moves))]
        if type(move) in _SECRET and not table.can(state, move):
            move = moves[-1]  # whoever cannot show the claimed card declines
        state = apply(state, move)
        decisions += 1
    return decisions


class _Cards:
    """The hidden cards of one game."""

    def __init__(self, state: State, cards: tuple[Character, ...], luck: random.Random) -> None:
        self._luck = luck
        self._court = list(cards)
        self._drawn: list[Character] = []
        self._hands: list[list[Character]] = [[] for _ in state.slots]
        if state.options.setup is not Setup.SET_OF_FIVE:
            self._deal(state.edition.hand_size)

    def _deal(self, count: int) -> None:
        for hand in self._hands:
            hand += [self._draw() for _ in range(count)]

    def _draw(self) -> Character:
        court = self._court
        place = int(self._luck.random() * len(court))
        court[place], court[-1] = court[-1], court[place]
        return court.pop()

    def answer(self, state: State) -> Fact:
        """Do what the game needs of the cards."""
        request = state.request
        if isinstance(request, Open):  # by far the most frequent
            hand = self._hands[request.seat]
            return _opened(request.seat, tuple([hand[slot] for slot in request.slots]))
        match request:
            case Replace(seat, slot):
                self._court.append(self._hands[seat][slot])
                self._hands[seat][slot] = self._draw()
                return Replaced(seat)
            case Draw(seat, count):
                self._drawn = [self._draw() for _ in range(count)]
                return Drew(seat)
            case Shuffle():
                return Shuffled()
            case Deal(count):
                self._deal(count)
                return Dealt()
            case ShowTo(seat):
                return Shown(seat)
            case Redraw(seat, slot):
                old, self._hands[seat][slot] = self._hands[seat][slot], self._draw()
                self._court.append(old)
                return Redrawn(seat)
            case None:
                raise ValueError("the game waits for a decision")

    def can(self, state: State, move: Move) -> bool:
        """Do the secret side of a move; False for a show with another card than the claimed."""
        match move:
            case Show():
                question = state.question
                claimed = None if question is None else question.character
                return self._hands[move.seat][move.slot] == claimed
            case Keep():
                self._keep(move, state.face_down(move.seat))
            case Pick(seat, character) if character is not None:
                self._hands[seat].append(character)
        return True

    def _keep(self, move: Keep, slots: tuple[int, ...]) -> None:
        hand, kept = self._hands[move.seat], move.kept or ()
        pool = [hand[slot] for slot in slots] + self._drawn
        for slot, position in zip(slots, kept, strict=True):
            hand[slot] = pool[position]
        self._court += [card for position, card in enumerate(pool) if position not in kept]
