"""How long the open round may still take, by this machine's own clock (SPEC 8.13).

A round has its time by the terms, whoever of several has answered already. Our own player's
question ends with it. A little later the user is told whom the game waits for. When it is over and
nobody has spoken for the grace time, the seats nothing is heard of may be stated to be gone: so one
that is just back has time to speak.
"""

import math

from p2pcoup.table import Table

NETWORK_SECONDS = 2.0  # what others decide at the very end of their time is still on its way


class Window:
    """The times of the open round, in seconds of the caller's clock; infinite when none runs."""

    def __init__(self) -> None:
        self._round: int | None = None
        self._sitting_down = False
        self._silence_told = False
        self.ends_at = math.inf
        self.tell_at = math.inf
        self.grace_ends_at = math.inf

    def look(self, table: Table, now: float) -> None:
        """Begin anew if another round is open than before."""
        open_round = None if table.outcome is not None else table.round
        if open_round == self._round:
            return
        self._round = open_round
        # To a first game people come when they like; to the next one they come from the last.
        self._sitting_down = open_round == 0 and table.terms.sequel is None
        self._silence_told = False
        self.ends_at = math.inf if open_round is None else now + table.deadline
        self.tell_at = self.ends_at + NETWORK_SECONDS
        self.grace_ends_at = self.ends_at + table.terms.times.grace

    def heard(self, now: float, grace: int) -> None:
        """Somebody has spoken in the open round."""
        if self._round is not None:
            self.grace_ends_at = max(self.grace_ends_at, now + grace)

    def remaining_ms(self, now: float) -> int | None:
        """What is left of the round's time; nobody is hurried before all have sat down."""
        if self._round is None or self._round == 0:
            return None
        return max(0, round((self.ends_at - now) * 1000))

    def has_ended(self, now: float) -> bool:
        """Whether the time for an answer is over."""
        return now >= self.ends_at

    def must_tell(self, now: float) -> bool:
        """Whether to say, once, whom the game waits for."""
        if now < self.tell_at:
            return False
        self.tell_at = math.inf
        return True

    def grace_has_ended(self, now: float, grace: int) -> bool:
        """Whether to state who is gone: at the end of the grace time, then after each one more."""
        if now < self.grace_ends_at:
            return False
        self.grace_ends_at = now + max(grace, 1)
        return not self._sitting_down

    def is_news_of_silence(self) -> bool:
        """Whether to say that nobody can go on: once a round."""
        told, self._silence_told = self._silence_told, True
        return not told
