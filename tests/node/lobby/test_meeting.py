"""Whom a node remembers of the people at a table, and whom it points out."""

from pathlib import Path

import pytest
import trio

from p2pcoup.lobby import Person
from p2pcoup.net import Address, Mesh, open_mesh
from p2pcoup.node.desk import NoDesk
from p2pcoup.node.known import MAX_KNOWN, open_known
from p2pcoup.node.lobby.meeting import MAX_NEW, Meeting
from p2pcoup.node.lobby.picture import Around
from p2pcoup.node.lobby.places import Places
from p2pcoup.node.log import NodeLog
from p2pcoup.node.telling import Telling
from tests.lobby.crowd import identity_of
from tests.node.nodes import HERE

pytestmark = pytest.mark.trio

BIRCH = Person(identity_of("Birch").peer_id, "Birch", ("10.0.0.2:7700",))


def meeting(home: Path, mesh: Mesh, around: Around, log: NodeLog) -> Meeting:
    return Meeting(mesh.me, Places(mesh), open_known(home), around, Telling(log, NoDesk()))


async def test_who_is_only_said_to_be_here_is_not_remembered_but_judged(tmp_path: Path) -> None:
    around = Around()
    false = Person(identity_of("Oak").peer_id, "Birch", ("10.0.0.3:7700",))
    lines: list[str] = []
    async with open_mesh(identity_of("Ash"), listen=Address(HERE, 0), peers={}) as mesh:
        with NodeLog("text", lines.append) as log:
            room = meeting(tmp_path, mesh, around, log)
            await room.look([BIRCH], frozenset())
            assert around.known == {BIRCH.peer: "new"}
            assert open_known(tmp_path).remembered() == ()
            await room.look([BIRCH], frozenset({BIRCH.peer}))
            assert [each.peer for each in open_known(tmp_path).remembered()] == [BIRCH.peer]
            await room.look([BIRCH, false], frozenset({BIRCH.peer}))
            assert around.known == {BIRCH.peer: "new", false.peer: "changed"}
            assert around.notes == []
            await room.look([false], frozenset({false.peer}))
            assert around.known == {false.peer: "changed"}
            (note,) = around.notes
            assert "with another key" in str(note)
    assert any("with another key" in line for line in lines)


async def test_whoever_comes_under_ever_new_keys_pushes_nobody_out_of_the_list(
    tmp_path: Path,
) -> None:
    around = Around()
    async with open_mesh(identity_of("Ash"), listen=Address(HERE, 0), peers={}) as mesh:
        with NodeLog("text", lambda _line: None) as log:
            room = meeting(tmp_path, mesh, around, log)
            await room.look([BIRCH], frozenset({BIRCH.peer}))
            for number in range(MAX_KNOWN):
                puppet = Person(identity_of(f"puppet {number}").peer_id, "X", ("10.0.0.9:1",))
                with trio.fail_after(5):
                    await room.look([puppet], frozenset({puppet.peer}))
            oak = Person(identity_of("Oak").peer_id, "Birch", ("10.0.0.3:7700",))
            await room.look([oak], frozenset({oak.peer}))
            assert around.known == {oak.peer: "changed"}, "Birch is remembered, and another key"
    remembered = open_known(tmp_path).remembered()
    assert BIRCH.peer in [each.peer for each in remembered]
    assert len(remembered) == MAX_NEW


async def test_the_people_an_opener_makes_up_push_nobody_out_of_the_list(tmp_path: Path) -> None:
    around = Around()
    async with open_mesh(identity_of("Ash"), listen=Address(HERE, 0), peers={}) as mesh:
        with NodeLog("text", lambda _line: None) as log:
            room = meeting(tmp_path, mesh, around, log)
            await room.look([BIRCH], frozenset({BIRCH.peer}))
            for number in range(40):
                invented = [
                    Person(identity_of(f"{number} {each}").peer_id, f"X {each}", ("10.0.0.9:1",))
                    for each in range(5)
                ]
                with trio.fail_after(5):
                    await room.look(invented, frozenset({BIRCH.peer}))
            assert len(around.known) == 5
    assert [each.peer for each in open_known(tmp_path).remembered()] == [BIRCH.peer]
