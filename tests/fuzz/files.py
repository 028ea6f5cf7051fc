"""Targets: files. Journal, secret seed, identity, transcript, evidence."""

import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from p2pcoup.audit import EvidenceError, Verdict, audit, verify_evidence
from p2pcoup.journal import (
    Journal,
    JournalError,
    TranscriptError,
    encode_transcript,
    load_or_create_seed,
    read_transcript,
)
from p2pcoup.journal.records import (
    MAX_JOURNAL_BYTES,
    encode_head,
    encode_header,
    encode_record,
)
from p2pcoup.journal.transcript import MAX_TRANSCRIPT_BYTES
from p2pcoup.wire import Identity, Kind, WireError
from tests.fuzz.harness import FILE_MEMORY, taken, target
from tests.fuzz.known import beginning, evidence_against, file_of, game, identity

SALT = bytes(range(16))
TERMS = b"the terms of a game"
RECORDS = (b"\x01", b"own words", bytes(300), b"\xff" * 40)

# --- journal --------------------------------------------------------------------------------------


def _journal(*durable: bool) -> bytes:
    """A journal with some records, of which these were synced."""
    data = encode_head(SALT, encode_header(TERMS, identity(1).peer_id))
    synced = len(data)
    for record, now in zip(RECORDS, durable, strict=False):
        if now:
            synced = len(data)
        data += encode_record(SALT, len(data), synced, record)
    return data


def some_journals() -> Sequence[bytes]:
    """Journals that are whole, empty, or torn at their end."""
    whole = _journal(True, False, False, True)
    return [whole, _journal(), _journal(False, False), whole[:-3], _journal(True)[:20], b""]


@target("journal", some_journals, MAX_JOURNAL_BYTES, memory=FILE_MEMORY)
def journal(data: bytes) -> None:
    """A journal opens with what it held to a point, or is left as it is; then it takes more."""
    owner = identity(1).peer_id
    with file_of(data) as path:
        opened = taken(lambda: Journal.open(path, TERMS, owner, randomness=bytes), JournalError)
        if opened is None:
            assert path.read_bytes() == data
            return
        with opened:
            records = opened.records
            assert data.startswith(path.read_bytes()) or not records
            opened.append(b"one more", durable=True)
        with Journal.open(path, TERMS, owner) as again:
            assert again.records == (*records, b"one more")
            assert again.cut_bytes == 0


# --- secrets --------------------------------------------------------------------------------------


def some_seeds() -> Sequence[bytes]:
    """The file of a secret seed."""
    with tempfile.TemporaryDirectory(prefix="p2pcoup-fuzz-") as folder:
        path = Path(folder) / "secret"
        load_or_create_seed(path, randomness=bytes)
        return [path.read_bytes()]


@target("seed", some_seeds, 1024, examples=60, memory=FILE_MEMORY)
def seed(data: bytes) -> None:
    """A seed is used only from a file that is whole, byte for byte."""
    with file_of(data) as path:
        read = taken(lambda: load_or_create_seed(path), JournalError)
        assert read is None or data == some_seeds()[0]
        assert path.read_bytes() == data


@target("identity", lambda: [identity(1).to_pem()], 4096, examples=80)
def identity_file(data: bytes) -> None:
    """An identity is an Ed25519 key or nothing."""
    with suppress(WireError):
        read = Identity.from_pem(data)
        assert Identity.from_pem(read.to_pem()).peer_id == read.peer_id


# --- games ----------------------------------------------------------------------------------------


def some_transcripts() -> Sequence[bytes]:
    """Transcripts of a game, broken off early and late, and finished."""
    return [beginning(0), beginning(3), beginning(7), beginning(len(game().messages()))]


@target("transcript", some_transcripts, MAX_TRANSCRIPT_BYTES, examples=150)
def transcript(data: bytes) -> None:
    """A transcript encodes to what was read."""
    with suppress(TranscriptError):
        file = read_transcript(data)
        assert encode_transcript(file.terms, file.messages) == data


def some_beginnings() -> Sequence[bytes]:
    """The first rounds of a game."""
    return [beginning(count) for count in (1, 3, 6, 9, 10)]


@target("audit", some_beginnings, MAX_TRANSCRIPT_BYTES, verifies=True, examples=60)
def audited(data: bytes) -> None:
    """The game is replayed and its proofs are verified. An audit has a verdict on everything, and
    tells why; no beginning of a game is a whole.
    """
    report = audit(data)
    assert report.verdict is not Verdict.VALID
    assert report.problem


def some_evidence() -> Sequence[bytes]:
    """Evidence of two messages in one place and of false proofs."""
    return [evidence_against(kind) for kind in (Kind.JOIN, Kind.KEY, Kind.SHUFFLE)]


@target("evidence", some_evidence, MAX_TRANSCRIPT_BYTES, verifies=True, examples=60)
def evidence(data: bytes) -> None:
    """The proof is verified. Evidence that was changed convicts nobody, unless it is still of the
    seat's own words.
    """
    finding = taken(lambda: verify_evidence(data), EvidenceError)
    if finding is not None:
        terms = game().terms
        assert finding.game == terms.game
        assert terms.roster[finding.seat].peer == finding.peer
