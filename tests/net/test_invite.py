"""Invites: what is written can be read, also when it was copied badly."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pcoup.net.address import Address
from p2pcoup.net.invite import (
    MAX_INVITE_ADDRESSES,
    MAX_INVITE_TEXT,
    Invite,
    InviteError,
    parse_invite,
)
from p2pcoup.wire import PeerId, peer_id

PEERS = st.integers(2, 2**250).map(lambda y: peer_id(y.to_bytes(32, "little")))
LABELS = st.text("abcdefghijklmnopqrstuvwxyz0123456789", min_size=1, max_size=63).map(
    lambda text: f"h{text[1:]}"
)
HOSTS = (
    LABELS
    | st.lists(LABELS, min_size=1, max_size=3).map(".".join)
    | st.ip_addresses(v=4).map(str)
    | st.ip_addresses(v=6).map(str)
)
ADDRESSES = st.builds(Address, HOSTS, st.integers(1, 65535))
INVITES = st.builds(
    Invite,
    PEERS,
    st.lists(ADDRESSES, min_size=1, max_size=MAX_INVITE_ADDRESSES, unique=True).map(tuple),
)
ASH: PeerId = peer_id(b"\x02" + bytes(31))


def read_or_refused(text: str) -> Invite | str:
    """The invite, or the sentence with which it was refused."""
    try:
        return parse_invite(text)
    except InviteError as error:
        return str(error)


@given(INVITES)
@settings(max_examples=40)
def test_what_is_written_is_read_again(invite: Invite) -> None:
    assert parse_invite(str(invite)) == invite


@given(INVITES, st.integers(0, 2**32))
@settings(max_examples=40)
def test_an_invite_survives_being_wrapped_shouted_and_put_in_brackets(
    invite: Invite, seed: int
) -> None:
    luck = random.Random(seed)
    text = "".join(
        luck.choice((each, each.upper())) + luck.choice(("", "", "", " ", "\n\t", "\u00a0"))
        for each in str(invite).removeprefix(luck.choice(("", "coup://")))
    )
    assert parse_invite(f"\n<{text}>, ") == invite


@given(st.text(max_size=200) | st.text("coup:/#,.[]%0123456789ABZ-", max_size=120))
def test_any_text_is_an_invite_or_refused_with_a_sentence(text: str) -> None:
    told = read_or_refused(text)
    if isinstance(told, Invite):
        assert parse_invite(str(told)) == told
    else:
        assert told
        assert told.isprintable()


@given(INVITES, st.data())
@settings(max_examples=40)
def test_a_mistyped_peer_id_is_noticed(invite: Invite, data: st.DataObject) -> None:
    text = str(invite)
    position = data.draw(st.integers(text.index("#") + 1, len(text) - 1))
    wrong = data.draw(st.sampled_from("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"))
    if text[position] in ("-", wrong):
        return
    with pytest.raises(InviteError, match="after the #"):
        parse_invite(text[:position] + wrong + text[position + 1 :])


def test_the_longest_invite_fits() -> None:
    host = ".".join(["a" * 63, "b" * 63, "c" * 63, "d" * 57])
    addresses = tuple(Address(f"{host}{n:04}", 65000) for n in range(MAX_INVITE_ADDRESSES))
    text = str(Invite(ASH, addresses))
    assert len(text) < MAX_INVITE_TEXT
    assert parse_invite(text).addresses == addresses


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("   ", "no invite here"),
        ("coup://", "no peer id"),
        (f"coup://a:1 {ASH}", "no peer id"),
        (f"coup://1.2.3:4#{ASH}", "neither a host name"),
        (f"coup://a:0#{ASH}", "no place to reach"),
        (f"ftp://a:1#{ASH}", "another kind of link"),
        ("a" * (MAX_INVITE_TEXT + 1), "too long"),
    ],
)
def test_what_is_wrong_is_said(text: str, words: str) -> None:
    with pytest.raises(InviteError, match=words):
        parse_invite(text)


@pytest.mark.parametrize(
    ("peer", "addresses"),
    [
        (ASH.lower(), (Address("a", 1),)),
        (ASH, ()),
        (ASH, (Address("a", 1), Address("a", 1))),
        (ASH, tuple(Address("a", port) for port in range(1, MAX_INVITE_ADDRESSES + 2))),
        (ASH, (Address("a", 0),)),
        (ASH, (Address("fe80::1%eth0", 1),)),
        (ASH, (Address("a,b", 1),)),
        (ASH, (Address("a#", 1),)),
    ],
)
def test_an_invite_that_could_not_be_read_cannot_be_made(
    peer: str, addresses: tuple[Address, ...]
) -> None:
    with pytest.raises(ValueError, match=r"."):
        Invite(PeerId(peer), addresses)
