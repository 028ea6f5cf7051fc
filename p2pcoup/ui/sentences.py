"""What has happened, in the chosen language: events and the reference card (API 2.2, event).

The node sends every sentence as a template with its arguments. The template is looked up in the
catalogue, the arguments are put into it; without a template the English text is shown as it is.
"""

from dataclasses import dataclass
from typing import Final

from p2pcoup.ui import words
from p2pcoup.ui.clean import clean
from p2pcoup.ui.fields import Fields
from p2pcoup.ui.words import _, fill, ngettext

MAX_NESTING: Final = 8
"""Sentences inside sentences; the deepest there is has two."""

TURN_TEMPLATE: Final = "It is {who}'s turn."
"""The sentence that a paragraph of the story starts with (SPEC 11.9)."""


def say(value: object, depth: int = 0) -> str:
    """Return one argument, or one whole sentence, as it is shown."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, bool | int):
        return str(value)
    if isinstance(value, list) and depth < MAX_NESTING:
        return words.listed([say(each, depth + 1) for each in value])
    return _say_object(Fields(value), depth)


def _say_object(told: Fields, depth: int) -> str:
    for kind, title in (
        ("character", words.character),
        ("action", words.action),
        ("edition", words.edition),
    ):
        if kind in told:
            return title(told.text(kind))
    template, plural, number = told.exact("template"), told.exact("plural"), told.maybe_number("n")
    if not template or depth >= MAX_NESTING:
        return told.text("text")
    arguments = {name: say(each, depth + 1) for name, each in told.items("args")}
    if "options" in arguments:
        arguments["options"] = words.options(arguments["options"])
    counted = plural and number is not None
    found = ngettext(template, plural, number or 0) if counted else _(template)
    if found in (template, plural):  # not from the catalogue, whose no-break spaces must stay
        found = clean(found)
    return fill(found, arguments)


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, numbered by the node."""

    number: int
    kind: str
    """``story``, ``table``, ``talk``, ``game``, or one that is not known here."""
    text: str
    """A whole sentence; of talk what was said."""
    name: str = ""
    """Who talks; of an event at the table its name in the log."""
    peer: str = ""
    turn: bool = False
    """Whether it starts a turn, and with it a paragraph."""


def read_event(message: Fields) -> Event:
    """Read an ``event`` message."""
    kind = message.exact("kind")
    return Event(
        number=message.number("number"),
        kind=kind,
        text=message.text("text") if kind == "talk" else _say_object(message, 0),
        name=message.text("name"),
        peer=message.exact("peer"),
        turn=message.exact("template") == TURN_TEMPLATE,
    )
