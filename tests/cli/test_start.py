"""What stops the program before it has begun."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import p2pcoup
from tests.cli.running import run_process
from tests.node.nodes import ROOT

START = (
    "import sys; sys.argv = ['p2pcoup', 'node', '--table', 'none.toml']; "
    "from p2pcoup.__main__ import main; main()"
)
SMALL_FILES = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)); "
NO_TEMPORARY_FOLDER = "import tempfile; tempfile.tempdir = '/nowhere/at/all'; "
INCOMPLETE = "Error: p2pcoup is not completely installed"
NOT_INSTALLED = "import sys; sys.modules['{}'] = None; "
INTERRUPTED_AT_AN_IMPORT = (
    "import signal, sys; sys.addaudithook(lambda event, arguments: event == 'import' and "
    "arguments[0] == '{}' and signal.raise_signal(signal.SIGINT)); "
)


@pytest.mark.skipif(sys.platform == "win32", reason="limits and signals are a POSIX matter")
@pytest.mark.parametrize(
    ("before", "status", "told"),
    [
        (SMALL_FILES, 1, "Error: p2pcoup cannot start, .*: File too large. Make room there, or "),
        (NO_TEMPORARY_FOLDER, 1, "Error: p2pcoup cannot start, .*: No such file or directory. "),
        (NOT_INSTALLED.format("click"), 1, f"{INCOMPLETE}: .*click.*Install it"),
        (NOT_INSTALLED.format("trio"), 1, f"{INCOMPLETE}: .*trio.*Install it"),
        (NOT_INSTALLED.format("rbcl"), 1, f"{INCOMPLETE}: .*rbcl.*Install it"),
        (INTERRUPTED_AT_AN_IMPORT.format("click"), 130, "Stopped."),
        (INTERRUPTED_AT_AN_IMPORT.format("trio"), 130, "Stopped."),
    ],
    ids=["full disk", "no folder", "no click", "no trio", "no rbcl", "Ctrl-C", "later Ctrl-C"],
)
def test_what_stops_the_program_before_it_has_begun_is_a_sentence_too(
    tmp_path: Path, before: str, status: int, told: str
) -> None:
    ended = subprocess.run(
        [sys.executable, "-B", "-c", before + START],
        env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (status, "")
    assert re.match(told, ended.stderr)
    assert ended.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []  # nothing is left in the temporary folder


def test_the_program_starts_by_its_own_module(home: Path) -> None:
    ended = run_process(home, "--version", stdout=subprocess.PIPE)
    assert ended.returncode == 0
    assert ended.stdout.decode() == f"p2pcoup, version {p2pcoup.__version__}\n"
