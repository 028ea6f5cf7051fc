"""Fixtures for the card layer."""

import pytest

from p2pcoup.deck import Randomness


@pytest.fixture
def randomness() -> Randomness:
    return Randomness(b"seed of the deck tests, 32 bytes")
