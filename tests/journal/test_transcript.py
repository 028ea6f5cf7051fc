import itertools
import random
import stat
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcoup.journal import (
    JournalError,
    TranscriptError,
    TranscriptFile,
    encode_transcript,
    load_transcript,
    read_transcript,
    write_transcript,
)
from p2pcoup.journal.transcript import MAX_TRANSCRIPT_BYTES
from p2pcoup.wire import MAX_MESSAGE_BYTES, MAX_TERMS_BYTES, SignedMessage
from tests.journal.conftest import DiskLimit

TERMS = b"the terms of the game"
MAGIC = b"p2pcoup transcript 1\n"


def frame(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


@pytest.fixture
def data(signed_messages: list[SignedMessage]) -> bytes:
    return encode_transcript(TERMS, signed_messages)


def test_a_transcript_survives(data: bytes, signed_messages: list[SignedMessage]) -> None:
    assert read_transcript(data) == TranscriptFile(TERMS, tuple(signed_messages))


def test_the_file_is_what_the_specification_says(
    data: bytes, signed_messages: list[SignedMessage]
) -> None:
    messages = b"".join(frame(signed.raw) for signed in signed_messages)
    assert data == MAGIC + frame(TERMS) + messages + b"\0\0\0\0" + b"\0\0\0\x08"


def test_every_peer_writes_the_same_bytes_whatever_order_messages_arrived_in(
    data: bytes, signed_messages: list[SignedMessage]
) -> None:
    shuffled = list(signed_messages)
    for seed in range(20):
        random.Random(seed).shuffle(shuffled)
        assert encode_transcript(TERMS, shuffled) == data


def test_a_game_without_messages_has_a_transcript() -> None:
    assert read_transcript(encode_transcript(TERMS, [])) == TranscriptFile(TERMS, ())


def test_every_changed_byte_is_refused_or_changes_what_is_read(
    data: bytes, signed_messages: list[SignedMessage]
) -> None:
    original = read_transcript(data)
    refused = 0
    for position, bit in itertools.product(range(len(data)), (0, 7)):
        flipped = bytearray(data)
        flipped[position] ^= 1 << bit
        try:
            changed = read_transcript(bytes(flipped))
        except TranscriptError:
            refused += 1
            continue
        assert (changed.terms, [m.raw for m in changed.messages]) != (
            original.terms,
            [m.raw for m in original.messages],
        )
        assert encode_transcript(changed.terms, changed.messages) == flipped
    assert 0 < refused < 2 * len(data)


def test_every_truncation_is_refused_as_such(data: bytes) -> None:
    for length in range(len(data)):
        with pytest.raises(TranscriptError, match=r"ends within|no p2pcoup transcript|incomplete"):
            read_transcript(data[:length])


def test_a_file_cut_between_two_messages_is_no_unfinished_game(
    data: bytes, signed_messages: list[SignedMessage]
) -> None:
    unfinished = encode_transcript(TERMS, signed_messages[:5])
    assert len(read_transcript(unfinished).messages) == 5
    assert data.startswith(unfinished[:-8])
    with pytest.raises(TranscriptError, match="ends within message 6; the rest of it is missing"):
        read_transcript(unfinished[:-8])


def test_every_additional_byte_is_refused(data: bytes) -> None:
    for more in range(256):
        with pytest.raises(TranscriptError, match="should end with the number of its messages, 8"):
            read_transcript(data + bytes([more]))


def test_messages_out_of_order_or_twice_are_refused(
    signed_messages: list[SignedMessage],
) -> None:
    one, two = (frame(signed.raw) for signed in signed_messages[:2])
    start = len(MAGIC) + 4 + len(TERMS)
    for wrong in (two + one, one + one):
        content = MAGIC + frame(TERMS) + wrong + bytes(4) + b"\0\0\0\x02"
        at = start + len(wrong) // 2
        with pytest.raises(TranscriptError, match=f"^Byte {at}: message 2 is out of order"):
            read_transcript(content)


def test_a_message_left_out_and_a_wrong_count_are_noticed(
    data: bytes, signed_messages: list[SignedMessage]
) -> None:
    first = frame(signed_messages[0].raw)
    with pytest.raises(TranscriptError, match="should end with the number of its messages, 7"):
        read_transcript(data.replace(first, b""))


def test_bytes_that_are_no_message_are_refused_with_their_place() -> None:
    start = len(MAGIC) + 4 + len(TERMS)
    for wrong in (b"x" * 100, b"\x97" + b"x" * 200, b"y"):
        content = MAGIC + frame(TERMS) + frame(wrong) + bytes(4) + b"\0\0\0\x01"
        with pytest.raises(TranscriptError, match=f"^Byte {start}: message 1 is no message. "):
            read_transcript(content)


@pytest.mark.parametrize("length", [MAX_MESSAGE_BYTES + 1, 2**31, 2**32 - 1])
def test_declared_lengths_beyond_the_limits_are_refused(length: int) -> None:
    with pytest.raises(TranscriptError, match="the terms would have"):
        read_transcript(MAGIC + length.to_bytes(4, "big") + b"x" * 100)
    with pytest.raises(TranscriptError, match=f"message 1 would have .* {MAX_MESSAGE_BYTES} at"):
        read_transcript(MAGIC + frame(TERMS) + length.to_bytes(4, "big") + b"x" * 100)


def test_the_longest_terms_are_read_and_longer_ones_refused() -> None:
    longest = b"x" * MAX_TERMS_BYTES
    assert read_transcript(encode_transcript(longest, [])).terms == longest
    with pytest.raises(TranscriptError, match=f"the terms would have 4097 bytes; {4096} at most"):
        read_transcript(MAGIC + frame(longest + b"x") + bytes(8))


def test_missing_terms_are_refused() -> None:
    with pytest.raises(TranscriptError, match="terms are missing"):
        read_transcript(MAGIC + bytes(12))


@pytest.mark.parametrize("content", [b"", b"p2pcoup", MAGIC[:-1], b"\x89PNG" * 20, bytes(99)])
def test_another_file_is_no_transcript(content: bytes) -> None:
    with pytest.raises(TranscriptError, match="is no p2pcoup transcript"):
        read_transcript(content)


def test_a_transcript_of_a_newer_format_is_refused_as_such(data: bytes) -> None:
    newer = data.replace(b"transcript 1", b"transcript 2", 1)
    with pytest.raises(TranscriptError, match="of format 2; this version of p2pcoup reads format"):
        read_transcript(newer)


def test_a_file_larger_than_any_transcript_is_refused() -> None:
    with pytest.raises(TranscriptError, match="at most"):
        read_transcript(MAGIC + bytes(MAX_TRANSCRIPT_BYTES))


@given(st.binary(max_size=300))
def test_any_bytes_after_the_first_line_are_read_or_refused(tail: bytes) -> None:
    try:
        found = read_transcript(MAGIC + tail)
    except TranscriptError as error:
        sentence = str(error)
    else:
        assert encode_transcript(found.terms, found.messages) == MAGIC + tail
        sentence = "read"
    assert sentence.isprintable()


def test_what_has_no_transcript_is_not_encoded(signed_messages: list[SignedMessage]) -> None:
    with pytest.raises(ValueError, match="one message for each place"):
        encode_transcript(TERMS, [*signed_messages, signed_messages[3]])
    for terms in (b"", b"x" * (MAX_TERMS_BYTES + 1)):
        with pytest.raises(ValueError, match="Terms have"):
            encode_transcript(terms, signed_messages)


# --- files --------------------------------------------------------------------------------------


def test_a_written_transcript_is_loaded_and_nothing_else_is_left_behind(
    tmp_path: Path, data: bytes, signed_messages: list[SignedMessage]
) -> None:
    path = tmp_path / "game.coup"
    path.write_bytes(b"an older one")
    write_transcript(path, TERMS, signed_messages)
    assert path.read_bytes() == data
    assert load_transcript(path) == read_transcript(data)
    assert list(tmp_path.iterdir()) == [path]
    if sys.platform != "win32":
        assert stat.S_IMODE(path.stat().st_mode) & 0o600 == 0o600


def test_a_disk_that_refuses_leaves_the_older_transcript(
    tmp_path: Path,
    signed_messages: list[SignedMessage],
    disk_limit: DiskLimit,
) -> None:
    path = tmp_path / "game.coup"
    path.write_bytes(b"an older one")
    with disk_limit(500), pytest.raises(JournalError, match="cannot be written: File too large"):
        write_transcript(path, TERMS, signed_messages)
    assert path.read_bytes() == b"an older one"
    assert list(tmp_path.iterdir()) == [path]


def test_a_transcript_that_cannot_be_put_in_place_leaves_nothing_behind(
    tmp_path: Path, signed_messages: list[SignedMessage]
) -> None:
    (tmp_path / "game.coup").mkdir()
    with pytest.raises(JournalError, match="cannot be written: "):
        write_transcript(tmp_path / "game.coup", TERMS, signed_messages)
    with pytest.raises(JournalError, match="No such file or directory"):
        write_transcript(tmp_path / "nowhere" / "game.coup", TERMS, signed_messages)
    assert [entry.name for entry in tmp_path.iterdir()] == ["game.coup"]


def test_a_file_that_is_not_there_is_no_transcript(tmp_path: Path) -> None:
    with pytest.raises(TranscriptError, match="cannot be read: No such file"):
        load_transcript(tmp_path / "missing.coup")
    with pytest.raises(TranscriptError, match="cannot be read: "):
        load_transcript(tmp_path)
