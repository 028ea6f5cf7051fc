"""A node that closes: what is queued is sent, everybody is told, and nothing stays open."""

from dataclasses import replace

import pytest
import trio

from p2pcoup.net import (
    Address,
    Connected,
    Disconnected,
    PortInUseError,
    Received,
    Unreachable,
    open_mesh,
)
from p2pcoup.net.credentials import Credentials
from p2pcoup.net.frame import Frame, FrameType
from p2pcoup.net.handshake import dial_channel
from p2pcoup.net.limits import EVENT_BUFFER, Timing
from p2pcoup.net.listening import open_listeners
from p2pcoup.net.settle import Refused as RefusedLink
from p2pcoup.net.settle import receive_verdict
from p2pcoup.wire.identity import Identity, PeerId
from tests.net.peers import ANYWHERE, FAST, SOON, connect, hand_dials, linked, open_node, rest_of
from tests.net.relay import open_relay

PATIENT = replace(FAST, close=1000.0)
"""Who closes waits for the others, however long the test takes."""


@pytest.mark.trio
@pytest.mark.parametrize("cancelled", [False, True])
async def test_a_node_that_closes_sends_what_is_queued_and_says_goodbye(
    identities: list[Identity], cancelled: bool
) -> None:
    first, second = identities[:2]
    messages = [bytes([number]) * 60_000 for number in range(100)]
    async with open_node(second, {first.peer_id: None}) as two:
        peers: dict[PeerId, Address | None] = {second.peer_id: two.address}
        with trio.CancelScope() as scope:
            async with open_node(first, peers, timing=PATIENT) as one:
                await linked(one, two)
                for message in messages:
                    assert one.mesh.send(two.me, message)
                if cancelled:
                    scope.cancel()
                    await trio.sleep_forever()
        assert scope.cancelled_caught == cancelled
        await two.until(lambda: not two.is_linked(first.peer_id))
        assert two.received(first.peer_id) == messages
        (end,) = two.of(Disconnected)
        assert end.reason.endswith("closed the link: The node has closed.")


@pytest.mark.trio
async def test_a_peer_that_does_not_read_holds_up_the_closing_only_for_its_time(
    identities: list[Identity], credentials: list[Credentials]
) -> None:
    me, peer = identities[:2]
    hasty = replace(FAST, close=0.2)
    with trio.fail_after(SOON):
        async with (
            open_node(me, {peer.peer_id: None}, timing=hasty) as node,
            hand_dials(node.address, credentials[1]),
        ):
            await node.until(lambda: node.is_linked(peer.peer_id))
            for _ in range(100):
                node.mesh.send(peer.peer_id, bytes(60_000))
            node.mesh.close()
            async for _ in node.mesh.events:
                pass
            assert node.mesh.linked == frozenset()


@pytest.mark.trio
async def test_a_node_that_reads_no_events_closes_without_delay(
    identities: list[Identity], credentials: list[Credentials]
) -> None:
    me, peer = identities[:2]
    with trio.fail_after(SOON):
        async with open_mesh(
            me, listen=ANYWHERE, peers={peer.peer_id: None}, timing=PATIENT
        ) as mesh:
            channel = hand_dials(mesh.addresses[0], credentials[1])
            hand = await channel.__aenter__()
            for _ in range(EVENT_BUFFER + 10):
                await hand.say(FrameType.DATA, b"nobody reads this")
            mesh.close()
            assert await hand.hear(FrameType.BYE) == Frame(FrameType.BYE, b"The node has closed.")
            await channel.__aexit__(None, None, None)


