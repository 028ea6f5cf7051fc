"""What the table tells its caller: one list of notices for everything it is given."""

from dataclasses import dataclass, field
from typing import TypeAlias

from p2pcoup.rules import (
    Concede,
    Decision,
    DecisionKind,
    Move,
    Outcome,
    Seat,
    View,
    move_to_text,
)
from p2pcoup.table.errors import AnswerError
from p2pcoup.table.game import Happened
from p2pcoup.wire import SignedMessage


@dataclass(frozen=True, slots=True)
class Accepted:
    """A message is now part of the game. The caller journals it, then passes it on.

    ``own`` marks our own message: it must be safely on disk before a single byte is sent.
    ``again``: our own message counts once more after the table has gone back. It is in the journal
    already, but others may lack it.
    """

    signed: SignedMessage
    own: bool
    again: bool = False


@dataclass(frozen=True, slots=True)
class Refused:
    """Received bytes were not accepted and changed nothing. Whose fault it is cannot be proven.

    ``misplaced``: they fit no place that this table knows, and may be right at another's.
    """

    reason: str
    misplaced: bool = False


@dataclass(frozen=True, slots=True)
class Blame:
    """A seat signed something it must not sign.

    Attributes:
        seat: who signed it.
        round: the round it was signed for.
        rule: short stable name of the rule broken, such as ``"shuffle-proof"``.
        reason: the same in words.
        evidence: the signed message, or two of them for an equivocation, as received.
        past: the game before that round, as the signer saw it. Together with it the evidence proves
            the fault to anybody, whatever becomes of the round here.
    """

    seat: Seat
    round: int
    rule: str
    reason: str
    evidence: tuple[bytes, ...]
    past: tuple[SignedMessage, ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Prompt:
    """The player must decide. An answer names ``id``; answers to other ids are refused."""

    id: int
    decision: Decision
    view: View

    def check(self, move: Move) -> None:
        """Raise AnswerError, saying what is possible, unless the player can answer like this."""
        half_way = self.decision.kind in (DecisionKind.KEEP, DecisionKind.PICK)
        conceding = isinstance(move, Concede) and not half_way
        legal = self.view.legal_moves()
        if move.seat != self.decision.seat or not (conceding or move in legal):
            possible = ", ".join(move_to_text(each) for each in legal)
            raise AnswerError(
                f"'{move_to_text(move)}' is not possible here; choose from: {possible}."
            )


@dataclass(frozen=True, slots=True)
class Behind:
    """Messages were dropped because this table is too far behind; they must be fetched again."""


@dataclass(frozen=True, slots=True)
class LeftBehind:
    """The round was closed without these seats: they are out of the game. If our own is among them,
    this peer has lost the table and can only watch.
    """

    round: int
    seats: frozenset[Seat]
    by: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Finished:
    """The result is signed by everybody who had not left: the transcript is complete."""

    outcome: Outcome


Notice: TypeAlias = Accepted | Refused | Blame | Prompt | Behind | Happened | LeftBehind | Finished
