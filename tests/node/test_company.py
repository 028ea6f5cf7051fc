"""Beside the games of a table: talk, another game, and peers without a seat."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from p2pcoup.audit import audit, match_flaw
from p2pcoup.net import Address, Mesh, Received, open_mesh
from p2pcoup.node.away import AWAY_SECONDS
from p2pcoup.node.company import Company
from p2pcoup.node.desk import NoDesk
from p2pcoup.node.gossip import Have, Passed, Whispered, decode_gossip, encode_gossip
from p2pcoup.node.log import NodeLog
from p2pcoup.node.match import Match
from p2pcoup.node.playing import play_over
from p2pcoup.node.telling import Telling
from p2pcoup.node.wishes import (
    DONE,
    NOT_POSSIBLE,
    TOO_LONG,
    TOO_OFTEN,
    Again,
    Leave,
    Quit,
    Reply,
    Request,
    Say,
    Wish,
)
from p2pcoup.rules import Sentence
from p2pcoup.wire import PeerId
from p2pcoup.wire.aside import Aside, AsideKind, sign_aside
from tests.node.nodes import (
    HERE,
    PATIENCE,
    SeatFiles,
    Told,
    identity_of,
    linked,
    make_seats,
    open_nursery,
)
from tests.node.test_match import assert_same_valid_match, transcripts

STRANGER = identity_of(77)


class Asking(NoDesk):
    """A desk at which the test asks."""

    def __init__(self) -> None:
        self._ask, self._asked = trio.open_memory_channel[Request](0)
        self.heard: list[tuple[str, str]] = []

    def told(
        self, event: str, text: Sentence | str, fields: Mapping[str, object], _story: object
    ) -> None:
        self.heard.append((event, f"{fields.get('name', '')}: {text}"))

    async def next_request(self) -> Request:
        return await self._asked.receive()

    async def ask(self, wish: Wish) -> Reply:
        replies, replied = [], trio.Event()

        def reply(said: Reply) -> None:
            replies.append(said)
            replied.set()

        with trio.fail_after(PATIENCE):
            await self._ask.send(Request(wish, reply))
            await replied.wait()
        return replies[0]


@dataclass
class Seated:
    """A node in this process, with a desk and company."""

    files: SeatFiles
    match: Match
    mesh: Mesh
    desk: Asking = field(default_factory=Asking)
    told: Told = field(default_factory=Told)
    scope: trio.CancelScope = field(default_factory=trio.CancelScope)
    running: trio.CancelScope = field(default_factory=trio.CancelScope)
    gone: bool = False

    async def quit(self) -> None:
        """Its user stops it; its links end."""
        assert await self.desk.ask(Quit()) == DONE
        self.leave()

    def leave(self) -> None:
        """It is gone, and its links with it."""
        self.gone = True
        self.running.cancel()
        self.scope.cancel()

    @property
    def port(self) -> int:
        return self.mesh.addresses[0].port

    async def run(self, *, always_again: bool) -> None:
        token = trio.lowlevel.current_trio_token()
        try:
            with NodeLog("json", lambda line: token.run_sync_soon(self.told.take, line)) as log:
                telling = Telling(log, self.desk)
                company = Company(
                    self.mesh, self.match, self.files.identity, telling, always_again=always_again
                )
                with self.running:
                    await play_over(self.mesh, self.match, log, self.desk, company, stay=True)
        finally:
            self.match.close()


@asynccontextmanager
async def company_of(
    seats: list[SeatFiles], *, bots: int = 0, apart: tuple[int, int] | None = None
) -> AsyncIterator[list[Seated]]:
    """Nodes at one table, the last so many as bots of a lobby; two of them have no link."""
    async with open_nursery() as nursery:
        nodes: list[Seated] = []
        for seat in seats:
            peers = {
                node.files.identity.peer_id: Address(HERE, node.port)
                for node in nodes
                if apart is None or {node.files.number, seat.number} != set(apart)
            }
            scope = trio.CancelScope()
            mesh = await nursery.start(_keep_open, seat, peers, scope)
            nodes.append(Seated(seat, seat.match(), mesh, scope=scope))
        for node in nodes:
            always = node.files.number >= len(seats) - bots
            nursery.start_soon(lambda node=node, always=always: node.run(always_again=always))
        yield nodes
        for node in nodes:
            if not node.gone:
                await node.quit()
        nursery.cancel_scope.cancel()


async def _keep_open(
    seat: SeatFiles,
    peers: dict[PeerId, Address],
    scope: trio.CancelScope,
    task_status: trio.TaskStatus[Mesh],
) -> None:
    here = Address(HERE, 0)
    with scope:
        async with open_mesh(seat.identity, listen=here, peers=peers, admit=lambda _: True) as mesh:
            task_status.started(mesh)
            await trio.sleep_forever()


@pytest.mark.trio
async def test_what_is_said_reaches_everybody_even_without_a_link_between_them(
    tmp_path: Path,
) -> None:
    seats = make_seats(tmp_path, 3)
    async with company_of(seats, apart=(0, 2)) as nodes:
        for node in nodes:
            await node.told.wait_for("dealt")
        assert await nodes[2].desk.ask(Say(" I have  the Duke ")) == DONE
        for node in nodes:
            heard = await node.told.wait_for("talk")
            assert heard["text"] == "I have the Duke"
            assert heard["name"] == "Cedar"
            assert heard["peer"] == seats[2].identity.peer_id
        for node in nodes:
            await node.told.wait_for("finished")
        assert all(len(node.told.all("talk")) == 1 for node in nodes)
        for node in nodes:
            raw = node.match.current.transcript_file.read_bytes()
            assert b"I have the Duke" not in raw


@pytest.mark.trio
async def test_what_cannot_be_said_is_answered_with_the_reason(tmp_path: Path) -> None:
    seats = make_seats(tmp_path, 2)
    async with company_of(seats) as (ash, birch):
        assert await ash.desk.ask(Say(" ")) == Reply(NOT_POSSIBLE, "There is nothing to say.")
        assert (await ash.desk.ask(Say("x" * 281))).code == TOO_LONG
        assert (await ash.desk.ask(Leave())).code == NOT_POSSIBLE
        replies = [await ash.desk.ask(Say(f"{number}")) for number in range(9)]
        assert replies[0] == DONE
        assert TOO_OFTEN in {reply.code for reply in replies}
        await birch.told.wait_for("finished")


@pytest.mark.trio
async def test_when_all_want_another_game_the_match_goes_on_and_the_winner_starts(
    tmp_path: Path,
) -> None:
    seats = make_seats(tmp_path, 3)
    async with company_of(seats, bots=1) as nodes:
        for node in nodes:
            await node.told.wait_for("finished")
        assert await nodes[0].desk.ask(Again(False)) == DONE
        assert await nodes[0].desk.ask(Again(True)) == DONE
        assert await nodes[0].desk.ask(Again(True)) == DONE
        assert (await nodes[0].desk.ask(Again(False))).code == NOT_POSSIBLE
        await nodes[1].told.wait_for("again", 2)  # Ash, and the bot because Ash does
        assert all(node.told.all("next-game") == [] for node in nodes)
        assert await nodes[1].desk.ask(Again(True)) == DONE
        for node in nodes:
            await node.told.wait_for("next-game")
            await node.told.wait_for("finished", 2)
            assert len(node.told.all("again")) == 2
    assert_same_valid_match(seats, 2)
    again = seats[0].match()
    assert (again.number, again.length, again.over) == (2, 2, True)
    again.close()


@pytest.mark.trio
async def test_who_stops_after_the_last_game_is_not_waited_for_with_another_one(
    tmp_path: Path,
) -> None:
    seats = make_seats(tmp_path, 3)
    async with company_of(seats) as (ash, birch, cedar):
        for node in (ash, birch, cedar):
            await node.told.wait_for("finished")
        assert await ash.desk.ask(Again(True)) == DONE
        await cedar.quit()
        for node in (ash, birch):
            assert (await node.told.wait_for("not-again"))["seat"] == 2
        assert ash.told.all("next-game") == [], "Birch may not want to"
        assert await birch.desk.ask(Again(True)) == DONE
        for node in (ash, birch):
            assert (await node.told.wait_for("left-behind"))["seats"] == [2]
            await node.told.wait_for("finished", 2)
        assert transcripts(seats[0]) == transcripts(seats[1])
    reports = sorted(map(audit, transcripts(seats[0])), key=lambda report: report.game or "")
    assert match_flaw(*reports) is None
    assert [(loss.round, loss.seats) for loss in reports[1].losses] == [(0, {2})]


@pytest.mark.trio
async def test_who_has_been_away_for_a_while_does_not_keep_the_others_from_another_game(
    tmp_path: Path, mock_clock: MockClock
) -> None:
    mock_clock.rate = 1.0
    seats = make_seats(tmp_path, 3)
    async with company_of(seats) as (ash, birch, cedar):
        for node in (ash, birch, cedar):
            await node.told.wait_for("finished")
        for node in (ash, birch):
            assert await node.desk.ask(Again(True)) == DONE
        cedar.leave()
        for node in (ash, birch):
            await node.told.wait_for("unlinked")
            assert node.told.all("next-game") == []
        mock_clock.jump(AWAY_SECONDS)
        for node in (ash, birch):
            await node.told.wait_for("next-game")
            assert node.match.current.terms.names == ("Ash", "Birch", "Cedar"), "it may come back"


@pytest.mark.trio
async def test_what_was_said_before_a_restart_is_shown_again_to_the_desk_alone(
    tmp_path: Path,
) -> None:
    seats = make_seats(tmp_path, 2)
    before = seats[0].match()
    for number in range(3):
        before.current.asides.talk(f"word {number}", seats[0].identity, now=100.0 * number)
    before.close()
    async with company_of(seats) as (ash, birch):
        await ash.told.wait_for("finished")
        await birch.told.wait_for("finished")
        words = [text for event, text in ash.desk.heard if event == "talk"]
        assert words == ["Ash: word 0", "Ash: word 1", "Ash: word 2"]
        assert ash.desk.heard[0][0] == "talk-before"
        assert ash.told.all("talk") == []
        assert birch.desk.heard[0][0] != "talk-before"


@pytest.mark.trio
async def test_during_a_game_nobody_can_ask_for_another(tmp_path: Path) -> None:
    seats = make_seats(tmp_path, 2, games=2)
    async with company_of(seats) as (ash, birch):
        refused = await ash.desk.ask(Again(True))
        assert refused == Reply(NOT_POSSIBLE, "The match is not over yet.")
        await birch.told.wait_for("finished", 2)


@pytest.mark.trio
async def test_of_a_stranger_nothing_counts_but_that_it_wants_to_be_told_the_game(
    tmp_path: Path,
) -> None:
    seats = make_seats(tmp_path, 2)
    game = seats[0].table().terms.game_id
    forged = sign_aside(Aside(game, 1, 0, AsideKind.TALK, "I give up"), STRANGER)
    async with company_of(seats) as (ash, birch):
        peers = {seats[0].identity.peer_id: Address(HERE, ash.port)}
        async with open_mesh(STRANGER, listen=None, peers=peers) as mesh:
            await linked(mesh)
            for payload in (
                encode_gossip(Whispered(forged.raw)),
                encode_gossip(Passed(b"no message")),
                encode_gossip(Have(game, 0, False)),
            ):
                mesh.send(seats[0].identity.peer_id, payload)
            with trio.fail_after(PATIENCE):
                async for event in mesh.events:
                    match isinstance(event, Received) and decode_gossip(event.payload):
                        case Have(_, _, True):
                            break  # it has been told everything
        await birch.told.wait_for("finished")
        for node in (ash, birch):
            for event in ("talk", "message-refused", "blame"):
                assert node.told.all(event) == []
