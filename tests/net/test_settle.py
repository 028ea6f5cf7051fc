"""Verdicts, the table of links, and both together over streams whose order chance decides."""

import random
from collections.abc import Callable
from itertools import permutations

import pytest
import trio
from trio.abc import ReceiveStream, SendStream
from trio.testing import (
    MemoryReceiveStream,
    MemorySendStream,
    memory_stream_pair,
    memory_stream_pump,
    wait_all_tasks_blocked,
)

from p2pcoup.net.address import Address
from p2pcoup.net.credentials import Credentials
from p2pcoup.net.errors import (
    HandshakeError,
    LinkError,
    NotAdmittedError,
    RefusedByPeerError,
    ReplacedError,
    SilentPeerError,
)
from p2pcoup.net.handshake import Channel, receive_exactly
from p2pcoup.net.limits import Timing
from p2pcoup.net.link import Link
from p2pcoup.net.links import Held
from p2pcoup.net.settle import (
    SESSION_BYTES,
    Accepted,
    LinkTable,
    Refused,
    Superseded,
    Verdict,
    encode_verdict,
    receive_verdict,
    settle,
)
from p2pcoup.wire.identity import Identity, PeerId
from tests.net.peers import ANYWHERE, SOON, channel_pair

LOW, HIGH = PeerId("AAAAAAA"), PeerId("BBBBBBB")
RUN, OTHER_RUN = b"r" * SESSION_BYTES, b"s" * SESSION_BYTES
PLACE = Address("peer.test", 1)


# --- verdicts ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("verdict", "data"),
    [
        (Refused("No."), b"\x00\x03No."),
        (Accepted(b"12345678", 258), b"\x0112345678\0\0\0\0\0\0\x01\x02"),
        (Superseded(), b"\x02"),
    ],
)
@pytest.mark.trio
async def test_a_verdict_has_these_bytes_and_not_one_more_is_read(
    credentials: list[Credentials], verdict: Verdict, data: bytes
) -> None:
    assert encode_verdict(verdict) == data
    async with channel_pair(*credentials[:2]) as (one, two):
        await one.stream.send_all(data + b"next")
        assert await receive_verdict(two, Timing()) == verdict
        assert await receive_exactly(two.stream, 4, PLACE) == b"next"


def test_a_reason_is_cut_to_one_line_and_a_wrong_session_is_our_own_error() -> None:
    assert encode_verdict(Refused("é" * 500)) == b"\x00\x78" + b"?" * 120
    with pytest.raises(ValueError, match="A session has 8 bytes"):
        encode_verdict(Accepted(b"short", 1))
    with pytest.raises(ValueError, match="A session has 8 bytes"):
        LinkTable[str](LOW, b"short")


@pytest.mark.trio
@pytest.mark.parametrize(
    ("data", "words"),
    [(b"\x03", "unknown verdict 3"), (b"\xff", "unknown verdict 255"), (b"\x00\x79", "too long")],
)
async def test_what_is_no_verdict_is_a_failed_handshake(
    credentials: list[Credentials], data: bytes, words: str
) -> None:
    async with channel_pair(*credentials[:2]) as (one, two):
        await one.stream.send_all(data)
        with pytest.raises(HandshakeError, match=words):
            await receive_verdict(two, Timing())


@pytest.mark.trio
async def test_a_refusal_is_made_safe_to_show(credentials: list[Credentials]) -> None:
    async with channel_pair(*credentials[:2]) as (one, two):
        await one.stream.send_all(b"\x00\x05\x1b[2J\xff")
        assert await receive_verdict(two, Timing()) == Refused("?[2J?")


@pytest.mark.trio
@pytest.mark.parametrize("part", [b"", b"\x01", b"\x01" + bytes(15), b"\x00\x10reason"])
async def test_a_verdict_that_does_not_come_is_not_waited_for(
    credentials: list[Credentials], part: bytes
) -> None:
    async with channel_pair(*credentials[:2]) as (one, two):
        await one.stream.send_all(part)
        with pytest.raises(SilentPeerError, match="did not say whether"):
            await receive_verdict(two, Timing(verdict=0.05))


# --- the table ---------------------------------------------------------------------------------


