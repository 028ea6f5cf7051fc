"""The file with a game's secret seed, from which all of a seat's secrets follow (SPEC 10.3).

It comes into being complete: written and synced under another name, then linked to its own. So a
crash leaves either no seed or the whole one, never 32 zero bytes that would be taken for it. A
checksum keeps a decayed seed from being used: the seat would contradict what it has signed.
"""

import contextlib
import hashlib
import os
import secrets
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from p2pcoup.journal.errors import JournalError
from p2pcoup.journal.files import (
    OPEN_FLAGS,
    PRIVATE_MODE,
    foreign,
    read_all,
    reason,
    sync_folder_of,
    write_all,
    write_beside,
)

MAGIC: Final = b"p2pcoup seed 1\n"
SEED_BYTES: Final = 32
CHECK_BYTES: Final = 8
_FILE_BYTES: Final = len(MAGIC) + SEED_BYTES + CHECK_BYTES


def load_or_create_seed(
    path: Path, *, randomness: Callable[[int], bytes] = secrets.token_bytes
) -> bytes:
    """The 32-byte seed in this file; a new one, durable before this returns, if there is no file.

    Raises JournalError if others can read the file (POSIX), if it is no intact seed, or if the
    disk refuses.
    """
    try:
        try:
            seed = _load(path)
        except FileNotFoundError:
            _create(path, _encode(randomness(SEED_BYTES)))
            seed = _load(path)
        sync_folder_of(path)  # whoever made it may have been killed before doing so
        return seed
    except OSError as error:
        raise JournalError(
            f"The game's secret {path} cannot be read or written: {reason(error)}."
        ) from error


def erase_seed(path: Path) -> None:
    """Overwrite the seed and remove its file; nothing happens if there is none.

    It loses its name first: whenever this is interrupted, there is a whole seed in the file or no
    file, and calling it again does the rest. A disk that keeps old blocks (flash, snapshots,
    backups) may still hold it; full protection is an encrypted disk. Raises JournalError if the
    disk refuses.
    """
    doomed = path.with_name(f"{path.name}.erased")
    try:
        if path.is_file():
            path.replace(doomed)
            sync_folder_of(path)
        elif path.exists():
            raise JournalError(f"The game's secret {path} is not a regular file.")
        _overwrite_and_remove(doomed)
    except OSError as error:
        raise JournalError(f"The secret {path} cannot be erased: {reason(error)}.") from error


def _overwrite_and_remove(path: Path) -> None:
    try:
        descriptor = os.open(path, os.O_WRONLY | OPEN_FLAGS)
    except FileNotFoundError:
        return
    try:
        write_all(descriptor, bytes(os.fstat(descriptor).st_size))
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    path.unlink(missing_ok=True)
    sync_folder_of(path)


def _encode(seed: bytes) -> bytes:
    return MAGIC + seed + hashlib.sha256(MAGIC + seed).digest()[:CHECK_BYTES]


def _load(path: Path) -> bytes:
    descriptor = os.open(path, os.O_RDONLY | OPEN_FLAGS)
    try:
        mode = os.fstat(descriptor).st_mode
        if not stat.S_ISREG(mode):
            raise JournalError(f"The game's secret {path} is not a regular file.")
        if sys.platform != "win32" and mode & 0o077:
            raise JournalError(
                f"The game's secret {path} can be read by other users of this machine, who could "
                f"see your cards. If none of them has: chmod 600 {path}"
            )
        data = read_all(descriptor, _FILE_BYTES + 1)
    finally:
        os.close(descriptor)
    if not data.startswith(MAGIC):
        raise JournalError(f"The game's secret {path} is {foreign(MAGIC, data)}.")
    seed = data[len(MAGIC) : len(MAGIC) + SEED_BYTES]
    if data != _encode(seed):
        raise JournalError(
            f"The game's secret {path} is damaged ({len(data)} bytes); without it this seat cannot "
            "play on. Restore it from a copy if there is one."
        )
    return seed


def _create(path: Path, data: bytes) -> None:
    temporary = write_beside(path, data, PRIVATE_MODE)
    try:
        try:
            # Unlike a rename on POSIX, a link never replaces a seed made in the meantime.
            os.link(temporary, path)
        except FileExistsError:
            return
        except OSError:
            # A file system without links: rename, after all.
            temporary.rename(path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            temporary.unlink()
