"""The benchmark of the rules plays real games. Its speed is no test: it depends on the machine."""

import pytest

from p2pcoup.bench.random_games import RulesFigures, bench_rules
from p2pcoup.rules import BASE, EDITIONS, Options, Setup


def test_the_same_seed_gives_the_same_games():
    one, two, other = (bench_rules(20, seed) for seed in (1, 1, 2))
    assert one.games == two.games == 20
    assert one.decisions == two.decisions
    assert one.decisions != other.decisions


def test_figures_are_those_of_whole_games():
    figures = bench_rules(50, 3)
    assert 20 < figures.decisions / figures.games < 100
    assert figures.seconds > 0
    assert RulesFigures(10, 500, 0.5).games_per_second == 20
    assert RulesFigures(10, 500, 0.5).decisions_per_second == 1000


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=EDITIONS)
@pytest.mark.parametrize("seats", [2, 3, 6])
def test_every_edition_and_number_of_players_is_played_to_the_end(edition, seats):
    assert bench_rules(30, 1, edition, seats).decisions > 30


def test_the_set_of_five_is_played_too():
    assert bench_rules(30, 1, BASE, 2, Options(Setup.SET_OF_FIVE)).decisions > 60
