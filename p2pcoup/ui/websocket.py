"""A node that runs already, by its WebSocket (API 1)."""

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import trio
from trio_websocket import (
    ConnectionClosed,
    ConnectionRejected,
    HandshakeError,
    WebSocketConnection,
    wrap_client_stream,
)

from p2pcoup.ui.connection import MAX_MESSAGE, BrokenWireError, Connection
from p2pcoup.ui.words import _, fill

CONNECT_SECONDS: Final = 5.0
"""The node is on this machine; one that does not answer so long does not answer."""


@dataclass(frozen=True, slots=True)
class Door:
    """Where a running node's API is."""

    url: str
    token: str


def read_door(file: Path) -> Door:
    """Read ``api.json``. Raises BrokenWireError if there is none or it cannot be read."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
        return Door(str(found["url"]), str(found["token"]))
    except OSError:
        told = _("No node is running here with an API: there is no {file}.")
    except (ValueError, KeyError, TypeError):
        told = _("{file} cannot be read; start the node again.")
    raise BrokenWireError(fill(told, {"file": str(file)}))


class SocketWire:
    """Reads the file for every connection: a node that was started again has another port."""

    def __init__(self, file: Path) -> None:
        """Connect to the node that has written this ``api.json``."""
        self._file = file
        self._socket: WebSocketConnection | None = None

    async def send(self, text: str) -> None:
        """Send one message. Raises BrokenWireError."""
        if self._socket is None:
            raise BrokenWireError
        try:
            await self._socket.send_message(text)
        except (ConnectionClosed, OSError):
            raise BrokenWireError from None

    async def attend(self, heard: Callable[[str], Awaitable[None]]) -> None:
        """Connect and pass on every message until the end."""
        door = read_door(self._file)
        place, _slash, path = door.url.removeprefix("ws://").partition("/")
        host, _colon, port = place.rpartition(":")
        try:
            with trio.fail_after(CONNECT_SECONDS):
                stream = await trio.open_tcp_stream(host, int(port))
        except (trio.TooSlowError, OSError, ValueError):
            raise BrokenWireError(_("The node cannot be reached.")) from None
        # The stream is ours: a WebSocket that the node closes first would leave it open.
        why = _("The node has closed the connection.")
        try:
            async with stream, trio.open_nursery() as nursery:
                why = await self._talk(nursery, stream, place, f"/{path}", door.token, heard)
                nursery.cancel_scope.cancel()
        except* ConnectionRejected as refusals:  # raised where the answer is read
            why = _refused(refusals)
        except* (HandshakeError, ConnectionClosed, OSError):
            pass  # it is closed
        raise BrokenWireError(why)

    async def _talk(
        self,
        nursery: trio.Nursery,
        stream: trio.SocketStream,
        place: str,
        path: str,
        token: str,
        heard: Callable[[str], Awaitable[None]],
    ) -> str:
        """Shake hands and pass on every message; returns why it ended."""
        headers = [(b"Authorization", b"Bearer " + token.encode())]
        try:
            with trio.fail_after(CONNECT_SECONDS):
                socket = await wrap_client_stream(
                    nursery, stream, place, path,
                    extra_headers=headers, max_message_size=MAX_MESSAGE,
                )  # fmt: skip
            self._socket = socket
            while True:
                message = await socket.get_message()
                await heard(message if isinstance(message, str) else message.decode())
        except (ConnectionClosed, UnicodeDecodeError):
            return _("The node has closed the connection.")
        except (HandshakeError, trio.TooSlowError, OSError):
            return _("The node cannot be reached.")
        finally:
            self._socket = None


def _refused(refusals: BaseExceptionGroup[ConnectionRejected]) -> str:
    """Why the node does not want this client."""
    error: BaseException = refusals
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    status = error.status_code if isinstance(error, ConnectionRejected) else 0
    return fill(_("The node refused this client (status {n})."), {"n": str(status)})


def attached(file: Path) -> Connection:
    """A connection to the node that has written this ``api.json``."""
    return Connection(SocketWire(file))
