"""What all screens have in common: size, title line, log, and the line at the lower edge."""

import math
from dataclasses import dataclass, field
from typing import Final

import urwid

from p2pcoup.ui.keys import Keys, Page
from p2pcoup.ui.model import Link, Model
from p2pcoup.ui.screen.theme import Signs
from p2pcoup.ui.screen.widgets import (
    Log,
    Markup,
    Part,
    Typed,
    cells,
    columns_of,
    ends,
    line,
    prose,
)
from p2pcoup.ui.sentences import Event
from p2pcoup.ui.settings import Draft
from p2pcoup.ui.words import _, fill

IN_MINUTES: Final = 120
"""Seconds from which on a time is told in minutes."""

NARROWEST: Final = 26
"""Columns of a choice; three stand beside each other on the smallest screen."""


@dataclass(frozen=True, slots=True)
class Frame:
    """Everything a screen is drawn from."""

    model: Model
    keys: Keys
    columns: int
    rows: int
    now: float
    talk: urwid.Widget | None = None
    signs: Signs = field(default_factory=Signs)

    def title(self, left: str, right: str) -> Part:
        """The first line; while there is no link to the node it says so instead."""
        if self.model.link in (Link.LOST, Link.GONE):
            told = self.model.link_told or _("There is no connection to the node.")
            return line(f" {told}", "alert")
        return ends(f" {left}", f"{right} ", self.columns, "title")

    def log(self) -> Log[Event]:
        """What has happened."""
        dot = self.signs.dot
        events = list(self.model.events)
        return Log(events, lambda event: _drawn(event, dot), self.keys.scroll)

    def foot(self) -> list[Part]:
        """The lower edge: a question of the client, a line being written, a notice, or the keys."""
        keys, model = self.keys, self.model
        if keys.page is Page.TALK and self.talk is not None:
            return [Typed(self.talk)]
        if keys.page is Page.CONFIRM:
            answer = [" [", ("key", "y"), "] ", _("yes"), "  ", _("any other key: no")]
            return [prose([("wait", keys.asked), *answer])]
        if keys.page is Page.PEOPLE:
            chosen = [self._person(key, person.name, person.peer) for key, person in keys.people]
            return [line(("wait", keys.asked)), *self.in_columns(chosen)]
        if keys.page is Page.SETTINGS and keys.draft is not None:
            return self._settings(keys.draft)
        if model.notice:
            return [line(("wait", model.notice))]
        if keys.scroll:
            told = _("You look back; End shows what is new.")
            return [line(("wait", told))]
        return [line(row) for row in self._commands()]

    def _settings(self, draft: Draft) -> list[Part]:
        told = _("What is to be played? After a change everybody has to be ready again.")
        rows: list[Markup] = [
            ["[", ("key", key), f"] {name}: ", ("strong", value)]
            for key, name, value in draft.rows()
        ]
        ends = [("key", "Enter"), f" {_('change it')}  ", ("key", "Esc"), f" {_('leave it')}"]
        return [prose(("wait", told)), *self.in_columns(rows), line(ends)]

    def _person(self, key: str, name: str, peer: str) -> Markup:
        muted = f" ({_('not heard')})" if peer in self.model.state.muted else ""
        return ["[", ("key", key), f"] {name}{muted}"]

    def _commands(self) -> list[list[Markup]]:
        """The keys in as many rows as they need; a key stays beside its words."""
        rows: list[list[Markup]] = [[]]
        for command in self.keys.commands():
            told: list[Markup] = [("key", command.key), f" {command.label}  "]
            if rows[-1] and columns_of([*rows[-1], *told]) > self.columns + 2:
                rows.append([])
            rows[-1] += told
        return rows

    def in_columns(self, items: list[Markup], columns: int = 0, across: int = 0) -> list[Part]:
        """The items beside each other, row by row; `across` of them, or as many as fit."""
        if not items:
            return []
        columns = columns or self.columns
        if not across:
            widest = max(columns_of(item) + 2 for item in items)
            across = max(1, min(len(items), columns // max(widest, NARROWEST)))
        width = columns // across
        rows = [items[at : at + across] for at in range(0, len(items), across)]
        gap: tuple[int, Markup] = (1, "")
        return [cells([part for item in row for part in ((width - 1, item), gap)]) for row in rows]

    def timer(self) -> str:
        """The time that is left for what the game waits for."""
        left = self.model.remaining(self.now)
        if left is None:
            return ""
        if left > IN_MINUTES:
            return fill(_("{n} min left"), {"n": str(math.ceil(left / 60))})
        return fill(_("{n} s left"), {"n": str(left)})


def _drawn(event: Event, dot: str) -> Part:
    """An event of the log."""
    match event.kind:
        case "talk":
            return prose([("talk", f"{event.name}: "), event.text])
        case "story" if event.turn:
            return prose(("strong", event.text))
        case "story":
            return prose(event.text)
        case _:
            return prose(("dim", f"{dot} {event.text}"))
