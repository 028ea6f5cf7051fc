"""How a game begins: promises, and the seats that have entered (SPEC 12.5, 12.6).

A signature is a promise to enter one game if all others sign as well, and only for HOLD_SECONDS;
a later roster, a change of the table or the opener's word that it is called off end it earlier.
Who holds all signatures while its promise stands *enters*: it writes the game down, tells
everybody, and from then on never says that it will not play. Who is shown signatures after the
promise has ended says `void`: it will never play that game. A game begins for a seat when it knows
that every seat has entered; one `void` sends all others back to the lobby. So nobody is drawn into
a game behind their back, and no seat plays while another sits in the lobby.

If a seat is gone before it has entered, the others cannot know whether it will come back and play,
so nothing calls the game off by itself: they are told who it is, and may wait, or leave the table.
"""

from collections.abc import Callable
from dataclasses import dataclass

from p2pcoup.lobby import said
from p2pcoup.lobby.effects import Begin, Effect, Enter, Send, Told, Withdraw
from p2pcoup.lobby.limits import ENTER_SECONDS, HOLD_SECONDS, MAX_KNOWN
from p2pcoup.lobby.messages import (
    Entered,
    LobbyMessage,
    Reason,
    Refused,
    Roster,
    Sit,
    Started,
    Void,
    encode_lobby,
)
from p2pcoup.lobby.signing import sign_roster
from p2pcoup.rules import Seat
from p2pcoup.rules.sentence import listed
from p2pcoup.table import Terms, decode_terms
from p2pcoup.wire import Identity, PeerId


@dataclass(slots=True)
class _Entering:
    terms: Terms
    started: Started
    seats: set[Seat]
    overdue_at: float
    """When the user is told who has not entered; infinite once that is done."""


