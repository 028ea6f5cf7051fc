"""Nodes find each other and find each other again."""

from contextlib import AsyncExitStack
from dataclasses import replace
from itertools import pairwise

import pytest

from p2pcoup.net import Address, Connected, Disconnected, Refused, Unreachable, open_mesh
from p2pcoup.net.credentials import Credentials
from p2pcoup.net.frame import FrameType
from p2pcoup.net.limits import MAX_PAYLOAD_BYTES
from p2pcoup.wire.identity import Identity, PeerId
from tests.net.peers import ANYWHERE, FAST, SOON, Node, hand_dials, linked, open_node, talk
from tests.net.relay import open_relay


async def relinked(one: Node, two: Node, links: int) -> None:
    """Wait until both have been told of so many links with each other, the last one alive."""
    for node, peer in ((one, two.me), (two, one.me)):
        await node.until(
            lambda: len(node.of(Connected, peer)) >= links and node.is_linked(peer)  # noqa: B023
        )


# --- links -------------------------------------------------------------------------------------


@pytest.mark.trio
async def test_two_nodes_link_when_one_knows_where_the_other_is(
    identities: list[Identity],
) -> None:
    first, second = identities[:2]
    async with (
        open_node(first, {second.peer_id: None}) as one,
        open_node(second, {first.peer_id: one.address}) as two,
    ):
        await linked(one, two)
        assert one.mesh.linked == {two.me}
        assert two.mesh.linked == {one.me}
        assert two.events == [Connected(one.me, one.address)]
        await talk(one, two, b"hello")


@pytest.mark.trio
async def test_five_nodes_that_all_dial_each_other_are_all_linked(
    identities: list[Identity],
) -> None:
    async with AsyncExitStack() as stack:
        nodes: list[Node] = []
        for identity in identities[:5]:
            others = {each.peer_id: None for each in identities[:5] if each is not identity}
            nodes.append(await stack.enter_async_context(open_node(identity, others)))
        for one in nodes:
            for two in nodes:
                if one is not two:
                    one.mesh.add_peer(two.me, two.address)
        for one in nodes:
            everybody_else = {node.me for node in nodes if node is not one}
            await one.until(lambda: one.mesh.linked == everybody_else)  # noqa: B023
            assert one.of(Unreachable) == []
            assert one.of(Refused) == []


@pytest.mark.trio
async def test_nothing_can_be_sent_where_there_is_no_link(identities: list[Identity]) -> None:
    async with open_node(identities[0], {identities[1].peer_id: None}) as one:
        assert not one.mesh.send(identities[1].peer_id, b"hello")
        assert not one.mesh.send(identities[2].peer_id, b"hello")
        assert one.mesh.round_trip(identities[1].peer_id) is None
        with pytest.raises(ValueError, match="cannot be sent"):
            one.mesh.send(identities[1].peer_id, bytes(MAX_PAYLOAD_BYTES + 1))
        assert one.events == []


@pytest.mark.trio
async def test_the_round_trip_is_known_once_a_ping_was_answered(
    identities: list[Identity], credentials: list[Credentials]
) -> None:
    first, second = identities[:2]
    quick = replace(FAST, ping_after=0.02)
    async with (
        open_node(first, {second.peer_id: None}, timing=quick) as one,
        hand_dials(one.address, credentials[1]) as hand,
    ):
        ping = await hand.hear(FrameType.PING)
        assert ping is not None
        assert one.mesh.round_trip(second.peer_id) is None
        await hand.say(FrameType.PONG, ping.payload)
        await hand.say(FrameType.DATA)
        await one.until(lambda: len(one.received(second.peer_id)) == 1)
        seconds = one.mesh.round_trip(second.peer_id)
        assert seconds is not None
        assert 0 < seconds < SOON


@pytest.mark.trio
async def test_a_node_cannot_be_its_own_peer(identities: list[Identity]) -> None:
    me = identities[0]
    with pytest.raises(ValueError, match="itself as a peer"):
        async with open_mesh(me, listen=ANYWHERE, peers={me.peer_id: ANYWHERE}):
            pytest.fail("it was opened")
    async with open_node(me) as node:
        with pytest.raises(ValueError, match="itself as a peer"):
            node.mesh.add_peer(me.peer_id, None)


