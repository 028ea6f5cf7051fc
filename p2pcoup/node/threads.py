"""Work off the event loop."""

import functools
from collections.abc import Awaitable, Callable
from typing import TypeVar

import trio

T = TypeVar("T")


async def in_thread(work: Callable[..., T], *args: object) -> T:
    """Run one piece of the game off the event loop and wait for it, even when stopped."""
    run: Awaitable[T] = trio.to_thread.run_sync(functools.partial(work, *args))
    return await run
