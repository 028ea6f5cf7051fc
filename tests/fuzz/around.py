"""Targets: what is said around a game. Lobby, asides, invites, adverts, requests of clients."""

import json
from collections.abc import Sequence
from contextlib import suppress

from p2pcoup.lobby import Person, Settings, Sheet, decode_lobby, encode_lobby
from p2pcoup.lobby.limits import MAX_LOBBY_BYTES
from p2pcoup.lobby.messages import (
    CalledOff,
    Declined,
    Doubt,
    Entered,
    Follows,
    Leave,
    LobbyMessage,
    Ready,
    Reason,
    Refused,
    Roster,
    Signed,
    Sit,
    Started,
    Talk,
    Void,
)
from p2pcoup.net import Address
from p2pcoup.net.discovery.advert import (
    MAX_RECORD_BYTES,
    Advert,
    AdvertError,
    decode_advert,
    encode_advert,
)
from p2pcoup.net.invite import MAX_INVITE_TEXT, Invite, InviteError, parse_invite
from p2pcoup.node.api.decode import MAX_REQUEST_BYTES, NotUnderstoodError, decode_request
from p2pcoup.wire import WireError
from p2pcoup.wire.aside import MAX_ASIDE_BYTES, Aside, AsideKind, parse_aside, sign_aside
from tests.fuzz.harness import taken, target
from tests.fuzz.known import identity

TABLE = b"t" * 16

# --- lobby ----------------------------------------------------------------------------------------


def some_lobby_messages() -> Sequence[bytes]:
    """Messages of a lobby, a sheet with some people among them."""
    people = tuple(
        Person(identity(n).peer_id, f"Guest {n}", ("10.0.0.1:7700",), bot=n == 3, ready=n > 1)
        for n in range(1, 4)
    )
    sheet = Sheet(TABLE, 0, 7, identity(1).peer_id, "friday", Settings(), people, 0)
    key = identity(1).public_key
    messages: Sequence[LobbyMessage] = (
        sheet,
        Sit(TABLE, "Ash", ("10.0.0.1:7700",), False, True),
        Ready(TABLE, bytes(32)),
        Leave(TABLE),
        Follows(TABLE, 1, identity(1).peer_id, True),
        Roster(TABLE, 0, 1, 7, 3, b"terms"),
        Signed(TABLE, 0, 1, key, bytes(64)),
        Started(TABLE, 0, 1, 3, b"terms", ((key, bytes(64)),) * 2, (("10.0.0.1:7700",),) * 2),
        Entered(TABLE, bytes(32), (0, 2)),
        Void(TABLE, bytes(32)),
        Talk(TABLE, 7, key, bytes(64), "well, well"),
        Refused(TABLE, next(iter(Reason))),
        Declined(TABLE, 0, 1, next(iter(Doubt))),
        CalledOff(TABLE, 0, 1, next(iter(Doubt)), identity(2).peer_id),
    )
    return [encode_lobby(message) for message in messages]


@target("lobby", some_lobby_messages, MAX_LOBBY_BYTES, examples=200)
def lobby(data: bytes) -> None:
    """A message of a lobby encodes to what was read."""
    with suppress(WireError):
        assert encode_lobby(decode_lobby(data)) == data


# --- asides ---------------------------------------------------------------------------------------


def some_asides() -> Sequence[bytes]:
    """Words beside a game."""
    said = (AsideKind.TALK, "I have the Duke. \u017bart?"), (AsideKind.TALK, "x" * 280)
    return [
        sign_aside(Aside(bytes(32), 1, number, kind, text), identity(1)).raw
        for number, (kind, text) in enumerate(said)
    ]


@target("aside", some_asides, MAX_ASIDE_BYTES, examples=200)
def aside(data: bytes) -> None:
    """An aside is what was signed, and does nothing to a terminal."""
    read = taken(lambda: parse_aside(data), WireError)
    if read is not None:
        assert read.raw == data
        assert read.aside.text == "" or read.aside.text.isprintable()
        again = sign_aside(read.aside, identity(1)).raw
        assert again[:-64] == data[:-64]


# --- ways to a table ------------------------------------------------------------------------------


def some_invites() -> Sequence[bytes]:
    """Invites, as they are written and as people send them."""
    places = (Address("192.168.1.10", 7700), Address("fd00::1", 7700), Address("ash.example", 1))
    text = str(Invite(identity(1).peer_id, places))
    return [text.encode(), f"Come! <{text.upper()}>.".encode(), text[7:].encode()]


@target("invite", some_invites, MAX_INVITE_TEXT * 4, examples=200)
def invite(data: bytes) -> None:
    """An invite is what its text says."""
    read = taken(lambda: parse_invite(data.decode("utf-8", "replace")), InviteError)
    assert read is None or parse_invite(str(read)) == read


def some_adverts() -> Sequence[bytes]:
    """Text records of a table."""
    told = Advert(identity(1).peer_id, "friday", "Ash", "base", "standard", 1, 4, since=1)
    data = encode_advert(told)
    return [data, b"\x03a=b" + data, data + b"\x05seats"]


@target("advert", some_adverts, MAX_RECORD_BYTES, examples=200)
def advert(data: bytes) -> None:
    """An advert that is shown can be told, and says the same then."""
    read = taken(lambda: decode_advert(data), AdvertError)
    assert read is None or decode_advert(encode_advert(read)) == read


# --- clients --------------------------------------------------------------------------------------


def some_requests() -> Sequence[bytes]:
    """Requests of a client."""
    requests: Sequence[dict[str, object]] = (
        {"type": "answer", "n": 1, "question": "00ff:12", "move": "0 income"},
        {"type": "say", "n": 2**53 - 1, "text": "hello \u2603"},
        {"type": "ready", "ready": True},
        {"type": "settings", "games": 3, "times": {"decide": 45, "answer": 20, "grace": 120}},
        {"type": "resume", "run": "ab", "after": 5},
    )
    return [json.dumps(request).encode() for request in requests]


@target("request", some_requests, MAX_REQUEST_BYTES, examples=200)
def request(data: bytes) -> None:
    """A request is understood, or why not is said without sending back what steers a terminal."""
    answer = "understood"
    try:
        decode_request(data)
    except NotUnderstoodError as error:
        answer = f"{error.code}: {error}"
    assert answer.split(":")[0] in ("understood", "bad-message", "unknown", "too-long")
    assert answer.isprintable()
