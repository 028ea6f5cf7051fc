"""An open table is announced in the network by whoever keeps it."""

from functools import partial

import pytest
import trio
import trio.testing

from p2pcoup.lobby.limits import GONE_SECONDS
from p2pcoup.net import Address
from p2pcoup.net.discovery import Changed, Found, TableState, announce, browse
from p2pcoup.node.lobby.announce import Announcer
from tests.lobby.crowd import Crowd, Guest
from tests.net.discovery.tables import HERE, LOOPBACK, own_service, told
from tests.node.nodes import PATIENCE

pytestmark = pytest.mark.trio


def announcer(guest: Guest, service: str, addresses: tuple[Address, ...] = HERE) -> Announcer:
    here = partial(announce, interfaces=LOOPBACK, service=service)
    return Announcer(guest.lobby, addresses, lambda _fault: None, here)


async def test_a_table_is_found_with_what_is_played_there_and_who_has_come() -> None:
    service = own_service()
    crowd = Crowd()
    ash = crowd.open()
    with trio.fail_after(PATIENCE):
        async with (
            browse(interfaces=LOOPBACK, service=service) as browser,
            trio.open_nursery() as nursery,
        ):
            told_of = announcer(ash, service)
            nursery.start_soon(told_of.run)
            found = await told(browser)
            assert isinstance(found, Found)
            advert = found.sighting.advert
            assert (advert.opener, advert.table) == (ash.peer, "friday evening")
            assert (advert.opener_name, advert.taken, advert.seats) == ("Ash", 1, 6)
            assert advert.state is TableState.OPEN
            crowd.join("Birch")
            told_of.look()
            changed = await told(browser)
            assert isinstance(changed, Changed)
            assert changed.sighting.advert.taken == 2
            crowd.wait(4)
            crowd.ready("Birch")
            crowd.start()
            told_of.look()
            playing = await told(browser)
            assert playing.sighting.advert.state is TableState.PLAYING
            nursery.cancel_scope.cancel()


async def test_a_guest_announces_nothing_until_it_has_opened_the_table_again() -> None:
    service = own_service()
    crowd = Crowd()
    crowd.open()
    birch = crowd.join("Birch")
    with trio.fail_after(PATIENCE):
        async with (
            browse(interfaces=LOOPBACK, service=service) as browser,
            trio.open_nursery() as nursery,
        ):
            told_of = announcer(birch, service)
            nursery.start_soon(told_of.run)
            await trio.testing.wait_all_tasks_blocked()
            crowd.kill("Ash")
            crowd.wait(GONE_SECONDS + 1)
            birch.lobby.reopen(crowd.now)
            crowd.settle()
            told_of.look()
            found = await told(browser)
            assert found.sighting.advert.opener == birch.peer
            nursery.cancel_scope.cancel()


async def test_it_is_said_why_others_cannot_find_a_table() -> None:
    crowd = Crowd()
    said: list[str] = []
    heard = trio.Event()

    def failed(fault: str) -> None:
        said.append(fault)
        heard.set()

    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(Announcer(crowd.open().lobby, HERE, failed).run)
            await heard.wait()
            nursery.cancel_scope.cancel()
    assert said[0].startswith("Others cannot find this table")
