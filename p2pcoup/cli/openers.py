"""Whether the opener of a table has been met before, and asking about it (SPEC 9.9, 10.5).

What the network says is not proven, but a known peer id is: nobody else can answer for it once
there is a link. A known name with another id is what somebody who pretends would use.
"""

import sys

import click

from p2pcoup.node.known import Acquaintance, Changed, Known, New


def opened_by(name: str, opener: Acquaintance) -> str:
    """The opener by the name it says, and what we know of it."""
    match opener:
        case New():
            return f"{name} (new)"
        case Known(before) if before.name.casefold() == name.casefold():
            return f"{name} (known)"
        case Known(before):
            return f"{name} (known as {before.name})"
        case Changed():
            return f"{name} (NOT the {name} you have met)"


def ask_about(name: str, opener: Acquaintance, command: str) -> None:
    """If the opener is not the one met under its name, go on only if the user says so.

    Args:
        command: with which one goes there by the invite, asked nothing.

    Raises:
        ClickException: nobody is there to be asked.
        Abort: the user says no.
    """
    if not isinstance(opener, Changed):
        return
    click.echo(
        f"Careful: whoever opened this table calls itself {name}, but is not the {name} you have "
        "met: the key is another one. It may be a new computer, somebody else of that name, or "
        "somebody who pretends.",
        err=True,
    )
    if not sys.stdin.isatty():
        raise click.ClickException(
            f"Ask {name} whether this is their table, and go there by its invite then: {command}"
        )
    click.confirm("Go there all the same?", abort=True, err=True)
