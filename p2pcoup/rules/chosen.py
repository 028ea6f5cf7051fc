"""A move in a few words, for whoever has made it or for whom it was made (SPEC 11.9).

Unlike the story it tells what was chosen in secret, though cards by their places alone.
"""

from collections.abc import Sequence
from typing import Final

from p2pcoup.rules.moves import (
    Act,
    Allow,
    Block,
    Challenge,
    Concede,
    Decline,
    Force,
    Keep,
    Lose,
    Move,
    Pass,
    Pick,
    Reveal,
    Show,
)
from p2pcoup.rules.sentence import Argument, Template, listed

DO_ACT: Final = Template("{action} against {target}")
DO_PASS: Final = Template("Pass")
DO_CHALLENGE: Final = Template("Challenge")
DO_BLOCK: Final = Template("Block as {character}")
DO_SHOW: Final = Template("Show {card}")
DO_DECLINE: Final = Template("Show nothing and lose a card")
DO_LOSE: Final = Template("Turn up {card}")
DO_KEEP: Final = Template("Keep {card}")
DO_PICK: Final = Template("Take {card}")
DO_ALLOW: Final = Template("Let them keep it")
DO_FORCE: Final = Template("Make them draw another")
DO_CONCEDE: Final = Template("Give up")
CARD_NUMBERS: Final = Template("card {n}", "cards {n}", by="cards")

TEMPLATES: Final = tuple(each for each in globals().values() if isinstance(each, Template))
"""All of them, in the order of this page."""

_PLAIN: Final[dict[type[object], Template]] = {
    Pass: DO_PASS,
    Challenge: DO_CHALLENGE,
    Decline: DO_DECLINE,
    Allow: DO_ALLOW,
    Force: DO_FORCE,
    Concede: DO_CONCEDE,
}
"""The moves that have nothing to choose within them."""


def chosen(move: Move, names: Sequence[str]) -> Argument:
    """What a move does. `names` are the players' names by seat number."""
    match move:
        case Act(_, action, target):
            return action if target is None else DO_ACT(action=action, target=names[target])
        case Block(_, character):
            return DO_BLOCK(character=character)
        case Show(_, slot) | Reveal(_, slot):
            return DO_SHOW(card=_cards([slot]))
        case Lose(_, slot):
            return DO_LOSE(card=_cards([slot]))
        case Keep(_, kept):
            return DO_KEEP(card=_cards(kept or ()))
        case Pick(_, character):
            return DO_PICK(card="?" if character is None else character)
        case _:
            return _PLAIN[type(move)]()


def _cards(places: Sequence[int]) -> Argument:
    """Cards by their places, counted from 1; a secret choice of another seat has none."""
    if not places:
        return "?"
    return CARD_NUMBERS(n=listed([str(place + 1) for place in places]), cards=len(places))
