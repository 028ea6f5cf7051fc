"""What a game has come to is told once, when it is so."""

import json
from pathlib import Path

import pytest

from p2pcoup.node.desk import NoDesk
from p2pcoup.node.log import NodeLog
from p2pcoup.node.milestones import Milestones
from p2pcoup.node.report import Report
from p2pcoup.node.seat import SeatedGame
from p2pcoup.node.telling import Telling
from tests.node.nodes import make_seats, play


class Told:
    """The milestones of a game, and what they tell."""

    def __init__(self, game: SeatedGame, all_here_at: float | None = None) -> None:
        self._lines: list[str] = []
        self._log = NodeLog("json", self._lines.append)
        report = Report(Telling(self._log, NoDesk()), game)
        self.milestones = Milestones(game, report, all_here_at)

    def events(self) -> list[dict]:
        self._log.close()
        return [json.loads(line) for line in self._lines]

    def names(self) -> list[str]:
        return [event["event"] for event in self.events()]


def test_that_all_have_sat_down_and_the_cards_are_dealt_is_told_once(tmp_path: Path) -> None:
    seats = make_seats(tmp_path, 3)
    games = [seat.sit_down(policy=None) for seat in seats]
    told = Told(games[0], all_here_at=100.0)
    told.milestones.look(100.0)
    play(games, watch=lambda *_: told.milestones.look(102.5))
    told.milestones.look(103.0)
    seated, dealt = told.events()
    assert (seated["event"], dealt["event"]) == ("seated", "dealt")
    assert dealt["seconds"] == 2.5
    for game in games:
        game.close()


@pytest.mark.parametrize("missing", [False, True])
def test_a_restarted_node_says_when_it_is_as_far_as_the_others(
    tmp_path: Path, missing: bool
) -> None:
    seats = make_seats(tmp_path, 2)
    games = [seat.sit_down() for seat in seats]
    play(games, most=20)
    games[0].close()
    again = seats[0].sit_down()
    told = Told(again)
    at = again.table.round
    told.milestones.look(0.0)
    told.milestones.others_are_at(at + missing)
    told.milestones.look(0.0)
    if missing:
        play([again, games[1]])
        assert again.table.round > at
        told.milestones.look(1.0)
    told.milestones.look(2.0)
    assert [name for name in told.names() if name != "seated"] == ["restored", "caught-up"]
    assert [event["round"] for event in told.events() if event["event"] == "caught-up"] == [
        again.table.round
    ]
    for game in (again, games[1]):
        game.close()


def test_how_long_it_takes_to_make_the_court_anew_is_told(tmp_path: Path) -> None:
    seats = make_seats(tmp_path, 3)
    games = [seat.sit_down(policy=None) for seat in seats]
    play(games)
    gone = next(game for game in games if game.question is not None)
    left = [game for game in games if game is not gone]
    told = Told(left[0])
    flying = [raw for game in left for raw in game.declare_absent().fresh]
    now = 0.0
    while flying:
        raw = flying.pop(0)
        for game in left:
            flying += game.receive(raw).fresh
            now += 1
            told.milestones.look(now)
    assert left[0].table.game.lost == {gone.seat}
    assert gone.seat not in left[0].table.game.cards.keys
    (recovered,) = [event for event in told.events() if event["event"] == "recovered"]
    assert 0 < recovered["seconds"] < now
    for game in games:
        game.close()
