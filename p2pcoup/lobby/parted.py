"""Two tables out of one: the user is told, since nobody but people can choose (SPEC 12.6).

Those who were torn apart and opened the table again on both sides may stay apart when the links are
back, as no opener is followed whom others do not follow. Then each is told once of the other table,
when it has stood for a while, with the invite to it.
"""

import re
from collections.abc import Callable
from typing import Final

from p2pcoup.lobby import said
from p2pcoup.lobby.effects import Effect, Told
from p2pcoup.lobby.limits import PARTED_SECONDS
from p2pcoup.lobby.sheet import Sheet
from p2pcoup.wire import PeerId

# The text comes from another peer, and goes to a screen as something to be typed.
_ADDRESS: Final = re.compile(r"[A-Za-z0-9._-]{1,60}:[0-9]{1,5}|\[[0-9A-Fa-f:.]{2,45}\]:[0-9]{1,5}")


class Parted:
    """Tells of each other opener once. Effects go to `out`.

    Args:
        standing: the sheet of that other opener of our table, if there is a link with it, somebody
            else is there, and we do not follow it.
    """

    def __init__(
        self, standing: Callable[[PeerId], Sheet | None], out: Callable[[Effect], None]
    ) -> None:
        self._standing = standing
        self._out = out
        self._at: dict[PeerId, float] = {}
        self._told: set[PeerId] = set()

    def heard(self, opener: PeerId, now: float) -> None:
        """That one says it is an opener of our table; it may not last."""
        if opener not in self._told and self._standing(opener) is not None:
            self._at.setdefault(opener, now + PARTED_SECONDS)

    def due_at(self) -> float:
        """When `tick` has something to do; infinite if never."""
        return min(self._at.values(), default=float("inf"))

    def tick(self, now: float) -> None:
        """Tell of those who have stood for so long."""
        for opener in [peer for peer, at in self._at.items() if now >= at]:
            del self._at[opener]
            sheet = self._standing(opener)
            if sheet is not None:
                self._told.add(opener)
                told = said.TWO_TABLES(who=sheet.label(opener), invite=_invite(sheet))
                self._out(Told("two-tables", told, warning=True, fields={"peer": opener}))


def _invite(sheet: Sheet) -> str:
    """The invite to a table (9.8), with those of its opener's addresses that look like some."""
    person = sheet.person(sheet.opener)
    addresses = () if person is None else person.addresses
    places = [each for each in addresses if _ADDRESS.fullmatch(each)]
    return f"coup://{','.join(places)}#{sheet.opener}" if places else sheet.opener
