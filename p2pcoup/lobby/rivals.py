"""Two openers of one table: which of them counts (Algorithm 12.6c)."""

from collections.abc import Collection
from dataclasses import dataclass, field

from p2pcoup.lobby.guest import may_open
from p2pcoup.lobby.sheet import Sheet
from p2pcoup.wire import PeerId


@dataclass(slots=True)
class Rivals:
    """What others say about who the opener is.

    Attributes:
        claims: the latest sheet of each peer that says it is the opener of our table.
        follows: whom each peer takes for the opener.
    """

    claims: dict[PeerId, Sheet] = field(default_factory=dict)
    follows: dict[PeerId, PeerId] = field(default_factory=dict)

    def unlinked(self, peer: PeerId) -> None:
        """What that peer said counts no more."""
        self.claims.pop(peer, None)
        self.follows.pop(peer, None)

    def counting_more(self, mine: Sheet, me: PeerId, links: Collection[PeerId]) -> Sheet | None:
        """The sheet of another opener that counts more than mine; None if there is none."""
        claims = self.claims.items()
        return next(
            (
                claim
                for peer, claim in claims
                if peer in links and self._counts_more(claim, mine, me, links)
            ),
            None,
        )

    def _counts_more(
        self, claim: Sheet, mine: Sheet, me: PeerId, links: Collection[PeerId]
    ) -> bool:
        them = claim.opener
        others = [
            person.peer for person in mine.people if person.peer in links and person.peer != them
        ]
        all_follow = all(self.follows.get(peer) == them for peer in others)
        if claim.reign < mine.reign:  # we opened the table again, but nobody else saw reason to
            return all_follow and bool(others) and claim.person(me) is not None
        if not may_open(mine, them):
            return False
        return claim.is_better_than(mine) and (all_follow or claim.reign == mine.reign)
