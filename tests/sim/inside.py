"""What cheats and checks look at inside a table, where its callers must not: all of it is here."""

from collections.abc import Sequence

from p2pcoup.table import Table
from p2pcoup.table.open_round import OpenRound
from p2pcoup.table.rounds import Round

MOST_FAULTS = 4
"""After so many false messages in a round a seat may not be listened to any more."""


def open_round(table: Table) -> OpenRound:
    """The round that is open, or the last one of a game that is over."""
    return table._now


def all_rounds(table: Table) -> Sequence[OpenRound]:
    """All rounds so far, the open one included."""
    return table._rounds


def wanted_in(table: Table) -> Round:
    """What the game script asks for in the open round."""
    return table._round
