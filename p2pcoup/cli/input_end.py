"""A node that ends with its standard input: then whoever started it is gone."""

import os
import signal
import sys
from collections.abc import Awaitable, Callable
from functools import partial

import trio

from p2pcoup.node.log import NodeLog

COPIED_BYTES = 65_536

Stopped = signal.Signals | None
Play = Callable[[NodeLog], Awaitable[Stopped]]


def with_input(play: Play, end_with_input: bool) -> Play:
    """The same; if wanted, it ends when standard input does: then whoever started us is gone.

    What comes on standard input is handed on to whoever reads it there.
    """

    async def watched(log: NodeLog) -> Stopped:
        result: list[Stopped] = []
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_hand_on_input, nursery.cancel_scope)
            result.append(await play(log))
            nursery.cancel_scope.cancel()
        return result[0] if result else signal.SIGTERM

    return watched if end_with_input else play


async def _hand_on_input(scope: trio.CancelScope) -> None:
    """Put a pipe in the place of standard input, and cancel the scope when the input has ended."""
    standard = sys.stdin.fileno()
    input_ = os.dup(standard)
    readable, writable = os.pipe()
    os.dup2(readable, standard)
    os.close(readable)
    one_thread = trio.CapacityLimiter(1)
    copy = partial(_copy, input_, writable)
    # The descriptors stay open until the end of the program: a thread may still be reading there.
    while await trio.to_thread.run_sync(copy, abandon_on_cancel=True, limiter=one_thread):
        pass
    scope.cancel()


def _copy(source: int, target: int) -> int:
    data = os.read(source, COPIED_BYTES)
    rest = data
    while rest:
        rest = rest[os.write(target, rest) :]
    return len(data)
