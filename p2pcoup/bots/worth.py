"""What cards and actions are worth, in coins: the arithmetic behind a bot's choices.

Everything is read from the edition's table, so the numbers hold for characters not yet invented.
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

from p2pcoup.bots.knowledge import Knowledge
from p2pcoup.rules import Act, Action, Character, Edition, Effect

STRIKE_WORTH = 9.0
"""An influence taken: the price of a strike nothing can stop and the turn it takes besides."""

EXCHANGE_WORTH = 1.0
"""Being able to look for better cards; a single exchange is reckoned by what it may bring."""

EXAMINE_WORTH = 1.2
"""A look at a card, and the choice to have it changed."""

STOPPING_SHARE = 0.5
"""What stopping an action is worth of doing it: others have to try it first."""

SECOND_COPY = 0.3
"""What a second copy is worth of the first: it only replaces a card that was lost or shown."""


def action_worth(action: Action) -> float:
    """Return roughly how many coins a successful action is worth, its cost taken off."""
    match action.effect:
        case Effect.STRIKE:
            return STRIKE_WORTH * action.amount - action.cost
        case Effect.EXAMINE:
            return EXAMINE_WORTH
        case Effect.EXCHANGE:
            return EXCHANGE_WORTH
        case Effect.TAKE:
            return 2.0 * action.amount  # what one has more, another has less
        case Effect.GAIN:
            return float(action.amount)


@lru_cache(256)
def card_worth(edition: Edition, character: Character) -> float:
    """Return the worth of holding a character: what it lets one do and what it stops."""
    does = max((action_worth(a) for a in edition.actions if a.claim == character), default=0.0)
    stops = sum(action_worth(a) for a in edition.actions if character in a.blockers)
    return does + STOPPING_SHARE * stops


def hand_worth(edition: Edition, hand: Sequence[Character]) -> float:
    """Return the worth of a hand; variety counts."""
    return sum(
        card_worth(edition, character) * (1 + SECOND_COPY * (copies - 1))
        for character, copies in Counter(hand).items()
    )


def mean_card_worth(knowledge: Knowledge) -> float:
    """Return the worth of a card drawn from those the seat does not see."""
    edition, unseen = knowledge.view.state.edition, knowledge.unseen
    total = sum(copies * card_worth(edition, card) for card, copies in unseen.items())
    return total / max(1, unseen.total())


def gain(knowledge: Knowledge, act: Act) -> float:
    """Return what an action brings if nothing stops it, its cost not taken off."""
    state, action = knowledge.view.state, act.action
    match action.effect:
        case Effect.GAIN:
            return float(action.amount)
        case Effect.TAKE:
            taken = min(action.amount, 0 if act.target is None else state.coins[act.target])
            return taken * (1 + 1 / len(knowledge.others()))
        case Effect.STRIKE:
            return STRIKE_WORTH * action.amount
        case Effect.EXCHANGE:
            return _exchange_gain(knowledge, action.amount)
        case Effect.EXAMINE:
            return EXAMINE_WORTH


def _exchange_gain(knowledge: Knowledge, drawn: int) -> float:
    """What drawing that many cards and keeping the best adds to the worth of the hand."""
    edition, hand = knowledge.view.state.edition, knowledge.view.held
    draws = Counter(combinations(knowledge.unseen.elements(), drawn))
    if not draws:
        return 0.0
    best = sum(
        ways * max(hand_worth(edition, kept) for kept in combinations((*hand, *draw), len(hand)))
        for draw, ways in draws.items()
    )
    return best / draws.total() - hand_worth(edition, hand)
