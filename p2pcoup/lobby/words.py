"""What happens in a lobby, in sentences for its people."""

from collections.abc import Iterator, Sequence

from p2pcoup.lobby.effects import Told
from p2pcoup.lobby.messages import CalledOff, Doubt, Reason
from p2pcoup.lobby.sheet import Person, Sheet
from p2pcoup.rules import options_to_text
from p2pcoup.wire import PeerId


def joined(words: Sequence[str]) -> str:
    """The words as in a sentence: a, b and c."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def changes(before: Sheet, after: Sheet, me: PeerId, how: str = "left") -> Iterator[Told]:
    """What has happened between two sheets. ``how`` is how people went who are gone."""
    for person in after.people:
        if (old := before.person(person.peer)) is None:
            if person.peer != me:
                yield _came(after, person)
        elif person.peer != me:
            yield from _changed(after, old, person)
    for person in before.people:
        if after.person(person.peer) is None:
            yield Told(how, _WENT[how].format(name=before.label(person.peer)))
    if before.settings != after.settings:
        yield Told("settings", _settings(after))


_WENT = {
    "left": "{name} has left the table.",
    "kicked": "{name} was sent away from the table.",
    "gone": "Nothing was heard of {name} for too long; the place is free again.",
}


def _came(sheet: Sheet, person: Person) -> Told:
    name = sheet.label(person.peer)
    if person.watching:
        return Told("watches", f"{name} watches.")
    return Told("sat-down", f"{name} has sat down.")


def _changed(sheet: Sheet, old: Person, new: Person) -> Iterator[Told]:
    name = sheet.label(new.peer)
    if old.watching != new.watching:
        yield _came(sheet, new)
    if old.name != new.name:
        yield Told("renamed", f"{old.name} is called {name} now.")
    if old.here != new.here:
        text = f"{name} is back." if new.here else f"The link to {name} is lost."
        yield Told("back" if new.here else "away", text)
    if old.ready != new.ready and new.peer != sheet.opener:
        text = f"{name} is ready." if new.ready else f"{name} is not ready any more."
        yield Told("ready", text)


def _settings(sheet: Sheet) -> str:
    chosen = sheet.settings
    times = chosen.times
    options = options_to_text(chosen.options)
    games = "one game" if chosen.games == 1 else f"{chosen.games} games"
    return (
        f"What is played has changed: {chosen.edition.name}, {options}, {chosen.seats} seats, "
        f"{games}; {times.decide} s for a decision, {times.answer} s for an answer, "
        f"{times.grace} s of grace. Everybody says again that they are ready."
    )


def why_called_off(sheet: Sheet, off: CalledOff) -> str:
    """Why a start was called off, with the name of whom it was for."""
    return f"The start is called off: {_DOUBTS[off.doubt].format(name=sheet.label(off.peer))}"


_DOUBTS = {
    Doubt.CHANGED: "{name} was shown something else than what was to be signed.",
    Doubt.NOT_READY: "{name} is not ready.",
    Doubt.TOO_NEW: "{name} has not had time to see who plays.",
    Doubt.NOT_NEW: "{name} has met a game of this name before; start once more.",
    Doubt.SILENT: "{name} has not signed in time.",
    Doubt.GONE: "{name} is gone.",
}

REFUSED = {
    Reason.KICKED: "You were sent away from this table.",
    Reason.FULL: "The table is full. You can watch it instead: p2pcoup watch",
    Reason.PLAYING: "A game is being played at this table. You can watch it: p2pcoup watch",
    Reason.CLOSED: "That table is not open any more.",
}
