"""What is to be played, while its opener is changing it: a draft that is sent as a whole.

The node knows what can be played; what cannot is refused there with a sentence. Here are only the
values a key goes through.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from p2pcoup.ui import words
from p2pcoup.ui.pictures import Lobby
from p2pcoup.ui.words import _

SETUPS: Final = ("standard", "set-of-five")
"""The options that are offered. Others are typed, or given when the table is opened."""
MOST_GAMES: Final = 9
PAIR: Final = 2
"""Players of the set of five."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Draft:
    """The settings as they will be."""

    edition: str
    options: str
    games: int
    seats: int

    @classmethod
    def of(cls, lobby: Lobby) -> "Draft":
        """The settings as they are."""
        return cls(lobby.edition, lobby.options or "standard", lobby.games, lobby.seats)

    def turned(self, key: str, lobby: Lobby) -> "Draft":
        """With the next value of what that key stands for; unchanged if it stands for nothing."""
        match key:
            case "e":
                return replace(
                    self, edition=_after(self.edition, [each.edition for each in lobby.editions])
                )
            case "o":
                options = _after(self.options, SETUPS)
                seats = PAIR if options == "set-of-five" else max(self.seats, lobby.seats)
                return replace(self, options=options, seats=seats)
            case "g":
                return replace(self, games=self.games % MOST_GAMES + 1)
            case "n":
                sitting = sum(not person.watching for person in lobby.people)
                of = [each for each in lobby.editions if each.edition == self.edition]
                places = range(max(of[0].fewest, sitting), of[0].most + 1) if of else ()
                return replace(self, seats=_after(self.seats, places))
            case _:
                return self

    def changes(self, lobby: Lobby) -> dict[str, object]:
        """The fields of the request (API 3): only what is to be otherwise."""
        now = Draft.of(lobby)
        wanted = {
            "edition": (self.edition, now.edition),
            "options": (self.options, now.options),
            "games": (self.games, now.games),
            "seats": (self.seats, now.seats),
        }
        return {name: value for name, (value, before) in wanted.items() if value != before}

    def rows(self) -> list[tuple[str, str, str]]:
        """Key, what it stands for, and the value."""
        return [
            ("e", _("edition"), words.edition(self.edition)),
            ("o", _("options"), words.options(self.options)),
            ("g", _("games"), str(self.games)),
            ("n", _("seats"), str(self.seats)),
        ]


def _after(value: T, among: Sequence[T]) -> T:
    """The next one, and after the last the first."""
    if not among:
        return value
    return among[(among.index(value) + 1) % len(among)] if value in among else among[0]
