"""What a node sends to its peers, counted."""

from p2pcoup.net import Mesh
from p2pcoup.node.gossip import Gossip, encode_gossip
from p2pcoup.wire import PeerId


class Post:
    """Queues gossip for peers there is a link with; nothing here waits."""

    def __init__(self, mesh: Mesh) -> None:
        self._mesh = mesh
        self.sent_bytes = 0

    def to(self, peer: PeerId, gossip: Gossip) -> None:
        """Send it to one peer, if there is a link."""
        self._send(peer, encode_gossip(gossip))

    def to_all(self, gossip: Gossip, but: PeerId | None = None) -> None:
        """Send it to everybody there is a link with, but perhaps to one."""
        payload = encode_gossip(gossip)
        for peer in self._mesh.linked:
            if peer != but:
                self._send(peer, payload)

    def _send(self, peer: PeerId, payload: bytes) -> None:
        if self._mesh.send(peer, payload):
            self.sent_bytes += len(payload)
