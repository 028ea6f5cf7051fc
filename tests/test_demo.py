"""`p2pcoup demo`: whole games between real processes."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from p2pcoup.audit import Verdict, audit_file
from p2pcoup.journal import load_transcript
from p2pcoup.node.folder import HOME_VARIABLE
from p2pcoup.rules import options_to_text
from p2pcoup.table import decode_terms
from tests.node.nodes import ROOT

NIGHTLY = os.environ.get("P2PCOUP_NIGHTLY") == "1"
PATIENCE = 120  # seconds; a demo takes a tenth of it


@contextmanager
def demo(home: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A running demo; it is killed if the test fails."""
    process = subprocess.Popen(
        [sys.executable, "-m", "p2pcoup", "demo", *arguments],
        env={**os.environ, HOME_VARIABLE: str(home), "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def transcripts(home: Path) -> list[Path]:
    return sorted((home / "demo").rglob("*.coup"))


@pytest.mark.parametrize("seats", [2, 6] if NIGHTLY else [2])
def test_a_demo_ends_with_one_transcript_that_audits_and_nothing_else(
    tmp_path: Path, seats: int
) -> None:
    arguments = ("--seats", str(seats), "--bots", "random", "--seed", "7")
    with demo(tmp_path, *arguments) as process:
        output, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors) == (0, "")
    (path,) = transcripts(tmp_path)
    assert list(path.parent.iterdir()) == [path]
    report = audit_file(path)
    assert report.verdict is Verdict.VALID
    assert len(report.names) == seats
    lines = output.splitlines()
    assert lines[0].startswith(f"Game 1 of 1: {seats} node processes, bots random")
    assert_told(lines, report.story)
    played, cryptography, sent, transcript, verdict = lines[-5:]
    assert played.startswith(f"Played: {report.game}, in ")
    assert re.match(r"Cryptography: \d+\.\d\d s at each peer on average", cryptography)
    assert float(re.search(r"\d+\.\d\d", cryptography)[0]) > 0
    assert sent.endswith("Bots' seed: 7.")
    assert transcript == (
        f"Transcript: {path}, the same {path.stat().st_size:,} bytes at all {seats} peers."
    )
    assert verdict.startswith(f"Audit: valid. {report.names[report.winner]} won against ")


def assert_told(lines: list[str], story: tuple[str, ...]) -> None:
    """The whole story is there, and an empty line before each turn."""
    told = lines[2:-6]
    assert lines[1] == lines[-6] == ""
    assert [line for line in told if line] == list(story)
    turns = [number for number, line in enumerate(told) if line.endswith("'s turn.")]
    assert [number - 1 for number in turns] == [n for n, line in enumerate(told) if line == ""]


def test_a_match_is_played_by_the_same_processes_and_audited_game_by_game(tmp_path: Path) -> None:
    arguments = ("--seats", "2", "--games", "2", "--bots", "random, honest")
    with demo(tmp_path, *arguments) as process:
        output, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors) == (0, "")
    assert output.startswith("Game 1 of 2: 2 node processes, bots random and honest.\n")
    assert output.count("\nGame 2 of 2 starts.\n") == 1
    assert output.count("\nAudit: valid. ") == 2
    first, second = (audit_file(path) for path in transcripts(tmp_path))
    assert second.sequel is not None
    assert second.sequel.previous == first.final_digest
    assert second.sequel.starter == first.winner
    winners = [report.names[report.winner] for report in (first, second)]
    score = ", ".join(f"{name} {winners.count(name)}" for name in first.names)
    assert f"\nThe match is over. Games won: {score}.\n" in output
    assert output.endswith("\nMatch: every game goes on from the one before it.\n")


@pytest.mark.parametrize(
    ("arguments", "edition", "options"),
    [
        (("--seats", "2", "--edition", "inquisitor"), "inquisitor", "standard"),
        (("--seats", "2", "--options", "set-of-five"), "base", "set-of-five"),
    ],
)
def test_a_demo_can_be_of_any_game_there_is(
    tmp_path: Path, arguments: tuple[str, ...], edition: str, options: str
) -> None:
    with demo(tmp_path, "--bots", "random", "--seed", "1", *arguments) as process:
        _, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors) == (0, "")
    (path,) = transcripts(tmp_path)
    terms = decode_terms(load_transcript(path).terms)
    assert (terms.edition.name, options_to_text(terms.options)) == (edition, options)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_demo_that_is_interrupted_stops_its_nodes_and_leaves_nothing(tmp_path: Path) -> None:
    with demo(tmp_path, "--seats", "2", "--games", "100") as process:
        while process.stdout.readline() != "\n":  # the story begins
            pass
        assert process.stdout.readline()
        process.send_signal(signal.SIGINT)
        # The nodes have the same standard output: its end is the end of the last of them.
        _, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors) == (130, "Stopped.\n")
    assert transcripts(tmp_path) == list((tmp_path / "demo").iterdir()) == []


# --- programs that are killed ---------------------------------------------------------------------

KILLED = re.compile(r"(\w+)'s program is killed( and started again)?\.")


@pytest.mark.waits
@pytest.mark.skipif(sys.platform == "win32", reason="it has no SIGKILL")
def test_when_programs_are_killed_for_good_the_others_go_on_to_a_valid_end(tmp_path: Path) -> None:
    with demo(tmp_path, "--seats", "5", "--kill", "2", "--seed", "3") as process:
        output, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors) == (0, "")
    killed = {name for name, again in KILLED.findall(output) if not again}
    assert len(killed) == 2
    (path,) = transcripts(tmp_path)
    assert list(path.parent.iterdir()) == [path]
    report = audit_file(path)
    assert report.verdict is Verdict.VALID
    assert report.names[report.winner] not in killed
    assert f"{report.names[report.winner]} wins the game.\n" in output
    assert "bytes at all 3 peers that are left.\nAudit: valid. " in output
    for name in killed:  # if it was still in the game
        assert f"{name} is out.\n" in output


@pytest.mark.skipif(sys.platform == "win32", reason="it has no SIGKILL")
def test_programs_that_are_killed_and_started_again_play_on(tmp_path: Path) -> None:
    with demo(tmp_path, "--seats", "3", "--restart", "2", "--seed", "1") as process:
        output, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors) == (0, "")
    blows = KILLED.findall(output)
    assert len(blows) == 2
    assert all(again for _, again in blows)
    (path,) = transcripts(tmp_path)
    report = audit_file(path)
    assert report.verdict is Verdict.VALID
    assert report.losses == ()
    assert "bytes at all 3 peers.\n" in output


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--seats", "4", "--kill", "2"), "of 4 players at most 1 can be killed"),
        (("--seats", "2", "--kill", "1", "--restart", "1"), "nobody left to be started again"),
        (("--games", "2", "--restart", "1"), "programs are killed in a single game only"),
    ],
)
def test_what_no_game_survives_is_refused_in_words(
    tmp_path: Path, arguments: tuple[str, ...], told: str
) -> None:
    with demo(tmp_path, *arguments) as process:
        output, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2
    assert output == ""
    assert told in " ".join(errors.split())
    assert transcripts(tmp_path) == []
