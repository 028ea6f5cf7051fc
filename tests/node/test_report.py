"""What the user of a node is told; most of it is tested where it happens, in test_node."""

import io
from pathlib import Path

import pytest

from p2pcoup.node.desk import NoDesk
from p2pcoup.node.log import NodeLog
from p2pcoup.node.report import Report
from p2pcoup.node.telling import Telling
from p2pcoup.rules import Seat
from p2pcoup.table import LeftBehind
from tests.lobby.crowd import identity_of
from tests.node.nodes import make_seats


def test_whom_the_game_waits_for_is_told_with_whether_there_is_a_link(tmp_path: Path) -> None:
    seats = make_seats(tmp_path, 4)
    game = seats[0].sit_down()
    game.begin()
    lines = io.StringIO()
    with NodeLog("text", lines.write) as log:
        report = Report(Telling(log, NoDesk()), game)
        report.waiting([seats[1].identity.peer_id, seats[3].identity.peer_id])
    game.close()
    assert lines.getvalue().endswith(" Waiting for Birch, Cedar (reconnecting) and Elm.\n")


@pytest.mark.parametrize(
    ("gone", "told"),
    [
        ({1}, "Nothing is heard of Birch any more; the game goes on without them."),
        ({1, 3}, "Nothing is heard of Birch and Elm any more; the game goes on without them."),
        ({0, 1}, "The others have heard nothing of this node for too long and go on without it;"),
    ],
)
def test_who_is_put_out_is_named_and_our_own_seat_is_told_what_that_means(
    tmp_path: Path, gone: set[int], told: str
) -> None:
    game = make_seats(tmp_path, 4)[0].sit_down()
    lines = io.StringIO()
    with NodeLog("text", lines.write) as log:
        left = LeftBehind(7, frozenset(map(Seat, gone)), (Seat(2),))
        Report(Telling(log, NoDesk()), game).left_behind(left)
    game.close()
    assert told in lines.getvalue()


def test_people_who_watch_are_told_of_without_their_ids(tmp_path: Path) -> None:
    seats = make_seats(tmp_path, 3)
    game = seats[0].sit_down()
    stranger = identity_of("Oak").peer_id
    lines = io.StringIO()
    with NodeLog("text", lines.write) as log:
        report = Report(Telling(log, NoDesk()), game)
        report.linked(stranger)
        report.unlinked(stranger, "It said goodbye.")
        report.linked(seats[1].identity.peer_id)
    game.close()
    told = [line.partition(" ")[2] for line in lines.getvalue().splitlines()]
    assert told == [
        "Linked to somebody who watches.",
        "Somebody who watched is gone: It said goodbye.",
        "Linked to Birch.",
    ]
