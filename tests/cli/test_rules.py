"""The reference card."""

import pytest

from p2pcoup.rules import EDITIONS, USUAL, Options, Setup, reference_card
from tests.cli.running import Run


@pytest.mark.parametrize(
    ("arguments", "edition", "options"),
    [
        ([], "base", USUAL),
        (["--edition", "inquisitor"], "inquisitor", USUAL),
        (["--setup", "set-of-five"], "base", Options(Setup.SET_OF_FIVE)),
        (
            ["--options", "set-of-five,starter-coin"],
            "base",
            Options(Setup.SET_OF_FIVE, starter_coin=True),
        ),
    ],
)
def test_the_rules_of_every_game_there_is_are_printed_on_one_card(
    run: Run, arguments: list[str], edition: str, options: Options
) -> None:
    result = run("rules", *arguments)
    assert result.exit_code == 0
    assert result.output == reference_card(EDITIONS[edition], options) + "\n"


def test_they_are_told_in_the_language_that_is_asked_for(run: Run) -> None:
    german = run("rules", "--lang", "de")
    assert german.exit_code == 0
    assert "Großherzog" in german.output
    assert "Duke" not in german.output
    assert run("rules", "--lang", "en").output == reference_card(EDITIONS["base"], USUAL) + "\n"
