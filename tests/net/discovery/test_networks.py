"""Between computers: network namespaces on a bridge, each with real processes of its own."""

import contextlib
import json
import os
import secrets
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.net.discovery.tables import advert
from tests.node.nodes import ROOT

MODULE = "tests.net.discovery.table_process"
IP = shutil.which("ip") or ""
SECONDS = 30


def ip(*arguments: str) -> None:
    """Run the system's ip command."""
    subprocess.run([IP, *arguments], check=True, capture_output=True, timeout=SECONDS)


@contextlib.contextmanager
def computer(letter: str) -> Iterator[str]:
    """A network namespace without any interface that is up; its name."""
    name = f"coup{os.getpid()}{secrets.token_hex(2)}{letter}"
    try:
        ip("netns", "add", name)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"This user may not make network namespaces here: {error}")
    try:
        yield name
    finally:
        ip("netns", "del", name)


@pytest.fixture
def network() -> Iterator[tuple[str, str]]:
    """Two computers on one switch, with the addresses 198.51.100.1 and .2."""
    with computer("s") as switch, computer("a") as first, computer("b") as second:
        ip("-n", switch, "link", "add", "bridge", "type", "bridge")
        ip("-n", switch, "link", "set", "bridge", "up")
        for number, name in enumerate((first, second), 1):
            port = f"port{number}"
            cable = ("type", "veth", "peer", "name", "lan", "netns", name)
            ip("-n", switch, "link", "add", port, *cable)
            ip("-n", switch, "link", "set", port, "master", "bridge", "up")
            ip("-n", name, "address", "add", f"198.51.100.{number}/24", "dev", "lan")
            ip("-n", name, "link", "set", "lan", "up")
            ip("-n", name, "link", "set", "lo", "up")
        yield first, second


@contextlib.contextmanager
def started(where: str, module: str, *arguments: str, home: Path) -> Iterator[subprocess.Popen]:
    """A program on a computer; its standard input ends, and it is waited for, after the block."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "P2PCOUP_HOME": str(home)}
    process = subprocess.Popen(
        [IP, "netns", "exec", where, sys.executable, "-m", module, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment,
    )
    with process:
        try:
            yield process
            process.communicate(timeout=SECONDS)
            assert process.returncode == 0
        except BaseException:
            process.kill()
            raise


def said(where: str, module: str, *arguments: str, home: Path) -> dict[str, object]:
    """The JSON that a program prints."""
    with started(where, module, *arguments, home=home) as process:
        printed, _ = process.communicate(timeout=SECONDS)
    told: dict[str, object] = json.loads(printed)
    return told


def tables(where: str, *arguments: str, home: Path) -> dict[str, object]:
    """What ``p2pcoup tables --json`` says there."""
    return said(where, "p2pcoup", "tables", "--json", *arguments, home=home)


def test_a_table_opened_on_one_computer_is_seen_on_the_other_within_two_seconds(
    network: Sequence[str], tmp_path: Path
) -> None:
    first, second = network
    service = "_coup-lan._tcp.local."
    invite = f"coup://198.51.100.1:7700#{advert().opener}"
    with started(first, MODULE, "announce", service, home=tmp_path) as opener:
        assert opener.stdout is not None
        assert json.loads(opener.stdout.readline()) == {"fault": None}
        found = said(second, MODULE, "browse", service, home=tmp_path)
        assert found["invite"] == invite
        assert isinstance(found["seconds"], float)
        assert found["seconds"] < 2
        listed = tables(second, "--seconds", "1", "--service", service, home=tmp_path)
        assert listed["nothing"] is None
        (table,) = listed["tables"]
        assert (table["table"], table["invite"], table["known"]) == (
            "friday evening",
            invite,
            "new",
        )


def test_it_is_said_what_is_wrong_with_a_computer_s_own_network(tmp_path: Path) -> None:
    with computer("a") as alone:
        nothing = tables(alone, "--seconds", "0", home=tmp_path)["nothing"]
        assert nothing["reason"] == "no-network"
        ip("-n", alone, "link", "set", "lo", "up")
        told = said(alone, MODULE, "silent", home=tmp_path)
        assert (told["reason"], told["blocked"]) == ("only-loopback", "port-blocked")
        assert str(told["fault"]).endswith("this computer is not connected to any network.")


def test_it_is_said_when_nobody_answers_and_when_nobody_can_come(
    network: Sequence[str], tmp_path: Path
) -> None:
    told = said(network[0], MODULE, "silent", home=tmp_path)
    assert (told["reason"], told["blocked"]) == ("nobody", "port-blocked")
    assert str(told["fault"]).endswith("only for this computer itself, at 127.0.0.1.")
