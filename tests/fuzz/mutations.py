"""Changes of valid bytes that know how our formats are built.

A random byte seldom comes past a length, a checksum or a signature. These changes keep most of an
input as it was: they move whole fields of 32 bytes, correct or falsify lengths, or change one value
inside a canonical encoding and encode it again.
"""

import random
from collections.abc import Callable, Sequence
from typing import Final

from p2pcoup.deck.group import ORDER
from p2pcoup.wire import Encodable, WireError, decode, encode
from p2pcoup.wire.identity import SIGNATURE_BYTES

FIELD: Final = 32
MOST_BYTES: Final = 128 * 1024
"""Changes do not let an input grow beyond this."""
NUMBERS: Final = (0, 1, 2, 9, 10, 31, 32, 99, 100, 127, 128, 255, 256, 65_535, 65_536, 2**53 - 1)
TEXTS: Final = ("", " ", "0", "-1", "99", ":", "#", "\x00", "\x1b[2J", "\u202e", "ß", "é", "join")
FIELDS: Final = (
    bytes(FIELD),
    b"\xff" * FIELD,
    ORDER.to_bytes(FIELD, "little"),
    (ORDER - 1).to_bytes(FIELD, "little"),
    (2**255 - 19).to_bytes(FIELD, "little"),
)

Change = Callable[[bytes, random.Random], bytes]

# --- bytes ----------------------------------------------------------------------------------------


def _some_slice(data: bytes, luck: random.Random) -> tuple[int, int]:
    start = luck.randrange(len(data) + 1)
    return start, min(len(data), start + 2 ** luck.randrange(8))


def flip(data: bytes, luck: random.Random) -> bytes:
    """One bit is another."""
    changed = bytearray(data or b"\0")
    changed[luck.randrange(len(changed))] ^= 1 << luck.randrange(8)
    return bytes(changed)


def put(data: bytes, luck: random.Random) -> bytes:
    """One byte becomes one that means something in a format."""
    changed = bytearray(data or b"\0")
    changed[luck.randrange(len(changed))] = luck.choice(b"\x00\x7f\x80\x90\xa0\xc0\xc4\xd9\xdc\xff")
    return bytes(changed)


def delete(data: bytes, luck: random.Random) -> bytes:
    """A part is missing."""
    start, end = _some_slice(data, luck)
    return data[:start] + data[end:]


def insert(data: bytes, luck: random.Random) -> bytes:
    """Some bytes too many, most often such as are there already."""
    start, end = _some_slice(data, luck)
    more = data[start:end] if luck.random() < 0.7 else luck.randbytes(1 + end - start)
    at = luck.randrange(len(data) + 1)
    return data[:at] + more + data[at:]


def cut(data: bytes, luck: random.Random) -> bytes:
    """The end is missing."""
    return data[: luck.randrange(len(data) + 1)]


# --- fields and lengths ---------------------------------------------------------------------------


def field(data: bytes, luck: random.Random) -> bytes:
    """A field of 32 bytes, counted from either end, is zero, too large or another one."""
    if len(data) < FIELD:
        return flip(data, luck)
    first = luck.choice((0, 1, len(data) % FIELD))
    at = luck.randrange(first, len(data) - FIELD + 1, FIELD) if len(data) > FIELD + first else 0
    other = luck.randrange(len(data) - FIELD + 1)
    value = luck.choice((*FIELDS, data[other : other + FIELD]))
    return data[:at] + value + data[at + FIELD :]


def swap(data: bytes, luck: random.Random) -> bytes:
    """Two parts of the same length change places."""
    size = luck.choice((1, 4, FIELD, 2 * FIELD))
    if len(data) < 2 * size:
        return flip(data, luck)
    one = luck.randrange(len(data) - 2 * size + 1)
    two = luck.randrange(one + size, len(data) - size + 1)
    parts = (data[:one], data[two : two + size], data[one + size : two], data[one : one + size])
    return b"".join((*parts, data[two + size :]))


def length(data: bytes, luck: random.Random) -> bytes:
    """Four bytes that may be a length say something else."""
    if len(data) < 4:
        return insert(data, luck)
    places = [at for at in range(min(len(data) - 3, 4096)) if not any(data[at : at + 2])]
    at = luck.choice(places or [luck.randrange(len(data) - 3)])
    old = int.from_bytes(data[at : at + 4], "big")
    new = luck.choice((0, 1, old + 1, max(old - 1, 0), old + FIELD, 2**16, 2**31, 2**32 - 1))
    return data[:at] + min(new, 2**32 - 1).to_bytes(4, "big") + data[at + 4 :]


# --- values ---------------------------------------------------------------------------------------


def value(data: bytes, luck: random.Random) -> bytes:
    """One value inside an encoding is another, and the whole is encoded canonically again."""
    for tail in (0, SIGNATURE_BYTES):
        head, rest = data[: len(data) - tail], data[len(data) - tail :]
        try:
            return encode(_changed(decode(head, max_bytes=MOST_BYTES), luck)) + rest
        except (WireError, ValueError):
            continue
    return field(data, luck)


def _changed(old: Encodable, luck: random.Random) -> Encodable:
    if isinstance(old, tuple) and old and luck.random() < 0.85:
        at = luck.randrange(len(old))
        return (*old[:at], _changed(old[at], luck), *old[at + 1 :])
    return luck.choice((_other_value, _same_type))(old, luck)


def _other_value(old: Encodable, luck: random.Random) -> Encodable:
    some: Sequence[Encodable] = (None, True, False, (), (old,), (old, old), b"", "", 0, -1)
    return luck.choice((*some, luck.choice(NUMBERS), luck.choice(TEXTS), luck.choice(FIELDS)))


def _same_type(old: Encodable, luck: random.Random) -> Encodable:
    match old:
        case bool():
            return not old
        case int():
            return luck.choice((*NUMBERS, old + 1, old - 1))
        case bytes():
            return luck.choice((flip, delete, insert, field, swap))(old, luck)
        case str():
            return text(old.encode("utf-8"), luck).decode("utf-8", "replace")
        case tuple():
            return old[: luck.randrange(len(old) + 1)] if luck.random() < 0.5 else (*old, *old)
    return _other_value(old, luck)


def text(data: bytes, luck: random.Random) -> bytes:
    """In a text something is put in, left out, doubled, or written another way."""
    old = data.decode("utf-8", "replace")
    at = luck.randrange(len(old) + 1)
    rest = old[at + luck.randrange(3) :]
    changes = (
        old[:at] + luck.choice(TEXTS) + rest,
        old[:at] + luck.choice(TEXTS) + old[at:],
        old[:at] + str(luck.choice(NUMBERS)) + rest,
        old.swapcase(),
        old[:at] * 2 + old[at:],
        old.replace(" ", "  "),
        old[:at] + chr(luck.choice((0x0A, 0x85, 0xA0, 0x300, 0x2028, 0xFEFF, 0x1F600))) + rest,
    )
    return luck.choice(changes).encode("utf-8", "replace")


CHANGES: Final[tuple[Change, ...]] = (
    flip,
    put,
    delete,
    insert,
    cut,
    field,
    swap,
    length,
    value,
    text,
)


def splice(data: bytes, other: bytes, luck: random.Random) -> bytes:
    """The beginning of one input and the end of another."""
    return data[: luck.randrange(len(data) + 1)] + other[luck.randrange(len(other) + 1) :]


def mutate(data: bytes, luck: random.Random, changes: Sequence[Change] = CHANGES) -> bytes:
    """The bytes with one change."""
    return luck.choice(changes)(data, luck)[:MOST_BYTES]
