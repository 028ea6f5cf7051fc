import dataclasses
import hashlib
from collections.abc import Callable

import msgpack  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcoup.wire import (
    MAX_MESSAGE_BYTES,
    PROTOCOL_VERSION,
    SCHEMA,
    FieldType,
    Identity,
    Kind,
    Message,
    WireError,
    encode,
    parse,
    sign,
    verify_signature,
)
from p2pcoup.wire.limits import MAX_ENVELOPE_BYTES, MAX_ROUND, MAX_SEATS

MessageMaker = Callable[..., Message]

ITEMS = ("version", "game", "round", "seat", "parent", "kind", "body")


def signed_raw(identity: Identity, payload: bytes) -> bytes:
    """Correctly signed bytes, whatever the payload is."""
    return payload + identity.sign(b"p2pcoup message", payload)


def payload_with(**changes: object) -> bytes:
    """The payload of a valid message with some items replaced."""
    items: dict[str, object] = {
        "version": PROTOCOL_VERSION,
        "game": b"g" * 32,
        "round": 7,
        "seat": 1,
        "parent": b"p" * 32,
        "kind": "unseal",
        "body": ["pass", b"s" * 32],
    }
    packed = msgpack.packb([*(items | changes).values()])
    assert isinstance(packed, bytes)
    return packed


@pytest.mark.parametrize("kind", Kind)
def test_a_message_of_every_kind_survives(
    kind: Kind, identity: Identity, make_message: MessageMaker
) -> None:
    for seat, round_number in ((0, 0), (MAX_SEATS - 1, MAX_ROUND)):
        message = make_message(kind, seat=seat, round_number=round_number)
        signed = sign(message, identity)
        assert signed.message == message
        received = parse(signed.raw)
        assert received == signed
        assert received.payload + received.signature == signed.raw
        verify_signature(received, identity.public_key)


def test_every_kind_has_a_schema_of_sane_limits() -> None:
    assert set(SCHEMA) == set(Kind)
    for fields in SCHEMA.values():
        assert fields
        assert len({field.name for field in fields}) == len(fields)
        assert all(1 <= field.least <= field.most for field in fields)


def test_the_largest_message_of_every_kind_fits(
    identity: Identity, make_message: MessageMaker
) -> None:
    for kind in Kind:
        raw = sign(make_message(kind, seat=MAX_SEATS - 1, round_number=MAX_ROUND), identity).raw
        body = sum(field.most for field in SCHEMA[kind])
        assert len(raw) <= min(body + MAX_ENVELOPE_BYTES, MAX_MESSAGE_BYTES)


def test_the_bytes_are_known_and_readable_by_a_msgpack_library(identity: Identity) -> None:
    message = Message(b"g" * 32, 7, 1, b"p" * 32, Kind.UNSEAL, ("pass", b"s" * 32))
    signed = sign(message, identity)
    assert signed.payload == payload_with()
    assert msgpack.unpackb(signed.payload) == [
        *(1, b"g" * 32, 7, 1, b"p" * 32, "unseal"),
        ["pass", b"s" * 32],
    ]
    assert hashlib.sha256(signed.raw).hexdigest() == (
        "186be3088e339c5f68d215dd9ab862132f12e1b8d3d8b022ab310ff531d4b80b"
    )


def test_the_known_helper_makes_what_parse_accepts(identity: Identity) -> None:
    verify_signature(parse(signed_raw(identity, payload_with())), identity.public_key)


