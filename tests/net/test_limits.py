"""Limits fit together, and the specification names them as they are."""

import re
from pathlib import Path

import pytest

import p2pcoup
from p2pcoup.net import errors, limits
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


def test_the_limits_that_the_specification_names_are_those_of_the_program() -> None:
    text = (Path(p2pcoup.__file__).parent.parent / "protocol" / "SPEC.md").read_text("utf-8")
    section = text[text.index("### 9.7 Limits") : text.index("### 9.8 ")]
    rows = re.findall(r"^\| (`[A-Z_`, ]+`) \| ([^|]+) \|", section, re.MULTILINE)
    told = {
        name: value.strip()
        for names, values in rows
        for name, value in zip(re.findall(r"[A-Z_]+", names), values.split(","), strict=True)
    }
    assert {"MAX_FRAME_BYTES", "JUNK_BURST", "FRAMES_PER_SECOND", "MAX_GUESTS"} <= told.keys()
    for name, value in told.items():
        number, _, unit = value.replace(" MiB", "_MiB").partition("_")
        factor = {"": 1, "MiB": 1024 * 1024}[unit]
        home = errors if hasattr(errors, name) else limits
        assert int(number.replace(" ", "")) * factor == getattr(home, name), name
