"""The errors for what is refused, saying what would be right (SPEC 11.6)."""

from typing import Final

from p2pcoup.rules.errors import IllegalMoveError, RulesError, WrongSeatError
from p2pcoup.rules.legal import legal_moves
from p2pcoup.rules.moves import Concede, Event, Fact, Lost
from p2pcoup.rules.notation import fact_to_text, move_to_text, request_to_text
from p2pcoup.rules.state import State, pending
from p2pcoup.rules.steps import DecisionKind

NO_CONCEDING: Final = {
    DecisionKind.KEEP: "drawn cards are neither in a hand nor in the Court; first choose",
    DecisionKind.PICK: "the cards are not dealt yet and there is no hand to turn up; first pick",
}
"""Why one cannot give up (D25) instead of these decisions."""


def refusal(state: State, event: Event, reason: str = "") -> RulesError:
    """Return the error that fits an event the state does not allow."""
    if isinstance(event, Lost):
        return IllegalMoveError(f"nobody can be lost like this: {reason}")
    if isinstance(event, Fact):
        expected = "a decision" if state.request is None else request_to_text(state.request)
        expected = expected if state.step else "nothing, the game is over"
        because = f": {reason}" if reason else ""
        return IllegalMoveError(
            f"the cards answered '{fact_to_text(event)}'{because}; the game waits for {expected}"
        )
    asked = {decision.seat: decision.kind for decision in pending(state)}
    if event.seat not in asked:
        return WrongSeatError(f"seat {event.seat} has nothing to decide now; {_waited_for(state)}")
    if isinstance(event, Concede):
        reason = NO_CONCEDING.get(asked[event.seat], "")
    because = f" ({reason})" if reason else ""
    listed = ", ".join(move_to_text(move) for move in legal_moves(state, event.seat))
    return IllegalMoveError(
        f"'{move_to_text(event)}' is not legal now{because}; "
        f"seat {event.seat} may choose from: {listed}"
    )


def _waited_for(state: State) -> str:
    if state.outcome is not None:
        return f"the game is over, seat {state.outcome.winner} has won"
    if state.request is not None:
        return f"the game waits for the cards: {request_to_text(state.request)}"
    return "; ".join(f"seat {seat} decides: {kind.value}" for seat, kind in pending(state))
