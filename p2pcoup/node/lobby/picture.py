"""The lobby as clients see it (protocol/API.md 2.1)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from p2pcoup.lobby import Lobby, Person
from p2pcoup.rules import EDITIONS, Sentence, options_to_text, sentence_to_data
from p2pcoup.wire import PeerId


@dataclass(slots=True)
class Around:
    """What a client is shown beside the sheet.

    Attributes:
        invite: what others are to be given; None if this peer has no table open.
        address: where this node listens, for reading aloud.
        known: new, known or changed, by peer.
        notes: sentences about this evening.
    """

    invite: str | None = None
    address: str | None = None
    known: dict[PeerId, str] = field(default_factory=dict)
    notes: list[Sentence | str] = field(default_factory=list)


def lobby_picture(
    lobby: Lobby, around: Around, now: float, linked: frozenset[PeerId]
) -> Mapping[str, object] | None:
    """The dict of API.md 2.1; None while the table is not known yet."""
    sheet = lobby.sheet
    if sheet is None:
        return None
    settings, times, why = sheet.settings, sheet.settings.times, lobby.why_not_start(now)
    return {
        "table": sheet.name,
        "edition": settings.edition.name,
        "options": options_to_text(settings.options),
        "games": settings.games,
        "times": {"decide": times.decide, "answer": times.answer, "grace": times.grace},
        "seats": settings.seats,
        "editions": [
            {"edition": each.name, "fewest": each.min_players, "most": each.max_players}
            for each in EDITIONS.values()
        ],
        "opener": sheet.opener,
        "opener_here": lobby.opener_here(now),
        "invite": around.invite,
        "address": around.address,
        "people": _people(lobby, sheet.people, around, linked),
        "may": list(lobby.may(now)),
        "why_not_start": None if why is None else sentence_to_data(why),
        "starting": lobby.starting(now),
        "notes": [_note(note) for note in around.notes],
    }


def _note(note: Sentence | str) -> object:
    return sentence_to_data(note) if isinstance(note, Sentence) else note


def _people(
    lobby: Lobby, people: Sequence[Person], around: Around, linked: frozenset[PeerId]
) -> list[Mapping[str, object]]:
    sheet, me = lobby.sheet, lobby.me.peer
    return [
        {
            "peer": person.peer,
            "name": person.name if sheet is None else sheet.label(person.peer),
            "ready": person.ready,
            "bot": person.bot,
            "here": person.here or person.peer == me or person.peer in linked,
            "you": person.peer == me,
            "known": around.known.get(person.peer, "known" if person.peer == me else "new"),
            "watching": person.watching,
        }
        for person in people
    ]
