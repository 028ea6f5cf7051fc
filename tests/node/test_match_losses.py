"""A match whose players are lost on the way: who plays the next game, and who only watches it."""

import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from p2pcoup.audit import audit, match_flaw
from p2pcoup.bots import random_move
from p2pcoup.journal import Journal, JournalError
from p2pcoup.node.match import Match
from p2pcoup.node.playing import LINGER_SECONDS
from p2pcoup.node.seat import SeatedGame, Step
from p2pcoup.rules import Move, View
from p2pcoup.table import Times
from p2pcoup.wire import Kind
from tests.node.nodes import (
    PATIENCE,
    Held,
    SeatFiles,
    make_seats,
    open_nursery,
    play,
    start_local,
)

GRACE_SECONDS = Times().decide + Times().grace
TWO = 2  # are left at the table
Hold = Callable[[SeatedGame], bool]


def never_held(_game: SeatedGame) -> bool:
    return False


def carry(games: Sequence[SeatedGame], fresh: Sequence[Step], hold: Hold = never_held) -> None:
    """Pass on what these games have said, one for each, and all that follows from it, but to those
    that are held.
    """
    steps = zip(games, fresh, strict=True)
    flying = [(to, raw) for game, step in steps for raw in step.fresh for to in others(games, game)]
    while (
        index := next((n for n, (to, _) in enumerate(flying) if not hold(to)), None)
    ) is not None:
        to, raw = flying.pop(index)
        step = to.receive(raw)
        flying += [(other, each) for each in step.fresh for other in others(games, to)]


def others(games: Sequence[SeatedGame], game: SeatedGame) -> list[SeatedGame]:
    return [each for each in games if each is not game]


def is_at_the_result(game: SeatedGame) -> bool:
    return game.table._round.kind is Kind.RESULT


def play_on(games: Sequence[SeatedGame]) -> None:
    """Play to the end; whom these games wait for in vain is given up."""
    for _ in range(20):
        if all(game.outcome is not None for game in games):
            return
        carry(games, [game.declare_absent() for game in games])
    raise AssertionError("nobody can go on")


def without_cedar(seats: Sequence[SeatFiles]) -> list[Match]:
    """The matches of all, after a first game in the middle of which Cedar has vanished."""
    matches = [seat.match() for seat in seats]
    games = [match.current for match in matches]
    play(games, most=40)
    here = games[:2]
    carry(here, [Step(fresh=list(game.messages(0))) for game in here])
    play_on(here)
    assert [game.table.game.lost for game in here] == [{2}, {2}]
    return matches


def ended_apart(seats: Sequence[SeatFiles]) -> tuple[Match, Match, Match]:
    """Matches whose first game has ended otherwise for one than for the others: of the last two
    the one has heard nothing more of the other, which has heard everybody, as has the third.
    """
    matches = [seat.match() for seat in seats]
    games = [match.current for match in matches]
    carry(games, [game.begin() for game in games], is_at_the_result)
    assert all(map(is_at_the_result, games))
    first, second = sorted(games[0].table.game.members)
    one, other = games[first], games[second]
    (third,) = (game for game in games if game not in (one, other))
    own = [own_result(one), own_result(other)]
    for game in (other, third):
        for raw in own:
            game.receive(raw)
    while one.outcome is None:
        one.declare_absent()
    assert other.outcome == third.outcome == one.outcome
    return matches[first], matches[second], matches[third.seat or 0]


def own_result(game: SeatedGame) -> bytes:
    """What its seat has signed in the last round."""
    table = game.table
    (own,) = (s.raw for s in table.messages(table.round) if s.message.seat == game.seat)
    return own


def transcripts(match: Match) -> list[bytes]:
    return [game.transcript_file.read_bytes() for game in match._games]


# --- without nodes --------------------------------------------------------------------------------


def test_who_is_lost_in_a_game_has_no_seat_in_the_next(tmp_path: Path) -> None:
    seats = make_seats(tmp_path, 3, games=2)
    matches = without_cedar(seats)
    here = matches[:2]
    games = [match.open_next() for match in here]
    assert games[0].terms == games[1].terms
    assert games[0].terms.names == ("Ash", "Birch")
    play(games)
    assert all(match.over for match in here)
    assert here[0].score == here[1].score
    assert sum(here[0].score.values()) == 2
    assert list(here[0].score) == ["Ash", "Birch", "Cedar"]
    assert match_flaw(*map(audit, transcripts(here[0]))) is None
    for match in matches:
        match.close()
    again = seats[0].match()
    assert (again.number, again.over, again.score) == (2, True, here[0].score)
    again.close()


def test_who_was_lost_and_learns_it_watches_the_next_game(tmp_path: Path) -> None:
    seats = make_seats(tmp_path, 3, games=2)
    ash, birch, cedar = without_cedar(seats)
    for raw in ash.current.messages(0):
        cedar.receive(raw)
    games = [match.open_next() for match in (ash, birch)]
    play(games)
    watched = cedar.open_next()
    assert (watched.terms, watched.seat) == (games[0].terms, None)
    assert watched.begin().fresh == []
    for raw in games[0].messages(0):
        cedar.receive(raw)
    assert cedar.over
    assert cedar.score == ash.score
    assert transcripts(cedar) == transcripts(ash)
    for match in (ash, birch, cedar):
        match.close()
    again = seats[2].match()
    assert (again.current.terms, again.over) == (games[0].terms, True)
    again.close()


