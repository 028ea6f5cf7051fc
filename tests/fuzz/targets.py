"""Every target by its name: all the ways in for bytes that others have written."""

from tests.fuzz import around, files, proofs, streams, texts, words
from tests.fuzz.harness import TARGETS, Target, peak_memory, run

__all__ = [
    "TARGETS",
    "Target",
    "around",
    "files",
    "peak_memory",
    "proofs",
    "run",
    "streams",
    "texts",
]
__all__ += ["words"]
