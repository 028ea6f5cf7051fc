"""The way to a node: it is heard, it is told, and after a break it is found again."""

import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio
import trio.testing

from p2pcoup.ui.child import ChildWire, lines
from p2pcoup.ui.connection import MAX_MESSAGE, Connection, Heard, Lost, Wire
from p2pcoup.ui.model import Model
from p2pcoup.ui.websocket import SocketWire
from tests.ui.served import serving

pytestmark = pytest.mark.trio

PATIENCE = 30


@asynccontextmanager
async def connected(wire: Wire, tries: int | None = None) -> AsyncIterator[Connection]:
    """A running connection with short pauses."""
    connection = Connection(wire, tries=tries, pauses=(0.01,))
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(connection.run)
            yield connection
            nursery.cancel_scope.cancel()


def program(script: str, *arguments: str) -> ChildWire:
    return ChildWire([sys.executable, "-c", script, *arguments])


# --- a child process ------------------------------------------------------------------------------

ECHO = """
import json, os, sys
print(json.dumps({"type": "hello", "pid": os.getpid()}), flush=True)
for line in sys.stdin:
    print("no message", flush=True)
    print(json.dumps({"type": "echo", "of": json.loads(line)}), flush=True)
"""

CRASH = """
import os, sys
print('{"type": "hello"}', flush=True)
print("A line before.", file=sys.stderr)
print("The disk\\x1b[2J is full.", file=sys.stderr)
os._exit(3)
"""

SILENT_LATER = """
import os, sys
if os.path.exists(sys.argv[1]):
    sys.exit("Nothing works.")
open(sys.argv[1], "w").close()
print('{"type": "hello"}', flush=True)
os._exit(3)
"""


async def test_a_node_that_is_started_is_heard_and_told() -> None:
    async with connected(program(ECHO)) as connection:
        assert isinstance(await connection.news.receive(), Heard)
        assert await connection.send({"type": "say", "text": "정우"})
        echo = await connection.news.receive()
        assert echo == Heard({"type": "echo", "of": {"type": "say", "text": "정우"}})


async def test_a_node_that_crashes_is_started_again_and_why_is_said() -> None:
    async with connected(program(CRASH)) as connection:
        for _time in range(2):
            assert await connection.news.receive() == Heard({"type": "hello"})
            assert await connection.news.receive() == Lost("The disk[2J is full. Trying again …")


async def test_a_node_that_is_killed_is_started_again() -> None:
    async with connected(program(ECHO)) as connection:
        hello = await connection.news.receive()
        assert isinstance(hello, Heard)
        os.kill(int(str(hello.message["pid"])), signal.SIGKILL)
        lost = await connection.news.receive()
        assert lost == Lost("The node ended with status -9. Trying again …")
        assert isinstance(await connection.news.receive(), Heard)


async def test_a_node_that_cannot_work_is_not_started_again() -> None:
    async with connected(program("import sys; sys.exit('No identity; make one.')")) as connection:
        assert await connection.news.receive() == Lost("No identity; make one.", gone=True)
        with pytest.raises(trio.EndOfChannel):
            await connection.news.receive()


async def test_a_node_that_never_works_again_is_given_up(tmp_path: Path) -> None:
    wire = program(SILENT_LATER, str(tmp_path / "ran"))
    async with connected(wire, tries=3) as connection:
        news = [each async for each in connection.news]
    assert news[0] == Heard({"type": "hello"})
    assert news[-1] == Lost("Nothing works.", gone=True)
    assert [each.gone for each in news[1:] if isinstance(each, Lost)] == [False, False, True]


async def test_a_node_that_ends_as_it_should_is_over() -> None:
    async with connected(program("print('{}')")) as connection:
        assert await connection.news.receive() == Heard({})
        assert await connection.news.receive() == Lost("The node has ended.", gone=True)


async def test_a_program_that_is_not_there_is_said_not_to_start(tmp_path: Path) -> None:
    async with connected(ChildWire([str(tmp_path / "nothing")])) as connection:
        lost = await connection.news.receive()
    assert isinstance(lost, Lost)
    assert lost.gone
    assert lost.told.startswith("The node could not be started: ")


