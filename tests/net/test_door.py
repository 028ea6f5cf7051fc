from collections.abc import Callable, Iterator

import pytest
import trio

from p2pcoup.net.address import Address
from p2pcoup.net.door import (
    Doorman,
    RefusalReports,
)
from p2pcoup.net.events import Event, Refused
from p2pcoup.net.limits import (
    CALL_BURST,
    CALLS_PER_SECOND,
    MAX_CALLER_NETWORKS,
    MAX_HALF_OPEN,
    MAX_HALF_OPEN_PER_NETWORK,
    MAX_REGULAR_NETWORKS,
    REFUSAL_BURST,
    REFUSALS_PER_SECOND,
    STRANGER_BURST,
    STRANGERS_PER_SECOND,
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


def _networks(count: int) -> Iterator[str]:
    """Addresses of so many networks."""
    return (f"10.{number // 65536}.{number // 256 % 256}.{number % 256}" for number in range(count))


def _comes_in(doorman: Doorman, host: str, now: float, *, linked: bool = False) -> bool:
    """Whether a caller is let in; it then leaves, or becomes a link."""
    call = doorman.knock(host, now, _never)
    if call is not None:
        (doorman.welcome if linked else doorman.leave)(call)
    return call is not None


def test_remembered_networks_are_bounded_and_the_latest_are_kept() -> None:
    doorman = Doorman()
    assert _comes_in(doorman, "192.0.2.1", 0.0, linked=True)
    for number, host in enumerate(_networks(MAX_CALLER_NETWORKS + 10)):
        _comes_in(doorman, host, 0.0)
        if number % 8 == 0:  # calls again and again, so it is never forgotten
            _comes_in(doorman, "192.0.2.1", 0.0)
    assert not _comes_in(doorman, "192.0.2.1", 0.0)


def test_strangers_from_everywhere_have_one_rate_together() -> None:
    doorman = Doorman()
    assert sum(_comes_in(doorman, host, 0.0) for host in _networks(3000)) == STRANGER_BURST
    later = _networks(3000)
    let_in = sum(_comes_in(doorman, host, 1 + n / 3000) for n, host in enumerate(later))
    assert STRANGERS_PER_SECOND <= let_in <= 2 * STRANGERS_PER_SECOND


def test_who_has_had_a_link_comes_in_while_strangers_flood_the_door() -> None:
    doorman = Doorman()
    assert _comes_in(doorman, "192.0.2.1", 0.0, linked=True)
    for host in _networks(500):
        _comes_in(doorman, host, 0.0)
        assert len(doorman) == 0
    assert not _comes_in(doorman, "192.0.2.2", 0.0)
    assert _comes_in(doorman, "192.0.2.1", 0.0)


def test_the_networks_that_have_had_a_link_are_bounded_and_the_latest_are_kept() -> None:
    doorman = Doorman()
    for number, host in enumerate(("192.0.2.1", *_networks(MAX_REGULAR_NETWORKS))):
        assert _comes_in(doorman, host, float(number), linked=True)
    late = MAX_REGULAR_NETWORKS + 10.0
    for number in range(STRANGER_BURST):
        assert _comes_in(doorman, f"198.51.100.{number}", late)
    assert not _comes_in(doorman, "192.0.2.1", late), "forgotten"
    assert _comes_in(doorman, "10.0.0.0", late)


def _read_all(events: trio.MemoryReceiveChannel[Event]) -> list[Event]:
    read: list[Event] = []
    while True:
        try:
            read.append(events.receive_nowait())
        except trio.WouldBlock:
            return read


def test_refusals_are_reported_at_a_bounded_rate_and_the_others_counted() -> None:
    sender, receiver = trio.open_memory_channel[Event](1000)
    reports, remote = RefusalReports(sender), Address("192.0.2.1", 1)
    for number in range(REFUSAL_BURST + 7):
        reports.report(remote, str(number), now=50.0)
    expected: list[Event] = [Refused(remote, str(number), 0) for number in range(REFUSAL_BURST)]
    assert _read_all(receiver) == expected
    later = 50.0 + 1.01 / REFUSALS_PER_SECOND
    for number in (100, 101):
        reports.report(remote, str(number), now=later)
    assert _read_all(receiver) == [Refused(remote, "100", 7)]


def test_a_node_that_does_not_read_is_not_waited_for() -> None:
    sender, receiver = trio.open_memory_channel[Event](1)
    reports, remote = RefusalReports(sender), Address("192.0.2.1", 1)
    for number in range(3):
        reports.report(remote, str(number), now=0.0)
    assert _read_all(receiver) == [Refused(remote, "0", 0)]
    reports.report(remote, "3", now=0.0)
    assert _read_all(receiver) == [Refused(remote, "3", 2)]
