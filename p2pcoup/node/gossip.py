"""What peers tell each other over a link about one game (SPEC 9.6).

Two things only. ``have``: how many rounds the sender has closed, said when a link comes up, when it
has fallen behind and when it has finished; the other end answers with every message from that round
on. ``message``: one signed message, passed on once by everybody who had not seen it. Neither is
trusted: a message proves itself, and a false ``have`` only costs its sender the messages.
"""

from dataclasses import dataclass
from typing import TypeAlias

from p2pcoup.wire import MAX_MESSAGE_BYTES, WireError, decode, encode

HAVE, MESSAGE = "have", "message"
MAX_GOSSIP_BYTES = MAX_MESSAGE_BYTES + 64  # the array, the tag and the length of the inner bytes


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


Gossip: TypeAlias = Have | Passed


def encode_gossip(gossip: Gossip) -> bytes:
    """The payload of a link frame."""
    match gossip:
        case Have(game, closed, finished):
            return encode((HAVE, game, closed, finished))
        case Passed(raw):
            return encode((MESSAGE, raw))


def decode_gossip(payload: bytes) -> Gossip:
    """Read a payload from a link. Raises WireError for anything that is not exactly one."""
    match decode(payload, max_bytes=MAX_GOSSIP_BYTES):
        case (str(tag), bytes(game), int(closed), bool(finished)) if tag == HAVE and closed >= 0:
            return Have(game, closed, finished)
        case (str(tag), bytes(raw)) if tag == MESSAGE:
            return Passed(raw)
    raise WireError("The peer sent something this version does not understand.")