# --- lost and found ----------------------------------------------------------------------------


@pytest.mark.trio
@pytest.mark.parametrize("dialler", [0, 1])
async def test_a_link_that_is_cut_comes_back_each_time(
    identities: list[Identity], dialler: int
) -> None:
    calls, answers = identities[dialler], identities[1 - dialler]
    async with (
        open_node(answers, {calls.peer_id: None}) as two,
        open_relay(two.address) as relay,
        open_node(calls, {answers.peer_id: relay.address}) as one,
    ):
        await linked(one, two)
        for cut in range(1, 6):
            relay.cut()
            await relinked(one, two, cut + 1)
            await talk(one, two, b"again %d" % cut)
        assert len(one.of(Disconnected)) == len(two.of(Disconnected)) == 5
        assert one.of(Unreachable) == []


@pytest.mark.trio
@pytest.mark.parametrize("restarted", [0, 1])
async def test_a_node_that_restarts_is_linked_again(
    identities: list[Identity], restarted: int
) -> None:
    comes, stays = identities[restarted], identities[1 - restarted]
    async with open_relay() as relay, open_node(stays, {comes.peer_id: relay.address}) as one:
        for run in range(3):
            async with open_node(comes, {stays.peer_id: None}) as two:
                relay.target = two.address
                await relinked(one, two, 1)
                await one.until(lambda: len(one.of(Connected)) == run + 1)  # noqa: B023
                await talk(one, two, b"run %d" % run)
            await one.until(lambda: not one.is_linked(comes.peer_id))
        assert [event.reason for event in one.of(Disconnected)] == [
            f"{relay.address} closed the link: The node has closed."
        ] * 3


@pytest.mark.trio
@pytest.mark.parametrize("restarted", [0, 1])
async def test_a_node_that_comes_back_before_its_loss_was_noticed_replaces_its_old_link(
    identities: list[Identity], restarted: int
) -> None:
    comes, stays = identities[restarted], identities[1 - restarted]
    hasty = replace(FAST, close=0.01)
    async with open_node(stays, {comes.peer_id: None}) as one, open_relay(one.address) as relay:
        async with open_node(comes, {stays.peer_id: relay.address}, timing=hasty) as two:
            await linked(one, two)
            relay.freeze()
        assert one.is_linked(comes.peer_id), "the goodbye got through"
        async with open_node(comes, {stays.peer_id: one.address}) as two:
            await relinked(one, two, 1)
            await one.until(lambda: len(one.of(Connected)) == 2)
            await talk(one, two, b"here I am again")
            (lost,) = one.of(Disconnected)
            assert "newer link" in lost.reason
            assert relay.alive == 1, "the old connection was closed before it was replaced"


@pytest.mark.trio
async def test_a_connection_that_only_seems_to_be_open_is_given_up_by_both_ends_and_made_anew(
    identities: list[Identity],
) -> None:
    first, second = identities[:2]
    timing = replace(FAST, ping_after=0.1, dead_after=1.0)
    async with (
        open_node(first, {second.peer_id: None}, timing=timing) as one,
        open_relay(one.address) as relay,
    ):
        peers: dict[PeerId, Address | None] = {first.peer_id: relay.address}
        async with open_node(second, peers, timing=timing) as two:
            await linked(one, two)
            relay.freeze()
            await relinked(one, two, 2)
            for node in (one, two):
                assert "Nothing was heard" in node.of(Disconnected)[0].reason
            await talk(one, two, b"again")


# --- peers that are not there ------------------------------------------------------------------


