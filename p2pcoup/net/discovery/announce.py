"""A table tells the network that it is there (SPEC 9.9)."""

import contextlib
import ipaddress
import secrets
from collections.abc import AsyncIterator, Iterable, Sequence
from functools import partial
from typing import Final

import trio
from zeroconf import ServiceInfo, Zeroconf

from p2pcoup.net.address import Address
from p2pcoup.net.discovery.advert import Advert, encode_advert
from p2pcoup.net.discovery.mdns import SERVICE, Place, beside, called, keep_up
from p2pcoup.net.discovery.silence import MulticastError, Reason, Silence, diagnose
from p2pcoup.net.interfaces import addresses_to_tell

LIFETIME: Final = 60
"""Seconds for which a record counts. A table whose program has died is gone from all lists after
that; one that is there is asked again at three quarters of it."""


class Announcement:
    """One table's announcement; `announce` makes it."""

    def __init__(
        self,
        advert: Advert,
        listening: Iterable[Address],
        interfaces: Sequence[str] | None,
        service: str,
    ) -> None:
        self._advert = advert
        self._listening: Final = tuple(listening)
        self._interfaces: Final = interfaces
        self._service: Final = service
        # One name for one opening: a program started again is another service, so nobody takes
        # its old records for new ones.
        group = advert.opener.partition("-")[0].lower()
        self._name: Final = f"{group}-{secrets.token_hex(4)}"
        self._changed = trio.Event()
        self._settled: Final = trio.Event()
        self.fault: str | None = None
        """Why others cannot find the table, as a sentence; None if nothing is known to be wrong."""

    def update(self, advert: Advert) -> None:
        """Say this from now on. Does not wait; of several in a row only the last may be said."""
        if advert.opener != self._advert.opener:
            raise ValueError("Another peer's table is another announcement.")
        self._advert = advert
        self._changed.set()

    async def settled(self) -> str | None:
        """Wait until the table has been announced or that has failed; then `fault`."""
        await self._settled.wait()
        return self.fault

    async def run(self) -> None:
        """Keep the announcement up until cancelled."""
        await keep_up(self._interfaces, self._tell, self._failed)

    def _failed(self, error: MulticastError) -> None:
        self._settle(error.silence)

    def _settle(self, silence: Silence) -> None:
        self.fault = silence.text_for_opener
        self._settled.set()

    async def _tell(self, zeroconf: Zeroconf, _places: tuple[Place, ...]) -> None:
        info = self._info()
        if info is None:
            self._settle(Silence(Reason.ONLY_LOOPBACK))
            return
        said = self._advert
        # Nobody else can have the name, so it need not be asked for: that takes most of a second.
        register = partial(zeroconf.register_service, cooperating_responders=True)
        fault = await called(register, info)
        self.fault = (fault or await diagnose(self._interfaces)).text_for_opener
        if self.fault is None and self._interfaces is None and _is_for_itself(info):
            self.fault = (
                "Others cannot find this table: it listens only for this computer itself, at "
                f"{info.parsed_addresses()[0]}."
            )
        self._settled.set()
        while True:
            if said is self._advert:
                self._changed = trio.Event()
                await self._changed.wait()
            said = self._advert
            info = self._info()
            if info is not None:
                await called(zeroconf.update_service, info)

    def _info(self) -> ServiceInfo | None:
        """The records of the service; None if there is no address to name in them."""
        told = addresses_to_tell(self._listening)
        if not told:
            return None
        port = told[0].port
        return ServiceInfo(
            self._service,
            f"{self._name}.{self._service}",
            port=port,
            properties=encode_advert(self._advert),
            server=f"p2pcoup-{self._name}.local.",
            parsed_addresses=[each.host for each in told if each.port == port],
            host_ttl=LIFETIME,
            other_ttl=LIFETIME,
        )


def _is_for_itself(info: ServiceInfo) -> bool:
    """Whether nobody elsewhere can use any of the addresses."""
    return all(ipaddress.ip_address(each).is_loopback for each in info.parsed_addresses())


@contextlib.asynccontextmanager
async def announce(
    advert: Advert,
    listening: Iterable[Address],
    *,
    interfaces: Sequence[str] | None = None,
    service: str = SERVICE,
) -> AsyncIterator[Announcement]:
    """The table can be found for the length of the block; then it says goodbye.

    The block begins at once; announcing goes on beside it, and what is wrong with the network is
    in the announcement's `fault`, never an exception.

    Args:
        advert: what is said.
        listening: where the node listens (`Mesh.addresses`).
        interfaces: the IPv4 addresses of this computer to speak from; by default all, wherever it
            is connected at the time.
        service: the service type; for tests, which must not meet real tables.
    """
    announcement = Announcement(advert, listening, interfaces, service)
    async with beside(announcement.run):
        yield announcement