def test_the_lower_peer_id_decides_at_both_ends() -> None:
    assert LinkTable[str](LOW, RUN).decides(HIGH)
    assert not LinkTable[str](HIGH, RUN).decides(LOW)


@pytest.mark.parametrize("taken_in", list(permutations("xyz")))
@pytest.mark.parametrize("heard_in", list(permutations("xyz")))
def test_both_ends_keep_the_same_link_in_every_order_of_events(
    taken_in: tuple[str, ...], heard_in: tuple[str, ...]
) -> None:
    decider, follower = LinkTable[str](LOW, RUN), LinkTable[str](HIGH, OTHER_RUN)
    tokens: dict[str, Accepted] = {}
    for link in taken_in:
        tokens[link] = decider.token()
        decider.take(HIGH, link, tokens[link])
    ended = [follower.follow(LOW, link, tokens[link]) for link in heard_in]
    assert decider.current(HIGH) == follower.current(LOW) == taken_in[-1]
    assert {link for link in ended if link} == set(taken_in[:-1])


def test_a_link_of_another_run_replaces_one_with_any_number() -> None:
    follower = LinkTable[str](HIGH, RUN)
    follower.follow(LOW, "before the restart", Accepted(RUN, 1000))
    assert follower.follow(LOW, "after it", Accepted(OTHER_RUN, 1)) == "before the restart"
    assert follower.current(LOW) == "after it"


def test_dropping_a_replaced_link_leaves_the_new_one() -> None:
    table = LinkTable[str](LOW, RUN)
    table.take(HIGH, "old", table.token())
    assert table.take(HIGH, "new", table.token()) == "old"
    assert not table.drop(HIGH, "old")
    assert table.current(HIGH) == "new"
    assert table.drop(HIGH, "new")
    assert table.current(HIGH) is None
    assert table.peers() == frozenset()


# --- settling ----------------------------------------------------------------------------------


class End:
    """One end's table, and what became of each link it had a hand in."""

    def __init__(self, me: PeerId, run: bytes) -> None:
        self.table = LinkTable[Held](me, run)
        self.held: dict[int, Held] = {}
        self.objection: str | None = None

    async def live(self, number: int, channel: Channel) -> None:
        held = self.held[number] = Held(Link(channel, Timing()))

        async def settle_it(_link: Link) -> None:
            await settle(held, self.table, lambda _peer: self.objection, Timing())

        async def consume(link: Link) -> None:
            while True:
                await link.receive()

        held.ended = await held.link.run(settle_it, consume)
        self.table.drop(channel.peer, held)

    def current(self, peer: PeerId) -> int | None:
        """The number of the link that counts."""
        held = self.table.current(peer)
        return next((number for number, each in self.held.items() if each is held), None)


async def unsettled(
    credentials: list[Credentials], dialler: End, listener: End
) -> tuple[LinkError | None, LinkError | None]:
    """Why one link over TLS does not come about, at the dialler and at the listener."""
    async with channel_pair(*credentials) as (dialled, answered):
        with trio.fail_after(SOON):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(dialler.live, 1, dialled)
                nursery.start_soon(listener.live, 1, answered)
    return dialler.held[1].ended, listener.held[1].ended


@pytest.mark.trio
@pytest.mark.parametrize("low_dials", [True, False])
async def test_each_end_can_refuse_and_the_other_is_told_why(
    credentials: list[Credentials], low_dials: bool
) -> None:
    pair = credentials[:2] if low_dials else credentials[1::-1]
    dialler, listener = (End(each.peer_id, RUN) for each in pair)
    listener.objection = "Not today."
    at_dialler, at_listener = await unsettled(pair, dialler, listener)
    assert isinstance(at_dialler, RefusedByPeerError)
    assert "Not today." in str(at_dialler)
    assert isinstance(at_listener, NotAdmittedError)
    listener.objection, dialler.objection = None, "Nor tomorrow."
    at_dialler, at_listener = await unsettled(pair, dialler, listener)
    assert isinstance(at_dialler, NotAdmittedError)
    assert isinstance(at_listener, RefusedByPeerError)
    assert "Nor tomorrow." in str(at_listener)


