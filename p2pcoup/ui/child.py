"""A node as our child process; it reads and writes lines (API 1)."""

import subprocess
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Final

import trio

from p2pcoup.ui.clean import clean
from p2pcoup.ui.connection import MAX_MESSAGE, BrokenWireError, Connection, EndedError
from p2pcoup.ui.words import _, fill

TRIES: Final = 4
"""A node that ends so often in a row without having said anything is not started again."""

KEPT_LINES: Final = 20
"""Lines of a node's log that are kept, to say why it ended."""

QUIT_SECONDS: Final = 10.0
"""A node that was asked to end is given so long for its last words to the others."""

ENDED: Final = frozenset({0, 130, -2, -15})
"""Exit statuses of a node that was told to end, by its user or by a signal."""


class ChildWire:
    """Starts the program for every connection."""

    def __init__(self, command: Sequence[str]) -> None:
        """Start a node by this command."""
        self._command = list(command)
        self._process: trio.Process | None = None
        self._writing = trio.Lock()
        self._errors: deque[str] = deque(maxlen=KEPT_LINES)
        self._spoke = False
        """Whether the program has ever worked; one that never did is not tried again."""

    async def send(self, text: str) -> None:
        """Send one line. Raises BrokenWireError."""
        stdin = None if self._process is None else self._process.stdin
        if stdin is None:
            raise BrokenWireError
        try:
            async with self._writing:
                await stdin.send_all(text.encode() + b"\n")
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            raise BrokenWireError from None

    async def attend(self, heard: Callable[[str], Awaitable[None]]) -> None:
        """Start the node and pass on its lines until it ends; then say why it did."""
        try:
            process = await trio.lowlevel.open_process(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        except OSError as error:
            told = fill(_("The node could not be started: {reason}."), {"reason": str(error)})
            raise EndedError(told) from None
        self._process = process
        self._errors.clear()
        try:
            await self._read(process, heard)
        finally:
            self._process = None
            with trio.CancelScope(shield=True):
                await _end(process)
        self._explain(process.returncode)

    async def _read(self, process: trio.Process, heard: Callable[[str], Awaitable[None]]) -> None:
        if process.stdout is None or process.stderr is None:
            return
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._keep_errors, process.stderr)
            async for each in lines(process.stdout):
                self._spoke = True
                await heard(each)
            with trio.move_on_after(1):
                await process.wait()  # its last words are on their way
            nursery.cancel_scope.cancel()

    async def _keep_errors(self, stream: trio.abc.ReceiveStream) -> None:
        async for each in lines(stream):
            self._errors.append(clean(each))

    def _explain(self, status: int | None) -> None:
        """Raise EndedError or BrokenWireError with what the node said last."""
        if status in ENDED:
            raise EndedError(_("The node has ended."))
        told = fill(_("The node ended with status {n}."), {"n": str(status)})
        if status is not None and status > 0:  # it has said why; one that was killed could not
            told = next((each for each in reversed(self._errors) if each), told)
        raise BrokenWireError(told) if self._spoke else EndedError(told)


async def _end(process: trio.Process) -> None:
    """Close its input; a node that does not end by itself is asked to."""
    if process.stdin is not None:
        await process.stdin.aclose()
    with trio.move_on_after(QUIT_SECONDS if process.poll() is None else 0):
        await process.wait()
    if process.poll() is None:
        process.terminate()
        with trio.move_on_after(QUIT_SECONDS):
            await process.wait()
    if process.poll() is None:
        process.kill()
        await process.wait()
    for stream in (process.stdout, process.stderr):
        if stream is not None:
            await stream.aclose()


async def lines(stream: trio.abc.ReceiveStream) -> AsyncIterator[str]:
    """The lines of a stream of UTF-8; one that is far too long ends it."""
    waiting = bytearray()
    while len(waiting) <= MAX_MESSAGE:
        try:
            chunk = await stream.receive_some()
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            return
        if not chunk:
            return
        waiting += chunk
        if b"\n" in chunk:
            *whole, rest = bytes(waiting).split(b"\n")
            waiting = bytearray(rest)
            for each in whole:
                yield each.decode("utf-8", "replace")


def child(command: Sequence[str]) -> Connection:
    """A connection to a node that is started for it, and again if it ends with an error."""
    return Connection(ChildWire(command), tries=TRIES)
