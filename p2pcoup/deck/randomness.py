"""Seeded randomness: every blinding, nonce and permutation of a game from one secret seed. SPEC
5.3, 5.4.

A crashed and restarted peer repeats its bytes exactly instead of signing or proving a second thing
(attack 19). The generator is HMAC-SHA-512 keyed with the seed: ``fork`` derives a child from a
label and context, independent of what was drawn before; the stream of one generator is HMAC over a
counter.
"""

import hmac
import secrets
from typing import Final, Self

from p2pcoup.deck.errors import DeckUseError
from p2pcoup.deck.group import ORDER, Scalar, framed

SEED_BYTES: Final = 32
_BLOCK_BYTES: Final = 64
_COUNTER_BYTES: Final = 8
_STREAM: Final = framed(b"stream") + _COUNTER_BYTES.to_bytes(4, "big")
"""What ``framed(b"stream", counter)`` begins with; made once, as a shuffle draws 80 blocks."""


class Randomness:
    """A deterministic generator.

    Whoever holds the seed knows everything it gives; it is never printed.
    """

    __slots__ = ("_buffer", "_counter", "_seed")

    def __init__(self, seed: bytes) -> None:
        if len(seed) != SEED_BYTES:
            raise DeckUseError(f"a seed has {SEED_BYTES} bytes, this one {len(seed)}")
        self._seed = bytes(seed)
        self._counter = 0
        self._buffer = b""

    def __repr__(self) -> str:
        return "Randomness(...)"

    @classmethod
    def from_system(cls) -> Self:
        """A generator with a fresh seed from the operating system."""
        return cls(secrets.token_bytes(SEED_BYTES))

    def fork(self, label: str, *context: bytes) -> "Randomness":
        """A generator of its own for this label and context.

        The same call gives the same one, whatever was drawn.
        """
        key = framed(b"fork", label.encode(), *context)
        return Randomness(hmac.digest(self._seed, key, "sha512")[:SEED_BYTES])

    def bytes(self, count: int) -> bytes:
        """The next ``count`` bytes of the stream."""
        while len(self._buffer) < count:
            block = _STREAM + self._counter.to_bytes(_COUNTER_BYTES, "big")
            self._buffer += hmac.digest(self._seed, block, "sha512")
            self._counter += 1
        result, self._buffer = self._buffer[:count], self._buffer[count:]
        return result

    def scalar(self) -> Scalar:
        """A uniform scalar other than zero (64 bytes reduced: the bias is below 2^-250)."""
        while True:
            value = int.from_bytes(self.bytes(_BLOCK_BYTES), "little") % ORDER
            if value:
                return Scalar(value)

    def below(self, bound: int) -> int:
        """A uniform integer 0 <= n < bound; values of the incomplete last range are drawn again."""
        if not 0 < bound <= 2**32:
            raise DeckUseError(f"a bound is between 1 and 2^32, not {bound}")
        usable = 2**64 - 2**64 % bound
        while True:
            value = int.from_bytes(self.bytes(8), "big")
            if value < usable:
                return value % bound

    def permutation(self, count: int) -> tuple[int, ...]:
        """SPEC 5.4: a uniform permutation of ``range(count)`` (Fisher-Yates)."""
        order = list(range(count))
        for last in range(count - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return tuple(order)
