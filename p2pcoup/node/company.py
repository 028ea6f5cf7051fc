"""The company at a table, beside its games: table talk, another game, and people who watch.

Asides (SPEC 3.7) are passed on by everybody, so those who have no link with each other hear them as
well. From peers without a seat nothing is taken but their wish to be told the game.
"""

import trio

from p2pcoup.net import Connected, Event, Mesh
from p2pcoup.node import said
from p2pcoup.node.asides import TooOftenError
from p2pcoup.node.desk import Beside, NothingBeside
from p2pcoup.node.gossip import Gossip, Have, Whispered, encode_gossip
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
from p2pcoup.wire.aside import MAX_TALK_CHARACTERS, YES, AsideKind, SignedAside, parse_aside

RECALLED = 20
"""How much of the talk before a restart is shown again."""


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
        self._recall()

    # --- as the game's loop sees it ---------------------------------------------------------------

    def heard(self, event: Event) -> bool:
        """Look at what the links report before the game does; whether it was not for the game."""
        match event:
            case Connected(peer) if self._has_seat(peer):
                self._tell_wishes(peer)
        return self._beside.heard(event)

    def told(self, peer: PeerId, gossip: Gossip) -> bool:
        """Look at what a peer says before the game does; whether it was not for the game."""
        if not self._has_seat(peer):
            return not isinstance(gossip, Have)
        if isinstance(gossip, Whispered):
            self._hear(gossip.raw, peer)
            return True
        return self._beside.told(peer, gossip)

    def asked(self, request: Request) -> bool:
        """Take a request that the game has no use for; whether it will be answered."""
        match request.wish:
            case Say(text):
                request.reply(self._say(text))
            case Again(again):
                request.reply(self._speak_of_another(again))
            case _:
                return self._beside.asked(request)
        return True

    def leaving(self) -> None:
        """The user wants the node to stop: so nobody waits for them with another game."""
        game = self._game
        if game.seat is not None and game.outcome is not None and self._match.in_last_game:
            self._say_of_another(False)
        self._beside.leaving()

    # --- asides -----------------------------------------------------------------------------------

    @property
    def _game(self) -> SeatedGame:
        return self._match.current

    def _has_seat(self, peer: PeerId) -> bool:
        return self._game.terms.seat_of(peer) is not None

    def _recall(self) -> None:
        """Show again what was said last, before this program was started."""
        said_last = self._game.asides.recent(RECALLED)
        if said_last:
            self._telling.again("talk-before", said.SAID_BEFORE())
        for aside in said_last:
            member = self._game.terms.roster[aside.seat]
            self._telling.again("talk", aside.text, peer=member.peer, name=member.name)

    def _tell_wishes(self, peer: PeerId) -> None:
        for raw in self._game.asides.wishes():
            self._mesh.send(peer, encode_gossip(Whispered(raw)))

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
            wanted = aside.text == YES
            if game.seat is None or aside.seat != game.seat:
                told = said.WANTS_AGAIN if wanted else said.WANTS_NO_MORE
                event = "again" if wanted else "not-again"
                self._telling.info(event, told(who=member.name), seat=aside.seat)
            if wanted and self._always_again:
                self._speak_of_another(True)

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

    def _speak_of_another(self, wanted: bool) -> Reply:
        game = self._game
        if game.seat is None:
            return Reply(NO_SEAT, "Who only watches has nothing to decide.")
        if game.seat in game.table.game.lost:
            return Reply(NO_SEAT, "The others had to go on without you: you have no seat any more.")
        if game.outcome is None or not self._match.in_last_game:
            return Reply(NOT_POSSIBLE, "The match is not over yet.")
        if not self._match.may_go_on:
            return Reply(NOT_POSSIBLE, "This match cannot have another game; open a new table.")
        if not wanted and game.seat in game.asides.want_again:
            return Reply(NOT_POSSIBLE, "You have said that you want another game; it stands.")
        self._say_of_another(wanted)
        return DONE

    def _say_of_another(self, wanted: bool) -> None:
        game = self._game
        if game.seat in (game.asides.want_again if wanted else game.asides.want_no_more):
            return
        signed = game.asides.speak_of_another(wanted, self._identity)
        self._pass_on(signed)
        self._note(game, signed)
