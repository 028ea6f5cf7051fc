"""The secrets of one seat in one game, all derived from one seed (SPEC 8.3).

Nothing secret is ever drawn on the spot: the key, the coin, every blinding and every nonce follow
from the seed and the place they are used in. A peer that crashes and starts again therefore makes
exactly the same bytes, and can never use one nonce for two different proofs.
"""

from functools import cached_property

from p2pcoup.deck import Randomness, Scalar

COIN_BYTES = 32


class Secrets:
    """The secret side of a seat. Its text shows nothing."""

    __slots__ = ("__dict__", "_root")

    def __init__(self, seed: bytes, game: bytes) -> None:
        """Derive from the game's secret seed (32 bytes) and the game id, so that a seed used by
        mistake for a second game still gives unrelated secrets.
        """
        self._root = Randomness(seed).fork("game", game)

    def __repr__(self) -> str:
        return "Secrets(hidden)"

    @cached_property
    def key(self) -> Scalar:
        """x, the seat's secret key for this game's cards (SPEC 7.1)."""
        return self._root.fork("card key").scalar()

    @cached_property
    def coin(self) -> bytes:
        """32 bytes, the seat's part of the joint coin flip (SPEC 8.4)."""
        return self._root.fork("coin").bytes(COIN_BYTES)

    def salt(self, domain: bytes) -> bytes:
        """32 bytes that hide a commitment made in the message with that domain (SPEC 6.11)."""
        return self._root.fork("salt", domain).bytes(32)

    def randomness(self, domain: bytes, choice: bytes) -> Randomness:
        """Randomness of the one message with that domain and that choice of the player."""
        return self._root.fork("message", domain, choice)
