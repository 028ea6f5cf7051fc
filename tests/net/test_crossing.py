from itertools import permutations

import pytest

from p2pcoup.net.crossing import LinkTable
from p2pcoup.net.verdict import SESSION_BYTES, Accepted
from p2pcoup.wire.identity import PeerId

LOW, HIGH = PeerId("AAAAAAA"), PeerId("BBBBBBB")
RUN, OTHER_RUN = b"r" * SESSION_BYTES, b"s" * SESSION_BYTES


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
