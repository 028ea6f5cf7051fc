"""What journal and folders do with a disk: what is synced when, modes, and a disk that refuses."""

import errno
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from p2pcoup.journal import Journal, JournalError, load_or_create_seed, make_private_folder
from tests.journal.conftest import DiskLimit, StartPython

TERMS = b"the terms of this game"

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="a POSIX matter")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.journal"


@pytest.fixture
def no_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def records_of(path: Path) -> tuple[bytes, ...]:
    with Journal.open(path, TERMS, None) as journal:
        return journal.records


# --- modes --------------------------------------------------------------------------------------


@posix_only
@pytest.mark.usefixtures("no_umask")
def test_a_new_journal_is_for_its_user_alone_whatever_the_umask(path: Path) -> None:
    Journal.open(path, TERMS, None).close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@posix_only
@pytest.mark.usefixtures("no_umask")
def test_new_folders_are_for_their_user_alone_whatever_the_umask(tmp_path: Path) -> None:
    make_private_folder(tmp_path / "home" / "games" / "one")
    for folder in ("home", "home/games", "home/games/one"):
        assert stat.S_IMODE((tmp_path / folder).stat().st_mode) == 0o700


@posix_only
def test_folders_that_are_there_stay_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home").chmod(0o755)
    for _ in range(2):
        make_private_folder(tmp_path / "home")
        make_private_folder(tmp_path / "home" / "game")
    assert stat.S_IMODE((tmp_path / "home").stat().st_mode) == 0o755


def test_a_folder_that_cannot_be_made_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for folder in (tmp_path / "file", tmp_path / "file" / "game"):
        with pytest.raises(JournalError, match=r"cannot be made: (File exists|Not a directory)"):
            make_private_folder(folder)


# --- what is synced -----------------------------------------------------------------------------


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """The inode and size of whatever is synced, in order; it really is synced."""
    seen: list[tuple[int, int]] = []
    really = os.fsync

    def fsync(descriptor: int) -> None:
        really(descriptor)
        status = os.fstat(descriptor)
        seen.append((status.st_ino, 0 if stat.S_ISDIR(status.st_mode) else status.st_size))

    monkeypatch.setattr(os, "fsync", fsync)
    return seen


@posix_only
def test_opening_a_journal_makes_file_and_name_durable(
    path: Path, synced: list[tuple[int, int]]
) -> None:
    for _ in range(2):  # a new one, and one whose creator may have been killed
        Journal.open(path, TERMS, None).close()
        file = path.stat()
        assert synced == [(file.st_ino, file.st_size), (path.parent.stat().st_ino, 0)]
        synced.clear()


@posix_only
def test_a_durable_record_is_synced_and_everything_before_it_earlier(
    path: Path, synced: list[tuple[int, int]]
) -> None:
    with Journal.open(path, TERMS, None) as journal:
        inode = path.stat().st_ino
        synced.clear()
        journal.append(b"theirs", durable=False)
        journal.append(b"theirs", durable=False)
        assert synced == []
        before = path.stat().st_size
        journal.append(b"mine", durable=True)
        assert synced == [(inode, before), (inode, path.stat().st_size)]
        journal.append(b"mine", durable=True)
        assert synced[2:] == [(inode, path.stat().st_size)]
        journal.sync()
        assert len(synced) == 3
        journal.append(b"theirs", durable=False)
        journal.sync()
        assert synced[3:] == [(inode, path.stat().st_size)]


@posix_only
def test_a_new_seed_is_durable_before_it_has_its_name(
    path: Path, synced: list[tuple[int, int]]
) -> None:
    load_or_create_seed(path)
    assert synced == [(path.stat().st_ino, 55), (path.parent.stat().st_ino, 0)]
    synced.clear()
    load_or_create_seed(path)
    assert synced == [(path.parent.stat().st_ino, 0)]


@posix_only
def test_a_new_folder_is_synced_with_all_that_lead_to_it(
    tmp_path: Path, synced: list[tuple[int, int]]
) -> None:
    make_private_folder(tmp_path / "home" / "game")
    assert synced == [(tmp_path.stat().st_ino, 0), ((tmp_path / "home").stat().st_ino, 0)]


# --- a disk that refuses ------------------------------------------------------------------------


