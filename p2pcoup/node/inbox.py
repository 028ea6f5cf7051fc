"""What a node waits for: the events of its links and the requests of its desk, in turn."""

import contextlib
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

import trio

from p2pcoup.net import Event, Mesh
from p2pcoup.node.desk import Desk
from p2pcoup.node.wishes import Request

EVENTS_AT_ONCE = 32  # of the mesh
T = TypeVar("T")


async def first_of(due_at: float, *sources: Callable[[], Awaitable[T]]) -> Sequence[T]:
    """What the first of these gives that gives something, and what others give at the same moment;
    nothing when it is ``due_at`` by then. A source that is cancelled must not have taken anything.
    """
    got: list[T] = []
    with trio.move_on_at(due_at):
        async with trio.open_nursery() as nursery:

            async def wait_for(source: Callable[[], Awaitable[T]]) -> None:
                got.append(await source())
                nursery.cancel_scope.cancel()

            for source in sources:
                nursery.start_soon(wait_for, source)
    return got


class Inbox:
    """Neither of the two can keep the other waiting."""

    def __init__(self, mesh: Mesh, desk: Desk) -> None:
        self._mesh = mesh
        self._desk = desk
        self._desk_has_turn = False

    async def next(self, due_at: float) -> Sequence[Event | Request]:
        """What comes next; nothing when it is ``due_at`` by then. What lies there already is taken
        together, but every other time the desk has its turn as well.
        """
        got: list[Event | Request] = []
        self._desk_has_turn = not self._desk_has_turn
        with contextlib.suppress(trio.WouldBlock):
            while not self._desk_has_turn and len(got) < EVENTS_AT_ONCE:
                got.append(self._mesh.events.receive_nowait())
        if got:
            return got
        return await first_of(due_at, self._mesh.events.receive, self._desk.next_request)
