"""A start of the program loads what it uses and not much else: people wait for it, and programs
start programs by the dozen.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from p2pcoup.node.folder import HOME_VARIABLE
from tests.node.nodes import NAMES, ROOT, make_seats

PATIENCE = 60.0
PROGRAM = (  # p2pcoup, which tells at its end what it has loaded
    "import atexit, json, pathlib, sys; told = pathlib.Path(sys.argv.pop(1)); "
    "atexit.register(lambda: told.write_text(json.dumps([*sys.modules]))); "
    "from p2pcoup.__main__ import main; main()"
)
DISCOVERY = {"zeroconf", "p2pcoup.net.discovery"}
WEB = {"starlette", "hypercorn", "trio_websocket"}
CLIENT = {"urwid", "p2pcoup.ui"}
CARDS = {"p2pcoup.deck", "p2pcoup.table", "cryptography"}
NEVER = WEB | {"doctest", "unittest", "asyncio", "p2pcoup.demo", "p2pcoup.bench"}


@contextmanager
def started(home: Path, *arguments: object) -> Iterator[subprocess.Popen[str]]:
    """The program, which is killed if the test fails."""
    home.mkdir(exist_ok=True)
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, home / "loaded", *map(str, arguments)],
        env={**os.environ, HOME_VARIABLE: str(home), "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def loaded(home: Path, unwanted: set[str]) -> set[str]:
    """Which of these the program has loaded that has ended there, but what every one needs."""
    modules = set(json.loads((home / "loaded").read_text()))
    assert {"click", "p2pcoup.cli.program"} <= modules
    return modules & unwanted


def run_until(process: subprocess.Popen[str], event: str) -> None:
    """Let a node run until its log has told that, and ask it to end."""
    for line in process.stderr:
        if json.loads(line)["event"] == event:
            break
    process.terminate()
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 0


@pytest.mark.parametrize("arguments", [("--version",), ("--help",)], ids=" ".join)
def test_help_and_version_load_no_command(home: Path, arguments: tuple[str, ...]) -> None:
    with started(home, *arguments) as process:
        assert process.wait(PATIENCE) == 0
    heavy = {"trio", "p2pcoup.rules", "p2pcoup.wire", "p2pcoup.node.home"}
    assert loaded(home, NEVER | DISCOVERY | CLIENT | CARDS | heavy) == set()


def test_the_help_of_a_command_loads_nothing_that_plays(home: Path) -> None:
    with started(home, "join", "--help") as process:
        assert process.wait(PATIENCE) == 0
    assert loaded(home, NEVER | DISCOVERY | CLIENT | CARDS | {"trio", "p2pcoup.rules"}) == set()


@pytest.mark.skipif(sys.platform == "win32", reason="it has no SIGTERM")
def test_a_node_at_the_table_of_a_file_loads_no_lobby_and_no_clients(tmp_path: Path) -> None:
    seat, _ = make_seats(tmp_path, 2)
    file = seat.home / "table.toml"
    file.write_text(seat.table_text({}))
    arguments = ("node", "--table", file, "--listen", "127.0.0.1:0", "--log", "json")
    with started(seat.home, *arguments) as process:
        run_until(process, "listening")
    lobby = {"p2pcoup.lobby", "p2pcoup.node.api", "p2pcoup.node.lobby.evening"}
    assert loaded(seat.home, NEVER | DISCOVERY | CLIENT | lobby) == set()


@pytest.mark.skipif(sys.platform == "win32", reason="it has no SIGTERM")
def test_a_node_that_opens_a_table_and_announces_nothing_loads_no_discovery(home: Path) -> None:
    arguments = ("--host", "--name", "Ash", "--listen", "127.0.0.1:0", "--log", "json")
    with started(home, "node", *arguments) as process:
        run_until(process, "invite")
    assert loaded(home, NEVER | DISCOVERY | CLIENT | {"p2pcoup.node.api"}) == set()


def test_a_window_loads_nothing_of_what_its_node_does(home: Path) -> None:
    home.mkdir()
    (home / "name").write_text(NAMES[0])
    with started(home, "host", "--no-announce", "--port", "0", "--json") as process:
        for line in process.stdout:
            if json.loads(line)["type"] == "state":
                break
        process.communicate('{"type": "quit", "n": 1}\n', timeout=PATIENCE)
        assert process.returncode == 0
    assert loaded(home, NEVER | DISCOVERY | CARDS | {"urwid", "p2pcoup.net"}) == set()


def test_a_window_that_goes_to_a_table_by_its_invite_loads_no_game_and_no_discovery(
    home: Path,
) -> None:
    invite = "coup://127.0.0.1:1#MIC7OBK-WB6FTUZ-JOZD5JJ-AEPOQVN-LNSZBN5-7OJW5XT-M3UIJWD-AGDQ4AB"
    with started(home, "join", invite, "--name", "Birch", "--json") as process:
        process.communicate('{"type": "quit", "n": 1}\n', timeout=PATIENCE)
        assert process.returncode == 0
    assert loaded(home, NEVER | DISCOVERY | {"urwid", "p2pcoup.deck", "p2pcoup.table"}) == set()
