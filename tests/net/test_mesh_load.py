"""One peer that does not read, or talks without end, or much to compute: the others go on."""

import hashlib
import os
import threading
from dataclasses import replace

import pytest
import trio

from p2pcoup.net import Disconnected, Received, open_mesh
from p2pcoup.net.credentials import Credentials
from p2pcoup.net.frame import Frame, FrameType
from p2pcoup.net.limits import (
    EVENT_BUFFER,
    FRAME_BURST,
    FRAMES_PER_SECOND,
    MAX_QUEUED_BYTES,
)
from p2pcoup.wire.identity import Identity
from tests.net.peers import ANYWHERE, FAST, SOON, hand_dials, linked, open_node, talk

NIGHTLY = os.environ.get("P2PCOUP_NIGHTLY") == "1"


@pytest.mark.trio
async def test_a_peer_that_does_not_read_loses_its_link_and_the_others_notice_nothing(
    identities: list[Identity], credentials: list[Credentials]
) -> None:
    me, lively, asleep = identities[:3]
    async with (
        open_node(me, {lively.peer_id: None, asleep.peer_id: None}) as node,
        open_node(lively, {me.peer_id: node.address}) as other,
        hand_dials(node.address, credentials[2]),
    ):
        await linked(node, other)
        await node.until(lambda: node.is_linked(asleep.peer_id))
        sent: list[bytes] = []
        while node.is_linked(asleep.peer_id):
            sent.append(len(sent).to_bytes(4, "big") + bytes(60_000))
            node.mesh.send(asleep.peer_id, sent[-1])
            assert node.mesh.send(lively.peer_id, sent[-1])
            await other.until(lambda: len(other.received(me.peer_id)) == len(sent))
        assert other.received(me.peer_id) == sent
        (lost,) = node.of(Disconnected)
        assert lost.peer == asleep.peer_id
        assert "does not read" in lost.reason
        # What a socket holds comes on top of the queue, but not without bound.
        assert MAX_QUEUED_BYTES < len(sent) * 60_000 < 3 * MAX_QUEUED_BYTES
        await talk(node, other, b"still here")


@pytest.mark.trio
async def test_a_peer_that_talks_without_end_does_not_keep_another_waiting(
    identities: list[Identity], credentials: list[Credentials]
) -> None:
    me, noisy, quiet = identities[:3]
    peers = {noisy.peer_id: None, quiet.peer_id: None}
    async with open_mesh(me, listen=ANYWHERE, peers=peers, timing=FAST) as mesh:
        (address,) = mesh.addresses
        async with (
            hand_dials(address, credentials[2]) as soft,
            hand_dials(address, credentials[1]) as loud,
            trio.open_nursery() as nursery,
        ):

            async def flood() -> None:
                while True:
                    await loud.channel.stream.send_all(b"\0\0\0\x04\0bla" * 8000)

            nursery.start_soon(flood)
            with trio.fail_after(SOON):
                for number in range(20):
                    for _ in range(3 * EVENT_BUFFER):
                        await mesh.events.receive()
                    await soft.say(FrameType.DATA, b"%d" % number)
                    waited = 0
                    while await mesh.events.receive() != Received(quiet.peer_id, b"%d" % number):
                        waited += 1
                    assert waited < 100 * EVENT_BUFFER
            nursery.cancel_scope.cancel()


