"""Several games at one table: who starts, what is left, and peers that are a game apart."""

import itertools
from collections.abc import Sequence
from pathlib import Path

import pytest
import trio

from p2pcoup.audit import Report, Verdict, audit, match_flaw
from p2pcoup.net import Mesh, Received
from p2pcoup.node.gossip import Have, Passed, decode_gossip, encode_gossip
from p2pcoup.node.match import Match
from p2pcoup.node.seat import TRANSCRIPT_NAME, SeatedGame, Step
from p2pcoup.table import Finished
from p2pcoup.wire import parse
from tests.node.nodes import (
    PATIENCE,
    Held,
    SeatFiles,
    linked,
    make_seats,
    open_nursery,
    peer,
    play,
    start_local,
)


def transcripts(seat: SeatFiles) -> set[bytes]:
    return {path.read_bytes() for path in (seat.home / "games").glob(f"*/{TRANSCRIPT_NAME}")}


def assert_same_valid_match(seats: Sequence[SeatFiles], length: int) -> list[Report]:
    """All have the same transcripts, each is valid, and each goes on from the one before it."""
    (files,) = {frozenset(transcripts(seat)) for seat in seats}
    reports = sorted(map(audit, files), key=lambda report: report.game or "")
    assert [report.verdict for report in reports] == [Verdict.VALID] * length
    for earlier, later in itertools.pairwise(reports):
        assert later.sequel is not None
        assert later.sequel.previous == earlier.final_digest
        assert match_flaw(earlier, later) is None
    return reports


class OneHasFinishedError(Exception):
    """Stops a game as soon as one seat has all of it."""

    def __init__(self, seat: int) -> None:
        self.seat = seat


def end_of_a_game_that_only_one_has(seats: Sequence[SeatFiles]) -> int:
    """Play the first game until one seat has finished it; returns which."""

    def watch(seat: int, step: Step) -> None:
        if any(isinstance(notice, Finished) for notice in step.notices):
            raise OneHasFinishedError(seat)

    games = [seat.sit_down() for seat in seats]
    with pytest.raises(OneHasFinishedError) as stopped:
        play(games, watch=watch)
    for game in games:
        game.close()
    return stopped.value.seat


# --- the games of one seat ------------------------------------------------------------------------


def matches(seats: Sequence[SeatFiles]) -> list[Match]:
    return [seat.match() for seat in seats]


def play_current(at: Sequence[Match]) -> None:
    games: list[SeatedGame] = [match.current for match in at]
    play(games)


def test_the_winner_of_a_game_starts_the_next_one_in_the_same_order(tmp_path: Path) -> None:
    seats = make_seats(tmp_path, 3, games=2)
    at = matches(seats)
    play_current(at)
    first = at[0].current.table
    assert first.outcome is not None
    for match in at:
        match.open_next()
    assert len({match.current.terms.game_id for match in at}) == 1
    assert at[0].current.terms.game == "node test (game 2)"
    play_current(at)
    second = at[0].current.table
    starter = next(step.before.turn for step in second.game.happened if step.before is not None)
    assert starter == first.outcome.winner
    assert second.game.playing.order == first.game.playing.order
    assert [match.over for match in at] == [True] * 3
    assert sum(at[0].score.values()) == 2
    assert at[0].score[first.terms.names[first.outcome.winner]] >= 1
    for match in at:
        match.close()
    assert_same_valid_match(seats, 2)


def test_every_game_of_a_match_has_keys_and_a_folder_of_its_own(tmp_path: Path) -> None:
    seats = make_seats(tmp_path, 2, games=2)
    at = matches(seats)
    play_current(at)
    before = [match.current for match in at]
    for match in at:
        match.open_next()
    play_current(at)
    keys = [{parse(raw).message.body for raw in game.messages(0)[:8]} for game in before]
    later = [{parse(raw).message.body for raw in match.current.messages(0)[:8]} for match in at]
    assert not keys[0] & later[0]
    for match in at:
        match.close()
    for seat in seats:
        files = sorted(path.name for path in (seat.home / "games").glob("*/*"))
        assert files == ["game.coup", "game.coup", "journal", "journal"]


def test_a_match_taken_up_again_is_where_it_was(tmp_path: Path) -> None:
    seats = make_seats(tmp_path, 2, games=3)
    at = matches(seats)
    play_current(at)
    for match in at:
        match.open_next()
    play([match.current for match in at], most=12)
    wanted = at[0].current.terms, at[0].score
    for match in at:
        match.close()
    again = seats[0].match()
    assert (again.current.terms, again.score) == wanted
    assert (again.number, again.over, again.current.restored > 0) == (2, False, True)
    again.close()


def test_a_single_game_is_a_match_of_one(tmp_path: Path) -> None:
    seats = make_seats(tmp_path, 2)
    at = matches(seats)
    assert not at[0].over
    play_current(at)
    assert at[0].over
    with pytest.raises(RuntimeError, match="no game follows"):
        at[0].open_next()
    for match in at:
        match.close()


# --- nodes ----------------------------------------------------------------------------------------


