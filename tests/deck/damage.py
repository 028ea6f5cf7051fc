"""What peers must refuse, and every way a message can be damaged. Not a test module."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from p2pcoup.deck import Check, ProofError, Scalar
from p2pcoup.deck.group import (
    IDENTITY,
    ORDER,
    decode_point,
    encode_scalar,
    multiply_base,
    subtract,
)

SOME_POINT = multiply_base(Scalar(123456789))
SOME_SCALAR = encode_scalar(Scalar(987654321))


@contextmanager
def refused(*checks: Check) -> Iterator[None]:
    """The block refuses what a peer sent (for one of these reasons, if any are given)."""
    with pytest.raises(ProofError) as caught:
        yield
    if checks and caught.value.check not in checks:
        raise AssertionError(f"refused by {caught.value.check}: {caught.value}") from caught.value


def refuse_all_damage(data: bytes, receive: Callable[[bytes], object]) -> None:
    """``receive`` takes the message ``data`` and refuses it once it is damaged, in every way."""
    receive(data)
    for how, changed in damages(data):
        try:
            receive(changed)
        except ProofError:
            continue
        raise AssertionError(f"a message was accepted with {how}")


def damages(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Every way a message of 32-byte fields is damaged: what was done, and the bytes.

    Each field in turn is replaced by a valid point, a valid scalar, the identity (zero), all ones,
    itself with a bit changed, its other encodings, its negative and its neighbour; neighbours are
    swapped; the length is wrong by a byte or a field.
    """
    fields = [data[i : i + 32] for i in range(0, len(data), 32)]
    for index, original in enumerate(fields):
        for how, replacement in _replacements(original, fields[index - 1]):
            if replacement != original:
                changed = [*fields[:index], replacement, *fields[index + 1 :]]
                yield f"field {index} of {len(fields)} {how}", b"".join(changed)
    for index in range(len(fields) - 1):
        if fields[index] != fields[index + 1]:
            swapped = [*fields]
            swapped[index], swapped[index + 1] = swapped[index + 1], swapped[index]
            yield f"fields {index} and {index + 1} swapped", b"".join(swapped)
    yield "a byte too little", data[:-1]
    yield "a byte too much", data + b"\0"
    yield "the first byte missing", data[1:]
    yield "a field too little", data[:-32]
    yield "a field too much", data + data[-32:]
    yield "nothing in it", b""


def _replacements(original: bytes, neighbour: bytes) -> Iterator[tuple[str, bytes]]:
    yield "replaced by a point", SOME_POINT
    yield "replaced by a scalar", SOME_SCALAR
    yield "replaced by zero", bytes(32)
    yield "replaced by ones", b"\xff" * 32
    yield "with a bit changed", bytes([original[0] ^ 2]) + original[1:]
    yield "with its top bit set", original[:31] + bytes([original[31] | 0x80])
    yield "replaced by its neighbour", neighbour
    number = int.from_bytes(original, "little")
    if number < ORDER:
        yield "plus the order", (number + ORDER).to_bytes(32, "little")
        yield "negated as a scalar", ((ORDER - number) % ORDER).to_bytes(32, "little")
    try:
        point = decode_point(original)
    except ProofError:
        return
    yield "negated as a point", subtract(IDENTITY, point)
