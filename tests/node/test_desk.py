"""Nodes whose players are asked at a desk: they answer in time, too late, wrongly, or not at all;
and the links of a game that live longer than the game."""

from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from p2pcoup.audit import Verdict, audit
from p2pcoup.bots import harmless
from p2pcoup.net import Address, Connected, Event, open_mesh
from p2pcoup.node import said
from p2pcoup.node.desk import Ending
from p2pcoup.node.gossip import Gossip
from p2pcoup.node.log import NodeLog
from p2pcoup.node.playing import LINGER_SECONDS, play_over
from p2pcoup.node.wishes import DONE, Again, Answer, Leave, Quit, Reply, Request
from p2pcoup.rules import Seat, move_to_text
from p2pcoup.rules.chosen import chosen
from p2pcoup.table import Times
from p2pcoup.wire import PeerId
from tests.node.desks import PlayersDesk
from tests.node.nodes import (
    HERE,
    NAMES,
    PATIENCE,
    SeatFiles,
    assert_same_valid_game,
    make_seats,
    open_nursery,
    start_local,
)

pytestmark = pytest.mark.trio

NOT_OPEN = Reply("closed", "This decision is no longer open; nothing was changed.")


async def test_a_player_is_asked_at_the_desk_and_plays_a_whole_game_with_bots(
    tmp_path: Path,
) -> None:
    seats = make_seats(tmp_path, 3)
    desk = PlayersDesk()
    async with open_nursery() as nursery:
        ash = start_local(nursery, seats[0], policy=None, desk=desk)
        port = await ash.told.port()
        birch = start_local(nursery, seats[1], {0: port})
        start_local(nursery, seats[2], {0: port, 1: await birch.told.port()})
        decided = 0
        while not desk.heard("finished"):
            await desk.until(lambda: desk.question is not None or bool(desk.heard("finished")))
            if desk.question is not None:
                assert await desk.answer() == DONE
                decided += 1
    assert ash.ending is Ending.OVER
    assert decided > 2
    assert desk.heard("story") == [event["text"] for event in ash.told.all("story")]
    assert [step.event for step in desk.steps]
    assert_same_valid_game(seats)


async def test_an_answer_counts_once_and_only_for_its_own_question(tmp_path: Path) -> None:
    seats = make_seats(tmp_path, 2)
    desks = [PlayersDesk(), PlayersDesk()]
    async with open_nursery() as nursery:
        ash = start_local(nursery, seats[0], policy=None, desk=desks[0])
        start_local(nursery, seats[1], {0: await ash.told.port()}, policy=None, desk=desks[1])
        first = desks[0] if await on_turn(desks) == 0 else desks[1]
        seat = (await first.asked()).decision.seat
        question = first.question_id
        assert await first.wish(Answer(question, "nonsense")) != DONE
        refused = await first.wish(Answer(question, f"{seat} pass"))
        assert refused.code == "not-possible"
        assert f"'{seat} pass' is not possible here; choose from: {seat} income" in refused.text
        assert first.question_id == question
        assert await first.wish(Answer(question, f"{seat} income")) == DONE
        assert await first.wish(Answer(question, f"{seat} income")) == NOT_OPEN
        assert await first.wish(Answer("0000:1", f"{seat} income")) == NOT_OPEN
        assert await first.wish(Leave()) == Reply(
            "not-possible", "That is not possible during a game."
        )
        nursery.cancel_scope.cancel()


async def on_turn(desks: list[PlayersDesk]) -> int:
    """Which of the players is asked, once one is."""
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            asked: list[int] = []

            async def wait(number: int) -> None:
                await desks[number].asked()
                asked.append(number)
                nursery.cancel_scope.cancel()

            for number in range(len(desks)):
                nursery.start_soon(wait, number)
    return asked[0]


async def test_who_does_not_answer_is_answered_for_when_the_time_is_over(
    tmp_path: Path, mock_clock: MockClock
) -> None:
    mock_clock.rate = 1.0
    times = Times(decide=1000, answer=1000, grace=1000)
    seats = make_seats(tmp_path, 2, times=times)
    desks = [PlayersDesk(), PlayersDesk()]
    async with open_nursery(PATIENCE + 2000) as nursery:
        ash = start_local(nursery, seats[0], policy=None, desk=desks[0])
        start_local(nursery, seats[1], {0: await ash.told.port()}, policy=None, desk=desks[1])
        slow = desks[await on_turn(desks)]
        asked = await slow.asked()
        assert 990_000 < (slow.remaining_ms or 0) <= 1_000_000
        mock_clock.jump(1000)
        await slow.until(lambda: bool(slow.heard("answered-for-you")))
        move = harmless(asked.view)
        answered = said.ANSWERED(answer=chosen(move, NAMES))
        assert slow.heard("answered-for-you") == [str(answered)]
        await slow.until(lambda: any(step.event == move for step in slow.steps))
        assert (await slow.wish(Answer(f"x:{asked.id}", move_to_text(move)))).code == "closed"
        nursery.cancel_scope.cancel()


