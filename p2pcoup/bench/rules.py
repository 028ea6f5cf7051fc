"""How fast the rules alone are, beside another engine where it is installed."""

import contextlib
import importlib
import time
from collections.abc import Sequence

from p2pcoup.bench.figure import Figure
from p2pcoup.bench.random_games import SEATS, RulesFigures, bench_rules

SLICES = 10  # of the games of two engines measured in turn


def measure_rules(games: int, seed: int) -> list[Figure]:
    """Random games of four by our rules and, where it is installed, by those of coupml: in turn, a
    slice of each, so that both meet the same machine.
    """
    ours: list[RulesFigures] = []
    theirs: list[RulesFigures] = []
    for number in range(SLICES):
        size = games // SLICES + (number < games % SLICES)
        ours.append(bench_rules(size, seed + number))
        with contextlib.suppress(ImportError):
            theirs.append(_bench_coupml(size, seed + number))
    figures = _of_rules("rules", _sum(ours), "≥ 100000/s")
    return figures + (_of_rules("coupml", _sum(theirs)) if theirs else [])


def _sum(slices: Sequence[RulesFigures]) -> RulesFigures:
    return RulesFigures(
        sum(each.games for each in slices),
        sum(each.decisions for each in slices),
        sum(each.seconds for each in slices),
    )


def _of_rules(name: str, measured: RulesFigures, limit: str = "") -> list[Figure]:
    return [
        Figure(f"{name}: games", measured.games_per_second, "/s"),
        Figure(f"{name}: decisions", measured.decisions_per_second, "/s", limit=limit),
    ]


def _bench_coupml(games: int, seed: int) -> RulesFigures:
    """The same with the package coupml, which draws its cards by NumPy; a decision is one of its
    legal actions played. Raises ImportError where it is not installed.
    """
    game_of, numpy = (importlib.import_module(name) for name in ("coupml.game", "numpy"))
    luck = numpy.random.RandomState(seed)
    decisions = 0
    began = time.perf_counter()
    for _ in range(games):
        game = game_of.Game(SEATS, luck)
        game.init_game()
        while not game.is_game_over():
            actions = game.get_legal_actions()
            game.play_action(actions[int(luck.random_sample() * len(actions))])
            decisions += 1
    return RulesFigures(games, decisions, time.perf_counter() - began)
