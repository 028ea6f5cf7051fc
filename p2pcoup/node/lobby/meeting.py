"""Who comes to a table: remembered, and pointed out if the name was another's before (SPEC 10.5).

Of somebody there is no link with, only the opener says that they are here. Of them nothing is
remembered: an opener could fill the list of known peers with people whom nobody has met.
"""

from collections.abc import Sequence

import trio

from p2pcoup.lobby import Person
from p2pcoup.node import said
from p2pcoup.node.known import Acquaintance, Changed, Known, KnownPeers
from p2pcoup.node.lobby.picture import Around
from p2pcoup.node.lobby.places import Places
from p2pcoup.node.telling import Telling
from p2pcoup.wire import PeerId

MAX_NOTES = 6
MAX_NEW = 48
"""People who are remembered newly in one evening: more than ever sit and watch at a table. Whoever
comes under ever new keys must not push those out of the list who were met before."""


class Meeting:
    """Remembers whom of the people on the sheets of a table we have met."""

    def __init__(
        self, me: PeerId, places: Places, known: KnownPeers, around: Around, telling: Telling
    ) -> None:
        self._me = me
        self._places = places
        self._known = known
        self._around = around
        self._telling = telling
        self._met: set[tuple[PeerId, str]] = set()
        self._new = 0

    async def look(self, people: Sequence[Person], linked: frozenset[PeerId]) -> None:
        """These are the people on the sheet now; a link proves who somebody is."""
        self._met &= {(person.peer, person.name) for person in people}
        here = {person.peer for person in people}
        self._around.known = {p: how for p, how in self._around.known.items() if p in here}
        for person in people:
            line = person.peer, person.name
            if person.peer == self._me or person.bot or line in self._met:
                continue
            if person.peer not in linked:
                found = self._known.judge(*line)
            else:
                self._met.add(line)
                found = await self._meet(person)
            self._around.known[person.peer] = _word(found)

    async def _meet(self, person: Person) -> Acquaintance:
        address = self._places.best([person.peer], self._me)[person.peer]
        place = address if person.addresses else None
        found = self._known.judge(person.peer, person.name)
        is_new = not self._known.has_met(person.peer)
        if not is_new or self._new < MAX_NEW:
            self._new += is_new
            await trio.to_thread.run_sync(self._known.meet, person.peer, person.name, place)
        if isinstance(found, Changed):
            note = said.OTHER_KEY(who=person.name)
            self._around.notes = [*self._around.notes, note][-MAX_NOTES:]
            self._telling.warning("other-key", note, peer=person.peer)
        return found


def _word(found: Acquaintance) -> str:
    """The word of API.md 2.1."""
    match found:
        case Known():
            return "known"
        case Changed():
            return "changed"
        case _:
            return "new"
