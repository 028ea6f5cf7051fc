"""A table before its game, as one peer has it (SPEC 12).

Theory of operation. One person opens a table; the others link to it and *sit*. The opener keeps the
*sheet* (who sits, who watches, what is played) and sends it whole after every change. Each guest
says *ready*. To start, the opener sends a *roster* made from the sheet; every seat makes the same
terms from its own copy of the sheet, signs only if they are equal, and with all signatures the game
is entered (`entry`). The opener is trusted with nothing but the order in which people come. When
its program is gone, any seated guest may open the table again; of two at once the one with the
lower peer id counts.

`Lobby` joins the roles (`opener`, `guest`) and changes them. It waits for nothing: it is told what
happens and the time, and says what is to be done (`effects`).
"""

from collections.abc import Callable
from dataclasses import replace

from p2pcoup.lobby import said
from p2pcoup.lobby.acquaintance import Acquaintances
from p2pcoup.lobby.dispatch import to_guest, to_opener
from p2pcoup.lobby.effects import Closed, Effect, Send, Told, Withdraw
from p2pcoup.lobby.entry import Entry
from p2pcoup.lobby.errors import NotPossible
from p2pcoup.lobby.guest import Guest, Manner
from p2pcoup.lobby.limits import MAX_REIGN, TABLE_BYTES
from p2pcoup.lobby.messages import (
    Entered,
    Follows,
    LobbyMessage,
    Refused,
    Sit,
    Started,
    Talk,
    Void,
    encode_lobby,
)
from p2pcoup.lobby.opener import Opener
from p2pcoup.lobby.parted import Parted
from p2pcoup.lobby.rate import Rate
from p2pcoup.lobby.reading import decode_lobby
from p2pcoup.lobby.rivals import Rivals
from p2pcoup.lobby.settings import Settings
from p2pcoup.lobby.sheet import Person, Sheet, reopened
from p2pcoup.lobby.signing import check_start
from p2pcoup.lobby.talk import Voices
from p2pcoup.lobby.words import LEFT_ENTERED, LEFT_TABLE
from p2pcoup.rules import Sentence
from p2pcoup.wire import Identity, PeerId, WireError

Chance = Callable[[int], bytes]


