"""An open table tells the network that it is there, whoever opens it at the time (SPEC 9.9)."""

import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

import trio

from p2pcoup.lobby import Lobby
from p2pcoup.net import Address
from p2pcoup.net.discovery import Advert, Announcement, TableState, announce
from p2pcoup.rules import options_to_text

Announce = Callable[[Advert, tuple[Address, ...]], AbstractAsyncContextManager[Announcement]]


class Announcer:
    """Announces a lobby while this peer is its opener, and goes on while its game is played."""

    def __init__(
        self,
        lobby: Lobby,
        addresses: tuple[Address, ...],
        failed: Callable[[str], None],
        announce: Announce = announce,
    ) -> None:
        """``failed`` is given a sentence when others cannot find the table."""
        self._announce = announce
        self._lobby = lobby
        self._failed = failed
        self._addresses = addresses
        self._since = int(time.time())
        self._changed = trio.Event()

    def look(self) -> None:
        """Something about the lobby may have changed."""
        self._changed.set()

    async def run(self) -> None:
        """Announce until cancelled. What is wrong with the network is no matter of the game."""
        while True:
            while not self._wanted():
                await self._next_change()
            async with (
                self._announce(self._advert(), self._addresses) as announcement,
                trio.open_nursery() as nursery,
            ):
                nursery.start_soon(self._tell_fault, announcement)
                while self._wanted():
                    announcement.update(self._advert())
                    await self._next_change()
                nursery.cancel_scope.cancel()

    def _wanted(self) -> bool:
        return self._lobby.is_opener

    async def _tell_fault(self, announcement: Announcement) -> None:
        fault = await announcement.settled()
        if fault is not None:
            self._failed(fault)

    async def _next_change(self) -> None:
        self._changed = trio.Event()
        await self._changed.wait()

    def _advert(self) -> Advert:
        sheet = self._lobby.sheet
        if sheet is None:
            raise RuntimeError("an opener has a sheet")
        settings = sheet.settings
        return Advert(
            sheet.opener,
            sheet.name,
            self._lobby.me.name,
            settings.edition.name,
            options_to_text(settings.options),
            len(sheet.seated),
            settings.seats,
            TableState.PLAYING if self._lobby.begun else TableState.OPEN,
            self._since,
        )
