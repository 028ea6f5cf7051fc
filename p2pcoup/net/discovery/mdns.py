"""Multicast DNS by python-zeroconf, kept away from trio (SPEC 9.9).

The library runs an event loop in a thread of its own; its blocking calls are made in worker
threads. When the network changes (a cable, another Wi-Fi), it is closed and opened again where the
computer is then.
"""

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Final

import trio
from zeroconf import Error, ServiceInfo, Zeroconf

from p2pcoup.net.discovery.silence import MulticastError, Reason, Silence, opening_fault, usable
from p2pcoup.net.interfaces import multicast_addresses, own_addresses

SERVICE: Final = "_p2pcoup._tcp.local."
"""The service type of DNS-SD (RFC 6763, 7)."""
LOOK_AGAIN: Final = 5.0
"""Seconds after which is looked whether the network has changed, or tried again after a failure."""

Place = str | int
"""An IPv4 address of this computer, or, for IPv6, the number of an interface."""


def places_now(interfaces: Sequence[str] | None) -> tuple[Place, ...]:
    """Where to speak: the given IPv4 addresses, or wherever this computer is connected now."""
    return tuple(interfaces) if interfaces is not None else multicast_addresses(own_addresses())


@contextlib.asynccontextmanager
async def opened(places: Sequence[Place]) -> AsyncIterator[Zeroconf]:
    """A running zeroconf in these places; goodbyes are sent and threads ended after the block.

    Raises MulticastError before the block is entered.
    """
    zeroconf = await trio.to_thread.run_sync(_open, tuple(places))
    try:
        yield zeroconf
    finally:
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(_close, zeroconf)


def _open(places: Sequence[Place]) -> Zeroconf:
    # Tried first: the library gives up at the first interface it does not like.
    good = usable(places)
    try:
        return Zeroconf(interfaces=list(good))
    except OSError as error:
        raise MulticastError(opening_fault(error)) from error
    except (Error, RuntimeError) as error:
        raise MulticastError(Silence(Reason.CANNOT_SEND, str(error))) from error


def _close(zeroconf: Zeroconf) -> None:
    # It may complain that its loop was busy; it is closed all the same.
    with contextlib.suppress(Error, OSError, RuntimeError):
        zeroconf.close()


async def until_elsewhere(interfaces: Sequence[str] | None, places: Sequence[Place]) -> None:
    """Return when the computer is connected elsewhere than in `places`; never for given ones."""
    if interfaces is not None:
        await trio.sleep_forever()
    while tuple(places) == places_now(None):
        await trio.sleep(LOOK_AGAIN)


async def keep_up(
    interfaces: Sequence[str] | None,
    work: Callable[[Zeroconf, tuple[Place, ...]], Awaitable[None]],
    failed: Callable[[MulticastError], None],
) -> None:
    """Do the work for ever: anew in each new place, and again when multicast was not possible.

    `work` does not return before it is cancelled and raises nothing; neither does this.
    """
    while True:
        places = places_now(interfaces)
        try:
            async with opened(places) as zeroconf, trio.open_nursery() as nursery:
                nursery.start_soon(work, zeroconf, places)
                await until_elsewhere(interfaces, places)
                nursery.cancel_scope.cancel()
        except MulticastError as error:
            failed(error)
            await trio.sleep(LOOK_AGAIN)


async def called(method: Callable[[ServiceInfo], None], info: ServiceInfo) -> Silence | None:
    """Make one of zeroconf's blocking calls; what is wrong if it fails."""
    try:
        await trio.to_thread.run_sync(method, info)
    except (Error, OSError, RuntimeError) as error:
        return Silence(Reason.CANNOT_SEND, str(error))
    return None


@contextlib.asynccontextmanager
async def beside(task: Callable[[], Awaitable[None]]) -> AsyncIterator[None]:
    """The task runs beside the block and is cancelled at its end.

    What the block raises comes out as it is, not in an exception group.
    """
    failure: Exception | None = None
    async with trio.open_nursery() as nursery:
        nursery.start_soon(task)
        try:
            yield
        except Exception as error:  # noqa: BLE001 - raised again below, outside of the nursery
            failure = error
        finally:
            nursery.cancel_scope.cancel()
    if failure is not None:
        raise failure
