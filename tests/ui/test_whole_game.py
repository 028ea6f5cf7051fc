"""Two people play: one on the full screen of a real terminal, one in lines over a pipe."""

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ui.terminal import Terminal

CLIENT = (
    "import sys; from p2pcoup.ui.run import Mode, run; "
    "sys.exit(run(sys.argv[2:], Mode(sys.argv[1]), 'en'))"
)
NODE = (sys.executable, "-m", "p2pcoup", "node", "--api", "stdio", "--no-announce")
PATIENCE = 300  # seconds; a wait that takes so long is no wait for a busy machine


def client(mode: str, *options: str) -> list[str]:
    return [sys.executable, "-c", CLIENT, mode, *NODE, *options]


def environment(home: Path) -> dict[str, str]:
    return os.environ | {"P2PCOUP_HOME": str(home), "TERM": "xterm-256color", "LANG": "C.UTF-8"}


class PlainPlayer:
    """Plays by lines: assassinates if possible, else takes tax; passes; loses its first card."""

    def __init__(self, home: Path, invite: str) -> None:
        self.lines: list[str] = []
        self._process = subprocess.Popen(
            client("plain", "--join", invite, "--name", "Birch"),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env=environment(home), text=True, encoding="utf-8",
        )  # fmt: skip
        self._reader = threading.Thread(target=self._play, daemon=True)
        self._reader.start()

    def _play(self) -> None:
        assert self._process.stdout is not None
        choices: dict[str, str] = {}
        for line in self._process.stdout:
            self.lines.append(line.rstrip("\n"))
            if found := re.match(r"(\d+): (.*)\.", line):
                choices[found[2]] = found[1]
            elif line.startswith("Type help"):
                self._say("ready")
            elif line.startswith("Type a number"):
                self._say(self._choice(choices))
                choices = {}

    def _choice(self, choices: dict[str, str]) -> str:
        for wanted in ("Assassinate", "Tax", "Pass"):
            for told, number in choices.items():
                if told.startswith(wanted):
                    return number
        return "1"

    def _say(self, text: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{text}\n")
        self._process.stdin.flush()

    def ended(self) -> int:
        """Wait for its end; the exit status."""
        status = self._process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        return status

    def close(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()


@pytest.fixture
def ash(tmp_path: Path) -> Iterator[Terminal]:
    command = client("screen", "--host", "--listen", "127.0.0.1:0", "--name", "Ash", "--seats", "2")
    terminal = Terminal(command, environment(tmp_path / "ash"))
    yield terminal
    terminal.close()


def play(terminal: Terminal) -> str:
    """Play by what is on the screen until the game is over; the last screen."""
    keys = (("[a] Assassinate", "a"), ("[t] Tax", "t"), ("[p] Pass", "p"), ("[1] Turn up", "1"))

    def over(text: str) -> bool:
        return "is over" in text.split("\n")[0]

    def asked(text: str) -> bool:
        return over(text) or any(mark in text for mark, _pressed in keys)

    while True:
        text = terminal.wait(asked, PATIENCE)
        if over(text):
            return text
        _mark, pressed = next(each for each in keys if each[0] in text)
        terminal.press(pressed)
        while terminal.screen.text == text:  # or the clock ticks: then it is pressed once more
            terminal.read(1)


def test_two_people_play_a_whole_game(ash: Terminal, tmp_path: Path) -> None:
    text = ash.wait(lambda seen: "coup://" in seen and "Cannot" not in seen, PATIENCE)
    found = re.search(r'join "(coup://[^"]*)"', "".join(row for row in text.split("\n")))
    assert found is not None, text
    birch = PlainPlayer(tmp_path / "birch", found[1].replace(" ", ""))
    try:
        ash.wait(lambda seen: "✓ ready       Birch" in seen, PATIENCE)
        ash.wait(lambda seen: "press s to start" in seen, PATIENCE)
        ash.press("s")
        last = play(ash)
        assert birch.ended() == 0
    finally:
        birch.close()
    last = ash.wait(lambda seen: "Audit passed" in seen, PATIENCE)
    won = "You win the game!" in last
    assert won or "★ Birch wins the game. ★" in last
    assert ("Birch wins the game." in birch.lines) != won
    assert any(line.startswith("Audit passed") for line in birch.lines)
    transcript = next(line for line in birch.lines if line.startswith("Transcript: "))
    assert Path(transcript.removeprefix("Transcript: ")).is_file()
    ash.press("Q")
    assert ash.ended() == 0