@pytest.mark.trio
async def test_a_peer_that_pings_without_end_does_not_keep_another_waiting(
    identities: list[Identity], credentials: list[Credentials]
) -> None:
    me, noisy, quiet = identities[:3]
    peers = {noisy.peer_id: None, quiet.peer_id: None}
    async with open_mesh(me, listen=ANYWHERE, peers=peers, timing=FAST) as mesh:
        (address,) = mesh.addresses
        async with (
            hand_dials(address, credentials[2]) as soft,
            hand_dials(address, credentials[1]) as loud,
            trio.open_nursery() as nursery,
        ):
            pings = b"\0\0\0\x09\x01" + bytes(8)
            heard = 0

            async def flood() -> None:
                while True:
                    await loud.channel.stream.send_all(pings * 5000)

            async def listen() -> None:
                nonlocal heard
                while await loud.hear(FrameType.PONG):
                    heard += 1

            nursery.start_soon(flood)
            nursery.start_soon(listen)
            with trio.fail_after(SOON):
                for number in range(20):
                    before = heard
                    await soft.say(FrameType.DATA, b"%d" % number)
                    while await mesh.events.receive() != Received(quiet.peer_id, b"%d" % number):
                        pass
                    # One turn of the flood, and not all that lies there, comes before.
                    assert heard - before < 5000
            nursery.cancel_scope.cancel()


@pytest.mark.skipif(not NIGHTLY, reason="some seconds; runs every night")
@pytest.mark.trio
async def test_pings_use_up_the_credit_of_the_peer_that_sends_them(
    identities: list[Identity], credentials: list[Credentials]
) -> None:
    me, noisy = identities[:2]
    async with (
        open_mesh(me, listen=ANYWHERE, peers={noisy.peer_id: None}, timing=FAST) as mesh,
        hand_dials(mesh.addresses[0], credentials[1]) as hand,
        trio.open_nursery() as nursery,
    ):
        count = FRAME_BURST + 1000
        numbers = [number.to_bytes(8, "big") for number in range(count)]
        nursery.start_soon(
            hand.channel.stream.send_all, b"".join(b"\0\0\0\x09\x01" + each for each in numbers)
        )
        began = trio.current_time()
        with trio.fail_after(60):
            while await hand.hear(FrameType.PONG) != Frame(FrameType.PONG, numbers[-1]):
                pass
        assert trio.current_time() - began > 999 / FRAMES_PER_SECOND


@pytest.mark.trio
async def test_pings_are_answered_while_the_node_computes_in_a_thread(
    identities: list[Identity], credentials: list[Credentials]
) -> None:
    me, peer = identities[:2]
    enough = threading.Event()

    def compute() -> int:
        rounds = 0
        while rounds == 0 or not enough.is_set():
            hashlib.pbkdf2_hmac("sha256", b"proof", b"salt", 1000)
            sum(range(1000))
            rounds += 1
        return rounds

    async with (
        open_mesh(me, listen=ANYWHERE, peers={peer.peer_id: None}, timing=FAST) as mesh,
        hand_dials(mesh.addresses[0], credentials[1]) as hand,
    ):
        computed: list[int] = []
        computing = trio.Event()

        async def play() -> None:
            async for event in mesh.events:
                if isinstance(event, Received):
                    computing.set()
                    computed.append(await trio.to_thread.run_sync(compute))
                    return

        async with trio.open_nursery() as nursery:
            nursery.start_soon(play)
            await hand.say(FrameType.DATA, b"check this proof")
            try:
                with trio.fail_after(SOON):
                    await computing.wait()
                for number in range(10):
                    ping = number.to_bytes(8, "big")
                    await hand.say(FrameType.PING, ping)
                    assert await hand.hear(FrameType.PONG) == Frame(FrameType.PONG, ping)
                assert computed == [], "it was to compute all the time"
            finally:
                enough.set()
        assert computed[0] > 0


@pytest.mark.trio
async def test_a_node_that_computes_long_is_kept_by_its_peers_even_if_it_reads_nothing(
    identities: list[Identity], credentials: list[Credentials]
) -> None:
    # It takes no events, so its links are not read; its own pings show that it lives.
    me, peer = identities[:2]
    quick = replace(FAST, ping_after=0.05)
    async with (
        open_mesh(me, listen=ANYWHERE, peers={peer.peer_id: None}, timing=quick) as mesh,
        hand_dials(mesh.addresses[0], credentials[1]) as hand,
    ):
        for _ in range(EVENT_BUFFER + 10):
            await hand.say(FrameType.DATA, b"more")
        for _ in range(5):
            assert await hand.hear(FrameType.PING) is not None
