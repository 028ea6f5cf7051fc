"""What all tests share."""

import gc
import os

import pytest
from hypothesis import settings

from tests import products

# The same examples in every run: a test that fails, fails for everybody.
settings.register_profile(
    "fixed", derandomize=True, deadline=None, print_blob=True, max_examples=50
)
settings.load_profile("fixed")

# Tests start hundreds of programs; each would compile all its modules anew where Python is told not
# to keep what it has compiled.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# The tests themselves, thousands of them, stay until the end: no use to look again and again which
# of them could go, neither while they are collected nor while they run.
gc.disable()


NIGHTLY = os.environ.get("P2PCOUP_NIGHTLY") == "1"
SAME_GAMES = tuple(f"tests/{name}/" for name in ("table", "attacks", "audit", "journal", "node"))
"""Where many seats check the same messages in one process (`products`)."""


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "waits: it waits for ten seconds of real time or longer")
    config.addinivalue_line("markers", "works: it keeps a core busy for ten seconds or longer")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let the longest tests begin first, so that at the end no worker waits for another one.

    Each worker begins with an equal part of the list (pytest-xdist's worksteal). The first one
    gets all that wait, so that the others keep the cores busy meanwhile.
    """
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    waits = [item for item in items if item.get_closest_marker("waits")]
    works = [item for item in items if item.get_closest_marker("works")]
    long = {*waits, *works}
    rest = [item for item in items if item not in long]
    if workers == 1 or len(rest) < workers * len(waits + works):
        return
    ordered: list[pytest.Item] = []
    for worker in range(workers):
        part = (len(items) - len(ordered)) // (workers - worker)
        first = works[worker - 1 :: workers - 1] if worker else waits
        ordered += [*first, *rest[: part - len(first)]]
        del rest[: part - len(first)]
    items[:] = ordered


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    products.remember(not NIGHTLY and item.nodeid.startswith(SAME_GAMES))
