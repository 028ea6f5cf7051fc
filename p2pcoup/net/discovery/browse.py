"""Which tables the network tells of (SPEC 9.9).

The library's thread reads records and keeps what is heard, a bounded number of sightings; the
reader is told the difference to what it was told before. So a reader that is slow, or a network
that says a lot, costs no memory, and nothing is told twice.
"""

import contextlib
import threading
import time
from collections.abc import AsyncIterator, Sequence
from typing import Final

import trio
from zeroconf import (
    DNSQuestionType,
    Error,
    ServiceBrowser,
    ServiceInfo,
    ServiceStateChange,
    Zeroconf,
)

from p2pcoup.net.discovery.advert import TableState
from p2pcoup.net.discovery.mdns import SERVICE, Place, beside, keep_up
from p2pcoup.net.discovery.sighting import (
    Changed,
    Found,
    Gone,
    Sighting,
    Surroundings,
    TableEvent,
    joined,
    read_sighting,
)
from p2pcoup.net.discovery.silence import MulticastError, Silence, diagnose
from p2pcoup.net.invite import MAX_INVITE_ADDRESSES
from p2pcoup.net.rate import TokenBucket

MAX_TABLES: Final = 64
"""Tables kept. A list for people is shorter; a network that tells of more is lying or a fair."""
MAX_TABLES_OF_ONE: Final = MAX_INVITE_ADDRESSES
"""Tables of one opener: it may have two, and liars may use its id, which must not hide it. The
invite to each has an address of every other one, and so many fit in there."""
QUESTION_BURST: Final = 16
QUESTIONS_PER_SECOND: Final = 4.0
"""Questions for records that did not come along with a name; junk must not make us flood."""
ANSWER_MS: Final = 50.0
"""Milliseconds the library's thread waits for an answer; a later one counts as well."""


class Browser:
    """What tables there are; `browse` makes one. Iterating gives TableEvents and never ends."""

    def __init__(
        self, interfaces: Sequence[str] | None, service: str, *, ask_all: bool = False
    ) -> None:
        self._interfaces: Final = interfaces
        self._service: Final = service
        self._question: Final = DNSQuestionType.QM if ask_all else None
        self._trio: Final = trio.lowlevel.current_trio_token()
        self._lock: Final = threading.Lock()
        self._heard: Final[dict[str, Sighting]] = {}
        self._told: Final[dict[str, Sighting]] = {}
        self._news = trio.Event()
        self._silence: Silence | None = None
        self._questions = TokenBucket(QUESTION_BURST, QUESTIONS_PER_SECOND, time.monotonic())
        self._surroundings = Surroundings()
        self.left_out = 0
        """How often a table was not kept because there are too many."""
        self.refused = 0
        """How often a service of this type was no table that could be shown."""

    # --- for the reader

    @property
    def tables(self) -> tuple[Sighting, ...]:
        """What there is now: those where one can sit down first, then by name; each with where
        else its opener is said to be.
        """
        with self._lock:
            heard = joined(list(self._heard.values()))
        return tuple(
            sorted(
                heard,
                key=lambda each: (
                    each.advert.state is not TableState.OPEN,
                    each.advert.table.casefold(),
                    each.key,
                ),
            )
        )

    @property
    def fault(self) -> str | None:
        """Why nothing can be heard at all, as a sentence; None if nothing is known to be wrong."""
        return None if self._silence is None else self._silence.text

    async def why_nothing(self) -> Silence:
        """Why no table is seen. Takes up to half a second."""
        return self._silence or await diagnose(self._interfaces)

    def __aiter__(self) -> "Browser":
        return self

    async def __anext__(self) -> TableEvent:
        while True:
            await trio.lowlevel.checkpoint()
            self._news = trio.Event()
            event = self._difference()
            if event is not None:
                return event
            await self._news.wait()

    def _difference(self) -> TableEvent | None:
        """One thing the reader has not been told yet."""
        with self._lock:
            for key, told in self._told.items():
                if key not in self._heard:
                    del self._told[key]
                    return Gone(told)
            for key, heard in self._heard.items():
                before = self._told.get(key)
                if before != heard:
                    self._told[key] = heard
                    return Found(heard) if before is None else Changed(heard)
        return None

    # --- listening

    async def run(self) -> None:
        """Listen until cancelled."""
        await keep_up(self._interfaces, self._listen, self._failed)

    def _failed(self, error: MulticastError) -> None:
        self._silence = error.silence

    async def _listen(self, zeroconf: Zeroconf, _places: tuple[Place, ...]) -> None:
        self._surroundings = Surroundings.of(self._interfaces)
        self._silence = None
        with self._lock:
            self._heard.clear()
        browser = await trio.to_thread.run_sync(
            lambda: ServiceBrowser(
                zeroconf, self._service, handlers=[self._noticed], question_type=self._question
            )
        )
        try:
            await trio.sleep_forever()
        finally:
            with trio.CancelScope(shield=True):
                await trio.to_thread.run_sync(browser.cancel)

    # --- in the library's thread

    def _noticed(
        self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange
    ) -> None:
        """Something about the service of this name is new."""
        info = ServiceInfo(service_type, name)
        if state_change is ServiceStateChange.Removed:
            self._keep(name, None)
        elif info.load_from_cache(zeroconf) or self._asked(zeroconf, info):
            sighting = read_sighting(name, info, self._surroundings)
            self.refused += sighting is None
            self._keep(name, sighting)

    def _asked(self, zeroconf: Zeroconf, info: ServiceInfo) -> bool:
        """Ask for the records that did not come along; whether they came at once.

        If they come later, that is another change of the service.
        """
        if not self._questions.take(time.monotonic()):
            return False
        try:
            return info.request(zeroconf, ANSWER_MS)
        except Error:
            return False

    def _keep(self, key: str, sighting: Sighting | None) -> None:
        """What is heard of this service now; None: nothing any more."""
        with self._lock:
            if sighting is None:
                self._heard.pop(key, None)
            elif key in self._heard or self._has_room_for(sighting):
                self._heard[key] = sighting
            else:
                self._heard.pop(key, None)
                self.left_out += 1
        with contextlib.suppress(trio.RunFinishedError):
            self._trio.run_sync_soon(self._wake, idempotent=True)

    def _has_room_for(self, sighting: Sighting) -> bool:
        opener = sighting.advert.opener
        of_one = sum(each.advert.opener == opener for each in self._heard.values())
        return len(self._heard) < MAX_TABLES and of_one < MAX_TABLES_OF_ONE

    def _wake(self) -> None:
        self._news.set()


@contextlib.asynccontextmanager
async def browse(
    *, interfaces: Sequence[str] | None = None, service: str = SERVICE, ask_all: bool = False
) -> AsyncIterator[Browser]:
    """Look for tables for the length of the block. What is wrong with the network is no exception.

    Args:
        interfaces: the IPv4 addresses of this computer to listen at; by default all, wherever it
            is connected at the time.
        service: the service type; for tests, which must not meet real tables.
        ask_all: ask all at once, for who cannot wait. Otherwise the first question wants an answer
            to us alone, which reaches one program of this computer and maybe another one (Avahi,
            a second p2pcoup); all are asked a second later. The answer to all may be a second old.
    """
    browser = Browser(interfaces, service, ask_all=ask_all)
    async with beside(browser.run):
        yield browser