@pytest.mark.trio
async def test_a_node_that_is_closing_takes_no_new_link_and_makes_none(
    identities: list[Identity], credentials: list[Credentials]
) -> None:
    me, asleep, late, away = identities[:4]
    async with open_relay() as relay:
        peers: dict[PeerId, Address | None] = {
            asleep.peer_id: None,
            late.peer_id: None,
            away.peer_id: relay.address,
        }
        async with (
            open_node(me, peers, timing=PATIENT) as node,
            hand_dials(node.address, credentials[1]) as hand,
        ):
            await node.until(lambda: len(node.of(Unreachable)) == 1)
            node.mesh.close()
            assert await hand.hear(FrameType.BYE) is not None
            calls = len(relay.called)
            channel = await dial_channel(node.address, credentials[2], None, Timing())
            assert await receive_verdict(channel, Timing()) == RefusedLink("This node is closing.")
            await trio.aclose_forcefully(channel.stream)
            assert len(relay.called) == calls


@pytest.mark.trio
async def test_who_is_still_in_the_handshake_is_closed_with_the_node(
    identities: list[Identity],
) -> None:
    me, away = identities[:2]
    patient = replace(PATIENT, hello=1000.0)
    async with open_relay() as relay, open_node(away) as other:
        relay.target = other.address
        relay.hold()
        async with open_node(me, {away.peer_id: relay.address}, timing=patient) as node:
            caller = await connect(node.address)
            await relay.until(lambda: relay.alive == 1)
        assert await rest_of(caller) == b""
        await trio.aclose_forcefully(caller)
        relay.thaw()
        await relay.until(lambda: relay.alive == 0)


@pytest.mark.trio
async def test_the_events_end_when_the_mesh_has_closed(
    identities: list[Identity], credentials: list[Credentials]
) -> None:
    me, peer = identities[:2]
    async with (
        open_mesh(me, listen=ANYWHERE, peers={peer.peer_id: None}, timing=FAST) as mesh,
        hand_dials(mesh.addresses[0], credentials[1]) as hand,
    ):
        await hand.say(FrameType.DATA, b"one")
        await hand.say(FrameType.BYE, b"done")
        assert await hand.hear() is None
    with trio.fail_after(SOON):
        told = [type(event) async for event in mesh.events]
    assert told == [Connected, Received, Disconnected]
    assert not mesh.send(peer.peer_id, b"too late")


@pytest.mark.trio
async def test_the_port_is_free_again_at_once(identities: list[Identity]) -> None:
    first, second = identities[:2]
    async with open_node(first, {second.peer_id: None}) as one:
        address = one.address
        async with open_node(second, {first.peer_id: address}) as two:
            await linked(one, two)
    for listener in await open_listeners(address):
        await listener.aclose()


@pytest.mark.trio
async def test_a_port_in_use_is_an_error_before_anything_has_begun(
    identities: list[Identity],
) -> None:
    async with open_node(identities[0]) as node:
        with pytest.raises(PortInUseError, match=f"Cannot listen at {node.address}"):
            async with open_mesh(identities[1], listen=node.address, peers={}):
                pytest.fail("it was opened")


class PlayerError(Exception):
    pass


@pytest.mark.trio
async def test_what_the_block_raises_comes_out_as_it_is(identities: list[Identity]) -> None:
    first, second = identities[:2]

    async def play(address: Address) -> None:
        opened = open_mesh(first, listen=None, peers={second.peer_id: address}, timing=FAST)
        async with opened as mesh:
            assert await mesh.events.receive() == Connected(second.peer_id, address)
            raise PlayerError

    async with open_node(second, {first.peer_id: None}) as two:
        with pytest.raises(PlayerError):
            await play(two.address)
        await two.until(lambda: len(two.of(Disconnected)) == 1)
        assert "The node has closed." in two.of(Disconnected)[0].reason


@pytest.mark.trio
async def test_a_mesh_that_is_cancelled_before_it_runs_leaves_nothing_behind(
    identities: list[Identity],
) -> None:
    with trio.CancelScope() as scope:
        async with open_mesh(identities[0], listen=ANYWHERE, peers={}) as mesh:
            address = mesh.addresses[0]
            scope.cancel()
    for listener in await open_listeners(address):
        await listener.aclose()
    with trio.CancelScope() as scope:
        scope.cancel()
        async with open_mesh(identities[0], listen=None, peers={}):
            await trio.sleep_forever()
    assert scope.cancelled_caught
