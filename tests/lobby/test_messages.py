"""The bytes of a lobby's messages: every one comes back, nothing else is taken."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcoup.lobby import Person, Settings, Sheet, decode_lobby, encode_lobby, is_lobby
from p2pcoup.lobby.limits import (
    BURST,
    MAX_ADDRESSES,
    MAX_GAMES,
    MAX_LOBBY_BYTES,
    MAX_WATCHERS,
    MESSAGES_PER_SECOND,
    TALK_BURST,
    TALK_PAUSE,
)
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
from p2pcoup.lobby.rate import Rate
from p2pcoup.net.limits import MAX_PAYLOAD_BYTES
from p2pcoup.node import asides
from p2pcoup.node.gossip import Have, Passed, encode_gossip
from p2pcoup.node.limits import MAX_GAMES as MAX_GAMES_OF_A_FILE
from p2pcoup.rules import EDITIONS, Options, Setup
from p2pcoup.table import Times
from p2pcoup.wire import WireError, decode, encode
from p2pcoup.wire.limits import MAX_INTEGER
from tests.lobby.crowd import identity_of

PEERS = tuple(identity_of(f"Guest {number}").peer_id for number in range(42))
TABLE = b"t" * 16

settings = st.builds(
    Settings,
    st.sampled_from(list(EDITIONS.values())),
    st.just(Options()),
    st.integers(2, 6),
    st.integers(1, MAX_GAMES),
    st.builds(Times, st.integers(1, 86_400), st.integers(1, 86_400), st.integers(0, 86_400)),
) | st.just(Settings(options=Options(Setup.SET_OF_FIVE), seats=2))
names = st.sampled_from(["Ash", "Birch's oak", "눈송이", "É", "x" * 24])
addresses = st.lists(
    st.sampled_from(["10.0.0.1:7700", "[fd00::1]:1", "host:65535", "x" * 300]), max_size=4
).map(tuple)
reigns, attempts = st.integers(0, 1000), st.integers(0, 10_000)


@st.composite
def sheets(draw: st.DrawFn) -> Sheet:
    chosen = draw(settings)
    seats = draw(st.integers(1, chosen.seats))
    watchers = draw(st.integers(0, 4))
    flags = st.booleans()
    people = [
        Person(
            peer,
            draw(names),
            draw(addresses.filter(bool)) if number < seats else (),
            draw(flags),
            number >= seats,
            draw(flags),
            draw(flags),
        )
        for number, peer in enumerate(PEERS[: seats + watchers])
    ]
    number, starting = draw(st.integers(0, 1_000_000)), draw(attempts)
    return Sheet(
        TABLE, draw(reigns), number, PEERS[0], draw(names), chosen, tuple(people), starting
    )


digests = st.binary(min_size=32, max_size=32)
pairs = st.tuples(digests, st.binary(min_size=64, max_size=64))


@st.composite
def starts(draw: st.DrawFn) -> Started:
    signatures = draw(st.lists(pairs, max_size=10))
    places = tuple(draw(addresses) for _ in signatures)
    terms = draw(st.binary(max_size=4096))
    games = draw(st.integers(0, MAX_GAMES))
    return Started(TABLE, draw(reigns), draw(attempts), games, terms, tuple(signatures), places)


seats = st.sets(st.integers(0, 9)).map(lambda found: tuple(sorted(found)))
peers = st.sampled_from(PEERS)
messages: st.SearchStrategy[LobbyMessage] = st.one_of(
    st.builds(Sit, st.sampled_from([TABLE, b""]), names, addresses, st.booleans(), st.just(True)),
    st.builds(Ready, st.just(TABLE), digests | st.just(b"")),
    st.builds(Leave, st.just(TABLE)),
    sheets(),
    st.builds(Refused, st.just(TABLE), st.sampled_from(Reason)),
    st.builds(Follows, st.just(TABLE), reigns, peers, st.booleans()),
    st.builds(
        Roster,
        st.just(TABLE),
        reigns,
        attempts,
        st.integers(0, 1_000_000),
        st.integers(0, MAX_GAMES),
        st.binary(max_size=4096),
    ),
    st.builds(
        Signed, st.just(TABLE), reigns, attempts, digests, st.binary(min_size=64, max_size=64)
    ),
    st.builds(Declined, st.just(TABLE), reigns, attempts, st.sampled_from(Doubt)),
    st.builds(CalledOff, st.just(TABLE), reigns, attempts, st.sampled_from(Doubt), peers),
    starts(),
    st.builds(Entered, st.just(TABLE), digests, seats),
    st.builds(Void, st.just(TABLE), digests),
    st.builds(
        Talk,
        st.just(TABLE),
        st.integers(0, MAX_INTEGER),
        st.binary(min_size=32, max_size=32),
        st.binary(min_size=64, max_size=64),
        st.sampled_from(["hm", "눈송이!", "x" * 280]),
    ),
)


@given(messages)
def test_what_is_encoded_is_decoded_to_the_same(message: LobbyMessage) -> None:
    payload = encode_lobby(message)
    assert decode_lobby(payload) == message
    assert is_lobby(payload)


@given(messages, st.data())
def test_a_changed_message_is_refused_or_is_exactly_another_one(
    message: LobbyMessage, data: st.DataObject
) -> None:
    payload = bytearray(encode_lobby(message))
    at = data.draw(st.integers(0, len(payload) - 1))
    payload[at] ^= data.draw(st.integers(1, 255))
    try:
        other = decode_lobby(bytes(payload))
    except WireError:
        return
    assert encode_lobby(other) == payload


@given(messages, st.integers(0, 200))
def test_a_message_cut_short_is_refused(message: LobbyMessage, missing: int) -> None:
    payload = encode_lobby(message)
    with pytest.raises(WireError):
        decode_lobby(payload[: max(0, len(payload) - 1 - missing)])


json_like = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.binary() | st.text("ab"),
    lambda inner: st.lists(inner, max_size=4),
    max_leaves=12,
)
KINDS = ("sit", "ready", "leave", "sheet", "refused", "follows", "roster", "signed", "declined")
MORE = ("called-off", "started", "entered", "void", "talk")


@given(st.sampled_from(KINDS + MORE), st.lists(json_like, max_size=8))
def test_any_items_whatever_are_refused_or_a_message(kind: str, items: list) -> None:
    payload = encode(("lobby", kind, TABLE, *items))
    try:
        message = decode_lobby(payload)
    except WireError:
        return
    assert encode_lobby(message) == payload


@given(st.binary(max_size=200))
def test_any_bytes_whatever_are_refused_or_a_message(payload: bytes) -> None:
    try:
        message = decode_lobby(payload)
    except WireError:
        return
    assert encode_lobby(message) == payload


def test_messages_of_a_game_are_not_taken_for_those_of_a_lobby() -> None:
    for gossip in (Have(b"g" * 32, 3, False), Passed(b"lobby")):
        assert not is_lobby(encode_gossip(gossip))
    assert not is_lobby(b"")


def with_item(message: LobbyMessage, place: int, value: object) -> bytes:
    """The encoding of a message in which one item is another one."""
    items = list(decode(encode_lobby(message), max_bytes=MAX_LOBBY_BYTES))
    items[place] = value
    return encode(items)


PLAIN = Sheet(TABLE, 0, 1, PEERS[0], "A", Settings(), (Person(PEERS[0], "A", ("h:1",)),))


def with_person(*line: object) -> bytes:
    usual = [PEERS[0], "A", ("h:1",), False, False, True, True]
    first = [*line, *usual[len(line) :]]
    return with_item(PLAIN, 8, [first])


@pytest.mark.parametrize(
    ("payload", "told"),
    [
        (with_item(PLAIN, 2, b"short"), "16 bytes"),
        (with_item(PLAIN, 3, 1001), "from 0 to 1000"),
        (with_item(PLAIN, 3, True), "from 0 to 1000"),
        (with_item(PLAIN, 5, PEERS[1]), "does not sit"),
        (with_item(PLAIN, 5, PEERS[0].lower()), "canonical"),
        (with_item(PLAIN, 6, "a\x1b[2J"), "control characters"),
        (with_item(PLAIN, 6, " a"), "canonical"),
        (with_item(PLAIN, 7, ["gold", "standard", 4, 1, [45, 20, 120]]), "no edition"),
        (with_item(PLAIN, 7, ["base", "free", 4, 1, [45, 20, 120]]), "no options"),
        (with_item(PLAIN, 7, ["base", "standard", 7, 1, [45, 20, 120]]), "7 players"),
        (with_item(PLAIN, 7, ["base", "standard", 4, 0, [45, 20, 120]]), "1 to 100 games"),
        (with_item(PLAIN, 7, ["base", "standard", 4, 1, [0, 20, 120]]), "decide"),
        (with_item(PLAIN, 7, ["base", "standard", True, 1, [45, 20, 120]]), "whole number"),
        (with_item(PLAIN, 8, []), "does not sit"),
        (with_item(PLAIN, 8, [[PEERS[0], "A", ["h:1"], False, False, True, True]] * 2), "twice"),
        (with_person(PEERS[0], "A", ()), "nobody can reach"),
        (with_person(PEERS[0], "A", ("h:1",) * (MAX_ADDRESSES + 1)), "addresses"),
        (with_person(PEERS[0], "A", ("h 1",)), "address"),
        (with_person(PEERS[0], "A", ("h:1\n",)), "address"),
        (with_person(PEERS[0], "A", ("x" * 301,)), "address"),
        (with_person(PEERS[0], "A", (7,)), "address"),
        (with_person(PEERS[0], "\u202eA"), "direction"),
        (with_person(PEERS[0], "A", ("h:1",), 0), "cannot be read"),
        (encode(("lobby", "sit", TABLE, "A", (), False, False)), "cannot be read"),
        (encode(("lobby", "leave", b"")), "16 bytes"),
        (encode(("lobby", "refused", TABLE, "because")), "cannot be read"),
        (encode(("lobby", "refused", TABLE, [])), "cannot be read"),
        (encode(("lobby", "entered", TABLE, b"g" * 32, [1, 0])), "cannot be read"),
        (encode(("lobby", "entered", TABLE, b"g" * 32, [0, 0])), "cannot be read"),
        (encode(("lobby", "void", TABLE, b"g" * 31)), "cannot be read"),
        (encode(("lobby", "ready", TABLE, b"d")), "cannot be read"),
        (encode(("lobby", "talk", TABLE, 1, bytes(32), bytes(64), "a" * 281)), "280 characters"),
        (encode(("lobby", "talk", TABLE, 1, bytes(32), bytes(64), " a")), "canonical"),
        (encode(("lobby", "talk", TABLE, 1, bytes(32), bytes(64), "a\x07")), "cannot contain"),
        (encode(("lobby", "talk", TABLE, 1, bytes(32), bytes(63), "a")), "signature"),
        (encode(("lobby", "talk", TABLE, "a")), "cannot be read"),
        (encode(("lobby", "gossip", TABLE)), "does not understand"),
        (encode(("lobby",)), "does not understand"),
        (encode(("started", TABLE)), "does not understand"),
        (encode(("lobby", "declined", TABLE, 0, 1, "mood")), "unknown to this version"),
        (encode(("lobby", "declined", TABLE, 0, 1, [])), "unknown to this version"),
        (encode(("lobby", "roster", TABLE, 0, 1, True, 1, b"t")), "from 0 to 1000000"),
        (encode(("lobby", "roster", TABLE, 0, 1, 1, True, b"t")), "from 0 to 100"),
    ],
)
def test_a_message_that_is_not_admissible_is_refused_with_a_sentence(
    payload: bytes, told: str
) -> None:
    with pytest.raises(WireError, match=told):
        decode_lobby(payload)


def full_sheet() -> Sheet:
    """As large as a sheet can be."""
    places = tuple(f"{'x' * 295}:{number}" for number in range(1000, 1000 + MAX_ADDRESSES))
    seated = tuple(Person(peer, "눈" * 24, places) for peer in PEERS[:6])
    watchers = tuple(Person(peer, "눈" * 24, watching=True) for peer in PEERS[6 : 6 + MAX_WATCHERS])
    return Sheet(TABLE, 1000, 1_000_000, PEERS[0], "눈" * 24, Settings(), seated + watchers)


def test_the_largest_sheet_fits_the_limits_of_a_message_and_of_a_frame() -> None:
    payload = encode_lobby(full_sheet())
    assert len(payload) < 24 * 1024 < MAX_LOBBY_BYTES < MAX_PAYLOAD_BYTES
    assert decode_lobby(payload) == full_sheet()


def test_a_sheet_with_more_people_is_refused() -> None:
    one_more = Person(PEERS[40], "A", watching=True)
    sheet = full_sheet()
    items = [list(each) if isinstance(each, tuple) else each for each in sheet.value()]
    items[5] = [*items[5], one_more.value()]
    with pytest.raises(WireError, match="more people than places"):
        decode_lobby(encode(("lobby", "sheet", TABLE, *items)))


def test_a_longer_message_is_refused_before_it_is_read() -> None:
    with pytest.raises(WireError, match="At most 32768 bytes"):
        decode_lobby(encode(("lobby", "leave", b"x" * MAX_LOBBY_BYTES)))


def test_a_match_has_no_more_games_than_a_table_file_can_name() -> None:
    assert MAX_GAMES == MAX_GAMES_OF_A_FILE


def test_in_a_lobby_one_may_say_as_much_as_in_a_game() -> None:
    assert (TALK_BURST, TALK_PAUSE) == (asides.BURST, asides.PAUSE)


def test_a_peer_that_floods_is_read_at_a_bounded_rate_and_nobody_else_suffers() -> None:
    rate = Rate()
    read = sum(rate.admits("flooder", 5.0) for _ in range(1000))
    assert read == BURST
    assert rate.admits("other", 5.0)
    later = sum(rate.admits("flooder", 7.0) for _ in range(1000))
    assert later == 2 * MESSAGES_PER_SECOND
    assert sum(rate.admits("flooder", 1000.0) for _ in range(1000)) == BURST
