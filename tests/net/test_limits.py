import pytest

from p2pcoup.net.limits import MAX_FRAME_BYTES, MAX_QUEUED_BYTES, Timing
from p2pcoup.wire.limits import MAX_MESSAGE_BYTES


def test_a_time_of_nothing_is_refused() -> None:
    for name in Timing.__slots__:
        with pytest.raises(ValueError, match=f"time for {name} must be more than 0"):
            Timing(**{name: 0.0})


def test_times_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(ValueError, match="must be pinged before"):
        Timing(ping_after=5.0, dead_after=5.0)
    with pytest.raises(ValueError, match="Pauses between dials grow"):
        Timing(first_pause=2.0, last_pause=1.0)


def test_a_link_can_carry_the_largest_message_and_a_queue_a_long_game() -> None:
    assert MAX_FRAME_BYTES > MAX_MESSAGE_BYTES + 128
    assert MAX_QUEUED_BYTES > 500 * MAX_MESSAGE_BYTES
