import hashlib
import stat
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from p2pcoup.journal import Journal, JournalError
from p2pcoup.journal.records import MAX_RECORD_BYTES

if TYPE_CHECKING:
    import subprocess

HEADER = b"the terms of this game"

HOLD_A_JOURNAL = f"""
import sys
from pathlib import Path
from p2pcoup.journal import Journal
journal = Journal.open(Path(sys.argv[1]), {HEADER!r})
journal.append(b"durable", durable=True)
journal.append(b"not waited for", durable=False)
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.journal"


def records_of(path: Path) -> tuple[bytes, ...]:
    with Journal.open(path, HEADER) as journal:
        return journal.records


def test_a_new_journal_is_empty_and_private(path: Path) -> None:
    with Journal.open(path, HEADER) as journal:
        assert journal.records == ()
        assert journal.cut_bytes == 0
        assert journal.path == path
    if sys.platform != "win32":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_records_come_back_in_order_when_the_journal_is_opened_again(path: Path) -> None:
    records = [*(bytes([i]) * (i * i + 1) for i in range(40)), b"x" * MAX_RECORD_BYTES]
    with Journal.open(path, HEADER) as journal:
        for i, record in enumerate(records[:20]):
            journal.append(record, durable=i % 3 == 0)
        assert journal.records == tuple(records[:20])
    with Journal.open(path, HEADER) as journal:
        assert journal.records == tuple(records[:20])
        for record in records[20:]:
            journal.append(record, durable=False)
        journal.sync()
    with Journal.open(path, HEADER) as journal:
        assert journal.records == tuple(records)
        assert journal.cut_bytes == 0


def test_the_file_is_what_the_specification_says(path: Path) -> None:
    salt = bytes(range(16))
    with Journal.open(path, HEADER, randomness=lambda count: salt[:count]) as journal:
        journal.append(b"mine", durable=True)
        journal.append(b"theirs", durable=False)

    expected = b"p2pcoup journal 1\n" + salt
    synced = [len(expected), len(expected) + 20 + len(HEADER)]
    synced.append(synced[1] + 20 + len(b"mine"))
    for record, offset in zip((HEADER, b"mine", b"theirs"), synced, strict=True):
        front = len(record).to_bytes(4, "big") + offset.to_bytes(8, "big")
        place = len(expected).to_bytes(8, "big")
        check = hashlib.sha256(salt + place + front + record).digest()[:8]
        expected += front + record + check
    assert path.read_bytes() == expected


def test_a_new_journal_has_a_salt_of_its_own(tmp_path: Path) -> None:
    for name in "ab":
        Journal.open(tmp_path / name, HEADER).close()
    assert (tmp_path / "a").read_bytes() != (tmp_path / "b").read_bytes()


def test_the_journal_of_another_game_is_refused_and_left_alone(path: Path) -> None:
    with Journal.open(path, HEADER) as journal:
        journal.append(b"record", durable=True)
    before = path.read_bytes()
    for header in (b"other", HEADER + b"!", HEADER[:-1], HEADER[:-1] + b"E"):
        with pytest.raises(JournalError, match="belongs to another game"):
            Journal.open(path, header)
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", [b"no journal", b"p2pcoup journal 2\n" + b"x" * 90, b"\0" * 99])
def test_a_file_that_is_no_journal_is_refused_and_left_alone(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(JournalError, match="no journal of this version"):
        Journal.open(path, HEADER)
    assert path.read_bytes() == content


def test_a_journal_that_cannot_be_opened_says_why(path: Path, tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="No such file or directory"):
        Journal.open(path / "deeper", HEADER)
    with pytest.raises(JournalError, match=r"cannot be opened: .*directory"):
        Journal.open(tmp_path, HEADER)


def test_records_and_headers_have_a_length_within_limits(path: Path) -> None:
    for wrong in (b"", b"x" * (MAX_RECORD_BYTES + 1)):
        with pytest.raises(ValueError, match="has 1 to 65536 bytes"):
            Journal.open(path, wrong)
        with (
            Journal.open(path, HEADER) as journal,
            pytest.raises(ValueError, match="has 1 to 65536 bytes"),
        ):
            journal.append(wrong, durable=False)
    assert records_of(path) == ()


def test_a_closed_journal_takes_nothing_more(path: Path) -> None:
    journal = Journal.open(path, HEADER)
    journal.close()
    journal.close()
    with pytest.raises(ValueError, match="closed"):
        journal.append(b"late", durable=False)
    with pytest.raises(ValueError, match="closed"):
        journal.sync()


# --- one process at a time ----------------------------------------------------------------------


def test_a_journal_cannot_be_opened_twice_in_one_process(path: Path) -> None:
    with Journal.open(path, HEADER) as journal:
        with pytest.raises(JournalError, match="in use by another"):
            Journal.open(path, HEADER)
        journal.append(b"still mine", durable=True)
    assert records_of(path) == (b"still mine",)


def test_a_process_that_holds_the_journal_keeps_others_out_until_it_is_killed(
    path: Path, start_python: "Callable[[str, Path], subprocess.Popen[str]]"
) -> None:
    process = start_python(HOLD_A_JOURNAL, path)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    with pytest.raises(JournalError, match="in use by another"):
        Journal.open(path, HEADER)
    process.kill()
    process.wait()
    with Journal.open(path, HEADER) as journal:
        assert journal.records == (b"durable", b"not waited for")


# --- a disk that refuses ------------------------------------------------------------------------


@pytest.mark.parametrize("durable", [True, False])
@pytest.mark.parametrize("room", range(26))
def test_a_record_that_does_not_fit_on_the_disk_does_not_count(
    path: Path,
    durable: bool,
    room: int,
    disk_limit: Callable[[int], AbstractContextManager[None]],
) -> None:
    with Journal.open(path, HEADER) as journal:
        journal.append(b"before", durable=False)
        size = path.stat().st_size
        with disk_limit(size + room), pytest.raises(JournalError, match="cannot be written"):
            journal.append(b"record", durable=durable)
        assert path.stat().st_size == size
        assert journal.records == (b"before",)
        # Even with room again, nobody may append behind a record of unknown fate.
        with pytest.raises(JournalError, match="start p2pcoup again"):
            journal.append(b"record", durable=durable)
        with pytest.raises(JournalError, match="start p2pcoup again"):
            journal.sync()
    with Journal.open(path, HEADER) as journal:
        assert (journal.records, journal.cut_bytes) == ((b"before",), 0)
        journal.append(b"after", durable=True)
    assert records_of(path) == (b"before", b"after")


def test_a_journal_that_could_not_be_created_can_be_created_later(
    path: Path, disk_limit: Callable[[int], AbstractContextManager[None]]
) -> None:
    with disk_limit(30), pytest.raises(JournalError, match="cannot be used: File too large"):
        Journal.open(path, HEADER)
    with Journal.open(path, HEADER) as journal:
        assert (journal.records, journal.cut_bytes) == ((), 30)


def test_a_full_journal_says_so(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2pcoup.journal.journal.MAX_JOURNAL_BYTES", 150)
    with Journal.open(path, HEADER) as journal:
        with pytest.raises(JournalError, match=r"is full \(150 bytes\)"):
            journal.append(b"x" * 100, durable=True)
        journal.append(b"a small one still fits", durable=True)


def test_a_file_larger_than_any_journal_is_refused_unread(path: Path) -> None:
    with Journal.open(path, HEADER):
        pass
    with path.open("r+b") as file:
        file.truncate(64 * 1024 * 1024 + 1)  # sparse: takes no room
    with pytest.raises(JournalError, match="no game needs"):
        Journal.open(path, HEADER)
