"""Rows of ElGamal pairs under one key, permuted and re-encrypted. SPEC 6.9.

A row is what moves as one: a single card, or several pairs that belong together. ``shuffle_proof``
shows that nothing else was done.
"""

from collections.abc import Sequence
from itertools import chain
from typing import Final, NamedTuple

from p2pcoup.deck.elgamal import Pair, re_encrypt
from p2pcoup.deck.errors import DeckUseError
from p2pcoup.deck.group import Point, Scalar
from p2pcoup.deck.randomness import Randomness
from p2pcoup.deck.transcript import ProofTranscript

MAX_ROWS: Final = 64
"""The largest deck that is shuffled; bounds the work one message can cause."""

Row = tuple[Pair, ...]


class Shuffled(NamedTuple):
    """A shuffle and its secrets: output i is input ``permutation[i]``, re-encrypted."""

    outputs: tuple[Row, ...]
    permutation: tuple[int, ...]
    randomizers: tuple[tuple[Scalar, ...], ...]

    def __repr__(self) -> str:
        return f"Shuffled({len(self.outputs)} rows, ...)"


def check_shape(inputs: Sequence[Row], outputs: Sequence[Row]) -> int:
    """The width of the rows.

    Raises ``DeckUseError`` if the lists cannot be a shuffle of each other by their shape.
    """
    if not 1 <= len(inputs) <= MAX_ROWS:
        raise DeckUseError(f"a shuffle takes 1 to {MAX_ROWS} rows, not {len(inputs)}")
    width = len(inputs[0])
    if width < 1 or len(outputs) != len(inputs):
        raise DeckUseError("a shuffle has as many outputs as inputs, of one pair or more each")
    if any(len(row) != width for row in chain(inputs, outputs)):
        raise DeckUseError("all rows of a shuffle have the same number of pairs")
    return width


def absorb_rows(transcript: ProofTranscript, label: str, rows: Sequence[Row]) -> None:
    """U and V of every pair, row by row."""
    transcript.absorb_point(label, *(point for row in rows for pair in row for point in pair))


def shuffle_rows(
    domain: bytes,
    key: Point,
    inputs: Sequence[Row],
    randomness: Randomness,
    permutation: Sequence[int] | None = None,
) -> Shuffled:
    """Permute and re-encrypt ``inputs`` under ``key``; a random permutation unless one is given.

    All secrets come from the seed *and* key, inputs and permutation: the same seed on other inputs
    must not repeat them, or the difference of the two outputs would show the permutation.
    """
    width = check_shape(inputs, inputs)
    if permutation is not None and sorted(permutation) != list(range(len(inputs))):
        raise DeckUseError(f"{permutation} is not a permutation of {len(inputs)} rows")
    binding = ProofTranscript(domain, "shuffle-randomizers")
    binding.absorb_int("width", width)
    binding.absorb_point("key", key)
    absorb_rows(binding, "inputs", inputs)
    fresh = binding.nonces(randomness, *(permutation or ()))
    order = tuple(permutation) if permutation is not None else fresh.permutation(len(inputs))
    randomizers = tuple(tuple(fresh.scalar() for _ in range(width)) for _ in inputs)
    outputs = tuple(
        tuple(re_encrypt(pair, key, r) for pair, r in zip(inputs[j], row, strict=True))
        for j, row in zip(order, randomizers, strict=True)
    )
    return Shuffled(outputs, order, randomizers)
