"""The protocol of one game, sans-IO: joins the rules and the deck over signed messages (SPEC 8).

Read :mod:`~p2pcoup.table.script` first: it is the game from the first signature to the last.
:class:`~p2pcoup.table.table.Table` runs it for a player, a spectator or an auditor.
"""

from p2pcoup.table.errors import AnswerError, OwnMessageError
from p2pcoup.table.game import Game, Happened
from p2pcoup.table.notices import (
    Accepted,
    Behind,
    Blame,
    Finished,
    LeftBehind,
    Notice,
    Prompt,
    Refused,
)
from p2pcoup.table.player import Player
from p2pcoup.table.table import Table
from p2pcoup.table.terms import (
    Member,
    Sequel,
    Terms,
    TermsError,
    Times,
    decode_terms,
    edition_named,
)

__all__ = [
    "Accepted",
    "AnswerError",
    "Behind",
    "Blame",
    "Finished",
    "Game",
    "Happened",
    "LeftBehind",
    "Member",
    "Notice",
    "OwnMessageError",
    "Player",
    "Prompt",
    "Refused",
    "Sequel",
    "Table",
    "Terms",
    "TermsError",
    "Times",
    "decode_terms",
    "edition_named",
]
