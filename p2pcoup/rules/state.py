"""The public state of a game (SPEC 11.4).

It holds what everyone at the table can see and nothing else: no hidden character ever enters it.
A state is a tuple that never changes; `engine.apply` makes the next one.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Final, NamedTuple

from p2pcoup.rules.editions import Character, Edition
from p2pcoup.rules.moves import AskingCards, Deal, Open, Request
from p2pcoup.rules.options import USUAL, Options, Setup
from p2pcoup.rules.seat import Seat, clockwise_after
from p2pcoup.rules.steps import (
    Asking,
    AskingOne,
    ChooseAction,
    ChooseKept,
    ChoosePick,
    Decision,
    Prove,
    Question,
    Showing,
    Step,
    Window,
)

Slots = tuple[Character | None, ...]
"""One hand as everyone sees it: None is a face-down card, a character a face-up one."""

Coins = tuple[int, ...]
"""Everyone's coins, per seat number."""

Agenda = tuple[Step, ...]
"""Steps in the order in which they are taken."""

CACHED_HANDS: Final = 1024
"""Different hands remembered, as everyone sees them: more than a game meets."""


class Outcome(NamedTuple):
    """How a game ended: one player was left with influence (R8, R12)."""

    winner: Seat


class State(NamedTuple):
    """All that is public. Two states are equal exactly when the same can happen from them."""

    edition: Edition
    options: Options
    order: tuple[Seat, ...]
    """All seats clockwise, those out included."""
    living: tuple[Seat, ...]
    """The seats with influence, in the same order (follows from `slots`; kept because every
    step asks for it)."""
    turn: Seat
    """Whose turn it is."""
    coins: Coins
    slots: tuple[Slots, ...]
    """Per seat number. A card shown on a challenge stays None: it is on its way to the Court. While
    the players of a set of five pick, the picked card is all there is of a hand."""
    step: Step | None
    """What the game waits for; None when it is over."""
    later: Agenda
    """What is to be done after that in this turn, the next step first."""

    @property
    def agenda(self) -> Agenda:
        """What is still to do in this turn, the next step first; empty in a game that is over."""
        return () if self.step is None else (self.step, *self.later)

    @property
    def outcome(self) -> Outcome | None:
        """The result; None while more than one player is left."""
        return Outcome(self.living[0]) if len(self.living) == 1 else None

    @property
    def request(self) -> Request | None:
        """What the engine needs from the cards now; None when it waits for decisions."""
        step = self.step
        if isinstance(step, AskingCards):
            return step
        if isinstance(step, Showing):
            return Open(step.question.subject, (step.slot,))
        return None

    @property
    def deciders(self) -> tuple[Seat, ...]:
        """Who must decide, clockwise from the seat in question; empty as for `pending`."""
        step = self.step
        if isinstance(step, Window):
            return step.waiting
        if isinstance(step, AskingOne):
            return (step.seat,)
        return step.waiting if isinstance(step, ChoosePick) else ()

    @property
    def question(self) -> Question | None:
        """The action or block the seats are answering or proving; None outside of that."""
        match self.step:
            case Window() | Prove() | Showing() as step:
                return step.question
            case _:
                return None

    @property
    def treasury(self) -> int:
        """Coins not with players. Below zero when coins ran out: they never limit anyone (R2)."""
        return self.edition.coin_supply - sum(self.coins)

    @property
    def drawn(self) -> int:
        """Cards an exchanging seat holds beside its hand."""
        step = self.step
        return step.drawn if isinstance(step, ChooseKept) else 0

    @property
    def aside(self) -> int:
        """Cards each seat has set aside unseen, for the whole game (R43)."""
        return self.options.aside(self.edition)

    @property
    def court_size(self) -> int:
        """Face-down cards in the Court."""
        cards = len(self.edition.characters) * self.edition.copies
        return cards - sum(len(hand) + self.aside for hand in self.slots) - self.drawn

    def face_down(self, seat: Seat) -> tuple[int, ...]:
        """Return the slots of the seat's face-down cards, ascending."""
        return _face_down(self.slots[seat])

    def influence(self, seat: Seat) -> int:
        """Return how many face-down cards the seat has."""
        return self.slots[seat].count(None)

    def face_up(self, character: Character) -> int:
        """Return how many copies of the character lie face up on the table."""
        return sum(hand.count(character) for hand in self.slots)

    def with_steps(self, step: Step | None, later: Agenda) -> "State":
        """Return this state with other things to do (for the engine)."""
        return new_state(self[:-2] + (step, later))  # noqa: RUF005 - it is the faster way


new_state: Final[Callable[[tuple[object, ...]], State]] = partial(tuple.__new__, State)
"""A state from the tuple of all its fields, for the engine: `State` without the time it takes to
sort out its arguments."""


@lru_cache(CACHED_HANDS)
def _face_down(hand: Slots) -> tuple[int, ...]:
    return tuple([slot for slot, up in enumerate(hand) if up is None])


def start(
    edition: Edition,
    seats: int,
    order: Sequence[Seat],
    starter: Seat,
    options: Options = USUAL,
) -> State:
    """Return the first state of a game.

    In the standard set-up that is the state right after the deal, the starter to act (R4, R6,
    R42); in the set of five both players first have to pick (R43). `seats` is the number of
    players, `order` all their seats clockwise, `starter` the winner of the previous game or whom
    the coin chose (R7). Raises ValueError when these do not fit.
    """
    options.check(edition, seats)
    if sorted(order) != list(range(seats)):
        raise ValueError(f"the order must name each seat from 0 to {seats - 1} once, not {order}")
    if starter not in order:
        raise ValueError(f"seat {starter} cannot start: it is not at the table")
    picking = options.setup is Setup.SET_OF_FIVE
    around, dealt = tuple(order), options.dealt(edition)
    coins = [edition.start_coins] * seats
    if options.starter_coin or (seats == 2 and not picking):
        coins[starter] = edition.starter_coins_of_two
    hand: Slots = (None,) * (edition.hand_size - dealt if picking else dealt)
    step: Step = ChooseAction(starter)
    later: Agenda = ()
    if picking:
        later = (Deal(dealt), step)
        step = ChoosePick((starter, *clockwise_after(around, starter)))
    hands = (hand,) * seats
    return State(edition, options, around, around, starter, tuple(coins), hands, step, later)


def with_change(coins: Coins, seat: Seat, change: int) -> Coins:
    """Return everyone's coins after that change to one seat's."""
    return (*coins[:seat], coins[seat] + change, *coins[seat + 1 :])


def pending(state: State) -> tuple[Decision, ...]:
    """Return who must decide what, clockwise from the seat in question.

    Empty while the cards are waited for (`state.request`) and when the game is over.
    """
    step = state.step
    if isinstance(step, Asking):
        return tuple([Decision(seat, step.kind) for seat in step.owners])
    return ()
