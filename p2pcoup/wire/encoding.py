"""Values to bytes and back, in exactly one way (SPEC 3.1).

The format is msgpack restricted to null, booleans, integers, byte strings, text and arrays, each
in its shortest form. The decoder is written out here rather than taken from a library, because it
must *refuse*: every second spelling of a value, lengths that exceed the data (before allocating
anything), deep nesting, floats, maps, extensions. So whatever decodes re-encodes to the same
bytes, and two peers never have different bytes for one message. The tests compare it with a
msgpack library.
"""

from collections.abc import Sequence
from typing import Final, TypeAlias

from p2pcoup.wire.errors import WireError
from p2pcoup.wire.limits import MAX_DEPTH, MAX_INTEGER, MAX_ITEMS, MIN_INTEGER

Value: TypeAlias = "bool | int | bytes | str | tuple[Value, ...] | None"
"""What `decode` gives: arrays are tuples, so a decoded value cannot change."""

Encodable: TypeAlias = "bool | int | bytes | str | Sequence[Encodable] | None"
"""What `encode` takes: arrays may be lists or tuples."""

_NIL: Final = 0xC0
_FALSE: Final = 0xC2
_TRUE: Final = 0xC3
_FIXARRAY: Final = 0x90
_FIXSTR: Final = 0xA0
_NEGATIVE_FIXINT: Final = 0xE0
# First byte -> (bytes of the length that follow, largest length of the next shorter form).
_BYTES_FORMS: Final = {0xC4: (1, -1), 0xC5: (2, 0xFF), 0xC6: (4, 0xFFFF)}
_TEXT_FORMS: Final = {0xD9: (1, 31), 0xDA: (2, 0xFF), 0xDB: (4, 0xFFFF)}
_ARRAY_FORMS: Final = {0xDC: (2, 15), 0xDD: (4, 0xFFFF)}
# First byte -> (bytes of the number that follow, whether it is negative).
_INTEGER_FORMS: Final = {
    0xCC: (1, False),
    0xCD: (2, False),
    0xCE: (4, False),
    0xCF: (8, False),
    0xD0: (1, True),
    0xD1: (2, True),
    0xD2: (4, True),
    0xD3: (8, True),
}


def encode(value: Encodable) -> bytes:
    """Algorithm 3.1a: the canonical bytes of a value.

    Raises ValueError for what the format cannot hold: our caller's mistake, never a peer's.
    """
    out = bytearray()
    items = _encode_into(out, value, MAX_DEPTH)
    if items > MAX_ITEMS:
        raise ValueError(f"At most {MAX_ITEMS} values can be encoded together, not {items}.")
    return bytes(out)


def _encode_into(out: bytearray, value: Encodable, depth: int) -> int:
    """Append the value's bytes; returns how many values it holds, itself included."""
    if value is None:
        out.append(_NIL)
    elif value is True or value is False:
        out.append(_TRUE if value else _FALSE)
    elif isinstance(value, int):
        _encode_integer(out, value)
    elif isinstance(value, bytes):
        _encode_length(out, len(value), _BYTES_FORMS)
        out += value
    elif isinstance(value, str):
        _encode_text(out, value)
    elif isinstance(value, (tuple, list)):
        return _encode_array(out, value, depth)
    else:
        raise ValueError(f"A value of type {type(value).__name__} cannot be encoded.")
    return 1


def _encode_array(out: bytearray, value: Sequence[Encodable], depth: int) -> int:
    if depth == 0:
        raise ValueError(f"Arrays nest at most {MAX_DEPTH} deep.")
    if len(value) <= 15:
        out.append(_FIXARRAY | len(value))
    else:
        _encode_length(out, len(value), _ARRAY_FORMS)
    return 1 + sum(_encode_into(out, item, depth - 1) for item in value)


def _encode_text(out: bytearray, value: str) -> None:
    try:
        data = value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ValueError("Text with unpaired surrogates cannot be encoded.") from error
    if len(data) <= 31:
        out.append(_FIXSTR | len(data))
    else:
        _encode_length(out, len(data), _TEXT_FORMS)
    out += data


def _encode_length(out: bytearray, length: int, forms: dict[int, tuple[int, int]]) -> None:
    for first, (width, _) in forms.items():
        if length < 1 << 8 * width:
            out.append(first)
            out += length.to_bytes(width, "big")
            return
    raise ValueError("Values of 4 GiB and more cannot be encoded.")


