"""Table talk before a game: to everybody at the table one is linked to (SPEC 12.3).

Links prove who speaks, so nothing is signed and nothing is passed on; it is not kept either.
"""

from collections.abc import Callable, Iterable

from p2pcoup.lobby.effects import Effect, Said, Send
from p2pcoup.lobby.errors import NotPossible, TooOften
from p2pcoup.lobby.limits import TALK_BURST, TALK_PAUSE
from p2pcoup.lobby.messages import Talk, encode_lobby
from p2pcoup.lobby.rate import Rate
from p2pcoup.lobby.sheet import Sheet
from p2pcoup.wire import PeerId
from p2pcoup.wire.aside import clean_talk


class Voices:
    """Who says what at one table, and how often. Effects go to `out`."""

    def __init__(self, me: PeerId, out: Callable[[Effect], None]) -> None:
        self._me = me
        self._out = out
        self._rate = Rate(TALK_BURST, 1 / TALK_PAUSE)

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
        for peer in links:
            if sheet.person(peer) is not None:
                self._out(Send(peer, payload))
        self._out(Said(self._me, sheet.label(self._me), words))

    def hear(self, sheet: Sheet, peer: PeerId, talk: Talk, now: float) -> None:
        """A peer says something; it counts only from people on the sheet, and not too often."""
        if sheet.person(peer) is not None and self._rate.admits(peer, now):
            self._out(Said(peer, sheet.label(peer), talk.text))
