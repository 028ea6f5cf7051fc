"""Signed words outside the rounds (SPEC 3.7)."""

from dataclasses import replace

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from p2pcoup.wire import Identity, WireError, encode
from p2pcoup.wire.aside import (
    ASIDE_LABEL,
    MAX_ASIDE_BYTES,
    MAX_TALK_CHARACTERS,
    Aside,
    AsideKind,
    clean_talk,
    parse_aside,
    sign_aside,
)

ASH = Identity(Ed25519PrivateKey.from_private_bytes(bytes(32)))
BIRCH = Identity(Ed25519PrivateKey.from_private_bytes(b"\1" * 32))
HELLO = Aside(b"g" * 32, 1, 7, AsideKind.TALK, "I really have the Duke.")


def test_an_aside_is_read_as_it_was_signed() -> None:
    signed = sign_aside(HELLO, ASH)
    assert parse_aside(signed.raw) == signed
    assert signed.aside == HELLO
    assert signed.is_signed_by(ASH.public_key)
    assert not signed.is_signed_by(BIRCH.public_key)


def test_every_changed_byte_is_refused_or_breaks_the_signature() -> None:
    raw = sign_aside(HELLO, ASH).raw
    for place in range(len(raw)):
        damaged = raw[:place] + bytes([raw[place] ^ 1]) + raw[place + 1 :]
        try:
            read = parse_aside(damaged)
        except WireError:
            continue
        assert not read.is_signed_by(ASH.public_key)


@pytest.mark.parametrize(
    "value",
    [
        (),
        (1,),
        (2, b"g" * 32, 1, 7, "talk", "hello"),
        (1, b"g" * 31, 1, 7, "talk", "hello"),
        (1, b"g" * 32, 10, 7, "talk", "hello"),
        (1, b"g" * 32, -1, 7, "talk", "hello"),
        (1, b"g" * 32, 1, 2**40, "talk", "hello"),
        (1, b"g" * 32, True, 7, "talk", "hello"),
        (True, b"g" * 32, 1, 7, "talk", "hello"),
        (1, b"g" * 32, 1, 7, "shout", "hello"),
        (1, b"g" * 32, 1, 7, "talk", ""),
        (1, b"g" * 32, 1, 7, "talk", " hello"),
        (1, b"g" * 32, 1, 7, "talk", "hello\x1b[2J"),
        (1, b"g" * 32, 1, 7, "again", "perhaps"),
        (1, b"g" * 32, 1, 7, "talk", "hello", 0),
        (1, b"g" * 32, 1, 7, "talk", b"hello"),
    ],
)
def test_what_is_no_aside_is_refused(value: tuple[object, ...]) -> None:
    payload = encode(value)  # type: ignore[arg-type]
    with pytest.raises(WireError):
        parse_aside(payload + ASH.sign(ASIDE_LABEL, payload))


@given(st.binary(max_size=MAX_ASIDE_BYTES + 10))
def test_other_bytes_are_refused(raw: bytes) -> None:
    with pytest.raises(WireError):
        parse_aside(raw)


@given(st.text(max_size=2 * MAX_TALK_CHARACTERS))
def test_clean_words_stay_as_they_are_and_fit_an_aside(text: str) -> None:
    try:
        words = clean_talk(text)
    except WireError:
        return
    assert clean_talk(words) == words
    assert len(words) <= MAX_TALK_CHARACTERS
    assert len(sign_aside(replace(HELLO, text=words), ASH).raw) <= MAX_ASIDE_BYTES


@pytest.mark.parametrize(
    ("said", "clean"),
    [
        ("  a\tb\n c ", "a b c"),
        ("e\u0301", "é"),
        ("Nice 👍🏽", "Nice 👍🏽"),
        ("👩\u200d🚀", "👩\u200d🚀"),
        ("공작", "공작"),
        ("x" * MAX_TALK_CHARACTERS, "x" * MAX_TALK_CHARACTERS),
    ],
)
def test_words_are_put_in_one_form(said: str, clean: str) -> None:
    assert clean_talk(said) == clean


@pytest.mark.parametrize(
    "said",
    [
        "",
        " \n ",
        "x" * (MAX_TALK_CHARACTERS + 1),
        "x" * 100_000,
        "\x1b[31mred",
        "abc\u202edef",
        "a\u200bb",
        "a\ufeffb",
        "a" + 5 * "\u0301",
        "\u0301a",
        "\ue000",
        "\ud800",
        "a\u0000",
    ],
)
def test_words_that_would_do_something_to_a_screen_are_refused(said: str) -> None:
    with pytest.raises(WireError, match=r"^(Table talk|There is nothing)"):
        clean_talk(said)
