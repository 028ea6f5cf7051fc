"""What a node and its peers tell each other about the games of a match (SPEC 9.6).

Peers come to the end of a game at different times: who is behind is still told the end of it by
those ahead, and who is ahead is asked for the next game by each that starts it, so nothing that
came too early is missed.
"""

from dataclasses import dataclass

import trio

from p2pcoup.net import Connected, Disconnected, Event, Mesh, Received, Refused, Unreachable
from p2pcoup.node import junk
from p2pcoup.node.desk import Beside
from p2pcoup.node.gossip import Have, Passed, Requests, decode_gossip
from p2pcoup.node.match import Match
from p2pcoup.node.post import Post
from p2pcoup.node.seat import Step
from p2pcoup.node.sitting import Sitting
from p2pcoup.node.threads import in_thread
from p2pcoup.wire import PeerId, WireError


@dataclass(frozen=True, slots=True)
class Came:
    """A message that a peer has passed on, and the step of the game that it led to."""

    step: Step
    origin: PeerId
    raw: bytes


class Exchange:
    """Hears what the links report, and answers peers that lack something.

    Attributes:
        sitting: the game that is played; whoever plays puts the next one here.
    """

    def __init__(
        self, match: Match, mesh: Mesh, post: Post, beside: Beside, sitting: Sitting
    ) -> None:
        self.sitting = sitting
        self._match = match
        self._mesh = mesh
        self._post = post
        self._beside = beside
        self._requests = Requests()
        self._here: set[PeerId] = set()
        self._complete = False
        self._compared: dict[PeerId, tuple[bytes, bytes]] = {}

    async def take(self, event: Event) -> Came | None:
        """React to what the links report; the step of the game that it leads to, if any."""
        if self._beside.heard(event):
            return None
        if isinstance(event, Received):
            return await self._received(event.peer, event.payload)
        match event:
            case Connected(peer):
                self.linked(peer)
            case Disconnected(peer, reason):
                self._here.discard(peer)
                self._requests.forget(peer)
                self.sitting.report.unlinked(peer, reason)
                self.sitting.missing.lost(peer)
            case Unreachable(peer, reason):
                self.sitting.report.unreachable(peer, reason)
            case Refused(remote, reason, unreported):
                self.sitting.report.turned_away(remote, reason, unreported)
        self.sitting.missing.look()
        return None

    @property
    def complete(self) -> bool:
        """Whether there have been links with everybody at once."""
        return self._complete

    def linked(self, peer: PeerId) -> None:
        """There is a link. One that was there at the start may be reported once more."""
        if peer in self._here:
            return
        self._here.add(peer)
        at = self.sitting
        at.report.linked(peer)
        if not self._complete and self._here >= at.peers:
            self._complete = True
            at.milestones.all_here_at = trio.current_time()
            at.report.complete()
        at.missing.heard_of(peer)
        self._compared.pop(peer, None)
        self._post.to(peer, at.game.have())
        # What is said in the open round may be news even to a peer that is ahead of us.
        for raw in at.game.messages(at.game.table.round):
            self._post.to(peer, Passed(raw))

    # --- what peers ask for -----------------------------------------------------------------------

    def due_at(self) -> float:
        """When the next peer is to be answered; infinite if none is."""
        return self._requests.due_at()

    async def answer(self, now: float) -> None:
        """Send what they lack to those whose turn it is."""
        for peer, have in self._requests.take(now):
            game = self._match.game(have.game) or self.sitting.game
            self._requests.owe(peer, await in_thread(game.messages, have.closed), now)
        for peer, raw in self._requests.pieces(now):
            self._post.to(peer, Passed(raw))

    # --- what peers say ---------------------------------------------------------------------------

    async def _received(self, peer: PeerId, payload: bytes) -> Came | None:
        try:
            gossip = decode_gossip(payload)
        except WireError as error:
            self.sitting.report.garbled(peer, str(error), trio.current_time())
            self._mesh.reproach(peer)
            return None
        if self._beside.told(peer, gossip):
            return None
        match gossip:
            # Everybody passes everything on: most of what comes is here already.
            case Passed(raw) if raw not in self.sitting.known:
                return await self._passed_on(peer, raw)
            case Have():
                self._has(peer, gossip)
        return None

    async def _passed_on(self, peer: PeerId, raw: bytes) -> Came | None:
        """Take what a peer passes on; what cannot be of use costs no turn of the game's thread."""
        if (flaw := junk.flaw(self._match, raw)) is not None:
            self.sitting.report.not_accepted(peer, flaw, trio.current_time())
            self._mesh.reproach(peer)
        if flaw is not None or not junk.is_of_now(self._match, raw):
            return None
        step = await in_thread(self._match.receive, raw)
        if junk.is_forged(self._match, raw, step):
            self._mesh.reproach(peer)
        return Came(step, peer, raw)

    def _has(self, peer: PeerId, have: Have) -> None:
        """A peer has said how far it is, in the current game or another one."""
        at, game = self.sitting, self._match.game(have.game)
        if game is at.game:
            at.milestones.others_are_at(have.closed)
            at.milestones.look(trio.current_time())
        if game is None:
            self._has_unknown(peer, have.game)
        elif not have.finished:
            self._requests.ask(peer, have)
        elif game is at.game:
            at.unfinished.discard(peer)

    def _has_unknown(self, peer: PeerId, game_id: bytes) -> None:
        """A peer is at another table or, in a match, in a game that we have not come to."""
        match, game = self._match, self.sitting.game
        plays = peer in self.sitting.peers
        if plays:
            match.heard_of(game_id)
        nothing_played, report = game.table.round == 0, self.sitting.report
        if plays and nothing_played and match.number > 1:
            report.other_course(peer, trio.current_time())
        elif not match.may_hold(game_id) or (nothing_played and match.number == 1):
            report.other_table(peer, trio.current_time())
        if match.in_last_game:
            return
        # All it had to say of this game has come by now; if that was not the end, we ask. What it
        # wants of the next game it will get: we say all of that to everybody. Once is enough, or
        # two peers that are apart for good would ask each other without end.
        compared = (game_id, game.terms.game_id)
        if self._compared.get(peer) != compared:
            self._compared[peer] = compared
            self._post.to(peer, game.have())
