"""How long a round may take: for whoever is asked, for those who wait, for those who are gone."""

import math
from pathlib import Path

import pytest

from p2pcoup.node.seat import SeatedGame
from p2pcoup.node.window import NETWORK_SECONDS, Window
from p2pcoup.rules import Seat, move_to_text
from p2pcoup.table import Times
from tests.node.nodes import SeatFiles, make_seats, play

TIMES = Times(decide=40, answer=10, grace=100)


def asked_games(tmp_path: Path, count: int) -> tuple[list[SeatFiles], list[SeatedGame]]:
    """A game in which somebody is asked for their first action; nobody decides by themselves."""
    seats = make_seats(tmp_path, count, times=TIMES)
    games = [seat.sit_down(policy=None) for seat in seats]
    play(games)
    assert sum(game.question is not None for game in games) == 1
    return seats, games


def act(games: list[SeatedGame], move: str) -> None:
    """The asked player makes a move that the others may answer, and hears of it from all."""
    (actor,) = [game for game in games if game.question is not None]
    question = actor.question
    assert question is not None
    (chosen,) = [
        each for each in question.view.legal_moves() if move_to_text(each).split(" ", 1)[1] == move
    ]
    spread(games, actor, actor.answer(question.id, chosen).fresh)


def spread(games: list[SeatedGame], origin: SeatedGame, fresh: list[bytes]) -> None:
    for raw in fresh:
        for game in games:
            if game is not origin:
                spread(games, game, game.receive(raw).fresh)


def test_before_all_have_sat_down_no_time_runs_and_nobody_is_called_absent(tmp_path: Path) -> None:
    game = make_seats(tmp_path, 3, times=TIMES)[0].sit_down(policy=None)
    game.begin()
    window = Window()
    window.look(game.table, 1000.0)
    assert window.remaining_ms(1000.0) is None
    assert window.must_tell(1000.0 + 40 + NETWORK_SECONDS), "but it is told whom it waits for"
    assert not window.grace_has_ended(1000.0 + 140, 100)
    game.close()


def test_a_decision_in_the_open_has_its_time_and_then_the_grace(tmp_path: Path) -> None:
    _, games = asked_games(tmp_path, 3)
    window = Window()
    window.look(games[0].table, 1000.0)
    assert (window.ends_at, window.grace_ends_at) == (1040.0, 1140.0)
    assert window.remaining_ms(1000.5) == 39_500
    assert window.remaining_ms(1050.0) == 0
    assert not window.has_ended(1039.9)
    assert window.has_ended(1040.0)
    assert not window.grace_has_ended(1139.9, 100)
    assert [window.grace_has_ended(at, 100) for at in (1140.0, 1141.0, 1240.0)] == [
        True,
        False,
        True,
    ]
    for game in games:
        game.close()


def test_a_single_answer_does_not_give_the_others_more_time(tmp_path: Path) -> None:
    _, games = asked_games(tmp_path, 3)
    windows = [Window() for _ in games]

    def look(now: float) -> None:
        for window, game in zip(windows, games, strict=True):
            window.look(game.table, now)

    look(1000.0)
    act(games, "foreign-aid")
    look(1030.0)
    assert {window.ends_at for window in windows} == {1040.0}, "10 s to answer, sealed"
    first, second = [game for game in games if game.question is not None]
    spread(games, first, first.answer_by_default().fresh)
    look(1035.0)
    assert {window.ends_at for window in windows} == {1040.0}
    assert {window.grace_ends_at for window in windows} == {1140.0}
    spread(games, second, second.answer_by_default().fresh)
    look(1036.0)
    assert {window.ends_at for window in windows} == {1076.0}, "it is the next one's turn"
    for game in games:
        game.close()


def test_who_is_just_back_has_the_grace_time_to_speak(tmp_path: Path) -> None:
    _, games = asked_games(tmp_path, 2)
    window = Window()
    window.heard(0.0, 100)
    assert window.grace_ends_at == math.inf, "nothing is open yet"
    window.look(games[0].table, 1000.0)
    window.heard(1020.0, 100)
    assert window.grace_ends_at == 1140.0, "there is as much time left anyway"
    window.heard(1130.0, 100)
    assert window.grace_ends_at == 1230.0
    assert window.ends_at == 1040.0
    for game in games:
        game.close()


def test_whom_the_game_waits_for_is_told_once_a_round(tmp_path: Path) -> None:
    _, games = asked_games(tmp_path, 2)
    window = Window()
    window.look(games[0].table, 0.0)
    assert [window.must_tell(at) for at in (41.0, 42.0, 43.0, 99.0)] == [False, True, False, False]
    for game in games:
        game.close()


@pytest.mark.parametrize("grace", [0, 1])
def test_without_grace_an_absence_is_stated_at_most_once_a_second(
    tmp_path: Path, grace: int
) -> None:
    _, games = asked_games(tmp_path, 2)
    window = Window()
    window.look(games[0].table, 0.0)
    window.grace_ends_at = 40.0
    times = (40.0, 40.5, 41.0)
    assert [window.grace_has_ended(at, grace) for at in times] == [True, False, True]
    for game in games:
        game.close()


def test_a_game_that_is_over_has_no_time_left_to_run_out(tmp_path: Path) -> None:
    seats = make_seats(tmp_path, 2)
    games = [seat.sit_down() for seat in seats]
    window = Window()
    window.look(games[0].table, 0.0)
    play(games)
    assert games[0].outcome is not None
    assert games[0].outcome.winner in (Seat(0), Seat(1))
    window.look(games[0].table, 10.0)
    assert window.ends_at == window.tell_at == window.grace_ends_at == math.inf
    assert window.remaining_ms(10.0) is None
    for game in games:
        game.close()
