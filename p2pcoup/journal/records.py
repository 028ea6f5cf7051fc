"""The bytes of a journal file: head, records, and what a bad record means (SPEC 10.1).

Each record carries a checksum over a salt of this file, its position, and the *synced* offset:
everything before that offset was on disk when the record was written. A durable record is written
only after what precedes it has been synced, so its synced offset is its own position. That settles
what a bad record means when the file is read again:

* a later valid record whose synced offset lies beyond it: it was on disk once, so this is damage;
* otherwise it and all that follows was being written when the machine stopped (a disk may store
  the parts of a write in any order). Nobody was promised it, and it may be cut off.

The salt keeps a peer from writing "records" into the messages it sends us.

What no file can tell is whether the very last record is torn or has decayed after it was durable:
both are cut off.
"""

import hashlib
import re
from pathlib import Path
from typing import Final, NamedTuple

from p2pcoup.journal.errors import JournalError
from p2pcoup.journal.files import foreign
from p2pcoup.wire import MAX_TERMS_BYTES, PeerId, WireError, decode, encode

MAGIC: Final = b"p2pcoup journal 1\n"
SALT_BYTES: Final = 16
CHECK_BYTES: Final = 8
"""2^-64 for a torn record to pass; nobody who could forge it is kept out of the file anyway."""
MAX_RECORD_BYTES: Final = 65_536
"""A record is a message of at most 12,480 bytes; a larger length is damage."""
MAX_JOURNAL_BYTES: Final = 64 * 1024 * 1024
"""Read into memory as a whole. A long six-player game stays under 2 MiB."""

_LENGTH_BYTES: Final = 4
_OFFSET_BYTES: Final = 8
_FRONT_BYTES: Final = _LENGTH_BYTES + _OFFSET_BYTES
FRAME_BYTES: Final = _FRONT_BYTES + CHECK_BYTES
# How a record may begin: a length from 1 to MAX_RECORD_BYTES, an offset below MAX_JOURNAL_BYTES,
# neither of them 0. What is looked for in bytes that mean nothing must be looked for fast.
_FRONT: Final = re.compile(
    rb"(?=\x00(?:\x00(?!\x00\x00)..|\x01\x00\x00)\x00{4}(?!\x00{4})[\x00-\x04]...)", re.DOTALL
)
MAX_HEAD_BYTES: Final = len(MAGIC) + SALT_BYTES + FRAME_BYTES + MAX_TERMS_BYTES + 128
"""Magic, salt and the record of the header: terms, a peer id, and their lengths."""


class Contents(NamedTuple):
    """What a journal file holds: its salt, its records, and where the last good one ends."""

    salt: bytes
    records: tuple[bytes, ...]
    end: int


class Record(NamedTuple):
    """A record whose checksum is right: its payload, its synced offset, and where it ends."""

    payload: bytes
    synced: int
    end: int


def _check(salt: bytes, position: int, front: bytes, payload: bytes) -> bytes:
    place = salt + position.to_bytes(_OFFSET_BYTES, "big")
    return hashlib.sha256(place + front + payload).digest()[:CHECK_BYTES]


def encode_header(terms: bytes, owner: PeerId | None) -> bytes:
    """Algorithm 10.1a: which game a journal is of and who plays (None: watches) there.

    Raises ValueError for terms that have not 1 to MAX_TERMS_BYTES bytes.
    """
    if not 1 <= len(terms) <= MAX_TERMS_BYTES:
        raise ValueError(f"Terms have 1 to {MAX_TERMS_BYTES} bytes, not {len(terms)}.")
    return encode((terms, owner))


def encode_head(salt: bytes, header: bytes) -> bytes:
    """Algorithm 10.1b: how the file begins. The header is a record of its own."""
    start = len(MAGIC) + SALT_BYTES
    return MAGIC + salt + encode_record(salt, start, start, header)


def encode_record(salt: bytes, position: int, synced: int, payload: bytes) -> bytes:
    """Algorithm 10.1c: a record for this position of the file."""
    front = len(payload).to_bytes(_LENGTH_BYTES, "big") + synced.to_bytes(_OFFSET_BYTES, "big")
    return front + payload + _check(salt, position, front, payload)


