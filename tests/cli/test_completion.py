"""Shell completion: the printed script, and what a shell is told by the program."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from p2pcoup.node.folder import HOME_VARIABLE
from tests.cli.running import Run
from tests.node.nodes import ROOT


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_shell_gets_a_script_that_it_can_read(run: Run, tmp_path: Path, shell: str) -> None:
    result = run("completion", shell)
    assert result.exit_code == 0
    assert "_P2PCOUP_COMPLETE" in result.output
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed; the script was printed")
    script = tmp_path / "script"
    script.write_text(result.output)
    subprocess.run([shell, "-n", script], check=True, timeout=60)


@pytest.mark.parametrize(
    ("typed", "offered"),
    [("p2pcoup ga", {"games"}), ("p2pcoup demo --se", {"--seats", "--setup", "--seed"})],
)
def test_the_program_tells_a_shell_how_to_go_on(
    tmp_path: Path, typed: str, offered: set[str]
) -> None:
    told = subprocess.run(
        [sys.executable, "-c", "from p2pcoup.cli import cli; cli(prog_name='p2pcoup')"],
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT),
            HOME_VARIABLE: str(tmp_path),
            "_P2PCOUP_COMPLETE": "bash_complete",
            "COMP_WORDS": typed,
            "COMP_CWORD": str(typed.count(" ")),
        },
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    ).stdout
    assert {line.partition(",")[2] for line in told.splitlines()} >= offered
