"""What a fuzz target is, and the bounds that every input must keep.

A target is a function that takes bytes a peer or a file could hold and returns None. It lets the
decoder's own error pass, and it checks what was accepted: above all that it encodes to the very
bytes that were read. Anything else that is raised is a defect.

A decoder has SECONDS for any input. A stream that gives others a turn after each read has them for
every turn: such a target is a generator and yields where a turn ends. What does more than decoding
(verifies proofs, replays a game) is bound by what honest bytes of the same size cost.
"""

import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from time import thread_time
from typing import Final, TypeVar

CORPUS: Final = Path(__file__).parent / "corpus"

SECONDS: Final = 0.05
"""Processor time that one input may cost its decoder: the links wait for no longer than that."""
HONEST_TIMES: Final = 2.0
"""Where proofs are verified or games replayed, an input may cost SECONDS for decoding and besides
so many times what honest bytes cost that are no longer. A check stops at the first fault and so
does no more than it does for an honest message; twice is for clocks and other programs."""
ATTEMPTS: Final = 4
"""How often a slow input is measured before it counts as slow: other programs run beside."""
BASE_MEMORY: Final = 256 * 1024
"""What an input may make its reader allocate at once, however short it is."""
FILE_MEMORY: Final = 2 * 1024 * 1024
"""The same for a file, which is read in blocks of 1 MiB."""
MEMORY_PER_BYTE: Final = 96
"""And for each of its bytes: a value can be one byte and is an object of some 60."""

Take = Callable[[bytes], Iterator[None] | None]
Samples = Callable[[], Sequence[bytes]]
_OVER: Final = object()
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Target:
    """One way into the program for bytes from outside.

    Attributes:
        take: reads the bytes and checks what was accepted; perhaps in several turns.
        samples: valid inputs, which the fuzzers change.
        most_bytes: longer inputs must be refused at once.
        verifies: whether more is done than decoding, so that honest bytes say what it may cost.
        examples: how many inputs the test suite tries.
        memory: bytes that any input may make its reader allocate at once, however short it is.
        prepare: what is there already when the bytes come; its time does not count.
        seconds: processor time that an input may cost its decoder, in one turn.
    """

    name: str
    take: Take
    samples: Samples
    most_bytes: int
    verifies: bool = False
    examples: int = 120
    memory: int = BASE_MEMORY
    prepare: Callable[[bytes], object] = bytes
    seconds: float = SECONDS

    def limit(self, data: bytes) -> float:
        """The processor time in seconds that these bytes may cost."""
        if not self.verifies:
            return self.seconds
        costs = honest_costs(self)
        cost = max((cost for size, cost in costs if size <= len(data)), default=costs[0][1])
        return self.seconds + HONEST_TIMES * cost

    @property
    def folder(self) -> Path:
        """Where the kept inputs are."""
        return CORPUS / self.name

    @property
    def corpus(self) -> Sequence[bytes]:
        """The kept inputs: valid ones, nasty ones, and those that found something once."""
        paths = sorted(self.folder.iterdir()) if self.folder.is_dir() else []
        return [path.read_bytes() for path in paths]


TARGETS: Final[dict[str, Target]] = {}


def target(
    name: str,
    samples: Samples,
    most_bytes: int,
    *,
    verifies: bool = False,
    examples: int = 120,
    memory: int = BASE_MEMORY,
    prepare: Callable[[bytes], object] = bytes,
) -> Callable[[Take], Take]:
    """Enter a function among the targets."""

    def enter(take: Take) -> Take:
        TARGETS[name] = Target(name, take, samples, most_bytes, verifies, examples, memory, prepare)
        return take

    return enter


def taken(read: Callable[[], T], *errors: type[Exception]) -> T | None:
    """What is read, or None when it is refused by one of these errors, which says why."""
    try:
        return read()
    except errors as error:
        if not str(error):
            raise AssertionError("refused without a word") from error
        return None


class TooSlowError(AssertionError):
    """An input costs its reader more processor time than it may."""


class TooLargeError(AssertionError):
    """An input makes its reader allocate more memory than it may."""


def longest_turn(one: Target, data: bytes) -> float:
    """Give the input to the target; the processor time in seconds of its longest turn."""
    one.prepare(data)
    began = thread_time()
    turns = one.take(data)
    longest = thread_time() - began
    while turns is not None:
        began = thread_time()
        turns = turns if next(turns, _OVER) is None else None
        longest = max(longest, thread_time() - began)
    return longest


@cache
def honest_costs(one: Target) -> Sequence[tuple[int, float]]:
    """What honest bytes cost, as they are no better than the best of some measurements: size in
    bytes and seconds, the shortest first.
    """
    return sorted(
        (len(sample), min(longest_turn(one, sample) for _ in range(ATTEMPTS)))
        for sample in one.samples()
    )


def run(one: Target, data: bytes) -> float:
    """Give the input to the target; how many seconds of processor time its longest turn took.

    Raises TooSlowError if it is too slow every time, and whatever the target raises.
    """
    most, spent = one.limit(data), 0.0
    for _ in range(ATTEMPTS):
        spent = longest_turn(one, data)
        if spent <= most:
            return spent
    raise TooSlowError(f"{one.name}: {len(data)} bytes took {spent:.3f} s, {most:.3f} at most")


def peak_memory(one: Target, data: bytes) -> int:
    """How many bytes the target has allocated at once for the input, at most.

    Raises TooLargeError if that is more than it may, and whatever the target raises.
    """
    longest_turn(one, data)  # what is computed once and kept (samples, generators) is no cost
    one.prepare(data)
    tracemalloc.start()
    try:
        for _ in one.take(data) or ():
            pass
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    most = one.memory + MEMORY_PER_BYTE * min(len(data), one.most_bytes)
    if peak > most:
        raise TooLargeError(f"{one.name}: {len(data)} bytes took {peak} bytes, {most} at most")
    return peak
