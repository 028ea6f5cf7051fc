import hashlib
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2pcoup.journal import Journal, JournalError, read_terms
from p2pcoup.journal.records import MAX_RECORD_BYTES
from p2pcoup.wire import MAX_TERMS_BYTES, Identity
from tests.journal.conftest import StartPython

TERMS = b"the terms of this game"
OWNER = Identity(Ed25519PrivateKey.from_private_bytes(bytes(32))).peer_id
OTHER = Identity(Ed25519PrivateKey.from_private_bytes(b"\x01" * 32)).peer_id

HOLD_A_JOURNAL = f"""
import sys
from pathlib import Path
from p2pcoup.journal import Journal
journal = Journal.open(Path(sys.argv[1]), {TERMS!r}, {OWNER!r})
journal.append(b"durable", durable=True)
journal.append(b"not waited for", durable=False)
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.journal"


def records_of(path: Path) -> tuple[bytes, ...]:
    with Journal.open(path, TERMS, OWNER) as journal:
        return journal.records


def test_a_new_journal_is_empty(path: Path) -> None:
    with Journal.open(path, TERMS, OWNER) as journal:
        assert journal.records == ()
        assert journal.cut_bytes == 0
        assert journal.path == path


def test_records_come_back_in_order_when_the_journal_is_opened_again(path: Path) -> None:
    records = [*(bytes([i]) * (i * i + 1) for i in range(40)), b"x" * MAX_RECORD_BYTES]
    with Journal.open(path, TERMS, OWNER) as journal:
        for i, record in enumerate(records[:20]):
            journal.append(record, durable=i % 3 == 0)
        assert journal.records == tuple(records[:20])
    with Journal.open(path, TERMS, OWNER) as journal:
        assert journal.records == tuple(records[:20])
        for record in records[20:]:
            journal.append(record, durable=False)
        journal.sync()
    with Journal.open(path, TERMS, OWNER) as journal:
        assert journal.records == tuple(records)
        assert journal.cut_bytes == 0


def test_the_file_is_what_the_specification_says(path: Path) -> None:
    salt = bytes(range(16))
    with Journal.open(path, TERMS, OWNER, randomness=lambda count: salt[:count]) as journal:
        journal.append(b"mine", durable=True)
        journal.append(b"theirs", durable=False)

    header = b"\x92" + b"\xc4\x16" + TERMS + b"\xd9\x3f" + OWNER.encode()
    expected = b"p2pcoup journal 1\n" + salt
    synced = [len(expected), len(expected) + 20 + len(header)]
    synced.append(synced[1] + 20 + len(b"mine"))
    for record, offset in zip((header, b"mine", b"theirs"), synced, strict=True):
        front = len(record).to_bytes(4, "big") + offset.to_bytes(8, "big")
        place = len(expected).to_bytes(8, "big")
        check = hashlib.sha256(salt + place + front + record).digest()[:8]
        expected += front + record + check
    assert path.read_bytes() == expected


def test_a_new_journal_has_a_salt_of_its_own(tmp_path: Path) -> None:
    for name in "ab":
        Journal.open(tmp_path / name, TERMS, OWNER).close()
    assert (tmp_path / "a").read_bytes() != (tmp_path / "b").read_bytes()


def test_the_journal_of_another_game_is_refused_and_left_alone(path: Path) -> None:
    with Journal.open(path, TERMS, OWNER) as journal:
        journal.append(b"record", durable=True)
    before = path.read_bytes()
    for terms in (b"other", TERMS + b"!", TERMS[:-1], TERMS[:-1] + b"E", b"x" * 4096):
        for owner in (OWNER, OTHER, None):
            with pytest.raises(JournalError, match="belongs to another game"):
                Journal.open(path, terms, owner)
    assert path.read_bytes() == before


def test_nobody_plays_from_the_journal_of_another_identity(path: Path) -> None:
    with Journal.open(path, TERMS, OWNER) as journal:
        journal.append(b"record", durable=True)
    before = path.read_bytes()
    for owner in (OTHER, None):
        with pytest.raises(JournalError, match=f"belongs to {OWNER}, who plays the same game"):
            Journal.open(path, TERMS, owner)
    assert path.read_bytes() == before


def test_nobody_plays_from_the_journal_of_a_spectator(path: Path) -> None:
    Journal.open(path, TERMS, None).close()
    with pytest.raises(JournalError, match="a peer that only watches"):
        Journal.open(path, TERMS, OWNER)
    with Journal.open(path, TERMS, None) as journal:
        assert (journal.records, journal.cut_bytes) == ((), 0)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"no journal", "is no p2pcoup journal"),
        (b"\0" * 199, "is no p2pcoup journal"),
        (b"p2pcoup journal x\n" + b"x" * 90, "is no p2pcoup journal"),
        (b"p2pcoup transcript 1\n" + b"x" * 90, "is no p2pcoup journal"),
        (b"p2pcoup journal 2\n" + b"x" * 90, "journal of format 2; .* reads format 1. Use the"),
        (b"p2pcoup journal 2\n", "journal of format 2; "),
        (b"p2pcoup journal 1000\n", "journal of format 1000; "),
    ],
)
def test_a_file_of_another_kind_or_format_is_refused_and_left_alone(
    path: Path, content: bytes, sentence: str
) -> None:
    path.write_bytes(content)
    with pytest.raises(JournalError, match=sentence):
        Journal.open(path, TERMS, OWNER)
    assert path.read_bytes() == content


def test_a_journal_that_cannot_be_opened_says_why(path: Path, tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="No such file or directory"):
        Journal.open(path / "deeper", TERMS, OWNER)
    with pytest.raises(JournalError, match=r"cannot be opened: .*directory"):
        Journal.open(tmp_path, TERMS, OWNER)


def test_records_and_terms_have_a_length_within_limits(path: Path) -> None:
    for wrong in (b"", b"x" * (MAX_TERMS_BYTES + 1)):
        with pytest.raises(ValueError, match="Terms have 1 to 4096 bytes"):
            Journal.open(path, wrong, OWNER)
    assert not path.exists()
    with Journal.open(path, TERMS, OWNER) as journal:
        for wrong in (b"", b"x" * (MAX_RECORD_BYTES + 1)):
            with pytest.raises(ValueError, match="has 1 to 65536 bytes"):
                journal.append(wrong, durable=False)
    assert records_of(path) == ()


def test_a_closed_journal_takes_nothing_more(path: Path) -> None:
    journal = Journal.open(path, TERMS, OWNER)
    journal.close()
    journal.close()
    with pytest.raises(ValueError, match="closed"):
        journal.append(b"late", durable=False)
    with pytest.raises(ValueError, match="closed"):
        journal.sync()


# --- one process at a time ----------------------------------------------------------------------


def test_a_journal_cannot_be_opened_twice_in_one_process(path: Path) -> None:
    with Journal.open(path, TERMS, OWNER) as journal:
        with pytest.raises(JournalError, match="in use by another"):
            Journal.open(path, TERMS, OWNER)
        journal.append(b"still mine", durable=True)
    assert records_of(path) == (b"still mine",)


def test_a_process_that_holds_the_journal_keeps_others_out_until_it_is_killed(
    path: Path, start_python: StartPython
) -> None:
    process = start_python(HOLD_A_JOURNAL, path)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    with pytest.raises(JournalError, match="in use by another"):
        Journal.open(path, TERMS, OWNER)
    process.kill()
    process.wait()
    with Journal.open(path, TERMS, OWNER) as journal:
        assert journal.records == (b"durable", b"not waited for")


def test_the_terms_of_a_journal_can_be_read_while_another_process_plays(path: Path) -> None:
    with Journal.open(path, TERMS, OWNER) as journal:
        journal.append(b"x" * MAX_RECORD_BYTES, durable=True)
        assert read_terms(path) == TERMS
    longest = path.with_name("longest")
    with Journal.open(longest, b"t" * MAX_TERMS_BYTES, OWNER):
        assert read_terms(longest) == b"t" * MAX_TERMS_BYTES
    assert path.write_bytes(path.read_bytes()[:80]) == 80
    with pytest.raises(JournalError, match="damaged in its head"):
        read_terms(path)
    path.write_bytes(b"a letter")
    with pytest.raises(JournalError, match="is no p2pcoup journal"):
        read_terms(path)
    with pytest.raises(JournalError, match="cannot be read"):
        read_terms(path.with_name("missing"))
