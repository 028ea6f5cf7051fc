"""The command line. Every error a user can meet is a sentence here, never a traceback.

Each module holds some of the commands; importing it adds them to the program.
"""

from p2pcoup.cli import attach, checks, completion, games, lan, measure, play, seat, tables
from p2pcoup.cli.program import cli

__all__ = [
    "attach",
    "checks",
    "cli",
    "completion",
    "games",
    "lan",
    "main",
    "measure",
    "play",
    "seat",
    "tables",
]


def main() -> None:
    """The ``p2pcoup`` command."""
    cli()
