"""What a typed line does: a number answers the question printed last, a word is a command."""

from collections.abc import Callable
from typing import Final, TypeAlias

from p2pcoup.ui.clean import clean
from p2pcoup.ui.keys import MAX_TALK
from p2pcoup.ui.model import Model, Request
from p2pcoup.ui.pictures import Game, Person, SeatPicture
from p2pcoup.ui.plain.sentences import claim_lines, lobby_lines, stop, table_lines, who_lines
from p2pcoup.ui.plain.teller import Teller
from p2pcoup.ui.reference import Table
from p2pcoup.ui.words import N_, _, fill

Done: TypeAlias = tuple[list[str], list[Request]]
"""What is printed and what is sent."""

Command: TypeAlias = Callable[[str, float], Done]
"""Takes what follows the command's word, and the time."""

COMMANDS: Final = {
    "table": N_("all players, their coins and cards"),
    "who": N_("what is going on and who has not answered yet"),
    "claims": N_("who has claimed what"),
    "question": N_("the question once more"),
    "rules": N_("the rules on one card"),
    "say TEXT": N_("talk to the table"),
    "mute NAME": N_("hide or show somebody's talk"),
    "auto": N_("pass on everything until you are asked something else; again: stop"),
    "concede": N_("give up: your cards are turned up and you are out"),
    "again": N_("after a game: play another one"),
    "quit": N_("end"),
}
LOBBY_COMMANDS: Final = {
    "ready": N_("you are ready, or not ready any more"),
    "start": N_("start the game"),
    "bot": N_("let a bot sit down"),
    "kick NAME": N_("send somebody away"),
    "reopen": N_("open the table again when its opener is gone"),
    "invite": N_("what others need to join"),
    "people": N_("who is here"),
    "say TEXT": N_("talk to the table"),
    "leave": N_("leave the table"),
    "quit": N_("end"),
}
SETTINGS_COMMANDS: Final = {
    "edition NAME": N_("change the edition"),
    "options TEXT": N_("change the set-up and options: standard, or set-of-five"),
    "games NUMBER": N_("change how many games are played"),
    "seats NUMBER": N_("change how many can sit down"),
}
"""Of the opener. Everybody has to be ready again afterwards."""


