"""The scheme of a dishonest seat, and the table that carries it out.

The table plays on as if its honest messages had been sent (unless a lie is one that it takes
itself), so the cheat stays in the game as long as the others let it.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from p2pcoup.rules import Move
from p2pcoup.table import Notice, Player, Table
from p2pcoup.table.rounds import Body, Context, Speaker
from p2pcoup.wire import Field, Identity, Kind, Message, SignedMessage, WireError, sign
from tests.sim.forgery import CATALOGUE, STATEMENTS, Forgery, Moment, Way, applicable
from tests.sim.inside import wanted_in
from tests.sim.mischief import MISCHIEF
from tests.sim.record import Lie
from tests.sim.word_cheats import OPENED

FALSE_ABSENCE = "false-absence"
ALL_CHEATS: tuple[str, ...] = (*CATALOGUE, *MISCHIEF, FALSE_ABSENCE)
"""The names of all cheats there are."""

USUAL_CHANCE = 0.12
RARE_CHANCE = 0.6  # of the kinds that come once or twice a game
MOST_LIES = 6

COMMON = frozenset({Kind.SHUFFLE, Kind.SHARES, Kind.DECIDE, Kind.SEAL, Kind.UNSEAL})

MANNERS = ("plain", "plain", "plain", "mute", "whispering", "keeping")
"""plain: sends all to all. mute: from some round on it is silent. whispering: its own messages go
to one other seat only. keeping: passes on nothing of others."""


@dataclass(slots=True)
class Scheme:
    """The plan of one cheat.

    Attributes:
        lies: where it enters what it signs.
        among: the names of the cheats it knows.
        eager: cheats at every opportunity.
        from_round: where it begins; a mute one is silent from there on.
    """

    identity: Identity
    luck: random.Random
    lies: list[Lie]
    among: Sequence[str]
    eager: bool
    manner: str
    from_round: int

    def forgery(self, moment: Moment) -> tuple[str, Forgery] | None:
        """A cheat for this moment, if one comes to mind."""
        names = applicable(moment.kind, self.among)
        if not names or not self._wants(moment.kind, moment.table.round):
            return None
        name = self.luck.choice(names)
        _, make = CATALOGUE[name]
        forgery = make(moment)
        return None if forgery is None else (name, forgery)

    def _wants(self, kind: Kind, round_: int) -> bool:
        if round_ < self.from_round or len(self.lies) >= MOST_LIES:
            return False
        chance = USUAL_CHANCE if kind in COMMON else RARE_CHANCE
        return self.eager or self.luck.random() < chance


class CheatingTable(Table):
    """A table whose words are weighed before they are signed.

    Attributes:
        false: for a round, the message that takes the place of our own, and how.
        cornered: messages to send although our own table cannot make any.
    """

    def __init__(self, *arguments: Any, scheme: Scheme, **named: Any) -> None:
        self.scheme = scheme
        self.false: dict[int, tuple[Way, SignedMessage]] = {}
        self.cornered: list[SignedMessage] = []
        self._last_move: Move | None = None
        super().__init__(*arguments, **named)

    def answer(self, prompt: int, move: Move) -> list[Notice]:
        """As every table; a cheat also remembers what it had chosen."""
        self._last_move = move
        return super().answer(prompt, move)

    def _say(self, kind: Kind, body: Body, round_: int | None = None) -> list[Notice]:
        return super()._say(kind, body if kind in STATEMENTS else self._weigh(kind, body), round_)

    @property
    def _cheat(self) -> Player:
        if self._player is None:
            raise RuntimeError("who only watches cannot cheat")
        return self._player

    def _weigh(self, kind: Kind, body: Body) -> Body:
        """What our own table is to hear; what others hear is noted in `false`."""
        player, context = self._cheat, self._context(self._cheat.seat)
        move = self._last_move if wanted_in(self).asks else None
        speaker = Speaker(context, player.secrets, player.public_key, move)
        found = self.scheme.forgery(Moment(self, speaker, kind, body, self.scheme.luck))
        if found is None:
            return body
        name, forgery = found
        try:
            false = self._signed(context, forgery.kind, *forgery.body)
        except WireError:
            return body  # it cannot even be written
        way = self.scheme.luck.choice(forgery.ways)
        self.scheme.lies.append(Lie(context.seat, name, (false.raw,), forgery.false))
        if way is Way.OWN:
            return forgery.body
        self.false[context.round] = (way, false)
        return body

    def _signed(self, context: Context, kind: Kind, *body: Field) -> SignedMessage:
        place = (context.game, context.round, context.seat, context.parent)
        return sign(Message(*place, kind, body), self.scheme.identity)

    def _speak(self) -> list[Notice]:
        try:
            return super()._speak()
        except RuntimeError:
            self._bluff()
            return []

    def _bluff(self) -> None:
        """An earlier lie has made the truth impossible: say something all the same, once."""
        context, kind = self._context(self._cheat.seat), wanted_in(self).kind
        if context.round in self.false or kind not in OPENED:
            return
        value = self.scheme.luck.randbytes(32) if kind is Kind.COIN else f"{context.seat} pass"
        false = self._signed(context, kind, value, self._cheat.secrets.salt(context.domain))
        self.scheme.lies.append(Lie(context.seat, "wrong-opening", (false.raw,), false=True))
        self.false[context.round] = (Way.INSTEAD, false)
        self.cornered.append(false)
