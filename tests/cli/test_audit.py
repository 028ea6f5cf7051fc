"""Audits of transcripts: exit status, and words for people and machines."""

import json
import os
import re
import sys
from pathlib import Path

import pytest

from p2pcoup.journal import encode_transcript
from p2pcoup.rules import Seat
from p2pcoup.table import Sequel
from tests.cli.running import Run, run_process
from tests.table.party import BUSY, Party, make_party


@pytest.fixture
def transcripts(party: Party, tmp_path: Path) -> dict[str, Path]:
    """A file for each thing an audit can find."""
    whole, message = party.transcript(), party.raws()[20]
    contents = {
        "valid": whole,
        "invalid": whole.replace(message, message[:-1] + bytes([message[-1] ^ 1])),
        "unfinished": encode_transcript(party.terms.encode(), party.messages()[:-1]),
        "cut": whole[:-1],
        "empty": b"",
    }
    paths = {name: tmp_path / f"{name}.coup" for name in contents}
    for name, data in contents.items():
        paths[name].write_bytes(data)
    return paths


@pytest.mark.parametrize(
    ("names", "status"),
    [
        (["valid"], 0),
        (["valid", "valid"], 0),
        (["invalid"], 1),
        (["valid", "invalid", "cut"], 1),
        (["unfinished"], 2),
        (["cut"], 2),
        (["empty", "valid"], 2),
        (["missing"], 2),
        (["folder"], 2),
    ],
)
def test_the_exit_status_of_an_audit_is_its_worst_verdict(
    run: Run, transcripts: dict[str, Path], tmp_path: Path, names: list[str], status: int
) -> None:
    files = {**transcripts, "missing": tmp_path / "missing.coup", "folder": tmp_path}
    result = run("audit", *(files[name] for name in names))
    assert result.exit_code == status
    assert [line.split(": ")[0] for line in result.output.splitlines()] == [
        str(files[name]) for name in names
    ]


def test_an_audit_says_who_won_or_where_what_does_not_hold(
    run: Run, transcripts: dict[str, Path], party: Party
) -> None:
    outcome = party.tables[0].outcome
    assert outcome is not None
    valid = run("audit", transcripts["valid"]).output
    assert f": valid. {party.terms.names[outcome.winner]} won against " in valid
    assert f"{len(party.messages())} signed messages" in valid
    invalid = run("audit", transcripts["invalid"]).output
    assert re.search(r": NOT VALID\. Round \d+, seat \d \(\w+\), rule [\w-]+: .+\.", invalid)
    assert ": unfinished. The game is not finished: it stops in round" in (
        run("audit", transcripts["unfinished"]).output
    )
    assert ": not readable as a transcript. Byte " in run("audit", transcripts["cut"]).output


def test_an_audit_for_machines_is_one_json_object_a_line(
    run: Run, transcripts: dict[str, Path]
) -> None:
    names = ["valid", "invalid", "unfinished", "cut"]
    result = run("audit", "--json", *(transcripts[name] for name in names))
    assert result.exit_code == 1
    reports = [json.loads(line) for line in result.output.splitlines()]
    assert [report["file"] for report in reports] == [str(transcripts[name]) for name in names]
    verdicts = ["valid", "invalid", "unfinished", "unreadable"]
    assert [report["verdict"] for report in reports] == verdicts
    assert reports[0]["problem"] is None
    assert isinstance(reports[1]["round"], int)


def test_an_audit_can_tell_the_story_in_paragraphs(run: Run, transcripts: dict[str, Path]) -> None:
    lines = run("audit", "--story", transcripts["valid"]).output.splitlines()
    turns = [number for number, line in enumerate(lines) if line.endswith("'s turn.")]
    assert turns
    assert all(lines[number - 1] == "" for number in turns)
    assert lines[-3].endswith("wins the game.")
    assert lines[-1].startswith(f"{transcripts['valid']}: valid.")


def test_an_audit_of_a_match_finds_a_game_that_the_winner_did_not_start(
    run: Run, tmp_path: Path, party: Party
) -> None:
    first = party.tables[0]
    assert first.outcome is not None
    order, winner = first.game.playing.order, first.outcome.winner
    files = [tmp_path / "first.coup", tmp_path / "true.coup", tmp_path / "false.coup"]
    games = [party]
    for number, starter in enumerate((winner, Seat(1 - winner)), 2):
        later = make_party(
            2, number, BUSY, sequel=Sequel(first.final_digest, order, starter), same=party
        )
        later.deal()
        later.play()
        games.append(later)
    for file, game in zip(files, games, strict=True):
        file.write_bytes(game.transcript())
    assert run("audit", *files[:2]).exit_code == 0
    assert run("audit", files[2]).exit_code == 0, "alone, it holds"
    result = run("audit", files[0], files[2])
    assert result.exit_code == 1
    assert result.output.splitlines()[-1].startswith(f"{files[2]}: NOT VALID in this match. ")
    assert result.output.endswith("was not started by the winner of the game before it.\n")
    lines = run("audit", "--json", files[0], files[2]).output.splitlines()
    found = [json.loads(line)["match_flaw"] for line in lines]
    assert found[0] is None
    assert found[1].endswith("was not started by the winner of the game before it.")


@pytest.mark.skipif(sys.platform == "win32", reason="pipes break otherwise there")
def test_output_that_nobody_reads_ends_a_command_without_a_word(
    transcripts: dict[str, Path], home: Path
) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        ended = run_process(home, "audit", "--story", transcripts["valid"], stdout=writer)
    finally:
        os.close(writer)
    assert ended.returncode == 128 + 13
    assert ended.stderr == b""
