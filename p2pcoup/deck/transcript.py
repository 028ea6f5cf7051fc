"""The proof transcript: everything a challenge depends on, framed and hashed with SHA-512. SPEC 5.

One object makes all challenges (strong Fiat-Shamir): protocol, group and base first, then the
caller's domain (which covers game, round, seat and all that was said before), the name of the
proof, the whole statement, and the prover's commitments. Labels and lengths are framed, so no two
different histories hash the same bytes.

Prover and verifier absorb the same things in the same order. ``traced`` shows what is absorbed.
"""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from p2pcoup.deck.errors import DeckUseError
from p2pcoup.deck.group import BASE, ORDER, Point, Scalar, encode_scalar, framed
from p2pcoup.deck.randomness import Randomness

PROTOCOL: Final = b"p2pcoup deck 1"
GROUP: Final = b"ristretto255"

_ABSORB: Final = b"\x00"
_CHALLENGE: Final = b"\x01"

_trace: Callable[[str], None] | None = None


@contextmanager
def traced(sink: Callable[[str], None]) -> Iterator[None]:
    """Debug mode: give ``sink`` a line for everything absorbed and every challenge of the
    transcripts begun inside.

    Only public values are absorbed, so only these are shown; witnesses and nonces never are.
    """
    global _trace
    saved, _trace = _trace, sink
    try:
        yield
    finally:
        _trace = saved


class ProofTranscript:
    """The running hash of one proof (SPEC 5.1).

    ``domain`` is the caller's and must not be empty.
    """

    __slots__ = ("_hash", "_sink")

    def __init__(self, domain: bytes, proof: str) -> None:
        if not domain:
            raise DeckUseError("a proof needs a domain that says where it belongs")
        self._hash = hashlib.sha512()
        self._sink = _trace
        self.absorb_bytes("protocol", PROTOCOL)
        self.absorb_bytes("group", GROUP)
        self.absorb_bytes("base", BASE)
        self.absorb_bytes("domain", domain)
        self.absorb_bytes("proof", proof.encode())

    def absorb_bytes(self, label: str, data: bytes) -> None:
        """Any bytes. The other ``absorb`` methods fix how a value becomes bytes."""
        self._hash.update(_ABSORB + framed(label.encode(), data))
        if self._sink is not None:
            self._sink(f"absorb {label} [{len(data)}] {data.hex()}")

    def absorb_int(self, label: str, number: int) -> None:
        """A count or an index: 8 bytes, big-endian."""
        self.absorb_bytes(label, number.to_bytes(8, "big"))

    def absorb_point(self, label: str, *points: Point) -> None:
        """One point or several, 32 bytes each; how many there are is in the framed length."""
        self.absorb_bytes(label, b"".join(points))

    def absorb_scalar(self, label: str, *scalars: Scalar) -> None:
        """One scalar or several, 32 bytes each."""
        self.absorb_bytes(label, b"".join(map(encode_scalar, scalars)))

    def challenge_scalar(self, label: str) -> Scalar:
        """SPEC 5.2: the 64-byte hash of everything so far, reduced.

        The next challenge is a different one.
        """
        self._hash.update(_CHALLENGE + framed(label.encode()))
        challenge = Scalar(int.from_bytes(self._hash.digest(), "little") % ORDER)
        if self._sink is not None:
            self._sink(f"challenge {label} {encode_scalar(challenge).hex()}")
        return challenge

    def nonces(self, randomness: Randomness, *witness: int) -> Randomness:
        """SPEC 5.3: a generator for this proof's secrets, from the seed, everything absorbed, and
        the witness.

        The same seed with another statement gives unrelated nonces, and with the same one the same
        proof.
        """
        secret = b"".join(number.to_bytes(32, "little") for number in witness)
        return randomness.fork("nonces", self._hash.digest(), secret)


def subdomain(domain: bytes, operation: str, *numbers: int) -> bytes:
    """SPEC 5.1: the domain of one proof among several under ``domain``: operation and indices,
    framed.
    """
    return framed(domain, operation.encode(), *(number.to_bytes(8, "big") for number in numbers))
