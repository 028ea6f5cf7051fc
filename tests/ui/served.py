"""A real hub behind the node's real WebSocket server, with a lobby and no game.

Not a test module.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import trio

from p2pcoup.net import Address
from p2pcoup.node.api import Hub, Way, with_clients
from p2pcoup.node.log import NodeLog
from tests.ui.messages import lobby, peer

HERE = "127.0.0.1"


@asynccontextmanager
async def serving(home: Path) -> AsyncIterator[Hub]:
    """Serve for as long as the test goes on; its ``api.json`` is in `home` meanwhile."""
    hub = Hub(peer("Ash"), "Ash")
    hub.show_lobby(lobby()["lobby"])
    started, done = trio.Event(), trio.Event()

    async def play() -> None:
        started.set()
        await done.wait()

    async with trio.open_nursery() as nursery:
        with NodeLog("json", lambda _line: None) as log:
            ways = [Way(Address(HERE, 0))]
            nursery.start_soon(with_clients, hub, ways, home, log, play)
            await started.wait()
            try:
                yield hub
            finally:
                done.set()
                with trio.CancelScope(shield=True), trio.move_on_after(5):
                    while (home / "api.json").exists():
                        await trio.lowlevel.checkpoint()
