"""Seats that take every step of the card layer as honest peers do. Not a test module."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from p2pcoup.deck import (
    Deck,
    Draw,
    Pair,
    Point,
    Randomness,
    Revealing,
    Scalar,
    begin_recovery,
    card_plaintexts,
    check_flags,
    check_key,
    check_shares,
    deduct,
    deducted,
    draw,
    exchange,
    exchanged,
    give_back,
    give_flags,
    give_shares,
    given_back,
    leave,
    left,
    mix,
    mixed,
    new_deck,
    open_cards,
    opened,
    pick,
    picked,
    prove_key,
    read,
    read_shown,
    recovered,
    show_to,
    shown_to,
    shuffle,
    shuffled,
    with_returned,
)
from p2pcoup.deck.deck import with_fresh
from p2pcoup.deck.elgamal import re_encrypt
from p2pcoup.deck.group import IDENTITY, multiply, reduce_scalar, subtract

LABELS = ("red", "green", "blue", "white", "black")
SIX_LABELS = (*LABELS, "brown")


@dataclass
class CardTable:
    """Some seats, each with its secret, and the deck they all see."""

    secrets: dict[int, Scalar]
    randomness: Randomness
    deck: Deck
    rounds: int = 0
    recovery: list[bytes] = field(default_factory=list)
    """The messages of the last recovery, in order."""

    @classmethod
    def of(
        cls, seats: int, kinds: Sequence[int], seed: int = 0, labels: Sequence[str] = LABELS
    ) -> "CardTable":
        """A table with proven keys and an unshuffled deck."""
        randomness = Randomness(seed.to_bytes(32, "big"))
        secrets = {seat: randomness.scalar() for seat in range(seats)}
        keys = {}
        for seat, secret in secrets.items():
            domain = b"key of seat %d" % seat
            keys[seat] = check_key(domain, prove_key(domain, secret, randomness))
        return cls(secrets, randomness, new_deck(card_plaintexts(labels), kinds, keys))

    @classmethod
    def dealt(cls, seats: int, kinds: Sequence[int], hand_size: int = 2) -> "CardTable":
        """A table where everybody has shuffled and every seat holds ``hand_size`` cards."""
        table = cls.of(seats, kinds)
        table.shuffle_all()
        table.deal(hand_size)
        return table

    @classmethod
    def arranged(
        cls,
        cards: Sequence[int],
        hands: Sequence[Sequence[int | None]],
        drawn: Sequence[Sequence[int]] | None = None,
        face_up: Sequence[int] = (),
    ) -> "CardTable":
        """A table where the cards lie as said, one hand per seat, the others in the Court, as if
        it had been played until there. (Playing it takes a second or more.)
        """
        table = cls.of(len(hands), cards, labels=SIX_LABELS)
        deck, rest = table.deck, list(cards)

        def lay(kind: int, key: Point) -> Pair:
            rest.remove(kind)
            return re_encrypt(Pair(IDENTITY, deck.plaintexts[kind]), key, table.randomness.scalar())

        held = {
            seat: tuple(None if kind is None else lay(kind, deck.keys[seat]) for kind in hand)
            for seat, hand in enumerate(hands)
        }
        beside = {
            seat: tuple(lay(kind, deck.keys[seat]) for kind in kinds)
            for seat, kinds in enumerate(drawn or ())
            if kinds
        }
        for kind in face_up:
            rest.remove(kind)
        court = tuple(lay(kind, deck.joint_key) for kind in tuple(rest))
        table.deck = with_fresh(
            replace(deck, hands=held, drawn=beside, court=court, face_up=tuple(face_up)),
            [pair for pairs in (*held.values(), *beside.values(), court) for pair in pairs if pair],
        )
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

    def recover(self, lost: Collection[int]) -> None:
        """These seats are gone, and the others make a new Court without them."""
        revealing, shares = self.recover_until_shares(lost)
        self.deck = recovered(revealing, shares)

    def recover_until_shares(
        self, lost: Collection[int]
    ) -> tuple[Revealing, dict[int, tuple[Point, ...]]]:
        """The same but for the last step: what was published is there, the deck is the old one."""
        sent: list[bytes] = []
        phase, randomness = begin_recovery(self.deck, lost), self.randomness
        for seat in phase.waiting:
            domain = self.domain()
            sent.append(deduct(phase, seat, self.secrets[seat], domain, randomness))
            phase = deducted(phase, seat, domain, sent[-1])
        mixing = phase.mixing()
        for seat in mixing.waiting:
            domain = self.domain()
            sent.append(mix(mixing, seat, domain, randomness))
            mixing = mixed(mixing, seat, domain, sent[-1])
        revealing, shares = mixing.revealing(), {}
        for seat in revealing.speakers:
            domain = self.domain()
            sent.append(give_flags(revealing, seat, self.secrets[seat], domain, randomness))
            shares[seat] = check_flags(revealing, seat, domain, sent[-1])
        self.recovery = sent
        return revealing, shares

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
