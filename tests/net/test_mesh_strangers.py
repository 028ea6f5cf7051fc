"""Callers that are no peers of this node: refused, told nothing, and gone without a trace."""

import contextlib
import ssl
from dataclasses import replace

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from p2pcoup.net import Address, Disconnected, Received, Refused, Unreachable
from p2pcoup.net.credentials import Credentials
from p2pcoup.net.handshake import PREAMBLE, dial_channel, encode_hello, receive_exactly
from p2pcoup.net.limits import REFUSAL_BURST, REFUSALS_PER_SECOND, Timing
from p2pcoup.net.settle import Refused as RefusedLink
from p2pcoup.net.settle import receive_verdict
from p2pcoup.wire.identity import Identity, PeerId
from tests.net.peers import (
    FAST,
    SOON,
    Node,
    connect,
    linked,
    open_files,
    open_node,
    rest_of,
    talk,
)


def tasks() -> int:
    return trio.lowlevel.current_statistics().tasks_living


JUNK_CALLS = 200


def junk(credentials: list[Credentials], number: int) -> bytes:
    """What the caller of this number says before it listens in silence."""
    hello = encode_hello(credentials[4].certificate)
    kinds = [
        b"",
        b"GET / HTTP/1.1\r\n\r\n",
        PREAMBLE,
        hello[: 9 + number],
        hello,  # and then no TLS
        hello + b"no TLS either" * 50,
        b"p2pcoup\x07" + bytes(1000),
        bytes.fromhex("16030100c8010000c40303") + bytes(189),
        PREAMBLE + bytes(100_000),
    ]
    return kinds[number % len(kinds)]


@pytest.mark.trio
async def test_two_hundred_junk_calls_leave_a_link_undisturbed_and_nothing_behind(
    identities: list[Identity], credentials: list[Credentials]
) -> None:
    first, second = identities[:2]
    timing = replace(FAST, hello=0.4, tls=0.4)
    async with (
        open_node(first, {second.peer_id: None}, timing=timing) as one,
        open_node(second, {first.peer_id: one.address}) as two,
    ):
        await linked(one, two)
        await wait_all_tasks_blocked()
        before = tasks(), open_files()
        started = trio.current_time()
        running = JUNK_CALLS

        async def call(number: int) -> None:
            nonlocal running
            stream = await connect(one.address)
            async with stream:
                with contextlib.suppress(trio.BrokenResourceError):
                    await stream.send_all(junk(credentials, number))
                await rest_of(stream)  # until the node closes
            running -= 1

        async with trio.open_nursery() as nursery:
            for number in range(JUNK_CALLS):
                nursery.start_soon(call, number)
            talks = 0
            while running:
                await talk(one, two, b"undisturbed %d" % talks)
                talks += 1
        assert talks > 10
        await wait_all_tasks_blocked()
        assert (tasks(), open_files()) == before
        assert one.of(Disconnected) == two.of(Disconnected) == []
        seconds = trio.current_time() - started
        reports = one.of(Refused)
        assert len(reports) <= REFUSAL_BURST + 1 + seconds * REFUSALS_PER_SECOND
        assert 0 < len(reports) + sum(report.unreported for report in reports) <= JUNK_CALLS


@pytest.mark.trio
async def test_a_peer_that_is_not_expected_is_refused_and_learns_of_nobody(
    identities: list[Identity], credentials: list[Credentials]
) -> None:
    me, friend, stranger = identities[:3]
    async with open_node(me, {friend.peer_id: None}) as node:
        channel = await dial_channel(node.address, credentials[2], me.peer_id, Timing())
        verdict = await receive_verdict(channel, Timing())
        assert verdict == RefusedLink("This node does not know you and expects no guests.")
        assert await rest_of(channel.stream) == b""
        await trio.aclose_forcefully(channel.stream)
        await node.until(lambda: len(node.events) == 1)
        (report,) = node.of(Refused)
        assert stranger.peer_id in report.reason
        assert report.remote.host == "127.0.0.1"


