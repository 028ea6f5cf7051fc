"""Links that run, against another link or a peer by hand, over a real TLS connection.

Not a test module.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio

from p2pcoup.net.credentials import Credentials
from p2pcoup.net.errors import (
    ClosedError,
    LinkError,
)
from p2pcoup.net.handshake import Channel
from p2pcoup.net.limits import Timing
from p2pcoup.net.link import Link
from tests.net.peers import SOON, Hand, channel_pair

PATIENT = Timing(ping_after=500.0, dead_after=1000.0, close=1000.0)
"""No time in it passes within a test."""


class Running:
    """A link that runs and collects what comes."""

    def __init__(self, channel: Channel, timing: Timing) -> None:
        self.link = Link(channel, timing)
        self.received: list[bytes] = []
        self.taking = trio.Event()
        """Until it is set the user of the link takes nothing."""
        self.taking.set()
        self._more = trio.Event()
        self._ended: LinkError | None = None

    async def live(self) -> None:
        self._ended = await self.link.run(self.settle, self.collect)
        self._notify()

    async def settle(self, link: Link) -> None:
        """Agreed already."""

    async def collect(self, link: Link) -> None:
        while True:
            await self.taking.wait()
            self.received.append(await link.receive())
            self._notify()

    def _notify(self) -> None:
        self._more.set()
        self._more = trio.Event()

    async def until_received(self, count: int) -> None:
        with trio.fail_after(SOON):
            while len(self.received) < count:
                await self._more.wait()

    async def end(self) -> LinkError:
        """Why the link has ended, once it has."""
        with trio.fail_after(SOON):
            while self._ended is None:
                await self._more.wait()
        return self._ended


@asynccontextmanager
async def link_and_hand(
    credentials: list[Credentials], timing: Timing = PATIENT
) -> AsyncIterator[tuple[Running, Hand]]:
    async with channel_pair(*credentials[:2]) as (far, near):
        running = Running(near, timing)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(running.live)
            yield running, Hand(far)
            running.link.end(ClosedError("The test is over."))


@asynccontextmanager
async def two_links(
    credentials: list[Credentials], timing: Timing = PATIENT
) -> AsyncIterator[tuple[Running, Running]]:
    async with channel_pair(*credentials[:2]) as channels:
        one, two = (Running(channel, timing) for channel in channels)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(one.live)
            nursery.start_soon(two.live)
            yield one, two
            for each in (one, two):
                each.link.end(ClosedError("The test is over."))
