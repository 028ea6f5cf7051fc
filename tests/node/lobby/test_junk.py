"""What a stranger who only sends junk can do to a lobby."""

import json
from pathlib import Path

import pytest
import trio

from p2pcoup.lobby import Settings
from p2pcoup.lobby.messages import TAG
from p2pcoup.net import Address, Connected, Disconnected, open_mesh
from p2pcoup.net.limits import JUNK_BURST
from p2pcoup.node.lobby.evening import Evening, Hosting, spend_evening
from p2pcoup.node.log import NodeLog
from p2pcoup.node.seat import SeatedGame
from p2pcoup.table import Terms
from p2pcoup.wire import encode
from tests.lobby.crowd import identity_of
from tests.node.nodes import HERE, PATIENCE


def no_game(_terms: Terms) -> SeatedGame:
    raise AssertionError("nobody starts a game here")


@pytest.mark.trio
async def test_a_stranger_who_sends_nothing_but_junk_loses_its_link_and_fills_no_log(
    tmp_path: Path,
) -> None:
    ash, elm = identity_of("Ash"), identity_of("Elm")
    evening = Evening(tmp_path, ash, "Ash", Address(HERE, 0), no_game)
    token, told, listening = trio.lowlevel.current_trio_token(), [], trio.Event()

    def take(line: str) -> None:
        told.append(json.loads(line))
        if told[-1]["event"] == "listening":
            listening.set()

    with trio.fail_after(PATIENCE), NodeLog("json", lambda x: token.run_sync_soon(take, x)) as log:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(spend_evening, evening, Hosting("friday", Settings()), log)
            await listening.wait()
            (port,) = (each["port"] for each in told if each["event"] == "listening")
            place = Address(HERE, port)
            async with open_mesh(elm, listen=None, peers={ash.peer_id: place}) as mesh:
                assert isinstance(await mesh.events.receive(), Connected)
                for number in range(JUNK_BURST + 1):
                    mesh.send(ash.peer_id, encode((TAG, f"{number} is no kind", b"t" * 16)))
                    mesh.send(ash.peer_id, encode((f"{number} is no gossip",)))
                while not isinstance(event := await mesh.events.receive(), Disconnected):
                    pass
            nursery.cancel_scope.cancel()
    assert event.peer == ash.peer_id
    assert len([each for each in told if each["event"] == "garbled"]) == 1