@pytest.mark.trio
async def test_the_deciding_end_lets_its_own_attempt_go_when_a_link_has_come_in(
    credentials: list[Credentials],
) -> None:
    low, high = (End(each.peer_id, RUN) for each in credentials[:2])
    async with channel_pair(*credentials[:2]) as (dialled, _):
        there_is = Held(Link(dialled, Timing()))
        low.table.take(credentials[1].peer_id, there_is, low.table.token())
        at_low, at_high = await unsettled(credentials[:2], low, high)
        assert isinstance(at_low, ReplacedError)
        assert isinstance(at_high, ReplacedError)
        assert low.table.current(credentials[1].peer_id) is there_is
        assert there_is.link.usable


class Post:
    """A network without wires: what is sent or closed arrives in an order of chance."""

    def __init__(self, luck: random.Random) -> None:
        self._luck = luck
        self._under_way: list[Callable[[], object]] = []

    async def deliver_all(self) -> None:
        """Deliver until nothing more is sent."""
        await wait_all_tasks_blocked()
        while self._under_way:
            self._luck.shuffle(self._under_way)
            self._under_way.pop()()
            await wait_all_tasks_blocked()

    def channels(self, low: PeerId, high: PeerId) -> tuple[Channel, Channel]:
        """The two ends of a link that one of the two has dialled."""
        low_dials = self._luck.random() < 0.5
        one, two = memory_stream_pair()
        self._connect(one.send_stream, two.receive_stream)
        self._connect(two.send_stream, one.receive_stream)
        # A link settles on any stream; only that TLS has shown who is there is taken for granted.
        return (
            Channel(one, high, ANYWHERE, low_dials),  # type: ignore[arg-type]
            Channel(two, low, ANYWHERE, not low_dials),  # type: ignore[arg-type]
        )

    def _connect(self, source: SendStream, sink: ReceiveStream) -> None:
        assert isinstance(source, MemorySendStream)
        assert isinstance(sink, MemoryReceiveStream)

        def pump() -> None:
            memory_stream_pump(source, sink)

        async def sent() -> None:
            self._under_way.append(pump)

        source.send_all_hook = sent
        source.close_hook = lambda: self._under_way.append(pump)


async def _crossing(luck: random.Random, identities: list[Identity]) -> tuple[End, End]:
    """Several links between the same two peers at once, in any order of all that happens."""
    low, high = identities[0].peer_id, identities[1].peer_id
    ends = End(low, RUN), End(high, OTHER_RUN)
    post = Post(luck)
    async with trio.open_nursery() as nursery:
        for number in range(luck.randint(1, 4)):
            if luck.random() < 0.5:
                await post.deliver_all()
            for end, channel in zip(ends, post.channels(low, high), strict=True):
                nursery.start_soon(end.live, number, channel)
        await post.deliver_all()
        assert ends[0].current(high) == ends[1].current(low) is not None
        survivor = ends[0].current(high)
        for end in ends:
            for number, held in end.held.items():
                assert (held.ended is None) == (number == survivor)
        nursery.cancel_scope.cancel()
    return ends


@pytest.mark.trio
async def test_whatever_crosses_both_ends_keep_the_same_one_link(
    identities: list[Identity],
) -> None:
    links = 0
    for seed in range(200):
        ends = await _crossing(random.Random(seed), identities)
        links += len(ends[0].held)
    assert links > 400, "hardly anything has crossed"


@pytest.mark.trio
async def test_an_end_that_restarts_is_followed_to_its_new_run(identities: list[Identity]) -> None:
    # The follower still believes in the link with the earlier run; its number was a high one.
    low, high = identities[0].peer_id, identities[1].peer_id
    before, after, follower = End(low, RUN), End(low, OTHER_RUN), End(high, RUN)
    for _ in range(50):
        before.table.token()
    post = Post(random.Random(1))
    async with trio.open_nursery() as nursery:
        for number, run in enumerate((before, after)):
            one, two = post.channels(low, high)
            nursery.start_soon(run.live, number, one)
            nursery.start_soon(follower.live, number, two)
            await post.deliver_all()
            assert follower.current(low) == run.current(high) == number
        assert isinstance(follower.held[0].ended, ReplacedError)
        nursery.cancel_scope.cancel()
