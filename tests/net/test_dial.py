"""Dialling on a clock that jumps: no sockets here, so the times are exact."""

import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from p2pcoup.net.address import Address
from p2pcoup.net.dial import Backoff, Dialler
from p2pcoup.net.limits import Timing

HERE, THERE = Address("192.0.2.1", 1), Address("192.0.2.2", 2)
TIMING = Timing()


class Attempts:
    """Notes when and where a dialler dials. An attempt makes a link if the test wants one."""

    def __init__(self) -> None:
        self.made: list[tuple[float, Address]] = []
        self.succeed = False
        self.is_linked = False
        self.lost = trio.Event()

    async def attempt(self, address: Address) -> None:
        self.made.append((trio.current_time(), address))
        if self.succeed:
            self.is_linked = True
            await self.lost.wait()

    @property
    def gaps(self) -> list[float]:
        """Seconds between the attempts."""
        times = [time for time, _ in self.made]
        return [later - earlier for earlier, later in pairwise(times)]

    @asynccontextmanager
    async def dialled(self, address: Address | None = HERE) -> AsyncIterator[Dialler]:
        dialler = Dialler(address, lambda: self.is_linked, random.Random(3), TIMING)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(dialler.run, self.attempt)
            yield dialler
            dialler.stop()

    def lose(self, dialler: Dialler, lasted: float) -> None:
        """The link that was there is gone."""
        self.is_linked = self.succeed = False
        self.lost.set()
        self.lost = trio.Event()
        dialler.lost(lasted)


def expected_pauses(count: int) -> list[float]:
    backoff = Backoff(random.Random(3), TIMING)
    return [backoff.next_pause() for _ in range(count)]


def test_pauses_double_up_to_the_last_and_start_again_after_success() -> None:
    backoff = Backoff(random.Random(5), TIMING)
    expected = TIMING.first_pause
    for _ in range(12):
        assert expected / 2 <= backoff.next_pause() <= expected
        expected = min(TIMING.last_pause, expected * 2)
    assert expected == TIMING.last_pause
    backoff.reset()
    assert backoff.next_pause() <= TIMING.first_pause


def test_peers_with_other_random_numbers_pause_for_other_times() -> None:
    one, two = Backoff(random.Random(1), TIMING), Backoff(random.Random(2), TIMING)
    assert all(one.next_pause() != two.next_pause() for _ in range(10))


@pytest.mark.trio
async def test_a_peer_that_is_away_is_dialled_at_once_and_after_growing_pauses(
    autojump_clock: MockClock,
) -> None:
    attempts = Attempts()
    start = trio.current_time()
    async with attempts.dialled():
        await trio.sleep(3600)
    assert attempts.made[0] == (start, HERE)
    assert attempts.gaps == pytest.approx(expected_pauses(len(attempts.gaps)))
    assert 3600 / TIMING.last_pause < len(attempts.made) < 2 * 3600 / TIMING.last_pause + 10


@pytest.mark.trio
async def test_a_linked_peer_is_not_dialled_until_the_link_is_lost(
    autojump_clock: MockClock,
) -> None:
    attempts = Attempts()
    attempts.succeed = True
    async with attempts.dialled() as dialler:
        await trio.sleep(3600)
        assert len(attempts.made) == 1
        lost_at = trio.current_time()
        attempts.lose(dialler, lasted=3600)
        await trio.sleep(TIMING.first_pause)
        assert len(attempts.made) == 2
        assert attempts.made[1][0] >= lost_at + TIMING.first_pause / 2


@pytest.mark.trio
async def test_a_peer_that_calls_in_the_pause_is_not_dialled(autojump_clock: MockClock) -> None:
    attempts = Attempts()
    async with attempts.dialled() as dialler:
        await wait_all_tasks_blocked()
        attempts.is_linked = True  # within the first pause
        dialler.linked()
        await trio.sleep(3600)
        assert len(attempts.made) == 1
        attempts.lose(dialler, lasted=3600)
        await trio.sleep(TIMING.first_pause)
        assert len(attempts.made) == 2


@pytest.mark.trio
@pytest.mark.parametrize("stable", [True, False])
async def test_only_a_link_that_lasted_ends_the_growth_of_pauses(
    autojump_clock: MockClock, stable: bool
) -> None:
    attempts = Attempts()
    async with attempts.dialled() as dialler:
        await trio.sleep(600)
        attempts.succeed = True
        await trio.sleep(TIMING.last_pause)
        assert attempts.is_linked
        before = len(attempts.made)
        attempts.lose(dialler, TIMING.stable_after if stable else TIMING.stable_after / 2)
        await trio.sleep(TIMING.first_pause)
        assert (len(attempts.made) > before) == stable


@pytest.mark.trio
async def test_a_new_address_is_dialled_at_once(autojump_clock: MockClock) -> None:
    attempts = Attempts()
    async with attempts.dialled() as dialler:
        await trio.sleep(600)
        before = len(attempts.made)
        now = trio.current_time()
        dialler.redirect(THERE)
        await wait_all_tasks_blocked()
        assert attempts.made[before:] == [(now, THERE)]
        await trio.sleep(TIMING.first_pause)
        assert len(attempts.made) == before + 2


@pytest.mark.trio
async def test_without_an_address_nobody_is_dialled_until_there_is_one(
    autojump_clock: MockClock,
) -> None:
    attempts = Attempts()
    async with attempts.dialled(None) as dialler:
        await trio.sleep(3600)
        assert attempts.made == []
        dialler.redirect(THERE)
        await wait_all_tasks_blocked()
        assert attempts.made == [(trio.current_time(), THERE)]
        dialler.redirect(None)
        await trio.sleep(3600)
        assert len(attempts.made) == 1


@pytest.mark.trio
@pytest.mark.parametrize("within", ["a pause", "an attempt"])
async def test_who_is_stopped_dials_no_more(autojump_clock: MockClock, within: str) -> None:
    attempts = Attempts()
    attempts.succeed = within == "an attempt"
    async with attempts.dialled() as dialler:
        await wait_all_tasks_blocked()
        dialler.stop()
        attempts.lose(dialler, lasted=3600)
        await trio.sleep(3600)
    assert len(attempts.made) == 1


def test_a_reason_is_news_once_until_there_has_been_a_link() -> None:
    dialler = Dialler(HERE, lambda: False, random.Random(3), TIMING)
    reasons = ["Nobody.", "Nobody.", "No way.", "No way.", "Nobody."]
    assert [dialler.is_news(reason) for reason in reasons] == [True, False, True, False, True]
    dialler.linked()
    assert dialler.is_news("Nobody.")
