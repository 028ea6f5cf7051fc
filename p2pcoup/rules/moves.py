"""What happens in a game: moves of the seats, and the cards' answers to the engine (SPEC 11.3).

Three small languages. A **move** is a seat's decision. A **request** is what the engine needs from
the hidden cards before the game can go on; a **fact** is the public answer to one. Moves and facts
are the *events* a game is made of; each has one canonical line of text (`notation`).

A slot is the stable name of a card in a hand: slot 0 and slot 1 of a seat stay these two cards'
places for the whole game, whatever is swapped into them.
"""

from dataclasses import dataclass

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
class Concede:
    """The seat gives the game up: it turns up all its cards and is out (D25).

    Legal instead of any decision but Keep, yet never listed among the legal moves.
    """

    seat: Seat


Move = Act | Pass | Challenge | Block | Show | Decline | Lose | Keep | Concede
"""A decision of one seat; every member has `.seat`."""


@dataclass(frozen=True, slots=True)
class Open:
    """Request: turn these cards of the seat up, for everyone to read. Answer: `Opened`."""

    seat: Seat
    slots: tuple[int, ...]
    """Ascending."""


@dataclass(frozen=True, slots=True)
class Replace:
    """Request: the card just shown returns to the Court, the Court is shuffled, and the seat
    draws a card into the same slot (R34). Answer: `Replaced`.
    """

    seat: Seat
    slot: int
    shown: Character


@dataclass(frozen=True, slots=True)
class Draw:
    """Request: the seat draws that many Court cards for an exchange. Answer: `Drew`."""

    seat: Seat
    count: int


@dataclass(frozen=True, slots=True)
class Shuffle:
    """Request: shuffle the Court. Answer: `Shuffled`."""


Request = Open | Replace | Draw | Shuffle
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


Fact = Opened | Replaced | Drew | Shuffled
"""The public answer of the cards to a request."""

Event = Move | Fact
"""All that a game is made of, in order."""
