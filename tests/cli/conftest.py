"""What the tests of the command line share."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from p2pcoup.cli import cli
from p2pcoup.node.folder import HOME_VARIABLE
from tests.cli.running import Run
from tests.net.discovery.tables import LOOPBACK, own_service
from tests.node.nodes import ROOT
from tests.table.party import Party, played


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def run(home: Path) -> Run:
    """Runs a command in this process, with a home of its own."""

    def run(*arguments: object, at: Path = home) -> Result:
        result = CliRunner().invoke(cli, [*map(str, arguments)], env={HOME_VARIABLE: str(at)})
        assert "Traceback" not in result.output
        return result

    return run


@pytest.fixture(scope="module")
def party() -> Party:
    return played(2)


@pytest.fixture(scope="module")
def service() -> Iterator[str]:
    """A service type under which another process announces a table."""
    name = own_service()
    module = "tests.net.discovery.table_process"
    with subprocess.Popen(
        [sys.executable, "-m", module, "announce", name, *LOOPBACK],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=ROOT,
    ) as process:
        assert process.stdout is not None
        assert json.loads(process.stdout.readline()) == {"fault": None}
        yield name
        process.communicate(timeout=30)
    assert process.returncode == 0