def decode_record(salt: bytes, data: bytes, position: int) -> Record | None:
    """The record at this position, or None if there is no complete and intact one."""
    start = position + _FRONT_BYTES
    front = data[position:start]
    length = int.from_bytes(front[:_LENGTH_BYTES], "big")
    end = start + length + CHECK_BYTES
    if not 1 <= length <= MAX_RECORD_BYTES or end > len(data):
        return None
    payload = data[start : start + length]
    if _check(salt, position, front, payload) != data[start + length : end]:
        return None
    return Record(payload, int.from_bytes(front[_LENGTH_BYTES:], "big"), end)


def decode_head(path: Path, data: bytes) -> bytes:
    """The terms in the head of a journal file, which begins with these bytes.

    Raises JournalError, naming `path`, if they are no head.
    """
    if not data.startswith(MAGIC):
        raise JournalError(f"The file {path} is {foreign(MAGIC, data)}.")
    start = len(MAGIC) + SALT_BYTES
    head = decode_record(data[len(MAGIC) : start], data, start)
    try:
        match None if head is None else decode(head.payload, max_bytes=len(head.payload)):
            case [bytes(terms), _]:
                return terms
    except WireError:
        pass  # one refusal for every damage
    raise JournalError(f"The journal {path} is damaged in its head, at byte {start} or before.")


def creation_unfinished(data: bytes, header: bytes) -> bool:
    """Whether creating this file was interrupted (or never began), so that nothing is lost in it.

    Nothing is appended before the head is on disk; a file no longer than that with a bad head
    never had a record.
    """
    start = len(MAGIC) + SALT_BYTES
    if len(data) > start + len(header) + FRAME_BYTES:
        return False
    if not any(data):
        return True
    if not MAGIC.startswith(data[: len(MAGIC)]):
        return False
    return decode_record(data[len(MAGIC) : start], data, start) is None


def read_records(path: Path, data: bytes, header: bytes) -> Contents:
    """Algorithm 10.1d: the records of a file with a complete head, up to where they end.

    What lies beyond `Contents.end` never was durable. Raises JournalError, naming `path`, if the
    file is something else, belongs to another game or identity, or is damaged.
    """
    if not data.startswith(MAGIC):
        raise JournalError(f"The file {path} is {foreign(MAGIC, data)}.")
    position = len(MAGIC) + SALT_BYTES
    salt = data[len(MAGIC) : position]
    head = decode_record(salt, data, position)
    if head is None:
        raise JournalError(
            f"The journal {path} is damaged in its head, at byte {position} or before."
        )
    if head.payload != header:
        raise JournalError(f"The journal {path} {_whose(head.payload, header)}.")
    records: list[bytes] = []
    position = head.end
    while (record := decode_record(salt, data, position)) is not None:
        records.append(record.payload)
        position = record.end
    if position < len(data) and _was_durable(salt, data, position):
        raise JournalError(
            f"The journal {path} is damaged at byte {position} (record {len(records) + 1}), and "
            "more records follow. It was left as it is; restore the file from a copy."
        )
    return Contents(salt, tuple(records), position)


def _whose(found: bytes, ours: bytes) -> str:
    """What is wrong with a journal that has another header than ours."""
    try:
        parts, our_parts = decode(found, max_bytes=len(found)), decode(ours, max_bytes=len(ours))
    except WireError:
        return "has a header that cannot be read"
    match parts, our_parts:
        case [terms, str(owner)], [our_terms, _] if terms == our_terms:
            return f"belongs to {owner}, who plays the same game; use that identity for it"
        case [terms, None], [our_terms, _] if terms == our_terms:
            return "belongs to a peer that only watches the same game; move it away to play"
        case _:
            return "belongs to another game; every game needs a file of its own"


def _was_durable(salt: bytes, data: bytes, bad: int) -> bool:
    """Whether a record after the bad one proves that the bad one had reached the disk.

    The bad record's length cannot be trusted, so records are looked for at every position; only
    where one could begin that proves it is its checksum computed.
    """
    for found in _FRONT.finditer(data, bad + 1):
        position = found.start()
        synced = int.from_bytes(data[position + _LENGTH_BYTES : position + _FRONT_BYTES], "big")
        if bad < synced <= position and decode_record(salt, data, position) is not None:
            return True
    return False
