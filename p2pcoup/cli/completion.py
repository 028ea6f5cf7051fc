"""The command that teaches a shell the commands of this program."""

import click
from click.shell_completion import get_completion_class

from p2pcoup.cli.program import cli

PROGRAM = "p2pcoup"
VARIABLE = "_P2PCOUP_COMPLETE"


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print a script with which the shell completes commands, options and file names.

    \b
        p2pcoup completion bash > ~/.local/share/bash-completion/completions/p2pcoup
        p2pcoup completion zsh  > "${fpath[1]}/_p2pcoup"
        p2pcoup completion fish > ~/.config/fish/completions/p2pcoup.fish
    """
    made = get_completion_class(shell)
    if made is None:
        raise click.ClickException(f"There is no completion for {shell}.")
    # Not `source()`: that asks the shell for its version, and this may be run without one.
    script = made(cli, {}, PROGRAM, VARIABLE)
    click.echo(script.source_template % script.source_vars())
