"""Standard input and output as lines: the plain mode, and the API passed through."""

import json
import math
import os
import sys
from collections.abc import Iterable

import trio

from p2pcoup.ui.connection import MAX_MESSAGE, Connection, Heard, Lost
from p2pcoup.ui.model import GUARD_SECONDS, Model, Request
from p2pcoup.ui.plain import WARN_SECONDS, Teller, Typist

CHUNK = 65536


async def typed_lines(sender: trio.MemorySendChannel[str]) -> None:
    """Pass on every line of standard input, in a thread, because that works on every system.

    The thread reads the descriptor itself: a thread that is left behind at the end must not hold
    the lock of `sys.stdin`.
    """
    waiting = b""
    descriptor = sys.stdin.fileno()
    async with sender:
        while len(waiting) < MAX_MESSAGE:
            chunk = await trio.to_thread.run_sync(
                os.read, descriptor, CHUNK, abandon_on_cancel=True
            )
            if not chunk:
                return
            *whole, waiting = (waiting + chunk).split(b"\n")
            for line in whole:
                await sender.send(line.decode("utf-8", "replace"))


def write_lines(texts: Iterable[str]) -> None:
    """Print lines at once."""
    for text in texts:
        data = f"{text}\n".encode(sys.stdout.encoding or "utf-8", "replace")
        sys.stdout.buffer.write(data)
    sys.stdout.flush()


class Lines:
    """The running line mode."""

    def __init__(self, connection: Connection, *, stays: bool, terminal: bool) -> None:
        """Show what comes over this connection. `terminal`: a person types, not a program."""
        self._connection = connection
        self._terminal = terminal
        # A program reads a question before it answers; a person may have typed for the last one.
        self.model = Model(guard_seconds=GUARD_SECONDS if terminal else 0)
        self._teller = Teller(self.model)
        self._typist = Typist(self._teller, stays=stays)
        self._changed = trio.Event()
        self._greeted = trio.Event()  # before that the node may not read, and what is sent is lost
        self._done = trio.Event()

    async def run(self) -> None:
        """Until the user quits, or nothing can come any more."""
        sender, receiver = trio.open_memory_channel[str](0)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._connection.run)
            nursery.start_soon(self._listen)
            nursery.start_soon(self._warn)
            nursery.start_soon(typed_lines, sender)
            nursery.start_soon(self._obey, receiver)
            await self._done.wait()
            nursery.cancel_scope.cancel()

    async def _listen(self) -> None:
        async for news in self._connection.news:
            match news:
                case Heard(message):
                    self._greeted.set()
                    await self._send(self.model.receive(message, trio.current_time()))
                case Lost(told, gone):
                    self.model.lost(told, gone=gone)
            if not self.model.never_up:
                write_lines(self._teller.heard())
            self._changed.set()
            if self.model.finished and not self._terminal:
                await self._quit()  # a pipe has nobody who could ask for another game
        self._done.set()

    async def _obey(self, lines: trio.MemoryReceiveChannel[str]) -> None:
        await self._greeted.wait()
        async for line in lines:
            told, requests = self._typist.typed(line, trio.current_time())
            write_lines(told)
            await self._send(requests)
            if self._typist.leaving:
                self._done.set()
        if self._terminal:
            await self._quit()

    async def _quit(self) -> None:
        await self._send(self._typist.typed("quit", trio.current_time())[1])
        self._done.set()

    async def _send(self, requests: Iterable[Request]) -> None:
        for request in requests:
            await self._connection.send(request)

    async def _warn(self) -> None:
        """Say once that the time of a question is nearly over."""
        while True:
            self._changed = trio.Event()
            now = trio.current_time()
            write_lines(self._teller.warn(now))
            left = self.model.remaining(now)
            pause = math.inf if left is None or left <= WARN_SECONDS else left - WARN_SECONDS
            with trio.move_on_after(pause):
                await self._changed.wait()


async def run_lines(connection: Connection, *, stays: bool) -> str:
    """Show the game in lines. Returns why there was nothing to show, or nothing."""
    lines = Lines(connection, stays=stays, terminal=sys.stdin.isatty())
    await lines.run()
    return lines.model.link_told if lines.model.never_up else ""


async def run_through(connection: Connection) -> str:
    """Pass the API through: the node's messages out, requests in, one JSON object a line."""
    told = ""
    greeted = trio.Event()  # before that, the node may not read yet, and what is sent is lost

    async def requests() -> None:
        await greeted.wait()
        sender, receiver = trio.open_memory_channel[str](0)
        async with trio.open_nursery() as inner:
            inner.start_soon(typed_lines, sender)
            async for line in receiver:
                await connection.pass_on(line)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(connection.run)
        nursery.start_soon(requests)
        heard = False
        async for news in connection.news:
            match news:
                case Heard(message):
                    heard = True
                    greeted.set()
                    write_lines([json.dumps(message, ensure_ascii=False)])
                case Lost(why, gone):
                    told = why if gone and not heard else ""
                    if why and not told:
                        sys.stderr.write(f"{why}\n")
        nursery.cancel_scope.cancel()
    return told
