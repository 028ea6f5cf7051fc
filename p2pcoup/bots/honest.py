"""A bot that never bluffs: it claims, and blocks with, only what it holds.

It challenges what it knows to be false, and what would take its last card otherwise; never on a
guess. It strikes when it can afford to, at whoever is most dangerous, and keeps its more useful
cards.
"""

import random
from collections.abc import Callable, Sequence
from typing import TypeVar

from p2pcoup.bots.knowledge import Knowledge, know
from p2pcoup.bots.worth import card_worth, gain, hand_worth, mean_card_worth
from p2pcoup.rules import (
    Act,
    Allow,
    Block,
    Challenge,
    DecisionKind,
    Effect,
    Force,
    Keep,
    Lose,
    Move,
    Pass,
    Pick,
    Question,
    Reveal,
    Show,
    State,
    View,
    pending,
)

_Choice = TypeVar("_Choice")


def honest(view: View, rng: random.Random) -> Move:
    """Return the move of a player who never bluffs. Raises ValueError without a decision."""
    for seat, kind in pending(view.state):
        if seat == view.seat:
            return _DECIDE[kind](view, rng)
    raise ValueError(f"seat {view.seat} has nothing to decide")


# --- the action of a turn -------------------------------------------------------------------------


def _act(view: View, rng: random.Random) -> Move:
    acts = [move for move in view.legal_moves() if isinstance(move, Act)]
    honest_acts = [act for act in acts if act.action.claim in (None, *view.held)]
    knowledge = know(view)
    return _best(honest_acts, lambda act: _act_worth(knowledge, act), rng)


def _act_worth(knowledge: Knowledge, act: Act) -> tuple[bool, bool, float, int, int]:
    """Order actions: a strike nothing can stop, what keeps it in the game, then by worth.

    Of equal ones that against the stronger target comes first.
    """
    state = knowledge.view.state
    stopped = knowledge.stopped(act)
    worth = (1 - stopped) * gain(knowledge, act) - act.action.cost
    if act.target is None:
        return False, False, worth, 0, 0
    sure = act.action.effect is Effect.STRIKE and stopped == 0
    saving = stopped < 1 and _disarms(state, act)
    return sure, saving, worth, state.influence(act.target), state.coins[act.target]


def _disarms(state: State, act: Act) -> bool:
    """Whether the action keeps its target from taking our last card with its next one for sure."""
    strikes = [a for a in state.edition.actions if a.effect is Effect.STRIKE and not a.blockers]
    if act.target is None or state.influence(act.seat) > max(a.amount for a in strikes):
        return False
    price = min(a.cost for a in strikes)
    coins = state.coins[act.target]
    match act.action.effect:
        case Effect.TAKE:
            return coins >= price > coins - act.action.amount
        case Effect.STRIKE:
            return coins >= price and state.influence(act.target) <= act.action.amount
        case _:
            return False


# --- answers to others ----------------------------------------------------------------------------


def _challenge(view: View, rng: random.Random) -> Move:  # noqa: ARG001
    question = view.state.question
    if question is None or question.character is None:
        return Pass(view.seat)
    known_false = know(view).chance(question.subject, question.character) == 0
    if known_false or _is_last_chance(view, question):
        return Challenge(view.seat)
    return Pass(view.seat)


def _is_last_chance(view: View, question: Question) -> bool:
    """Whether passing loses the last card for certain: a challenge can only help."""
    act = question.act
    return (
        question.block is None
        and act.target == view.seat
        and act.action.effect is Effect.STRIKE
        and view.state.influence(view.seat) <= act.action.amount
        and not set(act.action.blockers) & set(view.held)
    )


def _block(view: View, rng: random.Random) -> Move:
    """Block with a card it holds what hurts it; what helps others it stops as well."""
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


# --- cards ----------------------------------------------------------------------------------------


def _lose(view: View, rng: random.Random) -> Move:
    """Turn up the card whose loss leaves the best hand."""
    losses = [move for move in view.legal_moves() if isinstance(move, Lose)]
    return _best(losses, lambda move: -_slot_worth(view, move.slot), rng)


def _keep(view: View, rng: random.Random) -> Move:
    """Keep the most useful cards."""
    keeps = [move for move in view.legal_moves() if isinstance(move, Keep)]
    pool = (*view.held, *view.drawn)

    def kept(move: Keep) -> float:
        return hand_worth(view.state.edition, [pool[place] for place in move.kept or ()])

    return _best(keeps, kept, rng)


def _pick(view: View, rng: random.Random) -> Move:
    """Pick the most useful card of the set."""
    edition = view.state.edition
    card = _best(edition.characters, lambda each: card_worth(edition, each), rng)
    return Pick(view.seat, card)


def _reveal(view: View, rng: random.Random) -> Move:
    """Show the least useful card: it is the one that may have to be changed."""
    reveals = [move for move in view.legal_moves() if isinstance(move, Reveal)]
    return _best(reveals, lambda move: -_slot_worth(view, move.slot), rng)


def _judge(view: View, rng: random.Random) -> Move:  # noqa: ARG001
    """Let the card be changed if it is better than what is drawn for it on the average."""
    worth = card_worth(view.state.edition, view.examined[-1].character)
    return Force(view.seat) if worth > mean_card_worth(know(view)) else Allow(view.seat)


def _slot_worth(view: View, slot: int) -> float:
    card = view.hand[slot]
    return 0.0 if card is None else card_worth(view.state.edition, card)


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
    DecisionKind.PICK: _pick,
    DecisionKind.REVEAL: _reveal,
    DecisionKind.JUDGE: _judge,
}
