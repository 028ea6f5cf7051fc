"""A piece of evidence: one file that proves to anybody what a seat has signed (SPEC 10.4).

It holds the transcript of the game up to the round in question and the accused messages. Whoever
has the program replays the one and hands the table the others. Nothing in it has to be believed: an
accused message names the digest of all that went before, so it cannot be shown beside another past
than the one its signer saw.
"""

import contextlib
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from p2pcoup.journal import TranscriptError, encode_transcript, read_transcript
from p2pcoup.table import Accepted, Blame, Table, Terms, TermsError, decode_terms
from p2pcoup.wire import MAX_MESSAGE_BYTES, PeerId, SignedMessage, WireError, parse

MAGIC: Final = b"p2pcoup evidence 1\n"
MAX_EVIDENCE_BYTES: Final = 65 * 1024 * 1024
"""The largest transcript and two messages."""
MAX_ACCUSED: Final = 2
"""One false message, or two that cannot both be honest."""

_LENGTH_BYTES: Final = 4


class EvidenceError(ValueError):
    """The file is no evidence, or proves nothing; the message says why."""


class UnreadableEvidenceError(EvidenceError):
    """Nobody can say what the file would prove: it is none, damaged, or of another version."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a piece of evidence proves.

    Attributes:
        game: the game's own text.
        name, peer: who did it.
        seat, round, rule, reason: as in the `Blame`.
    """

    game: str
    name: str
    peer: PeerId
    seat: int
    round: int
    rule: str
    reason: str

    @property
    def sentence(self) -> str:
        """The finding in words."""
        return (
            f"In round {self.round} of the game {self.game!a}, {self.name} (seat {self.seat}, peer "
            f"{self.peer}) broke the rule {self.rule}: {self.reason}"
        )


def make_evidence(terms: Terms, blame: Blame) -> bytes:
    """Algorithm 10.4a: the file for a blame in a game with these terms."""
    transcript = encode_transcript(terms.encode(), blame.past)
    return MAGIC + b"".join(_framed(part) for part in (transcript, *blame.evidence))


def verify_evidence(data: bytes) -> Finding:
    """Algorithm 10.4b: what the bytes of an evidence file prove.

    Raises:
        UnreadableEvidenceError: they are no evidence.
        EvidenceError: they do not prove anything.
    """
    transcript, accused = _read(data)
    try:
        file = read_transcript(transcript)
        terms = decode_terms(file.terms)
    except (TranscriptError, TermsError) as error:
        raise UnreadableEvidenceError(
            f"The game in this evidence cannot be read: {error}"
        ) from error
    table = Table(terms, clock=time.perf_counter)
    for signed in file.messages:
        if not any(isinstance(notice, Accepted) for notice in table.receive(signed.raw)):
            raise EvidenceError(
                f"The game in this evidence does not hold: its message of seat "
                f"{signed.message.seat} in round {signed.message.round} is not valid."
            )
    blames = [n for s in accused for n in table.receive(s.raw) if isinstance(n, Blame)]
    if not blames or set(blames[-1].evidence) != {signed.raw for signed in accused}:
        raise EvidenceError(
            "This proves nothing: the accused messages could all be an honest player's."
        )
    blame = blames[-1]
    member = terms.roster[blame.seat]
    return Finding(
        terms.game, member.name, member.peer, blame.seat, blame.round, blame.rule, blame.reason
    )


def verify_evidence_file(path: Path) -> Finding:
    """`verify_evidence` of a file; UnreadableEvidenceError also when it cannot be opened."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_EVIDENCE_BYTES + 1)
    except OSError as error:
        raise UnreadableEvidenceError(
            f"{path} cannot be read: {error.strerror or error}."
        ) from error
    return verify_evidence(data)


def _framed(data: bytes) -> bytes:
    return len(data).to_bytes(_LENGTH_BYTES, "big") + data


def _read(data: bytes) -> tuple[bytes, list[SignedMessage]]:
    """Split the file into its transcript and the accused messages."""
    if len(data) > MAX_EVIDENCE_BYTES or not data.startswith(MAGIC):
        raise UnreadableEvidenceError("This is not a file of evidence from a game of p2pcoup.")
    parts: list[bytes] = []
    at = len(MAGIC)
    while at < len(data) and len(parts) <= 1 + MAX_ACCUSED:
        length = int.from_bytes(data[at : at + _LENGTH_BYTES], "big")
        parts.append(data[at + _LENGTH_BYTES : at + _LENGTH_BYTES + length])
        at += _LENGTH_BYTES + length
    if at != len(data) or not 2 <= len(parts) <= 1 + MAX_ACCUSED:
        raise UnreadableEvidenceError("This file of evidence is damaged or incomplete.")
    transcript, *accused = parts
    if all(len(raw) <= MAX_MESSAGE_BYTES for raw in accused):
        with contextlib.suppress(WireError):
            return transcript, [parse(raw) for raw in accused]
    raise UnreadableEvidenceError("The accused message in this evidence cannot be read.")