class Typist:
    """Obeys typed lines."""

    def __init__(self, teller: Teller, *, stays: bool = False) -> None:
        """Answer what this teller has printed. `stays`: the node plays on without this client."""
        self.teller = teller
        self.leaving = False
        self._model: Model = teller.model
        self._stays = stays
        self._conceding = ""

    def typed(self, text: str, now: float) -> Done:
        """Take a line; return what is printed and what is sent."""
        line = " ".join(text.split())
        if not line:
            return [], []
        if line.isdecimal():
            return self._number(int(line) if len(line) < 4 else 0, now)
        word, _space, rest = line.partition(" ")
        command = self._commands().get(word.lower())
        if command is None:
            told = _("There is no command {word}. Type help, or the number of a choice.")
            return [fill(told, {"word": clean(word)})], []
        return command(rest, now)

    def _number(self, number: int, now: float) -> Done:
        if not 1 <= number <= len(self.teller.answers):
            return [_("There is no choice with that number.")], []
        move = self.teller.answers[number - 1]
        sent = self._model.answer(self.teller.asked, move, now)
        if not sent:
            self.teller.notice_told = self._model.notice
            return [self._model.notice], []
        return [], sent

    def _commands(self) -> dict[str, Command]:
        def telling_of(
            lines: Callable[[], list[str]],
        ) -> Command:
            return lambda _rest, _now: (lines(), [])

        def asking(kind: str, **fields: object) -> Command:
            return lambda _rest, _now: ([], [self._model.request(kind, **fields)])

        return {
            "help": telling_of(self._help),
            "?": telling_of(self._help),
            "table": telling_of(lambda: self._of_game(table_lines)),
            "who": telling_of(lambda: self._of_game(who_lines)),
            "claims": telling_of(lambda: self._of_game(claim_lines)),
            "question": telling_of(lambda: self._of_game(lambda game: self.teller.question(game))),
            "rules": telling_of(self._rules),
            "people": telling_of(
                lambda: [] if self._model.lobby is None else lobby_lines(self._model.lobby)
            ),
            "invite": telling_of(self._invite),
            "say": self._say,
            "mute": self._mute,
            "kick": self._kick,
            "auto": self._auto,
            "concede": self._concede,
            "ready": self._ready,
            "start": asking("start"),
            "leave": asking("leave"),
            "reopen": asking("reopen"),
            "bot": asking("add-bot", bot="honest"),
            "again": self._again,
            "quit": self._quit,
            "edition": self._setting("edition"),
            "options": self._setting("options"),
            "games": self._setting("games", number=True),
            "seats": self._setting("seats", number=True),
        }

    def _help(self) -> list[str]:
        lobby = self._model.lobby
        known = COMMANDS if lobby is None else LOBBY_COMMANDS
        if lobby is not None and "settings" in lobby.may:
            known = known | SETTINGS_COMMANDS
        told = [_("A number answers the question. Commands:")]
        return told + [f"{command}: {_(meaning)}." for command, meaning in known.items()]

    def _of_game(self, lines: Callable[[Game], list[str]]) -> list[str]:
        game = self._model.game
        return [_("There is no game yet.")] if game is None else lines(game)

    def _rules(self) -> list[str]:
        told: list[str] = []
        for section in self._model.card:
            told.append(stop(section.title))
            for line in section.lines:
                if isinstance(line, Table):
                    told += [f"{', '.join(cell for cell in row if cell)}." for row in line.rows]
                else:
                    told.append(line)
        return told or [_("The rules are not here yet; `p2pcoup rules` prints them.")]

    def _people(self) -> list[str]:
        lobby = self._model.lobby
        return [_("There is no lobby any more.")] if lobby is None else lobby_lines(lobby)

    def _invite(self) -> list[str]:
        lobby = self._model.lobby
        return [lobby.invite] if lobby is not None and lobby.invite else [_("There is no invite.")]

    def _say(self, rest: str, _now: float) -> Done:
        return [], [self._model.request("say", text=rest[:MAX_TALK])] if rest else []

    def _mute(self, rest: str, _now: float) -> Done:
        found = self._find(rest)
        if found is None:
            return [_("Nobody here has that name.")], []
        muted = found.peer in self._model.state.muted
        return [], [self._model.request("mute", peer=found.peer, muted=not muted)]

    def _kick(self, rest: str, _now: float) -> Done:
        found = self._find(rest)
        if found is None:
            return [_("Nobody here has that name.")], []
        return [], [self._model.request("kick", peer=found.peer)]

    def _find(self, name: str) -> Person | SeatPicture | None:
        people: list[Person | SeatPicture] = []
        if self._model.lobby is not None:
            people += self._model.lobby.people
        elif self._model.game is not None:
            people += self._model.game.seats
        return next((each for each in people if each.name.casefold() == name.casefold()), None)

    def _auto(self, _rest: str, _now: float) -> Done:
        sent = self._model.toggle_passing()
        if self._model.passing:
            return [_("You pass on everything until you are asked something else.")], sent
        return [_("You are asked again.")], sent

    def _concede(self, _rest: str, now: float) -> Done:
        question = self._model.question
        if question is None or not question.concede:
            return [_("You can give up when you are asked something.")], []
        if self._conceding != question.id:
            self._conceding = question.id
            return [
                _("All your cards are turned up and you are out. Type concede again to do it.")
            ], []
        sent = self._model.answer(question.id, question.concede, now)
        return [self._model.notice] if self._model.notice else [], sent

    def _setting(self, name: str, *, number: bool = False) -> Command:
        """The command that changes this setting of the table."""

        def change(rest: str, _now: float) -> Done:
            if number and not (rest.isascii() and rest.isdecimal() and len(rest) < 4):
                return [fill(_("A number is needed, such as: {word} 3"), {"word": name})], []
            if not rest:
                return [fill(_("Type what you want behind {word}."), {"word": name})], []
            value: object = int(rest) if number else rest.lower().replace(", ", ",")
            return [], [self._model.request("settings", **{name: value})]

        return change

    def _ready(self, _rest: str, _now: float) -> Done:
        you = None if self._model.lobby is None else self._model.lobby.you
        return [], [self._model.request("ready", ready=you is None or not you.ready)]

    def _again(self, _rest: str, _now: float) -> Done:
        again = self._model.state.again
        if again is None:
            return [_("The game is not over.")], []
        return [], [self._model.request("again", again=not again.asking)]

    def _quit(self, _rest: str, _now: float) -> Done:
        self.leaving = True
        return [], [] if self._stays else [self._model.request("quit")]
