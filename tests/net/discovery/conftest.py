"""What the tests of discovery share."""

from collections.abc import Iterator

import pytest

from tests.net.discovery.tables import Stranger, own_service


@pytest.fixture
def service() -> str:
    """A service type for one test."""
    return own_service()


@pytest.fixture
def stranger() -> Iterator[Stranger]:
    """Somebody in the network who need not be honest."""
    made = Stranger()
    yield made
    made.close()
