"""Loads the hidden-card dealer and the scripts of the rules' tests, which are no package."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

RULES = Path(__file__).parent.with_name("rules")


def load(name: str) -> ModuleType:
    """Return a helper module from the rules' tests, loaded once."""
    full = f"rules_{name}"
    if full not in sys.modules:
        spec = importlib.util.spec_from_file_location(full, RULES / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        sys.modules[full] = module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return sys.modules[full]


@pytest.fixture(scope="session")
def table():
    return load("scripts").table


@pytest.fixture(scope="session")
def play():
    return load("scripts").play


@pytest.fixture(scope="session")
def dealer():
    return load("dealer").Dealer
