"""The company at a table, beside its games: table talk, another game, and people who watch.

Asides (SPEC 3.7) are passed on by everybody, so those who have no link with each other hear them as
well. From peers without a seat nothing is taken but their wish to be told the game.
"""

import trio

from p2pcoup.net import Connected, Event, Mesh, Received
from p2pcoup.node import said
from p2pcoup.node.asides import TooOftenError
from p2pcoup.node.desk import Beside, NothingBeside
from p2pcoup.node.gossip import Have, Whispered, decode_gossip, encode_gossip
from p2pcoup.node.match import Match
from p2pcoup.node.seat import SeatedGame
from p2pcoup.node.telling import Telling
from p2pcoup.node.wishes import (
    DONE,
    NO_SEAT,
    NOT_POSSIBLE,
    TOO_LONG,
    TOO_OFTEN,
    Again,
    Reply,
    Request,
    Say,
)
from p2pcoup.rules import Seat
from p2pcoup.wire import Identity, PeerId, WireError
from p2pcoup.wire.aside import MAX_TALK_CHARACTERS, AsideKind, SignedAside, parse_aside


class Company:
    """What else uses the links of a match, and its desk."""

    def __init__(
        self,
        mesh: Mesh,
        match: Match,
        identity: Identity,
        telling: Telling,
        beside: Beside | None = None,
        *,
        always_again: bool = False,
    ) -> None:
        """Begin to listen.

        Args:
            beside: is given what the company has no use for.
            always_again: want another game as soon as somebody else does, as a bot should.
        """
        self._mesh = mesh
        self._match = match
        self._identity = identity
        self._telling = telling
        self._beside = beside or NothingBeside()
        self._always_again = always_again
        self._seats = {member.peer for member in match.current.terms.roster}

    # --- as the game's loop sees it ---------------------------------------------------------------

    def heard(self, event: Event) -> bool:
        """Look at what the links report before the game does; whether it was not for the game."""
        match event:
            case Connected(peer) if peer in self._seats:
                self._tell_wishes(peer)
            case Received(peer, payload):
                return self._received(peer, payload) or self._beside.heard(event)
        return self._beside.heard(event)

    def asked(self, request: Request) -> bool:
        """Take a request that the game has no use for; whether it will be answered."""
        match request.wish:
            case Say(text):
                request.reply(self._say(text))
            case Again(again):
                request.reply(self._ask_again() if again else self._not_again())
            case _:
                return self._beside.asked(request)
        return True

    # --- asides -----------------------------------------------------------------------------------

    @property
    def _game(self) -> SeatedGame:
        return self._match.current

    def _tell_wishes(self, peer: PeerId) -> None:
        for raw in self._game.asides.wishes():
            self._mesh.send(peer, encode_gossip(Whispered(raw)))

    def _received(self, peer: PeerId, payload: bytes) -> bool:
        try:
            gossip = decode_gossip(payload)
        except WireError:
            return False
        if peer not in self._seats:
            return not isinstance(gossip, Have)
        if isinstance(gossip, Whispered):
            self._hear(gossip.raw, peer)
            return True
        return False

    def _hear(self, raw: bytes, origin: PeerId) -> None:
        """Take an aside from a link. What is not as it must be is passed over, and counted: a
        complaint would only be one more thing that a peer can cause.
        """
        try:
            aside = parse_aside(raw).aside
            if (game := self._match.game(aside.game)) is None:
                return
            key = game.table.game.public_keys.get(Seat(aside.seat))
            signed = game.asides.hear(raw, key, trio.current_time())
        except WireError:
            self._mesh.reproach(origin)
            return
        if signed is not None:
            self._pass_on(signed, but=origin)
            self._note(game, signed)

    def _note(self, game: SeatedGame, signed: SignedAside) -> None:
        """Tell the user what was said."""
        aside = signed.aside
        member = game.terms.roster[aside.seat]
        if aside.kind is AsideKind.TALK:
            self._telling.info("talk", aside.text, peer=member.peer, name=member.name)
        elif game is self._game:
            if game.seat is None or aside.seat != game.seat:
                self._telling.info("again", said.WANTS_AGAIN(who=member.name), seat=aside.seat)
            if self._always_again:
                self._ask_again()

    def _pass_on(self, signed: SignedAside, but: PeerId | None = None) -> None:
        for peer in self._mesh.linked:  # people who watch hear it as well
            if peer != but:
                self._mesh.send(peer, encode_gossip(Whispered(signed.raw)))

    # --- what our own user wants ------------------------------------------------------------------

    def _say(self, text: str) -> Reply:
        asides = self._game.asides
        if self._game.seat is None:
            return Reply(NO_SEAT, "Who only watches has no voice at the table.")
        try:
            signed = asides.talk(text, self._identity, trio.current_time())
        except TooOftenError as error:
            return Reply(TOO_OFTEN, str(error))
        except WireError as error:
            too_long = len(text) > MAX_TALK_CHARACTERS
            return Reply(TOO_LONG if too_long else NOT_POSSIBLE, str(error))
        self._pass_on(signed)
        self._note(self._game, signed)
        return DONE

    def _ask_again(self) -> Reply:
        game = self._game
        if game.seat is None:
            return Reply(NO_SEAT, "Who only watches has nothing to decide.")
        if game.outcome is None or not self._match.in_last_game:
            return Reply(NOT_POSSIBLE, "The match is not over yet.")
        if not self._match.may_go_on:
            return Reply(NOT_POSSIBLE, "A match has no more games than this; open a new table.")
        if game.seat not in game.asides.want_again:
            signed = game.asides.ask_again(self._identity)
            self._pass_on(signed)
            self._note(game, signed)
        return DONE

    def _not_again(self) -> Reply:
        if self._game.seat in self._game.asides.want_again:
            return Reply(NOT_POSSIBLE, "You have said that you want another game; it stands.")
        return DONE
