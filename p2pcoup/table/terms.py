"""What everybody at a table signs up to, and the game id that follows from it (SPEC 8.1).

The terms hold no address: where a peer is reached is its own affair and may differ from peer to
peer. Equal terms give an equal game id, so the ``game`` text must be new for every game: a peer
never plays a second game under one id, because that could make it sign two different messages for
the same round.
"""

import hashlib
import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field

from p2pcoup.rules import (
    EDITIONS,
    USUAL,
    Edition,
    Options,
    RulesError,
    Seat,
    options_to_text,
    parse_options,
)
from p2pcoup.wire import PeerId, WireError, clean_name, decode, encode, parse_peer_id
from p2pcoup.wire.limits import DIGEST_BYTES, MAX_TERMS_BYTES

FORMAT = "p2pcoup terms 1"
GAME_LABEL = b"p2pcoup/1 game id"
MAX_SECONDS = 86_400  # a day
MAX_GAME_TEXT = 64  # characters; room for a date and a random suffix


class TermsError(ValueError):
    """The terms of a table are incomplete or contradict themselves; the message says where."""


@dataclass(frozen=True, slots=True)
class Member:
    """One line of the roster: who sits there (peer id) and how they want to be called."""

    peer: PeerId
    name: str


@dataclass(frozen=True, slots=True)
class Sequel:
    """What a later game of a match takes over from the one before (R7).

    Attributes:
        previous: the digest that the last round of the game before signs, 32 bytes.
        order: the seats clockwise as before, without those that were lost.
        starter: the winner of the game before; if it was lost at the end, the next one clockwise.
    """

    previous: bytes
    order: tuple[Seat, ...]
    starter: Seat


@dataclass(frozen=True, slots=True)
class Times:
    """How long the table waits for a seat, in seconds. All clocks are local: no time is ever in a
    message, so these bind nobody but by agreement.

    Attributes:
        decide: for a decision that one seat makes in the open.
        answer: for a sealed answer, in a window of several.
        grace: beyond that, before the others may state that a seat is gone; 0: at once.

    Raises:
        TermsError: a time out of bounds.
    """

    decide: int = 45
    answer: int = 20
    grace: int = 120

    def __post_init__(self) -> None:
        """Check the bounds."""
        for name, least in (("decide", 1), ("answer", 1), ("grace", 0)):
            value = getattr(self, name)
            if type(value) is not int or not least <= value <= MAX_SECONDS:
                raise TermsError(
                    f"The time {name} is {least} to {MAX_SECONDS} whole seconds, not {value!a}."
                )


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of one game. A member's place in ``roster`` is their seat number.

    Raises:
        TermsError: options or a sequel that do not fit the seats, wrong number of seats, a peer or
            a name twice, unusable text.
    """

    game: str
    edition: Edition
    roster: tuple[Member, ...]
    options: Options = USUAL
    times: Times = Times()
    sequel: Sequel | None = None
    _game_id: bytes = field(default=b"", init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not (1 <= len(self.game) <= MAX_GAME_TEXT and is_printable_ascii(self.game)):
            raise TermsError(
                f"The game's own text must be 1 to {MAX_GAME_TEXT} printable ASCII characters, "
                f"not {self.game!a}."
            )
        try:
            self.options.check(self.edition, len(self.roster))
        except ValueError as error:
            raise TermsError(f"This table cannot play: {error}.") from error
        for earlier, later in itertools.combinations(self.roster, 2):
            if earlier.peer == later.peer:
                raise TermsError(f"{earlier.name} and {later.name} are the same peer.")
            if earlier.name == later.name:
                raise TermsError(f"Two players at the table are called {later.name}.")
        self._check_sequel()

    def _check_sequel(self) -> None:
        match self.sequel:
            case Sequel(previous, order, starter) if (
                len(previous) != DIGEST_BYTES
                or sorted(order) != list(self.seats)
                or starter not in order
            ):
                raise TermsError("The game before, which these terms name, was of other seats.")

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All seats in ascending number."""
        return tuple(Seat(number) for number in range(len(self.roster)))

    @property
    def names(self) -> tuple[str, ...]:
        """The members' names by seat."""
        return tuple(member.name for member in self.roster)

    def seat_of(self, peer: PeerId) -> Seat | None:
        """The seat of a peer, or None for one that only watches."""
        for seat, member in zip(self.seats, self.roster, strict=True):
            if member.peer == peer:
                return seat
        return None

    def encode(self) -> bytes:
        """The one canonical encoding (SPEC 8.1), inverse of :func:`decode_terms`."""
        roster = [[member.peer, member.name] for member in self.roster]
        options = options_to_text(self.options)
        after = self.sequel
        sequel = () if after is None else (after.previous, after.order, after.starter)
        times = (self.times.decide, self.times.answer, self.times.grace)
        return encode((FORMAT, self.game, self.edition.name, options, times, roster, sequel))

    @property
    def game_id(self) -> bytes:
        """32 bytes that every message of this game names (SPEC 8.1)."""
        if not self._game_id:  # reckoned once: it is compared with every message that comes
            digest = hashlib.sha256(GAME_LABEL + self.encode()).digest()
            object.__setattr__(self, "_game_id", digest)
        return self._game_id


