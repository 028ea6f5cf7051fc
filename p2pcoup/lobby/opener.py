"""The opener's side: who sits down, when it can start, and the collecting of signatures.

The opener decides who may sit and what is shown; it cannot start a game that somebody has not
signed, nor one other than the sheet says. SPEC 12.4 (sitting), 12.5 (starting).
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from p2pcoup.lobby import said
from p2pcoup.lobby.acquaintance import Acquaintances
from p2pcoup.lobby.effects import Drop, Effect, Keep, Told
from p2pcoup.lobby.entry import Entry
from p2pcoup.lobby.errors import NotPossible
from p2pcoup.lobby.keeper import Keeper
from p2pcoup.lobby.limits import (
    GAME_RANDOM_BYTES,
    KEPT_SECONDS,
    MAX_WATCHERS,
    SHOWN_SECONDS,
    SIGN_SECONDS,
)
from p2pcoup.lobby.messages import (
    ANY_TABLE,
    CalledOff,
    Declined,
    Doubt,
    Leave,
    Ready,
    Reason,
    Roster,
    Signed,
    Sit,
    Started,
)
from p2pcoup.lobby.naming import game_text
from p2pcoup.lobby.settings import Settings
from p2pcoup.lobby.sheet import Person, Sheet, is_here, seen_at
from p2pcoup.lobby.signing import is_signed
from p2pcoup.lobby.words import why_called_off
from p2pcoup.rules import Sentence
from p2pcoup.table import Terms, TermsError
from p2pcoup.wire import Identity, PeerId, peer_id

NEVER = float("-inf")  # so long ago that it matters no more


@dataclass(slots=True)
class _Pending:
    """A roster that is being signed."""

    roster: Roster
    terms: Terms
    until: float
    signatures: dict[PeerId, tuple[bytes, bytes]] = field(default_factory=dict)


class Opener(Keeper):
    """Decides who sits down, and starts the game. Effects go to `out`."""

    def __init__(
        self,
        sheet: Sheet,
        identity: Identity,
        entry: Entry,
        known: Acquaintances,
        chance: Callable[[int], bytes],
        out: Callable[[Effect], None],
        now: float,
    ) -> None:
        super().__init__(sheet, known, out)
        self._identity = identity
        self._entry = entry
        self._chance = chance
        self._since = {person.peer: now for person in sheet.people}
        self._own_bots: set[PeerId] = set()
        self._changed_at = NEVER
        self._gone_at = {person.peer: now for person in sheet.people if not person.here}
        self._kicked: set[PeerId] = set()
        self._attempts = 0
        self._pending: _Pending | None = None

    # --- wishes of the user -----------------------------------------------------------------------

    def why_not_start(self, now: float) -> Sentence | None:
        """Why the game cannot start now, in a sentence; None if it can."""
        seated = self.sheet.seated
        others = [person for person in seated if person.peer != self.sheet.opener]
        if self._pending is not None:
            return said.IS_SIGNING()
        if (few := self.sheet.settings.edition.min_players - len(seated)) > 0:
            return said.TOO_FEW(missing=few)
        if away := [person.peer for person in others if not person.here]:
            return said.NO_LINK(who=self._names(away))
        if late := [person.peer for person in others if not person.ready]:
            return said.NOT_READY_YET(who=self._names(late), number=len(late))
        try:
            self.sheet.terms("-")
        except TermsError as error:
            return said.IMPOSSIBLE(reason=str(error))
        if now < self._shown_at():
            return said.JUST_SAT_DOWN() if now < self._people_at() else said.JUST_CHANGED()
        return None

    def may(self, now: float) -> tuple[str, ...]:
        """The wishes that can be met now, by the names of the API."""
        if self._pending is not None:
            return ()
        start = ("start",) if self.why_not_start(now) is None else ()
        kick = ("kick",) if len(self.sheet.people) > 1 else ()
        bot = ("add-bot",) if len(self.sheet.seated) < self.sheet.settings.seats else ()
        return (*start, "leave", *kick, "settings", *bot)

    def start(self, now: float) -> None:
        """Ask everybody to sign the roster. Raises NotPossible."""
        if (why := self.why_not_start(now)) is not None:
            raise NotPossible(str(why))
        self._attempts += 1
        self._publish(starting=self._attempts)
        sheet = self.sheet
        terms = sheet.terms(game_text(sheet.name, self._chance(GAME_RANDOM_BYTES)))
        roster = Roster(
            sheet.table,
            sheet.reign,
            self._attempts,
            sheet.number,
            sheet.settings.games,
            terms.encode(),
        )
        pending = self._pending = _Pending(roster, terms, now + SIGN_SECONDS)
        signature = self._entry.promise(roster, now)
        pending.signatures[sheet.opener] = (self._identity.public_key, signature)
        self._send_seated(roster)
        self._out(Told("signing", said.SIGNING()))

    def change(self, settings: Settings, now: float) -> None:
        """Play something else; nobody is ready for it yet. Raises NotPossible."""
        self._must_not_start()
        if len(self.sheet.seated) > settings.seats:
            raise NotPossible(f"There are {len(self.sheet.seated)} people at the table already.")
        if settings == self.sheet.settings:
            return
        self._changed_at = now
        people = [replace(each, ready=each.peer == self.sheet.opener) for each in self.sheet.people]
        self._publish(people, settings=settings)

    def kick(self, peer: PeerId) -> None:
        """Send somebody away for good. Raises NotPossible."""
        if peer == self.sheet.opener or self.sheet.person(peer) is None:
            raise NotPossible("There is nobody of that kind at the table.")
        self._must_not_start()
        self._kicked.add(peer)
        self._known.forget(peer)
        self._refuse(peer, Reason.KICKED)
        self._remove(peer, "kicked")

    def leave(self) -> None:
        """Close the table for this peer; the others can open it again."""
        self._must_not_start()
        for person in self.sheet.people:
            if person.peer != self.sheet.opener:
                self._send(person.peer, Leave(self.sheet.table))

    def _must_not_start(self) -> None:
        if self._pending is not None:
            raise NotPossible("The game is about to start; wait until that is over.")

    # --- links ------------------------------------------------------------------------------------

    def admits(self, peer: PeerId) -> bool:
        """Whether a link with this peer is wanted."""
        return peer not in self._kicked

    def linked(self, peer: PeerId) -> None:
        """A link came up. Who was ever here is shown the sheet; others say first what they want."""
        if peer in self._known:
            self._send(peer, self.sheet)

    def unlinked(self, peer: PeerId, now: float) -> None:
        """A link has gone; the place is kept for a while."""
        person = self.sheet.person(peer)
        if person is None or not person.here:
            return
        self._gone_at[peer] = now
        self._call_off(Doubt.GONE, peer, seated_only=True)
        self._put(replace(person, here=False))

    # --- messages ---------------------------------------------------------------------------------

    def sit(self, peer: PeerId, sit: Sit, host: str, now: float) -> None:
        """Somebody wants to be at the table, or is here again."""
        sheet, before = self.sheet, self.sheet.person(peer)
        if peer in self._kicked:
            self._refuse(peer, Reason.KICKED)
            self._out(Drop(peer))
            return
        if sit.table not in (ANY_TABLE, sheet.table):
            self._refuse(peer, Reason.CLOSED, sit.table)
            return
        moves = before is None or before.watching != sit.watching
        if moves and (reason := self._no_room(sit)) is not None:
            self._refuse(peer, reason, sit.table)
            return
        addresses = () if sit.watching else seen_at(host, sit.addresses)
        ready = before is not None and not moves and before.ready
        person = Person(peer, sit.name, addresses, sit.bot, sit.watching, ready)
        self._gone_at.pop(peer, None)
        if before is None or before.name != person.name:
            self._since[peer] = now
        # That it is a bot is its own word; of those that come from here we know.
        (self._own_bots.add if sit.bot and is_here(host) else self._own_bots.discard)(peer)
        if before is None:
            # A named peer: strangers cannot take its place in the mesh.
            self._out(Keep(peer, addresses))
        if before == person:
            self._send(peer, sheet)
        else:
            self._put(person)
        if sit.watching:
            self._entry.tell_watcher(peer)

    def _no_room(self, sit: Sit) -> Reason | None:
        if sit.watching:
            return Reason.FULL if len(self.sheet.watchers) >= MAX_WATCHERS else None
        if self._pending is not None or self._entry.entering:
            return Reason.BUSY
        return Reason.FULL if len(self.sheet.seated) >= self.sheet.settings.seats else None

    def ready(self, peer: PeerId, ready: Ready) -> None:
        """Somebody is ready for certain settings, or is not."""
        person = self.sheet.person(peer)
        if person is None or person.watching:
            return
        if ready.settings not in (b"", self.sheet.settings.digest):
            return  # the settings have changed meanwhile, which the sheet on its way says
        if not ready.settings:
            self._call_off(Doubt.NOT_READY, peer)
        if person.ready != bool(ready.settings):
            self._put(replace(person, ready=bool(ready.settings)))

    def left(self, peer: PeerId) -> None:
        """Somebody has left."""
        if self.sheet.person(peer) is not None:
            self._call_off(Doubt.GONE, peer, seated_only=True)
            self._remove(peer, "left")

    def signed(self, peer: PeerId, signed: Signed, now: float) -> None:
        """A signature; with the last one the game is entered."""
        pending = self._current(signed)
        if pending is None or pending.terms.seat_of(peer) is None:
            return
        if peer_id(signed.key) != peer or not is_signed(
            pending.roster, signed.key, signed.signature
        ):
            return  # as good as none: it is called off when the time is over
        pending.signatures[peer] = (signed.key, signed.signature)
        if len(pending.signatures) == len(pending.terms.roster):
            self._enter(pending, now)

    def declined(self, peer: PeerId, declined: Declined) -> None:
        """A seat does not sign."""
        pending = self._current(declined)
        if pending is not None and pending.terms.seat_of(peer) is not None:
            self._call_off(declined.doubt, peer)

    def _current(self, message: Signed | Declined) -> _Pending | None:
        which = (self.sheet.reign, self._attempts)
        return self._pending if (message.reign, message.attempt) == which else None

    def _enter(self, pending: _Pending, now: float) -> None:
        roster, members = pending.roster, pending.terms.roster
        people = {person.peer: person for person in self.sheet.people}
        started = Started(
            roster.table,
            roster.reign,
            roster.attempt,
            roster.games,
            roster.terms,
            tuple(pending.signatures[member.peer] for member in members),
            tuple(people[member.peer].addresses for member in members),
        )
        self._pending = None
        self._entry.enter(started, pending.terms, now)
        for person in self.sheet.watchers:
            self._send(person.peer, started)

    def withdrawn(self) -> None:
        """The game that was entered is void: the table is open again."""
        self._publish(starting=0)

    # --- time -------------------------------------------------------------------------------------

    def due_at(self) -> float:
        """When `tick` has something to do; infinite if never."""
        times = [at + KEPT_SECONDS for at in self._gone_at.values()]
        if self._pending is not None:
            times.append(self._pending.until)
        return min(times, default=float("inf"))

    def startable_at(self) -> float:
        """When everybody will have been shown for long enough."""
        return self._shown_at()

    def tick(self, now: float) -> None:
        """Do what is due."""
        if self._pending is not None and now >= self._pending.until:
            silent = [
                member.peer
                for member in self._pending.terms.roster
                if member.peer not in self._pending.signatures
            ]
            self._call_off(Doubt.SILENT, silent[0])
        for peer in [p for p, at in self._gone_at.items() if now >= at + KEPT_SECONDS]:
            self._remove(peer, "gone")

    # --- small parts ------------------------------------------------------------------------------

    def _shown_at(self) -> float:
        """When everybody but bots of our own, which need no time, will have been shown all."""
        return max(self._people_at(), self._changed_at + SHOWN_SECONDS if self._people else NEVER)

    def _people_at(self) -> float:
        """When everybody will have been shown who sits here."""
        return max((self._since[peer] + SHOWN_SECONDS for peer in self._people), default=NEVER)

    @property
    def _people(self) -> list[PeerId]:
        """Those who sit here, but for ourselves and bots of our own."""
        own = {self.sheet.opener, *self._own_bots}
        return [person.peer for person in self.sheet.seated if person.peer not in own]

    def _call_off(self, doubt: Doubt, peer: PeerId, seated_only: bool = False) -> None:
        """Take the roster back, if one is being signed (and the peer is on it)."""
        pending = self._pending
        if pending is None or (seated_only and pending.terms.seat_of(peer) is None):
            return
        self._pending = None
        self._entry.release()
        roster = pending.roster
        off = CalledOff(roster.table, roster.reign, roster.attempt, doubt, peer)
        self._send_seated(off)
        self._out(Told("start-called-off", why_called_off(self.sheet, off), warning=True))
        if doubt is not Doubt.GONE:
            # Or the next attempt would wait for the same program in vain.
            self._unready(peer)
        self._publish(starting=0)

    def _remove(self, peer: PeerId, how: str) -> None:
        self._gone_at.pop(peer, None)
        self._since.pop(peer, None)
        self._own_bots.discard(peer)
        super()._remove(peer, how)
