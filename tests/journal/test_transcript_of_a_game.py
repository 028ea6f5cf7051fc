"""The transcript of a real, short game: the same at both peers, and no byte of it can be changed.

A changed file is either refused when it is read, or the audit finds what was changed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2pcoup.audit import Report, Verdict, audit, audit_file
from p2pcoup.journal import (
    TranscriptError,
    TranscriptFile,
    encode_transcript,
    read_transcript,
    write_transcript,
)
from p2pcoup.rules import BASE, Concede
from p2pcoup.table import Accepted, Member, Notice, Player, Prompt, Table, Terms
from p2pcoup.wire import Identity, WireError, verify_signature

FRONT = len(b"p2pcoup transcript 1\n") + 4


@dataclass(frozen=True)
class Game:
    """A finished game: its terms, and what each of its peers holds."""

    terms: Terms
    identities: Sequence[Identity]
    tables: Sequence[Table]
    data: bytes


@pytest.fixture(scope="module")
def game() -> Game:
    """A game of two in which the first to be asked gives up."""
    identities = [
        Identity(Ed25519PrivateKey.from_private_bytes(bytes([seat + 1]) * 32)) for seat in range(2)
    ]
    members = zip(identities, ("Ash", "Birch"), strict=True)
    terms = Terms("a short game", BASE, tuple(Member(i.peer_id, name) for i, name in members))
    players = [Player(terms, i, bytes([seat]) * 32) for seat, i in enumerate(identities)]
    tables = [Table(terms, player, clock=lambda: 0.0) for player in players]
    flying: list[tuple[Table, bytes]] = []

    def react(seat: int, notices: list[Notice]) -> None:
        for notice in notices:
            match notice:
                case Accepted(signed, own=True):
                    flying.append((tables[1 - seat], signed.raw))
                case Prompt(id=prompt, decision=decision):
                    react(seat, tables[seat].answer(prompt, Concede(decision.seat)))

    for seat, table in enumerate(tables):
        react(seat, table.begin())
    while flying:
        table, raw = flying.pop(0)
        react(tables.index(table), table.receive(raw))
    data = encode_transcript(terms.encode(), list(tables[0].transcript()))
    return Game(terms, identities, tables, data)


def test_two_peers_write_the_same_bytes_and_these_audit(game: Game, tmp_path: Path) -> None:
    for seat, table in enumerate(game.tables):
        write_transcript(tmp_path / f"{seat}.coup", game.terms.encode(), list(table.transcript()))
    files = [(tmp_path / f"{seat}.coup").read_bytes() for seat in range(2)]
    assert files[0] == files[1] == game.data
    report = audit_file(tmp_path / "1.coup")
    assert report.verdict is Verdict.VALID, report.problem
    assert report.outcome is not None


def changed_terms(game: Game) -> Iterator[bytes]:
    for position in range(FRONT, FRONT + len(game.terms.encode())):
        for bit in (0, 4, 7):
            yield flipped(game.data, position, bit)


def flipped(data: bytes, position: int, bit: int) -> bytes:
    return data[:position] + bytes([data[position] ^ 1 << bit]) + data[position + 1 :]


def test_every_changed_byte_of_the_terms_is_found(game: Game) -> None:
    for data in changed_terms(game):
        report = audit(data)
        assert report.verdict in (Verdict.UNREADABLE, Verdict.INVALID)
        if report.verdict is Verdict.INVALID:  # other terms are another game
            assert (report.round, report.messages) == (0, 0)
            assert "another game" in str(report.problem)


def places(game: Game) -> list[tuple[int, int]]:
    """Where each message begins in the file, and its length."""
    found, position = [], FRONT + len(game.terms.encode())
    for signed in read_transcript(game.data).messages:
        found.append((position + 4, len(signed.raw)))
        position += 4 + len(signed.raw)
    assert position == len(game.data) - 8
    return found


def kept_bytes(start: int, length: int) -> Iterator[int]:
    """Every byte at both ends of a message and some of a long proof in between."""
    for offset in range(length):
        if offset < 100 or offset >= length - 70 or offset % 17 == 0:
            yield start + offset


def read_or_none(data: bytes) -> TranscriptFile | None:
    try:
        return read_transcript(data)
    except TranscriptError:
        return None


def test_no_byte_of_a_message_can_be_changed(game: Game) -> None:
    terms = game.terms.encode()
    start = FRONT + len(terms) + 4
    read = 0
    for signed in read_transcript(game.data).messages:
        data = encode_transcript(terms, [signed])  # alone, so that reading it is quick
        for position in kept_bytes(start, len(signed.raw)):
            found = read_or_none(flipped(data, position, position % 8))
            if found is None:
                continue
            read += 1
            (changed,) = found.messages
            assert changed.raw != signed.raw
            for identity in game.identities:
                with pytest.raises(WireError, match="not signed by"):
                    verify_signature(changed, identity.public_key)
    assert read > 1000


def test_the_audit_names_the_message_that_was_changed(game: Game) -> None:
    messages = read_transcript(game.data).messages
    for signed, (start, length) in zip(messages, places(game), strict=True):
        for position in (start + length - 1, start + length - 64, start + length - 65):
            report: Report = audit(flipped(game.data, position, 0))
            if report.verdict is Verdict.UNREADABLE:
                assert f"Byte {start - 4}: message " in str(report.problem)
                continue
            assert report.verdict is Verdict.INVALID
            assert (report.round, report.seat) == (signed.message.round, signed.message.seat)
            assert "is not signed by" in str(report.problem)


def test_every_changed_byte_between_the_messages_is_refused(game: Game) -> None:
    end = len(game.data)
    framing = [range(FRONT), range(end - 8, end), *(range(s - 4, s) for s, _ in places(game))]
    for position in (place for places_ in framing for place in places_):
        for bit in (0, 3, 7):
            assert read_or_none(flipped(game.data, position, bit)) is None


def test_a_transcript_without_one_of_its_messages_or_without_its_end_is_not_valid(
    game: Game,
) -> None:
    terms, messages = game.terms.encode(), read_transcript(game.data).messages
    for number in range(len(messages)):
        left_out = [*messages[:number], *messages[number + 1 :]]
        report = audit(encode_transcript(terms, left_out))
        last = number >= len(messages) - 2  # the signatures on the result
        assert report.verdict is (Verdict.UNFINISHED if last else Verdict.INVALID)
        if last:
            assert report.rounds == messages[-1].message.round
    for number in range(len(messages)):
        unfinished = encode_transcript(terms, messages[:number])
        assert audit(unfinished).verdict is Verdict.UNFINISHED