async def test_a_question_is_asked_again_after_a_restart_and_answered_once(tmp_path: Path) -> None:
    seats = make_seats(tmp_path, 2)
    async with open_nursery() as nursery:
        ash = start_local(nursery, seats[0], policy=harmless)
        ports = {0: await ash.told.port()}
        desk = PlayersDesk()
        birch = start_local(nursery, seats[1], ports, policy=None, desk=desk)
        asked, question = await desk.asked(), desk.question_id
        assert await desk.wish(Quit()) == DONE
        await birch.end()
        assert birch.ending is Ending.QUIT
        desk = PlayersDesk()
        birch = start_local(nursery, seats[1], ports, policy=None, desk=desk)
        again = await desk.asked()
        assert (again.id, again.decision, again.view.hand) == (
            asked.id,
            asked.decision,
            asked.view.hand,
        )
        assert desk.question_id == question
        assert await desk.concede() == DONE
        await ash.end()
        await birch.end()
    assert_same_valid_game(seats)


# --- people who are away --------------------------------------------------------------------------


async def test_the_others_are_told_that_the_game_waits_for_one_who_is_gone_and_that_he_is_back(
    tmp_path: Path,
) -> None:
    seats = make_seats(tmp_path, 2)
    desk = PlayersDesk()
    async with open_nursery() as nursery:
        ash = start_local(nursery, seats[0], policy=harmless, desk=PlayersDesk())
        ports = {0: await ash.told.port()}
        birch = start_local(nursery, seats[1], ports, policy=None, desk=desk)
        await desk.asked()
        birch.scope.cancel()
        await birch.end()
        waiting = await ash.told.wait_for("waiting")
        assert waiting["text"] == "Waiting for Birch (reconnecting)."
        assert waiting["peer"] == seats[1].identity.peer_id
        start_local(nursery, seats[1], ports)
        assert (await ash.told.wait_for("back"))["text"] == "Birch is back."
    assert len(ash.told.all("waiting")) == len(ash.told.all("back")) == 1
    assert_same_valid_game(seats)


async def test_a_link_that_is_lost_while_nobody_waits_for_that_seat_is_no_reason_to_say_so(
    tmp_path: Path,
) -> None:
    seats = make_seats(tmp_path, 3)
    desk = PlayersDesk()
    async with open_nursery() as nursery:
        ash = start_local(nursery, seats[0], policy=None, desk=desk)
        port = await ash.told.port()
        birch = start_local(nursery, seats[1], {0: port})
        start_local(nursery, seats[2], {0: port, 1: await birch.told.port()})
        await desk.until(lambda: desk.question is not None and only_we_are_asked(ash.game.table))
        birch.scope.cancel()
        await ash.told.wait_for("unlinked")
        assert ash.told.all("waiting") == []
        nursery.cancel_scope.cancel()


def only_we_are_asked(table: object) -> bool:
    return table.waiting_for == (Seat(0),)  # type: ignore[attr-defined]


async def test_who_is_out_watches_to_the_end(tmp_path: Path) -> None:
    seats = make_seats(tmp_path, 3)
    desk = PlayersDesk()
    async with open_nursery() as nursery:
        ash = start_local(nursery, seats[0], policy=None, desk=desk)
        port = await ash.told.port()
        birch = start_local(nursery, seats[1], {0: port})
        start_local(nursery, seats[2], {0: port, 1: await birch.told.port()})
        assert await desk.concede() == DONE
        await ash.end()
    assert "Ash gives up." in desk.heard("story")
    assert desk.heard("story")[-1].endswith("wins the game.")
    assert desk.question is None
    assert_same_valid_game(seats)


async def test_who_is_out_may_leave_and_the_game_goes_on_without_a_pause(
    tmp_path: Path, mock_clock: MockClock
) -> None:
    mock_clock.rate = 1.0
    seats = make_seats(tmp_path, 3)
    desk = PlayersDesk()
    async with open_nursery(PATIENCE + LINGER_SECONDS) as nursery:
        ash = start_local(nursery, seats[0], policy=None, desk=desk)
        port = await ash.told.port()
        birch = start_local(nursery, seats[1], {0: port})
        cedar = start_local(nursery, seats[2], {0: port, 1: await birch.told.port()})
        assert await desk.concede() == DONE
        await desk.until(lambda: Seat(0) not in ash.game.table.game.members)
        assert await desk.wish(Quit()) == DONE
        await ash.end()
        assert ash.ending is Ending.QUIT
        for node in (birch, cedar):
            await node.told.wait_for("finished")
            assert node.told.all("left-behind") == node.told.all("waiting") == []
        mock_clock.jump(LINGER_SECONDS)  # in which Ash could have come back for the end
        for node in (birch, cedar):
            await node.end()
            assert node.ending is Ending.OVER
    assert seats[1].transcript == seats[2].transcript
    assert audit(seats[1].transcript).verdict is Verdict.VALID
    assert not birch.game.known_to_all


