"""A bot that people play with thinks for a moment before it answers."""

import math
import random
import time
from pathlib import Path

import pytest

from p2pcoup.bots import random_move
from p2pcoup.node.seat import SeatedGame
from p2pcoup.node.thinking import LATEST, LEAST, MOST, Thinking
from p2pcoup.table import Times
from tests.node.nodes import SeatFiles, make_seats, open_nursery, play, start_local

NOW = 1000.0


def slow(seat: SeatFiles, pace: float) -> SeatedGame:
    chance = random.Random(seat.number)
    terms = seat.table().terms
    return SeatedGame(
        terms, seat.identity, seat.folder, random_move, chance, clock=time.perf_counter, pace=pace
    )


def asked(tmp_path: Path, pace: float, times: Times) -> tuple[SeatedGame, list[SeatedGame]]:
    """The game of who is asked for the first action, and all of them."""
    games = [slow(seat, pace) for seat in make_seats(tmp_path, 2, times=times)]
    play(games)
    (first,) = [game for game in games if game.question is not None]
    return first, games


@pytest.mark.parametrize(
    ("pace", "times", "least", "most"),
    [
        (1.0, Times(), LEAST, MOST),
        (10.0, Times(), 10 * LEAST, 10 * MOST),
        (60.0, Times(decide=10), 10 * LATEST, 10 * LATEST),  # the time there is comes first
    ],
)
def test_a_bot_takes_its_time_and_is_never_too_late(
    tmp_path: Path, pace: float, times: Times, least: float, most: float
) -> None:
    game, games = asked(tmp_path, pace, times)
    thinking = Thinking()
    assert thinking.ends_at == math.inf
    thinking.look(game, NOW)
    ends_at = thinking.ends_at
    assert NOW + least <= ends_at <= NOW + most
    thinking.look(game, NOW + 0.3)  # the same question
    assert thinking.ends_at == ends_at
    assert game.decide().fresh
    thinking.look(game, NOW + 0.5)
    assert thinking.ends_at == math.inf
    assert game.decide().fresh == []
    for each in games:
        each.close()


def test_a_bot_that_does_not_think_leaves_no_question_open(tmp_path: Path) -> None:
    games = [slow(seat, 0.0) for seat in make_seats(tmp_path, 2)]
    play(games)
    assert all(game.outcome is not None for game in games)
    thinking = Thinking()
    thinking.look(games[0], NOW)
    assert thinking.ends_at == math.inf
    for game in games:
        game.close()


@pytest.mark.trio
async def test_bots_that_think_play_a_whole_game(tmp_path: Path) -> None:
    seats = make_seats(tmp_path, 2)
    async with open_nursery() as nursery:
        first = start_local(nursery, seats[0], pace=0.01)
        ports = {0: await first.told.port()}
        second = start_local(nursery, seats[1], ports, pace=0.01)
        await first.end()
        await second.end()
    assert seats[0].transcript == seats[1].transcript
    assert not first.told.all("answered-for-you")
