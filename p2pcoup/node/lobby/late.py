"""A lobby while its game is played: it still answers those who come late (SPEC 12.6)."""

import trio

from p2pcoup.lobby import Lobby, Send, is_lobby
from p2pcoup.net import Connected, Disconnected, Event, Mesh, Received, Unreachable
from p2pcoup.node.desk import Beside, NothingBeside
from p2pcoup.node.gossip import Gossip
from p2pcoup.node.lobby.places import Places, host_text
from p2pcoup.node.wishes import Request
from p2pcoup.wire import PeerId


class LobbyBeside:
    """Goes on to answer for the lobby while its game is played: for those who come late.

    Args:
        other: what else is beside the game.
    """

    def __init__(
        self, mesh: Mesh, lobby: Lobby, places: Places, other: Beside | None = None
    ) -> None:
        self._mesh = mesh
        self._lobby = lobby
        self._places = places
        self._other = other or NothingBeside()

    def heard(self, event: Event) -> bool:
        """Look at what the links report; whether it was not for the game."""
        now = trio.current_time()
        ours = False
        match event:
            case Connected(peer, remote):
                self._lobby.linked(peer, host_text(remote), now)
            case Disconnected(peer):
                self._lobby.unlinked(peer, now)
            case Unreachable(peer):
                self._places.unreachable(peer)
            case Received(peer, payload) if is_lobby(payload):
                self._lobby.receive(peer, payload, now)
                ours = True
            case _:
                pass
        for effect in self._lobby.take():
            if isinstance(effect, Send):
                self._mesh.send(effect.peer, effect.payload)
        return ours or self._other.heard(event)

    def told(self, peer: PeerId, gossip: Gossip) -> bool:
        """Nothing a peer says of a game is for a lobby."""
        return self._other.told(peer, gossip)

    def asked(self, request: Request) -> bool:
        """Wishes of a lobby are not possible during a game."""
        return self._other.asked(request)

    def leaving(self) -> None:
        """The lobby is over already."""
        self._other.leaving()
