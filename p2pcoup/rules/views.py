"""What one seat may know: the only thing a bot, a client or a person decides from (SPEC 11.8).

A view is put together by whoever holds the seat's secrets. It adds the seat's own cards to the
public state and history and computes nothing else; there is no way from a view to another hand.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from p2pcoup.rules.editions import Character
from p2pcoup.rules.legal import legal_moves
from p2pcoup.rules.moves import Event, Keep, Move, Show
from p2pcoup.rules.seat import Seat
from p2pcoup.rules.state import Slots, State


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
    """What the seat itself has put back into the Court in this game, oldest first."""
    history: tuple[Event, ...]
    """All that has happened, in public form."""

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
) -> View:
    """Return the view of a seat.

    Raises ValueError when the parts do not fit each other, or the history holds a secret: every
    Keep in it must be in its public form, whoever made it.
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
    if any(isinstance(event, Keep) and event.kept is not None for event in history):
        raise ValueError("the history tells what somebody kept; enter Keep(seat, None) instead")
    return View(state, seat, tuple(hand), tuple(drawn), tuple(returned), tuple(history))
