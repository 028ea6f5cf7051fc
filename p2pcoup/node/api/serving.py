"""A node with its clients: opens the ways in before it plays, says goodbye when it ends."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

import trio

from p2pcoup.net import Address, AddressError, parse_address
from p2pcoup.node.api.hub import Hub
from p2pcoup.node.api.lines import serve_lines
from p2pcoup.node.api.reasons import OVER, STOPPED, STOPPED_IN_LOBBY
from p2pcoup.node.failures import explain
from p2pcoup.node.log import NodeLog

STANDARD: Final = "stdio"
HERE: Final = "127.0.0.1"
AUDIT_SECONDS: Final = 30.0  # how long a node that has played to the end stays for the last audit

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Way:
    """A way in for clients: a loopback address, or standard input and output if there is none."""

    address: Address | None


def parse_way(text: str) -> Way:
    """``stdio`` or ``127.0.0.1:PORT``. Raises AddressError for anything else: nobody but the
    programs of this machine may reach the API.
    """
    if text == STANDARD:
        return Way(None)
    address = parse_address(text)
    if address.host != HERE:
        raise AddressError(
            f"Clients are served on this machine alone: {STANDARD} or {HERE}:PORT, not {text!a}."
        )
    return Way(address)


async def with_clients(
    hub: Hub,
    ways: Sequence[Way],
    home: Path,
    log: NodeLog,
    play: Callable[[], Awaitable[T]],
) -> T:
    """Serve clients while ``play`` runs; then tell them why it has ended.

    Args:
        home: the data folder, where ``api.json`` is written if there is an address.

    Raises:
        ListenError: the API cannot listen there. And whatever ``play`` raises.
    """
    async with trio.open_nursery() as nursery:
        nursery.start_soon(hub.audits.run)
        for way in ways:
            if way.address is None:
                nursery.start_soon(serve_lines, hub)
            else:
                from p2pcoup.node.api.web import serve_web  # only who wants a web server loads one

                await nursery.start(serve_web, hub, way.address, home, log)
        reason = str(STOPPED())
        try:
            result = await play()
            if hub.in_lobby:
                reason = str(STOPPED_IN_LOBBY())
            if hub.over:
                with trio.move_on_after(AUDIT_SECONDS):
                    await hub.audits.done()
                reason = str(OVER())
        except Exception as error:
            reason = explain(error).told
            raise
        finally:
            with trio.CancelScope(shield=True):
                await hub.end(reason)
            nursery.cancel_scope.cancel()
    return result
