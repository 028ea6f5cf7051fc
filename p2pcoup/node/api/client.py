"""One client of a node: what waits to be sent to it, and what it asks for.

However the client is connected, two tasks serve it: one sends `next_lines`, the other hands what
comes to `take`. Nothing in the node ever waits for a client: what it is still to be told is no more
than two numbers, the next event and the picture it has seen, and what it asks is taken one by one.
"""

from collections import deque
from collections.abc import Callable
from typing import Final, Protocol

import trio

from p2pcoup.node.api.decode import NotUnderstoodError, Resume, decode_request
from p2pcoup.node.api.eventlog import EventLog, to_json
from p2pcoup.node.wishes import DONE, Reply, Wish

MAX_ERRORS_IN_A_ROW: Final = 32
MAX_WAITING_REPLIES: Final = 64  # then nothing more is taken from a client that does not read
EVENTS_AT_ONCE: Final = 64  # so that one who catches up does not keep the others waiting


class UnwelcomeError(Exception):
    """The client is to be disconnected; the message says why."""


class Source(Protocol):
    """What clients are told about, and who fulfils their wishes: the hub."""

    events: EventLog
    run: str

    @property
    def version(self) -> int:
        """Grows with every change of the picture."""

    @property
    def reference(self) -> str | None:
        """The reference card of what is played, once that is known."""

    @property
    def ended(self) -> bool:
        """Whether nothing will change any more."""

    def hello(self) -> str:
        """The first message."""

    def state(self) -> str:
        """The picture as it is now."""

    async def fulfil(self, wish: Wish) -> Reply:
        """Let the node do what a client wants."""


class Client:
    """A client that has shown that it may be one."""

    def __init__(self, source: Source, drop: Callable[[], None]) -> None:
        """``drop`` cuts the connection, even one that is stuck in the middle of a message."""
        self._source = source
        self._drop = drop
        self._replies: deque[str] = deque([source.hello()])
        self._woken = trio.Event()
        self._taken = trio.Event()
        self._next_event = source.events.next
        self._seen = 0  # nothing is shown before there is something
        self._reference: str | None = None
        self._errors = 0

    def wake(self) -> None:
        """There is something new."""
        self._woken.set()
        if self._next_event < self._source.events.first:
            self._drop()  # what it lacks is forgotten

    async def next_lines(self) -> list[str]:
        """Wait until there is something to send; an empty list: nothing will come any more."""
        while not (lines := self._lines()):
            if self._source.ended:
                return []
            self._woken = trio.Event()
            await self._woken.wait()
        return lines

    @property
    def has_all(self) -> bool:
        """Whether nothing waits to be sent."""
        source = self._source
        caught_up = self._next_event == source.events.next and self._seen == source.version
        return caught_up and not self._replies

    def _lines(self) -> list[str]:
        """What it has not been told: answers, events, and when it has all of these the picture."""
        source = self._source
        lines = list(self._replies)
        self._replies.clear()
        self._taken.set()
        if source.reference is not None and source.reference != self._reference:
            self._reference = source.reference
            lines.append(source.reference)
        lines += source.events.lines(self._next_event, EVENTS_AT_ONCE)
        self._next_event = min(self._next_event + EVENTS_AT_ONCE, source.events.next)
        if self._next_event == source.events.next and self._seen != source.version:
            self._seen = source.version
            lines.append(source.state())
        return lines

    async def take(self, data: str | bytes) -> None:
        """Deal with one message of the client; returns when it is answered.

        Raises UnwelcomeError when it sends nothing but nonsense.
        """
        try:
            heard = decode_request(data)
        except NotUnderstoodError as error:
            await self.refuse(error.code, str(error), error.n)
            return
        self._errors = 0
        if isinstance(heard.wish, Resume):
            self._resume(heard.wish)
            reply = DONE
        else:
            reply = await self._source.fulfil(heard.wish)
        await self._answer(reply, heard.n)

    async def refuse(self, code: str, text: str, n: int | None = None) -> None:
        """Answer something that is no request. Raises UnwelcomeError after too many of them."""
        self._errors += 1
        if self._errors > MAX_ERRORS_IN_A_ROW:
            raise UnwelcomeError("It sends nothing that is a request.")
        await self._answer(Reply(code, text), n)

    def _resume(self, resume: Resume) -> None:
        """Send again what came after an event that the client knows."""
        events = self._source.events
        wanted = resume.after + 1 if resume.run == self._source.run else 0
        self._next_event = min(max(wanted, events.first), events.next)

    async def _answer(self, reply: Reply, n: int | None) -> None:
        answer: dict[str, object] = {"type": "ok" if reply.code is None else "error"}
        if n is not None:
            answer["n"] = n
        if reply.code is not None:
            answer |= {"code": reply.code, "text": reply.text}
        while len(self._replies) >= MAX_WAITING_REPLIES:
            self._taken = trio.Event()
            await self._taken.wait()
        self._replies.append(to_json(answer))
        self._woken.set()
