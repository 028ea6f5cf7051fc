"""Targets: signed messages, and what a running table makes of them."""

from collections.abc import Sequence
from contextlib import suppress

import msgpack

from p2pcoup.table import Accepted, Blame, Refused, Table
from p2pcoup.wire import Kind, SignedMessage, WireError, decode, encode, parse
from p2pcoup.wire.limits import MAX_DEPTH, MAX_MESSAGE_BYTES
from p2pcoup.wire.message import MESSAGE_LABEL
from tests.fuzz.harness import target
from tests.fuzz.known import game, game_without_a_seat, place_of
from tests.table.party import Party

EARLY = (Kind.JOIN, Kind.COIN, Kind.KEY, Kind.SHUFFLE, Kind.SHARES, Kind.DECIDE, Kind.SEAL)
EARLY += (Kind.UNSEAL,)
LATER = (Kind.OPEN, Kind.EXCHANGE, Kind.LEAVE, Kind.RESULT)

# --- values ---------------------------------------------------------------------------------------


def some_values() -> Sequence[bytes]:
    """Values of every type, at the ends of every form."""
    integers = (0, 127, 128, 255, 256, 65_535, 65_536, 2**32 - 1, 2**32, 2**53 - 1)
    nested: tuple[object, ...] = ()
    for _ in range(MAX_DEPTH - 1):
        nested = (nested,)
    values = [
        (*integers, *(-n for n in integers)),
        (b"", bytes(255), bytes(256), bytes(65_536)),
        ("", "a" * 31, "ü" * 16, "a" * 255, "a" * 256),
        (None, True, False, tuple(range(15)), tuple(range(16))),
        nested,
    ]
    return [encode(value) for value in values]


@target("encoding", some_values, 128 * 1024, examples=300)
def encoding(data: bytes) -> None:
    """A value encodes to what was read, and another library reads the same."""
    with suppress(WireError):
        value = decode(data, max_bytes=128 * 1024)
        assert encode(value) == data
        assert msgpack.unpackb(data, use_list=False, strict_map_key=False) == value


# --- messages -------------------------------------------------------------------------------------


def _some_of(kinds: Sequence[Kind]) -> list[SignedMessage]:
    party = game()
    return [party.messages()[place_of(kind)] for kind in kinds]


def _statements() -> list[SignedMessage]:
    gone = game_without_a_seat()
    return [s for s in gone.messages() if s.message.kind is Kind.ABSENT][:2]


def some_messages() -> Sequence[bytes]:
    """A message of every kind."""
    return [signed.raw for signed in (*_some_of(EARLY), *_some_of(LATER), *_statements())]


@target("message", some_messages, MAX_MESSAGE_BYTES, examples=300)
def message(data: bytes) -> None:
    """A message encodes to what was read; another library reads the same payload."""
    with suppress(WireError):
        signed = parse(data)
        m = signed.message
        assert signed.raw == signed.payload + signed.signature == data
        items = (1, m.game, m.round, m.seat, m.parent, m.kind.value, m.body)
        assert encode(items) == signed.payload
        assert msgpack.unpackb(signed.payload, use_list=False) == items


# --- tables ---------------------------------------------------------------------------------------


class _Stages:
    """Tables that watch a game and stand before its first message of a kind.

    What they accept moves them on, so they are then made anew.
    """

    def __init__(self) -> None:
        self._tables: dict[int, Table] = {}

    def before(self, round_: int) -> Table:
        """The table in the stage whose round is nearest below or at this one."""
        party = game()
        stages = {party.messages()[p].message.round: p for p in map(place_of, EARLY)}
        number = max((r for r in stages if r <= round_), default=0)
        if number not in self._tables:
            table = party.new_table(None)
            for raw in party.raws()[: stages[number]]:
                table.receive(raw)
            self._tables[number] = table
        return self._tables[number]

    def forget(self, table: Table) -> None:
        """This table has gone on."""
        self._tables = {r: each for r, each in self._tables.items() if each is not table}


_stages = _Stages()


def _round_of(data: bytes) -> int:
    with suppress(WireError):
        return parse(data).message.round
    return 0


def _hear(table: Table, raw: bytes, signer: int | None) -> None:
    """Give bytes to a table and check what it makes of them."""
    before = (table.round, table.waiting_for, len(list(table.transcript())))
    notices = table.receive(raw)
    for notice in notices:
        match notice:
            case Refused(reason):
                assert reason.isprintable()
            case Blame(seat=seat, evidence=evidence):
                assert seat == signer
                assert raw in evidence
    if any(isinstance(notice, Accepted) for notice in notices):
        _stages.forget(table)
        return
    assert (table.round, table.waiting_for, len(list(table.transcript()))) == before
    table._now.faults.clear()  # or the next inputs would not be listened to


@target(
    "table",
    some_messages,
    MAX_MESSAGE_BYTES,
    verifies=True,
    examples=60,
    prepare=lambda data: _stages.before(_round_of(data)),
)
def table(data: bytes) -> None:
    """Nobody is blamed for bytes that nobody has signed, and nothing changes."""
    known = set(game().raws())
    at = _stages.before(_round_of(data))
    if data in known:
        at.receive(data)
        _stages.forget(at)
        return
    _hear(at, data, None)


def some_payloads() -> Sequence[bytes]:
    """What was signed in the messages of a game."""
    return [signed.payload for signed in (*_some_of(EARLY), *_some_of(LATER))]


@target(
    "signed",
    some_payloads,
    MAX_MESSAGE_BYTES - 64,
    verifies=True,
    examples=80,
    prepare=lambda data: _stages.before(_round_of(data + bytes(64))),
)
def signed(data: bytes) -> None:
    """Whatever a seat signs, the table takes it, refuses it or blames that very seat."""
    party: Party = game()
    seat, round_ = 0, 0
    with suppress(WireError):
        said = parse(data + bytes(64)).message
        seat, round_ = said.seat, said.round
    signer = party.identities[seat % len(party.identities)]
    _hear(_stages.before(round_), data + signer.sign(MESSAGE_LABEL, data), seat)
