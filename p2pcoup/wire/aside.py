"""Signed words outside the rounds of a game: table talk and the wish for another game (SPEC 3.7).

An aside never touches the game: it is in no round, no digest and no transcript. It is signed, so
that others can pass it on and still nobody can put words into somebody's mouth.
"""

import unicodedata
from dataclasses import dataclass
from enum import Enum
from typing import Final

from p2pcoup.wire.encoding import decode, encode
from p2pcoup.wire.errors import WireError
from p2pcoup.wire.identity import SIGNATURE_BYTES, Identity, verify
from p2pcoup.wire.limits import DIGEST_BYTES, MAX_MARKS, MAX_ROUND, MAX_SEATS, PROTOCOL_VERSION

ASIDE_LABEL: Final = b"p2pcoup aside"
MAX_TALK_CHARACTERS: Final = 280
MAX_ASIDE_BYTES: Final = 2048
"""280 characters of four bytes each, the rest and the signature."""

_JOINER: Final = "\u200d"  # joins emoji to one picture; alone it shows nothing
_REFUSED_CATEGORIES: Final = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


class AsideKind(Enum):
    """What an aside is for."""

    TALK = "talk"
    """Words for everybody at the table (R39)."""
    AGAIN = "again"
    """Whether the seat wants another game after this one: the text is yes or no."""


YES: Final = "yes"
NO: Final = "no"


@dataclass(frozen=True, slots=True)
class Aside:
    """What one seat says beside the game. Cannot be built wrong: raises WireError.

    Attributes:
        game: the game id, 32 bytes.
        seat: the speaker.
        number: ascending for each speaker and game; what is not above the last one is old.
        text: words in the form of `clean_talk`; for AGAIN yes or no.
    """

    game: bytes
    seat: int
    number: int
    kind: AsideKind
    text: str

    def __post_init__(self) -> None:
        if len(self.game) != DIGEST_BYTES:
            raise WireError(f"The game id of an aside is {DIGEST_BYTES} bytes.")
        if not 0 <= self.seat < MAX_SEATS or not 0 <= self.number <= MAX_ROUND:
            raise WireError("The seat or the number of an aside is too high.")
        if self.kind is AsideKind.AGAIN and self.text not in (YES, NO):
            raise WireError("Whether somebody wants another game is yes or no.")
        if self.kind is AsideKind.TALK and clean_talk(self.text) != self.text:
            raise WireError("Table talk comes without needless blanks.")


@dataclass(frozen=True, slots=True)
class SignedAside:
    """An aside and the very bytes that were sent; only `sign_aside` and `parse_aside` make it."""

    aside: Aside
    raw: bytes

    def is_signed_by(self, public_key: bytes) -> bool:
        """Whether the signature is that of this key."""
        payload, signature = self.raw[:-SIGNATURE_BYTES], self.raw[-SIGNATURE_BYTES:]
        return verify(public_key, ASIDE_LABEL, payload, signature)


def clean_talk(text: str) -> str:
    """Algorithm 3.7: the words in the form in which they are sent and shown.

    One line, in NFC, without blanks at the ends and with single spaces inside. Raises WireError
    with a sentence for what is empty, too long, or would do something to a screen.
    """
    if len(text) > 4 * MAX_TALK_CHARACTERS:
        raise WireError(f"Table talk has at most {MAX_TALK_CHARACTERS} characters.")
    words = " ".join(unicodedata.normalize("NFC", text).split())
    if not words:
        raise WireError("There is nothing to say.")
    if len(words) > MAX_TALK_CHARACTERS:
        raise WireError(
            f"Table talk has at most {MAX_TALK_CHARACTERS} characters; this has {len(words)}."
        )
    marks = MAX_MARKS
    for character in words:
        category = unicodedata.category(character)
        if category in _REFUSED_CATEGORIES and character != _JOINER:
            raise WireError(f"Table talk cannot contain {character!a}.")
        marks = marks + 1 if category.startswith("M") or character == _JOINER else 0
        if marks > MAX_MARKS:
            raise WireError(f"Table talk cannot pile up more than {MAX_MARKS} combining marks.")
    return words


def sign_aside(aside: Aside, identity: Identity) -> SignedAside:
    """The aside with this identity's signature."""
    payload = _encode(aside)
    return SignedAside(aside, payload + identity.sign(ASIDE_LABEL, payload))


def parse_aside(raw: bytes) -> SignedAside:
    """The aside these bytes are. The signature is *not* verified.

    Raises WireError for anything that is not exactly the canonical form of one.
    """
    if not SIGNATURE_BYTES < len(raw) <= MAX_ASIDE_BYTES:
        raise WireError(f"An aside has at most {MAX_ASIDE_BYTES} bytes and a signature.")
    match decode(raw[:-SIGNATURE_BYTES], max_bytes=MAX_ASIDE_BYTES):
        case [int(version), bytes(game), int(seat), int(number), str(kind), str(text)]:
            if any(type(each) is bool for each in (version, seat, number)):
                raise WireError("The numbers of an aside are numbers.")
            if version != PROTOCOL_VERSION or kind not in {each.value for each in AsideKind}:
                raise WireError("The aside is of another version of the program.")
            return SignedAside(Aside(game, seat, number, AsideKind(kind), text), raw)
    raise WireError("These bytes are no aside.")


def _encode(aside: Aside) -> bytes:
    each = aside
    return encode((PROTOCOL_VERSION, each.game, each.seat, each.number, each.kind.value, each.text))
