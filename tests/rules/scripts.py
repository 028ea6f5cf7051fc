"""A little script language for tests of the rules. Not a test module.

A script is a table of lines ``what the game waits for : what happens``. The left side is compared
with *everything* the game waits for, so a script shows the whole sequence of decisions::

    act 0               : 0 assassinate 1
    challenge-action 1 2: all pass
    block 1             : 1 pass
    lose 1              : 1 lose 0
    open 1 0            : 1 opened duke
    act 1               :

``coins 2,1,4`` and ``cards ?,? ?,duke`` compare these. Several events are separated by commas and
``all pass`` lets everyone asked pass.
"""

from p2pcoup.rules import (
    Event,
    MoveSyntaxError,
    Pass,
    Seat,
    State,
    apply,
    legal_moves,
    move_to_text,
    parse_fact,
    parse_move,
    parse_state,
    pending,
    request_to_text,
    state_to_text,
)


def table(
    coins: str,
    cards: str = "",
    turn: int = 0,
    order: str = "",
    edition: str = "base",
    options: str = "",
) -> State:
    """Return a state at the beginning of a turn; by default everyone has two hidden cards."""
    seats = coins.count(",") + 1
    around = order or ",".join(str(seat) for seat in range(seats))
    hands = cards or " ".join(["?,?"] * seats)
    agreed = f"; options {options}" if options else ""
    return parse_state(
        f"{edition}{agreed}; order {around}; turn {turn}; coins {coins}; cards {hands}; act {turn}"
    )


def texts(state: State, seat: int) -> list[str]:
    """Return the legal moves of a seat as texts."""
    return [move_to_text(move) for move in legal_moves(state, Seat(seat))]


def verbs(state: State, seat: int) -> set[str]:
    """Return the first words of the legal moves of a seat."""
    return {text.split()[1] for text in texts(state, seat)}


def event(state: State, text: str) -> Event:
    """Read a move or a fact."""
    try:
        return parse_move(state.edition, text)
    except MoveSyntaxError:
        return parse_fact(state.edition, text)


def waits_for(state: State) -> str:
    """Return everything the game waits for, as one line."""
    if state.outcome is not None:
        return f"over {state.outcome.winner}"
    if state.request is not None:
        return request_to_text(state.request)
    decisions = pending(state)
    (kind,) = {decision.kind for decision in decisions}
    return " ".join([kind.value, *(str(decision.seat) for decision in decisions)])


def sections(state: State) -> dict[str, str]:
    """Return the labelled sections of the state's text."""
    return dict(part.split(" ", 1) for part in state_to_text(state).split("; ")[1:] if " " in part)


def play(state: State, script: str) -> State:
    """Play a script and return the last state."""
    for line in filter(None, map(str.strip, script.splitlines())):
        expected, _, happens = (part.strip() for part in line.partition(":"))
        label, _, value = expected.partition(" ")
        if label in ("coins", "cards"):
            assert sections(state)[label] == value, line
            continue
        assert waits_for(state) == expected, line
        if happens == "all pass":
            for decision in pending(state):
                state = apply(state, Pass(decision.seat))
            continue
        for text in filter(None, map(str.strip, happens.split(", "))):
            state = apply(state, event(state, text))
    return state
