import itertools
import struct
import tracemalloc
from collections.abc import Iterator

import msgpack  # type: ignore[import-untyped]
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pcoup.wire import Value, WireError, decode, encode
from p2pcoup.wire.limits import MAX_DEPTH, MAX_INTEGER, MAX_ITEMS, MIN_INTEGER

LIMIT = 1 << 20

leaves = (
    st.none()
    | st.booleans()
    | st.integers(MIN_INTEGER, MAX_INTEGER)
    | st.binary(max_size=300)
    | st.text(max_size=80)
)
values = st.recursive(leaves, lambda inner: st.lists(inner, max_size=20).map(tuple), max_leaves=30)


def at_most(depth: int, value: Value) -> bool:
    if not isinstance(value, tuple):
        return True
    return depth > 0 and all(at_most(depth - 1, item) for item in value)


def library_bytes(value: Value) -> bytes:
    """What an independent msgpack library makes of the value."""
    packed = msgpack.packb(value, use_bin_type=True)
    assert isinstance(packed, bytes)
    return packed


@given(values.filter(lambda value: at_most(MAX_DEPTH, value)))
def test_a_value_survives_and_its_bytes_are_those_of_msgpack(value: Value) -> None:
    data = encode(value)
    assert data == library_bytes(value)
    assert decode(data, max_bytes=LIMIT) == value


EDGES = sorted(
    edge
    for power in (5, 7, 8, 15, 16, 31, 32, 53)
    for edge in itertools.chain.from_iterable(
        (sign * 2**power + delta for delta in (-1, 0, 1)) for sign in (1, -1)
    )
    if MIN_INTEGER <= edge <= MAX_INTEGER
)


@pytest.mark.parametrize("number", [0, *EDGES, MAX_INTEGER, MIN_INTEGER])
def test_integers_at_every_edge_have_the_shortest_form(number: int) -> None:
    assert encode(number) == library_bytes(number)
    assert decode(encode(number), max_bytes=9) == number


@pytest.mark.parametrize("length", [0, 1, 15, 16, 31, 32, 255, 256, 65_535, 65_536])
def test_lengths_at_every_edge_have_the_shortest_form(length: int) -> None:
    for value in (b"x" * length, "x" * length):
        assert encode(value) == library_bytes(value)
        assert decode(encode(value), max_bytes=LIMIT) == value
    if length < MAX_ITEMS:
        array = (None,) * length
        assert encode(array) == library_bytes(array)
        assert decode(encode(array), max_bytes=LIMIT) == array


def test_lists_and_tuples_encode_alike_and_come_back_as_tuples() -> None:
    assert encode([1, ["a", b"b"]]) == encode((1, ("a", b"b")))
    assert decode(encode([1, ["a"]]), max_bytes=LIMIT) == (1, ("a",))


def test_true_is_not_one() -> None:
    assert encode(True) != encode(1)
    assert decode(encode(True), max_bytes=1) is True
    assert decode(encode(False), max_bytes=1) is False


# --- what is refused ----------------------------------------------------------------------------


def longer_integer_forms(number: int) -> Iterator[bytes]:
    formats = {0xCC: ">B", 0xCD: ">H", 0xCE: ">I", 0xCF: ">Q"}
    formats |= {0xD0: ">b", 0xD1: ">h", 0xD2: ">i", 0xD3: ">q"}
    for first, layout in formats.items():
        try:
            form = bytes([first]) + struct.pack(layout, number)
        except struct.error:
            continue
        if form != encode(number):
            yield form


@pytest.mark.parametrize("number", [0, *EDGES])
def test_every_other_form_of_an_integer_is_refused(number: int) -> None:
    forms = list(longer_integer_forms(number))
    # Only what needs eight bytes anyway has no other form.
    assert forms or not -(2**31) <= number < 2**32
    for form in forms:
        assert msgpack.unpackb(form) == number
        with pytest.raises(WireError, match="shortest form"):
            decode(form, max_bytes=9)


@pytest.mark.parametrize("number", [2**53, -(2**53), 2**63 - 1, -(2**63), 2**64 - 1])
def test_integers_out_of_bounds_are_refused(number: int) -> None:
    with pytest.raises(WireError, match="out of bounds"):
        decode(library_bytes(number), max_bytes=9)
    with pytest.raises(ValueError, match="Integers lie between"):
        encode(number)


@pytest.mark.parametrize(
    ("head", "length"),
    [
        ("c5 00c8", 200),
        ("c6 000000c8", 200),
        ("c6 0000012c", 300),
        ("d9 1f", 31),
        ("da 00c8", 200),
        ("db 000000c8", 200),
        ("db 0000012c", 300),
        ("dc 000f", 15),
        ("dd 0000000f", 15),
        ("dd 0000012c", 300),
    ],
)
def test_a_length_in_a_longer_form_is_refused(head: str, length: int) -> None:
    data = bytes.fromhex(head) + b"\0" * length
    assert len(msgpack.unpackb(data)) == length  # which a library accepts
    with pytest.raises(WireError, match="shortest form"):
        decode(data, max_bytes=LIMIT)


