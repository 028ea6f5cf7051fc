from p2pcoup.net.rate import TokenBucket


def test_a_bucket_allows_its_burst_and_then_its_rate() -> None:
    bucket = TokenBucket(3, 2.0, now=100.0)
    assert [bucket.take(100.0) for _ in range(4)] == [True, True, True, False]
    assert [bucket.take(100.5), bucket.take(100.5)] == [True, False]
    assert [bucket.take(1000.0) for _ in range(4)] == [True, True, True, False]


def test_a_bucket_does_not_fill_when_the_time_goes_back() -> None:
    bucket = TokenBucket(1, 1.0, now=100.0)
    assert bucket.take(100.0)
    assert not bucket.take(50.0)
