import base64
import itertools
from collections.abc import Callable

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from p2pcoup.wire import Identity, PeerId, WireError, parse_peer_id, peer_id, verify

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
FIELD = 2**255 - 19

public_keys = st.binary(min_size=32, max_size=32).map(
    lambda seed: Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw()
)


# --- peer ids -----------------------------------------------------------------------------------


def test_a_peer_id_is_a_known_text(identity: Identity) -> None:
    assert identity.public_key.hex() == (
        "03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8"
    )
    assert identity.peer_id == "NUEYRUV-KWPDATI-OTK6B2Q-EA2RK3U-32VY6ID-3J3OEH5-S2CTSE7-CAS73QH"


@given(public_keys)
def test_a_peer_id_reads_back_as_itself(key: bytes) -> None:
    text = peer_id(key)
    assert len(text) == 63
    assert [len(group) for group in text.split("-")] == [7] * 8
    assert parse_peer_id(text) == text


@pytest.mark.parametrize(
    "mangle",
    [
        lambda text: text.lower(),
        lambda text: text.replace("-", ""),
        lambda text: text.replace("-", " "),
        lambda text: f"  {text}\r\n",
        lambda text: "-" + "--".join(text) + "-",
        lambda text: text.replace("-", "\N{EN DASH}"),
        lambda text: text.replace("O", "0").replace("I", "1").replace("B", "8"),
        lambda text: text.replace("O", "o").replace("I", "l").replace("l", "1"),
    ],
)
def test_a_peer_id_typed_differently_is_forgiven(
    identity: Identity, other_identity: Identity, mangle: Callable[[str], str]
) -> None:
    for known in (identity.peer_id, other_identity.peer_id):
        assert parse_peer_id(mangle(known)) == known


def test_every_single_wrong_character_is_refused_and_its_group_named(identity: Identity) -> None:
    text = identity.peer_id
    for position, character in enumerate(text):
        if character == "-":
            continue
        group = text[:position].count("-") + 1
        first_of_pair = (group - 1) // 2 * 2 + 1
        for other in ALPHABET.replace(character, ""):
            wrong = text[:position] + other + text[position + 1 :]
            with pytest.raises(WireError, match=f"groups {first_of_pair} and {first_of_pair + 1} "):
                parse_peer_id(wrong)


def test_two_exchanged_characters_of_a_block_are_refused(identity: Identity) -> None:
    text = identity.peer_id.replace("-", "")
    for block in range(4):
        for one, two in itertools.combinations(range(block * 14, block * 14 + 14), 2):
            if text[one] != text[two]:
                swapped = list(text)
                swapped[one], swapped[two] = text[two], text[one]
                with pytest.raises(WireError, match="mistake in groups"):
                    parse_peer_id("".join(swapped))


def test_exchanged_blocks_are_refused(identity: Identity) -> None:
    text = identity.peer_id.replace("-", "")
    blocks = [text[i : i + 14] for i in range(0, 56, 14)]
    for order in itertools.permutations(range(4)):
        candidate = "".join(blocks[i] for i in order)
        if candidate != text:
            with pytest.raises(WireError, match="mistake in groups"):
                parse_peer_id(candidate)


def test_spare_bits_that_no_digest_has_are_refused(identity: Identity) -> None:
    # The last data character carries one bit; its check character is right, its spare bits are not.
    start, last = identity.peer_id[:-2], identity.peer_id[-2]
    accepted, spare = [], 0
    for value, check in itertools.product(ALPHABET, repeat=2):
        try:
            accepted.append(parse_peer_id(start + value + check))
        except WireError as error:
            spare += "id of no peer" in str(error)
    assert identity.peer_id in accepted
    assert {text[-2] for text in accepted} == {"A", "Q"}
    assert last in "AQ"
    assert spare == 30


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda t: t[:-1], r"group 8 \(.{6}\) has 6"),
        (lambda t: t[:8] + "A" + t[8:], r"group 2 \(.{8}\) has 8"),
        (lambda t: t.replace("-", "")[:-1], "this one has 55"),
        (lambda t: t + "-" + t[:7], "this one has 63"),
        (lambda t: t[:0], "this one has 0"),
        (lambda t: t[:18] + "!" + t[19:], r"Group 3 .* contains '!'"),
        (lambda t: t[:18] + "\x1b" + t[19:], r"contains '\\x1b'"),
        (lambda t: t[:18] + "ß" + t[19:], r"contains '\\xdf'"),
        (lambda t: t[:18] + "9" + t[19:], "contains '9'"),
        (lambda t: t * 5, "longer"),
    ],
)
def test_text_that_is_no_peer_id_is_refused_with_a_reason(
    identity: Identity, change: Callable[[str], str], sentence: str
) -> None:
    with pytest.raises(WireError, match=sentence):
        parse_peer_id(change(identity.peer_id))


