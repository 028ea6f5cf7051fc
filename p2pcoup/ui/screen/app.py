"""The running screen: messages of the node and keys in, drawing out.

The screen is drawn when something has changed, and once a second while a time is running; otherwise
nothing wakes up. Drawing is a function of the model, so there is nothing to keep in step.
"""

import base64
import math
import signal
from collections.abc import Sequence
from typing import Any, Final

import trio
import urwid

from p2pcoup.ui.connection import Connection, Heard, Lost
from p2pcoup.ui.keys import MAX_TALK, Keys, Page
from p2pcoup.ui.model import Model, Request
from p2pcoup.ui.screen.compose import compose
from p2pcoup.ui.screen.theme import colours, palette
from p2pcoup.ui.screen.widgets import Box, Picture, Size, box
from p2pcoup.ui.words import _

CLIPBOARD: Final = "\x1b]52;c;{}\x07"
"""OSC 52: asks the terminal to put a text on the clipboard."""


LAST_WORDS_SECONDS: Final = 2.0
"""What was asked of the node last is given so long to reach it."""


class Root(urwid.Widget):
    """The widget at the root: it draws the model in whatever size the terminal has."""

    _sizing = frozenset([urwid.BOX])
    _selectable = True

    def __init__(self, app: "App") -> None:
        """Draw this program's model."""
        super().__init__()
        self._app = app

    def render(self, size: Size, focus: bool = False) -> urwid.Canvas:  # noqa: ARG002
        """Draw. Urwid keeps the canvas until `_invalidate`."""
        return Picture(self._app.composed(box(size)), box(size))

    def keypress(self, size: Size, key: str) -> str | None:  # noqa: ARG002
        """Every key is the program's."""
        self._app.key(key)
        return None


class App:
    """The full screen client."""

    def __init__(self, connection: Connection, model: Model, keys: Keys) -> None:
        """Show this model; keys go through `keys` to the node."""
        self._connection = connection
        self.model = model
        self.keys = keys
        self._talk: urwid.Edit | None = None
        self._root = Root(self)
        self._requests: trio.MemorySendChannel[Request]
        self._to_send: trio.MemoryReceiveChannel[Request]
        self._requests, self._to_send = trio.open_memory_channel(64)
        self._done = trio.Event()
        self._sent = trio.Event()
        self._linked = trio.CancelScope()
        self._parted = trio.Event()
        self._woken = trio.Event()

    async def run(self, screen: Any = None) -> None:
        """Until the user quits."""
        screen = urwid.display.raw.Screen() if screen is None else screen
        screen.set_terminal_properties(colors=colours(), bright_is_bold=False)
        screen.set_mouse_tracking(False)
        loop = urwid.TrioEventLoop()
        main = urwid.MainLoop(self._root, palette(), screen, handle_mouse=False, event_loop=loop)
        self._screen = screen
        with main.start():
            screen.tty_signal_keys(intr="undefined", susp="undefined")  # Ctrl-C comes as a key
            main.draw_screen()
            async with trio.open_nursery() as nursery:
                nursery.start_soon(loop.run_async)
                nursery.start_soon(self._connect)
                nursery.start_soon(self._listen)
                nursery.start_soon(self._send)
                nursery.start_soon(self._tick)
                nursery.start_soon(self._end_by_signal)
                await self._done.wait()
                await self._requests.aclose()
                with trio.move_on_after(LAST_WORDS_SECONDS):
                    await self._sent.wait()
                self.model.say(_("Leaving …"))
                self._redraw()
                self._linked.cancel()
                await self._parted.wait()  # a node that was started takes leave of the others
                nursery.cancel_scope.cancel()

    # --- drawing ----------------------------------------------------------------------------------

    def composed(self, size: tuple[int, int]) -> Box:
        """The screen in this size."""
        return compose(self.model, self.keys, size, trio.current_time(), self._talk)

    def _redraw(self) -> None:
        self._root._invalidate()
        self._woken.set()  # the time to the next second may be another one now

    # --- tasks ------------------------------------------------------------------------------------

    async def _connect(self) -> None:
        with self._linked:
            await self._connection.run()
        await self._done.wait()
        self._parted.set()

    async def _listen(self) -> None:
        async for news in self._connection.news:
            match news:
                case Heard(message):
                    sent = self.model.receive(message, trio.current_time())
                    self.keys.follow()
                    self._queue(sent)
                case Lost(told, gone):
                    self.model.lost(told, gone=gone)
                    if gone and self.model.never_up:
                        self._done.set()  # there was nothing to see; why is told on the way out
            self._redraw()

    async def _end_by_signal(self) -> None:
        """A closed window and a kill end it like a key, so that the terminal is left in order."""
        with trio.open_signal_receiver(signal.SIGTERM, signal.SIGHUP) as signals:
            async for _number in signals:
                self._done.set()

    async def _send(self) -> None:
        async for request in self._to_send:
            await self._connection.send(request)
        self._sent.set()

    async def _tick(self) -> None:
        """Draw when another second of a running time has passed."""
        while True:
            self._woken = trio.Event()
            pause = self.model.until_next_second(trio.current_time())
            with trio.move_on_after(math.inf if pause is None else pause) as waited:
                await self._woken.wait()
            if waited.cancelled_caught:
                self._root._invalidate()

    # --- keys -------------------------------------------------------------------------------------

    def key(self, key: str) -> None:
        """A key was pressed."""
        if self._done.is_set():
            return  # it is on its way out
        now = trio.current_time()
        if self.keys.page is Page.TALK and self._talk is not None:
            self._write(key)
        else:
            self._queue(self.keys.press(key, now))
            if self.keys.page is Page.TALK and self._talk is None:
                self._talk = urwid.Edit(("talk", _("Say: ")), wrap="clip")
        if self.keys.copied:
            text = base64.b64encode(self.keys.copied.encode()).decode()
            self._screen.write(CLIPBOARD.format(text))
            self.keys.copied = ""
        if self.keys.leaving:
            self._done.set()
        self._redraw()

    def _write(self, key: str) -> None:
        """A key for the line that is being written."""
        talk = self._talk
        if talk is None:
            return
        if key == "enter":
            self._queue(self.keys.said(talk.edit_text))
            self._talk = None
        elif key in ("esc", "ctrl c"):
            self.keys.said("")
            self._talk = None
        elif len(talk.edit_text) < MAX_TALK or len(key) > 1:
            talk.keypress((self._screen.get_cols_rows()[0],), key)
        self.model.changes += 1

    def _queue(self, requests: Sequence[Request]) -> None:
        for request in requests:
            try:
                self._requests.send_nowait(request)
            except trio.ClosedResourceError:
                return  # it is ending
            except trio.WouldBlock:
                self.model.notice = _("The node does not take more at the moment; try again.")


async def run_screen(connection: Connection, *, stays: bool) -> str:
    """Show the game on the full screen until the user quits.

    `stays`: the node plays on without this client, so quitting only closes the window. Returns what
    is to be said afterwards: why there was nothing to show, or nothing.
    """
    model = Model()
    await App(connection, model, Keys(model, stays)).run()
    return model.link_told if model.never_up else ""
