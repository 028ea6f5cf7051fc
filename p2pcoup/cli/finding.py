"""Where to go without an invite: a table in the local network, or somebody we have met before."""

import contextlib
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
import trio

from p2pcoup.net import Address
from p2pcoup.net.invite import Invite, parse_invite
from p2pcoup.node.folder import home_folder
from p2pcoup.node.known import KnownPeer, open_known
from p2pcoup.wire import PeerId

if TYPE_CHECKING:  # who has an invite needs none of it
    from p2pcoup.net.discovery import Sighting

LOOK_SECONDS = 3.0  # until it is said that there is no table; most answer within a second
MORE_SECONDS = 0.3  # after the first table, for others: they answer a question at the same time
KNOCK_SECONDS = 1.0  # for somebody met before to answer
MOST_ASKED = 8  # of those met before


def chosen_invite(invite: str | None, to_sit: bool, meanwhile: Callable[[], object]) -> str:
    """The invite that was given, that of a table in the local network, or else the way to somebody
    we have met before.

    Args:
        to_sit: whether only a table with a free seat will do.
        meanwhile: called in another thread while the network is asked.
    """
    if invite is not None:
        return str(parse_invite(invite))
    tables, why = trio.run(_look, to_sit, meanwhile)
    if not tables:
        known = trio.run(met_before, home_folder())
        if known is None or known.address is None:
            raise click.ClickException(why)
        told = f"No table is announced here. Asking {known.name}, whom you have met, at"
        click.echo(f"{told} {known.address}.", err=True)
        return str(Invite(known.peer, (known.address,)))
    if len(tables) == 1:
        click.echo(f"Found: {_line(tables[0])}", err=True)
        return str(tables[0].invite)
    for number, table in enumerate(tables, 1):
        click.echo(f"{number:>3}  {_line(table)}", err=True)
    if not sys.stdin.isatty():
        raise click.ClickException("There are several tables; name one by its invite.")
    chosen = click.prompt("Which one?", type=click.IntRange(1, len(tables)), err=True)
    return str(tables[chosen - 1].invite)


async def _look(to_sit: bool, meanwhile: Callable[[], object]) -> "tuple[Sequence[Sighting], str]":
    """The tables one can go to; if there is none, why."""
    from p2pcoup.net.discovery import browse

    async with browse(ask_all=True) as browser, trio.open_nursery() as nursery:
        nursery.start_soon(trio.to_thread.run_sync, meanwhile)
        with trio.move_on_after(LOOK_SECONDS):
            while not any(not to_sit or _has_room(table) for table in browser.tables):
                await anext(browser)
            await trio.sleep(MORE_SECONDS)
        tables = [table for table in browser.tables if not to_sit or _has_room(table)]
        if tables:
            return tables, ""
        if browser.tables:
            return [], "There is no free seat at any table in the network. Watch: p2pcoup watch"
        return [], (await browser.why_nothing()).text


async def met_before(home: Path) -> KnownPeer | None:
    """Somebody we have met before and whose program answers where it did then; of several the one
    seen last. Who it really is shows only when there is a link.
    """
    met = [each for each in open_known(home).remembered() if each.address is not None]
    answering: set[PeerId] = set()

    async def knock(peer: PeerId, address: Address) -> None:
        with contextlib.suppress(OSError), trio.move_on_after(KNOCK_SECONDS):
            await (await trio.open_tcp_stream(*address)).aclose()
            answering.add(peer)

    async with trio.open_nursery() as nursery:
        for each in met[:MOST_ASKED]:
            if each.address is not None:
                nursery.start_soon(knock, each.peer, each.address)
    return next((each for each in met if each.peer in answering), None)


def _has_room(table: "Sighting") -> bool:
    from p2pcoup.net.discovery import TableState

    advert = table.advert
    return advert.state is TableState.OPEN and advert.taken < advert.seats


def _line(table: "Sighting") -> str:
    advert = table.advert
    name, opener = advert.table, advert.opener_name
    called = f"{name}'s table" if name == opener else f"{name}, opened by {opener}"
    return (
        f"{called}: {advert.edition}, {advert.options}, "
        f"{advert.taken} of {advert.seats} seats taken"
    )
