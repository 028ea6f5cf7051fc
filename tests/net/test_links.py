"""What a node is told of its links, in which order, and how many guests it takes."""

import hashlib
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
import trio
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2pcoup.net import Address, Connected, Disconnected, Event, Received, Refused, open_mesh
from p2pcoup.net.credentials import Credentials
from p2pcoup.net.frame import FrameType
from p2pcoup.net.handshake import dial_channel
from p2pcoup.net.limits import EVENT_BUFFER, MAX_GUESTS, Timing
from p2pcoup.net.settle import Refused as RefusedLink
from p2pcoup.net.settle import Verdict, receive_verdict
from p2pcoup.wire.identity import Identity
from tests.net.peers import ANYWHERE, FAST, SOON, hand_dials, open_node


@pytest.mark.trio
@pytest.mark.parametrize("deciding", [0, 1])
async def test_a_new_link_is_told_only_after_the_end_of_the_old_one(
    identities: list[Identity], credentials: list[Credentials], deciding: int
) -> None:
    # The node reads no event until a second link has replaced the first.
    me, peer = identities[deciding], identities[1 - deciding]
    opened = open_mesh(me, listen=ANYWHERE, peers={peer.peer_id: None}, timing=FAST)
    async with opened as mesh, AsyncExitStack() as stack:
        for number in (1, 2):
            hand = await stack.enter_async_context(
                hand_dials(mesh.addresses[0], credentials[1 - deciding], number)
            )
            for _ in range(EVENT_BUFFER + 10):
                await hand.say(FrameType.DATA, b"%d" % number)
        told: list[Event] = []
        with trio.fail_after(SOON):
            while Received(peer.peer_id, b"2") not in told:
                told.append(await mesh.events.receive())
        turns = [event for event in told if event != Received(peer.peer_id, b"1")]
        match turns:
            case [Connected(), Disconnected(_, reason), Connected(), Received()]:
                assert "newer link" in reason
            case _:
                pytest.fail(f"unexpected: {turns}")
        assert told[1] == told[EVENT_BUFFER - 1] == Received(peer.peer_id, b"1")


@pytest.mark.trio
async def test_a_link_that_ends_before_its_turn_is_never_told(
    identities: list[Identity], credentials: list[Credentials]
) -> None:
    me, peer = identities[:2]
    async with open_mesh(me, listen=ANYWHERE, peers={peer.peer_id: None}, timing=FAST) as mesh:
        (address,) = mesh.addresses
        async with hand_dials(address, credentials[1]) as first:
            for _ in range(EVENT_BUFFER + 10):
                await first.say(FrameType.DATA, b"first")
            async with hand_dials(address, credentials[1]) as second:
                await second.say(FrameType.DATA, b"second")
                await second.say(FrameType.BYE, b"never mind")
                async with hand_dials(address, credentials[1]) as third:
                    await third.say(FrameType.DATA, b"third")
                    payloads: list[bytes] = []
                    kinds: list[type[Event]] = []
                    with trio.fail_after(SOON):
                        while b"third" not in payloads:
                            event = await mesh.events.receive()
                            if isinstance(event, Received):
                                payloads.append(event.payload)
                            else:
                                kinds.append(type(event))
        assert kinds == [Connected, Disconnected, Connected]
        assert set(payloads) == {b"first", b"third"}


# --- guests ------------------------------------------------------------------------------------


def guest(number: int) -> Credentials:
    seed = hashlib.sha256(b"guest %d" % number).digest()
    return Credentials(Identity(Ed25519PrivateKey.from_private_bytes(seed)))


@asynccontextmanager
async def caller(address: Address, number: int) -> AsyncIterator[Verdict]:
    """Dial as somebody of no name, and hear what the node says about the link."""
    channel = await dial_channel(address, guest(number), None, Timing())
    try:
        yield await receive_verdict(channel, Timing())
    finally:
        await trio.aclose_forcefully(channel.stream)


@pytest.mark.trio
@pytest.mark.parametrize("deciding", [0, -1])
async def test_guests_are_bounded_and_take_no_place_of_a_named_peer(
    identities: list[Identity], credentials: list[Credentials], deciding: int
) -> None:
    me, named = identities[deciding], identities[3]
    async with open_node(me, {named.peer_id: None}, admit=lambda _peer: True) as node:
        async with AsyncExitStack() as stack:
            for number in range(MAX_GUESTS):
                await stack.enter_async_context(hand_dials(node.address, guest(number)))
            async with caller(node.address, MAX_GUESTS) as verdict:
                assert verdict == RefusedLink("This node has too many guests.")
            async with caller(node.address, 0) as verdict:
                assert not isinstance(verdict, RefusedLink), "it only takes its own place anew"
            async with hand_dials(node.address, credentials[3]):
                await node.until(lambda: node.is_linked(named.peer_id))
        await node.until(lambda: len(node.of(Refused)) > 0)
        while True:  # the guests have gone; as soon as that is noticed there is room
            async with caller(node.address, MAX_GUESTS + 1) as verdict:
                if not isinstance(verdict, RefusedLink):
                    break


@pytest.mark.trio
async def test_a_guest_is_admitted_only_if_the_node_says_so(identities: list[Identity]) -> None:
    asked: list[str] = []

    def admit(peer: str) -> bool:
        asked.append(peer)
        return len(asked) > 1

    async with open_node(identities[0], admit=admit) as node:
        for expected in (True, False):
            async with caller(node.address, 7) as verdict:
                assert isinstance(verdict, RefusedLink) == expected
        assert len(asked) == 2
        assert asked[0] == asked[1]
