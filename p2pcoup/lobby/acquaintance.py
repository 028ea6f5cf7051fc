"""Who was ever seen at a table: people who are off the sheet for a while are no strangers."""

from p2pcoup.lobby.limits import MAX_KNOWN
from p2pcoup.lobby.sheet import Sheet
from p2pcoup.wire import PeerId


class Acquaintances:
    """Everybody on any sheet of one table, the latest MAX_KNOWN."""

    def __init__(self) -> None:
        self._sat: dict[PeerId, bool] = {}

    def note(self, sheet: Sheet) -> None:
        """Remember all people of a sheet."""
        for person in sheet.people:
            sat = self._sat.pop(person.peer, False) or not person.watching
            self._sat[person.peer] = sat
        for peer in list(self._sat)[:-MAX_KNOWN]:
            del self._sat[peer]

    def forget(self, peer: PeerId) -> None:
        """This one was sent away."""
        self._sat.pop(peer, None)

    def __contains__(self, peer: PeerId) -> bool:
        """Whether that peer was ever on a sheet."""
        return peer in self._sat

    def has_sat(self, peer: PeerId) -> bool:
        """Whether that peer ever sat there, and so may open the table again."""
        return self._sat.get(peer, False)
