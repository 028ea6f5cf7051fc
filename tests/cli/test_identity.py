"""Who the user is."""

from pathlib import Path

import pytest

from p2pcoup.node.home import identity_file
from p2pcoup.wire import parse_peer_id
from tests.cli.running import Run


def test_an_identity_is_made_once_and_shown_alike_ever_after(run: Run, home: Path) -> None:
    made = run("identity", "create")
    shown = run("identity", "show")
    assert made.exit_code == shown.exit_code == 0
    assert shown.output.strip() == parse_peer_id(shown.output)
    assert shown.output in made.output
    assert str(identity_file(home)) in made.output
    again = run("identity", "create")
    assert again.exit_code == 1
    assert "it was left as it is" in again.output
    assert run("identity", "show").output == shown.output


def test_no_command_ever_prints_the_key(run: Run, home: Path) -> None:
    made = run("identity", "create")
    key = identity_file(home).read_text().splitlines()[1]
    for result in (made, run("identity", "show"), run("identity", "create")):
        assert key[:20] not in result.output
        assert key[-20:] not in result.output


@pytest.mark.parametrize("command", ["identity show", "identity create", "demo"])
def test_a_home_that_cannot_be_used_is_a_sentence(run: Run, tmp_path: Path, command: str) -> None:
    (tmp_path / "file").write_text("in the way")
    result = run(*command.split(), at=tmp_path / "file" / "home")
    assert result.exit_code == 1
    sentence = result.output.splitlines()[-1]
    assert sentence.startswith("Error: ")
    assert str(tmp_path / "file") in sentence