class Lobby:
    """One peer at one table. After every call, `take` gives what is to be done, in that order."""

    def __init__(self, me: Person, identity: Identity, chance: Chance, manner: Manner) -> None:
        """For `open_table` and `join_table`."""
        self.me = me
        self._identity = identity
        self._chance = chance
        self._manner = manner
        self._effects: list[Effect] = []
        self._rate = Rate()
        self._voices = Voices(identity, manner.first_number, self._take_effect)
        self._links: dict[PeerId, str] = {}
        self._known = Acquaintances()
        self._rivals = Rivals()
        self._parted = Parted(self._other_table, self._take_effect)
        self._entry = Entry(identity, self._take_effect)
        self._role: Opener | Guest

    # --- what is so now ---------------------------------------------------------------------------

    @property
    def sheet(self) -> Sheet | None:
        """The table as it is known here; None: not yet."""
        return self._role.sheet

    @property
    def is_opener(self) -> bool:
        """Whether this peer keeps the table."""
        return isinstance(self._role, Opener)

    @property
    def begun(self) -> bool:
        """Whether the game has begun. From then on only those who come late are still answered."""
        return self._entry.begun_with is not None

    def starting(self, now: float) -> bool:
        """Whether the roster is being signed, or the game entered."""
        return self._entry.entering or self._entry.promises(now)

    def opener_here(self, now: float) -> bool:
        """Whether the one who opened the table is here."""
        return self._role.opener_here(now) if isinstance(self._role, Guest) else True

    def why_not_start(self, now: float) -> Sentence | None:
        """Why the game cannot start now, in a sentence; None if the opener may start it."""
        if isinstance(self._role, Opener):
            if self._entry.entering:
                return said.ABOUT_TO_BEGIN()
            return self._role.why_not_start(now)
        return said.OPENER_STARTS()

    def startable_at(self) -> float:
        """When the rule that everybody must have been shown for a while is met, at the opener."""
        return self._role.startable_at() if isinstance(self._role, Opener) else float("inf")

    def may(self, now: float) -> tuple[str, ...]:
        """The wishes that can be met now, by the names of the API."""
        if self._entry.entering:
            return ("leave",) if self._entry.overdue else ()
        return self._role.may(now)

    def admits(self, peer: PeerId) -> bool:
        """Whether a link with this peer is wanted."""
        return self._role.admits(peer)

    def take(self) -> list[Effect]:
        """What is to be done, in this order; it is handed out once."""
        taken, self._effects = self._effects, []
        return taken

    # --- wishes of the user; each raises NotPossible ----------------------------------------------

    def ready(self, ready: bool, now: float) -> None:
        """Be ready to play what is shown, or not any more."""
        if isinstance(self._role, Opener):
            raise NotPossible("You opened the table: you start the game when all are ready.")
        if self._entry.entering:
            raise NotPossible("The game is about to begin.")
        self._role.ready(ready, now)

    def start(self, now: float) -> None:
        """Start the game."""
        self._opener().start(now)

    def change(self, settings: Settings, now: float) -> None:
        """Play something else."""
        self._opener().change(settings, now)

    def kick(self, peer: PeerId) -> None:
        """Send somebody away."""
        self._opener().kick(peer)

    def leave(self) -> None:
        """Leave the table for good. Who has entered a game leaves as if the program were stopped:
        the others may count on this seat, so nothing is taken back.
        """
        if self._entry.entering and not self._entry.overdue:
            raise NotPossible("The game is about to begin.")
        if not self._entry.entering:
            self._role.leave()
        text = LEFT_ENTERED if self._entry.entering else LEFT_TABLE
        self._take_effect(Closed(text, wished=True))

    def say(self, text: str, now: float) -> None:
        """Talk to everybody at the table. Raises WireError for what cannot be said."""
        self._voices.say(self.sheet, self._links, text, now)

    def reopen(self, now: float) -> None:
        """Be the opener from now on, with everybody who is still linked."""
        guest = self._role
        if not isinstance(guest, Guest) or guest.sheet is None or not guest.may_reopen(now):
            raise NotPossible("The table can be opened again only when its opener is gone.")
        if guest.sheet.reign >= MAX_REIGN or self._entry.entering:
            raise NotPossible("This table cannot be opened again; open a new one.")
        self._entry.release()
        sheet = reopened(guest.sheet, self.me, [p for p in self._links if p != guest.opener])
        self._rivals = Rivals()  # what others said before was about the old opener
        self._open(sheet, now)
        self._take_effect(Told("reopened", said.REOPENED_HERE()))
        for person in sheet.people[1:]:
            self._send(person.peer, sheet)

    def _opener(self) -> Opener:
        if not isinstance(self._role, Opener):
            raise NotPossible("Only whoever opened the table can do that.")
        if self._entry.entering:
            raise NotPossible("The game is about to begin.")
        return self._role

    # --- links ------------------------------------------------------------------------------------

    def linked(self, peer: PeerId, host: str, now: float) -> None:
        """A link came up; the other end is at that host, as far as this end can see."""
        self._links[peer] = host
        self._entry.linked(peer)
        if not self.begun:
            self._role.linked(peer)
            self._step_down_if_due(now)
            self._voices.tell(self.sheet, self._links, now)

    def unlinked(self, peer: PeerId, now: float) -> None:
        """A link has gone."""
        self._links.pop(peer, None)
        self._rivals.forget(peer)
        if not self.begun:
            self._role.unlinked(peer, now)
            self._step_down_if_due(now)

    def has_gone(self, peer: PeerId) -> None:
        """Somebody will not come back, as is known for certain: the place is free at once."""
        if isinstance(self._role, Opener) and not (self._entry.entering or self.begun):
            self._role.left(peer)

    def receive(self, peer: PeerId, payload: bytes, now: float) -> None:
        """A payload of a lobby came from a peer."""
        if not self._is_our_opener(peer) and not self._rate.admits(peer, now):
            return
        try:
            message = decode_lobby(payload)
            self._take_message(peer, message, now)
            if isinstance(message, Sit | Sheet) and not self.begun:
                self._voices.tell(self.sheet, self._links, now)
        except WireError as error:
            name = peer if self.sheet is None else self.sheet.label(peer)
            text = said.GARBLED(who=name, reason=str(error))
            self._take_effect(Told("garbled", text, warning=True, fields={"peer": peer}))

    def heard_game(self, peer: PeerId, game: bytes) -> None:
        """A peer speaks of a game: it plays that one."""
        if self.sheet is not None and self.sheet.person(peer) is not None:
            self._entry.heard_game(peer, game)

    # --- time -------------------------------------------------------------------------------------

    def due_at(self) -> float:
        """When `tick` has something to do; infinite if never."""
        return (
            float("inf")
            if self.begun
            else min(self._role.due_at(), self._entry.due_at(), self._parted.due_at())
        )

    def tick(self, now: float) -> None:
        """Do what is due."""
        self._role.tick(now)
        self._entry.tick(now)
        self._parted.tick(now)

    # --- messages ---------------------------------------------------------------------------------

    def _take_message(self, peer: PeerId, message: LobbyMessage, now: float) -> None:
        role = self._role
        ours = self.sheet is not None and message.table == self.sheet.table
        match message:
            case Sit() if self.begun:
                self._entry.tell_latecomer(peer, message)
            case Started() if self._watches_late(peer):
                self._entry.watched(message, check_start(message))
            case _ if not (ours or isinstance(message, Sit | Sheet | Refused)):
                pass  # of another table, or another evening
            case Started() | Entered() | Void():
                self._take_start(peer, message, now)
            case _ if self.begun:
                pass  # the lobby is over
            case Talk() if self.sheet is not None:
                self._voices.hear(self.sheet, self._links, peer, message, now)
            case Sheet() | Follows():
                self._take_claim(peer, message, now)
            case _ if isinstance(role, Opener):
                if isinstance(message, Sit):
                    self._rivals.forget(peer)
                to_opener(role, peer, message, self._links.get(peer, ""), now)
            case _:
                to_guest(role, peer, message, now)

    def _take_start(self, peer: PeerId, message: Started | Entered | Void, now: float) -> None:
        match message:
            case Started():
                terms = check_start(message)
                if terms.seat_of(self.me.peer) is not None:
                    self._entry.started(peer, message, terms, now)
                elif self.me.watching and not self.begun and self._is_our_opener(peer):
                    self._entry.watch_when_played(message, terms)
            case Entered():
                self._entry.entered(peer, message, now)
            case Void():
                self._entry.void(peer, message.game)

    def _take_claim(self, peer: PeerId, message: Sheet | Follows, now: float) -> None:
        match message:
            case Follows():
                self._rivals.heard_follows(peer, message)
                self._answer_claim(peer, (-message.reign, message.opener))
            case Sheet():
                ours = self.sheet is not None and self.sheet.table == message.table
                if message.opener == peer and ours:
                    self._rivals.claims[peer] = message
                    self._answer_claim(peer, message.rank)
        if isinstance(self._role, Opener):
            self._step_down_if_due(now)
        elif isinstance(message, Sheet):
            self._role.take_sheet(peer, message, now)
        else:
            self._role.take_follows(peer, message, now)
        self._parted.heard(peer, now)

    def _other_table(self, peer: PeerId) -> Sheet | None:
        if self.sheet is None or self.sheet.opener == peer or self._entry.entering:
            return None
        return self._rivals.other_table(peer, self.me.peer, self._links.keys(), self._known)

    def _answer_claim(self, peer: PeerId, rank: tuple[int, PeerId]) -> None:
        """Show somebody who knows only a worse sheet than our own that there is a better one."""
        role = self._role
        if isinstance(role, Opener) and peer in self._known and role.sheet.rank < rank:
            self._send(peer, role.sheet)

    def _is_our_opener(self, peer: PeerId) -> bool:
        return isinstance(self._role, Guest) and self._role.opener == peer

    def _watches_late(self, peer: PeerId) -> bool:
        """Whether this peer came to watch, and asked that peer, whose game had begun before."""
        waits = self._is_our_opener(peer) and self.sheet is None
        return waits and self.me.watching and not self.begun

    # --- changing roles ---------------------------------------------------------------------------

    def _step_down_if_due(self, now: float) -> None:
        """Be a guest again when the others follow somebody else (SPEC 12.6).

        So it is after this node was cut off for a while and the table was opened again without it.
        """
        role = self._role
        if not isinstance(role, Opener) or self._entry.entering:
            return
        claim = self._rivals.counting_more(
            role.sheet, self.me.peer, self._links.keys(), self._known
        )
        if claim is not None:
            self._step_down(claim, now)

    def _step_down(self, claim: Sheet, now: float) -> None:
        self._entry.release()
        old = self._role.sheet
        guest = self._be_guest(claim.opener, now, claim)
        told = said.STEPPED_DOWN(who=claim.label(claim.opener))
        self._take_effect(Told("stepped-down", told))
        for peer in self._links:
            guest.linked(peer)
            if peer != claim.opener and old is not None and old.person(peer) is not None:
                self._send(peer, Follows(claim.table, claim.reign, claim.opener, here=True))

    def _be_guest(self, opener: PeerId, now: float, sheet: Sheet | None = None) -> Guest:
        shared = (self._identity, self._entry, self._known, self._manner)
        guest = Guest(self.me, opener, *shared, self._take_effect, now, sheet)
        self._role = guest
        return guest

    def _open(self, sheet: Sheet, now: float) -> None:
        self._role = Opener(
            sheet, self._identity, self._entry, self._known, self._chance, self._take_effect, now
        )

    # --- small parts ------------------------------------------------------------------------------

    def _take_effect(self, effect: Effect) -> None:
        self._effects.append(effect)
        if isinstance(effect, Withdraw) and isinstance(self._role, Opener):
            self._role.withdrawn()

    def _send(self, peer: PeerId, message: LobbyMessage) -> None:
        self._take_effect(Send(peer, encode_lobby(message)))


def open_table(
    me: Person,
    identity: Identity,
    name: str,
    settings: Settings,
    chance: Chance,
    now: float,
    manner: Manner | None = None,
) -> Lobby:
    """Open a table of that name and sit down at it.

    Args:
        me: this peer, with the addresses where others can reach it.
        chance: random bytes, from which the table and its games are named.
    """
    lobby = Lobby(me, identity, chance, manner or Manner())
    seated = (replace(me, ready=True, here=True, watching=False),)
    lobby._open(Sheet(chance(TABLE_BYTES), 0, 1, me.peer, name, settings, seated), now)
    return lobby


def join_table(
    me: Person,
    identity: Identity,
    opener: PeerId,
    chance: Chance,
    now: float,
    manner: Manner | None = None,
) -> Lobby:
    """Sit down, or watch, at the table which that peer has open."""
    lobby = Lobby(me, identity, chance, manner or Manner())
    lobby._be_guest(opener, now)
    return lobby
