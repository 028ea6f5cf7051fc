"""Tables are found by multicast on the loopback interface: announced, changed, gone."""

from dataclasses import replace

import pytest
import trio

from p2pcoup.net.discovery import Changed, Found, Gone, Reason, TableState, announce, browse
from tests.net.discovery.tables import HERE, LOOPBACK, advert, told
from tests.net.peers import soon


@pytest.mark.trio
async def test_a_table_is_found_then_changed_then_gone(service: str) -> None:
    async with browse(interfaces=LOOPBACK, service=service) as browser:
        async with announce(advert(), HERE, interfaces=LOOPBACK, service=service) as announcement:
            found = await told(browser)
            assert isinstance(found, Found)
            assert (found.sighting.advert, found.sighting.addresses) == (advert(), HERE)
            assert str(found.sighting.invite) == f"coup://127.0.0.1:7700#{advert().opener}"
            assert await soon(announcement.settled) is None
            playing = replace(advert(taken=6), state=TableState.PLAYING)
            announcement.update(playing)
            changed = await told(browser)
            assert isinstance(changed, Changed)
            assert changed.sighting == replace(found.sighting, advert=playing)
            assert browser.tables == (changed.sighting,)
        assert await told(browser) == Gone(changed.sighting)
        assert browser.tables == ()
    assert (browser.left_out, browser.refused, browser.fault) == (0, 0, None)


@pytest.mark.trio
async def test_who_looks_later_finds_the_table_as_it_is_now(service: str) -> None:
    async with announce(advert(), HERE, interfaces=LOOPBACK, service=service) as announcement:
        assert await soon(announcement.settled) is None
        announcement.update(advert(taken=2))
        announcement.update(advert(taken=3))
        async with browse(interfaces=LOOPBACK, service=service) as browser:
            while (await told(browser)).sighting.advert != advert(taken=3):
                pass
            assert [each.advert for each in browser.tables] == [advert(taken=3)]


@pytest.mark.trio
async def test_several_tables_are_listed_with_the_open_ones_first(service: str) -> None:
    playing = replace(advert(0, table="a"), state=TableState.PLAYING)
    said = (playing, advert(1, table="C"), advert(2, table="b"))
    async with (
        browse(interfaces=LOOPBACK, service=service) as browser,
        announce(said[0], HERE, interfaces=LOOPBACK, service=service),
        announce(said[1], HERE, interfaces=LOOPBACK, service=service),
        announce(said[2], HERE, interfaces=LOOPBACK, service=service),
    ):
        events = [await told(browser) for _ in said]
        assert all(isinstance(event, Found) for event in events)
        assert [each.advert.table for each in browser.tables] == ["b", "C", "a"]


@pytest.mark.trio
async def test_a_reader_that_comes_late_is_told_what_is_and_not_all_that_was(service: str) -> None:
    async with browse(interfaces=LOOPBACK, service=service) as browser:
        async with announce(advert(), HERE, interfaces=LOOPBACK, service=service) as announcement:
            for taken in (2, 3, 4, 5):
                announcement.update(advert(taken=taken))
            async with browse(interfaces=LOOPBACK, service=service) as quick:
                while (await told(quick)).sighting.advert.taken != 5:
                    pass
            event = await told(browser)
            assert isinstance(event, Found)
        assert await told(browser) == Gone(browser_last(event, taken=5))


def browser_last(event: Found, *, taken: int) -> object:
    """The sighting as it was last, whatever of it the reader was told."""
    return replace(event.sighting, advert=replace(event.sighting.advert, taken=taken))


@pytest.mark.trio
async def test_where_multicast_is_not_possible_the_block_goes_on_and_it_is_said_why() -> None:
    elsewhere = ("203.0.113.77",)  # for documentation (RFC 5737): no address of this computer
    async with announce(advert(), HERE, interfaces=elsewhere) as announcement:
        fault = await soon(announcement.settled)
        assert fault is not None
        assert fault.startswith("Others cannot find this table by themselves: ")
        assert fault.endswith(" Give them the invite.")
    async with browse(interfaces=elsewhere) as browser:
        with trio.fail_after(15):
            silence = await browser.why_nothing()
    assert silence.reason is Reason.CANNOT_SEND
    assert "coup://" in silence.text


@pytest.mark.trio
async def test_when_nobody_answers_that_is_said_with_the_invite_as_the_way_out(
    service: str,
) -> None:
    async with browse(interfaces=LOOPBACK, service=service) as browser:
        with trio.fail_after(15):
            silence = await browser.why_nothing()
    assert silence.reason is Reason.NOBODY
    assert silence.text_for_opener is None
    assert "coup://" in silence.text


@pytest.mark.trio
async def test_what_the_block_raises_comes_out_as_it_is(service: str) -> None:
    with pytest.raises(LookupError, match="mine"):
        async with browse(interfaces=LOOPBACK, service=service):
            raise LookupError("mine")
    with pytest.raises(LookupError, match="mine"):
        async with announce(advert(), HERE, interfaces=LOOPBACK, service=service):
            raise LookupError("mine")


@pytest.mark.trio
async def test_an_announcement_is_of_one_opener(service: str) -> None:
    async with announce(advert(0), HERE, interfaces=LOOPBACK, service=service) as announcement:
        with pytest.raises(ValueError, match="another announcement"):
            announcement.update(advert(1))
