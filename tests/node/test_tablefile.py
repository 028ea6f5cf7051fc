"""Table files: what is read from a good one, and a sentence for each way to get one wrong."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from p2pcoup.net import Address
from p2pcoup.node.tablefile import (
    MAX_TABLE_FILE_BYTES,
    TableFileError,
    parse_table_file,
    read_table_file,
)
from p2pcoup.rules import BASE, USUAL
from p2pcoup.table import Member
from tests.node.nodes import identity_of

PEERS = [identity_of(number).peer_id for number in range(3)]


def seat(name: str, peer: str, address: str) -> str:
    return f'[[seats]]\nname = "{name}"\npeer = "{peer}"\naddress = "{address}"\n'


HEAD = 'game = "friday, game 1"\nedition = "base"\n'
ASH = seat("Ash", PEERS[0], "192.168.1.10:7700")
BIRCH = seat("Birch", PEERS[1], "[2001:db8::1]:7701")
GOOD = HEAD + ASH + BIRCH


def test_a_table_file_gives_the_terms_everybody_signs_and_an_address_for_each_peer() -> None:
    table = parse_table_file(GOOD)
    assert table.terms.game == "friday, game 1"
    assert table.terms.edition is BASE
    assert table.terms.options == USUAL
    assert table.terms.roster == (Member(PEERS[0], "Ash"), Member(PEERS[1], "Birch"))
    assert table.addresses == {
        PEERS[0]: Address("192.168.1.10", 7700),
        PEERS[1]: Address("2001:db8::1", 7701),
    }


def test_addresses_are_no_part_of_what_is_signed() -> None:
    elsewhere = GOOD.replace("192.168.1.10:7700", "ash.example.org:1234")
    assert parse_table_file(elsewhere).terms == parse_table_file(GOOD).terms


def test_options_are_part_of_what_is_signed() -> None:
    chosen = parse_table_file('options = "no-steal-from-penniless"\n' + GOOD)
    assert not chosen.terms.options.steal_from_penniless
    assert chosen.terms.game_id != parse_table_file(GOOD).terms.game_id


def test_the_number_of_games_is_no_part_of_what_is_signed() -> None:
    match = parse_table_file("games = 3\n" + GOOD)
    assert (match.games, parse_table_file(GOOD).games) == (3, 1)
    assert match.terms == parse_table_file(GOOD).terms


def test_peer_ids_and_names_are_forgiven_their_spelling() -> None:
    sloppy = seat("  Ash ", PEERS[0].lower().replace("-", " "), "192.168.1.10:7700")
    assert parse_table_file(HEAD + sloppy + BIRCH).terms == parse_table_file(GOOD).terms


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("seats everywhere", "it is not valid TOML"),
        ("a = " + "[" * 20_000, "it is not valid TOML"),
        ("a = 1" + "0" * 5_000, "it is not valid TOML"),
        (ASH + BIRCH, 'the table needs a line game = "…"'),
        (GOOD.replace("friday, game 1", ""), "must be 1 to 64 printable ASCII characters"),
        (GOOD.replace("friday, game 1", "f\\u0000"), "must be 1 to 64 printable ASCII characters"),
        (GOOD.replace('"friday, game 1"', "7"), 'the table needs a line game = "…"'),
        (GOOD.replace('edition = "base"', ""), 'the table needs a line edition = "…"'),
        (GOOD.replace('"base"', '"bass"'), "There is no edition 'bass'; known: base"),
        ('options = "wild"\n' + GOOD, "'wild' are no options"),
        ("options = 3\n" + GOOD, 'the table needs a line options = "…"'),
        ('stakes = "high"\n' + GOOD, "the table has an unknown entry 'stakes'; known: "),
        (HEAD, "there is no [[seats]] entry"),
        ("seats = []\n" + HEAD, "there is no [[seats]] entry"),
        ("seats = 2\n" + HEAD, "there is no [[seats]] entry"),
        ("seats = [1, 2]\n" + HEAD, "seat 0 must be a [[seats]] section"),
        (HEAD + ASH, "1 players cannot play the base game"),
        (HEAD + ASH + BIRCH + 'nick = "B"', "seat 1 has an unknown entry 'nick'"),
        (GOOD.replace('name = "Birch"\n', ""), 'seat 1 needs a line name = "…"'),
        (GOOD.replace(f'peer = "{PEERS[1]}"\n', ""), 'seat 1 needs a line peer = "…"'),
        (GOOD.replace('address = "192.168.1.10:7700"\n', ""), 'seat 0 needs a line address = "…"'),
        (GOOD.replace('"Ash"', '""'), "seat 0: A name needs at least one visible character"),
        (GOOD.replace('"Ash"', '"\\u001b[2J"'), "seat 0: A name cannot contain control characters"),
        (GOOD.replace(PEERS[1], PEERS[1][:-1]), "seat 1: Each group of a peer id has 7 characters"),
        (GOOD.replace(PEERS[0], "Ash"), "seat 0: A peer id has 56 letters and digits"),
        (GOOD.replace(":7700", ""), "seat 0: '192.168.1.10' has no port"),
        ("games = 0\n" + GOOD, "games must be a number from 1 to 100, not 0."),
        ("games = 101\n" + GOOD, "games must be a number from 1 to 100, not 101."),
        ("games = true\n" + GOOD, "games must be a number from 1 to 100, not True."),
        ('games = "two"\n' + GOOD, "games must be a number from 1 to 100, not 'two'."),
        (
            "games = 10\n" + GOOD.replace("friday, game 1", "f" * 55),
            "must be 1 to 64 printable ASCII characters, not '" + "f" * 55 + " (game 10)'",
        ),
        (GOOD.replace(":7700", ":99999"), "seat 0: '99999' is no port"),
        (GOOD.replace(":7700", ":0"), "seat 0: 192.168.1.10:0 is no place to reach anybody"),
        (GOOD.replace("192.168.1.10", "a b"), "seat 0: 'a b' is neither a host name nor"),
        (GOOD + seat("Cedar", PEERS[0], "h:1"), "Ash and Cedar are the same peer"),
        (GOOD + seat("Ash", PEERS[2], "h:1"), "Two players at the table are called Ash"),
    ],
)
def test_each_mistake_in_a_table_file_has_its_sentence(text: str, told: str) -> None:
    with pytest.raises(TableFileError) as caught:
        parse_table_file(text)
    assert told in str(caught.value)


def test_a_mistyped_peer_id_is_noticed_and_its_groups_are_named() -> None:
    wrong = PEERS[0][:10] + ("A" if PEERS[0][10] != "A" else "B") + PEERS[0][11:]
    with pytest.raises(TableFileError, match=r"seat 0: .* mistake in groups 1 and 2"):
        parse_table_file(GOOD.replace(PEERS[0], wrong))


def write(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def test_a_byte_order_mark_and_foreign_line_ends_do_no_harm(tmp_path: Path) -> None:
    windows = b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode()
    assert read_table_file(write(tmp_path / "t.toml", windows)) == parse_table_file(GOOD)


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda path: path, "No such file or directory"),
        (lambda path: (path.mkdir(), path)[1], "Is a directory"),
        (lambda path: write(path, b"\xff\xfe\x00"), "it is not a text file in UTF-8"),
        (lambda path: write(path, b"#" * (MAX_TABLE_FILE_BYTES + 1)), "it is over 65536 bytes"),
        (lambda path: write(path, b""), "there is no [[seats]] entry"),
    ],
)
def test_a_file_that_is_no_table_is_named_with_the_reason(
    tmp_path: Path, make: Callable[[Path], Path], told: str
) -> None:
    path = make(tmp_path / "friday.toml")
    with pytest.raises(TableFileError) as caught:
        read_table_file(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert told in str(caught.value)


def test_a_table_file_may_be_as_long_as_the_limit(tmp_path: Path) -> None:
    padded = GOOD.encode() + b"#" * (MAX_TABLE_FILE_BYTES - len(GOOD.encode()))
    assert read_table_file(write(tmp_path / "t.toml", padded)) == parse_table_file(GOOD)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (".".join("a" * 30_000) + " = 1", "line 11 has a point outside of quotes"),
        ("[" + ".".join("a" * 30_000) + "]", "line 11 has a point outside of quotes"),
        ("games = 1.5", "line 11 has a point outside of quotes"),
        ('x = "1.2", y = {a.b = "c"}', "line 11 has a point outside of quotes"),
        ('x = ["""\n""", {a.b = 1, c = "x"}]', "a string of several lines"),
        ("x = ['''\n''', {a.b = 1, c = 'x'}]", "a string of several lines"),
        ('"\\' * 30_000, "not valid TOML"),
        ("#" + "." * 1000 + "\nx = 'a.b' # c.d", "unknown entry 'x'"),
    ],
    ids=lambda value: value[:20],
)
def test_what_would_keep_the_reader_busy_for_long_is_refused_at_once(line: str, told: str) -> None:
    began = time.thread_time()
    with pytest.raises(TableFileError) as caught:
        parse_table_file(GOOD + line)
    assert told in str(caught.value)
    assert time.thread_time() - began < 1
