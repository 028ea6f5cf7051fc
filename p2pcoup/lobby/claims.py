"""Who has opened a guest's table again, and whom of them the guest follows (Algorithm 12.6b)."""

from collections.abc import Collection

from p2pcoup.lobby.acquaintance import Acquaintances
from p2pcoup.lobby.limits import MAX_REIGNS_MISSED
from p2pcoup.lobby.sheet import Sheet
from p2pcoup.wire import PeerId


class Claims:
    """The sheets of others that say they are the opener, one of each, while there is a link."""

    def __init__(self, me: PeerId, known: Acquaintances) -> None:
        self._me = me
        self._known = known
        self._sheets: dict[PeerId, Sheet] = {}
        self._heir: PeerId | None = None

    def take(self, sheet: Sheet) -> bool:
        """Its opener has sent this sheet; whether it is new."""
        before, self._sheets[sheet.opener] = self._sheets.get(sheet.opener), sheet
        return before != sheet

    def follows(self, heir: PeerId) -> None:
        """Our own opener follows that one."""
        self._heir = heir

    def forget(self, peer: PeerId) -> None:
        """There is no link with that peer any more: it says so again on a new one."""
        self._sheets.pop(peer, None)

    def clear(self) -> None:
        """Somebody is followed; what the others said was about the opener before."""
        self._sheets.clear()
        self._heir = None

    def best(self, mine: Sheet, opener_here: bool, links: Collection[PeerId]) -> Sheet | None:
        """The sheet to follow rather than mine, if there is reason to.

        While the opener is here nobody else is followed, except that of two who opened the table
        again at once the one with the lower peer id counts, for everybody.
        """
        best: Sheet | None = None
        for peer, sheet in self._sheets.items():
            better = best is None or sheet.is_better_than(best)
            if better and peer in links and self._may_follow(mine, opener_here, sheet):
                best = sheet
        return best

    def _may_follow(self, mine: Sheet, opener_here: bool, claim: Sheet) -> bool:
        if claim.opener == self._heir and not opener_here:
            return claim.person(self._me) is not None
        if not (self._known.has_sat(claim.opener) and claim.is_better_than(mine)):
            return False
        near = claim.reign <= mine.reign + MAX_REIGNS_MISSED
        return near and (not opener_here or claim.reign == mine.reign > 0)
