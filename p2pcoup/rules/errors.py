"""What can be wrong with a move: not a move at all, not yours to make, not legal here (SPEC 11.6).

All are errors of whoever called the engine; the state they were raised for is unchanged. Whether
a peer is to blame for one is the table layer's business.
"""


class RulesError(ValueError):
    """Something was asked of the rules that they do not allow. The text is meant for people."""


class MoveSyntaxError(RulesError):
    """The text is not the canonical text of any move, fact or state of this edition."""


class WrongSeatError(RulesError):
    """The seat has no decision to make now; the message says who has."""


class IllegalMoveError(RulesError):
    """The move or fact does not fit the state; the message lists what would."""
