"""Peers with fixed keys, short times, and ends of connections that do as a test says."""

import hashlib
import random
from collections.abc import Callable

import pytest
import trio
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2pcoup.net.address import Address
from p2pcoup.net.credentials import Credentials
from p2pcoup.net.limits import Timing
from p2pcoup.wire.identity import Identity


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


@pytest.fixture
def timing() -> Timing:
    """Times for honest peers in one process on a busy machine; nothing waits for them."""
    return Timing()


@pytest.fixture
def loopback() -> Address:
    """Any free port of this computer."""
    return Address("127.0.0.1", 0)


@pytest.fixture
def jitter() -> Callable[[], random.Random]:
    """Generators that all give the same numbers."""
    return lambda: random.Random(1)


@pytest.fixture
def nowhere() -> Address:
    """The remote address in tests without a network."""
    return Address("peer.test", 1)


@pytest.fixture
async def unused_port() -> int:
    """A port nobody listens on."""
    with trio.socket.socket() as probe:
        await probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