@pytest.mark.trio
async def test_nodes_play_a_match_over_the_same_links_and_tell_the_score(tmp_path: Path) -> None:
    seats = make_seats(tmp_path, 3, games=3)
    async with open_nursery() as nursery:
        first = start_local(nursery, seats[0])
        ports = {0: await first.told.port()}
        second = start_local(nursery, seats[1], ports)
        ports[1] = await second.told.port()
        third = start_local(nursery, seats[2], ports)
    reports = assert_same_valid_match(seats, 3)
    for node in (first, second, third):
        assert len(node.told.all("linked")) == 2
        assert len(node.told.all("finished")) == len(node.told.all("dealt")) == 3
        assert [event["number"] for event in node.told.all("next-game")] == [2, 3]
        for event in ("message-refused", "other-table", "blame", "garbled"):
            assert node.told.all(event) == []
        last = node.told.all("score")[-1]
        winners = [report.names[report.winner] for report in reports]
        assert last["score"] == {name: winners.count(name) for name in reports[0].names}
        assert last["text"].startswith("The match is over. Games won: Ash ")
        assert node.told.all("score")[0]["text"].startswith("After game 1 of 3. Games won: ")


@pytest.mark.trio
async def test_a_peer_that_lacks_the_end_of_a_game_gets_it_from_one_in_the_next(
    tmp_path: Path,
) -> None:
    seats = make_seats(tmp_path, 2, games=2)
    ahead = end_of_a_game_that_only_one_has(seats)
    behind = 1 - ahead
    async with open_nursery() as nursery:
        one = start_local(nursery, seats[ahead])
        assert (one.match.number, one.game.table.round) == (2, 0)
        other = start_local(nursery, seats[behind], {ahead: await one.told.port()})
        assert other.match.number == 1
    assert [event["number"] for event in other.told.all("next-game")] == [2]
    assert one.told.all("next-game") == []
    for node in (one, other):
        assert node.told.all("message-refused") == node.told.all("other-table") == []
    assert_same_valid_match(seats, 2)


@pytest.mark.trio
async def test_a_node_stopped_in_the_second_game_plays_that_one_on(tmp_path: Path) -> None:
    seats = make_seats(tmp_path, 2, games=2)
    async with open_nursery() as nursery:
        first = start_local(nursery, seats[0])
        ports = {0: await first.told.port()}
        with Held(10**6) as never:
            second = start_local(nursery, seats[1], ports, policy=never)
            await second.told.wait_for("next-game")
            await second.told.wait_for("dealt", 2)
            second.scope.cancel()
            await second.end()
        assert second.match.number == 2
        assert not second.match.over
        back = start_local(nursery, seats[1], ports, luck=5)
        assert back.match.number == 2
    assert back.told.all("restored")[0]["messages"] > 0
    assert len(back.told.all("finished")) == 1
    assert_same_valid_match(seats, 2)


async def next_of_game(mesh: Mesh, game_id: bytes) -> Have | Passed:
    """The next that comes about that game."""
    with trio.fail_after(PATIENCE):
        async for event in mesh.events:
            if isinstance(event, Received):
                match decode_gossip(event.payload):
                    case Have(game) as have if game == game_id:
                        return have
                    case Passed(raw) as passed if parse(raw).message.game == game_id:
                        return passed
    raise AssertionError("the link has ended")


@pytest.mark.trio
async def test_what_comes_of_the_next_game_too_early_is_asked_for_when_it_starts(
    tmp_path: Path,
) -> None:
    seats = make_seats(tmp_path, 2, games=2)
    ahead = end_of_a_game_that_only_one_has(seats)
    behind, here = seats[1 - ahead], seats[ahead]
    match = here.match()
    first, second = match.game(behind.table().terms.game_id), match.current
    assert first is not None
    join = match.current.begin().fresh
    async with open_nursery() as nursery:
        node = start_local(nursery, behind)
        port = await node.told.port()
        async with peer(here, behind, port) as mesh:
            await linked(mesh)
            to = behind.identity.peer_id
            while not isinstance(await next_of_game(mesh, first.terms.game_id), Have):
                pass  # the one of every new link
            for early in (encode_gossip(Passed(join[0])), encode_gossip(second.have())):
                mesh.send(to, early)
            asked = await next_of_game(mesh, first.terms.game_id)
            while not isinstance(asked, Have):
                asked = await next_of_game(mesh, first.terms.game_id)
            assert not asked.finished
            for raw in first.messages(asked.closed):
                mesh.send(to, encode_gossip(Passed(raw)))
            of_second = [await next_of_game(mesh, second.terms.game_id) for _ in range(2)]
            assert Have(second.terms.game_id, 0, False) in of_second
            mesh.send(to, encode_gossip(Passed(join[0])))
            while not isinstance(said := await next_of_game(mesh, second.terms.game_id), Passed):
                pass
            assert parse(said.raw).message.seat == 1 - ahead
        node.scope.cancel()
    match.close()
    assert node.told.all("message-refused") == node.told.all("other-table") == []


@pytest.mark.trio
async def test_a_peer_at_another_table_is_told_of_at_the_start_of_a_match_too(
    tmp_path: Path,
) -> None:
    here = make_seats(tmp_path / "a", 2, game="friday", games=2)
    there = make_seats(tmp_path / "b", 2, game="saturday", games=2)
    async with open_nursery() as nursery:
        first = start_local(nursery, here[0])
        second = start_local(nursery, there[1], {0: await first.told.port()})
        for node in (first, second):
            told = (await node.told.wait_for("other-table"))["text"]
            assert "Compare your table files" in told
            node.scope.cancel()
