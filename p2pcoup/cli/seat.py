"""What holds for the node of a seat, however the seat comes to its table."""

import random
import signal
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import trio

from p2pcoup.bots import BOTS, Policy
from p2pcoup.cli.input_end import Stopped, with_input
from p2pcoup.net import Address
from p2pcoup.node.failures import INTERRUPTED
from p2pcoup.node.log import NodeLog
from p2pcoup.wire import PeerId

if TYPE_CHECKING:
    from p2pcoup.node.api import Hub, Way

Run = Callable[[NodeLog, "Hub | None"], Awaitable[Stopped]]


@dataclass(frozen=True, slots=True)
class SeatOptions:
    """What the user wants of the node; the fields bear the names of the options.

    Attributes:
        home: the user's data folder.
        pace: seconds a bot thinks about a question; 0: it decides at once.
        listen: where the node listens, if the user has said that.
        ways: the ways in for clients.
    """

    home: Path
    bot: str | None
    bot_seed: str | None
    pace: float
    listen: Address | None
    log: str
    ways: "Sequence[Way]"
    end_with_input: bool

    @property
    def policy(self) -> Policy | None:
        """The bot that decides for the seat; None: the clients do."""
        return BOTS[self.bot or "honest"] if self.bot or not self.ways else None

    def luck(self) -> random.Random:
        """The source of the bot's choices only; cards never come from it."""
        return random.Random(self.bot_seed)  # noqa: S311

    def play(self, peer: PeerId, name: str | None, run: Run) -> int:
        """Run the node to its end, with its clients if it is to have any; the exit status."""

        async def play(log: NodeLog) -> Stopped:
            if not self.ways:
                return await run(log, None)
            from p2pcoup.node.api import Hub, with_clients

            hub = Hub(peer, name)
            return await with_clients(hub, self.ways, self.home, log, partial(run, log, hub))

        with NodeLog(self.log) as node_log:
            stopped = trio.run(with_input(play, self.end_with_input), node_log)
        return INTERRUPTED if stopped is signal.SIGINT else 0


def ways_in(texts: Sequence[str]) -> "list[Way]":
    """The ways in for clients, each once. Raises AddressError."""
    if not texts:
        return []
    from p2pcoup.node.api import parse_way  # and with it all that clients are served with

    return [parse_way(text) for text in dict.fromkeys(texts)]
