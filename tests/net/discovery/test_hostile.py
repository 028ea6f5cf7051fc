"""What strangers in the network say is bounded, and never spoils what honest peers say.

Real packets on the loopback interface. Packets of one sender arrive in their order, so when what
was said last is told, everything before it has been read.
"""

import random
import socket
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace

import pytest
import trio

from p2pcoup.net.discovery import Browser, Found, Gone, TableState, announce, browse
from p2pcoup.net.discovery.advert import encode_advert
from p2pcoup.net.discovery.browse import MAX_TABLES, MAX_TABLES_OF_ONE
from p2pcoup.net.invite import MAX_INVITE_ADDRESSES
from tests.net.discovery.tables import (
    HERE,
    LOOPBACK,
    A,
    Stranger,
    advert,
    answer,
    name,
    peer,
    pointer,
    record,
    table,
    told,
)
from tests.net.peers import SOON

GOOD = encode_advert(advert())
AT_A_TIME = 50


async def until(browser: Browser, key: str, since: int = 0) -> None:
    """Read what the browser tells until it is this of a service whose name begins like this."""
    with trio.fail_after(SOON):
        async for event in browser:
            sighting = event.sighting
            if sighting.key.startswith(f"{key}.") and sighting.advert.since == since:
                return


async def flood(
    browser: Browser, stranger: Stranger, service: str, messages: Sequence[bytes]
) -> None:
    """Say all of them, some at a time, so that none is lost before it is read."""
    for number in range(0, len(messages), AT_A_TIME):
        mark = replace(advert(8), since=number + 1)
        stranger.say(
            *messages[number : number + AT_A_TIME], table(service, "mark", encode_advert(mark))
        )
        await until(browser, "mark", mark.since)


@pytest.fixture
async def browser(service: str) -> AsyncIterator[Browser]:
    """A browser that listens already, and one honest table that it has found."""
    async with (
        browse(interfaces=LOOPBACK, service=service) as browser,
        announce(advert(9), HERE, interfaces=LOOPBACK, service=service),
    ):
        assert isinstance(await told(browser), Found)
        yield browser


def opener_of(number: int) -> bytes:
    """The text record of a table of some opener."""
    return encode_advert(advert(number))


@pytest.mark.trio
async def test_records_that_say_nothing_that_could_be_shown_are_passed_over(
    browser: Browser, service: str, stranger: Stranger
) -> None:
    stranger.say(
        table(service, "empty", b""),
        table(service, "cut", GOOD[:-1]),
        table(service, "utf8", GOOD.replace(b"friday", b"fri\xff\xfey")),
        table(service, "control", GOOD.replace(b"friday", b"fr\x1b[2J")),
        table(service, "turned", GOOD.replace(b"friday", "fri\u202e".encode())),
        table(service, "huge", GOOD + b"\xff" + b"x" * 255 + (b"\xfe" + b"y" * 254) * 20),
        table(service, "port", GOOD, port=0),
        table(service, "nowhere", GOOD, host="0.0.0.0"),  # noqa: S104
        table(service, "everybody", GOOD, host="224.0.0.1"),
        table(service, "all", GOOD, host="255.255.255.255"),
        table(service, "honest", GOOD),
    )
    await until(browser, "honest")
    assert {each.key.partition(".")[0] for each in browser.tables} >= {"honest"}
    assert len(browser.tables) == 2
    assert browser.refused >= 10


@pytest.mark.trio
async def test_packets_that_are_no_dns_change_nothing(
    browser: Browser, service: str, stranger: Stranger
) -> None:
    luck = random.Random(5)
    whole = table(service, "broken", GOOD)
    stranger.say(
        b"",
        bytes(12),
        b"\xff" * 9000,
        *(luck.randbytes(luck.randrange(600)) for _ in range(100)),
        *(whole[: luck.randrange(12, len(whole) - 20)] for _ in range(50)),
        answer(pointer(service, "loop"))[:-2] + b"\xc0\x0c",
        table(service, "honest", GOOD),
    )
    await until(browser, "honest")
    assert len([each for each in browser.tables if each.advert == advert(9)]) == 1


