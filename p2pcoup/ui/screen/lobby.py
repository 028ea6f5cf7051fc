"""The lobby: how others come in, who is here, what will be played, and why it cannot start yet."""

from p2pcoup.ui import telling
from p2pcoup.ui.pictures import Lobby, Person
from p2pcoup.ui.screen.frame import Frame
from p2pcoup.ui.screen.widgets import (
    Box,
    Markup,
    Page,
    Part,
    cells,
    columns_of,
    line,
    prose,
    rule,
    unbroken,
    wrapped,
)
from p2pcoup.ui.words import _, fill

INVITE_COMMAND = "p2pcoup join"
"""What the invited type in front of the invite."""


def lobby_screen(frame: Frame, lobby: Lobby) -> Box:
    """Draw the lobby."""
    sitting = [person for person in lobby.people if not person.watching]
    of = {"n": str(len(sitting)), "seats": str(lobby.seats)}
    head = frame.title(
        fill(_("Lobby: {table}"), {"table": lobby.table}),
        fill(_("{n} of {seats} are here"), of),
    )
    airy = frame.rows >= 30
    gap = [line("")] if airy else []
    parts = [head, *gap, *_invite(lobby), *gap]
    parts += [prose(("strong", f" {frame.signs.dot} ".join(telling.settings(lobby)))), *gap]
    parts += [rule(_("People"), frame.columns, frame.signs)]
    for person in lobby.people[: frame.rows - 14]:
        parts += _person(frame, person, lobby)
    parts += [*gap, *(prose(("wait", note)) for note in lobby.notes[:2]), *_start(lobby), *gap]
    parts += [rule(_("What happened"), frame.columns, frame.signs)]
    return Page(parts, frame.log(), frame.foot())


def _invite(lobby: Lobby) -> list[Part]:
    """The invite on lines of its own, with nothing beside it, so that it can be marked."""
    if not lobby.invite:
        return []
    command = f'{INVITE_COMMAND} "{lobby.invite}"'
    return [
        line(_("Whoever should join runs this (on this network just `p2pcoup join`):")),
        unbroken(("key", command)),
    ]


def _person(frame: Frame, person: Person, lobby: Lobby) -> list[Part]:
    """A row for somebody, and more below it where there is more to know than fits."""
    state = max(14, *(columns_of(_ready(frame, each)) + 2 for each in lobby.people))
    widest = max(columns_of(_name(each)) for each in lobby.people) + 2
    width = max(26, min(widest, frame.columns - state))
    row: list[tuple[int, Markup]] = [
        (state, _ready(frame, person)),
        (width, ("strong", _name(person))),
    ]
    told = _told(person, lobby)
    if state + width + columns_of(told) <= frame.columns:
        return [cells(row, told)]
    below = wrapped(told, frame.columns - state)
    return [cells(row), *(cells([(state, "")], each) for each in below)]


def _name(person: Person) -> str:
    return fill(_("{name} (you)"), {"name": person.name}) if person.you else person.name


def _ready(frame: Frame, person: Person) -> Markup:
    if person.watching:
        return ("dim", _("watching"))
    if person.ready:
        return ("good", f"{frame.signs.proven} {_('ready')}")
    return ("wait", f"{frame.signs.more} {_('not ready')}")


def _told(person: Person, lobby: Lobby) -> str:
    """What else one should know of somebody."""
    told = []
    if person.peer == lobby.opener:
        told.append(_("opened the table"))
    if person.bot:
        told.append(_("a bot"))
    if not person.here:
        told.append(_("connection lost"))
    if person.known == "changed":
        told.append(_("ATTENTION: another key than this name had before"))
    elif person.known == "new" and not person.you and not person.bot:
        told.append(_("first time here"))
    return ", ".join(told)


def _start(lobby: Lobby) -> list[Part]:
    """What is missing until the game can start."""
    if lobby.starting:
        return [line(("turn", _("Starting: everybody signs who sits where.")))]
    if not lobby.opener_here:
        told = _("Whoever opened this table is gone. Press o to open it again with those here.")
        return [prose(("wait", told))]
    if not lobby.opened_here and "ready" in lobby.may and lobby.you and not lobby.you.ready:
        return [line(("turn", _("Press r when you are ready.")))]
    if lobby.opened_here and lobby.why_not_start:
        fields = {"reason": lobby.why_not_start}
        return [prose(("wait", fill(_("It cannot start yet: {reason}"), fields)))]
    if "start" in lobby.may:
        return [line(("turn", _("Everybody is ready: press s to start.")))]
    return [line(_("The table starts as soon as its opener says so."))]


def invite_screen(frame: Frame, lobby: Lobby) -> Box:
    """The invite alone from the left edge on, to be marked with a mouse."""
    parts = [
        frame.title(_("The invite"), lobby.table),
        line(""),
        unbroken(("key", lobby.invite)),
        line(""),
        prose(_("It was put on the clipboard as well, if this terminal allows that.")),
        prose(_("Who has it can find this table; it is no secret that protects anything.")),
    ]
    return Page(parts, below=[line(("wait", _("Any key goes back.")))])
