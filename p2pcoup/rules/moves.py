"""What happens in a game: moves of the seats, and the cards' answers to the engine (SPEC 11.3).

Three small languages. A **move** is a seat's decision. A **request** is what the engine needs from
the hidden cards before the game can go on; a **fact** is the public answer to one. Moves and facts
are the *events* a game is made of; each has one canonical line of text (`notation`).

A slot is the stable name of a card in a hand: slot 0 and slot 1 of a seat stay these two cards'
places for the whole game, whatever is swapped into them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from p2pcoup.rules.editions import Action, Character
from p2pcoup.rules.seat import Seat


@dataclass(frozen=True, slots=True)
class Act:
    """The action of a turn, claiming `action.claim` where it needs one."""

    seat: Seat
    action: Action
    target: Seat | None = None
    """The player aimed at; None exactly when the action is not targeted."""


@dataclass(frozen=True, slots=True)
class Pass:
    """No challenge, no block."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Challenge:
    """The claimant shall show the claimed character."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Block:
    """A counter-claim: this character stops the action (R25; D14: it is named)."""

    seat: Seat
    character: Character


@dataclass(frozen=True, slots=True)
class Show:
    """The challenged claimant will show the card in this slot."""

    seat: Seat
    slot: int


@dataclass(frozen=True, slots=True)
class Decline:
    """The challenged claimant shows nothing and loses the challenge (R32, D15)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Lose:
    """The choice which face-down card to turn up (R9)."""

    seat: Seat
    slot: int


@dataclass(frozen=True, slots=True)
class Keep:
    """The choice at the end of an exchange (R23, D21); the other cards go back to the Court.

    `kept` holds ascending positions in the list of the own face-down cards, in slot order,
    followed by the drawn cards in the order drawn. The kept cards fill the face-down slots in the
    order of their positions. What was kept is secret: publicly the move is `Keep(seat, None)`.
    """

    seat: Seat
    kept: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class Pick:
    """The choice of one card of the own set of five; the other four are set aside unseen (R43).

    What was picked is secret: publicly the move is `Pick(seat, None)`.
    """

    seat: Seat
    character: Character | None


@dataclass(frozen=True, slots=True)
class Reveal:
    """The examined seat chooses which face-down card it shows to the examiner alone (R52)."""

    seat: Seat
    slot: int


@dataclass(frozen=True, slots=True)
class Allow:
    """The examiner lets the examined seat keep the card it has shown (R52)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Force:
    """The examiner makes the examined seat draw another card for the one it has shown (R52)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Concede:
    """The seat gives the game up: it turns up all its cards and is out (D25).

    Legal instead of any decision but Keep and Pick, yet never listed among the legal moves. In
    those two the seat's cards are on their way, and there is no hand that could be turned up.
    """

    seat: Seat


Move = (
    Act
    | Pass
    | Challenge
    | Block
    | Show
    | Decline
    | Lose
    | Keep
    | Pick
    | Reveal
    | Allow
    | Force
    | Concede
)
"""A decision of one seat; every member has `.seat`."""


class AskingCards:
    """What all requests are, so that one look tells them from other steps of a game."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Open(AskingCards):
    """Request: turn these cards of the seat up, for everyone to read. Answer: `Opened`."""

    seat: Seat
    slots: tuple[int, ...]
    """Ascending."""


opening_of: Final[Callable[[Seat, tuple[int, ...]], Open]] = lru_cache(maxsize=64)(Open)
"""The opening of these slots: one object for each, because it is needed so often."""


@dataclass(frozen=True, slots=True)
class Replace(AskingCards):
    """Request: the card just shown returns to the Court, the Court is shuffled, and the seat
    draws a card into the same slot (R34). Answer: `Replaced`.
    """

    seat: Seat
    slot: int
    shown: Character


@dataclass(frozen=True, slots=True)
class Draw(AskingCards):
    """Request: the seat draws that many Court cards for an exchange. Answer: `Drew`."""

    seat: Seat
    count: int


@dataclass(frozen=True, slots=True)
class Shuffle(AskingCards):
    """Request: shuffle the Court. Answer: `Shuffled`."""


@dataclass(frozen=True, slots=True)
class Deal(AskingCards):
    """Request: shuffle the Court and deal that many cards to each seat, into the slots after those
    it has (R43). Answer: `Dealt`.
    """

    count: int


@dataclass(frozen=True, slots=True)
class ShowTo(AskingCards):
    """Request: the seat lets the examiner, and nobody else, see the card in this slot; the card
    stays where it is (R52). Answer: `Shown`.
    """

    seat: Seat
    slot: int
    examiner: Seat


@dataclass(frozen=True, slots=True)
class Redraw(AskingCards):
    """Request: the seat draws a card from the Court, and only then the card in this slot returns
    to the Court, which is shuffled; the drawn card takes the slot (R53). Answer: `Redrawn`.
    """

    seat: Seat
    slot: int


Request = Open | Replace | Draw | Shuffle | Deal | ShowTo | Redraw
"""What the engine needs from the cards."""


@dataclass(frozen=True, slots=True)
class Opened:
    """The requested cards are up; their characters in the order of the requested slots."""

    seat: Seat
    characters: tuple[Character, ...]


@dataclass(frozen=True, slots=True)
class Replaced:
    """The seat has its new card; only it knows which."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Drew:
    """The seat has drawn for its exchange; only it knows what."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Shuffled:
    """The Court is shuffled."""


@dataclass(frozen=True, slots=True)
class Dealt:
    """Every seat has its cards; each knows only its own."""


@dataclass(frozen=True, slots=True)
class Shown:
    """The seat has shown its card to the examiner; only these two know which it is."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Redrawn:
    """The seat has its new card; only it knows which."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Lost:
    """A seat is gone for good, or was caught cheating (D25). It is eliminated at once, whatever the
    game waits for; its face-down cards return to the Court unseen. Answers no request.
    """

    seat: Seat


Fact = Opened | Replaced | Drew | Shuffled | Dealt | Shown | Redrawn | Lost
"""The public answer of the cards to a request; or that a seat is lost."""

Event = Move | Fact
"""All that a game is made of, in order."""
