"""How soon a key is seen: the client in a terminal of its own, with a node and bots behind it.

A key is written to a pseudo-terminal, and the time runs until the last row that it changes has come
out of it. The game waits for its player meanwhile, as it does at a desk. What the terminal does to
show it comes on top.
"""

import contextlib
import os
import secrets
import select
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from p2pcoup.bench.figure import Figure

SIZES: Final = ((80, 24), (200, 60))
"""Columns and rows: the smallest window there is, and a large one."""

KEYS: Final = 60
IDLE_SECONDS: Final = 5.0
PATIENCE_SECONDS: Final = 120.0
"""For what must come: the game's begin, a drawing, the end."""
QUIET_SECONDS: Final = 0.05
"""So long after a drawing the next key is pressed: nobody types faster."""

SHOWN, HIDDEN = b"hide hand", b"show hand"
"""What the key H is called in the last row, which is drawn last."""
ASKED: Final = b"Waiting for: you"
LIMIT: Final = "≤ 50 ms"


class ClientBenchError(Exception):
    """It could not be measured; says why."""


@dataclass(frozen=True, slots=True)
class Delays:
    """From a key to the screen, in a window of this size.

    Attributes:
        seconds: of every key.
        busy: whether every core had other work.
    """

    columns: int
    rows: int
    busy: bool
    seconds: tuple[float, ...]

    def as_figures(self) -> list[Figure]:
        """The median, and what 95 of 100 keys do not exceed."""
        where = f"{self.columns}x{self.rows}" + (", busy machine" if self.busy else "")
        most = sorted(self.seconds)[max(0, -(-len(self.seconds) * 95 // 100) - 1)]
        return [
            Figure(f"{where}: key to screen", statistics.median(self.seconds) * 1000, "ms"),
            Figure(f"{where}: 95 of 100 keys", most * 1000, "ms", limit=LIMIT),
        ]


@dataclass(frozen=True, slots=True)
class ClientFigures:
    """What was measured.

    Attributes:
        idle_share: of a core, while it waits for its player and a time runs; None where the system
            does not say.
        memory_peak: of the client alone, in KiB; None where the system does not say.
    """

    delays: tuple[Delays, ...]
    idle_share: float | None
    memory_peak: int | None

    def as_figures(self) -> list[Figure]:
        """The figures for people and machines."""
        figures = [figure for each in self.delays for figure in each.as_figures()]
        if self.idle_share is not None:
            figures.append(Figure("waiting: share of a core", self.idle_share * 100, "%"))
        if self.memory_peak is not None:
            figures.append(Figure("memory of the client", self.memory_peak / 1024, "MB"))
        return figures


def bench_client(
    folder: Path, keys: int = KEYS, *, bots: int = 3, idle_seconds: float = IDLE_SECONDS
) -> ClientFigures:
    """Play in a new folder within ``folder``, which is removed afterwards.

    Raises ClientBenchError.
    """
    if sys.platform == "win32":
        raise ClientBenchError("There are no pseudo-terminals here; this cannot be measured.")
    home = folder / secrets.token_hex(4)
    command = [
        *(sys.executable, "-m", "p2pcoup", "play", "--name", "Ash", "--lang", "en"),
        *("--bots", str(bots), "--times", "3600,3600,3600"),
    ]
    try:
        with _Terminal.running(command, home) as terminal:
            terminal.wait(ASKED)
            idle = terminal.share_of_a_core(idle_seconds)
            delays = tuple(terminal.delays(size, keys, busy=False) for size in SIZES)
            with _busy(os.cpu_count() or 1):
                delays += tuple(terminal.delays(size, keys, busy=True) for size in SIZES)
            return ClientFigures(delays, idle, terminal.memory_peak())
    finally:
        shutil.rmtree(home, ignore_errors=True)
        with contextlib.suppress(OSError):  # unless something else is kept there
            folder.rmdir()


@contextlib.contextmanager
def _busy(cores: int) -> Iterator[None]:
    """So many programs that only compute."""
    work = [sys.executable, "-c", "while True: pass"]
    programs = [subprocess.Popen(work) for _ in range(cores)]  # noqa: S603 - our own words
    try:
        yield
    finally:
        for program in programs:
            program.kill()
            program.wait()


class _Terminal:
    """The client in its terminal, of which only the bytes are read."""

    def __init__(self, program: "subprocess.Popen[bytes]", descriptor: int) -> None:
        self._program = program
        self._descriptor = descriptor
        self._last = b""
        """The end of what has come, as long as what may be waited for."""

    @classmethod
    @contextlib.contextmanager
    def running(cls, command: Sequence[str], home: Path) -> Iterator["_Terminal"]:
        """Start it; it is asked to end afterwards, and made to."""
        outside, inside = os.openpty()
        _resize(inside, *SIZES[0])
        env = os.environ | {"P2PCOUP_HOME": str(home), "TERM": "xterm-256color"}
        program = subprocess.Popen(  # noqa: S603 - our own program
            command, stdin=inside, stdout=inside, stderr=inside, env=env, start_new_session=True
        )
        os.close(inside)
        try:
            terminal = cls(program, outside)
            yield terminal
            terminal.end()
        finally:
            if program.poll() is None:
                program.kill()
            program.wait()
            os.close(outside)

    def wait(self, *wanted: bytes) -> bytes:
        """Read until one of these has come; which one."""
        until = time.monotonic() + PATIENCE_SECONDS
        while True:
            for each in wanted:
                if each in self._last:
                    self._last = b""
                    return each
            if not self._read(until - time.monotonic()):
                told = self._last[-400:].decode(errors="replace")
                raise ClientBenchError(f"The client never showed {wanted[0]!r}. It said: {told}")

    def delays(self, size: tuple[int, int], keys: int, *, busy: bool) -> Delays:
        """Press a key so often and see each one; the first in another size does not count."""
        columns, rows = size
        _resize(self._descriptor, columns, rows)
        self._program.send_signal(signal.SIGWINCH)
        self.wait(SHOWN, HIDDEN)
        self._settle()
        found = [self._delay() for _ in range(keys + 1)]
        return Delays(columns, rows, busy, tuple(found[1:]))

    def _delay(self) -> float:
        self._settle()
        began = time.perf_counter()
        os.write(self._descriptor, b"H")
        self.wait(SHOWN, HIDDEN)
        return time.perf_counter() - began

    def share_of_a_core(self, seconds: float) -> float | None:
        """How much it computes while nothing happens."""
        before, began = self._cpu_seconds(), time.monotonic()
        while (left := began + seconds - time.monotonic()) > 0:
            self._read(left)
        after = self._cpu_seconds()
        if before is None or after is None:
            return None
        return (after - before) / (time.monotonic() - began)

    def memory_peak(self) -> int | None:
        """The most memory it has held, in KiB."""
        found = self._proc("status", b"VmHWM:")
        return int(found[0]) if found else None

    def end(self) -> None:
        """Quit, as a player does."""
        os.write(self._descriptor, b"Qy")
        until = time.monotonic() + PATIENCE_SECONDS
        while self._read(until - time.monotonic()):
            pass
        if self._program.wait(1) != 0:
            raise ClientBenchError(f"The client has ended with {self._program.returncode}.")

    def _cpu_seconds(self) -> float | None:
        found = self._proc("stat", b"")
        if len(found) < 15:
            return None
        return (int(found[13]) + int(found[14])) / os.sysconf("SC_CLK_TCK")

    def _proc(self, name: str, head: bytes) -> list[bytes]:
        """The words of a line of what the system tells of the program, where it does."""
        with contextlib.suppress(OSError):
            told = Path(f"/proc/{self._program.pid}/{name}").read_bytes()
            for line in told.splitlines():
                if line.startswith(head):
                    return line.removeprefix(head).split()
        return []

    def _settle(self) -> None:
        while self._read(QUIET_SECONDS):
            self._last = b""

    def _read(self, seconds: float) -> bool:
        """Take what comes within this time; False if nothing does, or never will."""
        if not select.select([self._descriptor], [], [], max(0.0, seconds))[0]:
            return False
        try:
            data = os.read(self._descriptor, 65536)
        except OSError:  # it has closed its terminal
            return False
        self._last = (self._last + data)[-65536:]
        return bool(data)


def _resize(descriptor: int, columns: int, rows: int) -> None:
    if sys.platform != "win32":
        import fcntl
        import termios

        size = struct.pack("HHHH", rows, columns, 0, 0)
        fcntl.ioctl(descriptor, termios.TIOCSWINSZ, size)
