"""The deck as public state: equal at every peer, changed only by the transitions of ``court``,
``hand``, ``choice`` and ``recovery``. SPEC 7.

A card lives like this: it lies in the Court under the joint key of all seats (``court``: keys,
shuffle, shares, draw, leave), comes into a hand under its owner's key, and is shown or opened
(``hand``: read, open, return, show) or moves unseen (``choice``: exchange, pick, give back). When
seats are gone for good, the others make a new Court without them (``recovery``).
Each step that a peer speaks has a maker, which runs at that seat, and a checker beside it, which
turns the message into the next ``Deck`` or raises ``ProofError``. Positions and inputs always come
from the ``Deck``, never from the message. A ``Deck`` never changes; a refused message leaves the
caller with the one it had.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final, NamedTuple

from p2pcoup.deck.elgamal import Pair
from p2pcoup.deck.errors import Check, DeckUseError, ProofError
from p2pcoup.deck.group import (
    IDENTITY,
    Point,
    Scalar,
    hash_to_point,
    multiply_base,
    sum_points,
)
from p2pcoup.deck.rows import MAX_ROWS

HAND_SIZE: Final = 2

Hand = tuple[Pair | None, ...]
"""The slots of one seat; None: no face-down card there."""


class Draw(NamedTuple):
    """One card to be drawn.

    The k-th ``Draw`` of a sequence takes position k of the Court: the top comes first.
    """

    seat: int
    slot: int | None
    """Where in the hand it goes; None: beside the hand (``Deck.drawn``), until the seat exchanges
    or gives back.
    """


@dataclass(frozen=True, slots=True)
class Deck:
    """All cards of a game as everybody sees them.

    Made by ``new_deck``; every other one is made from one.
    """

    plaintexts: tuple[Point, ...]
    """M_c for each kind of card; the kind is the index."""
    copies: tuple[int, ...] | None
    """How many cards of each kind there are in all: in the Court, held and face up.

    None if nobody knows, once a card of an unknown kind was picked into the deck (SPEC 7.11).
    """
    keys: Mapping[int, Point]
    """Y_i of the seats still in the joint key, in seat order."""
    joint_key: Point
    """The sum of ``keys``.

    It is the identity only if the seats left are all in league (their keys cancel).
    """
    court: tuple[Pair, ...]
    """The face-down pile under the joint key; position 0 is drawn first."""
    hands: Mapping[int, Hand]
    """Of every seat, also of those that left; each card is under its owner's key alone."""
    drawn: Mapping[int, tuple[Pair, ...]]
    """Cards drawn and not yet in a hand, under the drawer's key; only seats that have some."""
    face_up: tuple[int, ...]
    """Kinds of the cards opened and not returned, in the order they were opened."""
    seen: frozenset[Point]
    """Every first component that ever was in the deck.

    One that comes again is refused (attack 11).
    """

    def face_down(self, seat: int) -> tuple[Pair, ...]:
        """The cards in the hand of ``seat``, in slot order."""
        return tuple(pair for pair in self.hands.get(seat, ()) if pair is not None)

    def held(self, seat: int) -> tuple[Pair, ...]:
        """All cards under the key of ``seat``: the face-down ones in slot order, then the drawn."""
        return (*self.face_down(seat), *self.drawn.get(seat, ()))


def card_plaintexts(labels: Sequence[str]) -> tuple[Point, ...]:
    """SPEC 4.4: a plaintext per kind of card, from its label; copies share it (attacks 1, 16)."""
    if not labels or len(set(labels)) != len(labels):
        raise DeckUseError("each kind of card needs a label of its own")
    return tuple(hash_to_point(b"card", label.encode()) for label in labels)