def test_a_game_whose_next_one_has_begun_holds_no_file_open(tmp_path: Path) -> None:
    seats = make_seats(tmp_path, 2, games=2)
    matches = [seat.match() for seat in seats]
    play([match.current for match in matches])
    terms, owner = seats[0].table().terms.encode(), seats[0].identity.peer_id
    with pytest.raises(JournalError, match="another"):
        Journal.open(seats[0].folder / "journal", terms, owner)
    play([match.open_next() for match in matches], most=8)
    Journal.open(seats[0].folder / "journal", terms, owner).close()
    first = matches[0].game(seats[0].table().terms.game_id)
    assert first is not None
    assert len(first.messages(0)) > 8, "it can still be shown to others"
    for match in matches:
        match.close()


def test_a_match_of_which_one_is_left_is_over(tmp_path: Path) -> None:
    seats = make_seats(tmp_path, 2, games=3)
    matches = [seat.match() for seat in seats]
    ash, birch = (match.current for match in matches)
    play([ash, birch], most=12)
    birch.close()
    play_on([ash])
    assert matches[0].over
    assert (matches[0].number, matches[0].length, matches[0].agreed) == (1, 1, 3)
    with pytest.raises(RuntimeError, match="no game follows"):
        matches[0].open_next()
    matches[0].close()


# --- nodes ----------------------------------------------------------------------------------------


@pytest.mark.trio
async def test_the_next_game_is_played_without_who_vanished_and_they_can_come_back_to_watch(
    tmp_path: Path, mock_clock: MockClock
) -> None:
    mock_clock.rate = 1.0
    seats = make_seats(tmp_path, 3, games=2)
    async with open_nursery(PATIENCE + 40 * GRACE_SECONDS) as nursery:
        with Held() as held, Held() as stuck:

            def until_two_are_left(view: View, luck: random.Random) -> Move:
                alone = len(view.state.order) == TWO
                return (held if alone else random_move)(view, luck)

            ash = start_local(nursery, seats[0], policy=until_two_are_left)
            ports = {0: await ash.told.port()}
            birch = start_local(nursery, seats[1], ports)
            ports[1] = await birch.told.port()
            cedar = start_local(nursery, seats[2], ports, policy=stuck)
            await stuck.held()
            await trio.testing.wait_all_tasks_blocked(0.1)
            while not (ash.told.all("left-behind") and birch.told.all("left-behind")):
                mock_clock.jump(GRACE_SECONDS)  # which also ends the links
                with trio.move_on_after(5):
                    await ash.told.wait_for("left-behind")
                    await birch.told.wait_for("left-behind")
            cedar.scope.cancel()
            stuck.let_go()
            await cedar.end()
            for node in (ash, birch):
                assert (await node.told.wait_for("next-without"))["seats"] == [2]
            back = start_local(nursery, seats[2], ports)
            assert "can watch" in (await back.told.wait_for("next-without-us"))["text"]
            held.let_go()
            for node in (ash, birch, back):
                await node.told.wait_for("finished", 2)
            mock_clock.jump(LINGER_SECONDS)
    assert ash.match.game(seats[0].table().terms.game_id) is not None
    files = [transcripts(node.match) for node in (ash, birch, back)]
    assert files[0] == files[1] == files[2]
    reports = [audit(data) for data in files[0]]
    assert match_flaw(*reports) is None
    assert reports[1].names == ("Ash", "Birch")
    for node in (ash, birch, back):
        for event in ("blame", "other-table", "garbled"):
            assert node.told.all(event) == []


@pytest.mark.trio
async def test_peers_that_have_ended_a_game_otherwise_are_told_so(tmp_path: Path) -> None:
    seats = make_seats(tmp_path, 3, games=2)
    at = ended_apart(seats)
    numbers = [match.current.seat or 0 for match in at]
    for match in at:
        match.close()
    async with open_nursery() as nursery:
        ender = start_local(nursery, seats[numbers[0]])
        ports = {numbers[0]: await ender.told.port()}
        third = start_local(nursery, seats[numbers[2]], ports)
        assert len(ender.game.terms.roster) == TWO
        assert len(third.game.terms.roster) == 3
        for node in (ender, third):
            told = (await node.told.wait_for("other-course"))["text"]
            assert "has ended the last game otherwise than this program" in told
            node.scope.cancel()


@pytest.mark.trio
async def test_who_does_not_come_to_the_next_game_is_given_up_like_anybody_silent(
    tmp_path: Path, mock_clock: MockClock
) -> None:
    mock_clock.rate = 1.0
    seats = make_seats(tmp_path, 3, games=2)
    games = [seat.sit_down(random_move) for seat in seats]
    play(games)  # to the end; then Cedar goes home
    for game in games:
        game.close()
    async with open_nursery(PATIENCE + 40 * GRACE_SECONDS) as nursery:
        ash = start_local(nursery, seats[0])
        birch = start_local(nursery, seats[1], {0: await ash.told.port()})
        assert ash.match.number == birch.match.number == 2
        await ash.told.wait_for("linked")
        await trio.testing.wait_all_tasks_blocked(0.1)
        while not (ash.told.all("left-behind") and birch.told.all("left-behind")):
            mock_clock.jump(GRACE_SECONDS)
            with trio.move_on_after(5):
                await ash.told.wait_for("left-behind")
                await birch.told.wait_for("left-behind")
        for node in (ash, birch):
            await node.told.wait_for("finished")
        mock_clock.jump(LINGER_SECONDS)
    (loss,) = audit(ash.game.transcript_file.read_bytes()).losses
    assert (loss.round, loss.seats) == (0, {2})
