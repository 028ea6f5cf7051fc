"""Nothing that is ever sent lets others read a hidden card: an attacker tries.

The attacker is all seats but one. It holds their secrets and every byte anybody sent, and tries
each hidden pair against each combination of its keys and of the points that were published.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations

import pytest

from p2pcoup.deck import Pair, Point, ProofError, Scalar
from p2pcoup.deck.group import (
    IDENTITY,
    add,
    decode_point,
    encode_scalar,
    multiply,
    reduce_scalar,
    subtract,
)
from p2pcoup.rules import Outcome, Seat
from p2pcoup.table import Player
from p2pcoup.wire import Kind
from tests.table.party import BUSY, GAMES, Game, Party, any_legal, played


@dataclass
class Coalition:
    """Seats that pool their secrets, and what was published."""

    keys: list[Scalar]
    published: set[Point]

    @classmethod
    def of(cls, party: Party, seats: list[int]) -> "Coalition":
        single = [key_of(party, seat) for seat in seats]
        keys = [
            reduce_scalar(sum(some))
            for count in range(len(single) + 1)
            for some in combinations(single, count)
        ]
        shares = list(points(party, Kind.SHARES))
        sums = {add(one, two) for one, two in combinations(shares, 2)}
        return cls(keys, {IDENTITY, *points(party), *sums})

    def reads(self, pair: Pair, plaintexts: tuple[Point, ...]) -> set[int]:
        """The kinds this card may be: V - k*U is M, or M and a published point apart."""
        found = set()
        for key in self.keys:
            rest = subtract(pair.V, multiply(key, pair.U) if key else IDENTITY)
            for kind, plaintext in enumerate(plaintexts):
                if {subtract(rest, plaintext), subtract(plaintext, rest)} & self.published:
                    found.add(kind)
        return found


def key_of(party: Party, seat: int) -> Scalar:
    return Player(party.terms, party.identities[seat], party.seeds[seat]).secrets.key


def points(party: Party, kind: Kind | None = None) -> Iterator[Point]:
    """Every 32 bytes in a message that are a point."""
    for signed in party.messages():
        if kind not in (None, signed.message.kind):
            continue
        for content in signed.message.body:
            if isinstance(content, bytes):
                for at in range(0, len(content) - 31, 32):
                    try:
                        yield decode_point(content[at : at + 32])
                    except ProofError:
                        continue  # a scalar, a digest or a salt


@dataclass
class Course:
    """The cards that one seat could see or protect in the course of a game."""

    held: dict[Pair, int] = field(default_factory=dict)
    """Each card it held face down, as it lay in its hand, with the kind."""
    opened: set[Pair] = field(default_factory=set)
    """Those of them it turned up."""
    court: set[Pair] = field(default_factory=set)
    """Each card as it lay in the Court, locked by this seat's key too."""
    known: set[Point] = field(default_factory=set)
    """First components of the cards that others drew, that were turned up, or that were in the
    Court when this seat took its layer off: together the others may read those."""

    @property
    def hidden(self) -> set[Pair]:
        """What nobody else may ever read."""
        court = {pair for pair in self.court if pair.U not in self.known}
        return (set(self.held) - self.opened) | court


def course_of(party: Party, seat: int) -> Course:
    """Follow the game and note what became of each card."""
    course, table, key = Course(), party.new_table(None), key_of(party, seat)
    for signed in party.messages():
        before = table.game.deck
        table.receive(signed.raw)
        deck = table.game.deck
        if before is None or deck is None:
            continue
        if signed.message.seat == seat and signed.message.kind is Kind.LEAVE:
            course.known |= {pair.U for pair in before.court}
        if signed.message.seat == seat and signed.message.kind is Kind.OPEN:
            course.opened |= set(before.face_down(seat)) - set(deck.face_down(seat))
        if seat in deck.keys:
            course.court |= {pair for pair in deck.court if pair.U != IDENTITY}
        for owner in party.terms.seats:
            for pair in (*deck.face_down(owner), *deck.drawn.get(owner, ())):
                if owner == seat:
                    card = subtract(pair.V, multiply(key, pair.U))
                    course.held[pair] = deck.plaintexts.index(card)
                else:
                    course.known.add(pair.U)
    course.known |= {pair.U for pair in course.opened}
    return course


@pytest.mark.parametrize("honest", [0, 1, 2])
@pytest.mark.parametrize(
    "game", [*GAMES, (3, 1, any_legal)], ids=["base", "inquisitor", "fives", "any"]
)
def test_all_others_together_read_no_hidden_card_of_an_honest_seat(game: Game, honest: int) -> None:
    seats = game[0]
    honest %= seats
    party = played(*game)
    coalition = Coalition.of(party, [seat for seat in range(seats) if seat != honest])
    plaintexts = party.tables[0].game.cards.plaintexts
    course = course_of(party, honest)
    assert len(course.hidden) > 5
    read = {pair: coalition.reads(pair, plaintexts) for pair in course.hidden}
    assert not any(read.values())
    # The attack is a real one: it reads what was turned up, and with the last key everything.
    assert course.opened or party.tables[0].outcome == Outcome(Seat(honest))
    for pair in course.opened:
        assert coalition.reads(pair, plaintexts) == {course.held[pair]}
    everybody = Coalition.of(party, list(range(seats)))
    for pair, kind in course.held.items():
        assert kind in everybody.reads(pair, plaintexts)


def test_no_secret_is_ever_sent() -> None:
    party = played(3, 3, BUSY)
    sent = b"".join(party.raws())
    for seat in range(3):
        player = Player(party.terms, party.identities[seat], party.seeds[seat])
        key = encode_scalar(player.secrets.key)
        private = party.identities[seat].private_key.private_bytes_raw()
        for secret in (party.seeds[seat], key, private):
            assert len(secret) == 32
            assert secret not in sent
            assert secret[::-1] not in sent
        assert player.secrets.coin in sent  # the coin is opened, and would be found
