"""What a cheat is: a function of the moment in which a dishonest seat is about to speak.

A `Moment` is the instant at which the seat's own table has just made an honest message and not yet
signed it. A cheat returns what is to become of that message, or None where it does not apply. The
catalogue is filled by :mod:`tests.sim.card_cheats` and :mod:`tests.sim.word_cheats`; what needs no
moment of one's own is in :mod:`tests.sim.mischief`.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType

from p2pcoup.deck import Deck, DeckUseError, ProofError
from p2pcoup.table import Table
from p2pcoup.table.rounds import Body, Round, Speaker
from p2pcoup.wire import Kind
from tests.sim.inside import wanted_in

STATEMENTS = (Kind.ABSENT,)


class Way(Enum):
    """What is sent to whom."""

    INSTEAD = "the false message in place of the honest one"
    BEFORE = "the false message, then the honest one after all"
    AFTER = "the honest message, then the false one"
    SPLIT = "some get the false message, the others the honest one"
    OWN = "the false message, which the cheat's own table takes as well"


@dataclass(frozen=True, slots=True)
class Forgery:
    """What becomes of an honest message.

    Attributes:
        kind, body: of the message that takes its place.
        false: no honest table can accept it: whoever hears it in time blames its signer.
        ways: one of these is chosen.
    """

    kind: Kind
    body: Body
    false: bool = True
    ways: Sequence[Way] = (Way.INSTEAD, Way.BEFORE, Way.AFTER, Way.SPLIT)


@dataclass(frozen=True, slots=True)
class Moment:
    """The instant at which a dishonest seat speaks.

    Attributes:
        table: its own table.
        speaker: itself, with its secrets and its move.
        kind, body: what it would honestly say.
    """

    table: Table
    speaker: Speaker
    kind: Kind
    body: Body
    luck: random.Random

    @property
    def round(self) -> Round:
        """The open round."""
        return wanted_in(self.table)

    @property
    def deck(self) -> Deck | None:
        """The cards, once there are keys."""
        return self.table.game.deck

    def said_by(self, speaker: Speaker) -> Body | None:
        """What that speaker would say; None if the makers of proofs refuse to help."""
        try:
            return self.round.say(speaker)
        except (DeckUseError, ProofError, RuntimeError):
            return None


Cheat = Callable[[Moment], Forgery | None]
_CHEATS: dict[str, tuple[frozenset[Kind], Cheat]] = {}
CATALOGUE = MappingProxyType(_CHEATS)
"""Every cheat by its name, with the kinds of messages whose place it takes."""


def cheat(name: str, kinds: frozenset[Kind]) -> Callable[[Cheat], Cheat]:
    """Enter a cheat into the catalogue."""

    def enter(make: Cheat) -> Cheat:
        _CHEATS[name] = (kinds, make)
        return make

    return enter


def applicable(kind: Kind, among: Sequence[str]) -> list[str]:
    """The cheats for a message of that kind."""
    return [name for name, (kinds, _) in _CHEATS.items() if kind in kinds and name in among]