class Entry:
    """One peer's promise, and its entering of a game. Effects go to `out`."""

    def __init__(self, identity: Identity, out: Callable[[Effect], None]) -> None:
        self._identity = identity
        self._me = identity.peer_id
        self._out = out
        self._promised: Roster | None = None
        self._until = 0.0
        self._entering: _Entering | None = None
        self._to_watch: tuple[Started, Terms] | None = None
        self._spoken: dict[PeerId, bytes] = {}  # of which game each has spoken last
        self.begun_with: Started | None = None
        """The start of the game that has begun."""

    @property
    def entering(self) -> bool:
        """Whether this seat has entered a game that has not begun yet."""
        return self._entering is not None and self.begun_with is None

    @property
    def overdue(self) -> bool:
        """Whether it is entering one, and has told its user that others do not."""
        return self.entering and self.due_at() == float("inf")

    def promises(self, now: float) -> bool:
        """Whether a signature of this peer stands."""
        return self._promised is not None and now <= self._until

    def promise(self, roster: Roster, now: float) -> bytes:
        """Sign a roster; an earlier promise ends."""
        self._promised, self._until = roster, now + HOLD_SECONDS
        return sign_roster(roster, self._identity)

    def release(self) -> None:
        """The promise ends: whatever was signed is void at this seat."""
        self._promised = None

    # --- messages ---------------------------------------------------------------------------------

    def started(self, sender: PeerId, started: Started, terms: Terms, now: float) -> None:
        """All signatures have come; `check_start` has accepted them."""
        entering = self._entering
        if entering is not None and entering.terms == terms:
            self._know(sender, ())
            if self.begun_with is not None:
                self._send(sender, self._known(entering))
            return
        fits = self._fits(started) and self.promises(now)
        if entering is not None or not fits:
            self._send(sender, Void(started.table, terms.game_id))
            return
        self.enter(started, terms, now)

    def watch_when_played(self, started: Started, terms: Terms) -> None:
        """For one who only watches: the game may still be void, until somebody plays it."""
        self._to_watch = (started, terms)
        if any(_is_played_by(terms, peer, game) for peer, game in self._spoken.items()):
            self.watched(started, terms)

    def watched(self, started: Started, terms: Terms) -> None:
        """For one who only watches: the game is being played."""
        self.begun_with = started
        self._out(Enter(terms, started))
        self._out(Begin(terms, started))

    def enter(self, started: Started, terms: Terms, now: float) -> None:
        """Take the seat, for good unless another seat never does."""
        seat = terms.seat_of(self._me)
        if seat is None:
            raise ValueError("this peer has no seat in that game")
        self._promised = None
        self._entering = _Entering(terms, started, {seat}, now + ENTER_SECONDS)
        self._out(Enter(terms, started))
        self._tell_all()
        self._begin_if_all()

    def entered(self, sender: PeerId, message: Entered, now: float) -> None:
        """Somebody says which seats have entered a game."""
        entering = self._entering
        if entering is not None and message.game == entering.terms.game_id:
            self._know(sender, message.seats)
        elif not (self.promises(now) and self._has_promised(message.game)):
            self._send(sender, Void(message.table, message.game))

    def void(self, sender: PeerId, game: bytes) -> None:
        """Somebody will never play that game."""
        entering = self._entering
        if entering is None or self.begun_with is not None or game != entering.terms.game_id:
            return
        seat = entering.terms.seat_of(sender)
        if seat is None:
            return
        self._entering = None
        self._out(Withdraw(entering.terms))
        self._send_all(entering, Void(entering.started.table, game))
        name = entering.terms.names[seat]
        self._out(
            Told(
                "start-void",
                said.START_VOID(who=name),
                warning=True,
            )
        )

    def heard_game(self, sender: PeerId, game: bytes) -> None:
        """A seat plays that game already: every seat has entered it, then. Of others it is no
        more than hearsay.
        """
        self._spoken.pop(sender, None)
        self._spoken[sender] = game
        for peer in list(self._spoken)[:-MAX_KNOWN]:
            del self._spoken[peer]
        entering, to_watch = self._entering, self._to_watch
        if (
            to_watch is not None
            and self.begun_with is None
            and _is_played_by(to_watch[1], sender, game)
        ):
            self.watched(*to_watch)
        if entering is not None and _is_played_by(entering.terms, sender, game):
            entering.seats.update(entering.terms.seats)
            self._begin_if_all()

    def linked(self, peer: PeerId) -> None:
        """What was said before the link came up is lost: say it again."""
        entering = self._entering
        if entering is not None and entering.terms.seat_of(peer) is not None:
            self._send(peer, entering.started)
            self._send(peer, self._known(entering))

    def tell_watcher(self, peer: PeerId) -> None:
        """Somebody comes to watch while a game is entered: the others were told before."""
        if self._entering is not None:
            self._send(peer, self._entering.started)

    def tell_latecomer(self, peer: PeerId, sit: Sit) -> None:
        """Somebody comes when the game has begun: they can watch it."""
        started = self.begun_with
        if started is None:
            return
        if sit.watching:
            self._send(peer, started)
        else:
            self._send(peer, Refused(sit.table or started.table, Reason.PLAYING))

    # --- time -------------------------------------------------------------------------------------

    def due_at(self) -> float:
        """When `tick` has something to do; infinite if never."""
        entering = self._entering
        return float("inf") if entering is None or not self.entering else entering.overdue_at

    def tick(self, now: float) -> None:
        """Tell who keeps everybody waiting."""
        entering = self._entering
        if entering is None or now < self.due_at():
            return
        entering.overdue_at = float("inf")
        names = [entering.terms.names[each] for each in self._missing(entering)]
        told = said.NOT_ENTERED(who=listed(names), number=len(names))
        self._out(Told("not-entered", told, warning=True))

    # --- small parts ------------------------------------------------------------------------------

    def _missing(self, entering: _Entering) -> list[Seat]:
        return [seat for seat in entering.terms.seats if seat not in entering.seats]

    def _know(self, sender: PeerId, seats: tuple[int, ...]) -> None:
        """These seats, and the sender's own, have entered."""
        entering = self._entering
        if entering is None:
            return
        own = entering.terms.seat_of(sender)
        if own is None:
            return
        told = {own, *(Seat(seat) for seat in seats)} & set(entering.terms.seats)
        if told <= entering.seats:
            return
        entering.seats |= told
        self._send_all(entering, self._known(entering))
        self._begin_if_all()

    def _begin_if_all(self) -> None:
        entering = self._entering
        if entering is None or entering.seats != set(entering.terms.seats):
            return
        if self.begun_with is not None:
            return
        self.begun_with = entering.started
        self._out(Begin(entering.terms, entering.started))

    def _tell_all(self) -> None:
        if self._entering is not None:
            self._send_all(self._entering, self._entering.started)
            self._send_all(self._entering, self._known(self._entering))

    def _known(self, entering: _Entering) -> Entered:
        seats = tuple(sorted(entering.seats))
        return Entered(entering.started.table, entering.terms.game_id, seats)

    def _fits(self, started: Started) -> bool:
        """Whether these are the signatures under what was signed here, to the last byte."""
        promised = self._promised
        return promised is not None and (
            (promised.table, promised.reign, promised.attempt, promised.games, promised.terms)
            == (started.table, started.reign, started.attempt, started.games, started.terms)
        )

    def _has_promised(self, game: bytes) -> bool:
        promised = self._promised
        return promised is not None and decode_terms(promised.terms).game_id == game

    def _send_all(self, entering: _Entering, message: LobbyMessage) -> None:
        for member in entering.terms.roster:
            if member.peer != self._me:
                self._send(member.peer, message)

    def _send(self, peer: PeerId, message: LobbyMessage) -> None:
        self._out(Send(peer, encode_lobby(message)))


def _is_played_by(terms: Terms, sender: PeerId, game: bytes) -> bool:
    """Whether that is this game, and the sender has a seat in it."""
    return game == terms.game_id and terms.seat_of(sender) is not None
