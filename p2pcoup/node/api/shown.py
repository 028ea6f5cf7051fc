"""The picture of a node's game as its clients last saw it change.

A game may only be read while its node lets one (`Desk.changed`). So the picture is made then, and
kept; what goes on by itself, the time, is put in when it is sent.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from p2pcoup.lobby.naming import may_be
from p2pcoup.node.api.audits import Found
from p2pcoup.node.api.chronicle import Chronicle
from p2pcoup.node.api.picture import (
    Picture,
    Sight,
    game_picture,
    outcome_picture,
    stage_picture,
)
from p2pcoup.node.api.question import question_picture
from p2pcoup.node.match import Match
from p2pcoup.node.seat import SeatedGame
from p2pcoup.rules import Seat, View
from p2pcoup.table import AnswerError, Terms
from p2pcoup.wire import PeerId

SAME_SECONDS: Final = 0.1  # a smaller change of the time is one of rounding


@dataclass(frozen=True, slots=True)
class Shown:
    """A game as it was at its last change.

    Attributes:
        ends_at: when the open round's time ends, in seconds of the clock; None: no time runs.
        transcript: the file of the finished game.
        over: whether this was the last game.
        again: after the last game, who wants another one.
    """

    sight: Sight
    game: Picture
    stage: Picture
    question: Picture | None
    ends_at: float | None
    transcript: str | None
    over: bool
    again: Picture | None

    def shows_the_same(self, other: "Shown") -> bool:
        """Whether a client would see no difference."""
        mine, theirs = self.ends_at, other.ends_at
        if mine is None or theirs is None:
            same_time = mine is theirs
        else:
            same_time = abs(mine - theirs) < SAME_SECONDS
        same_game = (self.game, self.stage, self.question) == (
            other.game,
            other.stage,
            other.question,
        )
        same_end = (self.transcript, self.again) == (other.transcript, other.again)
        return same_time and same_game and same_end

    def pictures(self, now: float, audit: Found, table: str = "") -> tuple[Picture, Picture | None]:
        """``game`` and ``question`` of a state message at that time. ``table`` is what it was
        called in its lobby.
        """
        left = None if self.ends_at is None else max(0, round((self.ends_at - now) * 1000))
        game = {
            **self.game,
            "table": self._table(table),
            "stage": {**self.stage, "remaining_ms": left},
            "outcome": outcome_picture(self.sight, self.transcript, audit.verdict, audit.flaw),
        }
        question = None if self.question is None else {**self.question, "remaining_ms": left}
        return game, question

    def _table(self, lobby: str) -> object:
        """The name of the table: the whole of it, where the lobby is known that it comes from."""
        known = bool(lobby) and may_be(lobby, self.sight.terms.game)
        return lobby if known else self.game["table"]


@dataclass(slots=True)
class Known:
    """What is remembered of one game from one look to the next.

    Attributes:
        round: which was open at the last look.
        heard: for each seat the last round that we have a message of it for.
        linked: for each seat the round that was open when there last was a link to it, or when it
            was last missed.
    """

    chronicle: Chronicle = field(default_factory=Chronicle)
    round: int = 0
    heard: dict[Seat, int] = field(default_factory=dict)
    linked: dict[Seat, int] = field(default_factory=dict)

    def note(self, game: SeatedGame, links: frozenset[PeerId]) -> None:
        """Read what is new."""
        table = game.table
        if not self.chronicle.fits(table.game.happened):
            self.chronicle = Chronicle()
        for step in table.game.happened[self.chronicle.steps :]:
            self.chronicle.take(step)
        for signed in table.messages(min(self.round, table.round)):
            self.heard[Seat(signed.message.seat)] = signed.message.round
        self.round = table.round
        for seat in game.terms.seats:
            if game.terms.roster[seat].peer in links or seat not in self.linked:
                self.linked[seat] = table.round

    def miss(self, terms: Terms, peer: object) -> None:
        """The game waits for that peer in vain: what came of it before counts no more."""
        for seat in terms.seats:
            if terms.roster[seat].peer == peer:
                self.linked[seat] = max(self.linked.get(seat, -1), self.heard.get(seat, -1))

    def is_relayed(self, seat: Seat) -> bool:
        """Whether something has come of the seat since the link to it went down."""
        return self.heard.get(seat, -1) > self.linked[seat]


def look(
    game: SeatedGame,
    match: Match,
    links: frozenset[PeerId],
    ends_at: float | None,
    known: Known,
) -> Shown:
    """The game as it is now."""
    known.note(game, links)
    chronicle = known.chronicle
    sight = _sight(game, match, links, known)
    prompt = None if game.pace else game.question  # its bot is thinking
    finished = game.outcome is not None
    return Shown(
        sight,
        game_picture(sight, chronicle),
        stage_picture(sight, chronicle),
        None if prompt is None else question_picture(game.terms.game_id, prompt),
        ends_at,
        str(game.transcript_file) if finished else None,
        match.over,
        _again(game) if match.over and game.seat is not None else None,
    )


def _again(game: SeatedGame) -> Picture:
    wanted, unwanted = game.asides.want_again, game.asides.want_no_more
    return {"asked": sorted(wanted), "asking": game.seat in wanted, "not": sorted(unwanted)}


def _sight(game: SeatedGame, match: Match, links: frozenset[PeerId], known: Known) -> Sight:
    table = game.table
    public = table.game
    lost = frozenset(public.lost)
    return Sight(
        terms=game.terms,
        seat=game.seat,
        state=public.state,
        view=_view(game),
        history=public.history,
        waiting_for=table.waiting_for,
        lost=lost,
        caught=lost & game.caught,
        holders=frozenset(() if public.deck is None else public.holders),
        links=_links(game, links, known),
        number=match.number,
        games=match.length,
        score=match.score,
    )


def _view(game: SeatedGame) -> View | None:
    """What our seat may know; None before the deal, and when there is nothing secret any more."""
    public = game.table.game
    if public.state is None or game.seat not in set(public.holders) - public.lost:
        return None  # a seat that is out has left the deck
    try:
        return game.table.view()
    except AnswerError:  # the game was over when this program was started
        return None


def _links(game: SeatedGame, links: frozenset[PeerId], known: Known) -> Mapping[Seat, str]:
    """Whether there is a link; of who need not be here any more that is no matter."""
    state = game.table.game.state
    found: dict[Seat, str] = {}
    for seat, member in zip(game.terms.seats, game.terms.roster, strict=True):
        if seat == game.seat:
            found[seat] = "you"
        elif member.peer in links:
            found[seat] = "linked"
        elif state is not None and (seat not in state.living or state.outcome is not None):
            found[seat] = "gone"
        elif known.is_relayed(seat):
            found[seat] = "relayed"
        else:
            found[seat] = "reconnecting"
    return found
