"""The WebSocket server: who may come in, and what a hostile client can do, which is nothing."""

import contextlib
import json
import os
import random
import stat
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import trio
from trio_websocket import ConnectionClosed

from p2pcoup.net import Address, AddressError, PortInUseError
from p2pcoup.node.api import Hub, Way, parse_way, with_clients
from p2pcoup.node.api.access import Door, remove_door, write_door
from p2pcoup.node.api.eventlog import EventLog
from p2pcoup.node.home import HomeError
from p2pcoup.node.log import NodeLog
from tests.node.api.clients import Message, WebClient, web_socket
from tests.node.nodes import HERE, PATIENCE

pytestmark = pytest.mark.trio

PATH = "/api/1"
UPGRADE = [
    ("Upgrade", "websocket"),
    ("Connection", "Upgrade"),
    ("Sec-WebSocket-Version", "13"),
    ("Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAAAA=="),
]


@dataclass
class Served:
    """A hub with a WebSocket server, and no game."""

    hub: Hub
    door: Message

    @property
    def place(self) -> str:
        return self.door["url"].removeprefix("ws://").partition("/")[0]

    @property
    def token(self) -> tuple[str, str]:
        return ("Authorization", f"Bearer {self.door['token']}")


@asynccontextmanager
async def serving(home: Path) -> AsyncIterator[Served]:
    """Serve for as long as the test goes on."""
    hub = Hub("AAAAAAA", "Ash")
    started, done = trio.Event(), trio.Event()

    async def play() -> None:
        started.set()
        await done.wait()

    with NodeLog("json", lambda _line: None) as log, trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(with_clients, hub, [Way(Address(HERE, 0))], home, log, play)
            await started.wait()
            yield Served(hub, json.loads((home / "api.json").read_text()))
            done.set()


async def refused(served: Served, *headers: tuple[str, str], path: str = PATH) -> int:
    """The status with which the server answers somebody who wants a WebSocket."""
    given = [("Host", served.place), *headers] if "Host" not in dict(headers) else headers
    lines = [f"{name}: {value}" for name, value in (*given, *UPGRADE)]
    status = (await http(served, f"GET {path} HTTP/1.1", *lines))[0]
    return int(status.split()[1])


async def http(served: Served, *lines: str) -> list[str]:
    """What the server answers to a request, until it closes."""
    address, _, port = served.place.partition(":")
    async with await trio.open_tcp_stream(address, int(port)) as stream:
        await stream.send_all("".join(f"{line}\r\n" for line in (*lines, "")).encode("latin-1"))
        answer = b"".join([part async for part in stream])
    return answer.decode().split("\r\n")


async def until_closed(client: WebClient) -> int:
    """Read until the server closes; returns its code."""
    try:
        while True:
            await client.next()
    except ConnectionClosed as closed:
        return int(closed.reason.code)


async def test_the_address_and_the_token_are_in_a_file_that_only_the_user_can_read(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path / "home") as served:
        path = tmp_path / "home" / "api.json"
        assert set(served.door) == {"url", "token", "pid"}
        assert served.door["pid"] == os.getpid()
        assert len(served.door["token"]) >= 40
        if sys.platform != "win32":
            assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert not path.exists()