@given(st.text(max_size=300))
def test_any_text_is_parsed_or_refused_by_a_wire_error(text: str) -> None:
    try:
        parsed = parse_peer_id(text)
    except WireError as error:
        sentence = str(error)
    else:
        sentence = parse_peer_id(parsed)
    assert sentence.isascii()
    assert sentence.isprintable()


# --- keys ---------------------------------------------------------------------------------------


def add(one: tuple[int, int], two: tuple[int, int]) -> tuple[int, int]:
    """Edwards addition on the curve of Ed25519 (RFC 8032, 5.1.4), in affine coordinates."""
    d = -121665 * pow(121666, -1, FIELD) % FIELD
    (x1, y1), (x2, y2) = one, two
    k = d * x1 * x2 * y1 * y2 % FIELD
    return (
        (x1 * y2 + x2 * y1) * pow(1 + k, -1, FIELD) % FIELD,
        (y1 * y2 + x1 * x2) * pow(1 - k, -1, FIELD) % FIELD,
    )


def square_root(square: int) -> int | None:
    root = pow(square, (FIELD + 3) // 8, FIELD)
    for candidate in (root, root * pow(2, (FIELD - 1) // 4, FIELD) % FIELD):
        if candidate * candidate % FIELD == square % FIELD:
            return candidate
    return None


def small_order_encodings() -> list[bytes]:
    """Both encodings (either sign) of the y of all eight points whose order divides 8."""
    d = -121665 * pow(121666, -1, FIELD) % FIELD
    # A point T of order 8 has 2T = (root of -1, 0), so x^2 = -y^2 and d y^4 + 2 y^2 = 1.
    found: set[int] = set()
    for sign in (1, -1):
        root = square_root(1 + d)
        assert root is not None
        y = square_root((sign * root - 1) * pow(d, -1, FIELD) % FIELD)
        if y is None:
            continue
        for x_sign, y_sign in itertools.product((1, -1), repeat=2):
            x = square_root((y * y - 1) * pow(d * y * y + 1, -1, FIELD) % FIELD)
            assert x is not None
            point = total = (x_sign * x % FIELD, y_sign * y % FIELD)
            for _ in range(8):
                found.add(total[1])
                total = add(total, point)
            assert total == point  # eight times the point is the neutral element
    assert len(found) == 5
    return [(y | sign << 255).to_bytes(32, "little") for y in found for sign in (0, 1)]


def test_keys_of_small_order_are_nobodys() -> None:
    for key in small_order_encodings():
        with pytest.raises(WireError, match="small order"):
            peer_id(key)


def test_one_signature_does_not_fit_many_messages_under_a_key_of_small_order() -> None:
    # R = neutral element, S = 0 satisfies the equation under the neutral key for every message.
    neutral = (1).to_bytes(32, "little")
    signature = neutral + bytes(32)
    assert not any(verify(neutral, b"label", bytes([i]), signature) for i in range(16))


@pytest.mark.parametrize("y", [FIELD, FIELD + 1, FIELD + 5, 2**255 - 1])
def test_a_second_encoding_of_a_key_is_refused(y: int) -> None:
    for sign in (0, 1):
        with pytest.raises(WireError, match="canonical"):
            peer_id((y | sign << 255).to_bytes(32, "little"))


@pytest.mark.parametrize("length", [0, 31, 33, 64])
def test_a_key_of_another_length_is_refused(length: int) -> None:
    with pytest.raises(WireError, match="32 bytes"):
        peer_id(b"\x09" * length)


# --- signatures ---------------------------------------------------------------------------------


def test_a_signature_holds_for_its_key_label_and_data_only(
    identity: Identity, other_identity: Identity
) -> None:
    signature = identity.sign(b"label", b"data")
    assert verify(identity.public_key, b"label", b"data", signature)
    assert not verify(other_identity.public_key, b"label", b"data", signature)
    assert not verify(identity.public_key, b"labe1", b"data", signature)
    assert not verify(identity.public_key, b"label", b"data ", signature)
    assert not verify(identity.public_key, b"labeld", b"ata", signature)
    assert not verify(identity.public_key, b"label", b"data", signature[:-1])
    assert not verify(identity.public_key, b"label", b"data", signature + b"\0")
    assert not verify(identity.public_key[:-1], b"label", b"data", signature)


def test_every_changed_bit_of_a_signature_is_refused(identity: Identity) -> None:
    signature = identity.sign(b"label", b"data")
    for bit in range(512):
        wrong = bytearray(signature)
        wrong[bit // 8] ^= 1 << bit % 8
        assert not verify(identity.public_key, b"label", b"data", bytes(wrong))


def test_a_signature_with_an_unreduced_scalar_is_refused(identity: Identity) -> None:
    order = 2**252 + 27742317777372353535851937790883648493
    signature = identity.sign(b"label", b"data")
    scalar = int.from_bytes(signature[32:], "little") + order
    wrong = signature[:32] + scalar.to_bytes(32, "little")
    assert not verify(identity.public_key, b"label", b"data", wrong)


def test_what_is_signed_begins_with_our_prefix_as_no_tls_handshake_or_certificate_does(
    identity: Identity,
) -> None:
    signature = identity.sign(b"label", b"data")
    identity.private_key.public_key().verify(signature, b"p2pcoup signed\0\x05labeldata")


def test_a_label_has_a_length() -> None:
    identity = Identity.generate()
    for label in (b"", b"x" * 256):
        with pytest.raises(ValueError, match="label"):
            identity.sign(label, b"data")
    assert verify(identity.public_key, b"x" * 255, b"", identity.sign(b"x" * 255, b""))


def test_signing_twice_gives_the_same_bytes(identity: Identity) -> None:
    assert identity.sign(b"label", b"data") == identity.sign(b"label", b"data")


# --- keeping ------------------------------------------------------------------------------------


def test_an_identity_comes_back_from_its_pem(identity: Identity) -> None:
    again = Identity.from_pem(identity.to_pem())
    assert again.public_key == identity.public_key
    assert again.sign(b"label", b"data") == identity.sign(b"label", b"data")


def test_generated_identities_differ() -> None:
    ids: set[PeerId] = {Identity.generate().peer_id for _ in range(8)}
    assert len(ids) == 8


def test_an_identity_does_not_show_its_secret(identity: Identity) -> None:
    assert repr(identity) == str(identity) == f"Identity({identity.peer_id})"
    assert bytes(range(32)).hex() not in repr(identity)


def test_a_key_of_another_kind_is_refused() -> None:
    pem = generate_private_key(SECP256R1()).private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    with pytest.raises(WireError, match="Ed25519 key is needed"):
        Identity.from_pem(pem)


def test_a_key_under_a_password_is_refused(identity: Identity) -> None:
    pem = identity.private_key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.BestAvailableEncryption(b"password"),
    )
    with pytest.raises(WireError, match="password"):
        Identity.from_pem(pem)


@pytest.mark.parametrize("curve", [0x6E, 0x6F, 0x71])
def test_a_pem_that_names_another_curve_for_the_key_is_refused(
    identity: Identity, curve: int
) -> None:
    plain = b"".join(identity.to_pem().splitlines()[1:-1])
    der = base64.b64decode(plain).replace(b"\x2b\x65\x70", bytes([0x2B, 0x65, curve]))
    pem = b"-----BEGIN PRIVATE KEY-----\n%b-----END PRIVATE KEY-----\n" % base64.encodebytes(der)
    with pytest.raises(WireError, match=r"cannot be read|of another kind"):
        Identity.from_pem(pem)


@pytest.mark.parametrize("cut", [0, 1, 30, 60, 100])
def test_a_damaged_pem_is_refused(identity: Identity, cut: int) -> None:
    with pytest.raises(WireError, match="cannot be read"):
        Identity.from_pem(identity.to_pem()[:cut])
