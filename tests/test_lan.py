"""`p2pcoup host`, `join`, `watch`, `play` and `resume`, as people start them."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import trio
from click.testing import CliRunner

from p2pcoup.cli import cli
from p2pcoup.node.folder import HOME_VARIABLE
from tests.node.lobbies import State, children, names
from tests.node.nodes import ROOT

PATIENCE = 120  # seconds; nothing takes a tenth of it


class Window:
    """One of the commands with --json: what it shows, and what is typed there."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.asked = 0

    def shows(self, what: Callable[[State], object]) -> State:
        """The first picture from now on that is like that."""
        for message in self.messages():
            if message["type"] == "state" and what(message):
                return message
        raise AssertionError(f"it has ended: {self.process.stderr.read()}")

    def messages(self) -> Iterator[State]:
        for line in self.process.stdout:
            yield json.loads(line)

    def ask(self, kind: str, **fields: object) -> State:
        """A request's answer; pictures that come before it are passed over."""
        self.asked += 1
        self.process.stdin.write(json.dumps({"type": kind, "n": self.asked, **fields}) + "\n")
        self.process.stdin.flush()
        answers = (each for each in self.messages() if each["type"] in ("ok", "error"))
        return next(each for each in answers if each["n"] == self.asked)

    def end(self) -> int:
        """Its exit status."""
        self.process.stdin.close()
        self.process.stdout.read()
        return self.process.wait(PATIENCE)


@contextmanager
def window(home: Path, *arguments: str) -> Iterator[Window]:
    """A command that shows the API's messages; it is killed if the test fails."""
    process = subprocess.Popen(
        [sys.executable, "-m", "p2pcoup", *arguments, "--json"],
        env={**os.environ, HOME_VARIABLE: str(home), "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            yield Window(process)
        finally:
            process.kill()


def is_asked(state: State) -> object:
    return state["question"]


def test_somebody_opens_a_table_and_somebody_joins_by_the_invite(tmp_path: Path) -> None:
    opening = ("host", "--name", "Ash", "--no-announce", "--port", "0", "--table", "friday")
    with window(tmp_path / "a", *opening, "--seats", "4", "--games", "2") as ash:
        shown = ash.shows(lambda state: state["lobby"] and state["lobby"]["invite"])
        assert shown["lobby"]["table"] == "friday"
        with window(tmp_path / "b", "join", shown["lobby"]["invite"], "--name", "Birch") as birch:
            lobby = birch.shows(lambda state: state["lobby"])["lobby"]
            assert (lobby["seats"], lobby["games"]) == (4, 2)
            assert names(lobby) == ["Ash", "Birch"]
            assert birch.ask("ready", ready=True)["type"] == "ok"
            ash.shows(lambda state: state["lobby"] and state["lobby"]["why_not_start"] is None)
            assert ash.ask("start")["type"] == "ok"
            for each in (ash, birch):
                game = each.shows(lambda state: state["phase"] == "game")["game"]
                assert sorted(seat["name"] for seat in game["seats"]) == ["Ash", "Birch"]
            for each in (birch, ash):
                assert each.ask("quit")["type"] == "ok"
                assert each.end() == 0
    # The name was remembered, and the game that was not finished can be played on.
    assert (tmp_path / "b" / "name").read_text() == "Birch"


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="needs Linux: waits for grandchildren")
def test_playing_alone_goes_on_after_the_window_was_killed(tmp_path: Path) -> None:
    with window(tmp_path, "play", "--bots", "1", "--name", "Ash", "--times", "60,60,60") as first:
        asked = first.shows(is_asked)
        question = asked["question"]
        given = first.ask("answer", question=question["id"], move=question["default"])
        assert given["type"] == "ok"
        ends = [os.pidfd_open(pid) for pid in descendants(first.process.pid)]
        first.process.kill()
        trio.run(wait_for_all, ends)
    with window(tmp_path, "resume") as second:
        again = second.shows(is_asked)
        assert again["game"]["id"] == asked["game"]["id"]
        assert again["game"]["turns"] >= asked["game"]["turns"]
        question = again["question"]
        assert second.ask("answer", question=question["id"], move=question["default"])
        assert second.ask("quit")["type"] == "ok"
        assert second.end() == 0


def descendants(pid: int) -> list[int]:
    """The node of a window, and its bots."""
    nodes = children(pid)
    return [*nodes, *(bot for node in nodes for bot in children(node))]


async def wait_for_all(ends: list[int]) -> None:
    """Wait until all these processes have ended."""
    assert len(ends) == 2
    with trio.fail_after(PATIENCE):
        for end in ends:
            await trio.lowlevel.wait_readable(end)
            os.close(end)


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        (("host",), 1, "Error: Say once what you want to be called: --name NAME"),
        (("host", "--name", "a\x1b"), 2, "A name cannot contain control characters"),
        (("join", "coup://h:1", "--name", "Ash"), 1, "Error: "),
        (("host", "--setup", "set-of-five", "--seats", "3", "--name", "Ash"), 2, "exactly 2"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(
    tmp_path: Path, arguments: tuple[str, ...], status: int, sentence: str
) -> None:
    result = CliRunner().invoke(cli, arguments, env={HOME_VARIABLE: str(tmp_path)})
    assert result.exit_code == status, result.output
    assert sentence in result.output
    assert "Traceback" not in result.output


def test_there_is_nothing_to_play_on_where_nothing_was_played(tmp_path: Path) -> None:
    with window(tmp_path, "resume", "--name", "Ash") as nothing:
        assert nothing.end() == 1
        assert "There is no game to play on." in nothing.process.stderr.read()
