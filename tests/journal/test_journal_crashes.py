"""What a crash or decay may do to a journal file, at every byte of it."""

from pathlib import Path

import pytest

from p2pcoup.journal import Journal, JournalError
from p2pcoup.journal.records import decode_record, encode_record
from tests.journal.conftest import StartPython

TERMS = b"terms"
HEADER_BYTES = 1 + 2 + len(TERMS) + 1  # an array of two: byte string and nil
HEAD_BYTES = 18 + 16 + 20 + HEADER_BYTES
SALT = b"0123456789abcdef"
RECORDS = ((b"mine 1", True), (b"theirs", False), (b"mine 2", True), (b"theirs again", False))


def end_of(count: int) -> int:
    """Where record number `count` ends."""
    return HEAD_BYTES + sum(20 + len(record) for record, _ in RECORDS[:count])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.journal"


@pytest.fixture
def intact(path: Path) -> bytes:
    with Journal.open(path, TERMS, None, randomness=lambda _: SALT) as journal:
        for record, durable in RECORDS:
            journal.append(record, durable=durable)
    data = path.read_bytes()
    assert len(data) == end_of(len(RECORDS))
    return data


def opened(path: Path, data: bytes) -> tuple[tuple[bytes, ...], int]:
    """Records and number of cut bytes of a journal with these bytes, which then goes on well."""
    path.write_bytes(data)
    with Journal.open(path, TERMS, None) as journal:
        found = journal.records, journal.cut_bytes
        journal.append(b"goes on", durable=True)
    with Journal.open(path, TERMS, None) as journal:
        assert journal.records == (*found[0], b"goes on")
        assert journal.cut_bytes == 0
    return found


def test_after_a_crash_at_any_byte_a_record_counts_or_is_cut_off(path: Path, intact: bytes) -> None:
    for length in range(len(intact) + 1):
        records, cut = opened(path, intact[:length])
        complete = [n for n in range(len(RECORDS) + 1) if end_of(n) <= length]
        if complete:
            assert records == tuple(record for record, _ in RECORDS[: complete[-1]])
            assert cut == length - end_of(complete[-1])
        else:
            assert (records, cut) == ((), length)


def test_after_a_crash_the_missing_end_may_be_zeros(path: Path, intact: bytes) -> None:
    for length in range(end_of(3), len(intact)):
        torn = intact[:length].ljust(len(intact), b"\0")
        if torn != intact:
            assert opened(path, torn) == (
                (b"mine 1", b"theirs", b"mine 2"),
                len(intact) - end_of(3),
            )


def test_a_new_file_of_zeros_is_a_journal_whose_creation_was_interrupted(path: Path) -> None:
    assert opened(path, bytes(HEAD_BYTES)) == ((), HEAD_BYTES)


def test_any_flipped_bit_of_what_was_durable_is_an_error_and_nothing_is_lost(
    path: Path, intact: bytes
) -> None:
    for position in range(end_of(3)):
        for bit in range(8):
            damaged = bytearray(intact)
            damaged[position] ^= 1 << bit
            path.write_bytes(damaged)
            with pytest.raises(JournalError) as caught:
                Journal.open(path, TERMS, None)
            assert path.read_bytes() == damaged
            if position >= HEAD_BYTES:
                number = next(n for n in range(3) if position < end_of(n + 1))
                assert f"at byte {end_of(number)} (record {number + 1})" in str(caught.value)
            else:
                sentence = str(caught.value)
                assert "in its head" in sentence or f"The file {path} is " in sentence


def test_any_damaged_byte_of_the_last_record_cuts_that_record_off(
    path: Path, intact: bytes
) -> None:
    for position in range(end_of(3), len(intact)):
        damaged = bytearray(intact)
        damaged[position] ^= 1 << position % 8
        records, cut = opened(path, bytes(damaged))
        assert records == (b"mine 1", b"theirs", b"mine 2")
        assert cut == len(intact) - end_of(3)


def test_a_hole_of_any_size_before_a_durable_record_is_an_error(path: Path, intact: bytes) -> None:
    for start in range(HEAD_BYTES, end_of(2)):
        holed = intact[:start] + bytes(end_of(2) - start) + intact[end_of(2) :]
        path.write_bytes(holed)
        with pytest.raises(JournalError, match="damaged at byte"):
            Journal.open(path, TERMS, None)
        assert path.read_bytes() == holed


