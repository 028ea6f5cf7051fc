"""Whole tables in one process: real identities, real cards, real signatures; only the links are
replaced by a queue that a test controls."""

import itertools
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pytest

from p2pcoup.rules import BASE, Move, View
from p2pcoup.table import (
    Accepted,
    Member,
    Notice,
    Player,
    Prompt,
    Table,
    Terms,
)
from p2pcoup.wire import Identity

NAMES = ("Ash", "Birch", "Cedar", "Elm", "Fir", "Hazel")
_number = itertools.count()


def any_legal(view: View, luck: random.Random) -> Move:
    """Any legal move."""
    return luck.choice(view.legal_moves())


@dataclass
class Party:
    """n tables of one game and a queue of messages in flight between them."""

    terms: Terms
    identities: Sequence[Identity]
    seeds: Sequence[bytes]
    luck: random.Random
    policy: Callable[[View, random.Random], Move] = any_legal
    tables: list[Table] = field(default_factory=list)
    notices: list[list[Notice]] = field(default_factory=list)
    flying: list[tuple[int, bytes]] = field(default_factory=list)

    def sit_down(self) -> None:
        """Make a table for every seat; nobody speaks yet."""
        for identity, seed in zip(self.identities, self.seeds, strict=True):
            player = Player(self.terms, identity, seed)
            self.tables.append(Table(self.terms, player, clock=lambda: 0.0))
            self.notices.append([])

    def handle(self, seat: int, notices: Sequence[Notice]) -> None:
        """Send what a table accepted of its own and answer what it asks."""
        queue = list(notices)
        while queue:
            notice = queue.pop(0)
            self.notices[seat].append(notice)
            match notice:
                case Accepted(signed, own=True):
                    others = (to for to in range(len(self.tables)) if to != seat)
                    self.flying += [(to, signed.raw) for to in others]
                case Prompt(id=prompt, view=view):
                    queue += self.tables[seat].answer(prompt, self.policy(view, self.luck))
                case _:
                    pass

    def begin(self) -> None:
        """Everybody starts to speak."""
        for seat, table in enumerate(self.tables):
            self.handle(seat, table.begin())

    def deliver(self, *, any_order: bool = False) -> bool:
        """Deliver one message; False when none is in flight."""
        if not self.flying:
            return False
        index = self.luck.randrange(len(self.flying)) if any_order else 0
        to, raw = self.flying.pop(index)
        self.handle(to, self.tables[to].receive(raw))
        return True

    def play(self, until: Callable[[], bool] = lambda: False) -> None:
        """Deliver until nothing is in flight or a condition holds."""
        while not until() and self.deliver():
            pass

    def raws(self, seat: int = 0) -> list[bytes]:
        """The transcript of a seat as raw messages."""
        return [signed.raw for signed in self.tables[seat].messages()]


MakeParty = Callable[..., Party]


@pytest.fixture
def make_party() -> MakeParty:
    """A function that makes a party of so many seats, sitting but silent."""

    def make(
        seats: int = 3,
        seed: int = 0,
        policy: Callable[[View, random.Random], Move] = any_legal,
    ) -> Party:
        luck = random.Random(seed)
        identities = [Identity.generate() for _ in range(seats)]
        members = zip(identities, NAMES, strict=False)
        roster = tuple(Member(identity.peer_id, name) for identity, name in members)
        terms = Terms(f"test game {next(_number)}", BASE, roster)
        seeds = [luck.randbytes(32) for _ in range(seats)]
        party = Party(terms, identities, seeds, luck, policy)
        party.sit_down()
        return party

    return make
