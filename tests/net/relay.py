"""A TCP relay that a test puts in front of a node, to hold, freeze and cut its connections.

Not a test module. To the nodes it is the network: real sockets that misbehave on demand.
"""

import contextlib
from collections.abc import AsyncIterator, Callable

import trio

from p2pcoup.net import Address
from tests.net.peers import ANYWHERE, SOON


class _Connection:
    """One connection through the relay; bytes pass while the gate is open."""

    def __init__(self, is_open: bool) -> None:
        self.scope = trio.CancelScope()
        self.gate = trio.Event()
        if is_open:
            self.gate.set()

    async def pump(self, source: trio.SocketStream, sink: trio.SocketStream) -> None:
        """Forward one direction, and the end of it."""
        with contextlib.suppress(trio.BrokenResourceError):
            while data := await source.receive_some(65536):
                await self.gate.wait()
                await sink.send_all(data)
        await self.gate.wait()
        self.scope.cancel()


class Relay:
    """Forwards each connection to `target`; without one it closes what comes in at once."""

    def __init__(self, address: Address, target: Address | None) -> None:
        self.address = address
        self.target = target
        self.called: list[float] = []
        """When each connection came in, in seconds of trio's clock."""
        self._open: set[_Connection] = set()
        self._holding = False
        self._changed = trio.Event()

    @property
    def alive(self) -> int:
        """How many connections are open through the relay."""
        return len(self._open)

    def cut(self) -> None:
        """Break all connections; new ones may come."""
        for connection in self._open:
            connection.scope.cancel()

    def freeze(self) -> None:
        """Let no more byte through the connections there are, without closing any."""
        for connection in self._open:
            connection.gate = trio.Event()

    def hold(self) -> None:
        """Let no byte through connections that come from now on."""
        self._holding = True

    def thaw(self) -> None:
        """Let all bytes flow on."""
        self._holding = False
        for connection in self._open:
            connection.gate.set()

    async def until(self, reached: Callable[[], bool]) -> None:
        """Wait for the connection, or the end of one, after which the condition holds."""
        with trio.fail_after(SOON):
            while not reached():
                await self._changed.wait()

    async def serve(self, caller: trio.SocketStream) -> None:
        """The life of one connection."""
        self.called.append(trio.current_time())
        async with caller:
            if self.target is not None:
                with contextlib.suppress(OSError):
                    callee = await trio.open_tcp_stream(self.target.host, self.target.port)
                    async with callee:
                        await self._forward(caller, callee)
        self._notify()

    async def _forward(self, caller: trio.SocketStream, callee: trio.SocketStream) -> None:
        connection = _Connection(is_open=not self._holding)
        self._open.add(connection)
        self._notify()
        try:
            with connection.scope:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(connection.pump, caller, callee)
                    nursery.start_soon(connection.pump, callee, caller)
        finally:
            self._open.remove(connection)

    def _notify(self) -> None:
        self._changed.set()
        self._changed = trio.Event()


@contextlib.asynccontextmanager
async def open_relay(target: Address | None = None) -> AsyncIterator[Relay]:
    """A running relay; all its connections are cut at the end."""
    (listener,) = await trio.open_tcp_listeners(0, host=ANYWHERE.host)
    host, port = listener.socket.getsockname()[:2]
    relay = Relay(Address(host, port), target)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(trio.serve_listeners, relay.serve, [listener])
        yield relay
        nursery.cancel_scope.cancel()
