"""The public state of a game (SPEC 11.4).

It holds what everyone at the table can see and nothing else: no hidden character ever enters it.
A state is a tuple that never changes; `engine.apply` makes the next one.
"""

from collections.abc import Sequence
from typing import NamedTuple

from p2pcoup.rules.editions import Character, Edition
from p2pcoup.rules.moves import Draw, Open, Replace, Request, Shuffle
from p2pcoup.rules.seat import Seat
from p2pcoup.rules.steps import (
    ChooseAction,
    ChooseKept,
    Decision,
    LoseInfluence,
    Prove,
    Question,
    Showing,
    Step,
    Window,
)

Slots = tuple[Character | None, ...]
"""One hand as everyone sees it: None is a face-down card, a character a face-up one."""


class Outcome(NamedTuple):
    """How a game ended: one player was left with influence (R8, R12)."""

    winner: Seat


class State(NamedTuple):
    """All that is public. Two states are equal exactly when the same can happen from them."""

    edition: Edition
    order: tuple[Seat, ...]
    """All seats clockwise, those out included."""
    living: tuple[Seat, ...]
    """The seats with influence, in the same order (follows from `slots`; kept because every
    step asks for it)."""
    turn: Seat
    """Whose turn it is."""
    coins: tuple[int, ...]
    """Per seat number."""
    slots: tuple[Slots, ...]
    """Per seat number. A card shown on a challenge stays None: it is on its way to the Court."""
    agenda: tuple[Step, ...]
    """What is still to do in this turn, the next step first; empty when the game is over."""

    @property
    def step(self) -> Step | None:
        """What the game waits for; None when it is over."""
        return self.agenda[0] if self.agenda else None

    @property
    def outcome(self) -> Outcome | None:
        """The result; None while more than one player is left."""
        return Outcome(self.living[0]) if len(self.living) == 1 else None

    @property
    def request(self) -> Request | None:
        """What the engine needs from the cards now; None when it waits for decisions."""
        match self.step:
            case Open() | Replace() | Draw() | Shuffle() as request:
                return request
            case Showing(question, _, slot):
                return Open(question.subject, (slot,))
            case _:
                return None

    @property
    def question(self) -> Question | None:
        """The action or block the seats are answering or proving; None outside of that."""
        match self.step:
            case Window(question) | Prove(question) | Showing(question):
                return question
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
    def court_size(self) -> int:
        """Face-down cards in the Court."""
        dealt = sum(len(hand) for hand in self.slots)
        return len(self.edition.characters) * self.edition.copies - dealt - self.drawn

    def face_down(self, seat: Seat) -> tuple[int, ...]:
        """Return the slots of the seat's face-down cards, ascending."""
        return tuple([slot for slot, up in enumerate(self.slots[seat]) if up is None])

    def influence(self, seat: Seat) -> int:
        """Return how many face-down cards the seat has."""
        return self.slots[seat].count(None)

    def face_up(self, character: Character) -> int:
        """Return how many copies of the character lie face up on the table."""
        return sum(hand.count(character) for hand in self.slots)

    def with_agenda(self, agenda: tuple[Step, ...]) -> "State":
        """Return this state with another agenda (for the engine)."""
        return State(
            self.edition, self.order, self.living, self.turn, self.coins, self.slots, agenda
        )

    def with_coins(self, changes: Sequence[tuple[Seat, int]]) -> "State":
        """Return this state after adding each change to that seat's coins (for the engine)."""
        coins = list(self.coins)
        for seat, change in changes:
            coins[seat] += change
        return self._replace(coins=tuple(coins))


def start(edition: Edition, seats: int, order: Sequence[Seat], starter: Seat) -> State:
    """Return the state right after the deal, the starter to act (R4, R6, R42).

    `seats` is the number of players, `order` all their seats clockwise, `starter` the winner of
    the previous game or whom the coin chose (R7). Raises ValueError when these do not fit.
    """
    if not edition.min_players <= seats <= edition.max_players:
        raise ValueError(
            f"{seats} players cannot play the {edition.name} game; "
            f"it is for {edition.min_players} to {edition.max_players}"
        )
    if sorted(order) != list(range(seats)):
        raise ValueError(f"the order must name each seat from 0 to {seats - 1} once, not {order}")
    if starter not in order:
        raise ValueError(f"seat {starter} cannot start: it is not at the table")
    coins = [edition.start_coins] * seats
    if seats == 2:
        coins[starter] = edition.starter_coins_of_two
    hand: Slots = (None,) * edition.hand_size
    around = tuple(order)
    return State(
        edition, around, around, starter, tuple(coins), (hand,) * seats, (ChooseAction(starter),)
    )


def pending(state: State) -> tuple[Decision, ...]:
    """Return who must decide what, clockwise from the seat in question.

    Empty while the cards are waited for (`state.request`) and when the game is over.
    """
    match state.step:
        case ChooseAction() | Window() | Prove() | LoseInfluence() | ChooseKept() as step:
            return tuple([Decision(seat, step.kind) for seat in step.owners])
        case _:
            return ()
