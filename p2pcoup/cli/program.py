"""The program itself: its commands, its help, its version, and what becomes of errors.

Programs are started by the dozen, a bot each, and people wait for theirs. So a command is loaded
only when it is used: the group finds it by the table below (click's documented way to load lazily).
The same holds within a command: what only some of its ways need is imported where it is needed.
"""

import os
import sys
from collections.abc import Iterable, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Final

import click

from p2pcoup import __version__
from p2pcoup.node.folder import HOME_VARIABLE

COMMANDS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "attach": ("attach", "Show the game of a node that is running on this machine."),
        "audit": ("checks", "Check finished games from their transcripts alone."),
        "bench": (
            "measure",
            "Measure the proofs beside the raw cost of their library calls.",
        ),
        "completion": (
            "completion",
            "Print a script with which the shell completes commands.",
        ),
        "demo": ("demo", "Play whole games on this machine and audit them."),
        "evidence": (
            "checks",
            "Check a complaint: does it prove that a player broke the rules?",
        ),
        "games": (
            "games",
            "List the games played on this machine.",
        ),
        "host": ("opening", "Open a table and wait for others to sit down."),
        "identity": (
            "identity",
            "Who you are to other players: a lasting key.",
        ),
        "join": ("joining", "Sit down at a table: by its invite, or one in the local network."),
        "node": ("node", "Play one seat of a table without a window."),
        "play": ("opening", "Play alone against bots, at once."),
        "resume": (
            "joining",
            "Play on where you left the last table.",
        ),
        "rules": ("rules", "Print the rules on one card."),
        "tables": ("tables", "List the tables in the local network."),
        "watch": ("joining", "Watch a table, before its game or in the middle of it."),
    }
)
"""Every command: the module it is in, under its own name, and how its help begins."""


class Cli(click.Group):
    """Loads commands when they are used, and turns whatever ends one into a sentence and an exit
    status.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """The names of all commands."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command of that name, loaded now."""
        if cmd_name not in COMMANDS:
            return None
        module, _ = COMMANDS[cmd_name]
        command = getattr(import_module(f"p2pcoup.cli.{module}"), cmd_name)
        return command if isinstance(command, click.Command) else None

    def format_commands(
        self,
        ctx: click.Context,  # noqa: ARG002
        formatter: click.HelpFormatter,
    ) -> None:
        """All commands with what they do, without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, told) for name, (_, told) in sorted(COMMANDS.items())])

    def invoke(self, ctx: click.Context) -> object:
        """Run a command."""
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort, SystemExit):
            raise
        except BaseException as error:  # noqa: BLE001 - the last place where a user can be told
            from p2pcoup.node.failures import BROKEN_PIPE, explain

            failure = explain(error)
        if failure.status == BROKEN_PIPE:
            # Or Python would complain when it flushes the stream at its end.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if failure.told:
            click.echo(failure.told, err=True)
        raise click.exceptions.Exit(failure.status)


@click.group(
    cls=Cli,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=f"All files live in one folder: {HOME_VARIABLE} if it is set, else your data folder.",
)
@click.version_option(__version__, prog_name="p2pcoup")
def cli() -> None:
    """Coup, the bluffing card game, without a server and without a dealer.

    Every player runs this program. The cards are dealt by a protocol in which nobody sees them, and
    the signed transcript of a game can be checked by anybody.

    \b
    Alone, at once:     p2pcoup play
    On a LAN:           p2pcoup host, and on the other machines p2pcoup join
    The rules:          p2pcoup rules
    What was played:    p2pcoup games
    Check a game:       p2pcoup audit game.coup
    Check a complaint:  p2pcoup evidence FILE
    """


def listed(words: Iterable[str]) -> str:
    """The words as in a sentence: a, b and c."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last
