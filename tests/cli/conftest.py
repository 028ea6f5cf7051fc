"""What the tests of the command line share."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from p2pcoup.cli import cli
from p2pcoup.node.folder import HOME_VARIABLE
from tests.cli.running import Run
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
