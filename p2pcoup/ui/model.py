"""What a client knows and what is to be shown: messages in, requests out, no screen and no clock.

    hello, state, event, ok, error ──> Model ──> state, events, notice, question
                                         │
    answer, pass on everything  ─────────┴─────> requests for the node

An answer belongs to the question that was on the screen when the key was pressed. Three things keep
a late key from answering another one: the answer carries the question's id, only a question that is
open can be answered, and for a moment after a question has come (`GUARD_SECONDS`) no answer is
taken, because nobody can have read it yet.
"""

import math
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final

from p2pcoup.ui.choices import WINDOWS
from p2pcoup.ui.fields import Fields
from p2pcoup.ui.pictures import Game, Lobby, Question, State
from p2pcoup.ui.reading import read_state
from p2pcoup.ui.reference import Card, read_card
from p2pcoup.ui.sentences import Event, read_event
from p2pcoup.ui.words import _

GUARD_SECONDS: Final = 0.4
"""After a question has come no key answers it for so long: it was meant for what stood there."""

MAX_EVENTS: Final = 2000
"""Events kept for the log. A long six-player game has about 600."""

Request = dict[str, object]
"""A message for the node (API 3)."""


INVITE_EVENT: Final = "invite"

NONE_YET: Final = -1
"""The number before that of the first event of a run."""

TICK_SLACK: Final = 0.01
"""Seconds after a full second, so that the other number is seen for sure."""


class Link(Enum):
    """The way to the node."""

    CONNECTING = "connecting"
    UP = "up"
    LOST = "lost"
    """It was there; it is tried again."""
    GONE = "gone"
    """The node has ended, or it is not tried any more."""


