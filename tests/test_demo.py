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
from p2pcoup.node import HOME_VARIABLE
from tests.node.nodes import ROOT

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


@pytest.mark.parametrize("seats", [3, 6])
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


def test_several_games_are_played_one_after_the_other_with_the_bots_of_one_s_choice(
    tmp_path: Path,
) -> None:
    arguments = ("--seats", "2", "--games", "2", "--bots", "random, honest")
    with demo(tmp_path, *arguments) as process:
        output, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    for number in (1, 2):
        assert f"Game {number} of 2: 2 node processes, bots random and honest.\n" in output
    assert output.count("\nAudit: valid. ") == len(transcripts(tmp_path)) == 2


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_demo_that_is_interrupted_stops_its_nodes_and_leaves_nothing(tmp_path: Path) -> None:
    with demo(tmp_path, "--seats", "2", "--games", "1000") as process:
        while process.stdout.readline() != "\n":  # the story begins
            pass
        assert process.stdout.readline()
        process.send_signal(signal.SIGINT)
        # The nodes have the same standard output: its end is the end of the last of them.
        _, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors) == (130, "Stopped.\n")
    assert transcripts(tmp_path) == list((tmp_path / "demo").iterdir()) == []
