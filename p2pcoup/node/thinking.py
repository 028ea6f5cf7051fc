"""When a bot answers: it thinks about each question for a moment, so that people can follow it."""

import math
import random

from p2pcoup.node.seat import SeatedGame

LEAST, MOST = 0.6, 1.4  # of a bot's pace; its answers do not come like clockwork
LATEST = 0.5  # of the time there is for an answer


class Thinking:
    """The time of the open question, in seconds of the caller's clock; infinite when there is none,
    and for a seat that no bot plays or one that decides at once.
    """

    def __init__(self) -> None:
        self._asked: int | None = None
        self.ends_at = math.inf

    def look(self, game: SeatedGame, now: float) -> None:
        """Begin anew if another question is open than before."""
        question = game.question if game.pace else None
        asked = None if question is None else question.id
        if asked == self._asked:
            return
        self._asked = asked
        if asked is None:
            self.ends_at = math.inf
        else:
            wanted = game.pace * random.uniform(LEAST, MOST)  # noqa: S311 - nobody's secret
            self.ends_at = now + min(wanted, game.table.deadline * LATEST)
