"""All that a node remembers of a single game of its match, beside the game itself."""

from p2pcoup.node.milestones import Milestones
from p2pcoup.node.missing import Missing
from p2pcoup.node.report import Report
from p2pcoup.node.seat import SeatedGame
from p2pcoup.node.telling import Telling
from p2pcoup.node.thinking import Thinking
from p2pcoup.node.window import Window
from p2pcoup.wire import PeerId


class Sitting:
    """One game as a node plays it.

    Attributes:
        peers: those who have the other seats.
        unfinished: those of them that may lack the end of the game.
        known: messages that need not be taken again, as they came before.
    """

    def __init__(
        self,
        game: SeatedGame,
        me: PeerId,
        telling: Telling,
        all_here_at: float | None,
    ) -> None:
        """``all_here_at``: since when there have been links with everybody, if there are."""
        self.game = game
        self.peers = frozenset(member.peer for member in game.terms.roster) - {me}
        self.unfinished = set(self.peers)
        self.known: set[bytes] = set()
        self.report = Report(telling, game)
        self.window = Window()
        self.thinking = Thinking()
        self.missing = Missing(game, self.report)
        self.milestones = Milestones(game, self.report, all_here_at)

    def is_needed_by(self, linked: frozenset[PeerId]) -> bool:
        """Whether a seat may lack the end of the game. Those that the others have gone on without
        were waited for long enough; one that was eliminated may have left, or be on its way back.
        """
        game = self.game
        lost = {game.terms.roster[seat].peer for seat in game.table.game.lost}
        return bool(self.unfinished - (lost - linked))
