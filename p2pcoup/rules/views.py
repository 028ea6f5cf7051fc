"""What one seat may know: the only thing a bot, a client or a person decides from (SPEC 11.8).

A view is put together by whoever holds the seat's secrets. It adds the seat's own cards to the
public state and history and computes nothing else; there is no way from a view to another hand.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from p2pcoup.rules.editions import Character
from p2pcoup.rules.legal import legal_moves
from p2pcoup.rules.moves import Event, Keep, Move, Pick, Show, Shown
from p2pcoup.rules.seat import Seat
from p2pcoup.rules.state import Slots, State


class Examined(NamedTuple):
    """A card the seat was shown as an examiner (R52). Only these two seats know it."""

    at: int
    """Index in the history of the `Shown` it belongs to; whether the card is still where it was
    follows from what has happened since."""
    seat: Seat
    """Whose card it was."""
    slot: int
    character: Character


@dataclass(frozen=True, slots=True)
class View:
    """The game as one seat sees it."""

    state: State
    seat: Seat
    hand: Slots
    """Per slot the card in it, face up or down; None while the seat has not read it yet."""
    drawn: tuple[Character, ...]
    """The cards drawn for an exchange, while the seat chooses; otherwise empty."""
    returned: tuple[Character, ...]
    """What the seat itself has put back into the Court unseen by the others, oldest first: after
    exchanges and when it was made to draw anew. (What it has shown is in the history.)"""
    history: tuple[Event, ...]
    """All that has happened, in public form."""
    aside: tuple[Character, ...] = ()
    """In the set of five, once the seat has picked: the cards it has set aside (R43)."""
    examined: tuple[Examined, ...] = ()
    """Every card the seat was shown as an examiner in this game, oldest first. While it judges,
    the last one is the card in question."""

    @property
    def held(self) -> tuple[Character, ...]:
        """The seat's known face-down cards, in slot order."""
        down = self.state.face_down(self.seat)
        return tuple(card for slot in down if (card := self.hand[slot]) is not None)

    def legal_moves(self) -> tuple[Move, ...]:
        """Return the legal moves, Show only with a card that proves the claim."""
        moves = legal_moves(self.state, self.seat)
        question = self.state.question
        if question is None:
            return moves
        claimed = question.character
        return tuple(
            move for move in moves if not isinstance(move, Show) or self.hand[move.slot] == claimed
        )


def view(
    state: State,
    seat: Seat,
    hand: Sequence[Character | None],
    drawn: Sequence[Character],
    returned: Sequence[Character],
    history: Sequence[Event],
    aside: Sequence[Character] = (),
    examined: Sequence[Examined] = (),
) -> View:
    """Return the view of a seat.

    Raises ValueError when the parts do not fit each other, or the history holds a secret: every
    Keep and Pick in it must be in its public form, whoever made it.
    """
    if seat not in state.order:
        raise ValueError(f"seat {seat} is not at this table")
    up = state.slots[seat]
    if len(hand) != len(up) or any(
        shown is not None and shown != card for shown, card in zip(up, hand, strict=True)
    ):
        raise ValueError(f"seat {seat}: this hand does not fit its face-up cards")
    if drawn and (seat not in state.living or len(drawn) != state.drawn):
        raise ValueError(f"seat {seat} has not drawn {len(drawn)} cards")
    if aside and (len(aside) != state.aside or len(set(aside)) != len(aside)):
        raise ValueError(f"seat {seat} cannot have set aside {len(aside)} such cards")
    if not all(_belongs(one, history) and one.seat != seat for one in examined):
        raise ValueError(f"seat {seat} was not shown all the cards it says it has examined")
    if any(_is_secret(event) for event in history):
        raise ValueError(
            "the history tells what somebody kept or picked; enter Keep(seat, None) or "
            "Pick(seat, None) instead"
        )
    return View(
        state,
        seat,
        tuple(hand),
        tuple(drawn),
        tuple(returned),
        tuple(history),
        tuple(aside),
        tuple(examined),
    )


def _belongs(examined: Examined, history: Sequence[Event]) -> bool:
    """Whether the history says at that place that this seat showed a card."""
    return 0 <= examined.at < len(history) and history[examined.at] == Shown(examined.seat)


def _is_secret(event: Event) -> bool:
    match event:
        case Keep(_, kept):
            return kept is not None
        case Pick(_, character):
            return character is not None
        case _:
            return False
