"""The command that opens another window on a node that is running."""

import sys
from pathlib import Path

import click

from p2pcoup.node.folder import home_folder

API_FILE = "api.json"


@click.command()
@click.option(
    "--home",
    type=click.Path(path_type=Path),
    help="The node's data folder.  [default: your own]",
)
@click.option("--plain", is_flag=True, help="Lines instead of the full screen.")
@click.option("--json", "as_json", is_flag=True, help="The API's own messages, one a line.")
@click.option("--lang", metavar="LANGUAGE", help="de, en, fr, it, ko; else that of your system.")
def attach(home: Path | None, plain: bool, as_json: bool, lang: str | None) -> None:
    """Show the game of a node that is running on this machine.

    The node must offer its API: p2pcoup node … --api 127.0.0.1:0. Several windows on one node show
    the same; whichever answers first counts. Closing one changes nothing for the node.

    \b
        p2pcoup attach
        p2pcoup attach --plain --lang de

    Exit status: 0 you ended it; 1 there is no such node, and why is said.
    """
    from p2pcoup.ui.run import chosen_mode, run  # not for the help

    file = (home_folder() if home is None else home) / API_FILE
    if not file.exists():
        raise click.ClickException(
            f"No node with an API is running here: there is no {file}. Start one with "
            "p2pcoup node … --api 127.0.0.1:0, or name its data folder with --home."
        )
    sys.exit(run(None, chosen_mode(plain=plain, as_json=as_json), lang, api_file=file))