@pytest.mark.trio
async def test_a_node_that_is_refused_reports_it_once_with_the_reason(
    identities: list[Identity],
) -> None:
    me, other = identities[:2]
    async with open_node(other) as two, open_node(me, {other.peer_id: two.address}) as one:
        await two.until(lambda: len(two.of(Refused)) >= 3)
        (report,) = one.of(Unreachable)
        assert "refused the link: This node does not know you" in report.reason


async def _what_a_thief_sees(node: Node, certificate: bytes) -> tuple[bytes, int]:
    """The node's hello, and how many bytes follow, for whoever shows a copied certificate."""
    async with await connect(node.address) as stream:
        await stream.send_all(encode_hello(certificate))
        hello = await receive_exactly(stream, len(encode_hello(certificate)), node.address)
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        tls = context.wrap_bio(incoming, outgoing)
        seen = 0
        with trio.fail_after(SOON):
            while True:
                with contextlib.suppress(ssl.SSLWantReadError):
                    tls.do_handshake()
                    await stream.send_all(outgoing.read())
                    return hello, seen + len(await rest_of(stream))
                await stream.send_all(outgoing.read())
                data = await stream.receive_some(65536)
                assert data, "the node closed before it had shown who it is"
                incoming.write(data)
                seen += len(data)


@pytest.mark.trio
async def test_a_copied_certificate_does_not_tell_whom_the_node_knows(
    identities: list[Identity], credentials: list[Credentials]
) -> None:
    me, friend = identities[:2]
    async with open_node(me, {friend.peer_id: None}) as node:
        of_friend = await _what_a_thief_sees(node, credentials[1].certificate)
        of_stranger = await _what_a_thief_sees(node, credentials[2].certificate)
        assert of_friend == of_stranger
        assert of_friend[0] == encode_hello(credentials[0].certificate)
        assert node.of(Received) == []
        assert node.mesh.linked == frozenset()


@pytest.mark.trio
async def test_silent_callers_make_room_for_a_peer(identities: list[Identity]) -> None:
    # More silent connections than one network may have: the oldest of them make room.
    first, second = identities[:2]
    patient = replace(FAST, hello=1000.0)
    async with open_node(first, {second.peer_id: None}, timing=patient) as one:
        silent = [await connect(one.address) for _ in range(12)]
        async with open_node(second, {first.peer_id: one.address}) as two:
            await linked(one, two)
            await talk(one, two, b"hello")
            assert await rest_of(silent[0]) == b""
            assert "others were waiting" in one.of(Refused)[0].reason
        for stream in silent:
            await trio.aclose_forcefully(stream)


@pytest.mark.trio
async def test_a_caller_that_hangs_up_at_once_is_no_trouble(identities: list[Identity]) -> None:
    first, second = identities[:2]
    async with open_node(first, {second.peer_id: None}) as one:
        for _ in range(20):
            await trio.aclose_forcefully(await connect(one.address))
        peers: dict[PeerId, Address | None] = {first.peer_id: one.address}
        async with open_node(second, peers) as two:
            await linked(one, two)


@pytest.mark.trio
async def test_a_peer_that_breaks_off_was_not_turned_away(
    identities: list[Identity], credentials: list[Credentials]
) -> None:
    me, friend, stranger = identities[:3]
    async with open_node(me, {friend.peer_id: None}) as node:
        channel = await dial_channel(node.address, credentials[1], me.peer_id, Timing())
        await receive_verdict(channel, Timing())
        await trio.aclose_forcefully(channel.stream)  # without a verdict of its own
        channel = await dial_channel(node.address, credentials[2], me.peer_id, Timing())
        await receive_verdict(channel, Timing())
        await trio.aclose_forcefully(channel.stream)
        await node.until(lambda: len(node.events) > 0)
        assert [stranger.peer_id in report.reason for report in node.of(Refused)] == [True]
