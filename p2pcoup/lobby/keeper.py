"""Keeping the sheet of a table: written anew after every change, and sent to all (SPEC 12.2)."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from p2pcoup.lobby.acquaintance import Acquaintances
from p2pcoup.lobby.effects import Drop, Effect, Send
from p2pcoup.lobby.messages import ANY_TABLE, LobbyMessage, Reason, Refused, encode_lobby
from p2pcoup.lobby.settings import Settings
from p2pcoup.lobby.sheet import Person, Sheet
from p2pcoup.lobby.words import changes
from p2pcoup.rules import Argument
from p2pcoup.rules.sentence import listed
from p2pcoup.wire import PeerId


class Keeper:
    """The part of an opener that writes the sheet and speaks to the people on it. Effects go to
    `out`.
    """

    def __init__(self, sheet: Sheet, known: Acquaintances, out: Callable[[Effect], None]) -> None:
        self.sheet = sheet
        self._known = known
        self._out = out
        known.note(sheet)

    def _publish(
        self,
        people: Sequence[Person] | None = None,
        *,
        settings: Settings | None = None,
        starting: int | None = None,
        how: str = "left",
    ) -> None:
        """Write the next sheet, show it to everybody, and tell the user what has changed."""
        before = self.sheet
        self.sheet = replace(
            before,
            number=before.number + 1,
            people=before.people if people is None else tuple(people),
            settings=before.settings if settings is None else settings,
            starting=before.starting if starting is None else starting,
        )
        self._known.note(self.sheet)
        for told in changes(before, self.sheet, self.sheet.opener, how):
            self._out(told)
        payload = encode_lobby(self.sheet)  # once: whoever changes something makes us tell all
        for person in self.sheet.people:
            if person.here and person.peer != self.sheet.opener:
                self._out(Send(person.peer, payload))

    def _put(self, person: Person) -> None:
        """Enter a person, or what has changed about one; who moves comes last."""
        people = list(self.sheet.people)
        places = [number for number, each in enumerate(people) if each.peer == person.peer]
        if places and people[places[0]].watching == person.watching:
            people[places[0]] = person
        else:
            people = [each for each in people if each.peer != person.peer] + [person]
        self._publish(people)

    def _unready(self, peer: PeerId) -> None:
        people = [
            replace(each, ready=False) if each.peer == peer else each for each in self.sheet.people
        ]
        self.sheet = replace(self.sheet, people=tuple(people))

    def _remove(self, peer: PeerId, how: str) -> None:
        """Somebody is no longer at the table; ``how`` they went, as `changes` has it."""
        self._publish([each for each in self.sheet.people if each.peer != peer], how=how)
        self._out(Drop(peer))

    def _refuse(self, peer: PeerId, reason: Reason, table: bytes = ANY_TABLE) -> None:
        self._send(peer, Refused(table or self.sheet.table, reason))

    def _send_seated(self, message: LobbyMessage) -> None:
        for person in self.sheet.seated:
            if person.peer != self.sheet.opener:
                self._send(person.peer, message)

    def _send(self, peer: PeerId, message: LobbyMessage) -> None:
        self._out(Send(peer, encode_lobby(message)))

    def _names(self, peers: Sequence[PeerId]) -> Argument:
        return listed([self.sheet.label(peer) for peer in peers])
