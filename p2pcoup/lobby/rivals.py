"""Two openers of one table: which of them counts (Algorithm 12.6c)."""

from collections.abc import Collection
from dataclasses import dataclass, field

from p2pcoup.lobby.acquaintance import Acquaintances
from p2pcoup.lobby.messages import Follows
from p2pcoup.lobby.sheet import Sheet
from p2pcoup.wire import PeerId


@dataclass(slots=True)
class Rivals:
    """What others say about who the opener is.

    Attributes:
        claims: the latest sheet of each peer that says it is the opener of our table.
        follows: whom each peer takes for the opener, if it is here for that peer.
    """

    claims: dict[PeerId, Sheet] = field(default_factory=dict)
    follows: dict[PeerId, PeerId | None] = field(default_factory=dict)

    def heard_follows(self, peer: PeerId, message: Follows) -> None:
        """A peer says whom it follows; it is no opener itself then."""
        self.claims.pop(peer, None)
        self.follows[peer] = message.opener if message.here else None

    def forget(self, peer: PeerId) -> None:
        """What that peer said before counts no more."""
        self.claims.pop(peer, None)
        self.follows.pop(peer, None)

    def counting_more(
        self, mine: Sheet, me: PeerId, links: Collection[PeerId], known: Acquaintances
    ) -> Sheet | None:
        """The sheet of another opener that counts more than mine; None if there is none."""
        claims = self.claims.items()
        return next(
            (
                claim
                for peer, claim in claims
                if peer in links
                and known.has_sat(peer)
                and self._counts_more(claim, mine, me, links, known)
            ),
            None,
        )

    def other_table(
        self, peer: PeerId, me: PeerId, links: Collection[PeerId], known: Acquaintances
    ) -> Sheet | None:
        """The sheet of that other opener, if others are there with it."""
        claim = self.claims.get(peer)
        if claim is None or peer not in links or not known.has_sat(peer):
            return None
        return claim if _has_company(claim, me) else None

    def _counts_more(
        self, claim: Sheet, mine: Sheet, me: PeerId, links: Collection[PeerId], known: Acquaintances
    ) -> bool:
        them = claim.opener
        better = claim.is_better_than(mine)
        if claim.reign == mine.reign:
            return better
        others = [peer for peer in links if peer in known and peer not in (me, them)]
        if others:
            return all(self.follows.get(peer) == them for peer in others)
        # Nobody else is here: whoever has company counts more, else the better one.
        return better or _has_company(claim, me)


def _has_company(claim: Sheet, me: PeerId) -> bool:
    """Whether somebody else but me is at that table."""
    return any(person.here and person.peer not in (me, claim.opener) for person in claim.people)
