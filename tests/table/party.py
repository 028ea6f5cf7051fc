"""Whole tables in one process: real identities, real cards, real signatures; only the links are
replaced by a queue that a test controls."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2pcoup.journal import encode_transcript
from p2pcoup.rules import (
    BASE,
    INQUISITOR,
    USUAL,
    Edition,
    Move,
    Options,
    Setup,
    View,
    state_to_text,
)
from p2pcoup.table import (
    Accepted,
    Behind,
    Blame,
    Member,
    Notice,
    Player,
    Prompt,
    Refused,
    Sequel,
    Table,
    Terms,
)
from p2pcoup.wire import Identity, Kind, SignedMessage, sign

NAMES = ("Ash", "Birch", "Cedar", "Elm", "Fir", "Hazel")
MAX_SILENCES = 200
MAX_DELIVERIES = 20_000  # far more than the longest game here needs

Choose = Callable[[View], Move]
Game = (
    tuple[int, int, Choose]
    | tuple[int, int, Choose, Edition]
    | tuple[int, int, Choose, Edition, Options]
)


def any_legal(view: View) -> Move:
    """A legal move that looks random and is the same for the same public state and seat."""
    luck = random.Random(f"{len(view.history)} {view.seat} {state_to_text(view.state)}")
    return luck.choice(view.legal_moves())


def likes(*wanted: str) -> Choose:
    """Prefers the moves with these names (of action or of the move itself), else any legal one."""

    def choose(view: View) -> Move:
        for name in wanted:
            for move in view.legal_moves():
                called = getattr(getattr(move, "action", None), "name", type(move).__name__.lower())
                if called == name:
                    return move
        return any_legal(view)

    return choose


BUSY = likes("exchange", "challenge", "show", "block")
"""Makes short games in which every kind of message of the base game takes part."""


def examining(view: View) -> Move:
    """Examines and forces redraws for some turns, then brings the game to its end."""
    if len(view.history) < 25:
        return likes("force", "examine", "pass")(view)
    return likes("challenge", "decline", "allow", "coup", "income")(view)


@dataclass
class Party:
    """n tables of one game and a queue of messages in flight between them."""

    terms: Terms
    identities: Sequence[Identity]
    seeds: list[bytes]
    choose: Choose = any_legal
    luck: random.Random = field(default_factory=lambda: random.Random(0))
    tables: list[Table] = field(default_factory=list)
    notices: list[list[Notice]] = field(default_factory=list)
    flying: list[tuple[int, bytes]] = field(default_factory=list)
    gone: set[int] = field(default_factory=set)

    def new_table(self, seat: int | None) -> Table:
        """A fresh table for a seat, or for somebody who only watches."""
        player = None
        if seat is not None:
            player = Player(self.terms, self.identities[seat], self.seeds[seat])
        return Table(self.terms, player, clock=lambda: 0.0)

    def sit_down(self) -> None:
        """Make a table for every seat; nobody speaks yet."""
        for seat in self.terms.seats:
            self.tables.append(self.new_table(seat))
            self.notices.append([])

    def handle(self, seat: int, notices: Sequence[Notice]) -> None:
        """Send what a table accepted of its own and answer what it asks."""
        queue = list(notices)
        while queue:
            notice = queue.pop(0)
            self.notices[seat].append(notice)
            match notice:
                case Accepted(signed, own=True) if seat not in self.gone:
                    others = set(self.terms.seats) - self.gone - {seat}
                    self.flying += [(to, signed.raw) for to in sorted(others)]
                case Prompt(id=prompt, view=view):
                    queue += self.tables[seat].answer(prompt, self.choose(view))
                case Behind():
                    since = self.tables[seat].round
                    for other, table in enumerate(self.tables):
                        if other != seat:
                            self.flying += [(seat, m.raw) for m in table.messages(since)]
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

    def play(self, until: Callable[[], bool] = lambda: False, *, any_order: bool = False) -> None:
        """Deliver until nothing is in flight or a condition holds."""
        for _ in range(MAX_DELIVERIES):
            if until() or not self.deliver(any_order=any_order):
                return
        raise AssertionError("this game does not end")

    def vanish(self, *gone: int) -> None:
        """These seats are gone: nothing reaches them or comes from them any more."""
        self.gone |= set(gone)
        self.flying = [(to, raw) for to, raw in self.flying if to not in gone]

    def play_on(self) -> None:
        """Play to the end; whoever is left states the absence of whom it waits for in vain."""
        for _ in range(MAX_SILENCES):
            self.play()
            here = [seat for seat in self.terms.seats if seat not in self.gone]
            if all(self.tables[seat].outcome is not None for seat in here):
                return
            for seat in here:
                table = self.tables[seat]
                self.handle(seat, table.declare_absent(table.unheard & self.gone))
            if not self.flying and any(self.tables[seat].outcome is None for seat in here):
                raise AssertionError(f"nobody can go on: {[t.waiting_for for t in self.tables]}")
        raise AssertionError("this game does not end")

    def deal(self) -> None:
        """Play until the cards are dealt."""
        self.begin()
        self.play(until=lambda: self.tables[0].game.state is not None)

    def messages(self, seat: int = 0) -> list[SignedMessage]:
        """The transcript as one seat has it."""
        return list(self.tables[seat].transcript())

    def raws(self, seat: int = 0) -> list[bytes]:
        """The transcript of a seat as raw messages."""
        return [signed.raw for signed in self.messages(seat)]

    def transcript(self, seat: int = 0) -> bytes:
        """The bytes of the ``.coup`` file, as that seat has it."""
        return encode_transcript(self.terms.encode(), self.messages(seat))

    def complaints(self) -> list[Notice]:
        """All that any table refused or blamed."""
        return [n for ns in self.notices for n in ns if isinstance(n, Blame | Refused)]

    def signed_again(self, like: SignedMessage, **changes: Any) -> SignedMessage:
        """A message changed in some fields, properly signed by the seat that it then names."""
        message = replace(like.message, **changes)
        return sign(message, self.identities[message.seat])


def make_party(
    seats: int = 3,
    seed: int = 0,
    choose: Choose = any_legal,
    edition: Edition = BASE,
    options: Options = USUAL,
    sequel: Sequel | None = None,
    same: Party | None = None,
) -> Party:
    """A party of so many seats, sitting but silent; the same again for the same seed. `same` are
    the people, if they have played before.
    """
    luck = random.Random(seed)
    identities = [
        Identity(Ed25519PrivateKey.from_private_bytes(luck.randbytes(32))) for _ in range(seats)
    ]
    if same is not None:
        identities = same.identities
    members = zip(identities, NAMES, strict=False)
    roster = tuple(Member(identity.peer_id, name) for identity, name in members)
    seeds = [luck.randbytes(32) for _ in range(seats)]
    terms = Terms("a test game", edition, roster, options, sequel=sequel)
    party = Party(terms, identities, seeds, choose, luck)
    party.sit_down()
    return party


@cache
def played(
    seats: int = 3,
    seed: int = 0,
    choose: Choose = any_legal,
    edition: Edition = BASE,
    options: Options = USUAL,
) -> Party:
    """A party whose game is over. Tests share it: only read from it."""
    party = make_party(seats, seed, choose, edition, options)
    party.begin()
    party.play()
    return party


def watcher(party: Party, count: int) -> Table:
    """A table that only watches and has seen the first so many messages of a played game."""
    table = party.new_table(None)
    for raw in party.raws()[:count]:
        table.receive(raw)
    return table


BASE_GAME: Game = (3, 3, BUSY)
INQUISITION: Game = (3, 3, examining, INQUISITOR)
FIVES: Game = (2, 1, BUSY, BASE, Options(Setup.SET_OF_FIVE))
ABSENCE = {Kind.ABSENT, Kind.DEDUCT, Kind.MIX, Kind.FLAGS}
"""Kinds that only a game with a lost seat has."""
GAMES = (BASE_GAME, INQUISITION, FIVES)
"""Arguments of `played`: short games that together have every kind of message."""


@cache
def bereft(seats: int, gone: int, moment: int, choose: Choose = BUSY) -> Party:
    """A game that one seat left for good when so many messages had been delivered."""
    party = make_party(seats, seed=3, choose=choose)
    party.begin()
    for _ in range(moment):
        party.deliver()
    party.vanish(gone)
    party.play_on()
    return party


def game_with(kind: Kind) -> Party:
    """A short game with a message of that kind, or one that lacks a seat, if only such have it."""
    parties = (bereft(4, 1, 60) if kind in ABSENCE else played(*game) for game in GAMES)
    return next(p for p in parties if any(s.message.kind is kind for s in p.messages()))
