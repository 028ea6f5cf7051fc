"""What the node shows, as plain values (API 2); `reading` makes them from its messages."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody in a lobby."""

    peer: str
    name: str
    ready: bool
    bot: bool
    here: bool
    you: bool
    known: str
    """``new``, ``known`` or ``changed``: whether this name has had this key before."""
    watching: bool


@dataclass(frozen=True, slots=True)
class Playable:
    """An edition a table can be changed to, and for how many players it is."""

    edition: str
    fewest: int
    most: int


@dataclass(frozen=True, slots=True)
class Lobby:
    """A table that is not playing yet (API 2.1)."""

    table: str
    edition: str
    options: str
    games: int
    seats: int
    times: tuple[tuple[str, int], ...]
    """Seconds by name."""
    opener: str
    opener_here: bool
    invite: str
    address: str
    people: tuple[Person, ...]
    may: frozenset[str]
    why_not_start: str
    starting: bool
    notes: tuple[str, ...]
    editions: tuple[Playable, ...] = ()

    @property
    def you(self) -> Person | None:
        """The user."""
        return next((person for person in self.people if person.you), None)

    @property
    def opened_here(self) -> bool:
        """Whether the user keeps the table, and starts the game."""
        return self.you is not None and self.you.peer == self.opener


@dataclass(frozen=True, slots=True)
class SeatPicture:
    """One seat of a game, as everybody sees it."""

    seat: int
    name: str
    """The label: unlike the name it is unique."""
    peer: str
    link: str
    coins: int
    cards: tuple[str | None, ...]
    """Characters by slot; None: face down."""
    status: str
    out_turn: int | None

    @property
    def playing(self) -> bool:
        """Whether the seat is still in the game."""
        return self.status == "playing"


@dataclass(frozen=True, slots=True)
class Announced:
    """The action a turn is about."""

    seat: int
    action: str
    target: int | None
    claim: str | None
    blockers: tuple[str, ...] = ()
    blocked_by: str | None = None
    """``target``, ``anyone``, or None: nobody, or the node does not say."""


@dataclass(frozen=True, slots=True)
class Stage:
    """What the game is waiting for."""

    kind: str
    act: Announced | None
    block: tuple[int, str] | None
    """The seat that blocks and the character it claims."""
    waiting_for: tuple[int, ...]
    remaining_ms: int | None


@dataclass(frozen=True, slots=True)
class Claim:
    """How often a seat has claimed a character, and what came of it."""

    seat: int
    character: str
    claimed: int
    proven: int
    caught: int


@dataclass(frozen=True, slots=True)
class Seen:
    """A card that a seat has shown to the user alone."""

    seat: int
    character: str
    there: bool
    """Whether it must still be that seat's."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended."""

    winner: int
    by_absence: bool
    transcript: str
    audit: str
    """``pending``, ``valid`` or ``invalid``."""
    flaw: str
    """What an audit that failed has found."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game as this seat sees it (API 2.2)."""

    id: str
    table: str
    edition: str
    options: str
    number: int
    games: int
    you: int | None
    order: tuple[int, ...]
    seats: tuple[SeatPicture, ...]
    hand: tuple[str | None, ...]
    drawn: tuple[str, ...]
    aside: tuple[str, ...]
    examined: tuple[Seen, ...]
    """What others have shown to you alone, in that order."""
    court: int
    treasury: int
    turn: int | None
    turns: int
    stage: Stage
    claims: tuple[Claim, ...]
    characters: tuple[str, ...]
    """Of the edition, in its order; where the node does not list them, those seen so far."""
    outcome: Outcome | None
    score: tuple[tuple[str, int], ...]

    def seat(self, number: int | None) -> SeatPicture | None:
        """The seat with this number."""
        return next((seat for seat in self.seats if seat.seat == number), None)

    def name(self, number: int | None) -> str:
        """What the seat with this number is called."""
        seat = self.seat(number)
        return "?" if seat is None else seat.name

    @property
    def around(self) -> tuple[SeatPicture, ...]:
        """All seats clockwise, the user's first, else from the starter."""
        order = self.order or tuple(seat.seat for seat in self.seats)
        if self.you in order:
            at = order.index(self.you)
            order = order[at:] + order[:at]
        found = [seat for number in order if (seat := self.seat(number)) is not None]
        return (*found, *(seat for seat in self.seats if seat not in found))


@dataclass(frozen=True, slots=True)
class Move:
    """One of the answers to a question."""

    move: str
    """What is sent, unchanged."""
    kind: str
    action: str
    target: int | None
    character: str
    slot: int | None
    characters: tuple[str, ...]
    """Of a keep: the cards kept."""
    claim: str
    cost: int
    legal: bool
    why: str
    needs: int


@dataclass(frozen=True, slots=True)
class Question:
    """What the user is asked (API 2.3)."""

    id: str
    kind: str
    moves: tuple[Move, ...]
    concede: str
    default: str
    remaining_ms: int | None


@dataclass(frozen=True, slots=True)
class Again:
    """After a game: who wants another one."""

    asked: tuple[int, ...] = ()
    asking: bool = False
    unwilling: tuple[int, ...] = ()
    """The seats that have said that they do not."""


@dataclass(frozen=True, slots=True)
class State:
    """The whole picture."""

    phase: str = ""
    lobby: Lobby | None = None
    game: Game | None = None
    question: Question | None = None
    watching: int = 0
    muted: frozenset[str] = field(default_factory=frozenset)
    again: Again | None = None
    reason: str = ""
