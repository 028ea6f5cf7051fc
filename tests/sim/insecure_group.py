"""A stand-in for the group of the cards, for games by the thousand: integers modulo the order.

The element k*B is the number k itself, so discrete logarithms lie open and nothing is hidden, but
every law the proofs rest on holds, and every check of the deck runs as it is: the same encodings
of 32 bytes, of which the same are refused, the same order, the same base point. Only the six
functions that the deck calls in libsodium are others, at about a fiftieth of the time.

It exists for the simulator alone and refuses to start in a process that could reach a network.
"""

import ctypes
import hashlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Final

from p2pcoup.deck import group
from p2pcoup.deck.group import BASE, FIELD_PRIME, ORDER

_MASK: Final = int.from_bytes(BASE, "little") ^ 2
"""Makes the bytes of the true base point stand for the number one. They are far above those of
every other number, so no number but zero has the bytes of the identity."""

_IDENTITY: Final = bytes(32)
_OK, _REFUSED = 0, -1

Result = ctypes.Array[ctypes.c_char]


class InsecureGroupError(RuntimeError):
    """Somebody wants to play with cards that hide nothing where others could be deceived."""


@contextmanager
def insecure_group() -> Iterator[None]:
    """Play with open numbers instead of points inside the block; not to be nested.

    Raises:
        InsecureGroupError: this process has loaded the network code.
    """
    if "p2pcoup.net" in sys.modules:
        raise InsecureGroupError(
            "This process has loaded p2pcoup.net: it could play with other people, and nobody may "
            "play for real with cards that everybody can read."
        )
    true = {name: getattr(group, name) for name in FUNCTIONS}
    _forget_points()
    vars(group).update(FUNCTIONS)
    try:
        yield
    finally:
        vars(group).update(true)
        _forget_points()


def _forget_points() -> None:
    """Empty all caches of the deck: points of one group are nothing in the other."""
    for name, module in list(sys.modules.items()):
        if name.startswith("p2pcoup.deck."):
            for value in _values(module):
                if (clear := getattr(value, "cache_clear", None)) is not None:
                    clear()


def _values(module: ModuleType) -> list[object]:
    return list(vars(module).values())


# --- the six functions, with libsodium's arguments and return codes -------------------------------


def _number(point: bytes) -> int:
    """The k of k*B; ORDER or more for bytes that are no element."""
    if point == _IDENTITY:
        return 0
    value = int.from_bytes(point, "little")
    number = value ^ _MASK
    return ORDER if value & 1 or value >= FIELD_PRIME or not number else number >> 1


def _bytes(number: int) -> bytes:
    return ((number << 1) ^ _MASK).to_bytes(32, "little") if number else _IDENTITY


def _is_valid(point: bytes) -> int:
    return int(_number(point) < ORDER)


def _from_hash(result: Result, digest: bytes) -> int:
    number = int.from_bytes(hashlib.sha512(digest).digest(), "little") % ORDER
    result.raw = _bytes(number)
    return _OK


def _add(result: Result, left: bytes, right: bytes) -> int:
    one, other = _number(left), _number(right)
    if one >= ORDER or other >= ORDER:
        return _REFUSED
    result.raw = _bytes((one + other) % ORDER)
    return _OK


def _subtract(result: Result, left: bytes, right: bytes) -> int:
    one, other = _number(left), _number(right)
    if one >= ORDER or other >= ORDER:
        return _REFUSED
    result.raw = _bytes((one - other) % ORDER)
    return _OK


def _multiply(result: Result, scalar: bytes, point: bytes) -> int:
    number = _number(point)
    product = int.from_bytes(scalar, "little") * number % ORDER
    if number >= ORDER or not product:
        return _REFUSED
    result.raw = _bytes(product)
    return _OK


def _multiply_base(result: Result, scalar: bytes) -> int:
    product = int.from_bytes(scalar, "little") % ORDER
    if not product:
        return _REFUSED
    result.raw = _bytes(product)
    return _OK


FUNCTIONS: Final[dict[str, Callable[..., int]]] = {
    "_is_valid": _is_valid,
    "_from_hash": _from_hash,
    "_add": _add,
    "_subtract": _subtract,
    "_multiply": _multiply,
    "_multiply_base": _multiply_base,
}
