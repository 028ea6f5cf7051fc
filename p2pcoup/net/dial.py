"""Dialling one peer, again and again, whenever there is no link with it (SPEC 9.6)."""

import random
from collections.abc import Awaitable, Callable
from typing import Final

import trio

from p2pcoup.net.address import Address
from p2pcoup.net.limits import Timing


class Backoff:
    """Pauses that double from the first to the last, each shortened at random.

    Without the random part, two peers that lost each other at once would always dial at once.
    """

    __slots__ = ("_jitter", "_pause", "_timing")

    def __init__(self, jitter: random.Random, timing: Timing) -> None:
        self._jitter: Final = jitter
        self._timing: Final = timing
        self._pause = timing.first_pause

    def reset(self) -> None:
        """It worked: the next pause is the first again."""
        self._pause = self._timing.first_pause

    def next_pause(self) -> float:
        """Seconds to wait now: between a half and the whole of the current pause, then doubled."""
        pause = self._pause * self._jitter.uniform(0.5, 1.0)
        self._pause = min(self._timing.last_pause, self._pause * 2)
        return pause


class Dialler:
    """Keeps one peer dialled. Without an address it waits: the peer can only call.

    Args:
        address: where the peer listens, if that is known.
        is_linked: whether there is a link with the peer now.
        jitter: the random part of pauses.
        timing: the pauses between attempts.
    """

    def __init__(
        self,
        address: Address | None,
        is_linked: Callable[[], bool],
        jitter: random.Random,
        timing: Timing,
    ) -> None:
        self._address = address
        self._backoff: Final = Backoff(jitter, timing)
        self._stable_after: Final = timing.stable_after
        self._is_linked: Final = is_linked
        self._scope: Final = trio.CancelScope()
        self._changed = trio.Event()
        self._hurry = trio.Event()
        self._reported: str | None = None

    async def run(self, attempt: Callable[[Address], Awaitable[None]]) -> None:
        """Attempt at once and, until `stop`, whenever a link is missing and a pause has passed.

        An attempt lasts as long as the link it makes.
        """
        with self._scope:
            address = await self._missing()
            while True:
                self._hurry = trio.Event()
                await attempt(address)
                address = await self._due()

    async def _missing(self) -> Address:
        """Wait until a link is missing and the address is known."""
        while self._address is None or self._is_linked():
            await self._changed.wait()
        return self._address

    async def _due(self) -> Address:
        """Wait until a link is missing and has been for a pause, or there is reason to hurry.

        Also after a link that lasted: who lost it at the other end will dial as well.
        """
        while True:
            await self._missing()
            with trio.move_on_after(self._backoff.next_pause()):
                await self._hurry.wait()
            if self._address is not None and not self._is_linked():
                return self._address

    def stop(self) -> None:
        """Dial no more. An attempt that has led to a link leaves the link alone."""
        self._scope.cancel()

    def redirect(self, address: Address | None) -> None:
        """Dial at this address from now on, at once if there is no link."""
        self._address = address
        self._backoff.reset()
        self._hurry.set()
        self._notify()

    def linked(self) -> None:
        """There is a link now, whoever dialled: the next failure is news again."""
        self._reported = None

    def lost(self, lasted: float) -> None:
        """The link is gone after so many seconds. If it was stable, the pauses begin anew."""
        if lasted >= self._stable_after:
            self._backoff.reset()
        self._notify()

    def is_news(self, reason: str) -> bool:
        """Whether this reason for not reaching the peer is a new one; from now on it is not."""
        news, self._reported = reason != self._reported, reason
        return news

    def _notify(self) -> None:
        self._changed.set()
        self._changed = trio.Event()
