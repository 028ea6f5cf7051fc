"""What peers tell each other over a link about a game (SPEC 9.6).

Three things only. ``have``: how many rounds the sender has closed, said when a link comes up, when
it has fallen behind, when it has finished and when it starts a game over a link that is there
already; the other end answers with every message from that round on. ``message``: one signed
message, passed on once by everybody who had not seen it. ``aside``: a signed word beside the game,
passed on in the same way. None is trusted: what is signed proves itself, and a false ``have`` only
costs its sender the messages.
"""

import math
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from p2pcoup.wire import MAX_MESSAGE_BYTES, PeerId, WireError, decode, encode

HAVE, MESSAGE, ASIDE = "have", "message", "aside"
MAX_GOSSIP_BYTES = MAX_MESSAGE_BYTES + 64  # the array, the tag and the length of the inner bytes
ANSWER_SECONDS = 0.5  # an honest peer asks when it links and at most once a round after that
ANSWER_RATE = 262_144  # bytes a second that one peer gets beyond the first piece
PIECE_BYTES = 1_048_576  # of an answer at once, far below what may wait for a slow peer


@dataclass(frozen=True, slots=True)
class Have:
    """The sender has closed this many rounds of the game; all of them when ``finished``."""

    game: bytes
    closed: int
    finished: bool


@dataclass(frozen=True, slots=True)
class Passed:
    """A signed message, as its author sent it."""

    raw: bytes


@dataclass(frozen=True, slots=True)
class Whispered:
    """A signed aside, as its author sent it."""

    raw: bytes


Gossip: TypeAlias = Have | Passed | Whispered


def encode_gossip(gossip: Gossip) -> bytes:
    """The payload of a link frame."""
    match gossip:
        case Have(game, closed, finished):
            return encode((HAVE, game, closed, finished))
        case Passed(raw):
            return encode((MESSAGE, raw))
        case Whispered(raw):
            return encode((ASIDE, raw))


def decode_gossip(payload: bytes) -> Gossip:
    """Read a payload from a link. Raises WireError for anything that is not exactly one."""
    match decode(payload, max_bytes=MAX_GOSSIP_BYTES):
        case (str(tag), bytes(game), int(closed), bool(finished)) if tag == HAVE and closed >= 0:
            if not isinstance(closed, bool):
                return Have(game, closed, finished)
        case (str(tag), bytes(raw)) if tag == MESSAGE:
            return Passed(raw)
        case (str(tag), bytes(raw)) if tag == ASIDE:
            return Whispered(raw)
    raise WireError("The peer sent something this version does not understand.")


class Requests:
    """Who asked for messages, and when they are due: one answer to a peer in ANSWER_SECONDS, a
    long one in pieces, with pauses in which it is no more than ANSWER_RATE.

    Whoever asks sooner is answered when the time has come, by what it said last. So a peer that
    repeats its ``have`` without end costs one pass over the game in that time, no more.
    """

    def __init__(self) -> None:
        self._asked: dict[PeerId, Have] = {}
        self._owed: dict[PeerId, deque[bytes]] = {}
        self._not_before: dict[PeerId, float] = {}

    def ask(self, peer: PeerId, have: Have) -> None:
        """The peer has this much of a game and wants what follows."""
        self._asked[peer] = have

    def due_at(self) -> float:
        """When the next answer is due, in seconds of the caller's clock; infinite if none is."""
        return min(map(self._due_at, (*self._asked, *self._owed)), default=math.inf)

    def take(self, now: float) -> list[tuple[PeerId, Have]]:
        """The peers to answer now, each with what it has."""
        due = [each for each in self._asked.items() if self._due_at(each[0]) <= now]
        for peer, _ in due:
            del self._asked[peer]
            self._owed.pop(peer, None)
            self._not_before[peer] = now + ANSWER_SECONDS
        return due

    def owe(self, peer: PeerId, messages: Iterable[bytes], now: float) -> None:
        """These messages are the answer for a peer that was taken."""
        self._owed[peer] = deque(messages)
        self._not_before[peer] = now

    def pieces(self, now: float) -> Iterator[tuple[PeerId, bytes]]:
        """What is to be sent now of the answers that are owed."""
        for peer in [peer for peer in self._owed if self._due_at(peer) <= now]:
            left, size = self._owed[peer], 0
            while left and size < PIECE_BYTES:
                size += len(left[0])
                yield peer, left.popleft()
            if not left:
                del self._owed[peer]
            self._not_before[peer] = now + max(ANSWER_SECONDS, size / ANSWER_RATE)

    def forget(self, peer: PeerId) -> None:
        """The link with this peer is gone; over a new one it will ask anew."""
        self._asked.pop(peer, None)
        self._owed.pop(peer, None)

    def _due_at(self, peer: PeerId) -> float:
        return self._not_before.get(peer, -math.inf)
