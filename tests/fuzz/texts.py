"""Targets: texts that people type or peers send. Their bytes are UTF-8, or are no text at all."""

from collections.abc import Callable, Sequence

from p2pcoup.net import AddressError, parse_address
from p2pcoup.net.address import MAX_ADDRESS_TEXT
from p2pcoup.node.tablefile import MAX_TABLE_FILE_BYTES, TableFileError, read_table_file
from p2pcoup.rules import (
    BASE,
    INQUISITOR,
    RulesError,
    move_to_text,
    options_to_text,
    parse_move,
    parse_options,
    parse_state,
    state_to_text,
)
from p2pcoup.table import TermsError, decode_terms
from p2pcoup.table.open_round import parse_statement
from p2pcoup.table.rounds import Violation
from p2pcoup.wire import WireError, clean_name, parse_peer_id
from p2pcoup.wire.identity import MAX_PEER_ID_INPUT
from p2pcoup.wire.limits import (
    MAX_MOVE_TEXT,
    MAX_NAME_CHARACTERS,
    MAX_NAME_INPUT,
    MAX_SEATS_TEXT,
    MAX_TERMS_BYTES,
)
from tests.fuzz.harness import taken, target
from tests.fuzz.known import file_of, game, identity

MAX_STATE_TEXT = 2048


def _read(data: bytes, parse: Callable[[str], str], error: type[Exception]) -> str | None:
    """The canonical text of what these bytes say, which says the same; None if they say nothing."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    canonical = taken(lambda: parse(text), error)
    assert canonical is None or parse(canonical) == canonical
    return canonical


def _encoded(*texts: str) -> Sequence[bytes]:
    return [text.encode("utf-8") for text in texts]


def some_peer_ids() -> Sequence[bytes]:
    """A peer id as people write it."""
    text = str(identity(1).peer_id)
    return _encoded(text, text.lower(), text.replace("-", " "), text.replace("O", "0"), text[:-1])


@target("peer-id", some_peer_ids, MAX_PEER_ID_INPUT, examples=200)
def peer_id(data: bytes) -> None:
    """A peer id in any spelling is one canonical text."""
    text = _read(data, parse_peer_id, WireError)
    assert text is None or len(text) == len(str(identity(1).peer_id))


def some_addresses() -> Sequence[bytes]:
    """Addresses of every kind."""
    return _encoded("192.168.1.10:7700", "[fe80::1%eth0]:7700", "ash.example.org:1", "[::1]:65535")


@target("address", some_addresses, MAX_ADDRESS_TEXT, examples=200)
def address(data: bytes) -> None:
    """An address is what its text says, and its text is safe to show."""
    text = _read(data, lambda given: str(parse_address(given)), AddressError)
    assert text is None or (text.isascii() and text.isprintable())


def some_names() -> Sequence[bytes]:
    """Names of players."""
    return _encoded(
        "Ash", "  Zoë   Müller ", "Ζωή", "e\u0301te", "\u202eevil", "\x1b[2J", "a" * 300
    )


@target("name", some_names, MAX_NAME_INPUT * 4, examples=200)
def name(data: bytes) -> None:
    """A name is short, visible and does nothing to a terminal."""
    text = _read(data, clean_name, WireError)
    assert text is None or (0 < len(text) <= MAX_NAME_CHARACTERS and text.isprintable())


def some_moves() -> Sequence[bytes]:
    """Moves in the notation."""
    texts = [s.message.body[0] for s in game().messages() if isinstance(s.message.body[0], str)]
    return _encoded(*sorted(set(texts)), "0 examine 1", "2 keep 0 2")


@target("move", some_moves, MAX_MOVE_TEXT, examples=200)
def move(data: bytes) -> None:
    """A move has one text, in each edition."""
    for edition in (BASE, INQUISITOR):
        text = _read(data, lambda t, e=edition: move_to_text(parse_move(e, t)), RulesError)
        assert text is None or text.encode() == data


def some_states() -> Sequence[bytes]:
    """States in the middle of a game."""
    happened = game().tables[0].game.happened
    return _encoded(*(state_to_text(step.after) for step in happened[:: len(happened) // 4]))


@target("state", some_states, MAX_STATE_TEXT, examples=150)
def state(data: bytes) -> None:
    """A state has one text."""
    text = _read(data, lambda given: state_to_text(parse_state(given)), RulesError)
    assert text is None or text.encode() == data


@target("options", lambda: _encoded("standard", "set-of-five"), 256)
def options(data: bytes) -> None:
    """Options have one text."""
    text = _read(data, lambda given: options_to_text(parse_options(given)), RulesError)
    assert text is None or text.encode() == data


@target("statement", lambda: _encoded("1:0", "2:1,3", "99:0,1,2,3,4,5"), MAX_SEATS_TEXT)
def statement(data: bytes) -> None:
    """A statement about seats has one text."""
    text = _read(data, lambda given: parse_statement(given).text, Violation)
    assert text is None or text.encode() == data


@target("terms", lambda: [game().terms.encode()], MAX_TERMS_BYTES, examples=200)
def terms(data: bytes) -> None:
    """Terms encode to what was read."""
    read = taken(lambda: decode_terms(data), TermsError)
    assert read is None or read.encode() == data


def some_table_files() -> Sequence[bytes]:
    """Table files, with few and with all entries."""
    seats = "".join(
        f'[[seats]]\nname = "{name}"\npeer = "{identity(number).peer_id}"\n'
        f'address = "127.0.0.1:{7700 + number}"\n'
        for number, name in enumerate(("Ash", "Birch"))
    )
    times = "decide_seconds = 45\nanswer_seconds = 20\ngrace_seconds = 120\ngames = 3\n"
    head = 'game = "a"\nedition = "base"\n'
    return _encoded(head + seats, head + 'options = "standard"\n' + times + seats)


@target("table-file", some_table_files, MAX_TABLE_FILE_BYTES, examples=120)
def table_file(data: bytes) -> None:
    """A table file gives terms that all can sign, or a sentence."""
    with file_of(data) as path:
        read = taken(lambda: read_table_file(path), TableFileError)
    if read is not None:
        assert decode_terms(read.terms.encode()) == read.terms
        assert set(read.addresses) == {member.peer for member in read.terms.roster}
