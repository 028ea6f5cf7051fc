"""What sits at a node beside the game: whoever plays its seat, and what else uses its links.

The node's loop is the only one that touches the game. A **desk** is told of every change and gives
requests, which the loop fulfils in their turn. What is **beside** the game (table talk, a lobby)
gets what the loop cannot use: events of the links and requests that are not about the game.
"""

from collections.abc import Mapping
from enum import Enum
from typing import Protocol

import trio

from p2pcoup.net import Event
from p2pcoup.node.gossip import Gossip
from p2pcoup.node.match import Match
from p2pcoup.node.seat import SeatedGame
from p2pcoup.node.wishes import Request
from p2pcoup.rules import Sentence
from p2pcoup.table import Happened
from p2pcoup.wire import PeerId


class Ending(Enum):
    """Why a node has stopped to play."""

    OVER = "over"
    """Every game is finished and everybody who may lack the end of it has it, or was waited for."""
    QUIT = "quit"
    """The user wants it to stop; the same command plays on."""


class Desk(Protocol):
    """Whoever plays the seat of a node, or watches there: a client, many, or nobody."""

    def changed(
        self,
        game: SeatedGame,
        match: Match,
        links: frozenset[PeerId],
        remaining_ms: int | None,
    ) -> None:
        """Something in the picture is new. The game may be read during this call, not later.

        Args:
            links: the peers there is a link with, people who only watch among them.
            remaining_ms: how much is left of the open round's time; None: no time runs.
        """

    def told(
        self,
        event: str,
        text: Sentence | str,
        fields: Mapping[str, object],
        story: Happened | None,
    ) -> None:
        """The user is told something: what the log has, under the same name. Of the event
        ``"story"`` the step of the game that it tells is given as well.
        """

    async def next_request(self) -> Request:
        """Wait for a request. One that is cancelled must not have taken any."""


class NoDesk:
    """Nobody: a bot plays the seat, or it is only watched."""

    def changed(self, *_: object) -> None:
        """Nobody looks."""

    def told(self, *_: object) -> None:
        """Nobody listens."""

    async def next_request(self) -> Request:
        """Never comes."""
        await trio.sleep_forever()
        raise RuntimeError("nobody asks for anything")


class Beside(Protocol):
    """What else uses the links of a game, and its desk. Nothing here may wait."""

    def heard(self, event: Event) -> bool:
        """Look at what the links report before the game does; whether it was not for the game."""

    def told(self, peer: PeerId, gossip: Gossip) -> bool:
        """Look at what a peer says before the game does; whether it was not for the game."""

    def asked(self, request: Request) -> bool:
        """Take a request that the game has no use for; whether it will be answered."""

    def leaving(self) -> None:
        """The user wants the node to stop."""


class NothingBeside:
    """A game alone on its links."""

    def heard(self, event: Event) -> bool:  # noqa: ARG002 - nothing is for it
        """Nothing is."""
        return False

    def told(self, peer: PeerId, gossip: Gossip) -> bool:  # noqa: ARG002 - nothing is for it
        """Nothing is."""
        return False

    def asked(self, request: Request) -> bool:  # noqa: ARG002 - nothing is for it
        """Nothing will."""
        return False

    def leaving(self) -> None:
        """Nobody is to be told."""
