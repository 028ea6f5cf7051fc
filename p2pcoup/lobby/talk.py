"""Table talk before a game: to everybody at the table one is linked to (SPEC 12.3).

Links prove who speaks, so nothing is signed and nothing is passed on. The speaker says the same to
those who come a little later.
"""

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from p2pcoup.lobby.effects import Effect, Said, Send
from p2pcoup.lobby.errors import NotPossible, TooOften
from p2pcoup.lobby.limits import KEPT_SECONDS, TALK_BURST, TALK_PAUSE
from p2pcoup.lobby.messages import Talk, encode_lobby
from p2pcoup.lobby.rate import Rate
from p2pcoup.lobby.sheet import Sheet
from p2pcoup.wire import PeerId
from p2pcoup.wire.aside import clean_talk


@dataclass(frozen=True, slots=True)
class _Words:
    """What we have said, until when it is said to others, and who has been told."""

    payload: bytes
    until: float
    told: set[PeerId]


class Voices:
    """Who says what at one table, and how often. Effects go to `out`."""

    def __init__(self, me: PeerId, out: Callable[[Effect], None]) -> None:
        self._me = me
        self._out = out
        self._rate = Rate(TALK_BURST, 1 / TALK_PAUSE)
        self._recent: deque[_Words] = deque(maxlen=TALK_BURST)

    def say(self, sheet: Sheet | None, links: Iterable[PeerId], text: str, now: float) -> None:
        """Say something to all of these links that are on the sheet.

        Raises:
            WireError: that cannot be said.
            NotPossible: there is no table yet.
            TooOften: too much was said in too short a time.
        """
        words = clean_talk(text)
        if sheet is None or sheet.person(self._me) is None:
            raise NotPossible("There is no table yet.")
        if not self._rate.admits(self._me, now):
            raise TooOften(f"Not so fast: one message in {TALK_PAUSE:.0f} seconds.")
        payload = encode_lobby(Talk(sheet.table, words))
        self._recent.append(_Words(payload, now + KEPT_SECONDS, set()))
        self.tell(sheet, links, now)
        self._out(Said(self._me, sheet.label(self._me), words))

    def tell(self, sheet: Sheet | None, links: Iterable[PeerId], now: float) -> None:
        """Say what was said a moment ago to those of these links that have not heard it."""
        present = [] if sheet is None else [p for p in links if sheet.person(p) is not None]
        for words in self._recent:
            for peer in present:
                if now < words.until and peer not in words.told:
                    words.told.add(peer)
                    self._out(Send(peer, words.payload))

    def hear(self, sheet: Sheet, peer: PeerId, talk: Talk, now: float) -> None:
        """A peer says something; it counts only from people on the sheet, and not too often."""
        if sheet.person(peer) is not None and self._rate.admits(peer, now):
            self._out(Said(peer, sheet.label(peer), talk.text))
