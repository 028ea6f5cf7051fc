"""What a fuzz target is, and the bounds that every input must keep.

A target is a function that takes bytes a peer or a file could hold and returns None. It lets the
decoder's own error pass, and it checks what was accepted: above all that it encodes to the very
bytes that were read. Anything else that is raised is a defect.
"""

import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import thread_time
from typing import Final, TypeVar

CORPUS: Final = Path(__file__).parent / "corpus"

SECONDS: Final = 0.05
"""Processor time that one input may cost its reader; a whole proof of cards costs half of it."""
ATTEMPTS: Final = 4
"""How often a slow input is measured before it counts as slow: other programs run beside."""
BASE_MEMORY: Final = 256 * 1024
"""What an input may make its reader allocate at once, however short it is."""
FILE_MEMORY: Final = 2 * 1024 * 1024
"""The same for a file, which is read in blocks of 1 MiB."""
MEMORY_PER_BYTE: Final = 96
"""And for each of its bytes: a value can be one byte and is an object of some 60."""

Take = Callable[[bytes], None]
Samples = Callable[[], Sequence[bytes]]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Target:
    """One way into the program for bytes from outside.

    Attributes:
        take: reads the bytes and checks what was accepted.
        samples: valid inputs, which the fuzzers change.
        most_bytes: longer inputs must be refused at once.
        seconds: processor time that an input may cost.
        examples: how many inputs the test suite tries.
        memory: bytes that any input may make its reader allocate at once, however short it is.
    """

    name: str
    take: Take
    samples: Samples
    most_bytes: int
    seconds: float
    examples: int
    memory: int

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
    seconds: float = SECONDS,
    examples: int = 120,
    memory: int = BASE_MEMORY,
) -> Callable[[Take], Take]:
    """Enter a function among the targets."""

    def enter(take: Take) -> Take:
        TARGETS[name] = Target(name, take, samples, most_bytes, seconds, examples, memory)
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


def run(one: Target, data: bytes) -> float:
    """Give the input to the target; how many seconds of processor time that took.

    Raises TooSlowError if it is too slow every time, and whatever the target raises.
    """
    spent = 0.0
    for _ in range(ATTEMPTS):
        began = thread_time()
        one.take(data)
        spent = thread_time() - began
        if spent <= one.seconds:
            return spent
    raise TooSlowError(f"{one.name}: {len(data)} bytes took {spent:.3f} s, {one.seconds} at most")


def peak_memory(one: Target, data: bytes) -> int:
    """How many bytes the target has allocated at once for the input, at most.

    Raises TooLargeError if that is more than it may, and whatever the target raises.
    """
    one.take(data)  # what is computed once and kept (samples, generators) is no cost of the input
    tracemalloc.start()
    try:
        one.take(data)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    most = one.memory + MEMORY_PER_BYTE * min(len(data), one.most_bytes)
    if peak > most:
        raise TooLargeError(f"{one.name}: {len(data)} bytes took {peak} bytes, {most} at most")
    return peak
