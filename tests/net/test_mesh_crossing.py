"""Two links at once between the same two nodes."""

import random

import pytest
import trio

from p2pcoup.net import Connected, Disconnected
from p2pcoup.wire.identity import Identity
from tests.net.peers import linked, open_node, talk
from tests.net.relay import Relay, open_relay


async def one_ends(*relays: Relay) -> None:
    """Wait until no connection is left on one of the relays."""
    async with trio.open_nursery() as nursery:

        async def wait(relay: Relay) -> None:
            await relay.until(lambda: relay.alive == 0)
            nursery.cancel_scope.cancel()

        for relay in relays:
            nursery.start_soon(wait, relay)


@pytest.mark.trio
@pytest.mark.parametrize("seed", range(20))
async def test_of_two_links_dialled_at_once_both_nodes_keep_the_same_one(
    identities: list[Identity], seed: int
) -> None:
    luck = random.Random(seed)
    first, second = identities[:2]
    async with (
        open_node(first, {second.peer_id: None}) as one,
        open_node(second, {first.peer_id: None}) as two,
        open_relay(two.address) as there,
        open_relay(one.address) as back,
    ):
        # Both have dialled, and neither has heard of the other, before any byte flows.
        ways = [there, back]
        for way in ways:
            way.hold()
        one.mesh.add_peer(two.me, there.address)
        two.mesh.add_peer(one.me, back.address)
        for way in ways:
            await way.until(lambda: way.alive == 1)  # noqa: B023
        luck.shuffle(ways)
        ways[0].thaw()
        for _ in range(luck.choice([0, 0, 5, 20, 60])):
            await trio.lowlevel.checkpoint()
        ways[1].thaw()

        await one_ends(there, back)
        await linked(one, two)
        for number in range(3):
            await talk(one, two, b"over the one that is left %d" % number)
        assert there.alive + back.alive == 1
        assert len(there.called) == len(back.called) == 1
        for node in (one, two):
            assert len(node.of(Connected)) == len(node.of(Disconnected)) + 1 <= 2
