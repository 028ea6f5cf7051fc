import errno
import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcoup.net.address import (
    Address,
    AddressError,
    explain_connect,
    explain_listen,
    network_of,
    parse_address,
)


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("127.0.0.1:80", Address("127.0.0.1", 80)),
        (" localhost:5470 ", Address("localhost", 5470)),
        ("[::1]:65535", Address("::1", 65535)),
        ("[fe80::1%eth0]:1", Address("fe80::1%eth0", 1)),
        ("my-pc.local.:0", Address("my-pc.local.", 0)),
        ("xn--bcher-kva.example:9", Address("xn--bcher-kva.example", 9)),
    ],
)
def test_an_address_is_read(text: str, address: Address) -> None:
    assert parse_address(text) == address
    assert parse_address(str(address)) == address


def test_a_missing_port_is_the_default_port_if_there_is_one() -> None:
    assert parse_address("host", default_port=5470) == Address("host", 5470)
    assert parse_address("[::1]", default_port=5470) == Address("::1", 5470)
    with pytest.raises(AddressError, match="no port"):
        parse_address("host")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no host"),
        (":80", "no host"),
        ("::1:80", r"\[::1:80\]:port"),
        ("a:b:c", "several colons"),
        ("[::1", "is written"),
        ("[::1]x", "is written"),
        ("[host]:80", "no IPv6 address"),
        ("[::1%\x1b[2J]:80", "no IPv6 address"),
        ("host:", "no port"),
        ("host:65536", "no port"),
        ("host:-1", "no port"),
        ("host:٣", "no port"),
        ("127.1:80", "neither"),
        ("256.1.1.1:80", "neither"),
        ("a..b:80", "neither"),
        ("-a:80", "neither"),
        ("a b:80", "neither"),
        ("h\x1b[2Jst:80", "neither"),
        ("a" * 64 + ":80", "neither"),
        ("a." * 127 + ":80", "neither"),
        ("a" * 301, "too long"),
    ],
)
def test_what_is_no_address_is_refused_with_a_sentence(text: str, words: str) -> None:
    with pytest.raises(AddressError, match=words) as caught:
        parse_address(text)
    assert str(caught.value).endswith(".")
    assert str(caught.value).isprintable()


@given(st.text(max_size=40))
def test_any_text_is_an_address_or_an_address_error(text: str) -> None:
    try:
        address = parse_address(text)
    except AddressError:
        return
    assert parse_address(str(address)) == address
    assert str(address).isprintable()


def test_one_ipv6_subscriber_is_one_network() -> None:
    assert network_of("2001:db8::1") == network_of("2001:db8::ffff:0:0:1")
    assert network_of("2001:db8::1") != network_of("2001:db8:0:1::1")
    assert network_of("::ffff:192.0.2.1") == network_of("192.0.2.1")
    assert network_of("192.0.2.1") != network_of("192.0.2.2")
    assert network_of("fe80::1%eth0") == network_of("fe80::2%eth0")
    assert network_of("not an address") == "not an address"


def test_why_nobody_answers_is_found_behind_trios_summary() -> None:
    summary = OSError("all attempts failed")
    summary.__cause__ = ExceptionGroup("all", [OSError(errno.ECONNREFUSED, "refused")])
    assert "Nobody listens at [::1]:7" in explain_connect(Address("::1", 7), summary)
    summary.__cause__ = OSError(errno.ETIMEDOUT, "timed out")
    assert "[::1]:7 does not answer" in explain_connect(Address("::1", 7), summary)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (socket.gaierror(-2, "Name or service not known"), "The name h is not known"),
        (OSError(errno.EHOSTUNREACH, "x"), "no way to h:7"),
        (OSError(errno.EMFILE, "Too many open files"), "failed: Too many open files."),
        (OSError("strange"), "failed: strange."),
    ],
)
def test_every_reason_for_not_connecting_is_a_sentence(error: OSError, words: str) -> None:
    assert words in explain_connect(Address("h", 7), error)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError(errno.EADDRINUSE, "x"), "choose another port"),
        (PermissionError(errno.EACCES, "x"), "may not use port 7"),
        (OSError(errno.EADDRNOTAVAIL, "x"), "not an address of this computer"),
        (OSError(errno.EAFNOSUPPORT, "x"), "no such kind of address"),
        (OSError(errno.EMFILE, "Too many open files"), "Too many open files."),
        (socket.gaierror(-2, "x"), "name h is not known"),
    ],
)
def test_every_reason_for_not_listening_is_a_sentence(error: OSError, words: str) -> None:
    sentence = explain_listen(Address("h", 7), error)
    assert sentence.startswith("Cannot listen at h:7: ")
    assert words in sentence