def test_every_flipped_bit_is_refused(identity: Identity, make_message: MessageMaker) -> None:
    raw = sign(make_message(), identity).raw
    refused_by_parse = 0
    for bit in range(8 * len(raw)):
        flipped = bytearray(raw)
        flipped[bit // 8] ^= 1 << bit % 8
        try:
            received = parse(bytes(flipped))
        except WireError:
            refused_by_parse += 1
            continue
        with pytest.raises(WireError, match="not signed by"):
            verify_signature(received, identity.public_key)
    assert refused_by_parse > 0


def test_every_truncation_is_refused(identity: Identity, make_message: MessageMaker) -> None:
    raw = sign(make_message(), identity).raw
    for length in range(len(raw)):
        with pytest.raises(WireError, match=r"\w"):
            parse(raw[:length])


def test_every_additional_byte_is_refused(identity: Identity, make_message: MessageMaker) -> None:
    raw = sign(make_message(), identity).raw
    for more in range(256):
        for extended in (raw + bytes([more]), bytes([more]) + raw):
            with pytest.raises(WireError, match=r"\w"):
                parse(extended)


def test_an_oversized_message_is_refused_unread() -> None:
    with pytest.raises(WireError, match=f"at most {MAX_MESSAGE_BYTES} bytes"):
        parse(b"\x97" * (MAX_MESSAGE_BYTES + 1))


def test_another_peers_signature_is_refused(
    identity: Identity, other_identity: Identity, make_message: MessageMaker
) -> None:
    signed = sign(make_message(), other_identity)
    with pytest.raises(WireError, match="seat 2 in round 300 is not signed by"):
        verify_signature(signed, identity.public_key)


def test_an_unsigned_message_is_refused(identity: Identity, make_message: MessageMaker) -> None:
    for kind in Kind:
        signed = sign(make_message(kind), identity)
        with pytest.raises(WireError, match=r"\w"):
            parse(signed.payload)
        for nothing in (bytes(64), b"\xff" * 64, signed.payload[-64:]):
            with pytest.raises(WireError, match="not signed by"):
                verify_signature(parse(signed.payload + nothing), identity.public_key)


def test_a_signature_moved_to_another_message_is_refused(
    identity: Identity, make_message: MessageMaker
) -> None:
    one = sign(make_message(round_number=1), identity)
    two = sign(make_message(round_number=2), identity)
    with pytest.raises(WireError, match="not signed by"):
        verify_signature(parse(one.payload + two.signature), identity.public_key)


def test_a_signature_for_another_purpose_is_refused(identity: Identity) -> None:
    payload = payload_with()
    raw = payload + identity.sign(b"p2pcoup vote", payload)
    with pytest.raises(WireError, match="not signed by"):
        verify_signature(parse(raw), identity.public_key)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"version": 2}, "protocol version 2; this program speaks version 1"),
        ({"version": 0}, "protocol version 0"),
        ({"version": "1"}, "protocol version unknown"),
        ({"version": True}, "protocol version unknown"),
        ({"version": None}, "protocol version unknown"),
        ({"game": b"g" * 31}, "game id"),
        ({"game": b"g" * 33}, "game id"),
        ({"game": "g" * 32}, "game id"),
        ({"round": -1}, "round"),
        ({"round": MAX_ROUND + 1}, "round"),
        ({"round": True}, "round"),
        ({"round": "7"}, "round"),
        ({"round": None}, "round"),
        ({"seat": -1}, "seat"),
        ({"seat": MAX_SEATS}, "seat"),
        ({"seat": False}, "seat"),
        ({"seat": b"\x01"}, "seat"),
        ({"parent": b""}, "parent"),
        ({"parent": None}, "parent"),
        ({"kind": "UNSEAL"}, "'UNSEAL' is no kind"),
        ({"kind": "x" * 500}, "is no kind"),
        ({"kind": "\x1b[2J"}, r"'\\x1b\[2J' is no kind"),
        ({"kind": b"unseal"}, "is no kind"),
        ({"kind": 3}, "is no kind"),
        ({"body": []}, "has 2 fields, not 0"),
        ({"body": ["pass"]}, "has 2 fields, not 1"),
        ({"body": ["pass", b"s" * 32, b""]}, "has 2 fields, not 3"),
        ({"body": b"pass"}, "body of a message is an array"),
        ({"body": None}, "body of a message is an array"),
        ({"body": [b"pass", b"s" * 32]}, "field move .* must be text"),
        ({"body": ["pass", "s" * 32]}, "field salt .* must be bytes"),
        ({"body": ["pass", 5]}, "field salt .* must be bytes"),
        ({"body": ["pass", [b"s" * 32]]}, "field salt .* must be bytes"),
        ({"body": ["pass", b"s" * 31]}, "has 32 bytes, not 31"),
        ({"body": ["pass", b"s" * 33]}, "has 32 bytes, not 33"),
        ({"body": ["", b"s" * 32]}, "1 to 64 characters, not 0"),
        ({"body": ["p" * 65, b"s" * 32]}, "1 to 64 characters, not 65"),
        ({"body": ["pass\n", b"s" * 32]}, "printable ASCII"),
        ({"body": ["\x1b[2J", b"s" * 32]}, "printable ASCII"),
        ({"body": ["pâss", b"s" * 32]}, "printable ASCII"),
        ({"body": ["pass\x7f", b"s" * 32]}, "printable ASCII"),
        ({"body": ["pass\0", b"s" * 32]}, "printable ASCII"),
        ({"extra": 1}, "has 7 items, not 8"),
    ],
)
def test_a_signed_message_of_the_wrong_shape_is_refused(
    changes: dict[str, object], sentence: str, identity: Identity
) -> None:
    with pytest.raises(WireError, match=sentence) as caught:
        parse(signed_raw(identity, payload_with(**changes)))
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("payload", [b"\x90", b"\x01", b"\xc0", encode("text"), encode([1])])
def test_a_payload_that_is_no_message_is_refused(payload: bytes, identity: Identity) -> None:
    with pytest.raises(WireError, match=r"\w"):
        parse(signed_raw(identity, payload))


