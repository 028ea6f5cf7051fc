"""A guest's side: sitting at somebody's table, what is signed there and what is not (SPEC 12.4 to
12.6), and whom to follow when the opener is gone.
"""

from collections.abc import Callable
from dataclasses import dataclass

from p2pcoup.lobby import said
from p2pcoup.lobby.acquaintance import Acquaintances
from p2pcoup.lobby.claims import Claims
from p2pcoup.lobby.effects import Closed, Drop, Effect, Keep, Send, Told
from p2pcoup.lobby.entry import Entry
from p2pcoup.lobby.errors import NotPossible
from p2pcoup.lobby.limits import (
    BUSY_SECONDS,
    CALL_BURST,
    CALL_PAUSE,
    GONE_SECONDS,
    READ_SECONDS,
    SHOWN_LEAST,
)
from p2pcoup.lobby.messages import (
    ANY_TABLE,
    CalledOff,
    Declined,
    Doubt,
    Follows,
    Leave,
    LobbyMessage,
    Ready,
    Reason,
    Refused,
    Roster,
    Signed,
    Sit,
    encode_lobby,
)
from p2pcoup.lobby.rate import Rate
from p2pcoup.lobby.sheet import Person, Sheet
from p2pcoup.lobby.words import REFUSED, changes, why_called_off
from p2pcoup.table import Terms, TermsError, decode_terms
from p2pcoup.wire import Identity, PeerId


@dataclass(frozen=True, slots=True)
class Manner:
    """How this peer behaves at a table.

    Attributes:
        always_ready: say so for whatever is shown, as bots do.
        is_new: whether no game of this id was ever begun here.
        first_number: of what this peer says; higher than in any run of the program before.
    """

    always_ready: bool = False
    is_new: Callable[[bytes], bool] = lambda _game: True
    first_number: int = 0