def _encode_integer(out: bytearray, value: int) -> None:
    if not MIN_INTEGER <= value <= MAX_INTEGER:
        raise ValueError(f"Integers lie between {MIN_INTEGER} and {MAX_INTEGER}.")
    if -32 <= value < 128:
        out.append(value & 0xFF)
        return
    for first, (width, negative) in _INTEGER_FORMS.items():
        bits = 8 * width
        if negative == (value < 0) and -(1 << bits - 1) <= value < 1 << bits:
            out.append(first)
            out += value.to_bytes(width, "big", signed=negative)
            return


def decode(data: bytes, *, max_bytes: int) -> Value:
    """Algorithm 3.1b: the value these bytes are the canonical encoding of.

    Raises WireError for anything else, naming the byte where it is wrong.
    """
    if len(data) > max_bytes:
        raise WireError(f"At most {max_bytes} bytes are accepted here, not {len(data)}.")
    reader = _Reader(data)
    value = reader.value(MAX_DEPTH)
    if reader.position != len(data):
        raise reader.fault("more bytes follow the value")
    return value


class _Reader:
    """A position in the data; each method reads one thing and moves on."""

    __slots__ = ("_data", "_items", "_start", "position")

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._items = 0
        self._start = 0
        self.position = 0

    def fault(self, what: str, at: int | None = None) -> WireError:
        return WireError(f"Byte {self.position if at is None else at}: {what}.")

    def value(self, depth: int) -> Value:
        start = self.position
        first = self._take(1)[0]
        self._items += 1
        if self._items > MAX_ITEMS:
            raise self.fault(f"more than {MAX_ITEMS} values", start)
        if first < 0x80:
            return first
        if first >= _NEGATIVE_FIXINT:
            return first - 0x100
        if first in _INTEGER_FORMS:
            return self._integer(start, *_INTEGER_FORMS[first])
        if first in _BYTES_FORMS:
            return self._take(self._length(start, *_BYTES_FORMS[first]))
        if first in _TEXT_FORMS or _FIXSTR <= first < _NIL:
            return self._text(start, first)
        if first in _ARRAY_FORMS or _FIXARRAY <= first < _FIXSTR:
            return self._array(start, first, depth)
        if first == _NIL:
            return None
        if first in (_FALSE, _TRUE):
            return first == _TRUE
        raise self.fault(f"values of type 0x{first:02x} are not part of the format", start)

    def _take(self, count: int) -> bytes:
        end = self.position + count
        if end > len(self._data):
            raise self.fault("the data ends too early")
        taken = self._data[self.position : end]
        self.position = end
        return taken

    def _length(self, start: int, width: int, largest_of_shorter: int) -> int:
        length = int.from_bytes(self._take(width), "big")
        if length <= largest_of_shorter:
            raise self.fault("a length is not in its shortest form", start)
        return length

    def _integer(self, start: int, width: int, negative: bool) -> int:
        value = int.from_bytes(self._take(width), "big", signed=negative)
        # The shorter form holds half the bits; the shortest of all is the single byte.
        half = 0 if width == 1 else 4 * width
        if negative:
            shortest = value < (-(1 << half - 1) if half else -32)
        else:
            shortest = value >= (1 << half if half else 128)
        if not shortest:
            raise self.fault("an integer is not in its shortest form", start)
        if not MIN_INTEGER <= value <= MAX_INTEGER:
            raise self.fault("an integer is out of bounds", start)
        return value

    def _text(self, start: int, first: int) -> str:
        fixed = first not in _TEXT_FORMS
        length = first - _FIXSTR if fixed else self._length(start, *_TEXT_FORMS[first])
        try:
            return self._take(length).decode("utf-8")
        except UnicodeDecodeError as error:
            raise self.fault("text is not valid UTF-8", start) from error

    def _array(self, start: int, first: int, depth: int) -> tuple[Value, ...]:
        if depth == 0:
            raise self.fault(f"arrays nest more than {MAX_DEPTH} deep", start)
        fixed = first not in _ARRAY_FORMS
        length = first - _FIXARRAY if fixed else self._length(start, *_ARRAY_FORMS[first])
        if length > len(self._data) - self.position:
            # Each item has a byte at least, so nothing is allocated for a count that is a lie.
            raise self.fault("an array is longer than the data", start)
        return tuple([self.value(depth - 1) for _ in range(length)])
