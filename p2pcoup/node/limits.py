"""Limits of a node that the command line states as well."""

from typing import Final

MAX_GAMES: Final = 100
"""Games of one match: the files of all of them are open, and systems allow some hundreds."""
