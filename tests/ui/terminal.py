"""A terminal for tests: it understands what urwid sends and remembers what it shows.

Not a test module. A real pseudo-terminal is behind it (`pexpect`), so the program runs as at a
desk; only the screen is ours.
"""

import re
import signal
from collections.abc import Callable, Mapping, Sequence
from time import monotonic

import pexpect
import urwid

SEQUENCE = re.compile(
    r"\x1b(?:"
    r"\[([?>=]?)([0-9;:]*)[ -/]*([@-~])"
    r"|\][^\x07\x1b]*(?:\x07|\x1b\\)"
    r"|[()].|[^][()])"
)


class Screen:
    """Rows of characters and a cursor. A wide character fills its second cell with nothing."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows
        self._cells = [[" "] * columns for _row in range(rows)]
        self._x = self._y = 0
        self._rest = ""
        self.colours: list[int] = []
        """Every colour that was set; 39 and 49, the usual ones, are none."""

    @property
    def text(self) -> str:
        """What is on the screen."""
        return "\n".join("".join(row) for row in self._cells)

    def feed(self, data: str) -> None:
        """Take what a program has written; an unfinished sequence waits for its end."""
        data, at = self._rest + data, 0
        self._rest = ""
        while at < len(data):
            if data[at] != "\x1b":
                self._put(data[at])
                at += 1
                continue
            found = SEQUENCE.match(data, at)
            if found is None:
                self._rest = data[at:]
                return
            self._obey(found[1] or "", found[2] or "", found[3] or "")
            at = found.end()

    def _put(self, character: str) -> None:
        if character == "\r":
            self._x = 0
        elif character == "\n":
            self._y = min(self._y + 1, self.rows - 1)
        elif character == "\b":
            self._x = max(0, self._x - 1)
        elif character >= " ":
            width = urwid.calc_width(character, 0, 1)
            if width and self._x + width <= self.columns:
                self._cells[self._y][self._x : self._x + width] = [character] + [""] * (width - 1)
                self._x += width

    def _obey(self, private: str, numbers: str, final: str) -> None:
        if private:
            return
        values = [int(each) if each else 0 for each in numbers.split(";")] if numbers else [0]
        match final:
            case "H":
                self._y = min(max(values[0], 1), self.rows) - 1
                self._x = min(max(values[1] if len(values) > 1 else 1, 1), self.columns) - 1
            case "J":
                self._cells = [[" "] * self.columns for _row in range(self.rows)]
            case "K":
                self._cells[self._y][self._x :] = [" "] * (self.columns - self._x)
            case "C":
                self._x = min(self._x + (values[0] or 1), self.columns - 1)
            case "A" | "B":
                step = (values[0] or 1) * (1 if final == "B" else -1)
                self._y = min(max(self._y + step, 0), self.rows - 1)
            case "m":
                self.colours += [n for n in values if (30 <= n <= 48 and n != 39) or 90 <= n <= 107]
            case _:
                pass  # modes


class Terminal:
    """A program in a terminal of its own."""

    def __init__(
        self, command: Sequence[str], env: Mapping[str, str], columns: int = 80, rows: int = 24
    ) -> None:
        self.screen = Screen(columns, rows)
        self.raw = ""
        """All that the program has written."""
        self._program = pexpect.spawn(
            command[0], list(command[1:]), env=dict(env), dimensions=(rows, columns),
            encoding="utf-8", timeout=30,
        )  # fmt: skip
        self._program.delaybeforesend = None

    def read(self, seconds: float) -> bool:
        """Take what comes within this time; False when the program has closed its terminal."""
        try:
            data = self._program.read_nonblocking(65536, seconds)
            self.raw += data
            self.screen.feed(data)
        except pexpect.TIMEOUT:
            pass
        except pexpect.EOF:
            return False
        return True

    def wait(self, seen: Callable[[str], bool], seconds: float = 30) -> str:
        """The screen as soon as it shows that."""
        end = monotonic() + seconds
        while not seen(self.screen.text):
            left = end - monotonic()
            assert left > 0, f"it never came:\n{self.screen.text}"
            assert self.read(min(left, 1)), f"the program has ended:\n{self.screen.text}"
        return self.screen.text

    @property
    def colours(self) -> list[int]:
        """Every colour that was set since the window has this size."""
        return self.screen.colours

    def press(self, keys: str) -> None:
        """Type."""
        self._program.send(keys)

    def resize(self, columns: int, rows: int) -> None:
        """Another size of the window."""
        self.screen = Screen(columns, rows)
        self._program.setwinsize(rows, columns)

    def terminate(self) -> None:
        """Ask the program to end, as a system does."""
        self._program.kill(signal.SIGTERM)

    def ended(self, seconds: float = 20) -> int:
        """Wait for the end of the program; its exit status."""
        end = monotonic() + seconds
        while self.read(0.5):
            assert monotonic() < end, f"it does not end:\n{self.screen.text}"
        self._program.wait()
        assert self._program.exitstatus is not None
        return int(self._program.exitstatus)

    def close(self) -> None:
        """End the program, whatever it does."""
        self._program.close(force=True)
