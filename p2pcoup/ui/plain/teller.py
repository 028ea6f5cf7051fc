"""Line mode: complete sentences, numbered choices, nothing that moves a cursor.

For screen readers, pipes, and terminals without a full screen. What has happened is printed as it
happens; a question is printed with its choices, and a number answers it. Other lines are commands.
"""

from dataclasses import dataclass, field
from typing import Final

from p2pcoup.ui import telling
from p2pcoup.ui.choices import flat, menu
from p2pcoup.ui.model import Link, Model
from p2pcoup.ui.pictures import Game, Lobby
from p2pcoup.ui.plain.sentences import (
    choice_words,
    event_line,
    lobby_lines,
    refused_words,
    start_lines,
    stop,
    table_lines,
)
from p2pcoup.ui.words import _, fill

UNTOLD: Final = frozenset({"act", "cards"})
"""Stages that are not told: whose turn it is has been told as an event, and cards are moved so
often and so quickly that it would only be in the way.
"""
WARN_SECONDS: Final = 10
"""So many seconds before the end of a question's time it is said once."""


@dataclass(slots=True)
class Teller:
    """What is printed when, and what the numbers stand for that were printed."""

    model: Model
    _told: int = 0
    """How many events were printed."""
    _link: Link = Link.CONNECTING
    _stage: object = None
    asked: str = ""
    """The id of the question that was printed last: a number answers this one and no other."""
    answers: tuple[str, ...] = ()
    """What its numbers stand for, from 1 on."""
    _warned: str = ""
    _lobby: list[str] | None = None
    """What was told last of whether the game can start."""
    _over: object = None
    notice_told: str = ""
    _out: list[str] = field(default_factory=list)

    # --- what is printed --------------------------------------------------------------------------

    def heard(self) -> list[str]:
        """The lines that say what is new in the model."""
        self._out = []
        model = self.model
        self._tell_link()
        self._out += [event_line(event) for event in self.model.events_since(self._told)]
        self._told = self.model.told
        if model.notice and model.notice != self.notice_told:
            self._out.append(model.notice)
        self.notice_told = model.notice
        match model.state.phase:
            case "lobby" if model.lobby is not None:
                self._tell_lobby(model.lobby)
            case "game" if model.game is not None:
                self._tell_game(model.game)
            case "over" if model.game is not None:
                self._tell_over(model.game)
            case "ended" if self._over != "ended":
                self._over = "ended"
                self._out.append(model.state.reason or _("The node has ended."))
            case _:
                pass
        return self._out

    def _tell_link(self) -> None:
        model = self.model
        if model.link is not self._link:
            if model.link in (Link.LOST, Link.GONE):
                self._out.append(model.link_told)
            elif self._link is Link.LOST:
                self._out.append(_("The connection to the node is there again."))
            self._link = model.link

    def _tell_lobby(self, lobby: Lobby) -> None:
        """All of it once; afterwards the events tell who comes and goes, and only whether the game
        can start is told again.
        """
        start = start_lines(lobby)
        if self._lobby is None:
            hint = _("Type help for what you can do.")
            self._out += [*lobby_lines(lobby), hint]
        elif start != self._lobby:
            self._out += start
        self._lobby = start

    def _tell_game(self, game: Game) -> None:
        self._lobby = None
        now = (game.stage.kind, game.stage.act, game.stage.block, game.turn)
        question = self.model.question
        if question is not None:
            self._stage = now
            if question.id != self.asked:
                self._out += self.question(game, again=False)
        elif now != self._stage:
            self._stage = now
            if game.stage.kind not in UNTOLD:
                self._out.append(self._awaited(game))

    def _awaited(self, game: Game) -> str:
        """What the others do now; what led here has been told as an event."""
        told = telling.awaited(game)
        if game.stage.kind in telling.CHOOSING:
            return told  # it names who
        return f"{told} {stop(telling.waiting(game))}".strip()

    def _tell_over(self, game: Game) -> None:
        outcome = game.outcome
        if outcome is None or (game.id, outcome.audit) == self._over:
            return
        first = self._over is None or not isinstance(self._over, tuple) or self._over[0] != game.id
        self._over = (game.id, outcome.audit)
        if first:
            self._out += [
                fill(
                    _("The game is over. {who} wins the game."), {"who": game.name(outcome.winner)}
                ),
                *table_lines(game),
                fill(_("Transcript: {file}"), {"file": outcome.transcript}),
            ]
        self._out.append(telling.audit(outcome.audit))
        if outcome.flaw and outcome.audit == "invalid":
            self._out.append(stop(outcome.flaw))
        if first and self.model.state.again is not None:
            self._out.append(_("Type again for another game, or quit."))

    def question(self, game: Game, *, again: bool = True) -> list[str]:
        """The question with its choices; from now on numbers answer it. `again`: with what led
        here, which otherwise has just been told.
        """
        question = self.model.question
        if question is None:
            return [_("Nothing is asked of you at the moment.")]
        choices = flat(menu(question, game))
        possible = [(group, choice) for group, choice in choices if choice.possible]
        self.asked = question.id
        self.answers = tuple(choice.move for _group, choice in possible)
        told = table_lines(game) if question.kind == "act" else []
        led = telling.stage(game) if again else telling.afterwards(game)
        if led and question.kind != "act":
            told.append(led)
        told.append(telling.prompt(question, game))
        for number, (group, choice) in enumerate(possible, 1):
            told.append(f"{number}: {choice_words(group, choice)}.")
        if refused := refused_words(choices):
            told.append(fill(_("Not possible now: {what}."), {"what": ", ".join(refused)}))
        told.append(_("Type a number and press Enter."))
        default = telling.default_of(question, game)
        if question.remaining_ms is not None and default:
            seconds = str(question.remaining_ms // 1000)
            fields = {"n": seconds, "answer": default}
            told.append(fill(_("After {n} seconds without an answer: {answer}."), fields))
        return told

    def warn(self, now: float) -> list[str]:
        """A line when the time of the question is nearly over, once for each question."""
        question, left = self.model.question, self.model.remaining(now)
        if question is None or left is None or not 0 < left <= WARN_SECONDS:
            return []
        if self._warned == question.id:
            return []
        self._warned = question.id
        return [fill(_("{n} seconds left."), {"n": str(left)})]
