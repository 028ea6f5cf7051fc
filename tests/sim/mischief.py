"""Cheats that wait for no moment: at any time a dishonest peer may send whatever it likes.

Each gives the payloads for its neighbours. What no honest seat would sign and anybody can prove is
entered as a `Lie`; the rest must simply do no harm.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2pcoup.node.gossip import Have, Passed, encode_gossip
from p2pcoup.rules import Seat
from p2pcoup.table import Table
from p2pcoup.table.open_round import MAX_ATTEMPTS, NOBODY, Statement
from p2pcoup.wire import Identity, Kind, Message, SignedMessage, WireError, sign
from tests.sim.forgery import STATEMENTS
from tests.sim.inside import open_round, wanted_in
from tests.sim.record import Lie


@dataclass(slots=True)
class Occasion:
    """A peer with bad intentions and its table.

    Attributes:
        payloads: what all its neighbours are to get.
        apart: of these each neighbour gets one.
    """

    table: Table
    seat: Seat
    identity: Identity
    luck: random.Random
    payloads: list[bytes] = field(default_factory=list)
    apart: list[bytes] = field(default_factory=list)
    lies: list[Lie] = field(default_factory=list)

    def message(self, kind: Kind, *body: bytes | str) -> Message:
        """A message of our seat for the open round."""
        table = self.table
        place = (table.terms.game_id, table.round, self.seat, open_round(table).parent)
        return Message(*place, kind, body)

    def send(self, raw: bytes) -> None:
        """Have it sent to everybody."""
        self.payloads.append(encode_gossip(Passed(raw)))

    def signed(self, message: Message) -> SignedMessage:
        """Sign it and have it sent."""
        signed = sign(message, self.identity)
        self.send(signed.raw)
        return signed

    def lie(self, cheat: str, *messages: Message, false: bool = True) -> None:
        """Sign and send what no honest seat would."""
        raws = tuple(self.signed(message).raw for message in messages)
        self.lies.append(Lie(self.seat, cheat, raws, false))

    def spoken(self) -> list[SignedMessage]:
        """All messages of the game so far."""
        return list(self.table.transcript())


Mischief = Callable[[Occasion], None]
_MISCHIEF: dict[str, Mischief] = {}
MISCHIEF = MappingProxyType(_MISCHIEF)
"""Every kind of it by name."""


def mischief(name: str) -> Callable[[Mischief], Mischief]:
    """Enter it into the catalogue."""

    def enter(make: Mischief) -> Mischief:
        _MISCHIEF[name] = make
        return make

    return enter


@mischief("out-of-turn")
def out_of_turn(occasion: Occasion) -> None:
    """Speaks in a round that does not ask it to."""
    others = [s.message for s in occasion.spoken() if s.message.kind not in STATEMENTS]
    if others and occasion.seat not in wanted_in(occasion.table).speakers:
        model = occasion.luck.choice(others)
        occasion.lie("out-of-turn", occasion.message(model.kind, *model.body))


@mischief("second-word")
def second_word(occasion: Occasion) -> None:
    """Says something else for a round in which it has spoken."""
    own = [
        s.message
        for s in occasion.spoken()
        if s.message.seat == occasion.seat and s.message.kind not in STATEMENTS
    ]
    if own:
        message = occasion.luck.choice(own[-4:])
        body = tuple(_altered(part, occasion.luck) for part in message.body)
        occasion.lie("second-word", replace(message, body=body), false=False)


def _altered(part: bytes | str, luck: random.Random) -> bytes | str:
    if isinstance(part, str):
        return part[:-1] + "~"
    at = luck.randrange(len(part))
    return part[:at] + bytes([part[at] ^ 1]) + part[at + 1 :]


def _others(occasion: Occasion) -> Sequence[Seat]:
    return sorted(open_round(occasion.table).members - {occasion.seat})


@mischief("senseless-absence")
def senseless_absence(occasion: Occasion) -> None:
    """States the absence of itself or of nobody who plays, or nothing that can be read."""
    texts = (f"1:{occasion.seat}", "1:9", ":", "me", "1:2,1", "1:01", "0:1", "1", "100:0")
    text = occasion.luck.choice(texts)
    occasion.lie("senseless-absence", occasion.message(Kind.ABSENT, text))


def _some_other(occasion: Occasion) -> list[Seat]:
    """One other seat of those that may be called absent by us; none if we may not."""
    others = _others(occasion)
    members = open_round(occasion.table).members
    return [occasion.luck.choice(others)] if others and occasion.seat in members else []


@mischief("both-ways")
def both_ways(occasion: Occasion) -> None:
    """Calls a seat absent and, in the same attempt, nobody."""
    for other in _some_other(occasion):
        attempt = open_round(occasion.table).latest_attempt + 1
        texts = [Statement(attempt, seats).text for seats in (frozenset({other}), NOBODY)]
        occasion.luck.shuffle(texts)
        occasion.lie("both-ways", *(occasion.message(Kind.ABSENT, text) for text in texts))


@mischief("two-sets")
def two_sets(occasion: Occasion) -> None:
    """Makes two statements of absence in one attempt."""
    others = _others(occasion)
    if len(others) > 1 and occasion.seat in open_round(occasion.table).members:
        attempt = open_round(occasion.table).latest_attempt + 1
        sets = [frozenset({seat}) for seat in occasion.luck.sample(others, 2)]
        texts = [Statement(attempt, each).text for each in sets]
        occasion.lie("two-sets", *(occasion.message(Kind.ABSENT, text) for text in texts))


@mischief("split-sets")
def split_sets(occasion: Occasion) -> None:
    """Tells some that a seat is absent, and the others in the same attempt that nobody is."""
    for other in _some_other(occasion):
        attempt = open_round(occasion.table).latest_of(occasion.seat) + 1
        texts = [Statement(attempt, seats).text for seats in (frozenset({other}), NOBODY)]
        messages = [occasion.message(Kind.ABSENT, text) for text in texts]
        raws = tuple(sign(message, occasion.identity).raw for message in messages)
        occasion.apart += [encode_gossip(Passed(raw)) for raw in raws]
        occasion.lies.append(Lie(occasion.seat, "split-sets", raws, false=True))


@mischief("last-attempt")
def last_attempt(occasion: Occasion) -> None:
    """Uses up all the attempts there can be, at once or one by one. That alone is no lie."""
    now = open_round(occasion.table)
    for other in _some_other(occasion):
        first = occasion.luck.choice((MAX_ATTEMPTS, now.latest_of(occasion.seat) + 1))
        for attempt in range(first, MAX_ATTEMPTS + 1):
            text = Statement(attempt, frozenset({other})).text
            occasion.signed(occasion.message(Kind.ABSENT, text))


@mischief("impostor")
def impostor(occasion: Occasion) -> None:
    """Signs in the name of another seat, and lets a stranger sign in its own."""
    spoken = occasion.spoken()
    if spoken:
        model = occasion.luck.choice(spoken[-6:]).message
        others = _others(occasion) or [Seat(model.seat)]
        occasion.signed(replace(model, seat=occasion.luck.choice(others)))
        stranger = Ed25519PrivateKey.from_private_bytes(occasion.luck.randbytes(32))
        occasion.send(sign(replace(model, seat=occasion.seat), Identity(stranger)).raw)


@mischief("garbage")
def garbage(occasion: Occasion) -> None:
    """Bytes that are no messages, from nearly right to hopeless."""
    luck, spoken = occasion.luck, occasion.spoken()
    occasion.send(luck.randbytes(luck.randint(1, 300)))
    occasion.payloads.append(luck.randbytes(luck.randint(1, 300)))
    occasion.payloads.append(b"")
    if spoken:
        raw = luck.choice(spoken).raw
        at = luck.randrange(len(raw))
        occasion.send(raw[:at])
        occasion.send(raw[:at] + bytes([raw[at] ^ (1 << luck.randrange(8))]) + raw[at + 1 :])


@mischief("replay")
def replay(occasion: Occasion) -> None:
    """Old messages of everybody once more."""
    spoken = occasion.spoken()
    for signed in occasion.luck.sample(spoken, min(10, len(spoken))):
        occasion.send(signed.raw)


@mischief("future")
def future(occasion: Occasion) -> None:
    """Words for rounds to come, on a course of the game that will never be."""
    for signed in occasion.spoken()[-3:]:
        ahead = occasion.table.round + occasion.luck.choice((1, 1, 2, 3, 200))
        parent = occasion.luck.randbytes(32)
        message = replace(signed.message, seat=occasion.seat, round=ahead, parent=parent)
        occasion.signed(message)


@mischief("false-have")
def false_have(occasion: Occasion) -> None:
    """Says that it has more or less of the game than it has, again and again."""
    game = occasion.luck.choice((occasion.table.terms.game_id, bytes(32)))
    for _ in range(5):
        closed = occasion.luck.choice((0, 0, occasion.table.round, 2**40))
        have = Have(game, closed, occasion.luck.random() < 0.3)
        try:
            occasion.payloads.append(encode_gossip(have))
        except WireError:
            continue
