"""Audits of good, damaged, shortened and rearranged transcripts."""

import json
import os
import random
from dataclasses import replace
from pathlib import Path

import pytest

from p2pcoup.audit import Report, Verdict, audit, audit_file, match_flaw
from p2pcoup.journal import encode_transcript
from p2pcoup.table import Sequel
from p2pcoup.wire import Kind, SignedMessage
from tests.table.party import BUSY, Party, bereft, game_with, make_party, played

NIGHTLY = os.environ.get("P2PCOUP_NIGHTLY") == "1"
POSITIONS = 2000 if NIGHTLY else 120
"""Byte positions flipped in the sample, besides those of the first and last bytes."""


@pytest.fixture(scope="module")
def party() -> Party:
    return played(2, 1, BUSY)


def report_of(party: Party, messages: list[SignedMessage]) -> Report:
    return audit(encode_transcript(party.terms.encode(), messages))


def test_a_whole_game_is_valid_and_told(party: Party) -> None:
    report = audit(party.transcript())
    assert report.verdict is Verdict.VALID
    assert report.verdict.exit_status == 0
    assert report.problem is report.round is report.seat is report.rule is None
    assert report.messages == len(party.messages())
    assert report.rounds == party.messages()[-1].message.round + 1
    assert report.names == party.terms.names
    assert report.outcome == f"winner {report.winner}"
    assert report.story[-1] == f"{report.names[report.winner or 0]} wins the game."


def test_any_flipped_byte_makes_the_audit_fail_and_never_crash(party: Party) -> None:
    transcript = party.transcript()
    luck = random.Random(2026)
    sample = set(luck.sample(range(len(transcript)), POSITIONS))
    sample |= {*range(8), *range(len(transcript) - 8, len(transcript))}
    verdicts = []
    for position in sorted(sample):
        flipped = transcript[position] ^ (1 << luck.randrange(8))
        damaged = transcript[:position] + bytes([flipped]) + transcript[position + 1 :]
        report = audit(damaged)
        assert report.verdict.exit_status in (1, 2), position
        assert report.problem
        assert report.problem.endswith(".")
        if report.verdict is Verdict.INVALID:
            assert report.round is not None
            assert report.rule
            assert f"Round {report.round}, seat {report.seat}" in report.problem
        verdicts.append(report.verdict)
    assert {Verdict.INVALID, Verdict.UNREADABLE} <= set(verdicts)


def test_a_file_cut_anywhere_is_not_a_transcript(party: Party) -> None:
    transcript = party.transcript()
    for length in {*range(0, len(transcript), 97), len(transcript) - 1}:
        report = audit(transcript[:length])
        assert report.verdict is Verdict.UNREADABLE
        assert report.verdict.exit_status == 2
    assert audit(transcript + b"\0").verdict is Verdict.UNREADABLE


