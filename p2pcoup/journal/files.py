"""What journal, transcript and seed need of the file system, on POSIX and Windows (SPEC 10.5).

A file's bytes are safe after `fsync`; a new file's *name* is safe only after its folder has been
synced too. Where a system cannot sync a folder (Windows), it orders names itself.
"""

import contextlib
import os
import secrets
import sys
from pathlib import Path
from typing import Final

from p2pcoup.journal.errors import JournalError

PRIVATE_MODE: Final = 0o600
PRIVATE_FOLDER_MODE: Final = 0o700
PUBLIC_MODE: Final = 0o666
"""Lessened by the user's umask, as for any file people share."""

_MAX_FORMAT_DIGITS: Final = 4
"""A longer number is no format of ours and is not shown to anybody."""

OPEN_FLAGS: Final = (
    getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOINHERIT", 0)
)

if sys.platform == "win32":
    import msvcrt

    # A locked byte cannot be read through another handle there, so it lies beyond all data.
    _LOCKED_BYTE: Final = 2**31 - 2

    def lock(descriptor: int) -> bool:
        """Take the file for this process; False if another has it. Ends with the process."""
        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def lock(descriptor: int) -> bool:
        """Take the file for this process; False if another has it. Ends with the process.

        `flock`, not `lockf`: it also keeps one process from opening the file twice, and does not
        let go when some other descriptor of the file is closed.
        """
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def write_all(descriptor: int, data: bytes) -> None:
    """Write every byte at the file's current position; raises OSError."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def read_all(descriptor: int, most: int) -> bytes:
    """Read from the file's current position to its end, but no more than `most` bytes."""
    parts = []
    while most > 0 and (part := os.read(descriptor, min(most, 1 << 20))):
        parts.append(part)
        most -= len(part)
    return b"".join(parts)


def make_private_folder(path: Path) -> None:
    """Make the folder and those above it that are missing: for this user alone, and durable.

    A folder whose name is lost in a crash takes the files in it along, however well these were
    synced. Folders that exist already are left as they are. Raises JournalError.
    """
    try:
        if not path.is_dir():
            make_private_folder(path.parent)
            path.mkdir(PRIVATE_FOLDER_MODE, exist_ok=True)
            sync_folder_of(path)
    except OSError as error:
        raise JournalError(f"The folder {path} cannot be made: {reason(error)}.") from error


def sync_folder_of(path: Path) -> None:
    """Make the name of a file in its folder durable; raises OSError."""
    if sys.platform != "win32":
        descriptor = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def write_beside(path: Path, data: bytes, mode: int) -> Path:
    """Write a synced temporary file in the folder of `path`; returns its path. Raises OSError."""
    temporary = path.with_name(f"{path.name}.{secrets.token_hex(8)}.new")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | OPEN_FLAGS
    descriptor = os.open(temporary, flags, mode)
    try:
        try:
            write_all(descriptor, data)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    return temporary


def reason(error: OSError) -> str:
    """The system's reason in its own words, without the error number."""
    return error.strerror or str(error)


def foreign(magic: bytes, data: bytes) -> str:
    """What a file is that does not begin with `magic`, to follow "The file ... is"."""
    name, _, ours = magic.decode("ascii").rstrip("\n").rpartition(" ")
    line, newline, _ = data[: len(magic) + _MAX_FORMAT_DIGITS].partition(b"\n")
    theirs = line.removeprefix(name.encode("ascii") + b" ")
    if newline and theirs != line and theirs.isdigit():
        return (
            f"a {name} of format {theirs.decode('ascii')}; this version of p2pcoup reads format "
            f"{ours}. Use the version that wrote it"
        )
    return f"no {name}"
