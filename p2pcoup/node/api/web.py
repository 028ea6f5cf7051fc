"""Clients by WebSocket: starlette on hypercorn's trio worker, on the loopback interface alone.

Only imported when it is used: a node without it is smaller. Hypercorn's own accept loop is not
used, because hypercorn shields its writes: a client that stops to read could then keep the node
from ending. Here every connection has a stream that gives such a client up.
"""

from collections.abc import Awaitable, Callable, MutableMapping
from functools import partial
from pathlib import Path
from typing import Any, Final

import trio
from hypercorn.config import Config
from hypercorn.trio.tcp_server import TCPServer
from hypercorn.trio.worker_context import WorkerContext
from hypercorn.typing import ConnectionState
from hypercorn.utils import wrap_app
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from p2pcoup.net import Address
from p2pcoup.net.listening import address_of, open_listeners
from p2pcoup.node.api.access import FORBIDDEN, PATH, Door, remove_door, write_door
from p2pcoup.node.api.client import Client, UnwelcomeError
from p2pcoup.node.api.decode import MAX_REQUEST_BYTES
from p2pcoup.node.api.hub import Hub
from p2pcoup.node.log import NodeLog

MAX_CONNECTIONS: Final = 64
MAX_CLIENTS: Final = 32
MAX_MESSAGE_BYTES: Final = 8 * MAX_REQUEST_BYTES  # beyond that the connection is closed
WRITE_SECONDS: Final = 20.0  # of a client that does not read
CLOSE_SECONDS: Final = 1.0  # of one that is told to go
CLOSE_FRAME: Final = b"\x88"  # how it begins; nothing else that is sent does
GOING_AWAY, POLICY_VIOLATION = 1001, 1008

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


async def serve_web(
    hub: Hub,
    address: Address,
    home: Path,
    log: NodeLog,
    *,
    task_status: trio.TaskStatus[Door] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Listen, write ``api.json`` and serve clients until cancelled.

    Raises:
        ListenError: it cannot listen there; PortInUseError if the port is taken.
        HomeError: the file cannot be written.
    """
    (listener,) = await open_listeners(address)  # it is a number, so there is one
    async with listener:
        door = Door(address.host, address_of(listener).port)
        path = write_door(home, door)
        try:
            log.info("api", f"Clients are served at {door.place}; see {path}.", port=door.port)
            task_status.started(door)
            await _serve(Guard(make_app(hub), door), listener, log)
        finally:
            remove_door(path, door)


# --- connections ----------------------------------------------------------------------------------


async def _serve(app: App, listener: trio.SocketListener, log: NodeLog) -> None:
    config = Config()
    config.errorlog = config.accesslog = None  # the node has its own log
    config.include_server_header = False
    config.keep_alive_timeout = 2.0  # seconds without a request; this is no long way
    config.websocket_max_message_size = MAX_MESSAGE_BYTES
    wrapped = wrap_app(app, 0, "asgi")  # type: ignore[arg-type] # it has types of its own for dicts
    context = WorkerContext(None)
    streams: set[_Stream] = set()

    async def handle(stream: trio.SocketStream) -> None:
        if len(streams) >= MAX_CONNECTIONS:
            await stream.aclose()
            return
        guarded = _Stream(stream, nursery)
        state = ConnectionState({"abort": guarded.abort})  # for the one who serves the client
        streams.add(guarded)
        try:
            await TCPServer(wrapped, config, context, state, guarded)  # type: ignore[arg-type]
        except Exception as error:  # noqa: BLE001 - whatever a client does ends nothing but itself
            log.warning("api-fault", f"A client was given up: {type(error).__name__}.")
        finally:
            streams.discard(guarded)

    async with trio.open_nursery() as nursery:
        try:
            await trio.serve_listeners(handle, [listener], handler_nursery=nursery)
        finally:
            for stream in streams:
                stream.abort()  # or a client that does not read could hold up the end
            nursery.cancel_scope.cancel()


class _Stream:
    """A connection that gives up a client which does not read, or does not go when told to."""

    def __init__(self, stream: trio.SocketStream, nursery: trio.Nursery) -> None:
        self._stream = stream
        self._nursery = nursery
        self.socket = stream.socket

    async def send_all(self, data: bytes) -> None:
        if data.startswith(CLOSE_FRAME):
            self._nursery.start_soon(self._abort_soon)
        with trio.move_on_after(WRITE_SECONDS) as patience:
            await self._stream.send_all(data)
        if patience.cancelled_caught:
            self.abort()
            raise trio.BrokenResourceError("the client does not read")

    async def receive_some(self, most: int) -> bytes:
        return bytes(await self._stream.receive_some(most))

    async def send_eof(self) -> None:
        await self._stream.send_eof()

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def _abort_soon(self) -> None:
        await trio.sleep(CLOSE_SECONDS)
        self.abort()

    def abort(self) -> None:
        """Close at once; whoever waits for it is told."""
        self.socket.close()


# --- requests -------------------------------------------------------------------------------------


class Guard:
    """Lets in nobody but the user's own programs and pages, before anything looks at a request."""

    def __init__(self, app: App, door: Door) -> None:
        self._app = app
        self._door = door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or pass it on."""
        if scope["type"] in ("http", "websocket"):
            status = self._door.refusal(scope["headers"], scope["query_string"])
            if status is not None:
                await _deny(scope, receive, send, status)
                return
        await self._app(scope, receive, send)


async def _deny(scope: Scope, receive: Receive, send: Send, status: int) -> None:
    text = "Not from here." if status == FORBIDDEN else "The token is missing or wrong."
    response = PlainTextResponse(text, status)
    if scope["type"] == "websocket":
        await receive()  # the wish to connect
        await WebSocket(scope, receive, send).send_denial_response(response)
    else:
        await response(scope, receive, send)


def make_app(hub: Hub) -> Starlette:
    """The application behind the guard."""
    return Starlette(routes=[WebSocketRoute(PATH, partial(_attend, hub))])


async def _attend(hub: Hub, socket: WebSocket) -> None:
    """Serve one client until either side has enough."""
    if hub.clients >= MAX_CLIENTS:
        await socket.send_denial_response(PlainTextResponse("Too many clients.", 503))
        return
    await socket.accept()
    code, why = GOING_AWAY, "The node stops."
    with hub.client(socket.scope["state"]["abort"]) as client:
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_hear, client, socket, nursery.cancel_scope)
                await _tell(client, socket)
                nursery.cancel_scope.cancel()
        except* UnwelcomeError as group:
            code, why = POLICY_VIOLATION, str(group.exceptions[0])
        except* WebSocketDisconnect:
            pass  # it has gone
    if socket.client_state is WebSocketState.CONNECTED:
        await socket.close(code, why)


async def _tell(client: Client, socket: WebSocket) -> None:
    while lines := await client.next_lines():
        for line in lines:
            await socket.send_text(line)


async def _hear(client: Client, socket: WebSocket, goodbye: trio.CancelScope) -> None:
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            goodbye.cancel()
            return
        await client.take(message.get("text") or message.get("bytes") or "")
