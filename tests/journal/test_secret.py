import hashlib
import os
import stat
import sys
from pathlib import Path

import pytest

from p2pcoup.journal import JournalError, erase_seed, load_or_create_seed
from tests.journal.conftest import DiskLimit

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="modes are a POSIX matter")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.secret"


def test_a_seed_is_made_once_and_then_stays(path: Path) -> None:
    seed = load_or_create_seed(path)
    assert len(seed) == 32
    assert load_or_create_seed(path) == seed
    assert list(path.parent.iterdir()) == [path]


def test_every_game_has_its_own_seed(tmp_path: Path) -> None:
    assert len({load_or_create_seed(tmp_path / str(i)) for i in range(8)}) == 8


def test_the_file_is_what_the_specification_says(path: Path) -> None:
    seed = bytes(range(32))
    assert load_or_create_seed(path, randomness=lambda count: seed[:count]) == seed
    start = b"p2pcoup seed 1\n" + seed
    assert path.read_bytes() == start + hashlib.sha256(start).digest()[:8]


@posix_only
def test_a_new_seed_is_private_whatever_the_umask(path: Path) -> None:
    before = os.umask(0)
    try:
        load_or_create_seed(path)
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@posix_only
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o601, 0o666])
def test_a_seed_others_can_reach_is_refused(path: Path, mode: int) -> None:
    load_or_create_seed(path)
    path.chmod(mode)
    with pytest.raises(JournalError, match=f"chmod 600 {path}"):
        load_or_create_seed(path)


def test_a_seed_with_any_flipped_bit_is_refused(path: Path) -> None:
    load_or_create_seed(path)
    data = path.read_bytes()
    for bit in range(8 * len(data)):
        flipped = bytearray(data)
        flipped[bit // 8] ^= 1 << bit % 8
        path.write_bytes(flipped)
        with pytest.raises(
            JournalError, match=r"is damaged|is no p2pcoup seed|is a p2pcoup seed of format"
        ):
            load_or_create_seed(path)
    path.write_bytes(data)
    assert len(load_or_create_seed(path)) == 32


def test_a_seed_of_another_size_is_refused(path: Path) -> None:
    load_or_create_seed(path)
    data = path.read_bytes()
    for length in range(len(data)):
        path.write_bytes(data[:length])
        sentence = rf"is damaged \({length} bytes\)" if length >= 15 else "is no p2pcoup seed"
        with pytest.raises(JournalError, match=sentence):
            load_or_create_seed(path)
    path.write_bytes(data + b"\0")
    with pytest.raises(JournalError, match=r"is damaged \(56 bytes\)"):
        load_or_create_seed(path)
    path.write_bytes(bytes(55))
    with pytest.raises(JournalError, match="is no p2pcoup seed"):
        load_or_create_seed(path)


def test_a_seed_of_a_newer_format_is_refused_and_left_alone(path: Path) -> None:
    path.write_bytes(b"p2pcoup seed 2\n" + bytes(40))
    path.chmod(0o600)
    with pytest.raises(JournalError, match=r"seed of format 2; .* Use the version that wrote it"):
        load_or_create_seed(path)
    assert path.read_bytes() == b"p2pcoup seed 2\n" + bytes(40)


def test_a_crash_while_the_seed_is_made_leaves_no_seed(path: Path, disk_limit: DiskLimit) -> None:
    for room in (0, 1, 40, 54):
        with disk_limit(room), pytest.raises(JournalError, match="File too large"):
            load_or_create_seed(path)
        assert list(path.parent.iterdir()) == []
    assert len(load_or_create_seed(path)) == 32


def test_a_seed_made_meanwhile_by_another_process_wins(path: Path) -> None:
    def other_is_faster(count: int) -> bytes:
        load_or_create_seed(path, randomness=lambda other_count: b"1" * other_count)
        return b"2" * count

    assert load_or_create_seed(path, randomness=other_is_faster) == b"1" * 32
    assert load_or_create_seed(path) == b"1" * 32
    assert list(path.parent.iterdir()) == [path]


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="game's secret"):
        load_or_create_seed(tmp_path)
    with pytest.raises(JournalError, match="No such file or directory"):
        load_or_create_seed(tmp_path / "nowhere" / "game.secret")


def test_an_erased_seed_is_overwritten_before_its_file_is_removed(path: Path) -> None:
    seed = load_or_create_seed(path)
    second_name = path.with_name("second name")
    second_name.hardlink_to(path)
    erase_seed(path)
    assert not path.exists()
    assert second_name.read_bytes() == bytes(55)
    second_name.unlink()
    assert load_or_create_seed(path) != seed


def test_erasing_a_seed_that_is_not_there_changes_nothing(path: Path) -> None:
    erase_seed(path)
    assert list(path.parent.iterdir()) == []


def test_what_is_no_file_is_not_erased(tmp_path: Path) -> None:
    folder = tmp_path / "game.secret"
    folder.mkdir()
    with pytest.raises(JournalError, match="is not a regular file"):
        erase_seed(folder)
    assert list(tmp_path.iterdir()) == [folder]


def test_an_interrupted_erasure_leaves_no_half_seed_and_is_finished_the_next_time(
    path: Path,
) -> None:
    load_or_create_seed(path)
    doomed = path.with_name("game.secret.erased")
    doomed.mkdir()
    (doomed / "in the way").touch()
    with pytest.raises(JournalError, match="cannot be erased"):
        erase_seed(path)
    assert len(load_or_create_seed(path)) == 32
    (doomed / "in the way").unlink()
    doomed.rmdir()
    # Interrupted right after the first step: the seed has lost its name, but is still there.
    path.rename(doomed)
    erase_seed(path)
    assert list(path.parent.iterdir()) == []