def test_a_map_is_refused(identity: Identity) -> None:
    payload = msgpack.packb({"version": 1})
    with pytest.raises(WireError, match="not part of the format"):
        parse(signed_raw(identity, payload))


def test_a_second_spelling_of_a_message_is_refused(identity: Identity) -> None:
    canonical = payload_with(round=7)
    assert canonical.count(b"\x07") == 1
    for spelling in (b"\xcc\x07", b"\xcd\0\x07", b"\xd0\x07"):
        with pytest.raises(WireError, match="shortest form"):
            parse(signed_raw(identity, canonical.replace(b"\x07", spelling)))


@pytest.mark.parametrize("kind", Kind)
def test_every_field_of_every_kind_is_bounded_on_both_sides(
    kind: Kind, identity: Identity, make_message: MessageMaker
) -> None:
    whole = list(make_message(kind).body)
    for place, schema in enumerate(SCHEMA[kind]):
        unit: bytes | str = b"x" if schema.type is FieldType.BYTES else "x"
        for length in (schema.least - 1, schema.most + 1):
            body = [*whole[:place], unit * length, *whole[place + 1 :]]
            payload = payload_with(kind=kind.value, body=body)
            with pytest.raises(WireError, match=f"field {schema.name} |at most"):
                parse(signed_raw(identity, payload))


@pytest.mark.parametrize("kind", Kind)
def test_every_field_of_every_kind_may_be_as_short_and_as_long_as_its_limits(
    kind: Kind, identity: Identity, make_message: MessageMaker
) -> None:
    whole = list(make_message(kind).body)
    for place, schema in enumerate(SCHEMA[kind]):
        unit: bytes | str = b"\0" if schema.type is FieldType.BYTES else " "
        for length in (schema.least, schema.most):
            body = [*whole[:place], unit * length, *whole[place + 1 :]]
            received = parse(signed_raw(identity, payload_with(kind=kind.value, body=body)))
            assert received.message.body == tuple(body)


@given(raw=st.binary(max_size=400))
def test_bytes_after_a_true_beginning_are_a_message_or_refused(
    raw: bytes, identity: Identity
) -> None:
    beginning = payload_with()
    for length in (1, 36, 70, len(beginning) - 20):
        try:
            received = parse(beginning[:length] + raw)
        except WireError as error:
            sentence = str(error)
        else:
            assert sign(received.message, identity).payload == received.payload
            sentence = "a message"
        assert sentence.isprintable()


@given(st.binary(max_size=400))
def test_any_bytes_are_refused_by_a_wire_error(data: bytes) -> None:
    with pytest.raises(WireError, match=r"\w"):
        parse(data)


@pytest.mark.parametrize(
    "change",
    [
        {"game": b""},
        {"round": -1},
        {"round": MAX_ROUND + 1},
        {"seat": MAX_SEATS},
        {"seat": True},
        {"parent": b"p"},
        {"body": ()},
        {"kind": Kind.SEAL},
    ],
)
def test_a_wrong_message_cannot_be_built(
    change: dict[str, object], make_message: MessageMaker
) -> None:
    with pytest.raises(WireError, match=r"\w"):
        dataclasses.replace(make_message(), **change)  # type: ignore[arg-type]