@dataclass(slots=True)
class Model:
    """Everything a client knows."""

    guard_seconds: float = GUARD_SECONDS
    state: State = field(default_factory=State)
    link: Link = Link.CONNECTING
    link_told: str = ""
    """What is wrong with the link, in a sentence."""
    events: deque[Event] = field(default_factory=lambda: deque(maxlen=MAX_EVENTS))
    told: int = 0
    """How many events have come in all."""
    notice: str = ""
    """The last thing the user should know about their own keys, until the next key."""
    passing: bool = False
    """Whether windows are passed without asking, until something else is asked."""
    answered: str = ""
    """The id of the last question that was answered."""
    card: Card = ()
    """The rules on one card."""
    changes: int = 0
    """Counts changes, so that whoever shows this knows when to draw."""
    _run: str = ""
    _last: int = NONE_YET
    """The number of the last event."""
    _resuming: int | None = None
    """The number of the request for what happened before, until it is answered."""
    _asked_at: float = 0.0
    _deadline: float | None = None
    _sent: int = 0

    # --- what is shown ----------------------------------------------------------------------------

    @property
    def game(self) -> Game | None:
        """The game that is played or was played last."""
        return self.state.game

    @property
    def lobby(self) -> Lobby | None:
        """The table that is not playing yet."""
        return self.state.lobby

    @property
    def plays(self) -> bool:
        """Whether the user has a seat that is still in the game."""
        game = self.state.game
        seat = None if game is None or game.you is None else game.seat(game.you)
        return seat is not None and seat.playing

    @property
    def question(self) -> Question | None:
        """The question that is open and not answered yet; None while there is no link."""
        question = self.state.question
        if question is None or question.id == self.answered or self.link is not Link.UP:
            return None
        return question

    @property
    def waiting_for_reply(self) -> bool:
        """Whether an answer is given that the node has not taken up yet."""
        return self.state.question is not None and self.state.question.id == self.answered

    @property
    def finished(self) -> bool:
        """Whether the last game is over and its audit is done, so nothing more will come."""
        game = self.state.game
        outcome = None if game is None else game.outcome
        audited = outcome is not None and outcome.audit in ("valid", "invalid")
        if game is not None and game.number < game.games:
            audited = False  # the next game of the match follows
        return self.state.phase == "ended" or (self.state.phase == "over" and audited)

    def events_since(self, told: int) -> list[Event]:
        """The events that have come since there were so many of them, as far as they are kept."""
        new = min(self.told - told, len(self.events))
        return list(self.events)[-new:] if new > 0 else []

    def remaining(self, now: float) -> int | None:
        """Whole seconds until the time is over, or None when there is no limit."""
        return None if self._deadline is None else max(0, math.ceil(self._deadline - now))

    def until_next_second(self, now: float) -> float | None:
        """Seconds until `remaining` is another number; None if it stays as it is."""
        if self._deadline is None or self._deadline <= now or self.link is not Link.UP:
            return None
        left = self._deadline - now
        return left - math.ceil(left) + 1 + TICK_SLACK

    @property
    def never_up(self) -> bool:
        """Whether no node has ever been heard."""
        return not self._run

    # --- messages ---------------------------------------------------------------------------------

    def receive(self, message: Mapping[str, object], now: float) -> list[Request]:
        """Take a message of the node; return what is to be sent because of it."""
        self.changes += 1
        fields = Fields(message)
        match fields.exact("type"):
            case "hello":
                return self._hello(fields)
            case "state":
                return self._state(read_state(fields), now)
            case "event":
                self._event(read_event(fields))
            case "reference":
                self.card = read_card(fields)
            case "error":
                self._error(fields)
            case "ok":
                self._resumed(fields)
            case _:
                pass  # what only a newer client knows
        return []

    def say(self, notice: str) -> None:
        """Tell the user something about the client itself."""
        self.changes += 1
        self.notice = notice

    def lost(self, told: str, *, gone: bool = False) -> None:
        """There is no link to the node any more."""
        self.changes += 1
        self.link, self.link_told = (Link.GONE if gone else Link.LOST), told

    def _hello(self, hello: Fields) -> list[Request]:
        self.link, self.link_told = Link.UP, ""
        self.answered = ""  # an answer that was on its way may be lost; it can be given again
        run = hello.exact("run")
        if run != self._run:
            self._run, self._last = run, NONE_YET
        request = self.request("resume", run=run, after=self._last)
        self._resuming = self._sent
        return [request]

    def _resumed(self, reply: Fields) -> None:
        """From here on all events come that there are, in order."""
        if reply.number("n", -1) == self._resuming:
            self._resuming = None

    def _state(self, state: State, now: float) -> list[Request]:
        old, new = self.state.question, state.question
        if state.phase == "ended" and state.game is None:
            state = replace(state, game=self.state.game)  # its result stays to be read
        self.state = state
        if new is not None and (old is None or old.id != new.id):
            self._asked_at = now
            self.notice = ""
        self._set_deadline(now)
        if new is not None and new.kind not in WINDOWS:
            self.passing = False
        return self._pass_if_wanted()

    def _set_deadline(self, now: float) -> None:
        left: int | None = None
        if self.state.question is not None:
            left = self.state.question.remaining_ms
        if left is None and self.state.game is not None:
            left = self.state.game.stage.remaining_ms
        self._deadline = None if left is None else now + left / 1000

    def _event(self, event: Event) -> None:
        if self._resuming is not None and event.number != self._last + 1:
            return  # it was on its way already; it comes again behind those before it
        if event.number > self._last:
            self._last = event.number
            if event.name == INVITE_EVENT and event.kind == "table":
                return  # the lobby shows it
            self.events.append(event)
            self.told += 1

    def _error(self, error: Fields) -> None:
        self._resumed(error)
        if error.exact("code") == "closed":
            self.notice = _("That question was closed already; your answer changed nothing.")
            return
        self.notice = _(error.text("text")) or _("The node did not take that.")
        if error.number("n", -1) == self._answer_number:
            self.answered = ""  # it was refused, so the question is open still

    # --- requests ---------------------------------------------------------------------------------

    def request(self, kind: str, **fields: object) -> Request:
        """A request with the next number."""
        self._sent += 1
        return {"type": kind, "n": self._sent, **fields}

    def answer(self, question: str, move: str, now: float) -> list[Request]:
        """Answer the question with this id, if it is open and has been there long enough to read.

        Otherwise nothing is sent and `notice` says why.
        """
        self.changes += 1
        open_now = self.question
        if open_now is None or open_now.id != question:
            self.notice = _("That question is over; nothing was answered.")
            return []
        if now - self._asked_at < self.guard_seconds:
            self.notice = _(
                "The question has only just come: look at it, then press the key again."
            )
            return []
        self.notice = ""
        return self._answer(open_now, move)

    def toggle_passing(self) -> list[Request]:
        """Pass on everything until something else is asked; or stop that."""
        self.changes += 1
        self.passing = not self.passing
        return self._pass_if_wanted()

    def _pass_if_wanted(self) -> list[Request]:
        question = self.question
        if not self.passing or question is None or question.kind not in WINDOWS:
            return []
        passes = [move.move for move in question.moves if move.kind == "pass" and move.legal]
        return self._answer(question, passes[0]) if passes else []

    def _answer(self, question: Question, move: str) -> list[Request]:
        self.answered = question.id
        request = self.request("answer", question=question.id, move=move)
        self._answer_number = self._sent
        return [request]

    _answer_number: int = -1
