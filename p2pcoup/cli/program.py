"""The program itself: its help, its version, and what becomes of errors."""

import os
import sys
from collections.abc import Iterable

import click

from p2pcoup import __version__
from p2pcoup.node.failures import BROKEN_PIPE, explain
from p2pcoup.node.home import HOME_VARIABLE


class Cli(click.Group):
    """Turns whatever ends a command into a sentence and an exit status."""

    def invoke(self, ctx: click.Context) -> object:
        """Run a command."""
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort, SystemExit):
            raise
        except BaseException as error:  # noqa: BLE001 - the last place where a user can be told
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
