"""The benchmarks as commands."""

import json

import pytest

from p2pcoup.bench.random_games import bench_rules
from p2pcoup.bench.rules import SLICES
from tests.cli.running import Run


def test_a_quick_bench_gives_the_proofs_figures_as_json(run: Run) -> None:
    result = run("bench", "--quick", "--repeats", 1, "--json")
    assert result.exit_code == 0
    figures = json.loads(result.output)
    assert "shuffle 15 cards" in figures
    for figure in figures.values():
        assert figure["value"] > 0
        assert set(figure) == {"value", "unit", "raw", "ratio", "calls", "limit"}
    assert figures["shuffle 15 cards"]["calls"]["variable"] > 15


def test_a_quick_bench_gives_people_one_line_a_figure(run: Run) -> None:
    result = run("bench", "--quick", "--repeats", 1)
    assert result.exit_code == 0
    assert any(line.startswith("verify the shuffle ") for line in result.output.splitlines())


@pytest.mark.parametrize("games", [1, 25])
def test_the_rules_alone_are_measured_in_games_and_decisions_a_second(run: Run, games: int) -> None:
    figures = json.loads(run("bench", "rules", "--games", games, "--json").output)
    rates = [figures[f"rules: {name}"]["value"] for name in ("games", "decisions")]
    played = [
        bench_rules(games // SLICES + (number < games % SLICES), 1 + number)
        for number in range(SLICES)
    ]
    wanted = sum(each.decisions for each in played) / games
    assert rates[1] / rates[0] == pytest.approx(wanted, rel=1e-3)
    lines = run("bench", "rules", "--games", games).output.splitlines()
    assert [line.split("  ")[0] for line in lines] == list(figures)


def test_the_rules_of_coupml_are_measured_beside_ours_where_they_are_installed(run: Run) -> None:
    pytest.importorskip("coupml")
    figures = json.loads(run("bench", "rules", "--games", 20, "--json").output)
    assert figures["coupml: decisions"]["value"] > figures["coupml: games"]["value"] > 0
