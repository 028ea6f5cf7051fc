"""The command line. Every error a user can meet is a sentence here, never a traceback.

`program` lists all commands and where each is; a command's module is loaded when it is used.
"""

from p2pcoup.cli.program import cli

__all__ = ["cli", "main"]


def main() -> None:
    """The ``p2pcoup`` command."""
    cli()