class Guest:
    """Follows an opener. Effects go to `out`."""

    def __init__(
        self,
        me: Person,
        opener: PeerId,
        identity: Identity,
        entry: Entry,
        known: Acquaintances,
        manner: Manner,
        out: Callable[[Effect], None],
        now: float,
        sheet: Sheet | None = None,
    ) -> None:
        self.opener = opener
        self.sheet = sheet
        self._me = me
        self._identity = identity
        self._entry = entry
        self._manner = manner
        self._out = out
        self._links: dict[PeerId, None] = {}  # in the order in which they came up
        self._heard = False
        self._silent_since = now
        self._gone_told = False
        self._again_at = float("inf")
        self._ready_for = b""
        self._settings_at = float("-inf")  # when others than those shown before came
        self._claims = Claims(me.peer)
        self._known = known
        self._shown: dict[tuple[PeerId, str], float] = {}
        self._kept: dict[PeerId, tuple[str, ...]] = {}
        self._last = (-1, 0)
        self._calls = Rate(CALL_BURST, 1 / CALL_PAUSE)
        self._news = Rate()

    # --- what is so now ---------------------------------------------------------------------------

    def opener_here(self, now: float) -> bool:
        """Whether the opener is here, or was until a moment ago."""
        return self._heard or now < self._silent_since + GONE_SECONDS

    def may(self, now: float) -> tuple[str, ...]:
        """The wishes that can be met now, by the names of the API."""
        if self.sheet is None:
            return ()
        ready = ("ready",) if self.opener_here(now) and not self._me.watching else ()
        return (*ready, "leave", *(("reopen",) if self.may_reopen(now) else ()))

    def may_reopen(self, now: float) -> bool:
        """Whether this peer may open the table again."""
        return self.sheet is not None and not (self._me.watching or self.opener_here(now))

    def admits(self, peer: PeerId) -> bool:
        """Whether a link with this peer is wanted."""
        return peer == self.opener or peer in self._known

    # --- wishes of the user -----------------------------------------------------------------------

    def ready(self, ready: bool, now: float) -> None:
        """Be ready for the settings that are shown, or not. Raises NotPossible, also when these
        are so new that the user may mean those before.
        """
        if self.sheet is None or not self._heard:
            raise NotPossible("The opener of the table is not here.")
        if self._me.watching:
            raise NotPossible("You watch; only who sits at the table can be ready.")
        if ready and now < self._settings_at + READ_SECONDS:
            raise NotPossible(
                "What is played was changed just now. Look at it, then say that you are ready."
            )
        self._be_ready(ready)

    def _be_ready(self, ready: bool) -> None:
        if self.sheet is None:
            return
        self._ready_for = self.sheet.settings.digest if ready else b""
        if not ready:
            self._entry.release()
        self._send(self.opener, Ready(self.sheet.table, self._ready_for))

    def leave(self) -> None:
        """Say goodbye."""
        self._entry.release()
        if self.sheet is not None:
            self._send(self.opener, Leave(self.sheet.table))

    # --- links ------------------------------------------------------------------------------------

    def linked(self, peer: PeerId) -> None:
        """A link came up."""
        self._links[peer] = None
        if peer == self.opener:
            self._sit()
        elif self.sheet is not None and peer in self._known:
            self._send(peer, self._follows(self.sheet))

    def unlinked(self, peer: PeerId, now: float) -> None:
        """A link has gone."""
        self._links.pop(peer, None)
        self._claims.forget(peer)
        if peer == self.opener:
            self._lose_opener(now)

    def _lose_opener(self, now: float) -> None:
        if self._heard:
            self._heard, self._silent_since = False, now
        self._consider(now)

    def _sit(self) -> None:
        table = ANY_TABLE if self.sheet is None else self.sheet.table
        me = self._me
        self._send(self.opener, Sit(table, me.name, me.addresses, me.bot, me.watching))
        if self._ready_for and self.sheet is not None:
            self._send(self.opener, Ready(self.sheet.table, self._ready_for))

    # --- messages ---------------------------------------------------------------------------------

    def take_sheet(self, peer: PeerId, sheet: Sheet, now: float) -> None:
        """A sheet: of our opener, or of somebody who wants to be it."""
        mine = self.sheet
        if sheet.opener != peer:
            return
        if mine is None:
            if peer == self.opener and sheet.person(self._me.peer) is not None:
                self._adopt(sheet, now)
            return
        if sheet.table != mine.table:
            return
        if peer != self.opener:
            new = self._claims.take(sheet)
            self._consider(now)
            if peer != self.opener and new:
                self._send(peer, self._follows(mine))
        elif (sheet.reign, sheet.number) >= (mine.reign, mine.number):
            self._adopt(sheet, now)

    def take_follows(self, peer: PeerId, follows: Follows, now: float) -> None:
        """Whom another follows. An opener that follows somebody else is opener no more."""
        mine = self.sheet
        if mine is None or follows.table != mine.table or follows.opener == self.opener:
            return
        if peer == self.opener:
            self._claims.follows(follows.opener)
            self._lose_opener(now)

    def refused(self, peer: PeerId, refused: Refused, now: float) -> None:
        """The opener has no place for us."""
        if peer != self.opener or (self.sheet is not None and self.sheet.table != refused.table):
            return
        if refused.reason is Reason.BUSY:
            self._again_at = now + BUSY_SECONDS
        elif refused.reason is Reason.CLOSED and self.sheet is not None:
            # The opener's program was started anew and knows nothing of this table.
            self._give_up_opener(now)
        else:
            self._out(Closed(REFUSED[refused.reason]))

    def opener_left(self, peer: PeerId, leave: Leave, now: float) -> None:
        """The opener has left its own table: there is no need to wait for it."""
        mine = self.sheet
        if peer == self.opener and mine is not None and leave.table == mine.table:
            self._give_up_opener(now)

    def _give_up_opener(self, now: float) -> None:
        self._heard, self._silent_since = False, now - GONE_SECONDS
        self._consider(now)
        self.tick(now)

    def roster(self, peer: PeerId, roster: Roster, now: float) -> None:
        """Sign, or say why not."""
        mine = self.sheet
        which = (roster.reign, roster.attempt)
        if peer != self.opener or mine is None or roster.table != mine.table:
            return
        if roster.reign != mine.reign or which <= self._last:
            return
        self._last = which
        self._entry.release()  # whatever was signed before counts no more
        doubt = self._doubt(mine, roster, now)
        if doubt is not None:
            self._send(peer, Declined(mine.table, *which, doubt))
            return
        signature = self._entry.promise(roster, now)
        self._send(peer, Signed(mine.table, *which, self._identity.public_key, signature))
        self._out(Told("signed", said.SIGNED()))

    def _doubt(self, sheet: Sheet, roster: Roster, now: float) -> Doubt | None:
        """Why the roster is not signed; None if it says what was shown and agreed to."""
        try:
            terms = decode_terms(roster.terms)
            shown = sheet.terms(terms.game)
        except TermsError:
            return Doubt.CHANGED
        if not self._is_what_was_shown(sheet, roster, terms, shown):
            return Doubt.CHANGED
        if self._ready_for != sheet.settings.digest:
            return Doubt.NOT_READY
        people_at = max(self._shown[person.peer, person.name] for person in sheet.seated)
        if not self._me.bot and now < max(self._settings_at, people_at) + SHOWN_LEAST:
            return Doubt.TOO_NEW
        return None if self._manner.is_new(terms.game_id) else Doubt.NOT_NEW

    def _is_what_was_shown(self, sheet: Sheet, roster: Roster, terms: Terms, shown: Terms) -> bool:
        return (
            terms == shown
            and terms.seat_of(self._me.peer) is not None
            and (roster.number, roster.attempt) == (sheet.number, sheet.starting)
            and roster.games == sheet.settings.games
        )

    def called_off(self, peer: PeerId, off: CalledOff) -> None:
        """The opener takes a roster back."""
        mine = self.sheet
        if peer != self.opener or mine is None or (off.reign, off.attempt) != self._last:
            return
        if off.table == mine.table:
            self._entry.release()
            if off.peer == self._me.peer and off.doubt is not Doubt.GONE:
                self._ready_for = b""
            self._out(Told("start-called-off", why_called_off(mine, off), warning=True))

    # --- time -------------------------------------------------------------------------------------

    def due_at(self) -> float:
        """When `tick` has something to do; infinite if never."""
        waits = self.sheet is not None and not self._heard and not self._gone_told
        return min(self._again_at, self._silent_since + GONE_SECONDS if waits else float("inf"))

    def tick(self, now: float) -> None:
        """Do what is due."""
        if now >= self._again_at:
            self._again_at = float("inf")
            self._sit()
        if not (self.opener_here(now) or self._gone_told):
            self._consider(now)
        mine = self.sheet
        if mine is not None and not (self.opener_here(now) or self._gone_told):
            self._gone_told = True
            name = mine.label(self.opener)
            self._out(
                Told(
                    "opener-gone",
                    said.OPENER_GONE(who=name),
                    warning=True,
                )
            )

    # --- whom to follow ---------------------------------------------------------------------------

    def _consider(self, now: float) -> None:
        """Follow somebody who has opened the table again, if there is reason to."""
        mine = self.sheet
        if mine is None:
            return
        here = self.opener_here(now)
        best = self._claims.best(mine, self._links, opener_here=here, opener_linked=self._heard)
        if best is None:
            return
        self.opener = best.opener
        self._claims.clear()
        self._last, self._ready_for = (-1, 0), b""
        self._out(Told("reopened", said.REOPENED(who=mine.label(self.opener))))
        self._adopt(best, now)
        self._sit()
        for peer in self._links:
            if peer != self.opener and mine.person(peer) is not None:
                self._send(peer, self._follows(best))

    def _adopt(self, sheet: Sheet, now: float) -> None:
        """This is how things are at the table now."""
        before, self.sheet = self.sheet, sheet
        self._heard, self._gone_told = True, False
        if before is not None:
            for told in changes(before, sheet, self._me.peer):
                # An opener may write sheets without end; each kind counts for itself, so that
                # much of one hides nothing of another.
                if self._news.admits(told.event, now):
                    self._out(told)
            if _start(before) != _start(sheet):
                self._entry.release()
            if before.settings != sheet.settings:
                self._ready_for, self._settings_at = b"", now
        self._known.note(sheet)
        lines = [(person.peer, person.name) for person in sheet.people]
        self._shown = {line: self._shown.get(line, now) for line in lines}
        self._keep_links(sheet, now)
        willing = self._manner.always_ready and not self._me.watching
        if willing and self._ready_for != sheet.settings.digest:
            self._be_ready(True)

    def _keep_links(self, sheet: Sheet, now: float) -> None:
        """Link with everybody who sits, so that the opener is not the only way. Whom we do not call
        as there were too many calls us.
        """
        wanted = {
            person.peer: person.addresses
            for person in sheet.seated
            if person.peer not in (self._me.peer, self.opener)
        }
        for peer in self._kept:
            if peer not in wanted and peer != self.opener and sheet.person(peer) is None:
                self._out(Drop(peer))
        self._kept = {peer: kept for peer, kept in self._kept.items() if peer in wanted}
        for peer, addresses in wanted.items():
            if self._kept.get(peer) != addresses and self._calls.admits(self.opener, now):
                self._kept[peer] = addresses
                self._out(Keep(peer, addresses))

    def _follows(self, sheet: Sheet) -> Follows:
        return Follows(sheet.table, sheet.reign, self.opener, self._heard)

    def _send(self, peer: PeerId, message: LobbyMessage) -> None:
        self._out(Send(peer, encode_lobby(message)))


def _start(sheet: Sheet) -> object:
    """What a signature depends on: who plays what, and which roster is being signed."""
    who = [(person.peer, person.name) for person in sheet.seated]
    return sheet.opener, sheet.reign, sheet.settings, who, sheet.starting
