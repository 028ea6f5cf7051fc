"""Coup as a pure game (SPEC 11): no I/O, no clock, no randomness, no cryptography.

The engine knows what is public and nothing else. `start` gives the state after the deal; from
there on `pending` says who must decide what, `legal_moves` what they may choose, `state.request`
what is needed from the hidden cards, and `apply` takes a move or a fact to the next state.
"""

from p2pcoup.rules.editions import BASE, EDITIONS, Action, Character, Edition, Effect
from p2pcoup.rules.engine import apply
from p2pcoup.rules.errors import IllegalMoveError, MoveSyntaxError, RulesError, WrongSeatError
from p2pcoup.rules.legal import legal_moves
from p2pcoup.rules.moves import (
    Act,
    Block,
    Challenge,
    Concede,
    Decline,
    Draw,
    Drew,
    Event,
    Fact,
    Keep,
    Lose,
    Move,
    Open,
    Opened,
    Pass,
    Replace,
    Replaced,
    Request,
    Show,
    Shuffle,
    Shuffled,
)
from p2pcoup.rules.narration import narrate
from p2pcoup.rules.notation import (
    fact_to_text,
    move_to_text,
    parse_fact,
    parse_move,
    request_to_text,
)
from p2pcoup.rules.seat import Seat, clockwise_after
from p2pcoup.rules.state import Outcome, Slots, State, pending, start
from p2pcoup.rules.state_text import parse_state, state_to_text
from p2pcoup.rules.steps import Decision, DecisionKind, Question
from p2pcoup.rules.views import View, view

__all__ = [
    "BASE",
    "EDITIONS",
    "Act",
    "Action",
    "Block",
    "Challenge",
    "Character",
    "Concede",
    "Decision",
    "DecisionKind",
    "Decline",
    "Draw",
    "Drew",
    "Edition",
    "Effect",
    "Event",
    "Fact",
    "IllegalMoveError",
    "Keep",
    "Lose",
    "Move",
    "MoveSyntaxError",
    "Open",
    "Opened",
    "Outcome",
    "Pass",
    "Question",
    "Replace",
    "Replaced",
    "Request",
    "RulesError",
    "Seat",
    "Show",
    "Shuffle",
    "Shuffled",
    "Slots",
    "State",
    "View",
    "WrongSeatError",
    "apply",
    "clockwise_after",
    "fact_to_text",
    "legal_moves",
    "move_to_text",
    "narrate",
    "parse_fact",
    "parse_move",
    "parse_state",
    "pending",
    "request_to_text",
    "start",
    "state_to_text",
    "view",
]