async def test_who_was_out_and_comes_back_is_told_the_end(
    tmp_path: Path,
) -> None:
    seats = make_seats(tmp_path, 3)
    desk = PlayersDesk()
    async with open_nursery() as nursery:
        ash = start_local(nursery, seats[0], policy=None, desk=desk)
        port = await ash.told.port()
        birch = start_local(nursery, seats[1], {0: port})
        birch_port = await birch.told.port()
        cedar = start_local(nursery, seats[2], {0: port, 1: birch_port})
        assert await desk.concede() == DONE
        await desk.until(lambda: Seat(0) not in ash.game.table.game.members)
        ash.scope.cancel()
        await ash.end()
        for node in (birch, cedar):
            await node.told.wait_for("finished")
        cedar.scope.cancel()  # it has no link with who comes back, and would wait for them
        late = start_local(nursery, seats[0], {1: birch_port})
        await late.told.wait_for("finished")
        for node in (late, birch):  # they would wait for Cedar, who has left
            node.scope.cancel()
            await node.end()
    assert late.game.outcome is not None
    assert_same_valid_game(seats)


async def test_those_who_were_put_out_and_are_not_there_are_not_waited_for_at_the_end(
    tmp_path: Path,
) -> None:
    seats = make_seats(tmp_path, 3, times=Times(decide=1, answer=1, grace=1))
    desk = PlayersDesk()
    async with open_nursery() as nursery:
        ash = start_local(nursery, seats[0], policy=None, desk=desk)
        port = await ash.told.port()
        birch = start_local(nursery, seats[1], {0: port})
        cedar = start_local(nursery, seats[2], {0: port, 1: await birch.told.port()})
        await desk.asked()
        ash.scope.cancel()
        for node in (birch, cedar):
            await node.told.wait_for("finished")
        with trio.fail_after(LINGER_SECONDS / 2):
            for node in (birch, cedar):
                await node.end()
    for node in (birch, cedar):
        assert [event["seats"] for event in node.told.all("left-behind")] == [[0]]
    assert seats[1].transcript == seats[2].transcript


# --- links that live longer than a game -----------------------------------------------------------


class Curious:
    """Takes what comes for it, and remembers it."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.requests: list[Request] = []

    def heard(self, event: Event) -> bool:
        self.events.append(event)
        return False

    def told(self, _peer: PeerId, _gossip: Gossip) -> bool:
        return False

    def leaving(self) -> None:
        pass

    def asked(self, request: Request) -> bool:
        self.requests.append(request)
        request.reply(DONE)
        return True


async def test_two_games_are_played_one_after_the_other_over_the_same_links(
    tmp_path: Path,
) -> None:
    first = make_seats(tmp_path / "first", 2, game="first")
    second = make_seats(tmp_path / "second", 2, game="second")
    ids = [seat.identity.peer_id for seat in first]
    beside = Curious()
    desk = PlayersDesk()

    async def play(number: int, here: list[SeatFiles], mesh, **beside) -> None:
        match = here[number].match(luck=number)
        with NodeLog("json", lambda _line: None) as log:
            ending = await play_over(mesh, match, log, **beside)
        match.close()
        assert ending is Ending.OVER

    async with (
        open_mesh(first[0].identity, listen=Address(HERE, 0), peers={ids[1]: None}) as ash,
        open_mesh(first[1].identity, listen=None, peers={ids[0]: ash.addresses[0]}) as birch,
    ):
        with trio.fail_after(PATIENCE):
            for seats in (first, second):
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(play, 1, seats, birch)
                    await play(0, seats, ash, desk=desk, beside=beside)
                assert_same_valid_game(seats)
        assert ash.linked == {ids[1]}
    assert len(desk.heard("finished")) == 2
    assert [type(event) for event in beside.events].count(Connected) == 1
    assert desk.heard("linked") == ["Linked to Birch."] * 2


async def test_wishes_that_are_not_about_the_game_go_to_what_is_beside_it(tmp_path: Path) -> None:
    seat, _ = make_seats(tmp_path, 2)
    beside, desk = Curious(), PlayersDesk()
    match = seat.match()
    async with (
        open_mesh(seat.identity, listen=Address(HERE, 0), peers={}) as mesh,
        open_nursery() as nursery,
    ):
        endings: list[Ending] = []

        async def play() -> None:
            with NodeLog("json", lambda _line: None) as log:
                endings.append(await play_over(mesh, match, log, desk, beside))

        nursery.start_soon(play)
        assert await desk.wish(Again(True)) == DONE
        assert [request.wish for request in beside.requests] == [Again(True)]
        assert await desk.wish(Quit()) == DONE
    match.close()
    assert endings == [Ending.QUIT]
