from collections.abc import Callable

import pytest

from p2pcoup.net.doorman import Doorman
from p2pcoup.net.limits import (
    CALL_BURST,
    CALLS_PER_SECOND,
    MAX_CALLER_NETWORKS,
    MAX_HALF_OPEN,
    MAX_HALF_OPEN_PER_NETWORK,
)


def _never() -> None:
    pytest.fail("this connection must not be evicted")


def _noting(evicted: list[str], name: str) -> Callable[[], None]:
    return lambda: evicted.append(name)


def test_a_network_above_its_share_evicts_its_own_oldest_connection() -> None:
    doorman, evicted = Doorman(), list[str]()
    doorman.knock("192.0.2.1", 0.0, _never)
    for number in range(MAX_HALF_OPEN_PER_NETWORK + 2):
        assert doorman.knock("192.0.2.2", 0.0, _noting(evicted, str(number))) is not None
    assert evicted == ["0", "1"]
    assert len(doorman) == 1 + MAX_HALF_OPEN_PER_NETWORK


def test_all_together_above_the_limit_evict_from_the_greediest_network() -> None:
    doorman, evicted = Doorman(), list[str]()
    for number in range(MAX_HALF_OPEN_PER_NETWORK):
        doorman.knock("192.0.2.1", 0.0, _noting(evicted, str(number)))
    for number in range(MAX_HALF_OPEN - MAX_HALF_OPEN_PER_NETWORK):
        doorman.knock(f"198.51.100.{number}", 0.0, _never)
    assert evicted == []
    doorman.knock("203.0.113.1", 0.0, _never)
    assert evicted == ["0"]
    assert len(doorman) == MAX_HALF_OPEN


def test_who_has_left_is_neither_counted_nor_evicted() -> None:
    doorman = Doorman()
    for _ in range(3 * MAX_HALF_OPEN_PER_NETWORK):
        call = doorman.knock("2001:db8::1", 0.0, _never)
        assert call is not None
        doorman.leave(call)
        doorman.leave(call)
    assert len(doorman) == 0


def test_a_network_that_calls_too_often_is_turned_away_and_others_are_not() -> None:
    doorman = Doorman()

    def let_in(host: str, now: float) -> bool:
        call = doorman.knock(host, now, _never)
        if call is not None:
            doorman.leave(call)
        return call is not None

    # Addresses of one /64 share the rate.
    assert all(let_in(f"2001:db8::{number:x}", 0.0) for number in range(CALL_BURST))
    assert not let_in("2001:db8::ffff", 0.0)
    assert let_in("2001:db8:0:1::1", 0.0)
    assert let_in("2001:db8::1", 1.1 / CALLS_PER_SECOND)
    assert not let_in("2001:db8::1", 1.1 / CALLS_PER_SECOND)


def test_remembered_networks_are_bounded_and_the_latest_are_kept() -> None:
    doorman = Doorman()
    for number in range(MAX_CALLER_NETWORKS + 10):
        host = f"10.0.{number // 256}.{number % 256}"
        call = doorman.knock(host, 0.0, _never)
        assert call is not None
        doorman.leave(call)
        if number % 8 == 0:  # calls again and again, so it is never forgotten
            again = doorman.knock("192.0.2.1", 0.0, _never)
            if again is not None:
                doorman.leave(again)
    assert doorman.knock("192.0.2.1", 0.0, _never) is None
