"""What the seats say beside a game: table talk, and who wants another game (SPEC 3.7, 9.6).

Talk is kept in the file ``talk.jsonl`` beside the journal, never in the transcript. Everybody may
say BURST things at once and then one in PAUSE seconds; the rest is not shown and not passed on.
"""

import contextlib
import json
import os
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
class _Speaker:
    """What is remembered of one seat."""

    number: int = -1
    again: bool = False
    allowance: float = BURST
    counted_at: float = 0.0

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
        self._speakers = [_Speaker() for _ in terms.roster]
        self._keys: dict[Seat, bytes] = {}
        self._kept_bytes = 0
        self._recall()

    def _recall(self) -> None:
        """Go on counting where the file ends, so that nothing said after a restart looks old."""
        with contextlib.suppress(OSError), self._file.open("rb") as file:
            for line in file:
                self._kept_bytes += len(line)
                with contextlib.suppress(ValueError, LookupError, TypeError):
                    entry = json.loads(line)
                    speaker = self._speakers[int(entry["seat"])]
                    speaker.number = max(speaker.number, int(entry["number"]))
                    if entry["kind"] == AsideKind.AGAIN.value:
                        speaker.again = entry["text"] == YES

    @property
    def want_again(self) -> frozenset[Seat]:
        """The seats whose last word is that they want another game."""
        return frozenset(Seat(n) for n, each in enumerate(self._speakers) if each.again)

    @property
    def all_want_again(self) -> bool:
        """Whether every seat of the roster wants another game."""
        return len(self.want_again) == len(self._terms.roster)

    def talk(self, text: str, identity: Identity, now: float) -> SignedAside:
        """Say something to all. Raises WireError for what cannot be said, or TooOftenError."""
        words = clean_talk(text)
        if self._own is None:
            raise WireError("Who only watches has no voice at the table.")
        if not self._speakers[self._own].may_speak(now):
            raise TooOftenError(f"Not so fast: one message in {PAUSE:.0f} seconds.")
        return self._say(AsideKind.TALK, words, identity)

    def ask_again(self, wanted: bool, identity: Identity) -> SignedAside:
        """Say whether we want another game."""
        return self._say(AsideKind.AGAIN, YES if wanted else NO, identity)

    def _say(self, kind: AsideKind, text: str, identity: Identity) -> SignedAside:
        if self._own is None:
            raise WireError("Who only watches has no voice at the table.")
        number = self._speakers[self._own].number + 1
        signed = sign_aside(Aside(self._terms.game_id, self._own, number, kind, text), identity)
        self._note(signed.aside)
        return signed

    def hear(self, raw: bytes, key: bytes | None, now: float) -> SignedAside | None:
        """Take an aside from a link; None if it is old, or too much. ``key`` is the public key of
        the seat that is said to have signed it, if it is known.

        Raises WireError for what no honest peer sends.
        """
        signed = parse_aside(raw)
        aside = signed.aside
        if aside.game != self._terms.game_id or aside.seat >= len(self._speakers):
            raise WireError("The aside belongs to another table.")
        speaker = self._speakers[aside.seat]
        if key is None or aside.number <= speaker.number:
            return None
        if peer_id(key) != self._terms.roster[aside.seat].peer or not signed.is_signed_by(key):
            raise WireError("The aside is not signed by the peer who has that seat.")
        if not speaker.may_speak(now):
            return None
        self._note(aside)
        return signed

    def recent(self) -> list[Aside]:
        """What is kept of the talk, oldest first."""
        found: list[Aside] = []
        with contextlib.suppress(OSError), self._file.open("rb") as file:
            for line in file:
                with contextlib.suppress(ValueError, LookupError, TypeError):
                    entry = json.loads(line)
                    place = (self._terms.game_id, int(entry["seat"]), int(entry["number"]))
                    found.append(Aside(*place, AsideKind(entry["kind"]), str(entry["text"])))
        return [aside for aside in found if aside.kind is AsideKind.TALK]

    def _note(self, aside: Aside) -> None:
        speaker = self._speakers[aside.seat]
        speaker.number = aside.number
        if aside.kind is AsideKind.AGAIN:
            speaker.again = aside.text == YES
        entry = {"seat": aside.seat, "number": aside.number, "kind": aside.kind.value}
        line = json.dumps({**entry, "text": aside.text}).encode() + b"\n"
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
