"""A move in a few words."""

from typing import get_args

import pytest

from p2pcoup.rules import (
    BASE,
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
    Seat,
    Show,
)
from p2pcoup.rules.chosen import chosen
from p2pcoup.rules.sentence import in_english

ME, OTHER = Seat(0), Seat(1)
NAMES = ("Ash", "Birch")
ACTIONS = {action.name: action for action in BASE.actions}
DUKE = BASE.characters[0]

MOVES = {
    "Income": Act(ME, ACTIONS["income"], None),
    "Steal against Birch": Act(ME, ACTIONS["steal"], OTHER),
    "Pass": Pass(ME),
    "Challenge": Challenge(ME),
    "Block as Duke": Block(ME, DUKE),
    "Show card 2": Show(ME, 1),
    "Show card 1": Reveal(ME, 0),
    "Show nothing and lose a card": Decline(ME),
    "Turn up card 2": Lose(ME, 1),
    "Keep cards 1 and 3": Keep(ME, (0, 2)),
    "Keep card 3": Keep(ME, (2,)),
    "Keep ?": Keep(ME, None),
    "Take Duke": Pick(ME, DUKE),
    "Take ?": Pick(ME, None),
    "Let them keep it": Allow(ME),
    "Make them draw another": Force(ME),
    "Give up": Concede(ME),
}


@pytest.mark.parametrize("words", MOVES)
def test_every_move_is_told_in_a_few_words(words: str) -> None:
    assert in_english(chosen(MOVES[words], NAMES)) == words


def test_no_kind_of_move_is_left_out() -> None:
    assert {type(move) for move in MOVES.values()} == set(get_args(Move))
