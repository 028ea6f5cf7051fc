"""Fixtures for the card layer: seats that take every step, and systematic damage to messages."""

import importlib.util
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest

from p2pcoup.deck import (
    Check,
    Deck,
    Draw,
    Pair,
    ProofError,
    Randomness,
    Scalar,
    card_plaintexts,
    check_key,
    check_shares,
    draw,
    exchange,
    exchanged,
    give_shares,
    leave,
    left,
    new_deck,
    open_cards,
    opened,
    prove_key,
    read,
    shuffle,
    shuffled,
    with_returned,
)
from p2pcoup.deck.group import encode_scalar, multiply, multiply_base, reduce_scalar, subtract

LABELS = ("red", "green", "blue", "white", "black")


@dataclass
class CardTable:
    """Some seats, each with its secret, that take every step as honest peers do."""

    secrets: dict[int, Scalar]
    randomness: Randomness
    deck: Deck
    rounds: int = 0

    @classmethod
    def of(cls, seats: int, kinds: Sequence[int], seed: int = 0) -> "CardTable":
        randomness = Randomness(seed.to_bytes(32, "big"))
        secrets = {seat: randomness.scalar() for seat in range(seats)}
        keys = {}
        for seat, secret in secrets.items():
            domain = b"key of seat %d" % seat
            keys[seat] = check_key(domain, prove_key(domain, secret, randomness))
        return cls(secrets, randomness, new_deck(card_plaintexts(LABELS), kinds, keys))

    def domain(self) -> bytes:
        """A new one for every message."""
        self.rounds += 1
        return b"test, round %d" % self.rounds

    def shuffle_all(self) -> None:
        for _ in self.deck.keys:
            domain = self.domain()
            self.deck = shuffled(self.deck, domain, shuffle(self.deck, domain, self.randomness))

    def draw(self, draws: Sequence[Draw]) -> None:
        shares = {}
        for giver in self.deck.keys:
            if any(one.seat != giver for one in draws):
                domain = self.domain()
                data = give_shares(
                    self.deck, giver, self.secrets[giver], draws, domain, self.randomness
                )
                shares[giver] = check_shares(self.deck, giver, draws, domain, data)
        self.deck = draw(self.deck, draws, shares)

    def deal(self, hand_size: int = 2) -> None:
        self.draw([Draw(seat, slot) for slot in range(hand_size) for seat in self.deck.keys])

    def open(self, seat: int, slots: Sequence[int]) -> tuple[int, ...]:
        domain = self.domain()
        data = open_cards(self.deck, seat, self.secrets[seat], slots, domain, self.randomness)
        self.deck, kinds = opened(self.deck, seat, slots, domain, data)
        return kinds

    def give_back(self, kind: int) -> None:
        self.deck = with_returned(self.deck, kind)

    def exchange(self, seat: int, keep: Sequence[int]) -> None:
        domain = self.domain()
        data = exchange(self.deck, seat, self.secrets[seat], keep, domain, self.randomness)
        self.deck = exchanged(self.deck, seat, domain, data)

    def leave(self, seat: int) -> None:
        domain = self.domain()
        data = leave(self.deck, seat, self.secrets[seat], domain, self.randomness)
        self.deck = left(self.deck, seat, domain, data)

    def hand(self, seat: int) -> list[int]:
        cards = read(self.deck, seat, self.secrets[seat])
        return [kind for kind in (*cards.hand, *cards.drawn) if kind is not None]

    def court(self) -> list[int]:
        """What lies in the Court, with all secrets at once: no seat could do this."""
        joint = Scalar(sum(self.secrets[seat] for seat in self.deck.keys))
        return [self.kind(pair, joint) for pair in self.deck.court]

    def kind(self, pair: Pair, secret: int) -> int:
        plaintext = subtract(pair.V, multiply(reduce_scalar(secret), pair.U))
        return self.deck.plaintexts.index(plaintext)

    def everything(self) -> list[int]:
        """All kinds in the game, sorted."""
        hands = [kind for seat in self.deck.keys for kind in self.hand(seat)]
        return sorted([*self.court(), *hands, *self.deck.face_up])


@pytest.fixture
def card_table() -> Callable[..., CardTable]:
    """``card_table(seats, kinds, seed=0)``: a table with proven keys and an unshuffled deck."""
    return CardTable.of


@pytest.fixture
def randomness() -> Randomness:
    return Randomness(b"seed of the deck tests, 32 bytes")


@contextmanager
def _refused(*checks: Check) -> Iterator[None]:
    with pytest.raises(ProofError) as caught:
        yield
    assert not checks or caught.value.check in checks, caught.value


@pytest.fixture
def refused() -> Callable[..., AbstractContextManager[None]]:
    """``with refused(*checks)``: the block refuses what a peer sent (for one of these reasons)."""
    return _refused


def _damaged(data: bytes) -> Iterator[bytes]:
    point = multiply_base(Scalar(123456789))
    scalar = encode_scalar(Scalar(987654321))
    fields = [data[i : i + 32] for i in range(0, len(data), 32)]
    for index, original in enumerate(fields):
        flipped = bytes([original[0] ^ 2]) + original[1:]
        replacements = [point, scalar, bytes(32), b"\xff" * 32, flipped]
        # a neighbouring field is certainly valid somewhere
        replacements.append(fields[index - 1])
        for replacement in replacements:
            if replacement != original:
                yield b"".join([*fields[:index], replacement, *fields[index + 1 :]])
    for index in range(len(fields) - 1):
        swapped = [*fields]
        swapped[index], swapped[index + 1] = swapped[index + 1], swapped[index]
        yield b"".join(swapped)
    yield from (data[:-1], data + b"\x00", data[1:], data[:-32], data + data[-32:], b"")


@pytest.fixture
def damaged() -> Callable[[bytes], Iterator[bytes]]:
    """Every way a message is damaged.

    Each 32-byte field replaced in turn (by a valid point, a valid scalar, zero, all ones, itself
    with one bit changed, its neighbour), neighbours swapped, the length wrong by a byte or a field.
    """
    return _damaged


@pytest.fixture(scope="session")
def make_vectors() -> ModuleType:
    """The generator of ``protocol/vectors``."""
    path = Path(__file__).with_name("make_vectors.py")
    spec = importlib.util.spec_from_file_location("deck_make_vectors", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