def decode_terms(data: bytes) -> Terms:
    """Read terms that came from elsewhere.

    Raises:
        TermsError: not the canonical encoding of valid terms.
    """
    try:
        fields = decode(data, max_bytes=MAX_TERMS_BYTES)
    except WireError as error:
        raise TermsError(f"The terms cannot be read: {error}") from error
    match fields:
        case [str(version), str(game), str(edition), str(options), [*times], [*lines], sequel] if (
            version == FORMAT
        ):
            roster = tuple(_decode_member(line) for line in lines)
        case _:
            raise TermsError("These are not the terms of a p2pcoup table of this version.")
    terms = Terms(
        game,
        edition_named(edition),
        roster,
        options_named(options),
        _decode_times(times),
        _decode_sequel(sequel),
    )
    if terms.encode() != data:
        raise TermsError("The terms are not in canonical form.")
    return terms


def edition_named(name: str) -> Edition:
    """The edition of that name; a TermsError names those there are."""
    try:
        return EDITIONS[name]
    except KeyError:
        known = ", ".join(sorted(EDITIONS))
        raise TermsError(f"There is no edition {name!a}; known: {known}.") from None


def options_named(text: str) -> Options:
    """The options with that canonical text; a TermsError says which there are."""
    try:
        return parse_options(text)
    except RulesError as error:
        raise TermsError(f"{error}.") from None


def is_printable_ascii(text: str) -> bool:
    """Whether the text is safe to show anywhere: no control characters, no lookalikes."""
    return text.isascii() and text.isprintable()


def _decode_times(values: Sequence[object]) -> Times:
    match values:
        case [int(decide), int(answer), int(grace)]:
            return Times(decide, answer, grace)
    raise TermsError("The terms do not say in canonical form how long the table waits.")


def _decode_sequel(value: object) -> Sequel | None:
    match value:
        case []:
            return None
        case [bytes(previous), [*order], starter]:
            first, *clockwise = (_decode_seat(seat) for seat in (starter, *order))
            return Sequel(previous, tuple(clockwise), first)
    raise TermsError("The terms do not say in canonical form which game they follow.")


def _decode_seat(value: object) -> Seat:
    if type(value) is not int:  # true and false are not 1 and 0, though Python takes them for it
        raise TermsError(f"The terms name as a seat what is no number: {str(value)[:40]!a}.")
    return Seat(value)


def _decode_member(line: object) -> Member:
    match line:
        case [str(peer), str(name)]:
            try:
                member = Member(parse_peer_id(peer), clean_name(name))
            except ValueError as error:
                raise TermsError(f"The roster cannot be read: {error}") from error
            if (member.peer, member.name) == (peer, name):
                return member
    raise TermsError("The roster holds a line that is not in canonical form.")
