"""Fixtures of the tests of the rules."""

import pytest

from tests.rules.dealer import Dealer


@pytest.fixture
def dealer() -> type[Dealer]:
    """The maker of hidden cards."""
    return Dealer
