"""What everybody at the table knows while the script runs: rules state, deck and history."""

from dataclasses import dataclass, field, replace

from p2pcoup.deck import Deck, Pair
from p2pcoup.rules import Event, Seat, State, apply
from p2pcoup.table.terms import Terms


@dataclass(frozen=True, slots=True)
class Happened:
    """One step of the rules: the state before, the move or fact, the state after."""

    before: State
    event: Event
    after: State


@dataclass(frozen=True, slots=True)
class ShownCard:
    """A card that one seat has shown to another (R52): public, but only the reader can read it.

    ``at`` is the place of the rules' `Shown` in the history.
    """

    at: int
    seat: Seat
    slot: int
    reader: Seat
    pair: Pair


@dataclass(slots=True)
class Game:
    """The public side of one game, equal at every player, spectator and auditor.

    Only the script writes to it. ``deck`` and ``state`` exist from the deal on.

    Attributes:
        public_keys: Ed25519 identity key of each seat, as it joined.
        exchanged: for each settled exchange or forced redraw its seat and the deck before and
            after it; the seat's own player reads from them what it has put back.
        picked: the deck as it was when a seat had picked from its set of five.
        shown: the cards that were shown to one seat alone.
        lost: the seats the others have gone on without.
    """

    terms: Terms
    public_keys: dict[Seat, bytes] = field(default_factory=dict)
    deck: Deck | None = None
    state: State | None = None
    happened: list[Happened] = field(default_factory=list)
    exchanged: list[tuple[Seat, Deck, Deck]] = field(default_factory=list)
    picked: dict[Seat, Deck] = field(default_factory=dict)
    shown: list[ShownCard] = field(default_factory=list)
    lost: set[Seat] = field(default_factory=set)

    def apply(self, event: Event) -> None:
        """Take one step of the rules and remember it."""
        before = self.playing
        self.state = apply(before, event)
        self.happened.append(Happened(before, event, self.state))

    @property
    def playing(self) -> State:
        """The rules state of a game that has been dealt."""
        if self.state is None:
            raise RuntimeError("the game has not been dealt yet")
        return self.state

    @property
    def cards(self) -> Deck:
        """The deck of a game whose keys are agreed."""
        if self.deck is None:
            raise RuntimeError("the keys of this game are not agreed yet")
        return self.deck

    def take_back(self, deck: Deck) -> None:
        """Return to the deck as it was before a step that a loss has made void. What has been in
        the deck since counts as seen all the same.
        """
        self.deck = replace(deck, seen=deck.seen | self.cards.seen)

    @property
    def present(self) -> tuple[Seat, ...]:
        """The seats that are not lost."""
        return tuple(seat for seat in self.terms.seats if seat not in self.lost)

    @property
    def members(self) -> frozenset[Seat]:
        """The seats that are in the game: not lost, and, once there are cards, still in the joint
        key. An eliminated seat is no member any more when it has taken its layer off.
        """
        seats = self.terms.seats if self.deck is None else self.holders
        return frozenset(seats) - self.lost

    @property
    def holders(self) -> tuple[Seat, ...]:
        """The seats whose key still locks the Court deck: those that shuffle and give shares."""
        return tuple(Seat(seat) for seat in sorted(self.cards.keys))

    @property
    def history(self) -> tuple[Event, ...]:
        """All moves and facts so far, oldest first."""
        return tuple(step.event for step in self.happened)
