"""``p2pcoup join`` and ``watch`` without an invite: whose table it is, and when that is asked.

Another process announces a table of Ash's on the loopback interface; whom we have met is in a file.
"""

import os
import sys
from pathlib import Path

import pexpect
import pytest

from p2pcoup.cli.finding import Where, chosen_invite
from p2pcoup.node.folder import HOME_VARIABLE
from p2pcoup.node.known import open_known
from tests.cli.running import Run
from tests.net.discovery.tables import LOOPBACK, advert, peer
from tests.node.nodes import ROOT

INVITE = f"coup://127.0.0.1:7700#{advert().opener}"
HERE = ("--interface", *LOOPBACK, "--service")
GOING = (
    "import sys; from p2pcoup.cli.finding import Where, chosen_invite; "
    "where = Where(sys.argv[1], ('127.0.0.1',)); "
    "print('GOING TO', chosen_invite(None, True, lambda: None, where))"
)


def at_a_terminal(home: Path, *arguments: str) -> pexpect.spawn:
    """A Python program at a terminal, which may be asked something."""
    environment = {**os.environ, HOME_VARIABLE: str(home), "PYTHONPATH": str(ROOT)}
    return pexpect.spawn(
        sys.executable, list(arguments), env=environment, encoding="utf-8", timeout=30
    )


@pytest.mark.parametrize(
    ("met", "told"),
    [
        (None, "opened by Ash (new): base, standard, 1 of 6 seats taken"),
        ("Ash", "opened by Ash (known): base, standard, 1 of 6 seats taken"),
        ("Fern", "opened by Ash (known as Fern): base, standard, 1 of 6 seats taken"),
    ],
)
def test_of_the_only_table_it_is_said_whether_its_opener_is_known(
    service: str,
    home: Path,
    met: str | None,
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(home))
    if met is not None:
        open_known(home).meet(advert().opener, met)
    going = chosen_invite(None, True, lambda: None, Where(service, LOOPBACK))
    assert going == INVITE
    assert capsys.readouterr().err == f"Found: friday evening, {told}\n"


@pytest.mark.parametrize("command", ["join", "watch"])
def test_a_known_name_with_another_key_is_refused_where_nobody_can_be_asked(
    run: Run, service: str, home: Path, command: str
) -> None:
    open_known(home).meet(peer(1), "Ash")
    result = run(command, *HERE, service)
    assert (result.exit_code, result.stdout) == (1, "")
    found, careful, refused = result.stderr.splitlines()
    assert "opened by Ash (NOT the Ash you have met)" in found
    assert careful.startswith("Careful: whoever opened this table calls itself Ash, but is not")
    assert refused.endswith(f"go there by its invite then: p2pcoup {command} '{INVITE}'")


@pytest.mark.parametrize("answer", ["n", ""])
def test_at_a_terminal_one_is_asked_and_without_a_yes_goes_nowhere(
    service: str, home: Path, answer: str
) -> None:
    open_known(home).meet(peer(1), "Ash")
    program = at_a_terminal(home, "-m", "p2pcoup", "join", *HERE, service)
    program.expect_exact("Go there all the same? [y/N]:")
    program.sendline(answer)
    program.expect(pexpect.EOF)
    program.close()
    assert program.exitstatus == 1
    assert "Traceback" not in program.before
    assert [each.peer for each in open_known(home).remembered()] == [peer(1)]


def test_who_says_yes_goes_there(service: str, home: Path) -> None:
    open_known(home).meet(peer(1), "Ash")
    program = at_a_terminal(home, "-c", GOING, service)
    program.expect_exact("Go there all the same? [y/N]:")
    program.sendline("y")
    program.expect_exact(f"GOING TO {INVITE}")
    program.expect(pexpect.EOF)
    program.close()
    assert program.exitstatus == 0


def test_an_invite_that_was_given_is_asked_nothing(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(home))
    open_known(home).meet(peer(1), "Ash")
    assert chosen_invite(INVITE, True, lambda: None, Where()) == INVITE
    assert capsys.readouterr().err == ""
