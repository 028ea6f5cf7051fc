"""Draws a screen without a terminal and gives its text."""

import urwid

from p2pcoup.ui.keys import Keys
from p2pcoup.ui.model import Model
from p2pcoup.ui.screen import compose
from p2pcoup.ui.screen.widgets import Picture
from tests.ui.messages import RESUMED, Message, hello, story

SIZES = ((80, 24), (100, 30), (132, 40), (200, 60))


def shown(*messages: Message, at: float = 0.0) -> Keys:
    """A client that has received these messages after the usual beginning."""
    model = Model()
    keys = Keys(model)
    for message in (hello(), RESUMED, *story(), *messages):
        model.receive(message, at)
        keys.follow()
    return keys


def rows(keys: Keys, size: tuple[int, int], now: float = 1.0) -> list[str]:
    """The rows of the screen in this size."""
    urwid.set_encoding("utf-8")
    talk = urwid.Edit("Say: ") if keys.page.value == "talk" else None
    picture = Picture(compose(keys.model, keys, size, now, talk), size)
    return [row.decode() for row in picture.text]


def text(keys: Keys, size: tuple[int, int], now: float = 1.0) -> str:
    """The whole screen as text."""
    return "\n".join(rows(keys, size, now))
