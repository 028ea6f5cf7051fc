"""Recorded games: made once, replayed for ever. Not a test module.

A file holds the first state, then one line for each move or fact in its public form, and after
``= `` the state expected at the beginning of each turn and the result at the end.
``python -m tests.rules.golden`` writes the files again; they must not change.
"""

import random
from pathlib import Path

from p2pcoup.rules import (
    BASE,
    INQUISITOR,
    USUAL,
    Act,
    Concede,
    DecisionKind,
    Fact,
    Lost,
    Options,
    Pass,
    Setup,
    fact_to_text,
    legal_moves,
    move_to_text,
    outcome_to_text,
    pending,
    start,
    state_to_text,
)
from tests.rules.dealer import Dealer

FOLDER = Path(__file__).parents[2] / "seeds" / "golden"

STRICT = Options(failed_challenger_may_block=False, steal_from_penniless=False)
FIVE = Options(Setup.SET_OF_FIVE)

GAMES = {
    "base-1": (BASE, USUAL, 2),
    "base-2": (BASE, USUAL, 3),
    "base-3": (BASE, USUAL, 6),
    "base-4": (BASE, STRICT, 4),
    "base-5": (BASE, FIVE, 2),
    "inquisitor-1": (INQUISITOR, USUAL, 3),
    "inquisitor-2": (INQUISITOR, USUAL, 5),
    "inquisitor-3": (INQUISITOR, Options(Setup.SET_OF_FIVE, starter_coin=True), 2),
}
"""What is played in each file."""

PASSING = 0.7
LEAVING = 0.02


def played(name):
    """Return the text of a recorded game, played anew."""
    edition, options, seats = GAMES[name]
    luck = random.Random(name)
    order = luck.sample(range(seats), seats)
    state = start(edition, seats, order, luck.choice(order), options)
    cards = Dealer.deal(state, luck)
    lines = [state_to_text(state)]
    while state.outcome is None:
        after = cards.play(state, _event(luck, cards, state))
        happened = cards.history[-1]
        write = fact_to_text if isinstance(happened, Fact) else move_to_text
        lines.append(write(happened))
        if [kind for _, kind in pending(after)] == [DecisionKind.ACT]:
            lines.append(f"= {state_to_text(after)}")
        state = after
    lines += [f"= {state_to_text(state)}", f"= {outcome_to_text(state.outcome)}"]
    return "\n".join(lines) + "\n"


def _event(luck, cards, state):
    """Return what happens next: less quarrelsome than chance, so that more is seen."""
    if luck.random() < LEAVING / 8:
        return Lost(luck.choice(state.living))
    if state.request is not None:
        return cards.answer(state)
    seat, kind = pending(state)[0]
    moves = cards.truthful(state, legal_moves(state, seat))
    if isinstance(moves[0], Pass) and luck.random() < PASSING:
        return moves[0]
    if isinstance(moves[0], Act) and luck.random() < LEAVING:
        return Concede(seat)
    if kind is DecisionKind.PROVE and len(moves) > 1:
        return moves[0]
    return luck.choice(moves)


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in GAMES:
        (FOLDER / f"{name}.txt").write_text(played(name))