def new_deck(
    plaintexts: Sequence[Point],
    kinds: Sequence[int],
    keys: Mapping[int, Point],
    hand_size: int = HAND_SIZE,
) -> Deck:
    """SPEC 7.2: the deck before the first shuffle: every card lies open in the Court, in the order
    of ``kinds``.

    ``keys`` are points that ``check_key`` returned, in seat order. Raises ``ProofError`` (keys) for
    two equal keys or keys that cancel out, ``DeckUseError`` for what the caller should know better.
    """
    if not 1 <= len(kinds) <= MAX_ROWS or not all(0 <= kind < len(plaintexts) for kind in kinds):
        raise DeckUseError(f"a deck has 1 to {MAX_ROWS} cards of the {len(plaintexts)} kinds")
    if len(keys) < 2:
        raise DeckUseError("a deck needs the keys of two seats or more")
    if len(set(keys.values())) != len(keys):
        raise ProofError(Check.KEYS, "two seats have the same key: one of them is a copy")
    joint_key = sum_points(keys.values())
    if joint_key == IDENTITY:
        raise ProofError(
            Check.KEYS, "the keys of all seats cancel out: the cards would not be hidden"
        )
    return Deck(
        plaintexts=tuple(plaintexts),
        copies=tuple(kinds.count(kind) for kind in range(len(plaintexts))),
        keys=MappingProxyType(dict(keys)),
        joint_key=joint_key,
        court=tuple(Pair(IDENTITY, plaintexts[kind]) for kind in kinds),
        hands=MappingProxyType(dict.fromkeys(keys, (None,) * hand_size)),
        drawn=MappingProxyType({}),
        face_up=(),
        seen=frozenset({IDENTITY}),
    )


# --- helpers of the transitions -------------------------------------------------------------------


def with_fresh(deck: Deck, pairs: Iterable[Pair]) -> Deck:
    """``deck`` remembering the first components of received ``pairs``.

    Raises ``ProofError`` (first-component) if one was ever there before, or is there twice: of two
    pairs with one first component the difference of the cards is public, and a share for one is a
    share for the other.
    """
    seen = set(deck.seen)
    for pair in pairs:
        if pair.U in seen:
            raise ProofError(
                Check.FIRST_COMPONENT, "a card comes with the first component of an earlier card"
            )
        seen.add(pair.U)
    return replace(deck, seen=frozenset(seen))


def with_hand(deck: Deck, seat: int, slots: Mapping[int, Pair | None]) -> Deck:
    """``deck`` with these slots of ``seat`` replaced."""
    hand = tuple(slots.get(slot, pair) for slot, pair in enumerate(deck.hands[seat]))
    return replace(deck, hands=MappingProxyType({**deck.hands, seat: hand}))


def key_of(deck: Deck, seat: int) -> Point:
    """Y of a seat that is still in. Raises ``DeckUseError`` otherwise."""
    key = deck.keys.get(seat)
    if key is None:
        raise DeckUseError(f"seat {seat} has no key in this deck (any more)")
    return key


def own_key(deck: Deck, seat: int, secret: Scalar) -> Point:
    """Y of ``seat``.

    Raises ``DeckUseError`` unless ``secret`` belongs to it: proofs made with another one cannot
    hold.
    """
    key = key_of(deck, seat)
    if multiply_base(secret) != key:
        raise DeckUseError(f"the secret key given is not that of seat {seat}")
    return key


def card_in(deck: Deck, seat: int, slot: int) -> Pair:
    """The face-down card in ``slot``. Raises ``DeckUseError`` if there is none."""
    hand = deck.hands.get(seat, ())
    pair = hand[slot] if 0 <= slot < len(hand) else None
    if pair is None:
        raise DeckUseError(f"seat {seat} has no face-down card in slot {slot}")
    return pair


def kind_of(deck: Deck, plaintext: Point) -> int:
    """The kind with this plaintext. Raises ``ProofError`` (plaintext) if it is no card at all."""
    try:
        return deck.plaintexts.index(plaintext)
    except ValueError:
        raise ProofError(Check.PLAINTEXT, "what was opened is no card of this deck") from None


@contextmanager
def checking(
    what: str, seat: int | None = None, equality: Check = Check.EQUALITY_PROOF
) -> Iterator[None]:
    """Say in a ``ProofError`` of the block what was checked, and whose.

    A refused equality proof is named ``equality``, after what it was to show.
    """
    try:
        yield
    except ProofError as error:
        check = equality if error.check is Check.EQUALITY_PROOF else error.check
        whose = what if seat is None else f"{what} of seat {seat}"
        raise ProofError(check, f"{whose} does not hold: {error}") from error
