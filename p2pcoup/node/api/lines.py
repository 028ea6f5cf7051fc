"""Clients on standard input and output: one JSON object a line (protocol/API.md 1).

Reading and writing happen in threads of their own, the one way that works on every system and for
files, pipes and terminals alike. Nobody waits for these threads: a program on the other end that
stops to read, or never ends its input, cannot hold up the game or the end of the node.
"""

import os
from collections.abc import Callable
from typing import Final

import trio

from p2pcoup.node.api.client import Client, UnwelcomeError
from p2pcoup.node.api.decode import MAX_REQUEST_BYTES
from p2pcoup.node.api.hub import Hub
from p2pcoup.node.wishes import TOO_LONG

CHUNK: Final = 65_536
STANDARD_INPUT, STANDARD_OUTPUT = 0, 1

Read = Callable[[], bytes]
Write = Callable[[bytes], None]


async def serve_lines(
    hub: Hub, input_fd: int = STANDARD_INPUT, output_fd: int = STANDARD_OUTPUT
) -> None:
    """Serve the one client on two file descriptors until the hub has ended and all is written, or
    nobody reads any more. The end of the input is no end: such a client only listens.
    """
    async with trio.open_nursery() as nursery:
        leave = nursery.cancel_scope.cancel
        with hub.client(leave) as client:
            nursery.start_soon(_hear, client, input_fd, leave)
            await _tell(client, output_fd)
            leave()


async def _tell(client: Client, descriptor: int) -> None:
    one_thread = trio.CapacityLimiter(1)
    try:
        while lines := await client.next_lines():
            data = "".join(f"{line}\n" for line in lines).encode()
            await trio.to_thread.run_sync(
                _write, descriptor, data, abandon_on_cancel=True, limiter=one_thread
            )
    except OSError:
        return  # the client has gone


async def _hear(client: Client, descriptor: int, leave: Callable[[], None]) -> None:
    one_thread = trio.CapacityLimiter(1)
    lines = Lines()
    try:
        while data := await trio.to_thread.run_sync(
            os.read, descriptor, CHUNK, abandon_on_cancel=True, limiter=one_thread
        ):
            for line in lines.split(data):
                if line is None:
                    text = f"A request has at most {MAX_REQUEST_BYTES} bytes; this line is longer."
                    await client.refuse(TOO_LONG, text)
                elif line.strip():
                    await client.take(line)
    except OSError:
        return  # no input, or none any more
    except UnwelcomeError:
        leave()


def _write(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]


class Lines:
    """Cuts what comes into lines and holds no more of one than a request may have."""

    def __init__(self) -> None:
        self._rest = b""
        self._too_long = False

    def split(self, data: bytes) -> list[bytes | None]:
        """The lines that are complete now; None for one that was too long."""
        found: list[bytes | None] = []
        *complete, rest = (self._rest + data).split(b"\n")
        for line in complete:
            too_long = self._too_long or len(line) > MAX_REQUEST_BYTES
            found.append(None if too_long else line)
            self._too_long = False
        self._too_long |= len(rest) > MAX_REQUEST_BYTES
        self._rest = b"" if self._too_long else rest
        return found
