"""Clients of a real node: over WebSockets in this process, or by the lines of a process.

What a client is sent is checked against the schema of the API, with nothing more allowed in it than
the schema names.
"""

import functools
import json
import random
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jsonschema
import trio
from trio_websocket import WebSocketConnection, wrap_client_stream

from p2pcoup.net import Address
from p2pcoup.node.api import Hub, Way, with_clients
from p2pcoup.node.log import NodeLog
from p2pcoup.node.match import Match
from p2pcoup.node.node import play_seat
from tests.node.nodes import HERE, NOBODY_LISTENS, PATIENCE, ROOT, SeatFiles, Told

Message = dict[str, Any]
Choose = Callable[[Message], str]
SCHEMA = json.loads((ROOT / "protocol" / "api.schema.json").read_text(encoding="utf-8"))


def closed_schema(part: Any) -> Any:
    """The schema with every object closed: nothing may be in it but what is named."""
    if isinstance(part, list):
        return [closed_schema(each) for each in part]
    if not isinstance(part, dict):
        return part
    closed = {name: closed_schema(each) for name, each in part.items()}
    if part.get("type") == "object" and "properties" in part:
        closed.setdefault("additionalProperties", False)
    return closed


@functools.cache
def validator(kind: str) -> jsonschema.Draft202012Validator:
    """Checks that something is exactly what `$defs` calls by that name."""
    closed = {"$defs": closed_schema(SCHEMA["$defs"]), "$ref": f"#/$defs/{kind}"}
    return jsonschema.Draft202012Validator(closed)


def check(message: Message) -> None:
    """Raise ValidationError unless this is one message of a node."""
    validator(message["type"]).validate(message)


def random_legal(luck: random.Random) -> Choose:
    """Answers questions with any legal move."""
    return lambda asked: luck.choice([m["move"] for m in asked["moves"] if m["legal"]])


# --- by WebSocket ---------------------------------------------------------------------------------


@dataclass
class WebClient:
    """A client that keeps all it is told."""

    socket: WebSocketConnection
    heard: list[Message] = field(default_factory=list)
    number: int = 0

    async def next(self) -> Message:
        """The next message; checked."""
        with trio.fail_after(PATIENCE):
            message: Message = json.loads(await self.socket.get_message())
        check(message)
        self.heard.append(message)
        return message

    async def wait_for(self, wanted: Callable[[Message], object]) -> Message:
        """The next message of which that is true."""
        while not wanted(message := await self.next()):
            pass
        return message

    async def question(self) -> Message:
        """The next question."""
        return (await self.wait_for(lambda m: m.get("question")))["question"]

    async def ask(self, **request: object) -> Message:
        """Send a request and wait for the answer to it."""
        self.number += 1
        await self.socket.send_message(json.dumps({**request, "n": self.number}))
        return await self.wait_for(lambda m: m["type"] in ("ok", "error"))

    async def play(self, choose: Choose) -> Message:
        """Answer every question until the node ends; returns the last picture."""
        answered = None
        while True:
            message = await self.next()
            question = message.get("question")
            if message.get("phase") == "ended":
                return message
            if question and question["id"] != answered:
                answered = question["id"]
                answer = {"type": "answer", "question": answered, "move": choose(question)}
                await self.socket.send_message(json.dumps(answer))

    @property
    def events(self) -> list[Message]:
        """All events so far."""
        return [message for message in self.heard if message["type"] == "event"]

    @property
    def state(self) -> Message:
        """The latest picture."""
        return next(message for message in reversed(self.heard) if message["type"] == "state")


@asynccontextmanager
async def web_socket(
    url: str, *headers: tuple[str, str], host: str | None = None
) -> AsyncIterator[WebSocketConnection]:
    """Open a WebSocket with these headers, with another Host if one is named."""
    place, _, path = url.removeprefix("ws://").partition("/")
    address, _, port = place.partition(":")
    # The stream is ours: the client of trio-websocket leaves it open when the server closes first.
    async with (
        await trio.open_tcp_stream(address, int(port)) as stream,
        trio.open_nursery() as nursery,
        await wrap_client_stream(
            nursery, stream, host or place, f"/{path}", extra_headers=list(headers)
        ) as socket,
    ):
        yield socket


@dataclass
class ServedNode:
    """A node in this process with a WebSocket server. Cancel `scope` to stop it."""

    seat: SeatFiles
    match: Match
    hub: Hub
    told: Told
    scope: trio.CancelScope = field(default_factory=trio.CancelScope)
    ended: trio.Event = field(default_factory=trio.Event)

    async def door(self) -> Message:
        """What is in api.json."""
        await self.told.wait_for("api")
        found: Message = json.loads((self.seat.home / "api.json").read_text())
        return found

    @asynccontextmanager
    async def client(self) -> AsyncIterator[WebClient]:
        """A client that knows the token."""
        door = await self.door()
        authorization = ("Authorization", f"Bearer {door['token']}")
        async with web_socket(door["url"], authorization) as socket:
            yield WebClient(socket)

    async def end(self) -> None:
        """Wait until it has ended by itself."""
        with trio.fail_after(PATIENCE):
            await self.ended.wait()


def start_served(
    nursery: trio.Nursery, seat: SeatFiles, ports: Mapping[int, int] | None = None
) -> ServedNode:
    """Start a node whose seat is played by clients."""
    match = seat.match(policy=None)
    table = seat.table({**(ports or {}), seat.number: NOBODY_LISTENS})
    hub = Hub(seat.identity.peer_id, table.terms.names[seat.number])
    node = ServedNode(seat, match, hub, Told())
    token = trio.lowlevel.current_trio_token()

    async def run() -> None:
        try:
            with (
                NodeLog("json", lambda line: token.run_sync_soon(node.told.take, line)) as log,
                node.scope,
            ):
                play = functools.partial(
                    play_seat, table, seat.identity, match, log, Address(HERE, 0), hub
                )
                await with_clients(hub, [Way(Address(HERE, 0))], seat.home, log, play)
        finally:
            match.close()
            node.ended.set()

    nursery.start_soon(run)
    return node


# --- by lines -------------------------------------------------------------------------------------


@dataclass
class LineClient:
    """A process that speaks the API on its standard input and output."""

    process: trio.Process
    heard: list[Message] = field(default_factory=list)
    _rest: bytes = b""
    _lines: list[bytes] = field(default_factory=list)

    async def next(self) -> Message | None:
        """The next message, checked; None at the end of the output."""
        assert self.process.stdout is not None
        with trio.fail_after(PATIENCE):
            while not self._lines:
                data = await self.process.stdout.receive_some()
                if not data:
                    return None
                *self._lines, self._rest = (self._rest + data).split(b"\n")
        message: Message = json.loads(self._lines.pop(0))
        check(message)
        self.heard.append(message)
        return message

    async def wait_for(self, wanted: Callable[[Message], object]) -> Message:
        """The next message of which that is true."""
        while (message := await self.next()) is not None:
            if wanted(message):
                return message
        raise AssertionError(f"the output has ended after {self.heard[-1:]}")

    async def send(self, data: bytes) -> None:
        """Write to its standard input."""
        assert self.process.stdin is not None
        await self.process.stdin.send_all(data)


async def start_with_lines(
    nursery: trio.Nursery, command: Sequence[str | Path], environment: Mapping[str, str]
) -> LineClient:
    """Start a program that speaks the API on standard input and output."""
    process = await nursery.start(
        functools.partial(
            trio.run_process,
            [sys.executable, *map(str, command)],
            env=dict(environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            check=False,
        )
    )
    return LineClient(process)
