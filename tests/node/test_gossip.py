"""Gossip between peers: its bytes, and how often a request is answered."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcoup.node.gossip import (
    ANSWER_RATE,
    ANSWER_SECONDS,
    MAX_GOSSIP_BYTES,
    PIECE_BYTES,
    Gossip,
    Have,
    Passed,
    Requests,
    Whispered,
    decode_gossip,
    encode_gossip,
)
from p2pcoup.wire import MAX_MESSAGE_BYTES, PeerId, WireError, encode
from p2pcoup.wire.aside import MAX_ASIDE_BYTES

GAME = b"g" * 32
ASH, BIRCH = PeerId("ASH"), PeerId("BIRCH")

haves = st.builds(Have, st.binary(max_size=64), st.integers(0, 2**53 - 1), st.booleans())
messages = st.builds(Passed, st.binary(max_size=MAX_MESSAGE_BYTES))
asides = st.builds(Whispered, st.binary(max_size=MAX_ASIDE_BYTES))


@given(haves | messages | asides)
def test_gossip_survives_the_way_there(gossip: Gossip) -> None:
    assert decode_gossip(encode_gossip(gossip)) == gossip


def test_the_largest_message_fits() -> None:
    largest = Passed(b"m" * MAX_MESSAGE_BYTES)
    assert len(encode_gossip(largest)) <= MAX_GOSSIP_BYTES
    assert decode_gossip(encode_gossip(largest)) == largest


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"\xc1",
        encode("have"),
        encode(("have", GAME, 3)),
        encode(("have", GAME, -1, False)),
        encode(("have", GAME, True, False)),
        encode(("have", GAME, 3, 0)),
        encode(("have", "text", 3, False)),
        encode(("have", GAME, 3, False, None)),
        encode(("message", "text")),
        encode(("message",)),
        encode(("aside", "text")),
        encode(("aside", b"", b"")),
        encode(("want", b"")),
        encode(("message", b"m")) + b"\x00",
        encode_gossip(Passed(b"m" * MAX_GOSSIP_BYTES)),
    ],
)
def test_anything_else_is_refused_with_a_sentence(payload: bytes) -> None:
    with pytest.raises(WireError, match=r"\.$"):
        decode_gossip(payload)


@given(st.binary(max_size=200))
def test_junk_is_refused_or_is_gossip_in_its_one_form(payload: bytes) -> None:
    try:
        gossip = decode_gossip(payload)
    except WireError:
        return
    assert encode_gossip(gossip) == payload


# --- requests -------------------------------------------------------------------------------------


def has(closed: int) -> Have:
    """So many rounds of some game."""
    return Have(bytes(32), closed, False)


def test_nothing_is_due_when_nobody_has_asked() -> None:
    assert Requests().due_at() == math.inf
    assert Requests().take(now=1e9) == []


def test_the_first_request_of_a_peer_is_answered_at_once() -> None:
    requests = Requests()
    requests.ask(ASH, has(3))
    assert requests.due_at() <= 100.0
    assert requests.take(now=100.0) == [(ASH, has(3))]
    assert requests.due_at() == math.inf


def test_a_request_that_comes_too_soon_waits_and_the_last_one_counts() -> None:
    requests = Requests()
    requests.ask(ASH, has(0))
    requests.take(now=100.0)
    for closed in (1, 2, 7):
        requests.ask(ASH, has(closed))
    assert requests.take(now=100.0) == []
    assert requests.due_at() == 100.0 + ANSWER_SECONDS
    assert requests.take(now=requests.due_at()) == [(ASH, has(7))]


def test_however_often_a_peer_asks_it_is_answered_once_in_that_time() -> None:
    requests = Requests()
    answers = 0
    for tick in range(1000):
        requests.ask(ASH, has(0))
        answers += len(requests.take(now=tick * ANSWER_SECONDS / 100))
    assert answers == 10


def test_one_peer_s_requests_do_not_delay_another_s() -> None:
    requests = Requests()
    requests.ask(ASH, has(0))
    requests.take(now=100.0)
    requests.ask(ASH, has(0))
    requests.ask(BIRCH, has(5))
    assert requests.take(now=100.0) == [(BIRCH, has(5))]


def test_a_long_answer_goes_in_pieces_no_faster_than_its_rate() -> None:
    requests = Requests()
    requests.ask(ASH, has(0))
    requests.take(now=100.0)
    messages = [bytes([number]) * (PIECE_BYTES // 4) for number in range(6)]
    requests.owe(ASH, messages, now=100.0)
    assert list(requests.pieces(now=100.0)) == [(ASH, raw) for raw in messages[:4]]
    assert requests.due_at() == 100.0 + PIECE_BYTES / ANSWER_RATE
    assert not list(requests.pieces(now=101.0))
    assert list(requests.pieces(now=110.0)) == [(ASH, raw) for raw in messages[4:]]
    assert requests.due_at() == math.inf


def test_a_peer_that_asks_again_gets_a_new_answer_instead_of_the_rest_and_no_sooner() -> None:
    requests = Requests()
    requests.ask(ASH, has(0))
    requests.take(now=100.0)
    requests.owe(ASH, [bytes(PIECE_BYTES), b"rest"], now=100.0)
    list(requests.pieces(now=100.0))
    requests.ask(ASH, has(9))
    assert requests.due_at() == 100.0 + PIECE_BYTES / ANSWER_RATE
    assert requests.take(now=requests.due_at()) == [(ASH, has(9))]
    assert not list(requests.pieces(now=1000.0))


def test_nothing_is_owed_to_a_peer_whose_link_is_gone() -> None:
    requests = Requests()
    requests.ask(ASH, has(0))
    requests.ask(BIRCH, has(0))
    requests.take(now=100.0)
    requests.owe(ASH, [b"first"], now=100.0)
    requests.ask(BIRCH, has(1))
    requests.forget(ASH)
    requests.forget(BIRCH)
    assert requests.due_at() == math.inf
    assert not list(requests.pieces(now=1000.0))
