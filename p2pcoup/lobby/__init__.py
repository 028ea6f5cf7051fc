"""A table before its game: who sits down, what is played, and how all agree to start (SPEC 12).

Sans-IO: it is told what came over which link and what time it is, and says what is to be done.
"""

from p2pcoup.lobby.effects import (
    Begin,
    Closed,
    Drop,
    Effect,
    Enter,
    Keep,
    Said,
    Send,
    Told,
    Withdraw,
)
from p2pcoup.lobby.errors import NotPossible, TooOften
from p2pcoup.lobby.guest import Manner
from p2pcoup.lobby.lobby import Lobby, join_table, open_table
from p2pcoup.lobby.messages import Started, encode_lobby
from p2pcoup.lobby.reading import decode_lobby, is_lobby
from p2pcoup.lobby.settings import Settings
from p2pcoup.lobby.sheet import Person, Sheet, labels

__all__ = [
    "Begin",
    "Closed",
    "Drop",
    "Effect",
    "Enter",
    "Keep",
    "Lobby",
    "Manner",
    "NotPossible",
    "Person",
    "Said",
    "Send",
    "Settings",
    "Sheet",
    "Started",
    "Told",
    "TooOften",
    "Withdraw",
    "decode_lobby",
    "encode_lobby",
    "is_lobby",
    "join_table",
    "labels",
    "open_table",
]
