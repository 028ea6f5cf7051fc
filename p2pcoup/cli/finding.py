"""Where to go without an invite: a table in the local network, or somebody we have met before."""

import contextlib
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click
import trio

from p2pcoup.cli.openers import ask_about, opened_by
from p2pcoup.net import Address
from p2pcoup.net.invite import Invite, parse_invite
from p2pcoup.node.folder import home_folder
from p2pcoup.node.known import KnownPeer, KnownPeers, open_known
from p2pcoup.wire import PeerId

if TYPE_CHECKING:  # who has an invite needs none of it
    from p2pcoup.net.discovery import Advert, Sighting

LOOK_SECONDS = 3.0  # until it is said that there is no table; most answer within a second
MORE_SECONDS = 0.3  # after the first table, for others: they answer a question at the same time
KNOCK_SECONDS = 1.0  # for somebody met before to answer
MOST_ASKED = 8  # of those met before


@dataclass(frozen=True, slots=True)
class Where:
    """Where to look for tables; by default for real ones, wherever this computer is connected."""

    service: str | None = None
    interfaces: tuple[str, ...] = ()


def chosen_invite(
    invite: str | None, to_sit: bool, meanwhile: Callable[[], object], where: Where
) -> str:
    """The invite that was given, that of a table in the local network, or else the way to somebody
    we have met before.

    Args:
        to_sit: whether only a table with a free seat will do.
        meanwhile: called in another thread while the network is asked.

    Raises:
        ClickException: there is none, or it is not clear which one is meant.
        Abort: the user does not want to go to the one there is.
    """
    if invite is not None:
        return str(parse_invite(invite))
    tables, why = trio.run(_look, to_sit, meanwhile, where)
    if not tables:
        met = trio.run(met_before, home_folder())
        if met is None or met.address is None:
            raise click.ClickException(why)
        told = f"No table is announced here. Asking {met.name}, whom you have met, at"
        click.echo(f"{told} {met.address}.", err=True)
        return str(Invite(met.peer, (met.address,)))
    known = open_known(home_folder())
    table = _one_of(tables, known)
    advert = table.advert
    command = f"p2pcoup {'join' if to_sit else 'watch'} '{table.invite}'"
    ask_about(advert.opener_name, known.judge(advert.opener, advert.opener_name), command)
    return str(table.invite)


def _one_of(tables: "Sequence[Sighting]", known: KnownPeers) -> "Sighting":
    """The only table, or the one the user chooses."""
    if len(tables) == 1:
        click.echo(f"Found: {_line(tables[0], known)}", err=True)
        return tables[0]
    for number, table in enumerate(tables, 1):
        click.echo(f"{number:>3}  {_line(table, known)}", err=True)
    if not sys.stdin.isatty():
        raise click.ClickException("There are several tables; name one by its invite.")
    chosen = click.prompt("Which one?", type=click.IntRange(1, len(tables)), err=True)
    return tables[int(chosen) - 1]


async def _look(
    to_sit: bool, meanwhile: Callable[[], object], where: Where
) -> "tuple[Sequence[Sighting], str]":
    """The tables one can go to; if there is none, why."""
    from p2pcoup.net.discovery import SERVICE, browse

    looking = browse(
        interfaces=where.interfaces or None, service=where.service or SERVICE, ask_all=True
    )
    async with looking as browser, trio.open_nursery() as nursery:
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


def _line(table: "Sighting", known: KnownPeers) -> str:
    advert = table.advert
    opener = opened_by(advert.opener_name, known.judge(advert.opener, advert.opener_name))
    return (
        f"{called(advert)}, opened by {opener}: {advert.edition}, {advert.options}, "
        f"{advert.taken} of {advert.seats} seats taken"
    )


def called(advert: "Advert") -> str:
    """What people call that table: by default it has its opener's name."""
    return f"{advert.table}'s table" if advert.table == advert.opener_name else advert.table
