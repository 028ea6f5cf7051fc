"""The long way round: the coverage-guided driver."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz.harness import SECONDS

ROOT = Path(__file__).parents[2]
HAS_ATHERIS = importlib.util.find_spec("atheris") is not None
WITHOUT = """
import runpy, sys
sys.modules["atheris"] = None
runpy.run_module("tests.fuzz", None, "__main__")
"""


def drive(*command: str) -> subprocess.CompletedProcess[str]:
    """Run Python in the root of the project."""
    return subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_without_atheris_the_user_is_told_what_to_install() -> None:
    done = drive("-c", WITHOUT, "gossip")
    assert done.returncode == 2
    assert "pip install '.[fuzz]'" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(not HAS_ATHERIS, reason="needs the extra `fuzz`")
def test_a_search_ends_in_time_with_its_figures(tmp_path: Path) -> None:
    done = drive("-m", "tests.fuzz", "gossip", "--seconds", "1", "--keep", str(tmp_path))
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout.splitlines()[-1])
    assert figures["target"] == "gossip"
    assert figures["inputs"] > 10
    assert figures["found"] is None
    assert list(tmp_path.iterdir()), "what reached something is kept"


def test_inputs_are_measured_where_nobody_watches(tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / str(number)).write_bytes(bytes(number))
    done = drive("-m", "tests.fuzz", "gossip", "--measure", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert 0 < float(done.stdout) < SECONDS


def test_a_target_there_is_not_gives_the_list_of_those_there_are() -> None:
    done = drive("-m", "tests.fuzz", "everything")
    assert done.returncode == 2
    assert "gossip" in done.stdout