def test_an_unfinished_game_says_where_it_stops_and_who_is_missing(party: Party) -> None:
    messages = party.messages()
    for count in (0, 1, 2, 3, len(messages) // 2, len(messages) - 1):
        report = report_of(party, messages[:count])
        assert report.verdict is Verdict.UNFINISHED
        assert report.verdict.exit_status == 2
        assert report.messages == count
        missing = messages[count].message
        assert report.round == missing.round
        assert report.problem is not None
        assert f"stops in round {missing.round}" in report.problem
        assert party.terms.names[missing.seat] in report.problem


@pytest.mark.parametrize("kind", list(Kind))
def test_a_transcript_without_one_of_its_messages_is_invalid(kind: Kind) -> None:
    party = game_with(kind)
    messages = party.messages()
    place = next(n for n, s in enumerate(messages) if s.message.kind is kind)
    report = report_of(party, messages[:place] + messages[place + 1 :])
    assert report.verdict in (Verdict.INVALID, Verdict.UNFINISHED)
    if kind is not Kind.RESULT:
        assert report.verdict is Verdict.INVALID


def test_what_does_not_belong_to_the_game_is_found(party: Party) -> None:
    messages = party.messages()
    other = make_party(2, seed=77)
    other.begin()
    other.play()
    foreign = report_of(party, [*messages[:5], other.messages()[5], *messages[6:]])
    assert foreign.verdict is Verdict.INVALID
    assert foreign.round == other.messages()[5].message.round
    wrong_terms = audit(encode_transcript(other.terms.encode(), messages))
    assert wrong_terms.verdict is Verdict.INVALID


def test_terms_that_were_changed_make_the_transcript_invalid(party: Party) -> None:
    ash, birch = party.terms.roster
    renamed = replace(party.terms, roster=(ash, replace(birch, name="Mallow")))
    report = audit(encode_transcript(renamed.encode(), party.messages()))
    assert report.verdict is Verdict.INVALID
    assert report.round == 0


def test_a_forged_move_is_blamed_in_words(party: Party) -> None:
    """The signature is right, the move is not: rule and seat are named."""
    messages = party.messages()
    place = next(n for n, s in enumerate(messages) if s.message.kind is Kind.DECIDE)
    seat = messages[place].message.seat
    forged = party.signed_again(messages[place], body=(f"{seat} coup {1 - seat}",))
    report = report_of(party, [*messages[:place], forged])
    assert report.verdict is Verdict.INVALID
    assert (report.seat, report.rule) == (seat, "move")
    assert report.problem is not None
    assert "coup" in report.problem


def test_the_report_is_plain_data(party: Party) -> None:
    report = audit(party.transcript())
    data = json.loads(json.dumps(report.as_dict()))
    assert data["verdict"] == "valid"
    assert data["winner"] == report.winner
    assert data["messages"] == report.messages


def test_a_file_that_cannot_be_read_gives_a_report(tmp_path: Path, party: Party) -> None:
    path = tmp_path / "game.coup"
    assert audit_file(path).verdict is Verdict.UNREADABLE
    assert audit_file(tmp_path).verdict is Verdict.UNREADABLE
    path.write_bytes(b"")
    assert audit_file(path).verdict is Verdict.UNREADABLE
    path.write_bytes(party.transcript())
    assert audit_file(path).verdict is Verdict.VALID


def test_a_game_that_follows_another_is_checked_against_it() -> None:
    first = played(3, 3, BUSY)
    before = audit(first.transcript())
    order, winner = before.order, before.winner
    assert winner is not None
    others = [seat for seat in range(3) if seat != winner]
    for sequel, flaw in (
        (Sequel(before.final_digest, order, winner), None),
        (Sequel(before.final_digest, order, others[0]), "not started by the winner"),
        (Sequel(before.final_digest, order[::-1], winner), "seats of game"),
        (Sequel(bytes(32), order[::-1], others[0]), None),
    ):
        party = make_party(3, 4, BUSY, sequel=sequel, same=first)
        party.begin()
        party.play()
        after = audit(party.transcript())
        assert after.verdict is Verdict.VALID  # by itself it only shows that all have signed it
        found = match_flaw(before, after)
        assert (found is None) if flaw is None else (flaw in (found or ""))
    assert match_flaw(before, before) is None
    foreign = make_party(3, 5, BUSY, sequel=Sequel(before.final_digest, order, winner))
    foreign.begin()
    foreign.play()
    flaw = match_flaw(before, audit(foreign.transcript())) or ""
    assert "is not played by those who were left" in flaw


def test_a_lost_seat_is_told_with_who_states_it() -> None:
    party = bereft(4, 1, 60)
    report = audit(party.transcript())
    assert report.verdict is Verdict.VALID
    (loss,) = report.losses
    assert loss.seats == {1}
    assert loss.by == (0, 2, 3)
    assert "Ash and Cedar and Elm state that Birch is gone." in report.story
    assert not report.by_absence
    assert report.as_dict()["losses"] == [{"round": loss.round, "seats": [1], "by": [0, 2, 3]}]


def test_of_two_the_one_who_stays_wins_and_the_report_says_on_whose_word() -> None:
    party = bereft(2, 1, 14)
    report = audit(party.transcript())
    assert report.verdict is Verdict.VALID
    assert report.winner == 0
    assert report.by_absence
    assert "Ash alone states that Birch is gone." in report.story


def test_a_statement_of_absence_that_led_to_nothing_has_no_place_in_a_transcript() -> None:
    party = bereft(4, 1, 60)
    absent = next(s for s in party.messages() if s.message.kind is Kind.ABSENT)
    place = party.messages().index(absent)
    more = party.signed_again(absent, seat=(absent.message.seat + 2) % 4, body=("1:0",))
    if more.message.seat == 1:
        more = party.signed_again(absent, seat=3, body=("1:0",))
    messages = sorted([*party.messages(), more], key=lambda s: s.message.place)
    keyed = [s for s in messages if s is more or s.message.place != more.message.place]
    assert place
    report = report_of(party, keyed)
    assert report.verdict is not Verdict.VALID
