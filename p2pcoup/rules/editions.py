"""The editions of the game as data: characters, actions, blocks and set-up (SPEC 11.2).

Nothing outside this module names a character or an action. The engine, the bots and the narrator
read what an action does from its `Effect` and its numbers, so a new edition is a new table here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import NamedTuple


def _title(name: str) -> str:
    return name.replace("-", " ").title()


class Character(NamedTuple):
    """What a card says. Copies of a character are one and the same."""

    name: str
    """Canonical name: lower-case ASCII, '-' between words."""

    @property
    def title(self) -> str:
        """The name as printed for people."""
        return _title(self.name)


class Effect(Enum):
    """What an action does once nothing stops it. `amount` is the action's number."""

    GAIN = "gain"
    """The actor takes `amount` coins from the Treasury."""
    TAKE = "take"
    """The actor takes up to `amount` coins from the target."""
    STRIKE = "strike"
    """The target loses `amount` influence (always 1)."""
    EXCHANGE = "exchange"
    """The actor draws `amount` cards, keeps as many as before and returns the others."""
    EXAMINE = "examine"
    """The target shows `amount` card of its choice (always 1) to the actor alone, who may make it
    draw another one instead (R52)."""


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """One of the actions a turn may consist of. There is one object per action of the table,
    compared by identity.
    """

    name: str
    effect: Effect
    amount: int
    cost: int = 0
    """Coins paid to the Treasury at the announcement (D8)."""
    claim: Character | None = None
    """The character the actor claims to have; None: the action cannot be challenged."""
    blockers: tuple[Character, ...] = ()
    """The characters that block it. A targeted action is blocked by its target only (R26), any
    other by everyone but the actor (R18)."""

    @property
    def targeted(self) -> bool:
        """Whether the action needs another player as its target."""
        return self.effect in (Effect.TAKE, Effect.STRIKE, Effect.EXAMINE)

    @property
    def title(self) -> str:
        """The name as printed for people."""
        return _title(self.name)


@dataclass(frozen=True, slots=True, eq=False)
class Edition:
    """The table of one edition. There is one object per edition, compared by identity."""

    name: str
    characters: tuple[Character, ...]
    """In canonical order, which is the order of `cards()`."""
    actions: tuple[Action, ...]
    forced_action: Action
    """The only legal action of a player who begins a turn with `forced_from` coins (R14)."""
    copies: int = 3
    """Cards of each character (R1)."""
    hand_size: int = 2
    """Cards dealt to each player (R4)."""
    start_coins: int = 2
    """Coins each player begins with (R6)."""
    starter_coins_of_two: int = 1
    """Coins of the starter when only two play (R42)."""
    coin_supply: int = 50
    """All coins; those not with players are the Treasury (R2)."""
    forced_from: int = 10
    min_players: int = 2
    max_players: int = 6

    def __post_init__(self) -> None:
        """Refuse a table that could not be played to its end (D22)."""
        if self.forced_action not in self.actions:
            raise ValueError(f"edition {self.name}: its forced action is not among its actions")
        if self.forced_action.cost > self.forced_from:
            raise ValueError(f"edition {self.name}: the forced action could be unaffordable")
        court = len(self.characters) * self.copies - self.max_players * self.hand_size
        if court < self.most_drawn:
            raise ValueError(f"edition {self.name}: the Court may be too small for an exchange")

    @property
    def title(self) -> str:
        """The name as printed for people."""
        return _title(self.name)

    @property
    def most_drawn(self) -> int:
        """The most cards any action takes from the Court at once."""
        drawing = (Effect.EXCHANGE, Effect.EXAMINE)
        return max((a.amount for a in self.actions if a.effect in drawing), default=0)

    def cards(self) -> tuple[Character, ...]:
        """Return every card of the edition in canonical order: all copies of one, then the next."""
        return tuple(char for char in self.characters for _ in range(self.copies))

    def character(self, name: str) -> Character | None:
        """Return the character with that canonical name, None if the edition has none."""
        return next((char for char in self.characters if char.name == name), None)

    def action(self, name: str) -> Action | None:
        """Return the action with that canonical name, None if the edition has none."""
        return next((action for action in self.actions if action.name == name), None)


def _of_five(name: str, exchanger: Character, *exchanger_actions: Action) -> Edition:
    """An edition of five characters; they differ in one, who also stops a steal (R22, R50)."""
    duke, assassin, captain, contessa = (
        Character(each) for each in ("duke", "assassin", "captain", "contessa")
    )
    coup = Action("coup", Effect.STRIKE, 1, cost=7)
    return Edition(
        name=name,
        characters=(duke, assassin, captain, exchanger, contessa),
        actions=(
            Action("income", Effect.GAIN, 1),
            Action("foreign-aid", Effect.GAIN, 2, blockers=(duke,)),
            coup,
            Action("tax", Effect.GAIN, 3, claim=duke),
            Action("assassinate", Effect.STRIKE, 1, cost=3, claim=assassin, blockers=(contessa,)),
            Action("steal", Effect.TAKE, 2, claim=captain, blockers=(captain, exchanger)),
            *exchanger_actions,
        ),
        forced_action=coup,
    )


_AMBASSADOR = Character("ambassador")
_INQUISITOR = Character("inquisitor")

BASE = _of_five("base", _AMBASSADOR, Action("exchange", Effect.EXCHANGE, 2, claim=_AMBASSADOR))
"""The base game (R1 to R42)."""

INQUISITOR = _of_five(
    "inquisitor",
    _INQUISITOR,
    Action("exchange", Effect.EXCHANGE, 1, claim=_INQUISITOR),
    Action("examine", Effect.EXAMINE, 1, claim=_INQUISITOR),
)
"""The Inquisitor takes the Ambassador's place (R50 to R53)."""

EDITIONS: Mapping[str, Edition] = MappingProxyType({each.name: each for each in (BASE, INQUISITOR)})
"""Every edition by its canonical name."""
