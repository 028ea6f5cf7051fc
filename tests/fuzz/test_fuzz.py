"""Whatever bytes come in, they cost little and only the decoder's own error comes of them.

This is the short way round; `python -m tests.fuzz TARGET --seconds N` searches for longer.
"""

import os
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from p2pcoup.net.frame import Frame, FrameType, encode_frame
from tests.fuzz.harness import (
    BASE_MEMORY,
    CORPUS,
    Take,
    Target,
    TooLargeError,
    TooSlowError,
    peak_memory,
    run,
)
from tests.fuzz.mutations import CHANGES, mutate, splice
from tests.fuzz.targets import TARGETS

NIGHTLY = os.environ.get("P2PCOUP_NIGHTLY") == "1"
NAMES = sorted(TARGETS)
MOST_CORPUS_BYTES = 64 * 1024
LARGEST = 256 * 1024
"""The largest input that is made on purpose; the limits of files lie far above."""


def changed(samples: Sequence[bytes], which: int, seeds: Sequence[int], other: int) -> bytes:
    """A sample with as many changes as there are seeds; with `other`, the end of that one."""
    data = samples[which % len(samples)]
    for seed in seeds:
        data = mutate(data, random.Random(seed))
    if other >= 0:
        data = splice(data, samples[other % len(samples)], random.Random(other))
    return data


@pytest.mark.parametrize("name", NAMES)
def test_changed_and_random_bytes_are_read_or_refused_within_the_bounds(name: str) -> None:
    target = TARGETS[name]
    samples = [*target.samples(), *target.corpus]
    for sample in samples:
        run(target, sample)

    @settings(
        max_examples=target.examples if NIGHTLY else target.examples // 2,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    @given(
        which=st.integers(0, 255),
        seeds=st.lists(st.integers(0, 2**32 - 1), max_size=4),
        other=st.integers(-6, 5),
        junk=st.none() | st.binary(max_size=300),
    )
    @example(which=0, seeds=[], other=-1, junk=b"")
    def search(which: int, seeds: list[int], other: int, junk: bytes | None) -> None:
        data = changed(samples, which, seeds, other) if junk is None else junk
        run(target, data)

    search()


@pytest.mark.parametrize("name", NAMES)
def test_no_input_makes_its_reader_allocate_much(name: str) -> None:
    target = TARGETS[name]
    inputs = [*target.samples(), *target.corpus]
    size = min(target.most_bytes, LARGEST)
    inputs += [byte * size for byte in (b"\x00", b"\x91", b"\xdc", b"a", b"\xff")]
    inputs += [sample + bytes(size - len(sample)) for sample in inputs[:2] if len(sample) < size]
    luck = random.Random(name)
    inputs += [mutate(sample, luck) for sample in inputs[:6]]
    for data in inputs:
        peak_memory(target, data)


@pytest.mark.parametrize("name", [name for name in NAMES if TARGETS[name].most_bytes <= LARGEST])
def test_what_is_longer_than_it_may_be_costs_nothing_but_its_length(name: str) -> None:
    target = TARGETS[name]
    sample = target.samples()[0]
    for data in (bytes(4 * target.most_bytes), sample * (1 + 4 * target.most_bytes // len(sample))):
        run(target, data)
        peak_memory(target, data)


@pytest.mark.parametrize("name", NAMES)
def test_every_kept_input_is_still_read_or_refused_within_the_bounds(name: str) -> None:
    target = TARGETS[name]
    assert target.corpus, f"tests/fuzz/corpus/{name} is empty"
    for data in target.corpus:
        run(target, data)


@pytest.mark.parametrize("payload", [(FrameType.DATA, b""), (FrameType.PING, bytes(8))])
def test_reads_full_of_the_smallest_frames_are_within_the_bounds(
    payload: tuple[FrameType, bytes],
) -> None:
    smallest = encode_frame(Frame(*payload))
    run(TARGETS["frame"], smallest * (TARGETS["frame"].most_bytes // len(smallest)))


def test_the_kept_inputs_belong_to_targets_and_are_small() -> None:
    assert {path.name for path in CORPUS.iterdir()} == set(NAMES)
    assert sum(path.stat().st_size for path in CORPUS.rglob("*") if path.is_file()) < (
        MOST_CORPUS_BYTES
    )


def test_every_change_of_valid_bytes_comes_about_and_is_repeatable() -> None:
    sample = TARGETS["message"].samples()[0]
    for change in CHANGES:
        made = {change(sample, random.Random(seed)) for seed in range(20)}
        assert len(made - {sample}) > 3, change.__name__
        assert change(sample, random.Random(7)) == change(sample, random.Random(7))
        assert isinstance(change(b"", random.Random(1)), bytes)


# --- the bounds can be missed -----------------------------------------------------------------


def _target(take: Take, seconds: float = 0.05) -> Target:
    return Target("test", take, list, 100, seconds=seconds)


def test_a_slow_reader_is_found() -> None:
    def slow(_data: bytes) -> None:
        sum(range(400_000))

    with pytest.raises(TooSlowError):
        run(_target(slow, seconds=0.0001), b"x")
    assert run(_target(slow, seconds=60), b"x") > 0


def test_the_longest_turn_counts_not_all_turns_together() -> None:
    def in_turns(_data: bytes) -> Iterator[None]:
        for _ in range(8):
            sum(range(200_000))
            yield

    def at_once(data: bytes) -> None:
        list(in_turns(data))

    together = run(_target(at_once, seconds=60), b"x")
    assert run(_target(in_turns, seconds=together / 2), b"x") < together / 2


def test_what_is_verified_may_cost_a_multiple_of_what_honest_bytes_of_the_size_cost() -> None:
    def verify(data: bytes) -> None:
        sum(range(100_000 * len(data)))

    one = Target("test", verify, lambda: [b"x", b"x" * 10], 100, verifies=True, seconds=0)
    assert one.limit(b"x" * 9) < one.limit(b"x" * 10)
    assert run(one, b"x" * 10) <= one.limit(b"x" * 10)
    with pytest.raises(TooSlowError):
        run(one, b"x" * 9)


def test_a_reader_that_allocates_what_a_length_says_is_found() -> None:
    def greedy(data: bytes) -> None:
        bytearray(int.from_bytes(data, "big"))

    with pytest.raises(TooLargeError):
        peak_memory(_target(greedy), b"\x00\xff\xff\xff")
    assert peak_memory(_target(greedy), b"\x10") < BASE_MEMORY


def test_a_target_that_does_not_know_an_error_lets_it_pass() -> None:
    def broken(data: bytes) -> None:
        data.decode("ascii")

    with pytest.raises(UnicodeDecodeError):
        run(_target(broken), b"\xff")


def test_the_corpus_lies_where_the_driver_keeps_it() -> None:
    assert Path(__file__).parent / "corpus" == CORPUS
