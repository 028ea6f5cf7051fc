"""Counting what can happen: every sequence of moves and facts to a depth. Not a test module.

Windows are answered clockwise, one order standing for all (that the others lead to the same is a
test of its own). Cards that are turned up may be whatever the public knowledge allows.
``python -m tests.rules.perft`` counts again and writes the numbers into ``perft.txt``.
"""

from itertools import product
from pathlib import Path

from p2pcoup.rules import (
    BASE,
    INQUISITOR,
    Concede,
    Deal,
    Dealt,
    DecisionKind,
    Draw,
    Drew,
    Fact,
    IllegalMoveError,
    Lost,
    Open,
    Opened,
    Options,
    Redraw,
    Redrawn,
    Replace,
    Replaced,
    Setup,
    Shown,
    ShowTo,
    Shuffle,
    Shuffled,
    apply,
    fact_to_text,
    legal_moves,
    move_to_text,
    parse_state,
    pending,
    start,
    state_to_text,
)

FILE = Path(__file__).with_name("perft.txt")
NEVER_CONCEDED = (DecisionKind.KEEP, DecisionKind.PICK)


def facts(state):
    """Return every answer the cards may give, for all the public knows."""
    match state.request:
        case Open(seat, slots):
            characters = state.edition.characters
            return [Opened(seat, cards) for cards in product(characters, repeat=len(slots))]
        case Replace(seat):
            return [Replaced(seat)]
        case Draw(seat):
            return [Drew(seat)]
        case Shuffle():
            return [Shuffled()]
        case Deal():
            return [Dealt()]
        case ShowTo(seat):
            return [Shown(seat)]
        case Redraw(seat):
            return [Redrawn(seat)]


def children(state, conceding=False, losing=False):
    """Return (event, state after it) for all that may happen next, in a fixed order."""
    if state.outcome is not None:
        return []
    if state.request is not None:
        events = facts(state)
    else:
        seat, kind = pending(state)[0]
        events = [*legal_moves(state, seat)]
        if conceding and kind not in NEVER_CONCEDED:
            events.append(Concede(seat))
    if losing:
        events += [Lost(seat) for seat in state.living]
    return [(event, after) for event in events if (after := _possible(state, event))]


def _possible(state, event):
    """Apply; None for cards that cannot be, while every listed move must be possible."""
    try:
        return apply(state, event)
    except IllegalMoveError:
        assert isinstance(event, Opened), event
        return None


def count(state, depth, **extras):
    """Return how many sequences there are of each length from 1 to `depth`."""
    counts = [0] * depth
    _count(state, counts, 0, extras)
    return counts


def _count(state, counts, place, extras):
    following = children(state, **extras)
    counts[place] += len(following)
    if place + 1 < len(counts):
        for _, after in following:
            _count(after, counts, place + 1, extras)


def sequences(state, depth, **extras):
    """Return every sequence of exactly that length, as texts."""
    if depth == 0:
        return [[]]
    return [
        [_text(event), *rest]
        for event, after in children(state, **extras)
        for rest in sequences(after, depth - 1, **extras)
    ]


def texts_of_children(state, **extras):
    """Return {text of what may happen next: state after it}."""
    return {_text(event): after for event, after in children(state, **extras)}


def _text(event):
    return fact_to_text(event) if isinstance(event, Fact) else move_to_text(event)


# The positions and their numbers

SET_OF_FIVE = Options(Setup.SET_OF_FIVE)
STRICT = Options(failed_challenger_may_block=False, steal_from_penniless=False)

MIDDLES = [
    "order 0,1; turn 0; coins 3,3; cards ?,? ?,?; act 0",
    "order 0,1; turn 1; coins 2,7; cards ?,duke duke,?; act 1",
    "order 0,1; turn 0; coins 3,0; cards ?,duke ?,contessa; act 0",
    "order 0,2,1; turn 2; coins 0,1,10; cards ?,? ?,assassin ?,?; act 2",
    "order 2,0,1; turn 0; coins 7,3,0; cards ?,duke ?,? captain,?; act 0",
    "order 0,1,2; turn 1; coins 2,2,2; cards ?,duke ?,duke ?,duke; act 1",
    "order 0,1,2; turn 2; coins 4,0,3; cards ?,captain ?,captain ?,?; act 2",
    "order 1,0,3,2; turn 3; coins 9,0,2,3; cards duke,? duke,captain ?,? ?,contessa; act 3",
]
"""Later in a game, where more can happen: losses, eliminations, ends."""


def positions():
    """Return the text of every position that is counted."""
    for edition in (BASE, INQUISITOR):
        for seats in range(2, 7):
            yield state_to_text(start(edition, seats, range(seats), seats - 1))
        yield state_to_text(start(edition, 2, (1, 0), 0, SET_OF_FIVE))
        yield from (f"{edition.name}; {middle}" for middle in MIDDLES)
        for middle in (MIDDLES[0], MIDDLES[4], MIDDLES[6]):
            state = parse_state(f"{edition.name}; {middle}")
            yield state_to_text(state._replace(options=STRICT))


MODES = {
    "moves": {},
    "with conceding": {"conceding": True},
    "with losing": {"losing": True},
    "with both": {"conceding": True, "losing": True},
}
AT_MOST = 5000
"""A depth with more sequences than this is not counted by default."""


def read():
    """Return {(position, mode): counts for depth 1, 2, ...} as recorded."""
    recorded, position = {}, ""
    for line in FILE.read_text().splitlines():
        if line.startswith("  "):
            mode, _, counts = line.strip().partition(": ")
            recorded[position, mode] = [int(number) for number in counts.split()]
        else:
            position = line
    return recorded


def counted():
    """Return the text of the file, counted anew."""
    lines = []
    for position in positions():
        lines.append(position)
        for mode, extras in MODES.items():
            state, depth = parse_state(position), 1
            while (longer := count(state, depth, **extras))[-1] <= AT_MOST:
                counts, depth = longer, depth + 1
            lines.append(f"  {mode}: {' '.join(map(str, counts))}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    FILE.write_text(counted())
