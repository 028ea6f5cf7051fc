"""Coup as a pure game (SPEC 11): no I/O, no clock, no randomness, no cryptography.

The engine knows what is public and nothing else. `start` gives the first state; from there on
`pending` says who must decide what, `legal_moves` what they may choose, `state.request` what is
needed from the hidden cards, and `apply` takes a move or a fact to the next state.
"""

from p2pcoup.rules.editions import BASE, EDITIONS, Action, Character, Edition, Effect
from p2pcoup.rules.editions import INQUISITOR as INQUISITOR  # not in __all__: a character's name
from p2pcoup.rules.engine import apply
from p2pcoup.rules.errors import IllegalMoveError, MoveSyntaxError, RulesError, WrongSeatError
from p2pcoup.rules.legal import legal_moves
from p2pcoup.rules.moves import (
    Act,
    Allow,
    Block,
    Challenge,
    Concede,
    Deal,
    Dealt,
    Decline,
    Draw,
    Drew,
    Event,
    Fact,
    Force,
    Keep,
    Lose,
    Lost,
    Move,
    Open,
    Opened,
    Pass,
    Pick,
    Redraw,
    Redrawn,
    Replace,
    Replaced,
    Request,
    Reveal,
    Show,
    Shown,
    ShowTo,
    Shuffle,
    Shuffled,
)
from p2pcoup.rules.narration import narrate
from p2pcoup.rules.notation import (
    fact_to_text,
    move_to_text,
    outcome_to_text,
    parse_fact,
    parse_move,
    request_to_text,
)
from p2pcoup.rules.options import USUAL, Options, Setup, options_to_text, parse_options
from p2pcoup.rules.reference import reference_card, reference_to_data
from p2pcoup.rules.seat import Seat, clockwise_after
from p2pcoup.rules.sentence import Argument, Sentence, argument_to_data, sentence_to_data
from p2pcoup.rules.state import Outcome, Slots, State, pending, start
from p2pcoup.rules.state_text import parse_state, state_to_text
from p2pcoup.rules.steps import Decision, DecisionKind, Question
from p2pcoup.rules.views import Examined, View, view

__all__ = [
    "BASE",
    "EDITIONS",
    "USUAL",
    "Act",
    "Action",
    "Allow",
    "Argument",
    "Block",
    "Challenge",
    "Character",
    "Concede",
    "Deal",
    "Dealt",
    "Decision",
    "DecisionKind",
    "Decline",
    "Draw",
    "Drew",
    "Edition",
    "Effect",
    "Event",
    "Examined",
    "Fact",
    "Force",
    "IllegalMoveError",
    "Keep",
    "Lose",
    "Lost",
    "Move",
    "MoveSyntaxError",
    "Open",
    "Opened",
    "Options",
    "Outcome",
    "Pass",
    "Pick",
    "Question",
    "Redraw",
    "Redrawn",
    "Replace",
    "Replaced",
    "Request",
    "Reveal",
    "RulesError",
    "Seat",
    "Sentence",
    "Setup",
    "Show",
    "ShowTo",
    "Shown",
    "Shuffle",
    "Shuffled",
    "Slots",
    "State",
    "View",
    "WrongSeatError",
    "apply",
    "argument_to_data",
    "clockwise_after",
    "fact_to_text",
    "legal_moves",
    "move_to_text",
    "narrate",
    "options_to_text",
    "outcome_to_text",
    "parse_fact",
    "parse_move",
    "parse_options",
    "parse_state",
    "pending",
    "reference_card",
    "reference_to_data",
    "request_to_text",
    "sentence_to_data",
    "start",
    "state_to_text",
    "view",
]
