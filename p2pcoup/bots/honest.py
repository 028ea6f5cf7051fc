"""A bot that never bluffs: it claims and blocks only with what it holds.

It challenges what cannot be true or hardly can, and what would otherwise take its last card. It
strikes when it can afford to, at whoever is most dangerous, and keeps its more useful cards.
"""

import random
from collections.abc import Callable, Sequence
from typing import TypeVar

from p2pcoup.bots.worth import action_worth, chance_to_hold, hand_worth
from p2pcoup.rules import (
    Act,
    Block,
    Challenge,
    DecisionKind,
    Effect,
    Keep,
    Lose,
    Move,
    Pass,
    Question,
    Show,
    View,
    pending,
)

UNBELIEVABLE = 0.15
"""A claim less likely than this is challenged. One hidden copy among nine or more hidden cards
against one card is below it; any two hidden copies are above."""

STOPPED = 0.5
"""How often an action that others may block is taken to succeed."""

_Choice = TypeVar("_Choice")


def honest(view: View, rng: random.Random) -> Move:
    """Return the move of a player who never bluffs. Raises ValueError without a decision."""
    for seat, kind in pending(view.state):
        if seat == view.seat:
            return _DECIDE[kind](view, rng)
    raise ValueError(f"seat {view.seat} has nothing to decide")


def _act(view: View, rng: random.Random) -> Move:
    acts = [move for move in view.legal_moves() if isinstance(move, Act)]
    honest_acts = [act for act in acts if act.action.claim in (None, *view.held)]
    return _best(honest_acts, lambda act: _act_worth(view, act), rng)


def _act_worth(view: View, act: Act) -> tuple[bool, float, int, int]:
    """Order actions: a strike nothing can stop, then by worth, then the more dangerous target."""
    state, action = view.state, act.action
    worth = action_worth(action)
    influence = coins = 0
    if act.target is not None:
        influence, coins = state.influence(act.target), state.coins[act.target]
        if action.effect is Effect.TAKE:
            worth = min(worth, coins)
    stoppable = [char for char in action.blockers if _may_be_hidden(view, char)]
    sure = action.effect is Effect.STRIKE and not stoppable
    return sure, worth * STOPPED if stoppable else worth, influence, coins


def _may_be_hidden(view: View, character: object) -> bool:
    """Whether somebody else could hold the character."""
    state = view.state
    return any(
        chance_to_hold(view, seat, char) > 0
        for char in state.edition.characters
        if char == character
        for seat in state.living
        if seat != view.seat
    )


def _challenge(view: View, rng: random.Random) -> Move:  # noqa: ARG001
    question = view.state.question
    if question is None or question.character is None:
        return Pass(view.seat)
    chance = chance_to_hold(view, question.subject, question.character)
    last_card = view.state.influence(view.seat) == 1
    if chance == 0 or _must_be_stopped(view, question):
        return Challenge(view.seat)
    if chance < UNBELIEVABLE and not last_card:
        return Challenge(view.seat)
    return Pass(view.seat)


def _must_be_stopped(view: View, question: Question) -> bool:
    """Whether passing now loses the last card for certain: a challenge can only help."""
    act = question.act
    return (
        question.block is None
        and act.target == view.seat
        and act.action.effect is Effect.STRIKE
        and view.state.influence(view.seat) <= act.action.amount
        and not set(act.action.blockers) & set(view.held)
    )


def _block(view: View, rng: random.Random) -> Move:
    """Block with a card it holds, where the action hurts it; aid to others it stops as well."""
    blocks = [
        move
        for move in view.legal_moves()
        if isinstance(move, Block) and move.character in view.held
    ]
    return rng.choice(blocks) if blocks else Pass(view.seat)


def _prove(view: View, rng: random.Random) -> Move:
    moves = view.legal_moves()
    shows = [move for move in moves if isinstance(move, Show)]
    return rng.choice(shows or moves)


def _lose(view: View, rng: random.Random) -> Move:
    """Turn up the card whose loss leaves the best hand."""
    losses = [move for move in view.legal_moves() if isinstance(move, Lose)]
    edition = view.state.edition

    def left(move: Lose) -> float:
        down = [slot for slot in view.state.face_down(view.seat) if slot != move.slot]
        return hand_worth(edition, [card for slot in down if (card := view.hand[slot])])

    return _best(losses, left, rng)


def _keep(view: View, rng: random.Random) -> Move:
    """Keep the most useful cards."""
    keeps = [move for move in view.legal_moves() if isinstance(move, Keep)]
    pool = (*view.held, *view.drawn)

    def kept(move: Keep) -> float:
        return hand_worth(view.state.edition, [pool[place] for place in move.kept or ()])

    return _best(keeps, kept, rng)


def _best(
    choices: Sequence[_Choice],
    worth: Callable[[_Choice], float | tuple[float, ...]],
    rng: random.Random,
) -> _Choice:
    """Return the choice of most worth, any of those where several are equal."""
    worths = [worth(choice) for choice in choices]
    return rng.choice([c for c, w in zip(choices, worths, strict=True) if w == max(worths)])


_DECIDE: dict[DecisionKind, Callable[[View, random.Random], Move]] = {
    DecisionKind.ACT: _act,
    DecisionKind.CHALLENGE_ACTION: _challenge,
    DecisionKind.BLOCK: _block,
    DecisionKind.CHALLENGE_BLOCK: _challenge,
    DecisionKind.PROVE: _prove,
    DecisionKind.LOSE: _lose,
    DecisionKind.KEEP: _keep,
}
