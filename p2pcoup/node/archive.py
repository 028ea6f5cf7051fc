"""The games a user has played, and what their audits found (SPEC 10.5).

When a game is over its transcript is audited, and what was found is noted beside it in
``audit.json`` together with the digest of the transcript. A note about other bytes than those in
the folder counts for nothing.
"""

import contextlib
import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import p2pcoup
from p2pcoup.audit import Report, audit
from p2pcoup.journal import JournalError, read_terms
from p2pcoup.journal.files import PUBLIC_MODE, write_beside
from p2pcoup.journal.transcript import MAX_TRANSCRIPT_BYTES
from p2pcoup.node.seat import TRANSCRIPT_NAME
from p2pcoup.table import Terms, TermsError, decode_terms

NOTE_NAME = "audit.json"
MAX_NOTE_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class PastGame:
    """A game in the data folder.

    Attributes:
        played_at: when something was last written there, in seconds since 1970.
        terms: what was played; None where the files cannot be read.
        finished: whether there is a transcript.
        report: what its audit found, in the form of `Report.as_dict`; None if it is not audited.
    """

    folder: Path
    played_at: float
    terms: Terms | None
    finished: bool
    report: Mapping[str, object] | None

    @property
    def transcript(self) -> Path:
        """Where the transcript is, or will be."""
        return self.folder / TRANSCRIPT_NAME


def past_games(home: Path) -> list[PastGame]:
    """All games in the data folder, the newest first; a folder that holds no journal is none."""
    return sorted(_games(home / "games"), key=lambda game: game.played_at, reverse=True)


def _games(folder: Path) -> Iterator[PastGame]:
    with contextlib.suppress(OSError):
        for each in folder.iterdir():
            journal, transcript = each / "journal", each / TRANSCRIPT_NAME
            with contextlib.suppress(OSError):
                finished = transcript.exists()
                played_at = (transcript if finished else journal).stat().st_mtime
                report = noted_report(each) if finished else None
                yield PastGame(each, played_at, _terms(journal), finished, report)


def _terms(journal: Path) -> Terms | None:
    try:
        return decode_terms(read_terms(journal))
    except (JournalError, TermsError):
        return None


def audit_and_note(folder: Path) -> Report:
    """Audit the transcript in the folder of a game and note what was found.

    A note that cannot be written is no error: it is only made again. Raises OSError if the
    transcript cannot be read.
    """
    with (folder / TRANSCRIPT_NAME).open("rb") as file:
        data = file.read(MAX_TRANSCRIPT_BYTES + 1)
    report = audit(data)
    digest = hashlib.sha256(data).hexdigest()
    note = {"transcript": digest, "program": p2pcoup.__version__, "report": report.as_dict()}
    with contextlib.suppress(OSError):
        path = folder / NOTE_NAME
        write_beside(path, json.dumps(note).encode(), PUBLIC_MODE).replace(path)
    return report


def noted_report(folder: Path) -> Mapping[str, object] | None:
    """What this version of the program has found of the transcript that is there now, if it has."""
    try:
        with (folder / NOTE_NAME).open("rb") as file:
            note = json.loads(file.read(MAX_NOTE_BYTES))
        with (folder / TRANSCRIPT_NAME).open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except (OSError, ValueError):
        return None
    match note:
        case {"transcript": of, "program": by, "report": {"verdict": str()} as report}:
            return report if (of, by) == (digest, p2pcoup.__version__) else None
    return None