async def test_a_node_ends_with_its_client() -> None:
    async with connected(program(ECHO)) as connection:
        hello = await connection.news.receive()
        assert isinstance(hello, Heard)
        pid = hello.message["pid"]
        assert isinstance(pid, int)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert not await connection.send({"type": "say"})


async def test_a_line_without_end_ends_the_stream() -> None:
    sender, receiver = trio.testing.memory_stream_one_way_pair()
    heard: list[str] = []

    async def send() -> None:
        await sender.send_all(b'{"a": 1}\n{"b"')
        await sender.send_all(b": 2}\n" + b"x" * (MAX_MESSAGE + 1))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(send)
        heard += [each async for each in lines(receiver)]
    assert heard == ['{"a": 1}', '{"b": 2}']


# --- a WebSocket ----------------------------------------------------------------------------------


async def until(connection: Connection, model: Model, kind: type, name: str = "") -> object:
    """The next news of that kind; everything goes into the model."""
    while True:
        news = await connection.news.receive()
        if isinstance(news, Heard):
            for request in model.receive(news.message, trio.current_time()):
                await connection.send(request)
        else:
            model.lost(news.told, gone=news.gone)
        if isinstance(news, kind) and (
            not name or (isinstance(news, Heard) and news.message["type"] == name)
        ):
            return news


async def test_a_running_node_is_found_again_after_it_was_started_anew(tmp_path: Path) -> None:
    model = Model()
    async with connected(SocketWire(tmp_path / "api.json")) as connection:
        for _run in range(2):
            async with serving(tmp_path) as hub:
                hub.told("linked", "Linked to Birch.", {}, None)
                await until(connection, model, Heard, "event")
                assert model.events[-1].text == "Linked to Birch."
                assert model.lobby is not None
            lost = await until(connection, model, Lost)
            assert isinstance(lost, Lost)
            assert not lost.gone


async def until_told(connection: Connection, model: Model, text: str) -> None:
    """Take news until the log ends with that text."""
    while not model.events or model.events[-1].text != text:
        await until(connection, model, Heard)


async def test_what_happened_meanwhile_is_told_after_the_break(tmp_path: Path) -> None:
    model = Model()
    async with serving(tmp_path) as hub:
        for number in range(2):
            async with connected(SocketWire(tmp_path / "api.json")) as connection:
                hub.told("linked", f"{number} seen", {}, None)
                await until_told(connection, model, f"{number} seen")
            hub.told("linked", f"{number} meanwhile", {}, None)
        async with connected(SocketWire(tmp_path / "api.json")) as connection:
            await until_told(connection, model, "1 meanwhile")
    told = [event.text for event in model.events]
    assert told == ["0 seen", "0 meanwhile", "1 seen", "1 meanwhile"]


async def test_a_wrong_token_is_refused_and_said(tmp_path: Path) -> None:
    async with serving(tmp_path):
        text = (tmp_path / "api.json").read_text().replace('"token": "', '"token": "x')
        (tmp_path / "other.json").write_text(text)
        async with connected(SocketWire(tmp_path / "other.json")) as connection:
            told = await connection.news.receive()
    assert told == Lost("The node refused this client (status 401). Trying again …")


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (None, "No node is running here with an API"),
        ("{", "cannot be read; start the node again"),
        ('{"url": "ws://127.0.0.1:1/api/1", "token": "x"}', "The node cannot be reached."),
        ('{"url": "nonsense", "token": "x"}', "The node cannot be reached."),
    ],
)
async def test_a_node_that_is_not_there_is_tried_again(
    content: str | None, told: str, tmp_path: Path
) -> None:
    file = tmp_path / "api.json"
    if content is not None:
        file.write_text(content)
    async with connected(SocketWire(file)) as connection:
        for _time in range(2):
            lost = await connection.news.receive()
            assert isinstance(lost, Lost)
            assert told in lost.told
            assert not lost.gone