@pytest.mark.trio
async def test_a_peer_that_cannot_be_reached_is_reported_once_and_dialled_ever_more_rarely(
    identities: list[Identity],
) -> None:
    first, second = identities[:2]
    timing = replace(FAST, first_pause=0.02, last_pause=0.16)
    async with open_relay() as relay:
        peers: dict[PeerId, Address | None] = {second.peer_id: relay.address}
        async with open_node(first, peers, timing=timing) as one:
            await relay.until(lambda: len(relay.called) >= 8)
            for number, (before, after) in enumerate(pairwise(relay.called)):
                # Pauses are shortened by up to a half; how long an attempt takes comes on top.
                assert after - before >= min(0.16, 0.02 * 2**number) / 2
            await one.until(lambda: len(one.events) == 1)
            (report,) = one.of(Unreachable)
            assert report.peer == second.peer_id
            assert str(relay.address) in report.reason
            async with open_node(second, {first.peer_id: None}) as two:
                relay.target = two.address
                await linked(one, two)
                await talk(one, two, b"at last")
            await one.until(lambda: not one.is_linked(second.peer_id))
            await one.until(lambda: len(one.of(Unreachable)) == 2)  # after a link it is news


@pytest.mark.trio
async def test_another_peer_at_the_address_is_reported_with_both_ids(
    identities: list[Identity],
) -> None:
    me, wanted, found = identities[:3]
    async with open_node(found) as two, open_node(me, {wanted.peer_id: two.address}) as one:
        await one.until(lambda: len(one.of(Unreachable)) == 1)
        (report,) = one.of(Unreachable)
        assert report.peer == wanted.peer_id
        assert f"answers the peer {found.peer_id}, not {wanted.peer_id}" in report.reason
        assert one.mesh.linked == two.mesh.linked == frozenset()


@pytest.mark.trio
async def test_a_copy_of_the_own_key_elsewhere_is_reported_at_both_ends(
    identities: list[Identity],
) -> None:
    me, wanted = identities[:2]
    async with open_node(me) as copy, open_node(me, {wanted.peer_id: copy.address}) as one:
        await one.until(lambda: len(one.of(Unreachable)) == 1)
        assert "this node's own identity" in one.of(Unreachable)[0].reason
        await copy.until(lambda: len(copy.of(Refused)) > 0)
        assert "this node's own identity" in copy.of(Refused)[0].reason


# --- peers that come and go by the node's will -------------------------------------------------


@pytest.mark.trio
async def test_a_peer_is_dialled_at_its_new_address(identities: list[Identity]) -> None:
    first, second = identities[:2]
    slow = replace(FAST, first_pause=1000.0, last_pause=1000.0)
    async with open_relay() as relay, open_node(second, {first.peer_id: None}) as two:
        peers: dict[PeerId, Address | None] = {second.peer_id: relay.address}
        async with open_node(first, peers, timing=slow) as one:
            await one.until(lambda: len(one.of(Unreachable)) == 1)
            one.mesh.add_peer(second.peer_id, two.address)
            await linked(one, two)


@pytest.mark.trio
async def test_a_peer_that_is_removed_gets_what_was_sent_and_a_goodbye_and_no_new_link(
    identities: list[Identity],
) -> None:
    first, second = identities[:2]
    async with (
        open_node(first, {second.peer_id: None}) as one,
        open_node(second, {first.peer_id: one.address}) as two,
    ):
        await linked(one, two)
        assert one.mesh.send(two.me, b"farewell")
        one.mesh.remove_peer(two.me)
        assert not one.mesh.send(two.me, b"too late")
        assert one.mesh.linked == frozenset()
        await two.until(lambda: len(two.of(Unreachable)) == 1)
        assert two.received(one.me) == [b"farewell"]
        assert "no longer needs the link" in two.of(Disconnected)[0].reason
        assert "does not know you" in two.of(Unreachable)[0].reason
        one.mesh.add_peer(two.me, None)
        await relinked(one, two, 2)
        await talk(one, two, b"welcome back")


@pytest.mark.trio
async def test_removing_a_peer_ends_an_attempt_to_reach_it(identities: list[Identity]) -> None:
    first, second = identities[:2]
    async with open_node(second, {first.peer_id: None}) as two, open_relay(two.address) as relay:
        relay.hold()
        async with open_node(first, {second.peer_id: relay.address}) as one:
            await relay.until(lambda: relay.alive == 1)
            one.mesh.remove_peer(second.peer_id)
            one.mesh.remove_peer(second.peer_id)
            relay.thaw()
            await relay.until(lambda: relay.alive == 0)
            assert one.events == []