@pytest.mark.parametrize("durable", [True, False])
@pytest.mark.parametrize("room", range(26))
def test_a_record_that_does_not_fit_on_the_disk_does_not_count(
    path: Path, durable: bool, room: int, disk_limit: DiskLimit
) -> None:
    with Journal.open(path, TERMS, None) as journal:
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
    with Journal.open(path, TERMS, None) as journal:
        assert (journal.records, journal.cut_bytes) == ((b"before",), 0)
        journal.append(b"after", durable=True)
    assert records_of(path) == (b"before", b"after")


@pytest.mark.parametrize("failing", [1, 2])
def test_a_record_that_could_not_be_synced_does_not_count(
    path: Path, failing: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = 0
    really = os.fsync

    def fsync(descriptor: int) -> None:
        nonlocal calls
        calls += 1
        if calls == failing:
            raise OSError(errno.EIO, "Input/output error")
        really(descriptor)

    with Journal.open(path, TERMS, None) as journal:
        journal.append(b"theirs", durable=False)
        size = path.stat().st_size
        monkeypatch.setattr(os, "fsync", fsync)
        with pytest.raises(JournalError, match="cannot be written any more: Input/output error"):
            journal.append(b"mine", durable=True)
        assert path.stat().st_size == size
        assert journal.records == (b"theirs",)
        with pytest.raises(JournalError, match="start p2pcoup again"):
            journal.append(b"mine", durable=True)
    assert records_of(path) == (b"theirs",)


def test_a_journal_that_could_not_be_created_can_be_created_later(
    path: Path, disk_limit: DiskLimit
) -> None:
    with disk_limit(30), pytest.raises(JournalError, match="cannot be used: File too large"):
        Journal.open(path, TERMS, None)
    with Journal.open(path, TERMS, None) as journal:
        assert (journal.records, journal.cut_bytes) == ((), 30)


def test_a_full_journal_says_so(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2pcoup.journal.journal.MAX_JOURNAL_BYTES", 150)
    with Journal.open(path, TERMS, None) as journal:
        with pytest.raises(JournalError, match=r"is full \(150 bytes\)"):
            journal.append(b"x" * 100, durable=True)
        journal.append(b"a small one still fits", durable=True)


def test_a_file_larger_than_any_journal_is_refused(path: Path) -> None:
    with Journal.open(path, TERMS, None):
        pass
    with path.open("r+b") as file:
        file.truncate(64 * 1024 * 1024 + 1)  # sparse: takes no room
    with pytest.raises(JournalError, match="no game needs"):
        Journal.open(path, TERMS, None)


# A superuser may write anywhere, so the process first becomes somebody else where it can. The
# folder is entered before that and everything named relative to it.
WRITE_WHERE_NOTHING_MAY_BE_WRITTEN = f"""
import os, sys
from pathlib import Path
from p2pcoup.journal import (
    Journal, JournalError, load_or_create_seed, make_private_folder, write_transcript
)
os.chdir(sys.argv[1])
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
for attempt in (
    lambda: Journal.open(Path("new.journal"), {TERMS!r}, None),
    lambda: Journal.open(Path("old.journal"), {TERMS!r}, None),
    lambda: load_or_create_seed(Path("new.secret")),
    lambda: write_transcript(Path("game.coup"), {TERMS!r}, []),
    lambda: make_private_folder(Path("games")),
):
    try:
        attempt()
    except JournalError as error:
        print(error)
"""


@posix_only
def test_a_folder_nothing_may_be_written_in_gives_sentences(
    tmp_path: Path, start_python: StartPython
) -> None:
    with Journal.open(tmp_path / "old.journal", TERMS, None) as journal:
        journal.append(b"record", durable=True)
    before = (tmp_path / "old.journal").read_bytes()
    (tmp_path / "old.journal").chmod(0o444)
    tmp_path.chmod(0o555)
    process = start_python(WRITE_WHERE_NOTHING_MAY_BE_WRITTEN, tmp_path)
    told, _ = process.communicate()
    tmp_path.chmod(0o755)
    assert process.returncode == 0
    assert told.splitlines() == [
        "The journal new.journal cannot be opened: Permission denied.",
        "The journal old.journal cannot be opened: Permission denied.",
        "The game's secret new.secret cannot be read or written: Permission denied.",
        "The transcript game.coup cannot be written: Permission denied.",
        "The folder games cannot be made: Permission denied.",
    ]
    assert (tmp_path / "old.journal").read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["old.journal"]
