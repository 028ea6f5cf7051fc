"""Who has opened a guest's table again, and whom of them the guest follows (Algorithm 12.6b)."""

from collections.abc import Collection

from p2pcoup.lobby.limits import MAX_REIGNS_MISSED
from p2pcoup.lobby.sheet import Sheet
from p2pcoup.wire import PeerId


class Claims:
    """The sheets of others that say they are the opener, one of each, while there is a link."""

    def __init__(self, me: PeerId) -> None:
        self._me = me
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

    def best(
        self, mine: Sheet, links: Collection[PeerId], *, opener_here: bool, opener_linked: bool
    ) -> Sheet | None:
        """The sheet to follow rather than mine, if there is reason to.

        While the opener is here nobody else is followed, except that of two who opened the table
        again at once the one with the lower peer id counts, for everybody. An opener whose link has
        only just broken still counts as here, unless it has named an heir itself.
        """
        best: Sheet | None = None
        for peer, sheet in self._sheets.items():
            better = best is None or sheet.is_better_than(best)
            if not better or peer not in links:
                continue
            if self._is_heir(sheet, opener_linked) or _may_follow(mine, opener_here, sheet):
                best = sheet
        return best

    def _is_heir(self, claim: Sheet, opener_linked: bool) -> bool:
        named = claim.opener == self._heir and not opener_linked
        return named and claim.person(self._me) is not None


def _may_follow(mine: Sheet, opener_here: bool, claim: Sheet) -> bool:
    # Who was sent away, or has left, is on no sheet any more and opens nothing.
    sits = claim.opener in (person.peer for person in mine.seated)
    if not (sits and claim.is_better_than(mine)):
        return False
    near = claim.reign <= mine.reign + MAX_REIGNS_MISSED
    return near and (not opener_here or claim.reign == mine.reign > 0)
