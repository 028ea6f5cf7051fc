import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

import p2pcoup
from p2pcoup.wire import Identity, Kind, Message, SignedMessage, sign

DiskLimit = Callable[[int], AbstractContextManager[None]]
StartPython = Callable[[str, Path], "subprocess.Popen[str]"]


@pytest.fixture
def disk_limit() -> DiskLimit:
    """Within `with disk_limit(n):` the system lets no file of this process grow beyond n bytes."""

    resource = pytest.importorskip("resource", reason="limits on files are a POSIX matter")

    @contextmanager
    def limited(size: int) -> Iterator[None]:
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    return limited


@pytest.fixture
def start_python() -> Iterator[StartPython]:
    """Starts a Python process that runs a script with one path as its argument."""
    started: list[subprocess.Popen[str]] = []
    root = str(Path(p2pcoup.__file__).parent.parent)

    def start(script: str, path: Path) -> "subprocess.Popen[str]":
        process = subprocess.Popen(
            [sys.executable, "-c", script, str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": root},
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


@pytest.fixture(scope="session")
def signed_messages() -> list[SignedMessage]:
    """Eight messages of three seats in three rounds, in order."""
    identities = [
        Identity(Ed25519PrivateKey.from_private_bytes(bytes([seat + 1]) * 32)) for seat in range(3)
    ]
    places = [(0, 0), (0, 1), (0, 2), (1, 1), (2, 0), (2, 1), (2, 2), (300, 1)]
    return [
        sign(
            Message(b"g" * 32, number, seat, b"p" * 32, Kind.DECIDE, (f"income {number}",)),
            identities[seat],
        )
        for number, seat in places
    ]
