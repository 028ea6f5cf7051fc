"""How a link ends, and what each end is told."""

from dataclasses import replace

import pytest
import trio

from p2pcoup.net.credentials import Credentials
from p2pcoup.net.errors import (
    BrokenLinkError,
    ClosedByPeerError,
    ClosedError,
    FrameError,
)
from p2pcoup.net.frame import Frame, FrameType
from tests.net.peers import SOON, Hand, channel_pair
from tests.net.running import PATIENT, Running, link_and_hand, two_links


@pytest.mark.trio
@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"\0\0\0\x01\x09", "a frame of the unknown type 9"),
        (b"\0\0\0\0", "a frame of 0 bytes; 1 to 65536 are allowed"),
        (b"\0\x01\0\x01", "a frame of 65537 bytes; 1 to 65536 are allowed"),
        (b"\0\0\0\x02\x01x", "a ping of 1 bytes, not 8"),
    ],
)
async def test_a_bad_frame_ends_the_link_and_the_peer_is_told_why(
    credentials: list[Credentials], data: bytes, fault: str
) -> None:
    async with link_and_hand(credentials) as (running, hand):
        await hand.say(FrameType.DATA, b"good")
        await hand.write(data + b"and whatever comes after it" * 10_000)
        assert await hand.hear() == Frame(FrameType.BYE, f"You sent {fault}.".encode())
        assert not running.link.usable
        await hand.close()
        ended = await running.end()
        assert isinstance(ended, FrameError)
        assert str(ended) == f"{running.link.remote} sent {fault}."
        assert running.received == [b"good"]


@pytest.mark.trio
async def test_who_sends_a_bad_frame_gets_nothing_more_of_what_was_queued(
    credentials: list[Credentials],
) -> None:
    async with link_and_hand(credentials) as (running, hand):
        for _ in range(120):
            assert running.link.offer(bytes(60_000))
        await hand.write(b"\0\0\0\0")
        with trio.fail_after(SOON):
            while running.link.usable:
                await trio.lowlevel.checkpoint()
        heard = 0
        while (frame := await hand.hear()) is not None and frame.type is FrameType.DATA:
            heard += 1
        assert frame is not None
        assert frame.type is FrameType.BYE
        assert heard < 120


@pytest.mark.trio
async def test_who_sends_a_bad_frame_and_does_not_close_is_closed(
    credentials: list[Credentials],
) -> None:
    timing = replace(PATIENT, close=0.05)
    async with link_and_hand(credentials, timing) as (running, hand):
        await hand.write(b"\0\0\0\0")
        assert isinstance(await running.end(), FrameError)
        assert await hand.hear(FrameType.DATA) is None


@pytest.mark.trio
async def test_who_sends_a_bad_frame_and_does_not_read_is_closed(
    credentials: list[Credentials],
) -> None:
    timing = replace(PATIENT, close=0.05)
    async with link_and_hand(credentials, timing) as (running, hand):
        for _ in range(100):
            assert running.link.offer(bytes(60_000))
        await hand.write(b"\0\0\0\0")
        assert isinstance(await running.end(), FrameError)


@pytest.mark.trio
async def test_a_goodbye_ends_the_link_with_the_peers_reason_made_safe(
    credentials: list[Credentials],
) -> None:
    async with link_and_hand(credentials) as (running, hand):
        await hand.say(FrameType.DATA, b"last")
        await hand.say(FrameType.BYE, b"Good night\x1b[2J\n\xff" + b"." * 1000)
        ended = await running.end()
        assert isinstance(ended, ClosedByPeerError)
        assert running.received == [b"last"]
        assert "closed the link: Good night?[2J??..." in str(ended)
        assert str(ended).isprintable()
        assert len(str(ended)) < 200
        assert await hand.hear() is None


@pytest.mark.trio
async def test_a_link_that_is_finished_sends_what_is_queued_and_then_goodbye(
    credentials: list[Credentials],
) -> None:
    async with link_and_hand(credentials) as (running, hand):
        messages = [bytes([number]) * 50_000 for number in range(100)]
        for message in messages:
            assert running.link.offer(message)
        running.link.finish(ClosedError("That was all."))
        running.link.finish(ClosedError("Only the first reason counts."))
        assert not running.link.offer(b"more")
        heard = [await hand.hear() for _ in messages]
        assert heard == [Frame(FrameType.DATA, message) for message in messages]
        assert await hand.hear() == Frame(FrameType.BYE, b"That was all.")
        await hand.close()
        assert str(await running.end()) == "That was all."


@pytest.mark.trio
async def test_what_comes_after_our_goodbye_is_read_and_dropped(
    credentials: list[Credentials],
) -> None:
    async with link_and_hand(credentials) as (running, hand):
        running.link.finish(ClosedError("That was all."))
        assert await hand.hear() == Frame(FrameType.BYE, b"That was all.")
        for _ in range(200):
            await hand.say(FrameType.DATA, bytes(60_000))
        await hand.close()
        assert isinstance(await running.end(), ClosedError)
        assert running.received == []


@pytest.mark.trio
async def test_a_peer_that_does_not_close_after_our_goodbye_is_closed(
    credentials: list[Credentials],
) -> None:
    async with link_and_hand(credentials, replace(PATIENT, close=0.05)) as (running, hand):
        running.link.finish(ClosedError("That was all."))
        assert str(await running.end()) == "That was all."
        assert await hand.hear() == Frame(FrameType.BYE, b"That was all.")
        assert await hand.hear() is None


@pytest.mark.trio
async def test_a_busy_user_does_not_hold_up_the_goodbye(credentials: list[Credentials]) -> None:
    async with link_and_hand(credentials) as (running, hand):
        running.taking = trio.Event()
        await hand.say(FrameType.DATA, b"nobody takes it")
        running.link.finish(ClosedError("That was all."))
        assert await hand.hear() == Frame(FrameType.BYE, b"That was all.")
        await hand.close()
        assert str(await running.end()) == "That was all."


@pytest.mark.trio
async def test_two_ends_that_say_goodbye_at_once_do_not_wait_for_each_other(
    credentials: list[Credentials],
) -> None:
    async with two_links(credentials) as (one, two):
        one.link.finish(ClosedError("One has enough."))
        two.link.finish(ClosedError("Two has enough."))
        assert str(await one.end()) == "One has enough."
        assert str(await two.end()) == "Two has enough."


@pytest.mark.trio
async def test_a_connection_that_breaks_off_is_told_from_one_that_is_closed(
    credentials: list[Credentials],
) -> None:
    async with link_and_hand(credentials) as (running, hand):
        await hand.close()
        assert isinstance(await running.end(), BrokenLinkError)
    async with link_and_hand(credentials) as (running, hand):
        with trio.fail_after(SOON):
            await hand.channel.stream.aclose()  # says so within TLS
        assert isinstance(await running.end(), ClosedByPeerError)


@pytest.mark.trio
async def test_a_link_that_is_ended_or_cancelled_closes_its_connection(
    credentials: list[Credentials],
) -> None:
    async with link_and_hand(credentials) as (running, hand):
        running.link.end(ClosedError("Enough."))
        running.link.end(ClosedError("Only the first reason counts."))
        assert str(await running.end()) == "Enough."
        assert await hand.hear() is None
    async with channel_pair(*credentials[:2]) as (far, near):
        running = Running(near, PATIENT)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(running.live)
            await trio.testing.wait_all_tasks_blocked()
            nursery.cancel_scope.cancel()
        assert await Hand(far).hear() is None
