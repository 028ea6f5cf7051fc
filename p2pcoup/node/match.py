"""The games of a match on this machine, one after the other (R7).

A match is several games at one table. The order stays, the winner starts the next game, who was
lost in a game has no seat in the next, and each game has keys, files and a transcript of its own.
Its terms follow from the end of the game before (SPEC 8.1), so nothing has to be remembered between
two games: the match is read from the files of its games. After the last one those who are still
there may want another (SPEC 3.7).
"""

from collections import Counter
from collections.abc import Callable, Collection
from contextlib import suppress

from p2pcoup.node.limits import MAX_GAMES
from p2pcoup.node.seat import SeatedGame, Step
from p2pcoup.node.tablefile import TableFile, later_text
from p2pcoup.rules import Seat
from p2pcoup.table import Table, Terms, TermsError
from p2pcoup.table.sequel import following_terms
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
        self._next: tuple[tuple[Table, bytes, Collection[Seat]], Terms | None] | None = None
        self._gone_on = False
        self.away: frozenset[Seat] = frozenset()
        """Seats of the last game that are not waited for with another one. Whoever has the links
        says which; whoever wants to play after all may still do so."""
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
        """How many games there are, as far as it is agreed and there is somebody to play them."""
        ended_early = self.current.outcome is not None and not self.may_go_on
        return self.number if ended_early else max(self._agreed, self.number)

    @property
    def agreed(self) -> int:
        """How many games were agreed on at the start."""
        return self._agreed

    @property
    def in_last_game(self) -> bool:
        """Whether no game follows the current one, as far as can be known."""
        if self.current.outcome is not None and not self.may_go_on:
            return True
        return self.number >= self._agreed and not self._another_is_wanted

    @property
    def may_go_on(self) -> bool:
        """Whether the game that is over can be followed by another one."""
        return self.next_terms is not None

    @property
    def _another_is_wanted(self) -> bool:
        """Whether those who are here want a game after the last one, or others play it already."""
        game = self.current
        if not self.may_go_on:
            return False
        wanted = game.asides.want_again
        if self._gone_on and (game.seat is None or game.seat in wanted):
            return True
        left = set(game.table.game.present)
        here = left - self.away - game.asides.want_no_more
        return here <= wanted and len(wanted & left) > 1 and game.seat in {None, *wanted}

    @property
    def over(self) -> bool:
        """Whether every game is played."""
        return self.in_last_game and self.current.outcome is not None

    @property
    def score(self) -> dict[str, int]:
        """How many games each player has won, by name in order of the seats."""
        won = Counter(
            game.terms.names[game.outcome.winner]
            for game in self._games
            if game.outcome is not None
        )
        return {name: won[name] for name in self._first.names}

    def game(self, game_id: bytes) -> SeatedGame | None:
        """The game with that id, if it is the current one or one before it."""
        return next((game for game in self._games if game.terms.game_id == game_id), None)

    def may_hold(self, game_id: bytes) -> bool:
        """Whether a game of that id may be of this match: one played, the next one, or one of which
        nobody can know yet.
        """
        if self.game(game_id) is not None or not self.in_last_game:
            return True
        return self._is_next(game_id)

    def heard_of(self, game_id: bytes) -> None:
        """A seat plays that game: if it is the next one, the others have begun it."""
        self._gone_on |= self._is_next(game_id)

    def open_next(self) -> SeatedGame:
        """Sit down to the game after the current one, which must be over."""
        if self.in_last_game or (terms := self.next_terms) is None:
            raise RuntimeError("the game is not over, or no game follows it")
        self._games.append(self._open_game(terms))
        self._games[-2].close()  # it can still be shown to others, but nothing comes to it any more
        self._gone_on, self.away = False, frozenset()
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

    @property
    def next_terms(self) -> Terms | None:
        """The terms of the game after the current one; None before that is over, and when too few
        are left or no name is for it.
        """
        table = self.current.table
        end = table, table.final_digest, table.game.present
        if self._next is None or self._next[0] != end:
            self._next = end, self._make_next_terms(table)
        return self._next[1]

    def _make_next_terms(self, table: Table) -> Terms | None:
        text = later_text(self._first.game, self.number + 1)
        if table.outcome is None or self.number >= MAX_GAMES or len(text) > MAX_GAME_TEXT:
            return None
        with suppress(TermsError):  # so few cannot play it
            return following_terms(table, text)
        return None

    def _is_next(self, game_id: bytes) -> bool:
        return self.next_terms is not None and self.next_terms.game_id == game_id

    def _of_another_game(self, raw: bytes) -> bool:
        try:
            game_id = parse(raw).message.game
        except WireError:
            return False  # the table says what is wrong with it
        return game_id != self.current.terms.game_id and self.may_hold(game_id)
