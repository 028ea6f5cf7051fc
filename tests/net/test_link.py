"""One link: messages, pings, and peers that do not read."""

from dataclasses import replace

import pytest
import trio

from p2pcoup.net.credentials import Credentials
from p2pcoup.net.errors import (
    ClosedError,
    RefusedByPeerError,
    SilentPeerError,
    SlowPeerError,
)
from p2pcoup.net.frame import Frame, FrameType
from p2pcoup.net.limits import MAX_PAYLOAD_BYTES, MAX_QUEUED_BYTES
from p2pcoup.net.link import Link
from tests.net.peers import SOON, Hand, channel_pair
from tests.net.running import PATIENT, Running, link_and_hand, two_links

# --- messages ----------------------------------------------------------------------------------


@pytest.mark.trio
async def test_messages_of_every_size_arrive_whole_and_in_order_both_ways(
    credentials: list[Credentials],
) -> None:
    sizes = [0, 1, 65, 1000, 16_384, MAX_PAYLOAD_BYTES, 0, 40_000]
    messages = [bytes([number]) * size for number, size in enumerate(sizes)]
    async with two_links(credentials) as (one, two):
        for message in messages:
            assert one.link.offer(message)
            assert two.link.offer(message[::-1])
        await one.until_received(len(messages))
        await two.until_received(len(messages))
        assert two.received == messages
        assert one.received == [message[::-1] for message in messages]
        assert one.link.queued_bytes == two.link.queued_bytes == 0


@pytest.mark.trio
async def test_a_message_that_is_too_long_is_the_callers_error(
    credentials: list[Credentials],
) -> None:
    async with link_and_hand(credentials) as (running, _):
        with pytest.raises(ValueError, match="65536 bytes cannot be sent"):
            running.link.offer(bytes(MAX_PAYLOAD_BYTES + 1))
        assert running.link.usable


@pytest.mark.trio
async def test_what_is_queued_before_the_link_is_settled_is_sent_after(
    credentials: list[Credentials],
) -> None:
    async with channel_pair(*credentials[:2]) as (far, near):
        running = Running(near, PATIENT)
        assert running.link.offer(b"early")
        async with trio.open_nursery() as nursery:
            nursery.start_soon(running.live)
            assert await Hand(far).hear() == Frame(FrameType.DATA, b"early")
            running.link.end(ClosedError("The test is over."))


@pytest.mark.trio
async def test_a_link_that_does_not_settle_ends_with_the_reason_and_is_closed(
    credentials: list[Credentials],
) -> None:
    async def refuse(_link: Link) -> None:
        raise RefusedByPeerError("Not you.")

    async with channel_pair(*credentials[:2]) as (far, near):
        running = Running(near, PATIENT)
        ended = await running.link.run(refuse, running.collect)
        assert isinstance(ended, RefusedByPeerError)
        assert await Hand(far).hear() is None
        assert not running.link.offer(b"too late")


# --- keeping alive -----------------------------------------------------------------------------


@pytest.mark.trio
async def test_a_ping_is_answered_with_its_own_bytes(credentials: list[Credentials]) -> None:
    async with link_and_hand(credentials) as (_, hand):
        for payload in (b"12345678", bytes(8), b"\xff" * 8):
            await hand.say(FrameType.PING, payload)
            assert await hand.hear() == Frame(FrameType.PONG, payload)


@pytest.mark.trio
async def test_an_idle_link_pings_with_rising_numbers_and_measures_the_answer(
    credentials: list[Credentials],
) -> None:
    timing = replace(PATIENT, ping_after=0.02)
    async with link_and_hand(credentials, timing) as (running, hand):
        for number in range(1, 4):
            assert await hand.hear() == Frame(FrameType.PING, number.to_bytes(8, "big"))
        await hand.say(FrameType.PONG, (99).to_bytes(8, "big"))
        await hand.say(FrameType.DATA)
        await running.until_received(1)
        assert running.link.round_trip is None, "a pong nobody waited for counts for nothing"
    async with link_and_hand(credentials, timing) as (running, hand):
        for _ in range(100):  # a pong may be late: only the one for the latest ping counts
            frame = await hand.hear(FrameType.PING)
            assert frame is not None
            await hand.say(FrameType.PONG, frame.payload)
            if (seconds := running.link.round_trip) is not None:
                assert 0 < seconds < SOON
                return
        pytest.fail("no pong was ever noticed")


