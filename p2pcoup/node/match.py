"""The games of a match on this machine, one after the other (R7).

A match is several games at one table. Seats stay, the winner starts the next game, and each game
has keys, files and a transcript of its own. Its terms name the end of the game before (SPEC 8.1),
so nothing has to be remembered between two games: the match is read from the files of its games.
After the last one all seats together may want another (SPEC 3.7).
"""

from collections.abc import Callable
from dataclasses import replace

from p2pcoup.node.seat import SeatedGame, Step
from p2pcoup.node.tablefile import MAX_GAMES, TableFile, later_text
from p2pcoup.rules import Seat
from p2pcoup.table import Sequel, Terms
from p2pcoup.table.terms import MAX_GAME_TEXT
from p2pcoup.wire import WireError, parse

OpenGame = Callable[[Terms], SeatedGame]


class Match:
    """The match of one seat, as far as it has come. A single game is a match of one."""

    def __init__(self, table: TableFile, open_game: OpenGame) -> None:
        """Open the game that is to be played, and those before it.

        Raises what ``open_game`` does; nothing is open then.
        """
        self._first = table.terms
        self._open_game = open_game
        self._games: list[SeatedGame] = []
        self._agreed = table.games
        try:
            self._games.append(open_game(table.terms))
            while self.current.outcome is not None and not self.over:
                self.open_next()
        except BaseException:
            self.close()
            raise

    @property
    def current(self) -> SeatedGame:
        """The game that is played, or the last one when all are over."""
        return self._games[-1]

    @property
    def number(self) -> int:
        """Which game of the match the current one is; counts from 1."""
        return len(self._games)

    @property
    def length(self) -> int:
        """How many games there are, as far as it is agreed."""
        return max(self._agreed, self.number)

    @property
    def in_last_game(self) -> bool:
        """Whether no game follows the current one."""
        return self.number >= self._agreed and not self._another_is_wanted

    @property
    def may_go_on(self) -> bool:
        """Whether there can be a game after the last one, if all want it."""
        following = later_text(self._first.game, self.number + 1)
        return self.number < MAX_GAMES and len(following) <= MAX_GAME_TEXT

    @property
    def _another_is_wanted(self) -> bool:
        over = self.current.outcome is not None
        return over and self.may_go_on and self.current.asides.all_want_again

    @property
    def over(self) -> bool:
        """Whether every game is played."""
        return self.in_last_game and self.current.outcome is not None

    @property
    def score(self) -> dict[str, int]:
        """How many games each player has won, by name in order of the seats."""
        won = [game.outcome.winner for game in self._games if game.outcome is not None]
        return {name: won.count(Seat(seat)) for seat, name in enumerate(self._first.names)}

    def game(self, game_id: bytes) -> SeatedGame | None:
        """The game with that id, if it is the current one or one before it."""
        return next((game for game in self._games if game.terms.game_id == game_id), None)

    def open_next(self) -> SeatedGame:
        """Sit down to the game after the current one, which must be over."""
        self._games.append(self._open_game(self._next_terms()))
        return self.current

    def receive(self, raw: bytes) -> Step:
        """Take a signed message from a link. What belongs to another game of the match is passed
        over: one before is over, and of one to come everything is asked for once it starts.
        """
        if self._of_another_game(raw):
            return Step()
        return self.current.receive(raw)

    def close(self) -> None:
        """Close the files of all games."""
        for game in self._games:
            game.close()

    def _next_terms(self) -> Terms:
        table = self.current.table
        if table.outcome is None or self.in_last_game:
            raise RuntimeError("the game is not over, or no game follows it")
        sequel = Sequel(table.final_digest, table.game.playing.order, table.outcome.winner)
        return replace(
            self._first, game=later_text(self._first.game, self.number + 1), sequel=sequel
        )

    def _of_another_game(self, raw: bytes) -> bool:
        try:
            of = self.game(parse(raw).message.game)
        except WireError:
            return False  # the table says what is wrong with it
        return not self.in_last_game if of is None else of is not self.current
