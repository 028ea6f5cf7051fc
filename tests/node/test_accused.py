"""Whoever signs false messages without end fills neither the disk nor what newcomers are sent."""

from pathlib import Path

from p2pcoup.audit import verify_evidence_file
from p2pcoup.node.accused import MAX_KEPT
from p2pcoup.table import Blame
from p2pcoup.wire import Kind, parse
from tests.node.nodes import make_seats, play, signed_otherwise


def test_of_one_seat_only_the_first_few_blames_are_kept_and_every_one_is_passed_on(
    tmp_path: Path,
) -> None:
    seats = make_seats(tmp_path, 3)
    games = [seat.sit_down() for seat in seats]
    play(games, most=150)
    said = [raw for raw in games[0].messages(0) if parse(raw).message.seat == 2]
    closed = [raw for raw in said if parse(raw).message.round < games[0].table.round]
    proofs = {Kind.JOIN, Kind.COIN, Kind.KEY, Kind.SHUFFLE, Kind.SHARES}  # bytes without a form
    false = [signed_otherwise(seats[2], r) for r in closed[::-1] if parse(r).message.kind in proofs]
    assert len(false) > MAX_KEPT + 1
    blames = []
    for raw in false:  # the latest first, as each takes the game back to its round
        step = games[0].receive(raw)
        blames += [notice for notice in step.notices if isinstance(notice, Blame)]
        assert raw in step.fresh, "the others may not have seen it"
        assert raw not in games[0].receive(raw).fresh
    kept = sorted(seats[0].folder.glob("evidence-*"))
    assert len(kept) == MAX_KEPT
    assert {verify_evidence_file(file).name for file in kept} == {"Cedar"}
    assert games[0].evidence_file(blames[0]) in kept
    assert games[0].evidence_file(blames[-1]) in kept
    first = [index < MAX_KEPT for index in range(len(false))]
    assert [raw in games[0].messages(0) for raw in false] == first
    for game in games:
        game.close()
    assert [raw in seats[0].journal() for raw in false] == first
    again = seats[0].sit_down()
    assert again.caught == {2}
    again.close()
