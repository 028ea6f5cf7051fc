"""What a node does when nothing comes any more, and when the game is over."""

from pathlib import Path

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from p2pcoup.audit import Verdict, audit
from p2pcoup.node.playing import LINGER_SECONDS
from p2pcoup.node.window import NETWORK_SECONDS
from p2pcoup.table import Times
from tests.node.nodes import (
    PATIENCE,
    Held,
    assert_same_valid_game,
    make_seats,
    open_nursery,
    start_local,
)

PATIENCE_SECONDS = Times().decide
GRACE_SECONDS = Times().decide + Times().grace

pytestmark = pytest.mark.trio


async def test_after_a_long_silence_the_user_is_told_whom_the_game_waits_for_once(
    tmp_path: Path, mock_clock: MockClock
) -> None:
    mock_clock.rate = 1.0
    (seat, *_) = make_seats(tmp_path, 3)
    async with open_nursery(PATIENCE + 11 * PATIENCE_SECONDS) as nursery:
        node = start_local(nursery, seat)
        await node.told.wait_for("unreachable", 2)
        mock_clock.jump(PATIENCE_SECONDS + NETWORK_SECONDS)
        told = (await node.told.wait_for("waiting"))["text"]
        mock_clock.jump(9 * PATIENCE_SECONDS)
        await trio.testing.wait_all_tasks_blocked(0.01)
        node.scope.cancel()
    assert told == "Waiting for Birch (reconnecting) and Cedar (reconnecting)."
    assert len(node.told.all("waiting")) == 1


async def test_a_seat_nothing_is_heard_of_for_too_long_is_put_out_and_the_game_goes_on(
    tmp_path: Path, mock_clock: MockClock
) -> None:
    mock_clock.rate = 1.0
    seats = make_seats(tmp_path, 3)
    async with open_nursery(PATIENCE + 20 * GRACE_SECONDS) as nursery:
        with Held() as stuck:
            ash = start_local(nursery, seats[0])
            ports = {0: await ash.told.port()}
            birch = start_local(nursery, seats[1], ports)
            cedar = start_local(nursery, seats[2], ports, policy=stuck)
            await stuck.held()
            await trio.testing.wait_all_tasks_blocked(0.1)  # Ash and Birch have said their part
            while not (ash.told.all("left-behind") and birch.told.all("left-behind")):
                mock_clock.jump(GRACE_SECONDS)  # which also ends the links
                with trio.move_on_after(5):
                    await ash.told.wait_for("left-behind")
                    await birch.told.wait_for("left-behind")
            await ash.told.wait_for("finished")
            await birch.told.wait_for("finished")
            cedar.scope.cancel()
            mock_clock.jump(LINGER_SECONDS)
    for node in (ash, birch):
        text = node.told.all("left-behind")[0]["text"]
        assert text == "Nothing is heard of Cedar any more; the game goes on without them."
        assert not node.told.all("blame")
    assert seats[0].transcript == seats[1].transcript
    assert audit(seats[0].transcript).verdict is Verdict.VALID


async def test_nobody_is_put_out_before_all_have_sat_down(
    tmp_path: Path, mock_clock: MockClock
) -> None:
    mock_clock.rate = 1.0
    (seat, *_) = make_seats(tmp_path, 3)
    async with open_nursery(PATIENCE + 4 * GRACE_SECONDS) as nursery:
        node = start_local(nursery, seat)
        await node.told.wait_for("unreachable", 2)
        for _ in range(3):
            mock_clock.jump(GRACE_SECONDS)
            await trio.testing.wait_all_tasks_blocked(0.01)
        node.scope.cancel()
    assert len(seat.journal()) == 1, "its own joining, and nothing about the others"


# --- after the end --------------------------------------------------------------------------------


async def test_a_game_that_is_over_for_everybody_is_not_opened_to_the_network_again(
    tmp_path: Path,
) -> None:
    seats = make_seats(tmp_path, 2)
    async with open_nursery() as nursery:
        first = start_local(nursery, seats[0])
        start_local(nursery, seats[1], {0: await first.told.port()})
    async with open_nursery() as nursery:
        again = start_local(nursery, seats[0])
        await again.end()
    (event,) = again.told.events
    assert event["event"] == "already-played"
    assert event["transcript"] == str(seats[0].folder / "game.coup")
    assert "This game is already played." in event["text"]
    assert "new game name into the table file" in event["text"]


async def test_who_lacks_the_end_of_a_game_gets_it_from_one_who_starts_again(
    tmp_path: Path,
) -> None:
    seats = make_seats(tmp_path, 2)
    games = [seat.sit_down() for seat in seats]
    # What one of them says at the very end reaches nobody.
    flying = [(1 - seat, raw) for seat in (0, 1) for raw in games[seat].begin().fresh]
    while flying and all(game.outcome is None for game in games):
        to, raw = flying.pop(0)
        flying += [(1 - to, each) for each in games[to].receive(raw).fresh]
    for game in games:
        game.close()
    first = 0 if games[0].outcome is not None else 1
    assert games[1 - first].outcome is None
    async with open_nursery() as nursery:
        again = start_local(nursery, seats[first])
        late = start_local(nursery, seats[1 - first], {first: await again.told.port()})
    assert late.game.outcome is not None
    assert again.told.all("already-played")
    assert "may lack its end" in again.told.all("already-played")[0]["text"]
    assert again.game.known_to_all
    assert late.game.known_to_all
    assert_same_valid_game(seats)


async def test_who_has_the_whole_game_does_not_wait_for_the_others_for_ever(
    tmp_path: Path, mock_clock: MockClock
) -> None:
    mock_clock.rate = 1.0
    seats = make_seats(tmp_path, 2)
    async with open_nursery() as nursery:
        first = start_local(nursery, seats[0])
        start_local(nursery, seats[1], {0: await first.told.port()})
    (seats[0].folder / "known-to-all").unlink()
    async with open_nursery(PATIENCE + LINGER_SECONDS) as nursery:
        again = start_local(nursery, seats[0])
        await again.told.wait_for("unreachable")
        mock_clock.jump(LINGER_SECONDS)
        await again.ended.wait()
    assert not again.game.known_to_all
