"""How fast bots play where people play with them."""

from collections.abc import Callable
from typing import Any, Final, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])

USUAL_PACE: Final = 1.0
"""Seconds: every turn of a bot can be followed, and the game goes on."""
MAX_PACE: Final = 60.0


def pace_option(command: Command) -> Command:
    """Add the option that says how long bots think, for a command that shows the game."""
    return click.option(
        "--pace",
        type=click.FloatRange(0, MAX_PACE),
        default=USUAL_PACE,
        show_default=True,
        metavar="SECONDS",
        help="How long a bot thinks about a decision; 0: not at all.",
    )(command)
