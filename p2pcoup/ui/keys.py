"""What every key does: a key and a time in, requests for the node out.

Lower-case letters and digits answer the question on the screen. Capitals and other keys belong to
the client and are the same everywhere, so neither can be taken for the other. In a lobby, where
there are no questions, lower-case letters are its commands.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Final

from p2pcoup.ui.choices import Choice, menu
from p2pcoup.ui.model import Model, Request
from p2pcoup.ui.pictures import Person
from p2pcoup.ui.settings import Draft
from p2pcoup.ui.words import _, fill

MAX_TALK: Final = 280
"""Characters of a line of talk (API 3)."""


class Page(Enum):
    """What is laid over the screen."""

    NONE = "none"
    CARD = "card"
    """The reference card and the keys."""
    INVITE = "invite"
    """The invite alone, to be copied."""
    TALK = "talk"
    """A line is being written."""
    CONFIRM = "confirm"
    """Yes or no."""
    PEOPLE = "people"
    """Somebody has to be chosen: to be sent away, or not to be heard."""
    SETTINGS = "settings"
    """What is played is being changed."""


@dataclass(frozen=True, slots=True)
class Command:
    """A key of the client itself."""

    key: str
    label: str


@dataclass(slots=True)
class Keys:
    """The keyboard and what it has changed on the screen.

    Attributes:
        page: what is laid over the screen; `asked`: the question of a page.
        secret: whether the own hand is hidden.
        scroll: lines of the log below the screen's end.
        leaving: whether the client is to end.
        copied: an invite that is to be put on the clipboard.
    """

    model: Model
    stays: bool = False
    """Whether the node plays on when this client ends."""
    page: Page = Page.NONE
    asked: str = ""
    secret: bool = False
    scroll: int = 0
    leaving: bool = False
    copied: str = ""
    within: str = ""
    """The action a target is being chosen for."""
    card_scroll: int = 0
    """Lines of the reference card above the screen."""
    draft: Draft | None = None
    """What is to be played, on the page SETTINGS."""
    _within_question: str = ""
    _seen_question: str = ""
    _yes: Callable[[float], list[Request]] | None = None
    _people: tuple[tuple[str, Person], ...] = ()
    _chosen: Callable[[Person], list[Request]] | None = None

    # --- what can be pressed ----------------------------------------------------------------------

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The choices that belong to the question on the screen."""
        question, game = self.model.question, self.model.game
        if question is None or game is None:
            return ()
        choices = menu(question, game, secret=self.secret)
        if self.within and self._within_question == question.id:
            return next((c.within for c in choices if c.key == self.within), choices)
        return choices

    @property
    def choosing_target(self) -> Choice | None:
        """The action a target is being chosen for."""
        question, game = self.model.question, self.model.game
        if question is None or game is None or self._within_question != question.id:
            return None
        choices = menu(question, game, secret=self.secret)
        return next((each for each in choices if each.key == self.within), None)

    @property
    def people(self) -> tuple[tuple[str, Person], ...]:
        """Whom one can choose on the page PEOPLE, by key."""
        return self._people

    def commands(self) -> list[Command]:
        """The client's own keys as they are now, the most useful first."""
        model = self.model
        found: list[Command] = []
        match model.state.phase:
            case "lobby":
                found += [Command(key, label) for key, label, _kind in self._lobby_commands()]
            case "game" if model.plays:
                # Translators: keys at the lower edge; together about 70 columns.
                passing = _("stop passing") if model.passing else _("pass until my turn")
                found.append(Command("P", passing))
                found.append(Command("H", _("show hand") if self.secret else _("hide hand")))
                if model.question is not None and model.question.concede:
                    found.append(Command("G", _("give up")))
            case "over" if model.state.again is not None:
                asking = model.state.again.asking
                found.append(Command("A", _("no more games") if asking else _("another game")))
            case _:
                pass
        return [Command("?", _("help")), *found, Command("T", _("talk")), Command("Q", _("quit"))]

    def _lobby_commands(self) -> list[tuple[str, str, str]]:
        """Key, words and kind of what can be done in the lobby."""
        lobby = self.model.lobby
        if lobby is None:
            return []
        ready = lobby.you is not None and lobby.you.ready
        known = [
            ("r", _("not ready") if ready else _("ready"), "ready"),
            ("s", _("start"), "start"),
            ("b", _("add a bot"), "add-bot"),
            ("e", _("settings"), "settings"),
            ("k", _("send away"), "kick"),
            ("o", _("open it again"), "reopen"),
            ("l", _("leave"), "leave"),
        ]
        found = [each for each in known if each[2] in lobby.may]
        return [*found, ("c", _("copy the invite"), "copy")] if lobby.invite else found

    # --- keys -------------------------------------------------------------------------------------

    def follow(self) -> None:
        """The node has sent something: no page may lie over a question that has come since."""
        question = self.model.question
        asked = "" if question is None else question.id
        if asked and asked != self._seen_question and self.page is not Page.TALK:
            self.page = Page.NONE
        self._seen_question = asked or self._seen_question
        lobby = self.model.lobby
        if self.page is Page.SETTINGS and (lobby is None or "settings" not in lobby.may):
            self.page = Page.NONE

    def press(self, key: str, now: float) -> list[Request]:
        """Take a key, by urwid's name for it, and return what is to be sent."""
        self.model.changes += 1
        if self.page is not Page.NONE:
            return self._on_page(key, now)
        if key in self._own_keys():
            self.model.notice = ""
            return self._own_keys()[key]()
        if len(key) == 1 and (key.islower() or key.isdigit()):
            return self._choose(key, now)
        return []

    def _own_keys(self) -> dict[str, Callable[[], list[Request]]]:
        return {
            "?": lambda: self._open(Page.CARD),
            "f1": lambda: self._open(Page.CARD),
            "T": lambda: self._open(Page.TALK),
            "enter": lambda: self._open(Page.TALK),
            "M": self._mute,
            "H": self._hide,
            "P": self._pass,
            "G": self._give_up,
            "A": self._again,
            "Q": self._quit,
            "ctrl c": self._quit,
            "esc": self._back,
            "page up": lambda: self._scroll(5),
            "page down": lambda: self._scroll(-5),
            "up": lambda: self._scroll(1),
            "down": lambda: self._scroll(-1),
            "end": lambda: self._scroll(-(10**6)),
        }

    def _choose(self, key: str, now: float) -> list[Request]:
        if self.model.state.phase == "lobby":
            return self._lobby(key)
        question = self.model.question
        choice = next((each for each in self.choices if each.key == key), None)
        if question is None or choice is None:
            if question is None and self.model.state.phase == "game":
                self.model.notice = _("Nothing is asked of you at the moment.")
            return []
        if not choice.possible:
            self.model.notice = fill(
                _("{choice} is not possible: {reason}."),
                {"choice": choice.label, "reason": choice.refusal},
            )
            return []
        if choice.within:
            self.within, self._within_question = choice.key, question.id
            return []
        sent = self.model.answer(question.id, choice.move, now)
        if sent:
            self.within = ""
        return sent

    def _lobby(self, key: str) -> list[Request]:
        kinds = {command: kind for command, _label, kind in self._lobby_commands()}
        lobby = self.model.lobby
        match kinds.get(key):
            case "ready" if lobby is not None:
                ready = lobby.you is not None and lobby.you.ready
                return [self.model.request("ready", ready=not ready)]
            case "start" | "reopen" as kind:
                return [self.model.request(kind)]
            case "add-bot":
                return [self.model.request("add-bot", bot="honest")]
            case "leave":
                told = _("Leave this table?")
                return self._ask(told, lambda _now: [self.model.request("leave")])
            case "kick":
                return self._pick_person(
                    _("Who is sent away?"),
                    lambda person: [self.model.request("kick", peer=person.peer)],
                )
            case "settings" if lobby is not None:
                self.draft = Draft.of(lobby)
                return self._open(Page.SETTINGS)
            case "copy" if lobby is not None:
                self.copied = lobby.invite
                return self._open(Page.INVITE)
            case None if key == "s" and lobby is not None and lobby.opened_here:
                reason = {"reason": lobby.why_not_start}
                self.model.notice = fill(_("It cannot start yet: {reason}"), reason)
                return []
            case _:
                return []

    # --- the client's own keys --------------------------------------------------------------------

    def _open(self, page: Page) -> list[Request]:
        self.page = page
        return []

    def _back(self) -> list[Request]:
        self.within = ""
        return []

    def _scroll(self, lines: int) -> list[Request]:
        most = 2 * len(self.model.events)  # rows; more than most of them take
        self.scroll = max(0, min(self.scroll + lines, most))
        return []

    def _hide(self) -> list[Request]:
        self.secret = not self.secret
        return []

    def _pass(self) -> list[Request]:
        if self.model.state.phase != "game" or not self.model.plays:
            return []
        return self.model.toggle_passing()

    def _again(self) -> list[Request]:
        again = self.model.state.again
        return [] if again is None else [self.model.request("again", again=not again.asking)]

    def _give_up(self) -> list[Request]:
        question = self.model.question
        if question is None or not question.concede:
            self.model.notice = _("You can give up when you are asked something.")
            return []

        def concede(now: float) -> list[Request]:
            return self.model.answer(question.id, question.concede, now)

        return self._ask(_("Give up? All your cards are turned up and you are out."), concede)

    def _quit(self) -> list[Request]:
        def quit_now(_now: float) -> list[Request]:
            self.leaving = True
            return [] if self.stays else [self.model.request("quit")]

        phase = self.model.state.phase
        if phase not in ("game", "lobby"):
            return quit_now(0)
        if phase == "lobby" and not self.stays:
            return self._ask(_("Quit? There is no game yet; you leave the table."), quit_now)
        if self.stays:
            return self._ask(_("Close this window? The node plays on."), quit_now)
        return self._ask(
            _("Quit? `p2pcoup resume` plays on; away for too long you are out."),
            quit_now,
        )

    def _mute(self) -> list[Request]:
        muted = self.model.state.muted
        return self._pick_person(
            _("Whose talk is hidden, or shown again?"),
            lambda person: [
                self.model.request("mute", peer=person.peer, muted=person.peer not in muted)
            ],
        )

    # --- pages ------------------------------------------------------------------------------------

    def _ask(self, told: str, yes: Callable[[float], list[Request]]) -> list[Request]:
        self.page, self.asked, self._yes = Page.CONFIRM, told, yes
        return []

    def _pick_person(self, told: str, chosen: Callable[[Person], list[Request]]) -> list[Request]:
        others = tuple(person for person in self._everybody() if not person.you)
        if not others:
            self.model.notice = _("Nobody else is here.")
            return []
        self._people = tuple((str(at), person) for at, person in enumerate(others[:9], 1))
        self.page, self.asked, self._chosen = Page.PEOPLE, told, chosen
        return []

    def _everybody(self) -> Iterable[Person]:
        if self.model.lobby is not None:
            return self.model.lobby.people
        game = self.model.game
        if game is None:
            return ()
        return [
            Person(
                seat.peer, seat.name, ready=True, bot=False, here=True,
                you=seat.seat == game.you, known="", watching=False,
            )
            for seat in game.around
        ]  # fmt: skip

    def _on_page(self, key: str, now: float) -> list[Request]:
        page, self.page = self.page, Page.NONE
        if page is Page.CONFIRM and key in ("y", "Y") and self._yes is not None:
            return self._yes(now)
        if page is Page.PEOPLE and self._chosen is not None:
            person = next((each for number, each in self._people if number == key), None)
            return [] if person is None else self._chosen(person)
        if page is Page.CARD and key in ("up", "down", "page up", "page down"):
            self.page = page
            return self._scroll_card(key)
        if page is Page.SETTINGS and key != "esc":
            return self._change_settings(key)
        return []

    def _change_settings(self, key: str) -> list[Request]:
        """Go on with the draft; Enter sends it."""
        lobby, draft = self.model.lobby, self.draft
        if lobby is None or draft is None:
            return []
        if key == "enter":
            changes = draft.changes(lobby)
            return [self.model.request("settings", **changes)] if changes else []
        self.page, self.draft = Page.SETTINGS, draft.turned(key, lobby)
        return []

    def _scroll_card(self, key: str) -> list[Request]:
        step = {"up": -1, "down": 1, "page up": -10, "page down": 10}[key]
        self.card_scroll = max(0, self.card_scroll + step)
        return []

    def said(self, text: str) -> list[Request]:
        """The line of talk is finished."""
        self.page = Page.NONE
        self.model.changes += 1
        told = text.strip()[:MAX_TALK]
        return [self.model.request("say", text=told)] if told else []
