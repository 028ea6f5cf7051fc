"""The files of a game: its journal, its transcript and its secret seed (SPEC 10)."""

from p2pcoup.journal.errors import JournalError, TranscriptError
from p2pcoup.journal.files import make_private_folder
from p2pcoup.journal.journal import Journal, read_terms
from p2pcoup.journal.secret import erase_seed, load_or_create_seed
from p2pcoup.journal.transcript import (
    TranscriptFile,
    encode_transcript,
    load_transcript,
    read_transcript,
    write_transcript,
)

__all__ = [
    "Journal",
    "JournalError",
    "TranscriptError",
    "TranscriptFile",
    "encode_transcript",
    "erase_seed",
    "load_or_create_seed",
    "load_transcript",
    "make_private_folder",
    "read_terms",
    "read_transcript",
    "write_transcript",
]
