"""What a card is worth and how likely somebody has it: the arithmetic behind a bot's choices.

Everything is read from the edition's table, so the numbers hold for characters not yet invented.
"""

from collections.abc import Sequence
from math import comb

from p2pcoup.rules import Action, Character, Edition, Effect, Seat, View

STRIKE_WORTH = 5.0
"""An influence taken, in coins: less than the price of a sure strike, for it may be stopped."""

EXCHANGE_WORTH = 1.5
"""A look at more cards, in coins: more than the least one can take, less than the most."""

SECOND_COPY = 0.3
"""What a second copy is worth of the first: it only replaces a card that was lost or shown."""


def action_worth(action: Action) -> float:
    """Return roughly how many coins a successful action is worth, its cost taken off."""
    match action.effect:
        case Effect.STRIKE:
            return STRIKE_WORTH * action.amount - action.cost
        case Effect.EXCHANGE:
            return EXCHANGE_WORTH
        case Effect.GAIN | Effect.TAKE:
            return float(action.amount)


def card_worth(edition: Edition, character: Character) -> float:
    """Return the worth of holding a character: what it lets one do and what it stops."""
    does = sum(action_worth(action) for action in edition.actions if action.claim == character)
    stops = sum(action_worth(action) for action in edition.actions if character in action.blockers)
    return does + stops / 2


def hand_worth(edition: Edition, hand: Sequence[Character]) -> float:
    """Return the worth of a hand; variety counts."""
    return sum(
        card_worth(edition, character) * (1 + SECOND_COPY * (hand.count(character) - 1))
        for character in set(hand)
    )


def chance_to_hold(view: View, seat: Seat, character: Character) -> float:
    """Return how likely another seat holds a character, for all this view can see of the cards.

    Every card the view does not see is taken to be as likely in that hand as anywhere else.
    """
    state = view.state
    own = (*view.held, *view.drawn)
    hidden_copies = state.edition.copies - state.face_up(character) - own.count(character)
    hidden_cards = state.court_size + sum(
        state.influence(other) for other in state.living if other != view.seat
    )
    cards = state.influence(seat)
    without = comb(max(hidden_cards - max(hidden_copies, 0), 0), cards)
    return 1 - without / comb(hidden_cards, cards)
