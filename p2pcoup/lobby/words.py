"""What happens in a lobby, in sentences for its people."""

from collections.abc import Iterator

from p2pcoup.lobby import said
from p2pcoup.lobby.effects import Told
from p2pcoup.lobby.messages import CalledOff, Doubt, Reason
from p2pcoup.lobby.sheet import Person, Sheet
from p2pcoup.rules import Sentence, options_to_text
from p2pcoup.wire import PeerId


def changes(before: Sheet, after: Sheet, me: PeerId, how: str = "left") -> Iterator[Told]:
    """What has happened between two sheets. ``how`` is how people went who are gone."""
    for person in after.people:
        if (old := before.person(person.peer)) is None:
            if person.peer != me:
                yield _came(after, person)
        elif person.peer != me and person != old:
            yield from _changed(after, old, person)
    for person in before.people:
        if after.person(person.peer) is None:
            yield Told(how, _WENT[how](who=before.label(person.peer)))
    if before.settings != after.settings:
        yield Told("settings", _settings(after))


_WENT = {
    "left": said.LEFT,
    "kicked": said.KICKED,
    "gone": said.GONE,
}


def _came(sheet: Sheet, person: Person) -> Told:
    name = sheet.label(person.peer)
    if person.watching:
        return Told("watches", said.WATCHES(who=name))
    return Told("sat-down", said.SAT_DOWN(who=name))


def _changed(sheet: Sheet, old: Person, new: Person) -> Iterator[Told]:
    name = sheet.label(new.peer)
    if old.watching != new.watching:
        yield _came(sheet, new)
    if old.name != new.name:
        yield Told("renamed", said.RENAMED(old=old.name, who=name))
    if old.here != new.here:
        here = said.BACK if new.here else said.AWAY
        yield Told("back" if new.here else "away", here(who=name))
    if old.ready != new.ready and new.peer != sheet.opener:
        ready = said.READY if new.ready else said.NOT_READY
        yield Told("ready", ready(who=name))


def _settings(sheet: Sheet) -> Sentence:
    chosen = sheet.settings
    times = chosen.times
    options = options_to_text(chosen.options)
    return said.SETTINGS(
        edition=chosen.edition,
        options=options,
        seats=chosen.seats,
        games=chosen.games,
        decide=times.decide,
        answer=times.answer,
        grace=times.grace,
    )


def why_called_off(sheet: Sheet, off: CalledOff) -> Sentence:
    """Why a start was called off, with the name of whom it was for."""
    return _DOUBTS[off.doubt](who=sheet.label(off.peer))


_DOUBTS = {
    Doubt.CHANGED: said.OFF_CHANGED,
    Doubt.NOT_READY: said.OFF_NOT_READY,
    Doubt.TOO_NEW: said.OFF_TOO_NEW,
    Doubt.NOT_NEW: said.OFF_NOT_NEW,
    Doubt.SILENT: said.OFF_SILENT,
    Doubt.GONE: said.OFF_GONE,
}

LEFT_TABLE = "You have left the table."
LEFT_ENTERED = (
    "You have left the table. You had signed for a game there: if the others play it after all, "
    "this takes you into it: p2pcoup resume"
)
REFUSED = {
    Reason.KICKED: "You were sent away from this table.",
    Reason.FULL: "The table is full. You can watch it instead: p2pcoup watch",
    Reason.PLAYING: "A game is being played at this table. You can watch it: p2pcoup watch",
    Reason.CLOSED: "That table is not open any more.",
}
