"""What the seats say beside a game: table talk, and who wants another game (SPEC 3.7, 9.6).

Talk is kept in the file ``talk.jsonl`` beside the journal, never in the transcript. Everybody may
say BURST things at once and then one in PAUSE seconds; the rest is not shown and not passed on.
"""

import contextlib
import json
import os
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from p2pcoup.journal.files import PRIVATE_MODE, write_all
from p2pcoup.rules import Seat
from p2pcoup.table import Terms
from p2pcoup.wire import Identity, WireError, peer_id
from p2pcoup.wire.aside import (
    NO,
    YES,
    Aside,
    AsideKind,
    SignedAside,
    clean_talk,
    parse_aside,
    sign_aside,
)

BURST: Final = 5
PAUSE: Final = 2.0
TALK_NAME: Final = "talk.jsonl"
MAX_TALK_FILE_BYTES: Final = 4 * 1024 * 1024
"""What is said when the file is full is shown, but not kept."""


class TooOftenError(Exception):
    """Our own user says too much in too short a time; the message says how long to wait."""


@dataclass(slots=True)
class _Voice:
    """What is remembered of what one seat says of one kind. Talk never silences a wish."""

    last: SignedAside | None = None
    allowance: float = BURST
    counted_at: float = 0.0

    @property
    def number(self) -> int:
        """That of the last word; -1 before the first."""
        return -1 if self.last is None else self.last.aside.number

    def note(self, signed: SignedAside) -> None:
        """The seat has said this."""
        if signed.aside.number > self.number:
            self.last = signed

    def may_speak(self, now: float) -> bool:
        grown = self.allowance + (now - self.counted_at) / PAUSE
        self.allowance, self.counted_at = min(float(BURST), grown), now
        if self.allowance < 1.0:
            return False
        self.allowance -= 1.0
        return True


class Asides:
    """The asides of one game, as one seat (or a spectator) hears them."""

    def __init__(self, terms: Terms, own: Seat | None, folder: Path) -> None:
        self._terms = terms
        self._own = own
        self._file = folder / TALK_NAME
        self._voices = [{kind: _Voice() for kind in AsideKind} for _ in terms.roster]
        self._keys: dict[Seat, bytes] = {}
        self._kept_bytes = 0
        self._recall()

    def _recall(self) -> None:
        """Go on counting where the file ends, so that nothing said after a restart looks old."""
        with contextlib.suppress(OSError), self._file.open("rb") as file:
            for line in file:
                self._kept_bytes += len(line)
                if (signed := _read_line(line)) is not None and self._fits(signed.aside):
                    self._voice(signed.aside).note(signed)

    def _voice(self, aside: Aside) -> _Voice:
        return self._voices[aside.seat][aside.kind]

    @property
    def want_again(self) -> frozenset[Seat]:
        """The seats that want another game."""
        return self._who_say(YES)

    @property
    def want_no_more(self) -> frozenset[Seat]:
        """The seats that have said that they do not."""
        return self._who_say(NO)

    def _who_say(self, word: str) -> frozenset[Seat]:
        last = (voices[AsideKind.AGAIN].last for voices in self._voices)
        said = (signed.aside for signed in last if signed is not None)
        return frozenset(Seat(aside.seat) for aside in said if aside.text == word)

    def talk(self, text: str, identity: Identity, now: float) -> SignedAside:
        """Say something to all. Raises WireError for what cannot be said, or TooOftenError."""
        words = clean_talk(text)
        if self._own is None:
            raise WireError("Who only watches has no voice at the table.")
        if not self._voices[self._own][AsideKind.TALK].may_speak(now):
            raise TooOftenError(f"Not so fast: one message in {PAUSE:.0f} seconds.")
        return self._say(AsideKind.TALK, words, identity)

    def speak_of_another(self, wanted: bool, identity: Identity) -> SignedAside:
        """Say whether we want another game; said twice, it is the same words."""
        word = YES if wanted else NO
        said = None if self._own is None else self._voices[self._own][AsideKind.AGAIN].last
        if said is not None and said.aside.text == word:
            return said
        return self._say(AsideKind.AGAIN, word, identity)

    def wishes(self) -> list[bytes]:
        """Whether seats want another game, as they have signed it, for peers that may not know."""
        said = (voices[AsideKind.AGAIN].last for voices in self._voices)
        return [last.raw for last in said if last is not None]

    def _say(self, kind: AsideKind, text: str, identity: Identity) -> SignedAside:
        if self._own is None:
            raise WireError("Who only watches has no voice at the table.")
        number = 1 + max(voice.number for voice in self._voices[self._own].values())
        signed = sign_aside(Aside(self._terms.game_id, self._own, number, kind, text), identity)
        self._note(signed)
        return signed

    def hear(self, raw: bytes, key: bytes | None, now: float) -> SignedAside | None:
        """Take an aside from a link; None if it is old, or too much. ``key`` is the public key of
        the seat that is said to have signed it, if it is known.

        Raises WireError for what no honest peer sends.
        """
        signed = parse_aside(raw)
        aside = signed.aside
        if not self._fits(aside):
            raise WireError("The aside belongs to another table.")
        speaker = self._voice(aside)
        if key is None or aside.number <= speaker.number:
            return None
        if peer_id(key) != self._terms.roster[aside.seat].peer or not signed.is_signed_by(key):
            raise WireError("The aside is not signed by the peer who has that seat.")
        if not speaker.may_speak(now):
            return None
        self._note(signed)
        return signed

    def recent(self, most: int) -> list[Aside]:
        """What was said last, at most so many words, oldest first."""
        with contextlib.suppress(OSError), self._file.open("rb") as file:
            read = (signed.aside for line in file if (signed := _read_line(line)) is not None)
            fit = (one for one in read if self._fits(one) and one.kind is AsideKind.TALK)
            return list(deque(fit, maxlen=most))
        return []

    def _fits(self, aside: Aside) -> bool:
        return aside.game == self._terms.game_id and aside.seat < len(self._voices)

    def _note(self, signed: SignedAside) -> None:
        aside = signed.aside
        self._voice(aside).note(signed)
        entry = {"name": self._terms.names[aside.seat], "kind": aside.kind.value}
        line = json.dumps({**entry, "text": aside.text, "raw": signed.raw.hex()}).encode() + b"\n"
        if self._kept_bytes + len(line) > MAX_TALK_FILE_BYTES:
            return
        self._kept_bytes += len(line)
        with contextlib.suppress(OSError):  # talk that is not kept has still been heard
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
            descriptor = os.open(self._file, flags, PRIVATE_MODE)
            try:
                write_all(descriptor, line)
            finally:
                os.close(descriptor)


def _read_line(line: bytes) -> SignedAside | None:
    """The aside in a line of the file, if there is one."""
    try:
        return parse_aside(bytes.fromhex(json.loads(line)["raw"]))
    except (ValueError, LookupError, TypeError, WireError):
        return None
