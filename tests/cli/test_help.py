"""The help, and what is said of wrong usage."""

import re

import click
import pytest

import p2pcoup
from p2pcoup.cli.program import COMMANDS as COMMANDS_BY_NAME
from p2pcoup.cli.program import cli
from p2pcoup.node.folder import HOME_VARIABLE
from tests.cli.running import Run

COMMANDS = (
    ["identity"],
    ["identity", "create"],
    ["identity", "show"],
    ["games"],
    ["tables"],
    ["host"],
    ["join"],
    ["watch"],
    ["play"],
    ["resume"],
    ["completion"],
    ["node"],
    ["audit"],
    ["evidence"],
    ["rules"],
    ["demo"],
    ["bench"],
    ["bench", "rules"],
)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_the_help_of_every_command_has_an_example_that_can_be_typed(
    run: Run, command: list[str]
) -> None:
    result = run(*command, "--help")
    assert result.exit_code == 0
    assert re.search(rf"^ {{2,}}.*p2pcoup {' '.join(command)}", result.output, re.MULTILINE)
    assert result.output == run(*command, "-h").output


def test_the_program_s_help_names_every_command_and_where_the_files_are(run: Run) -> None:
    result = run("--help")
    assert result.exit_code == 0
    for command in {*COMMANDS_BY_NAME, *(each for each, *_ in COMMANDS)}:
        assert command in result.output
    assert HOME_VARIABLE in result.output


def test_the_list_of_all_commands_says_what_the_help_of_each_begins_with() -> None:
    context = click.Context(cli)
    for name, (_, told) in COMMANDS_BY_NAME.items():
        command = cli.get_command(context, name)
        assert command.name == name
        assert " ".join(command.help.split()).startswith(told.removesuffix("."))


def test_the_version_is_that_of_the_package(run: Run) -> None:
    assert run("--version").output == f"p2pcoup, version {p2pcoup.__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["deal"], "No such command 'deal'"),
        (["identity", "delete"], "No such command 'delete'"),
        (["node"], "Give one of --table, --host, --join and --watch."),
        (["node", "--host", "--name", "Ash", "--join", "x"], "Give one of --host, --join and"),
        (["node", "--host", "--name", "Ash", "--times", "1,2"], "Three whole numbers of seconds"),
        (["host", "--seats", "7", "--name", "Ash"], "7 players cannot play the base game"),
        (["node", "--table", "t", "--bot", "genius"], "'genius' is not one of"),
        (["node", "--table", "t", "--log", "xml"], "'xml' is not one of"),
        (["audit"], "Missing argument 'FILES...'"),
        (["demo", "--seats", "1"], "1 is not in the range"),
        (["demo", "--seats", "7"], "7 is not in the range"),
        (["demo", "--games", "0"], "0 is not in the range"),
        (["demo", "--games", "101"], "101 is not in the range"),
        (["demo", "--setup", "set-of-five"], "the set-of-five set-up is for exactly 2 players"),
        (["demo", "--bots", "honest,genius"], "there is no bot 'genius'; choose from honest, "),
        (["demo", "--bots", ""], "there is no bot ''"),
        (["bench", "--repeats", "0"], "0 is not in the range"),
        (["bench", "rules", "--games", "0"], "0 is not in the range"),
        (["evidence"], "Missing argument 'FILE'"),
        (["rules", "--edition", "gold"], "'gold' is not one of 'base', 'inquisitor'"),
        (["rules", "--setup", "of-six"], "'of-six' is not one of"),
        (["rules", "--options", "free-money"], "'free-money' are no options; what there is"),
        (["rules", "--setup", "standard", "--options", "standard"], "give one of the two"),
    ],
)
def test_wrong_usage_is_explained_with_status_2(run: Run, arguments: list[str], told: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert told in result.output
    assert "--help" in result.output
