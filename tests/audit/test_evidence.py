"""Evidence convinces somebody who was not there, and cannot be made against an honest seat."""

import os
from pathlib import Path

import pytest

from p2pcoup.audit import (
    EvidenceError,
    Finding,
    make_evidence,
    verify_evidence,
    verify_evidence_file,
)
from p2pcoup.table import Blame, Table
from p2pcoup.wire import Kind, SignedMessage
from tests.table.party import BASE_GAME, GAMES, Party, game_with, played, watcher

NIGHTLY = os.environ.get("P2PCOUP_NIGHTLY") == "1"

PROVEN = [Kind.COIN, Kind.KEY, Kind.SHUFFLE, Kind.SHARES, Kind.DECIDE, Kind.UNSEAL, Kind.OPEN]
PROVEN += [Kind.EXCHANGE, Kind.PICK, Kind.SHOW, Kind.GIVE_BACK, Kind.LEAVE, Kind.RESULT]


def forged(party: Party, kind: Kind) -> tuple[Table, SignedMessage]:
    """A table just before a message of that kind, and a false one in its place."""
    place = next(n for n, s in enumerate(party.messages()) if s.message.kind is kind)
    honest = party.messages()[place]
    first, *rest = honest.message.body
    wrong = f"{first} x" if isinstance(first, str) else bytes([first[0] ^ 1]) + first[1:]
    return watcher(party, place), party.signed_again(honest, body=(wrong, *rest))


@pytest.mark.parametrize("kind", PROVEN)
def test_a_false_message_of_any_kind_is_proven_to_somebody_who_was_not_there(kind: Kind) -> None:
    party = game_with(kind)
    table, false = forged(party, kind)
    (blame,) = table.receive(false.raw)
    assert isinstance(blame, Blame)
    finding = verify_evidence(make_evidence(table.terms, blame))
    seat = false.message.seat
    member = party.terms.roster[seat]
    assert finding == Finding(
        party.terms.game,
        member.name,
        member.peer,
        seat,
        false.message.round,
        blame.rule,
        blame.reason,
    )
    assert member.name in finding.sentence
    assert blame.rule in finding.sentence


@pytest.mark.parametrize("game", GAMES, ids=["base", "inquisitor", "fives"])
def test_equivocation_is_proven_even_long_after(game: tuple[object, ...]) -> None:
    party = played(*game)  # type: ignore[arg-type]
    old = next(s for s in party.messages() if s.message.kind is Kind.DECIDE)
    second = party.signed_again(old, body=(f"{old.message.seat} concede",))
    table = watcher(party, len(party.messages()))
    (blame,) = table.receive(second.raw)
    assert isinstance(blame, Blame)
    finding = verify_evidence(make_evidence(table.terms, blame))
    assert (finding.seat, finding.rule) == (old.message.seat, "equivocation")


def test_no_evidence_can_be_made_of_what_honest_seats_have_signed() -> None:
    """Any honest message, any two of them, beside any part of the game: nothing is proven."""
    party = played(*BASE_GAME)
    messages = party.messages()
    for number in range(0, len(messages), 3 if NIGHTLY else 13):
        signed = messages[number]
        for evidence in ((signed.raw,), (signed.raw, messages[number - 1].raw)):
            for round_ in (0, signed.message.round, signed.message.round + 1):
                past = tuple(m for m in messages if m.message.round < round_)
                blame = Blame(signed.message.seat, round_, "x", "x", evidence, past)
                with pytest.raises(EvidenceError):
                    verify_evidence(make_evidence(party.terms, blame))


def test_evidence_with_a_changed_byte_proves_nothing_else(tmp_path: Path) -> None:
    table, false = forged(played(*BASE_GAME), Kind.KEY)
    (blame,) = table.receive(false.raw)
    assert isinstance(blame, Blame)
    data = make_evidence(table.terms, blame)
    finding = verify_evidence(data)
    for position in range(0, len(data), 23):
        changed = data[:position] + bytes([data[position] ^ 4]) + data[position + 1 :]
        with pytest.raises(EvidenceError, match=r"\.$"):
            verify_evidence(changed)
    for length in (0, 5, 30, len(data) // 2, len(data) - 1):
        with pytest.raises(EvidenceError):
            verify_evidence(data[:length])
    path = tmp_path / "evidence"
    with pytest.raises(EvidenceError, match="cannot be read"):
        verify_evidence_file(path)
    path.write_bytes(data)
    assert verify_evidence_file(path) == finding
