"""A node that runs already, by its WebSocket (API 1)."""

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from trio_websocket import (
    ConnectionClosed,
    ConnectionRejected,
    DisconnectionTimeout,
    HandshakeError,
    WebSocketConnection,
    open_websocket_url,
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
        try:
            async with open_websocket_url(
                door.url,
                extra_headers=[(b"Authorization", b"Bearer " + door.token.encode())],
                max_message_size=MAX_MESSAGE,
                connect_timeout=CONNECT_SECONDS,
                disconnect_timeout=CONNECT_SECONDS,
            ) as self._socket:
                while True:
                    message = await self._socket.get_message()
                    await heard(message if isinstance(message, str) else message.decode())
        except ConnectionRejected as error:
            told = _("The node refused this client (status {n}).")
            raise BrokenWireError(fill(told, {"n": str(error.status_code)})) from None
        except ConnectionClosed:
            raise BrokenWireError(_("The node has closed the connection.")) from None
        except (HandshakeError, DisconnectionTimeout, OSError, ValueError):
            raise BrokenWireError(_("The node cannot be reached.")) from None
        finally:
            self._socket = None


def attached(file: Path) -> Connection:
    """A connection to the node that has written this ``api.json``."""
    return Connection(SocketWire(file))
