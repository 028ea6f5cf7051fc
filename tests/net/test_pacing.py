import random

from p2pcoup.net.limits import BACKOFF_FIRST, BACKOFF_LAST
from p2pcoup.net.pacing import Backoff, TokenBucket


def test_a_bucket_allows_its_burst_and_then_its_rate() -> None:
    bucket = TokenBucket(3, 2.0, now=100.0)
    assert [bucket.take(100.0) for _ in range(4)] == [True, True, True, False]
    assert [bucket.take(100.5), bucket.take(100.5)] == [True, False]
    assert [bucket.take(1000.0) for _ in range(4)] == [True, True, True, False]


def test_a_bucket_does_not_fill_when_the_time_goes_back() -> None:
    bucket = TokenBucket(1, 1.0, now=100.0)
    assert bucket.take(100.0)
    assert not bucket.take(50.0)


def test_pauses_double_up_to_the_last_and_start_again_after_success() -> None:
    backoff = Backoff(random.Random(5))
    expected = BACKOFF_FIRST
    for _ in range(12):
        assert expected / 2 <= backoff.next_pause() <= expected
        expected = min(BACKOFF_LAST, expected * 2)
    assert expected == BACKOFF_LAST
    backoff.reset()
    assert backoff.next_pause() <= BACKOFF_FIRST


def test_peers_with_other_random_numbers_pause_for_other_times() -> None:
    one, two = Backoff(random.Random(1)), Backoff(random.Random(2))
    assert all(one.next_pause() != two.next_pause() for _ in range(10))
