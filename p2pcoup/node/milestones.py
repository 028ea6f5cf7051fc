"""What a game has come to: all have sat down, the cards are dealt, the Court is made anew, a
restarted node has caught up. Each is told once, when it is so."""

from p2pcoup.node.report import Report
from p2pcoup.node.seat import SeatedGame


class Milestones:
    """Looks at a game after each step. Times are seconds of the caller's clock."""

    def __init__(self, game: SeatedGame, report: Report, all_here_at: float | None) -> None:
        """``all_here_at``: since when there have been links with everybody, if there are."""
        self._game = game
        self._report = report
        self.all_here_at = all_here_at
        self._seated = False
        self._dealt = game.table.game.state is not None
        self._recovering_since: float | None = None
        self._behind = game.restored > 0 and game.outcome is None
        self._others_at: int | None = None

    def others_are_at(self, closed: int) -> None:
        """A peer has closed so many rounds."""
        self._others_at = max(closed, self._others_at or 0)

    def look(self, now: float) -> None:
        """Tell what is new."""
        table = self._game.table
        if not self._seated and table.round > 0:
            self._seated = True
            self._report.seated()
        if not self._dealt and table.game.state is not None:
            self._dealt = True
            self._report.dealt(now - (now if self.all_here_at is None else self.all_here_at))
        self._look_at_court(now)
        reached = self._others_at is not None and table.round >= self._others_at
        if self._behind and (reached or table.outcome is not None):
            self._behind = False
            self._report.caught_up()

    def _look_at_court(self, now: float) -> None:
        """Whether the keys of lost seats are on the Court, or no more."""
        game = self._game.table.game
        locked = game.deck is not None and not game.lost.isdisjoint(game.deck.keys)
        if locked and self._recovering_since is None:
            self._recovering_since = now
        elif not locked and self._recovering_since is not None:
            if self._game.outcome is None:
                self._report.recovered(now - self._recovering_since)
            self._recovering_since = None
