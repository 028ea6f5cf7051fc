"""What all proofs need, written from SPEC 4 and 5 alone. Not a test module.

It shares only the group operations with the program.
"""

import hashlib
import hmac
import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from p2pcoup.deck import Point, ProofError, Scalar
from p2pcoup.deck.group import (
    BASE,
    IDENTITY,
    ORDER,
    add,
    decode_point,
    decode_scalar,
    multiply,
)
from tests.deck.make_vectors import FOLDER

Values = dict[str, Any]
Points = Sequence[Point]


def times(scalar: int, point: Point) -> Point:
    return multiply(Scalar(scalar % ORDER), point)


def plus(*points: Point) -> Point:
    total = IDENTITY
    for point in points:
        total = add(total, point)
    return total


def combination(scalars: Iterable[int], points: Iterable[Point]) -> Point:
    return plus(*(times(s, p) for s, p in zip(scalars, points, strict=True)))


def framed(*items: bytes) -> bytes:
    return b"".join(len(item).to_bytes(4, "big") + item for item in items)


def u64(number: int) -> bytes:
    return number.to_bytes(8, "big")


# --- 5.1 to 5.3 -----------------------------------------------------------------------------------


class State:
    """S of SPEC 5.1."""

    def __init__(self, domain: bytes, proof: str) -> None:
        self.s = b""
        self.absorb("protocol", b"p2pcoup deck 1")
        self.absorb("group", b"ristretto255")
        self.absorb("base", BASE)
        self.absorb("domain", domain)
        self.absorb("proof", proof.encode())

    def absorb(self, label: str, *data: bytes) -> None:
        self.s += b"\0" + framed(label.encode(), b"".join(data))

    def challenge(self, label: str) -> int:
        self.s += b"\1" + framed(label.encode())
        return int.from_bytes(hashlib.sha512(self.s).digest(), "little") % ORDER

    def nonces(self, seed: bytes, *witness: int) -> Callable[[], int]:
        secret = b"".join(w.to_bytes(32, "little") for w in witness)
        place = framed(b"fork", b"nonces", hashlib.sha512(self.s).digest(), secret)
        child = hmac.new(seed, place, "sha512").digest()[:32]
        counter = iter(range(1000))

        def scalar() -> int:
            block = framed(b"stream", u64(next(counter)))
            return int.from_bytes(hmac.new(child, block, "sha512").digest(), "little") % ORDER

        return scalar


def raw(value: str) -> bytes:
    return bytes.fromhex(value)


def point(value: str) -> Point:
    return decode_point(raw(value))


def points(data: bytes, count: int) -> list[Point]:
    assert len(data) >= 32 * count
    return [decode_point(data[32 * i : 32 * i + 32]) for i in range(count)]


def scalars(case: Values, count: int, skip: int = 0) -> list[int]:
    proof = raw(case["proof"])[32 * skip :]
    if len(proof) != 32 * count:
        raise DoesNotHoldError
    return [decode_scalar(proof[32 * i : 32 * i + 32]) for i in range(count)]


class DoesNotHoldError(Exception):
    pass


def compare(challenge: int, c: int) -> None:
    if challenge != c:
        raise DoesNotHoldError


# --- the vectors ----------------------------------------------------------------------------------


def cases(name: str) -> list[Values]:
    listed = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    return [{**listed[case["like"]], **case} if "like" in case else case for case in listed]


def accepted(judge: Callable[[Values], None], case: Values) -> bool:
    try:
        judge(case)
    except (DoesNotHoldError, ProofError):
        return False
    return True
