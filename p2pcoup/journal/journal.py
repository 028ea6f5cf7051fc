"""The write-ahead journal of one game: append-only, and honest about crashes (SPEC 10.1).

A peer appends its own message durably *before* sending it, so after a crash it sends the same bytes
again instead of signing something else. Messages of others are appended without waiting.

When a journal is opened again, what an interrupted write left at its end is cut off and reported in
`cut_bytes`; damage to anything that was durable once is an error, and the file is left alone.
:mod:`p2pcoup.journal.records` tells the two apart. To make that possible, a durable record is
written only after everything before it has been synced.
"""

import contextlib
import os
import secrets
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from p2pcoup.journal.errors import JournalError
from p2pcoup.journal.files import (
    OPEN_FLAGS,
    PRIVATE_MODE,
    lock,
    read_all,
    reason,
    sync_folder_of,
    write_all,
)
from p2pcoup.journal.records import (
    FRAME_BYTES,
    MAX_HEAD_BYTES,
    MAX_JOURNAL_BYTES,
    MAX_RECORD_BYTES,
    SALT_BYTES,
    Contents,
    creation_unfinished,
    decode_head,
    encode_head,
    encode_header,
    encode_record,
    read_records,
)
from p2pcoup.wire import PeerId


class Journal:
    """An open journal; this process alone holds it until `close` or the process's end.

    Attributes:
        path: where the file is.
        cut_bytes: how many bytes of an unfinished end were cut off when it was opened.
    """

    __slots__ = (
        "_broken",
        "_descriptor",
        "_end",
        "_records",
        "_salt",
        "_synced",
        "cut_bytes",
        "path",
    )

    def __init__(self, path: Path, descriptor: int, contents: Contents, cut_bytes: int) -> None:
        """Use `Journal.open`."""
        self.path = path
        self.cut_bytes = cut_bytes
        self._descriptor = descriptor
        self._salt = contents.salt
        self._records = list(contents.records)
        self._end = contents.end
        self._synced = contents.end
        self._broken: str | None = None

    @classmethod
    def open(
        cls,
        path: Path,
        terms: bytes,
        owner: PeerId | None,
        *,
        randomness: Callable[[int], bytes] = secrets.token_bytes,
    ) -> "Journal":
        """Open the journal of the game with these terms, or create it (mode 0600, durable).

        `terms` are opaque here: 1 to MAX_TERMS_BYTES bytes. `owner` is the peer that plays (None:
        it only watches); nobody may speak from what another one has said. `randomness` gives the
        new file's salt. Raises JournalError, leaving the file as it was, if it belongs to another
        game or owner, is damaged, is in use by another process, or cannot be used.
        """
        header = encode_header(terms, owner)
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | OPEN_FLAGS, PRIVATE_MODE)
        except OSError as error:
            raise JournalError(f"The journal {path} cannot be opened: {reason(error)}.") from error
        try:
            return cls._open_locked(path, descriptor, header, randomness)
        except OSError as error:
            os.close(descriptor)
            raise JournalError(f"The journal {path} cannot be used: {reason(error)}.") from error
        except BaseException:
            os.close(descriptor)
            raise

    @classmethod
    def _open_locked(
        cls, path: Path, descriptor: int, header: bytes, randomness: Callable[[int], bytes]
    ) -> "Journal":
        if not lock(descriptor):
            raise JournalError(
                f"The journal {path} is in use by another p2pcoup process; stop that one first."
            )
        os.lseek(descriptor, 0, os.SEEK_SET)
        data = read_all(descriptor, MAX_JOURNAL_BYTES + 1)
        if len(data) > MAX_JOURNAL_BYTES:
            raise JournalError(
                f"The journal {path} has more than {MAX_JOURNAL_BYTES} bytes, which no game needs."
            )
        if creation_unfinished(data, header):
            salt = randomness(SALT_BYTES)
            head = encode_head(salt, header)
            contents = Contents(salt, (), len(head))
            _truncate(descriptor, 0)
            write_all(descriptor, head)
            cut_bytes = len(data)
        else:
            contents = read_records(path, data, header)
            cut_bytes = len(data) - contents.end
            if cut_bytes:
                _truncate(descriptor, contents.end)
        # What a killed process wrote may still be in the system's memory only, its name included.
        os.fsync(descriptor)
        sync_folder_of(path)
        return cls(path, descriptor, contents, cut_bytes)

    @property
    def records(self) -> tuple[bytes, ...]:
        """All records so far: those found when the journal was opened and those appended since."""
        return tuple(self._records)

    def append(self, record: bytes, *, durable: bool) -> None:
        """Add a record of 1 to MAX_RECORD_BYTES bytes.

        With `durable` it is on disk when this returns, and so is everything before it. If the disk
        refuses, raises JournalError: the record does not count, and the journal takes no more, as
        nobody can say what the disk will do next. The game goes on once it is opened again.
        """
        if not 1 <= len(record) <= MAX_RECORD_BYTES:
            raise ValueError(f"A record has 1 to {MAX_RECORD_BYTES} bytes, not {len(record)}.")
        self._check_usable()
        if self._end + len(record) + FRAME_BYTES > MAX_JOURNAL_BYTES:
            raise JournalError(
                f"The journal {self.path} is full ({MAX_JOURNAL_BYTES} bytes); the game ends here."
            )
        try:
            if durable:
                self._sync()
            framed = encode_record(self._salt, self._end, self._synced, record)
            os.lseek(self._descriptor, self._end, os.SEEK_SET)
            write_all(self._descriptor, framed)
            if durable:
                os.fsync(self._descriptor)
        except OSError as error:
            raise self._failed(error) from error
        self._end += len(framed)
        self._records.append(record)
        if durable:
            self._synced = self._end

    def sync(self) -> None:
        """Make every record so far durable. Raises JournalError as `append` does."""
        self._check_usable()
        try:
            self._sync()
        except OSError as error:
            raise self._failed(error) from error

    def _sync(self) -> None:
        if self._synced < self._end:
            os.fsync(self._descriptor)
            self._synced = self._end

    def _check_usable(self) -> None:
        if self._descriptor < 0:
            raise ValueError("The journal is closed.")
        if self._broken is not None:
            raise JournalError(self._broken)

    def _failed(self, error: OSError) -> JournalError:
        self._broken = (
            f"The journal {self.path} cannot be written any more: {reason(error)}. Nothing was "
            "sent that is not in it; make room or mend the disk and start p2pcoup again."
        )
        with contextlib.suppress(OSError):
            _truncate(self._descriptor, self._end)
            os.fsync(self._descriptor)
        return JournalError(self._broken)

    def close(self) -> None:
        """Let the file go. Does not sync: what was appended without `durable` may still be lost."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def __enter__(self) -> "Journal":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


def read_terms(path: Path) -> bytes:
    """The terms of the game that a journal is of, without opening it to write or checking more.

    Raises JournalError if the file cannot be read or does not begin like a journal.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MAX_HEAD_BYTES)
    except OSError as error:
        raise JournalError(f"The journal {path} cannot be read: {reason(error)}.") from error
    return decode_head(path, data)


def _truncate(descriptor: int, length: int) -> None:
    os.lseek(descriptor, length, os.SEEK_SET)
    os.ftruncate(descriptor, length)
