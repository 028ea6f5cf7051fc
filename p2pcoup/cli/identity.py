"""Who a user is to the others."""

import click

from p2pcoup.node.folder import home_folder
from p2pcoup.node.home import create_identity, identity_file, load_identity


@click.group()
def identity() -> None:
    """Who you are to other players: a lasting key, known by its peer id.

    \b
    Once, on every machine:    p2pcoup identity create
    For the table files:       p2pcoup identity show
    """


@identity.command("create")
def identity_create() -> None:
    """Make your identity and print its peer id.

    There is one for each data folder; an existing one is never overwritten. The key is a file that
    only you can read. Who loses it sits down as somebody else; who copies it can sit down as you.

    \b
        p2pcoup identity create
    """
    made = create_identity(home_folder())
    click.echo("Your peer id, for the others' table files:", err=True)
    click.echo(made.peer_id)
    click.echo(
        f"The key is in {identity_file(home_folder())}. Keep it to yourself; whoever has it can "
        "sit down as you.",
        err=True,
    )


@identity.command("show")
def identity_show() -> None:
    """Print your peer id, and nothing else.

    \b
        p2pcoup identity show
    """
    click.echo(load_identity(home_folder()).peer_id)
