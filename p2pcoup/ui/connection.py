"""The way to a node: lines of a child process, or a WebSocket; both give the same stream.

A connection that breaks is made again, with pauses that grow, and the client is told. The node
numbers its events, so nothing of what happened meanwhile is missed (API 2, `resume`).
"""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

import trio

from p2pcoup.ui.words import _, fill

MAX_MESSAGE: Final = 4 * 2**20
"""Bytes of one message of the node, which never sends nearly as much."""

PAUSES: Final = (0.2, 0.5, 1.0, 2.0, 4.0, 8.0)
"""Seconds before it is tried again; the last one for ever."""


@dataclass(frozen=True, slots=True)
class Heard:
    """A message of the node."""

    message: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Lost:
    """There is no way to the node, and why. `gone`: it is not tried again."""

    told: str
    gone: bool = False


News: TypeAlias = Heard | Lost


class BrokenWireError(Exception):
    """The connection could not be made, or it broke; says why, in a sentence or not at all."""


class EndedError(Exception):
    """It is over for good; says why in a sentence."""


class Wire(Protocol):
    """A kind of connection that can be made again and again."""

    async def attend(self, heard: Callable[[str], Awaitable[None]]) -> None:
        """Connect and pass on every message until the end. Raises BrokenWireError, EndedError."""

    async def send(self, text: str) -> None:
        """Send one message. Raises BrokenWireError if there is no connection."""


class Connection:
    """The stream of news from a node, and the way for requests to it."""

    def __init__(
        self, wire: Wire, *, tries: int | None = None, pauses: Sequence[float] = PAUSES
    ) -> None:
        """Use this wire. After `tries` in a row without a message it is given up."""
        self._wire = wire
        self._tries = tries
        self._pauses = pauses
        self._failed = 0
        sender, receiver = trio.open_memory_channel[News](64)
        self._sender = sender
        self.news: trio.MemoryReceiveChannel[News] = receiver

    async def run(self) -> None:
        """Keep the connection up; ends when it is gone for good."""
        async with self._sender:
            while True:
                told, gone = await self._attend()
                self._failed += 1
                gone = gone or self._failed == self._tries
                if gone:
                    await self._sender.send(Lost(told, gone=True))
                    return
                again = fill(_("{reason} Trying again …"), {"reason": told})
                await self._sender.send(Lost(again))
                await trio.sleep(self._pauses[min(self._failed, len(self._pauses)) - 1])

    async def _attend(self) -> tuple[str, bool]:
        """One connection; why it ended, and whether for good."""
        try:
            await self._wire.attend(self._heard)
        except BrokenWireError as error:
            return str(error) or _("The connection to the node is lost."), False
        except EndedError as error:
            return str(error), True
        return _("The connection to the node is lost."), False

    async def _heard(self, text: str) -> None:
        """Pass on an object; anything else is no message."""
        try:
            message = json.loads(text)
        except (ValueError, RecursionError):
            return
        if isinstance(message, dict):
            self._failed = 0
            await self._sender.send(Heard(message))

    async def send(self, request: Mapping[str, object]) -> bool:
        """Send a request; False if there is no connection, then it is lost."""
        return await self.pass_on(json.dumps(request, ensure_ascii=False))

    async def pass_on(self, text: str) -> bool:
        """Send a text as it is; False if there is no connection, then it is lost."""
        try:
            await self._wire.send(text)
        except BrokenWireError:
            return False
        return True
