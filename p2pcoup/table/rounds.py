"""Rounds: what the game script asks the table for (SPEC 8.2).

The game is written as a generator (:mod:`p2pcoup.table.script`) that yields one :class:`Round` at
a time. A round names the seats that must speak, how a speaker makes its message, and how everybody
checks one. The table collects exactly one valid message from every speaker and resumes the script;
nothing else moves the game.
"""

import hashlib
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from p2pcoup.deck import Randomness, check_opening, commit
from p2pcoup.rules import Move, Seat, move_to_text
from p2pcoup.table.secrets import Secrets
from p2pcoup.wire import PROTOCOL_VERSION, Field, Kind, encode

DOMAIN_LABEL = "p2pcoup proof"
COIN_LABEL = "coin"

T = TypeVar("T")
Body: TypeAlias = tuple[Field, ...]


class Violation(Exception):  # noqa: N818 - it is the speaker's fault, not an error of this program
    """A signed message breaks the rules of its round. The table turns it into a Blame.

    Attributes:
        rule: short stable name of the rule broken, such as ``"kind"`` or ``"sealed-answer"``.
    """

    def __init__(self, rule: str, reason: str) -> None:
        super().__init__(reason)
        self.rule = rule


@dataclass(frozen=True, slots=True)
class Context:
    """Where in which game a message stands. Every proof and commitment in it is bound to all of it.

    ``parent`` is the digest of the previous closed round and so covers everything said before,
    the terms and every seat's fresh coin included.
    """

    game: bytes
    round: int
    seat: Seat
    parent: bytes

    @property
    def domain(self) -> bytes:
        """The domain of the proofs and commitments in this message (SPEC 8.2): one for each place
        in a game.
        """
        place = (DOMAIN_LABEL, PROTOCOL_VERSION, self.game, self.round, self.seat, self.parent)
        return hashlib.sha512(encode(place)).digest()


@dataclass(frozen=True, slots=True)
class Speaker:
    """Our own seat at the moment it speaks: its place, its secrets and, where asked, its move."""

    context: Context
    secrets: Secrets
    public_key: bytes
    move: Move | None = None

    @property
    def domain(self) -> bytes:
        """The domain of the proofs in this message."""
        return self.context.domain

    @property
    def randomness(self) -> Randomness:
        """Randomness of this message alone: the same again after a crash, never used elsewhere.

        The move is part of it, so two moves considered for one round share nothing.
        """
        choice = "" if self.move is None else move_to_text(self.move)
        return self.secrets.randomness(self.domain, choice.encode())

    @property
    def salt(self) -> bytes:
        """32 bytes that hide a commitment made in this message."""
        return self.secrets.salt(self.domain)

    @property
    def chosen(self) -> Move:
        """The player's move, in a round that asks for one."""
        if self.move is None:
            raise RuntimeError("this round needs the player's move")
        return self.move


@dataclass(frozen=True, slots=True)
class Round:
    """One round: who speaks, how, and what makes their message valid.

    Attributes:
        kind: the kind every message of the round must have.
        speakers: the seats that must speak, ascending; never empty.
        say: makes our own body from our secrets (only called for our own seat).
        hear: checks one body and keeps what it says; raises Violation, or the error of the
            package that refused it, when the message is not valid.
        asks: the message needs a move of the player; the table asks and waits.
    """

    kind: Kind
    speakers: tuple[Seat, ...]
    say: Callable[[Speaker], Body]
    hear: Callable[[Context, Body], None]
    asks: bool = False


Script: TypeAlias = Generator[Round, tuple[Seat, ...], T]
"""A part of the game: yields rounds, is told which speakers a round was closed without."""


class SeatsLostError(Exception):
    """A round was closed without a seat whose word it needed. What was begun is void."""


def speak(
    kind: Kind,
    speakers: Iterable[int],
    *,
    say: Callable[[Speaker], Body],
    hear: Callable[[Context, Body], T],
    asks: bool = False,
    partly: bool = False,
) -> Script[dict[int, T]]:
    """Play one round and return what was heard, in ascending order of the seats.

    With ``partly`` the words of the others count when a speaker is lost; without it a loss raises
    SeatsLostError.

    ``hear`` must depend on nothing but its arguments and the game as it stood when the round began:
    messages of one round arrive in any order and must be judged alike at every peer.
    """
    order = tuple(Seat(seat) for seat in sorted(speakers))
    heard: dict[int, T] = {}

    def keep(context: Context, body: Body) -> None:
        heard[context.seat] = hear(context, body)

    missing = yield Round(kind, order, say, keep, asks)
    if missing and not partly:
        raise SeatsLostError(missing)
    return {seat: heard[seat] for seat in order if seat not in missing}


def speak_alone(
    kind: Kind,
    speaker: Seat,
    *,
    say: Callable[[Speaker], Body],
    hear: Callable[[Context, Body], T],
    asks: bool = False,
) -> Script[T]:
    """A round with one speaker; returns what it said."""
    heard = yield from speak(kind, (speaker,), say=say, hear=hear, asks=asks)
    return heard[speaker]


def seal_value(context: Context, label: str, value: bytes, salt: bytes) -> bytes:
    """The commitment to a value in the message that has this place (SPEC 6.11)."""
    return commit(label, context.domain, value, salt)


def seal_coin(context: Context, secrets: Secrets) -> bytes:
    """The commitment to our own coin, as the message in that place holds it (SPEC 8.4)."""
    return seal_value(context, COIN_LABEL, secrets.coin, secrets.salt(context.domain))


def check_seal(sealed: tuple[Context, bytes], label: str, value: bytes, salt: bytes) -> None:
    """Raise ProofError unless the commitment, made in that place, was to this value."""
    context, commitment = sealed
    check_opening(commitment, label, context.domain, value, salt)


def one_bytes(body: Body) -> bytes:
    """The content of a body that is one field of bytes."""
    match body:
        case (bytes(data),):
            return data
    raise Violation("body", "The message does not have the one field of bytes its kind has.")


def two_bytes(body: Body) -> tuple[bytes, bytes]:
    """The content of a body that is two fields of bytes."""
    match body:
        case (bytes(first), bytes(second)):
            return first, second
    raise Violation("body", "The message does not have the two fields of bytes its kind has.")


def one_text(body: Body) -> str:
    """The content of a body that is one text."""
    match body:
        case (str(text),):
            return text
    raise Violation("body", "The message does not have the one text its kind has.")


def text_and_bytes(body: Body) -> tuple[str, bytes]:
    """The content of a body that is a text and a field of bytes."""
    match body:
        case (str(text), bytes(data)):
            return text, data
    raise Violation("body", "The message does not have the text and the bytes its kind has.")