@pytest.mark.trio
async def test_a_thousand_tables_are_not_all_kept_and_those_known_before_stay(
    browser: Browser, service: str, stranger: Stranger
) -> None:
    lies = [table(service, f"flood{number}", opener_of(number + 10)) for number in range(1000)]
    await flood(browser, stranger, service, lies)
    assert len(browser.tables) == MAX_TABLES
    assert browser.left_out >= len(lies) - MAX_TABLES
    assert advert(9) in [each.advert for each in browser.tables]


@pytest.mark.trio
async def test_one_opener_has_only_some_tables_however_often_its_id_is_used(
    browser: Browser, service: str, stranger: Stranger
) -> None:
    stranger.say(
        *(table(service, f"same{number}", opener_of(1)) for number in range(50)),
        table(service, "other", opener_of(2)),
    )
    await until(browser, "other")
    openers = [each.advert.opener for each in browser.tables]
    assert openers.count(peer(1)) == MAX_TABLES_OF_ONE
    assert browser.left_out == 50 - MAX_TABLES_OF_ONE
    stranger.say(answer(pointer(service, "same0", ttl=0)))
    with trio.fail_after(SOON):
        while not isinstance(await anext(browser), Gone):
            pass
    # Now there is room again.
    stranger.say(table(service, "late", encode_advert(replace(advert(1), since=7))))
    await until(browser, "late", since=7)


@pytest.mark.trio
async def test_liars_with_the_id_of_an_opener_do_not_keep_anybody_from_its_table(
    browser: Browser, service: str, stranger: Stranger
) -> None:
    nines = encode_advert(replace(advert(9), state=TableState.PLAYING))
    many = [f"127.0.9.{number}" for number in range(1, 2 * MAX_INVITE_ADDRESSES)]
    for number in range(2 * MAX_TABLES_OF_ONE):
        hosts = [record(f"lie{number}-host.local.", A, socket.inet_aton(each)) for each in many]
        stranger.say(
            answer(*hosts), table(service, f"lie{number}", nines, host=f"127.0.8.{number}")
        )
    stranger.say(table(service, "mark", encode_advert(replace(advert(8), since=1))))
    await until(browser, "mark", since=1)
    nine = [each for each in browser.tables if each.advert.opener == peer(9)]
    assert len(nine) == MAX_TABLES_OF_ONE
    for sighting in nine:
        assert HERE[0] in sighting.invite.addresses, sighting.key
        assert sighting.invite.addresses[0] in sighting.addresses, "its own are tried first"
        assert len(sighting.invite.addresses) <= MAX_INVITE_ADDRESSES
    (true,) = (each for each in nine if each.advert.state is TableState.OPEN)
    assert true.invite.addresses[0] == HERE[0]
    (mark,) = (each for each in browser.tables if each.advert.opener == peer(8))
    assert mark.invite.addresses == mark.addresses, "of others it has none"


@pytest.mark.trio
async def test_names_without_records_are_asked_for_but_do_not_hold_up_others(
    browser: Browser, service: str, stranger: Stranger
) -> None:
    names = [answer(pointer(service, f"dangling{number}")) for number in range(500)]
    began = trio.current_time()
    await flood(browser, stranger, service, names)
    assert trio.current_time() - began < SOON / 2
    assert {each.advert for each in browser.tables} == {advert(9), replace(advert(8), since=451)}


@pytest.mark.trio
async def test_a_table_is_not_said_to_be_at_more_addresses_than_anybody_would_try(
    browser: Browser, service: str, stranger: Stranger
) -> None:
    many = [
        record("many-host.local.", A, bytes([127, 0, 1, number]))
        for number in range(1, 3 * MAX_INVITE_ADDRESSES)
    ]
    stranger.say(answer(*many), table(service, "many", GOOD))
    await until(browser, "many")
    (sighting,) = (each for each in browser.tables if each.key.startswith("many"))
    assert 1 <= len(sighting.addresses) <= MAX_INVITE_ADDRESSES
    assert replace(sighting, addresses=()).advert == advert()


def test_the_packets_made_by_hand_are_dns() -> None:
    """Otherwise the tests above would show nothing."""
    assert name("a.bc") == b"\x01a\x02bc\x00"
    assert answer(pointer("s.local.", "i"))[:12] == bytes.fromhex("000084000000000100000000")
