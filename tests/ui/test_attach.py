"""`p2pcoup attach` in a real terminal, at a real hub: everything but a game."""

import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
import trio
from click.testing import CliRunner

from p2pcoup.cli import cli
from p2pcoup.node.wishes import DONE, Ready, Reply, Say
from tests.ui.served import serving
from tests.ui.terminal import Terminal

PATIENCE = 40


def attach(home: Path, *options: str, **environment: str) -> Terminal:
    env = os.environ | {"TERM": "xterm-256color", "LANG": "C.UTF-8"} | environment
    command = (sys.executable, "-m", "p2pcoup", "attach", "--home", str(home), *options)
    return Terminal(command, env)


async def seen(terminal: Terminal, wanted: Callable[[str], bool]) -> str:
    return await trio.to_thread.run_sync(partial(terminal.wait, wanted, PATIENCE))


@pytest.mark.trio
async def test_a_window_on_a_running_node(tmp_path: Path) -> None:
    terminal: Terminal | None = None
    try:
        with trio.fail_after(2 * PATIENCE):
            async with serving(tmp_path) as hub:
                terminal = attach(tmp_path, NO_COLOR="1")
                text = await seen(terminal, lambda text: "Lobby:" in text)
                assert "Birch is not ready." in text

                terminal.press("r")
                request = await hub.next_request()
                assert request.wish == Ready(False)
                request.reply(DONE)
                terminal.press("Thello there\r")
                request = await hub.next_request()
                assert request.wish == Say("hello there")
                request.reply(Reply("too-often", "Wait a moment."))
                await seen(terminal, lambda text: "Wait a moment." in text)
                hub.told("talk", "ok \x1b[31mred", {"peer": "X", "name": "Birch"}, None)
                await seen(terminal, lambda text: "Birch: ok" in text)
                assert "\x1b[31m" not in terminal.raw

                terminal.resize(60, 20)
                await seen(terminal, lambda text: "make this window larger" in text)
                terminal.resize(100, 30)
                await seen(terminal, lambda text: "Lobby:" in text)
            await seen(terminal, lambda text: "Trying again" in text.split("\n")[0])
            async with serving(tmp_path):
                await seen(terminal, lambda text: "Lobby:" in text.split("\n")[0])
                terminal.press("Q")
                await seen(terminal, lambda text: "The node plays on." in text)
                terminal.press("y")
                assert await trio.to_thread.run_sync(terminal.ended) == 0
        assert not terminal.colours
    finally:
        if terminal is not None:
            terminal.close()


@pytest.mark.trio
async def test_a_window_that_is_killed_leaves_the_terminal_in_order(tmp_path: Path) -> None:
    async with serving(tmp_path):
        terminal = attach(tmp_path)
        try:
            await seen(terminal, lambda text: "Lobby:" in text)
            assert "\x1b[?1049h" in terminal.raw  # another screen than the shell's
            terminal.terminate()
            assert await trio.to_thread.run_sync(terminal.ended) == 0
            assert terminal.raw.rindex("\x1b[?1049l") > terminal.raw.rindex("\x1b[?1049h")
        finally:
            terminal.close()


@pytest.mark.trio
async def test_a_screen_reader_gets_lines_and_no_cursor_movement(tmp_path: Path) -> None:
    async with serving(tmp_path):
        terminal = attach(tmp_path, "--plain", "--lang", "en")
        try:
            await seen(terminal, lambda text: "Type help" in text)
            terminal.press("people\r")
            await seen(terminal, lambda text: text.count("Birch: not ready.") >= 1)
            terminal.press("quit\r")
            assert await trio.to_thread.run_sync(terminal.ended) == 0
            assert "\x1b[" not in terminal.raw
        finally:
            terminal.close()


def test_without_a_node_it_says_how_to_start_one(tmp_path: Path) -> None:
    result = CliRunner().invoke(cli, ["attach", "--home", str(tmp_path)])
    assert result.exit_code == 1
    assert "No node with an API is running here" in result.output
    assert "--api 127.0.0.1:0" in result.output
