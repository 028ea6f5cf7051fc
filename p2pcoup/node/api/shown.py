"""The picture of a node's game as its clients last saw it change.

A game may only be read while its node lets one (`Desk.changed`). So the picture is made then, and
kept; what goes on by itself, the time, is put in when it is sent.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

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
from p2pcoup.table import AnswerError
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
    chronicle: Chronicle
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

    def pictures(self, now: float, audit: str) -> tuple[Picture, Picture | None]:
        """``game`` and ``question`` of a state message at that time."""
        left = None if self.ends_at is None else max(0, round((self.ends_at - now) * 1000))
        game = {
            **self.game,
            "stage": {**self.stage, "remaining_ms": left},
            "outcome": outcome_picture(self.sight, self.transcript, audit),
        }
        question = None if self.question is None else {**self.question, "remaining_ms": left}
        return game, question


def look(
    game: SeatedGame,
    match: Match,
    links: frozenset[PeerId],
    ends_at: float | None,
    chronicle: Chronicle,
    blamed: frozenset[Seat],
) -> Shown:
    """The game as it is now; ``chronicle`` is brought up to date or made anew."""
    happened = game.table.game.happened
    if not chronicle.fits(happened):
        chronicle = Chronicle()
    for step in happened[chronicle.steps :]:
        chronicle.take(step)
    sight = _sight(game, match, links, blamed)
    prompt = game.question
    finished = game.outcome is not None
    return Shown(
        sight,
        chronicle,
        game_picture(sight, chronicle),
        stage_picture(sight, chronicle),
        None if prompt is None else question_picture(game.terms.game_id, prompt),
        ends_at,
        str(game.transcript_file) if finished else None,
        match.over,
        _again(game) if match.over else None,
    )


def _again(game: SeatedGame) -> Picture:
    wanted = game.asides.want_again
    return {"asked": sorted(wanted), "asking": game.seat in wanted}


def _sight(
    game: SeatedGame, match: Match, links: frozenset[PeerId], blamed: frozenset[Seat]
) -> Sight:
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
        caught=lost & blamed,
        holders=frozenset(() if public.deck is None else public.holders),
        links=_links(game, links),
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


def _links(game: SeatedGame, links: frozenset[PeerId]) -> Mapping[Seat, str]:
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
        else:
            found[seat] = "reconnecting"
    return found
