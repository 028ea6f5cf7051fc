"""Seats that take every step of the card layer as honest peers do. Not a test module."""

from collections.abc import Sequence
from dataclasses import dataclass

from p2pcoup.deck import (
    Deck,
    Draw,
    Pair,
    Point,
    Randomness,
    Scalar,
    card_plaintexts,
    check_key,
    check_shares,
    draw,
    exchange,
    exchanged,
    give_back,
    give_shares,
    given_back,
    leave,
    left,
    new_deck,
    open_cards,
    opened,
    pick,
    picked,
    prove_key,
    read,
    read_shown,
    show_to,
    shown_to,
    shuffle,
    shuffled,
    with_returned,
)
from p2pcoup.deck.group import multiply, reduce_scalar, subtract

LABELS = ("red", "green", "blue", "white", "black")


@dataclass
class CardTable:
    """Some seats, each with its secret, and the deck they all see."""

    secrets: dict[int, Scalar]
    randomness: Randomness
    deck: Deck
    rounds: int = 0

    @classmethod
    def of(cls, seats: int, kinds: Sequence[int], seed: int = 0) -> "CardTable":
        """A table with proven keys and an unshuffled deck."""
        randomness = Randomness(seed.to_bytes(32, "big"))
        secrets = {seat: randomness.scalar() for seat in range(seats)}
        keys = {}
        for seat, secret in secrets.items():
            domain = b"key of seat %d" % seat
            keys[seat] = check_key(domain, prove_key(domain, secret, randomness))
        return cls(secrets, randomness, new_deck(card_plaintexts(LABELS), kinds, keys))

    @classmethod
    def dealt(cls, seats: int, kinds: Sequence[int], hand_size: int = 2) -> "CardTable":
        """A table where everybody has shuffled and every seat holds ``hand_size`` cards."""
        table = cls.of(seats, kinds)
        table.shuffle_all()
        table.deal(hand_size)
        return table

    def domain(self) -> bytes:
        """A new one for every message."""
        self.rounds += 1
        return b"test, round %d" % self.rounds

    def shuffle_all(self) -> None:
        """Every seat shuffles the Court in turn."""
        for _ in self.deck.keys:
            domain = self.domain()
            self.deck = shuffled(self.deck, domain, shuffle(self.deck, domain, self.randomness))

    def shares(self, draws: Sequence[Draw]) -> dict[int, tuple[Point, ...]]:
        """What every seat gives for these draws, checked."""
        shares = {}
        for giver in self.deck.keys:
            if any(one.seat != giver for one in draws):
                domain, secret = self.domain(), self.secrets[giver]
                data = give_shares(self.deck, giver, secret, draws, domain, self.randomness)
                shares[giver] = check_shares(self.deck, giver, draws, domain, data)
        return shares

    def draw(self, draws: Sequence[Draw]) -> None:
        """The top of the Court goes to these readers."""
        self.deck = draw(self.deck, draws, self.shares(draws))

    def deal(self, hand_size: int = 2) -> None:
        """The cards go round the table one at a time."""
        self.draw([Draw(seat, slot) for slot in range(hand_size) for seat in self.deck.keys])

    def open(self, seat: int, slots: Sequence[int]) -> tuple[int, ...]:
        """The kinds of the cards that the seat turns up."""
        domain = self.domain()
        data = open_cards(self.deck, seat, self.secrets[seat], slots, domain, self.randomness)
        self.deck, kinds = opened(self.deck, seat, slots, domain, data)
        return kinds

    def return_open(self, kind: int) -> None:
        """A card that was turned up goes back to the Court."""
        self.deck = with_returned(self.deck, kind)

    def exchange(self, seat: int, keep: Sequence[int]) -> None:
        """The seat keeps these of its cards and the drawn ones."""
        domain = self.domain()
        data = exchange(self.deck, seat, self.secrets[seat], keep, domain, self.randomness)
        self.deck = exchanged(self.deck, seat, domain, data)

    def show(self, seat: int, slot: int, reader: int) -> int:
        """The kind that the reader sees."""
        domain, secret = self.domain(), self.secrets[seat]
        data = show_to(self.deck, seat, secret, slot, reader, domain, self.randomness)
        self.deck, pair = shown_to(self.deck, seat, slot, reader, domain, data)
        return read_shown(self.deck, reader, self.secrets[reader], pair)

    def pick(self, seat: int, kinds: Sequence[int], kept: int, slot: int) -> None:
        """The seat takes one of these known cards into a slot."""
        domain = self.domain()
        data = pick(self.deck, seat, kinds, kept, slot, domain, self.randomness)
        self.deck = picked(self.deck, seat, kinds, slot, domain, data)

    def give_back(self, seat: int, slot: int) -> None:
        """The drawn card comes into the slot, the card there goes back to the Court."""
        domain = self.domain()
        data = give_back(self.deck, seat, self.secrets[seat], slot, domain, self.randomness)
        self.deck = given_back(self.deck, seat, slot, domain, data)

    def leave(self, seat: int) -> None:
        """The seat takes its layer off the Court."""
        domain = self.domain()
        data = leave(self.deck, seat, self.secrets[seat], domain, self.randomness)
        self.deck = left(self.deck, seat, domain, data)

    def hand(self, seat: int) -> list[int]:
        """The kinds a seat holds: its slots, then the drawn cards."""
        cards = read(self.deck, seat, self.secrets[seat])
        return [kind for kind in (*cards.hand, *cards.drawn) if kind is not None]

    def court(self) -> list[int]:
        """What lies in the Court, with all secrets at once: no seat could do this."""
        joint = sum(self.secrets[seat] for seat in self.deck.keys)
        return [self.kind(pair, joint) for pair in self.deck.court]

    def kind(self, pair: Pair, secret: int) -> int:
        """The kind of a pair under the key with this secret."""
        plaintext = subtract(pair.V, multiply(reduce_scalar(secret), pair.U))
        return self.deck.plaintexts.index(plaintext)

    def everything(self) -> list[int]:
        """All kinds in the game, sorted."""
        hands = [kind for seat in self.deck.keys for kind in self.hand(seat)]
        return sorted([*self.court(), *hands, *self.deck.face_up])
