"""Table talk before a game (SPEC 12.3).

What somebody says is signed, so that everybody can pass it on: people who watch have no links with
each other. It is said again to those who come a little later.
"""

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from p2pcoup.lobby.effects import Effect, Said, Send
from p2pcoup.lobby.errors import NotPossible, TooOften
from p2pcoup.lobby.limits import KEPT_SECONDS, KEPT_WORDS, MAX_KNOWN, TALK_BURST, TALK_PAUSE
from p2pcoup.lobby.messages import Talk, encode_lobby
from p2pcoup.lobby.rate import Rate
from p2pcoup.lobby.sheet import Sheet
from p2pcoup.lobby.signing import is_said, sign_talk
from p2pcoup.wire import Identity, PeerId, WireError, peer_id
from p2pcoup.wire.aside import clean_talk


@dataclass(frozen=True, slots=True)
class _Words:
    """What was said, until when it is said to others, and who has been told."""

    payload: bytes
    until: float
    told: set[PeerId]


class Voices:
    """Who says what at one table, and how often. Effects go to `out`."""

    def __init__(
        self, identity: Identity, first_number: int, out: Callable[[Effect], None]
    ) -> None:
        self._identity = identity
        self._me = identity.peer_id
        self._out = out
        self._rate = Rate(TALK_BURST, 1 / TALK_PAUSE)
        self._recent: deque[_Words] = deque(maxlen=KEPT_WORDS)
        self._numbers: dict[PeerId, int] = {self._me: first_number - 1}

    def say(self, sheet: Sheet | None, links: Iterable[PeerId], text: str, now: float) -> None:
        """Say something to everybody on the sheet.

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
        talk = sign_talk(sheet.table, self._numbers[self._me] + 1, words, self._identity)
        self._take(sheet, links, talk, self._me, {self._me}, now)

    def hear(
        self, sheet: Sheet, links: Iterable[PeerId], sender: PeerId, talk: Talk, now: float
    ) -> None:
        """Words come over a link. They count only from people on the sheet, once, and not too
        often. Raises WireError if they are not signed by whom they name.
        """
        speaker = peer_id(talk.key)
        if sheet.person(speaker) is None or talk.number <= self._numbers.get(speaker, -1):
            return
        if not is_said(talk):
            raise WireError("Words are not signed by whoever is said to have said them.")
        if self._rate.admits(speaker, now):
            self._take(sheet, links, talk, speaker, {speaker, sender}, now)

    def _take(
        self,
        sheet: Sheet,
        links: Iterable[PeerId],
        talk: Talk,
        speaker: PeerId,
        told: set[PeerId],
        now: float,
    ) -> None:
        """These words are new here: show them, and pass them on."""
        self._numbers[speaker] = talk.number
        # Of those on the sheet nothing is forgotten, or what they have said could be said again.
        strangers = [peer for peer in self._numbers if sheet.person(peer) is None]
        for peer in strangers[: max(0, len(self._numbers) - MAX_KNOWN)]:
            if peer != self._me:
                del self._numbers[peer]
        self._recent.append(_Words(encode_lobby(talk), now + KEPT_SECONDS, told))
        self.tell(sheet, links, now)
        self._out(Said(speaker, sheet.label(speaker), talk.text))

    def tell(self, sheet: Sheet | None, links: Iterable[PeerId], now: float) -> None:
        """Say what was said a moment ago to those of these links that have not heard it."""
        present = [] if sheet is None else [p for p in links if sheet.person(p) is not None]
        for words in self._recent:
            for peer in present:
                if now < words.until and peer not in words.told:
                    words.told.add(peer)
                    self._out(Send(peer, words.payload))