@pytest.mark.trio
async def test_a_flood_of_pings_that_nobody_listens_to_takes_no_memory(
    credentials: list[Credentials],
) -> None:
    async with link_and_hand(credentials) as (running, hand):
        count = 50_000
        for start in range(1, count, 1000):
            numbers = range(start, start + 1000)
            await hand.write(b"".join(b"\0\0\0\x09\x01" + n.to_bytes(8, "big") for n in numbers))
        await hand.say(FrameType.DATA, b"the end")
        await running.until_received(1)
        assert running.link.queued_bytes == 0
        answered: list[int] = []
        while not answered or answered[-1] < count:
            pong = await hand.hear(FrameType.PONG)
            assert pong is not None
            answered.append(int.from_bytes(pong.payload, "big"))
        assert answered == sorted(set(answered))


@pytest.mark.trio
async def test_a_peer_that_says_nothing_not_even_a_ping_is_given_up(
    credentials: list[Credentials],
) -> None:
    timing = replace(PATIENT, ping_after=0.02, dead_after=0.1)
    async with link_and_hand(credentials, timing) as (running, hand):
        assert isinstance(await running.end(), SilentPeerError)
        while await hand.hear(FrameType.PING) is not None:
            pass


# --- peers that do not read --------------------------------------------------------------------


@pytest.mark.trio
async def test_the_queue_of_a_peer_that_does_not_read_is_bounded(
    credentials: list[Credentials],
) -> None:
    async with link_and_hand(credentials) as (running, _):
        message, taken = bytes(60_000), 0
        while running.link.offer(message):
            taken += 1
            assert running.link.queued_bytes <= MAX_QUEUED_BYTES
            await trio.lowlevel.checkpoint()
        ended = await running.end()
        assert isinstance(ended, SlowPeerError)
        assert "does not read" in str(ended)
        assert taken > MAX_QUEUED_BYTES // 60_100 - 1
        assert not running.link.offer(b"")


@pytest.mark.trio
async def test_many_tiny_messages_are_bounded_as_well(credentials: list[Credentials]) -> None:
    async with link_and_hand(credentials) as (running, _):
        taken = 0
        while running.link.offer(b""):
            taken += 1
        assert taken == MAX_QUEUED_BYTES // (5 + 64)
        assert isinstance(await running.end(), SlowPeerError)


@pytest.mark.trio
async def test_a_peer_that_talks_but_does_not_read_is_given_up(
    credentials: list[Credentials],
) -> None:
    timing = replace(PATIENT, ping_after=0.05, dead_after=0.2)
    async with link_and_hand(credentials, timing) as (running, hand):
        running.taking = trio.Event()  # our own user is busy, so silence is not what ends it
        await hand.say(FrameType.DATA)
        for _ in range(100):
            assert running.link.offer(bytes(60_000))
        ended = await running.end()
        assert isinstance(ended, SlowPeerError)
        assert "has read nothing" in str(ended)


@pytest.mark.trio
async def test_a_user_who_takes_nothing_slows_the_peer_down_and_loses_nothing(
    credentials: list[Credentials],
) -> None:
    async with link_and_hand(credentials) as (running, hand):
        running.taking = trio.Event()
        message, sent = bytes(60_000), 0
        with trio.move_on_after(0.3) as blocked:
            while sent < 1000:
                await hand.channel.stream.send_all(b"\0\0\xea\x61\0" + message)
                sent += 1
        assert blocked.cancelled_caught, "60 MB were taken from a peer, and nobody wanted them"
        running.taking.set()
        await running.until_received(sent)
        assert running.received[:sent] == [message] * sent
