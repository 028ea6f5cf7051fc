"""JSON lines: cut to size, and through the pipes of real processes, a program playing."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from p2pcoup.audit import Verdict, audit
from p2pcoup.node.api.decode import MAX_REQUEST_BYTES
from p2pcoup.node.api.lines import Lines
from p2pcoup.node.folder import HOME_VARIABLE
from tests.node.api.clients import LineClient, start_with_lines
from tests.node.nodes import ROOT, SeatFiles, make_seats, open_nursery, start_local

BOT = ROOT / "protocol" / "examples" / "bot.py"
LONGEST = b"x" * MAX_REQUEST_BYTES


@given(st.lists(st.sampled_from([b"{}", b"", LONGEST, LONGEST + b"x", LONGEST * 3])), st.data())
def test_lines_are_the_same_however_they_come_and_a_too_long_one_is_only_noted(
    lines: Sequence[bytes], data: st.DataObject
) -> None:
    text = b"".join(line + b"\n" for line in lines)
    cuts = data.draw(st.lists(st.integers(0, len(text)), max_size=6).map(sorted))
    found, cutter = [], Lines()
    for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True):
        found += cutter.split(text[start:end])
        assert len(cutter._rest) <= MAX_REQUEST_BYTES, "no more is held than a request may have"
    assert found == [line if len(line) <= MAX_REQUEST_BYTES else None for line in lines]


def environment(seat: SeatFiles) -> dict[str, str]:
    return {**os.environ, HOME_VARIABLE: str(seat.home), "PYTHONPATH": str(ROOT)}


def command(seat: SeatFiles, port: int) -> list[str]:
    """`p2pcoup node` for this seat, but for the way in."""
    table = seat.home / "table.toml"
    table.write_text(seat.table_text({0: port}), encoding="utf-8")
    return ["-m", "p2pcoup", "node", "--table", str(table), "--listen", "127.0.0.1:0"]


async def answer(client: LineClient, question: dict, move: str, n: int) -> dict:
    """Send an answer and wait for what becomes of it."""
    request = {"type": "answer", "question": question["id"], "move": move, "n": n}
    await client.send(json.dumps(request).encode() + b"\n")
    return await client.wait_for(lambda m: m["type"] in ("ok", "error") and m["n"] == n)


@pytest.mark.trio
async def test_the_example_bot_plays_a_whole_game_in_its_own_process(tmp_path: Path) -> None:
    ash, birch = make_seats(tmp_path, 2, deal=4)
    async with open_nursery() as nursery:
        opponent = start_local(nursery, ash, luck=4)
        node = [sys.executable, *command(birch, await opponent.told.port()), "--log", "json"]
        process = await nursery.start(
            lambda task_status: trio.run_process(
                [sys.executable, str(BOT), *node],
                env=environment(birch),
                stdin=subprocess.DEVNULL,
                capture_stderr=True,
                check=False,
                task_status=task_status,
            )
        )
        assert await process.wait() == 0
        await opponent.end()
    assert birch.transcript == ash.transcript
    assert audit(birch.transcript).verdict is Verdict.VALID


@pytest.mark.trio
async def test_a_program_on_standard_input_and_output_is_told_and_asked_and_answers(
    tmp_path: Path,
) -> None:
    ash, birch = make_seats(tmp_path, 2)
    async with open_nursery() as nursery:
        opponent = start_local(nursery, ash)
        node = [*command(birch, await opponent.told.port()), "--api", "stdio"]
        client = await start_with_lines(nursery, node, environment(birch))
        hello = await client.next()
        assert (hello["type"], hello["name"]) == ("hello", "Birch")
        await client.send(b"nonsense\n\n  \r\n" + b"x" * 20_000 + b"\n")
        for code in ("bad-message", "too-long"):
            error = await client.wait_for(lambda m: m["type"] == "error")
            assert error["code"] == code
        question = (await client.wait_for(lambda m: m.get("question")))["question"]
        wrong = await answer(client, question, "0 income", 1)
        assert (wrong["type"], wrong["code"]) == ("error", "not-possible")
        right = await answer(client, question, question["default"], 2)
        assert right == {"type": "ok", "n": 2}
        late = await answer(client, question, question["default"], 3)
        assert late["code"] == "closed"
        await client.send(b'{"type": "quit", "n": 4}\n')
        ended = await client.wait_for(lambda m: m.get("phase") == "ended")
        assert "the same command plays on" in ended["reason"]
        assert await client.next() is None
        assert await client.process.wait() == 0
        opponent.scope.cancel()


@pytest.mark.trio
@pytest.mark.skipif(sys.platform == "win32", reason="signals are a POSIX matter")
async def test_the_end_of_the_input_is_a_client_that_only_listens(tmp_path: Path) -> None:
    ash, birch = make_seats(tmp_path, 2)
    async with open_nursery() as nursery:
        opponent = start_local(nursery, ash)
        node = [*command(birch, await opponent.told.port()), "--api", "stdio"]
        client = await start_with_lines(nursery, node, environment(birch))
        await client.process.stdin.aclose()
        await client.wait_for(lambda m: m.get("question"))
        client.process.send_signal(signal.SIGTERM)
        ended = await client.wait_for(lambda m: m.get("phase") == "ended")
        assert ended["reason"].startswith("The node was stopped.")
        assert await client.process.wait() == 0
        opponent.scope.cancel()


@pytest.mark.trio
@pytest.mark.skipif(sys.platform == "win32", reason="signals are a POSIX matter")
async def test_a_program_that_stops_to_read_holds_up_neither_the_game_nor_the_end(
    tmp_path: Path,
) -> None:
    """A bot decides, so the game goes on; its story is far more than a pipe holds."""
    ash, birch = make_seats(tmp_path, 2, deal=4)
    async with open_nursery() as nursery:
        opponent = start_local(nursery, ash, luck=4)
        node = [*command(birch, await opponent.told.port()), "--api", "stdio", "--bot", "honest"]
        client = await start_with_lines(nursery, node, environment(birch))
        assert await client.process.wait() == 0, "it plays to the end though nobody reads"
        await opponent.end()
    assert birch.transcript == ash.transcript