@pytest.mark.parametrize(
    "data",
    [
        msgpack.packb(1.5),
        msgpack.packb({}),
        msgpack.packb({"a": 1}),
        msgpack.packb(msgpack.ExtType(5, b"x")),
        msgpack.packb(msgpack.Timestamp(1)),
        b"\xc1",
        b"\xca\0\0\0\0",
        b"\xde\0\0",
        b"\xdf\0\0\0\0",
        b"\xc7\0\0",
    ],
)
def test_other_types_are_refused(data: bytes) -> None:
    for nested in (data, b"\x91" + data):
        with pytest.raises(WireError, match="not part of the format"):
            decode(nested, max_bytes=LIMIT)


@pytest.mark.parametrize("value", [1.5, {}, object(), bytearray(b"x"), {1}])
def test_other_types_are_not_encoded(value: object) -> None:
    with pytest.raises(ValueError, match="cannot be encoded"):
        encode([value])  # type: ignore[list-item]


def test_text_that_is_no_utf8_is_refused() -> None:
    for text in (b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82"):
        with pytest.raises(WireError, match="UTF-8"):
            decode(bytes([0xA0 + len(text)]) + text, max_bytes=LIMIT)
    with pytest.raises(ValueError, match="surrogates"):
        encode("\ud800")


def test_every_shortened_or_lengthened_encoding_is_refused() -> None:
    data = encode([1, -1, 1000, "text", "t" * 40, b"bytes", [None, True, [2**40]]])
    for length in range(len(data)):
        with pytest.raises(WireError, match="Byte"):
            decode(data[:length], max_bytes=LIMIT)
    for more in range(256):
        with pytest.raises(WireError, match="more bytes follow"):
            decode(data + bytes([more]), max_bytes=LIMIT)


def test_more_bytes_than_the_caller_accepts_are_refused_unread() -> None:
    data = encode(b"x" * 98)
    assert decode(data, max_bytes=100) == b"x" * 98
    with pytest.raises(WireError, match="At most 99 bytes"):
        decode(data, max_bytes=99)


def test_nesting_is_bounded() -> None:
    def nested(depth: int) -> bytes:
        return b"\x91" * (depth - 1) + b"\x90"

    deepest = decode(nested(MAX_DEPTH), max_bytes=LIMIT)
    assert encode(deepest) == nested(MAX_DEPTH)
    for depth in (MAX_DEPTH + 1, 1000, 100_000):
        with pytest.raises(WireError, match="deep"):
            decode(nested(depth), max_bytes=LIMIT)
    with pytest.raises(ValueError, match="deep"):
        encode((deepest,))


def test_the_number_of_values_is_bounded() -> None:
    most = (None,) * (MAX_ITEMS - 1)
    assert decode(encode(most), max_bytes=LIMIT) == most
    with pytest.raises(ValueError, match="values can be encoded"):
        encode((*most, None))
    with pytest.raises(WireError, match="values"):
        decode(library_bytes((*most, None)), max_bytes=LIMIT)


@pytest.mark.parametrize(
    "data",
    [
        b"\xc6\xff\xff\xff\xff",
        b"\xdb\xff\xff\xff\xff",
        b"\xdd\xff\xff\xff\xff",
        b"\xdc\xff\xff" + b"\xdc\xff\xff" * 100,
        b"\x9f" + b"\xc6\x7f\xff\xff\xff" * 3,
    ],
)
def test_a_declared_length_allocates_nothing(data: bytes) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(WireError, match="Byte"):
            decode(data, max_bytes=LIMIT)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 200_000


def test_all_short_inputs_are_canonical_or_refused() -> None:
    accepted = 0
    for length in range(3):
        for data in map(bytes, itertools.product(range(256), repeat=length)):
            try:
                value = decode(data, max_bytes=2)
            except WireError:
                continue
            accepted += 1
            assert encode(value) == data
    # One byte: 160 integers, nil, 2 booleans, empty text, empty array. Two bytes: one item in an
    # array, 128 texts of one character, empty bytes, 128 + 96 integers.
    assert accepted == 165 + 165 + 128 + 1 + 224


@settings(max_examples=300)
@given(st.binary(max_size=64))
def test_any_bytes_are_canonical_or_refused(data: bytes) -> None:
    try:
        value = decode(data, max_bytes=64)
    except WireError as error:
        sentence = str(error)
    else:
        assert encode(value) == data
        sentence = "accepted"
    assert sentence.isprintable()
