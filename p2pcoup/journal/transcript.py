"""The `.coup` file: one finished (or broken off) game, the same bytes at every peer (SPEC 10.2).

It holds the terms and every signed message in order of round and seat, and nothing that differs
between peers: no time, no address, no note. Every byte is answered for: the first line is fixed,
the terms make the game id, each message is signed, and lengths and count must agree exactly. So
no checksum is needed, and a tampered message is found as what it is, with round and seat. The end
mark tells a file that was cut off from a game that was not finished.
"""

import contextlib
import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from p2pcoup.journal.errors import JournalError, TranscriptError
from p2pcoup.journal.files import PUBLIC_MODE, foreign, reason, sync_folder_of, write_beside
from p2pcoup.wire import MAX_MESSAGE_BYTES, MAX_TERMS_BYTES, SignedMessage, WireError, parse

MAGIC: Final = b"p2pcoup transcript 1\n"
MAX_TRANSCRIPT_BYTES: Final = 64 * 1024 * 1024
"""Read into memory as a whole. A long six-player game stays under 2 MiB."""
MAX_TRANSCRIPT_MESSAGES: Final = 250_000
"""Each becomes objects of about 1 KiB; a long six-player game has a few thousand."""

_LENGTH_BYTES: Final = 4
_END_MARK: Final = bytes(_LENGTH_BYTES)  # no message has length 0


@dataclass(frozen=True, slots=True)
class TranscriptFile:
    """What a transcript file holds. Structure only: no signature or proof has been verified.

    Attributes:
        terms: the encoded terms of the game.
        messages: all messages, strictly ascending by their places (SPEC 3.4).
    """

    terms: bytes
    messages: tuple[SignedMessage, ...]


def encode_transcript(terms: bytes, messages: Sequence[SignedMessage]) -> bytes:
    """Algorithm 10.2a: the bytes of the file. The messages may be given in any order.

    Raises ValueError for two messages of one place, and for what exceeds a limit.
    """
    ordered = sorted(messages, key=lambda signed: signed.message.place)
    for first, second in itertools.pairwise(ordered):
        if first.message.place == second.message.place:
            raise ValueError(
                "A transcript has one message for each place, but two are in round "
                f"{first.message.round} of seat {first.message.seat}."
            )
    if not 1 <= len(terms) <= MAX_TERMS_BYTES:
        raise ValueError(f"Terms have 1 to {MAX_TERMS_BYTES} bytes, not {len(terms)}.")
    parts = [MAGIC, _framed(terms), *(_framed(message.raw) for message in ordered)]
    data = b"".join([*parts, _END_MARK, len(ordered).to_bytes(_LENGTH_BYTES, "big")])
    if len(data) > MAX_TRANSCRIPT_BYTES or len(ordered) > MAX_TRANSCRIPT_MESSAGES:
        raise ValueError("The game is too long for a transcript file.")
    return data


def read_transcript(data: bytes) -> TranscriptFile:
    """Algorithm 10.2b: what the bytes of a transcript file hold.

    Raises TranscriptError unless they are exactly what `encode_transcript` makes of the result.
    """
    if len(data) > MAX_TRANSCRIPT_BYTES:
        raise TranscriptError(f"A transcript has at most {MAX_TRANSCRIPT_BYTES} bytes.")
    if not data.startswith(MAGIC):
        raise TranscriptError(f"Byte 0: this is {foreign(MAGIC, data)}.")
    terms, position = _frame(data, len(MAGIC), MAX_TERMS_BYTES, "the terms")
    if not terms:
        raise TranscriptError(f"Byte {len(MAGIC)}: the terms are missing.")
    messages: list[SignedMessage] = []
    while True:
        start = position
        what = f"message {len(messages) + 1}"
        raw, position = _frame(data, start, MAX_MESSAGE_BYTES, what)
        if not raw:
            break
        if len(messages) == MAX_TRANSCRIPT_MESSAGES:
            raise TranscriptError(f"Byte {start}: more than {len(messages)} messages.")
        messages.append(_parsed(raw, start, what))
        if len(messages) > 1 and messages[-2].message.place >= messages[-1].message.place:
            raise TranscriptError(f"Byte {start}: {what} is out of order or there twice.")
    if data[position:] != len(messages).to_bytes(_LENGTH_BYTES, "big"):
        raise TranscriptError(
            f"Byte {position}: the file should end with the number of its messages, "
            f"{len(messages)}; it is incomplete or was changed."
        )
    return TranscriptFile(terms, tuple(messages))


def write_transcript(path: Path, terms: bytes, messages: Sequence[SignedMessage]) -> None:
    """Put the file there completely or not at all, durably, replacing an older one.

    Raises JournalError if the disk refuses, ValueError as `encode_transcript` does.
    """
    data = encode_transcript(terms, messages)
    try:
        temporary = write_beside(path, data, PUBLIC_MODE)
        try:
            temporary.replace(path)
        except OSError:
            with contextlib.suppress(OSError):
                temporary.unlink()
            raise
        sync_folder_of(path)
    except OSError as error:
        raise JournalError(f"The transcript {path} cannot be written: {reason(error)}.") from error


def load_transcript(path: Path) -> TranscriptFile:
    """Read a transcript file; raises TranscriptError if it cannot be read or is none."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_TRANSCRIPT_BYTES + 1)
    except OSError as error:
        raise TranscriptError(f"The file {path} cannot be read: {reason(error)}.") from error
    return read_transcript(data)


def _framed(data: bytes) -> bytes:
    return len(data).to_bytes(_LENGTH_BYTES, "big") + data


def _frame(data: bytes, position: int, most: int, what: str) -> tuple[bytes, int]:
    """The framed bytes at this position, and the position after them."""
    start = position + _LENGTH_BYTES
    length = int.from_bytes(data[position:start], "big")
    if start > len(data) or (length <= most and start + length > len(data)):
        raise TranscriptError(
            f"Byte {len(data)}: the file ends within {what}; the rest of it is missing."
        )
    if length > most:
        raise TranscriptError(f"Byte {position}: {what} would have {length} bytes; {most} at most.")
    return data[start : start + length], start + length


def _parsed(raw: bytes, start: int, what: str) -> SignedMessage:
    try:
        return parse(raw)
    except WireError as error:
        raise TranscriptError(f"Byte {start}: {what} is no message. {error}") from error