async def test_a_client_with_the_token_comes_in_by_header_or_by_query(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        by_query = f"{served.door['url']}?token={served.door['token']}"
        origin = ("Origin", f"http://{served.place}")
        for url, headers in (
            (served.door["url"], [served.token]),
            (served.door["url"], [served.token, origin]),
            (by_query, [origin]),
        ):
            async with web_socket(url, *headers) as socket:
                assert (await WebClient(socket).next())["type"] == "hello"


@pytest.mark.parametrize(
    "headers",
    [
        [],
        [("Authorization", "Bearer ")],
        [("Authorization", "Bearer wrong")],
        [("Authorization", "Basic d3Jvbmc=")],
        [("Authorization", "Bearer wrong\xff")],
    ],
)
async def test_without_the_right_token_nobody_comes_in(
    tmp_path: Path, headers: list[tuple[str, str]]
) -> None:
    async with serving(tmp_path) as served:
        assert await refused(served, *headers) == 401
        token = served.door["token"]
        assert await refused(served, path=f"{PATH}?token={token}x") == 401
        assert await refused(served, path=f"{PATH}?token={token}&token={token}") == 401
        wrong = ("Authorization", "Bearer wrong")
        assert await refused(served, wrong, path=f"{PATH}?token={token}") == 401


async def test_a_page_of_another_site_is_refused_even_with_the_token(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        port = served.place.partition(":")[2]
        for origin in (
            "http://evil.example",
            "null",
            f"https://{served.place}",
            f"http://localhost:{port}",
            f"http://{HERE}",
            f"http://{served.place}.evil.example",
        ):
            assert await refused(served, served.token, ("Origin", origin)) == 403
        both = [("Origin", f"http://{served.place}"), ("Origin", "http://evil.example")]
        assert await refused(served, served.token, *both) == 403


async def test_a_request_to_another_name_is_refused_so_rebinding_a_name_is_of_no_use(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path) as served:
        port = served.place.partition(":")[2]
        for host in ("evil.example", f"evil.example:{port}", f"localhost:{port}", HERE):
            assert await refused(served, served.token, ("Host", host)) == 403


async def test_there_is_nothing_at_other_paths_and_no_page(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        assert await refused(served, served.token, path="/api/2") in (403, 404)
        host, close = f"Host: {served.place}", "Connection: close"
        token = f"Authorization: {served.token[1]}"
        for request, headers, status in (
            ("GET /api/1 HTTP/1.1", [host], 401),
            ("GET / HTTP/1.1", ["Host: evil.example", token], 403),
            ("GET / HTTP/1.1", [host, token], 404),
            ("GET / HTTP/1.1", [host, host, token], 400),
        ):
            lines = await http(served, request, *headers, close)
            assert int(lines[0].split()[1]) == status
            assert not any(line.lower().startswith("server:") for line in lines)


async def test_garbage_is_answered_and_a_client_of_nothing_else_is_disconnected(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path) as served, web_socket(served.door["url"], served.token) as socket:
        client = WebClient(socket)
        await client.next()
        for data in ("nonsense", b"\xff\x00", "", "x" * 9000, "[" * 8000):
            await socket.send_message(data)
            answer = await client.next()
            assert answer["type"] == "error"
            assert answer["code"] == ("too-long" if len(data) == 9000 else "bad-message")
        assert (await client.ask(type="resume", run="", after=0))["type"] == "ok"
        for _ in range(33):
            await socket.send_message("nonsense")
        assert await until_closed(client) == 1008
        assert len([m for m in client.heard if m["type"] == "error"]) <= 5 + 32
        assert served.hub.clients == 0


def frame(opcode: int, data: bytes, *, last: bool = True) -> bytes:
    """A WebSocket frame of a client, masked with zeros."""
    return bytes([(0x80 if last else 0) | opcode, 0x80 | len(data)]) + bytes(4) + data


BROKEN_FRAMES = [
    b"\x81\x05hello",  # not masked
    frame(1, b"\xff\xfe"),  # no UTF-8
    frame(3, b"x"),  # no such kind
    frame(0, b"x"),  # goes on with nothing
    frame(9, b"ping", last=False),
    frame(8, b"\x01"),
    frame(8, b"\x00\x01"),
    frame(1, b"{", last=False) + frame(1, b"{"),
    frame(1, b"", last=False) * 1000,
    b"\xf1\x80" + bytes(4),  # bits that nobody has agreed on
    b"\x82\xff" + b"\xff" * 8,  # longer than anything
]
BROKEN_REQUESTS = [
    b"",
    bytes(10),
    b"\xff" * 100 + b"\r\n\r\n",
    b"GET / HTTP/1.1\r\n\r\n",
    b"GET /api/1 HTTP/1.0\r\nHost: x\r\n\r\n",
    b"GET /%ff%fe HTTP/1.1\r\nHost: a\r\n\r\n",
    b"GET /api/1 HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\xff" * 50,
    b"GET / HTTP/1.1\r\nHost: " + b"a" * 100_000,
]


async def send_and_read_to_the_end(served: Served, data: bytes) -> None:
    address, _, port = served.place.partition(":")
    async with await trio.open_tcp_stream(address, int(port)) as stream:
        with contextlib.suppress(trio.BrokenResourceError):  # it may have closed already
            await stream.send_all(data)
            await stream.send_eof()
            while await stream.receive_some():
                pass


async def test_broken_requests_and_frames_end_their_own_connection_and_nothing_else(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path) as served:
        headers = [("Host", served.place), served.token, *UPGRADE]
        lines = [f"GET {PATH} HTTP/1.1", *(f"{name}: {value}" for name, value in headers), ""]
        opening = "".join(f"{line}\r\n" for line in lines).encode()
        luck = random.Random(5)
        frames = [*BROKEN_FRAMES, *(luck.randbytes(40) for _ in range(30))]
        async with trio.open_nursery() as together:
            for data in (*BROKEN_REQUESTS, *(opening + each for each in frames)):
                together.start_soon(send_and_read_to_the_end, served, data)
        async with web_socket(served.door["url"], served.token) as socket:
            assert (await WebClient(socket).next())["type"] == "hello"
            assert served.hub.clients == 1


async def test_a_message_of_a_megabyte_closes_the_connection(tmp_path: Path) -> None:
    async with serving(tmp_path) as served, web_socket(served.door["url"], served.token) as socket:
        client = WebClient(socket)
        await client.next()
        await socket.send_message("x" * 1_000_000)
        assert await until_closed(client) == 1009
        async with web_socket(served.door["url"], served.token) as another:
            assert (await WebClient(another).next())["type"] == "hello"


async def test_no_more_than_32_clients_are_served_at_once(tmp_path: Path) -> None:
    async with serving(tmp_path) as served, trio.open_nursery() as nursery:

        async def stay(task_status: trio.TaskStatus[None]) -> None:
            async with web_socket(served.door["url"], served.token) as socket:
                await WebClient(socket).next()
                task_status.started()
                await trio.sleep_forever()

        for _ in range(32):
            await nursery.start(lambda task_status: stay(task_status))
        assert await refused(served, served.token) == 503
        assert await refused(served) == 401, "who has no token learns nothing"
        nursery.cancel_scope.cancel()


async def test_a_client_that_never_reads_costs_only_itself(tmp_path: Path) -> None:
    """It is told more than fits into any buffer; the others get all of it, and the node can end."""
    async with serving(tmp_path) as served:
        served.hub.events = EventLog(most_bytes=400_000)
        address, _, port = served.place.partition(":")
        plain = trio.socket.socket()
        plain.setsockopt(trio.socket.SOL_SOCKET, trio.socket.SO_RCVBUF, 4096)
        await plain.connect((address, int(port)))
        async with (
            trio.SocketStream(plain) as silent,
            web_socket(served.door["url"], served.token) as socket,
        ):
            headers = [("Host", served.place), served.token, *UPGRADE]
            lines = [f"GET {PATH} HTTP/1.1", *(f"{name}: {value}" for name, value in headers), ""]
            await silent.send_all("".join(f"{line}\r\n" for line in lines).encode())
            client = WebClient(socket)
            await client.next()
            while b'"hello"' not in await silent.receive_some(1000):
                pass  # then it is in, and reads no more
            assert served.hub.clients == 2
            talk, words = {"peer": "AAAAAAA", "name": "Ash"}, "x" * 40_000
            for number in range(500):
                served.hub.told("talk", f"{number} {words}", talk, None)
                assert (await client.next())["number"] == number
                if served.hub.clients == 1:
                    break
            assert served.hub.clients == 1
            assert len(client.heard) > 10, "nobody is given up that is only a little slow"


async def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    async def play() -> None:
        raise AssertionError("nothing is played without its clients")

    async with serving(tmp_path) as served:
        way = parse_way(served.place)
        with (
            NodeLog("json", lambda _line: None) as log,
            pytest.raises(ExceptionGroup) as caught,
        ):
            await with_clients(Hub("A", None), [way], tmp_path / "other", log, play)
    (error,) = caught.value.exceptions
    assert isinstance(error, PortInUseError)
    assert served.place in str(error)


@pytest.mark.parametrize("text", ["0.0.0.0:7000", "[::1]:7000", "localhost:7000", "192.168.1.1:1"])
async def test_clients_are_served_on_the_loopback_interface_alone(text: str) -> None:
    with pytest.raises(AddressError, match="on this machine alone"):
        parse_way(text)
    assert parse_way("stdio") == Way(None)
    assert parse_way("127.0.0.1:7000") == Way(Address(HERE, 7000))


async def test_of_two_nodes_in_one_folder_the_first_leaves_the_file_of_the_second(
    tmp_path: Path,
) -> None:
    first, second = Door(HERE, 1), Door(HERE, 2)
    path = write_door(tmp_path, first)
    assert write_door(tmp_path, second) == path
    remove_door(path, first)
    assert json.loads(path.read_text())["token"] == second.token
    remove_door(path, second)
    assert not path.exists()
    remove_door(path, second)
    assert second.token not in repr(second)


async def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "api.json").mkdir()
    with pytest.raises(HomeError, match=r"api\.json"):
        write_door(tmp_path, Door(HERE, 1))
