"""Whom the game waits for while their link is down. In a real game; most is in test_desk."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from p2pcoup.node.desk import NoDesk
from p2pcoup.node.log import NodeLog
from p2pcoup.node.missing import Missing
from p2pcoup.node.report import Report
from p2pcoup.node.seat import SeatedGame
from p2pcoup.node.telling import Telling
from p2pcoup.wire import PeerId
from tests.node.nodes import make_seats


class Scene:
    """Ash at a table that waits for Birch and Cedar to sit down."""

    def __init__(self, game: SeatedGame) -> None:
        self._lines: list[str] = []
        self._log = NodeLog("json", self._lines.append)
        self.birch, self.cedar = (member.peer for member in game.terms.roster[1:])
        self.missing = Missing(game, Report(Telling(self._log, NoDesk()), game))

    def lost(self, peer: PeerId) -> None:
        self.missing.lost(peer)
        self.missing.look()

    def told(self) -> list[str]:
        self._log.close()
        return [json.loads(line)["text"] for line in self._lines]


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    game = make_seats(tmp_path, 3)[0].sit_down()
    scene = Scene(game)
    game.begin()
    yield scene
    game.close()


def test_a_seat_the_game_waits_for_is_missed_once_while_its_link_is_down(scene: Scene) -> None:
    scene.missing.look()
    scene.lost(scene.birch)
    scene.missing.look()
    scene.lost(scene.birch)
    scene.lost(scene.cedar)
    assert scene.told() == [
        "Waiting for Birch (reconnecting).",
        "Waiting for Cedar (reconnecting).",
    ]


def test_that_somebody_is_back_is_said_if_it_was_said_that_they_were_gone(scene: Scene) -> None:
    scene.missing.lost(scene.cedar)
    scene.missing.heard_of(scene.cedar)  # nobody has missed them
    scene.lost(scene.birch)
    scene.missing.heard_of(scene.birch)
    scene.missing.heard_of(scene.birch)
    scene.lost(scene.birch)
    assert scene.told() == [
        "Waiting for Birch (reconnecting).",
        "Birch is back.",
        "Waiting for Birch (reconnecting).",
    ]


def test_who_is_heard_of_another_way_is_not_missed(scene: Scene) -> None:
    scene.missing.lost(scene.birch)
    scene.missing.heard_of(scene.birch)
    scene.missing.look()
    assert scene.told() == []