def test_records_moved_to_another_position_are_no_records(path: Path, intact: bytes) -> None:
    one = intact[HEAD_BYTES : end_of(1)]
    assert opened(path, intact[:HEAD_BYTES] + b"?" * 7 + one) == ((), 7 + len(one))
    with pytest.raises(JournalError, match=f"damaged at byte {end_of(1)} "):
        opened(path, intact[: end_of(1)] + one + intact[end_of(1) + len(one) :])


def test_a_disk_that_stored_unsynced_records_in_another_order_is_no_damage(
    path: Path, intact: bytes
) -> None:
    path.write_bytes(intact)
    with Journal.open(path, TERMS, None) as journal:
        start = path.stat().st_size
        journal.append(b"one", durable=False)
        journal.append(b"two", durable=False)
        journal.append(b"three", durable=False)
    data = path.read_bytes()
    # One of the first two never reached the disk; it and what follows was promised to nobody.
    before = tuple(record for record, _ in RECORDS)
    lost_first = data[:start] + bytes(23) + data[start + 23 :]
    assert opened(path, lost_first) == (before, 23 + 23 + 25)
    lost_second = data[: start + 23] + bytes(23) + data[start + 46 :]
    assert opened(path, lost_second) == ((*before, b"one"), 23 + 25)
    # Once a durable record follows, all three had been on disk.
    path.write_bytes(data)
    with Journal.open(path, TERMS, None) as journal:
        journal.append(b"mine 3", durable=True)
    data = path.read_bytes()
    path.write_bytes(data[: start + 23] + bytes(23) + data[start + 46 :])
    with pytest.raises(JournalError, match=f"damaged at byte {start + 23} "):
        Journal.open(path, TERMS, None)


def torn_message_with_a_record_inside(salt: bytes, intact: bytes) -> bytes:
    """The journal ends within a long message, in whose body the sender put a record."""
    position = len(intact) + 12 + 40
    inside = encode_record(salt, position, position, b"planted")
    assert decode_record(salt, bytes(position) + inside, position) is not None
    message = b"m" * 40 + inside + b"m" * 400
    return intact + encode_record(SALT, len(intact), len(intact), message)[:-1]


def test_a_peer_cannot_plant_records_in_a_message(path: Path, intact: bytes) -> None:
    torn = torn_message_with_a_record_inside(b"a guess of 16 b.", intact)
    assert opened(path, torn) == (
        tuple(record for record, _ in RECORDS),
        len(torn) - len(intact),
    )


def test_without_the_secret_salt_a_planted_record_would_make_a_crash_look_like_damage(
    path: Path, intact: bytes
) -> None:
    with pytest.raises(JournalError, match="damaged at byte"):
        opened(path, torn_message_with_a_record_inside(SALT, intact))


WRITE_UNTIL_KILLED = f"""
import itertools, sys
from pathlib import Path
from p2pcoup.journal import Journal
journal = Journal.open(Path(sys.argv[1]), {TERMS!r}, None)
for number in itertools.count():
    durable = number % 3 == 0
    journal.append(str(number).encode() * 500, durable=durable)
    if durable:
        print(number, flush=True)
"""


@pytest.mark.parametrize("promises", [1, 2, 20, 60])
def test_a_process_killed_while_it_writes_has_kept_every_record_it_promised(
    path: Path, promises: int, start_python: StartPython
) -> None:
    process = start_python(WRITE_UNTIL_KILLED, path)
    assert process.stdout is not None
    promised = [int(process.stdout.readline()) for _ in range(promises)]
    process.kill()
    promised += map(int, process.communicate()[0].split())
    with Journal.open(path, TERMS, None) as journal:
        records = journal.records
        journal.append(b"goes on", durable=True)
    assert records == tuple(str(number).encode() * 500 for number in range(len(records)))
    assert len(records) > promised[-1]
    with Journal.open(path, TERMS, None) as journal:
        assert journal.records == (*records, b"goes on")
