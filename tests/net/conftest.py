"""Peers with fixed keys, and the watch that nothing stays open."""

import gc
import hashlib
from collections.abc import Iterator

import pytest
import trio
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2pcoup.net.credentials import Credentials
from p2pcoup.wire.identity import Identity
from tests.net.peers import open_files


def _identity(number: int) -> Identity:
    seed = hashlib.sha256(b"p2pcoup net test %d" % number).digest()
    return Identity(Ed25519PrivateKey.from_private_bytes(seed))


@pytest.fixture(scope="session")
def identities() -> list[Identity]:
    """Six identities, the lowest peer id first: of two links the first one's owner decides."""
    return sorted((_identity(number) for number in range(6)), key=lambda each: each.peer_id)


@pytest.fixture(scope="session")
def credentials(identities: list[Identity]) -> list[Credentials]:
    """The credentials of `identities`, in the same order."""
    return [Credentials(identity) for identity in identities]


@pytest.fixture(autouse=True)
def nothing_stays_open() -> Iterator[None]:
    """After every test as many file descriptors are open as before it."""
    before = open_files()
    yield
    if open_files() != before:
        gc.collect()  # what is only not yet collected was not forgotten
    assert open_files() == before


@pytest.fixture
async def unused_port() -> int:
    """A port nobody listens on."""
    with trio.socket.socket() as probe:
        await probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
