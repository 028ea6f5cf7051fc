"""Where the people of a lobby can be reached: several addresses, of which one may work.

What others say of addresses is dialled only if a peer on another computer can be there (SPEC 12.4):
nobody shall make us call programs of our own computer. Who comes from this computer speaks of it.
"""

from collections.abc import Mapping, Sequence

from p2pcoup.net import Address, AddressError, Mesh, parse_address
from p2pcoup.net.elsewhere import can_be_elsewhere, is_loopback
from p2pcoup.wire import PeerId

UNKNOWN_PORT = 1  # nobody listens there; who gave no usable address must call us


class Places:
    """Tries each peer's addresses in turn. The mesh dials one at a time."""

    def __init__(self, mesh: Mesh) -> None:
        self._mesh = mesh
        self._places: dict[PeerId, list[Address]] = {}
        self._seen: dict[PeerId, Address] = {}

    def keep_told(self, peer: PeerId, addresses: Sequence[str], teller: PeerId) -> None:
        """Keep a link with this peer, who can be reached there, says another one or itself."""
        seen = self._seen.get(teller)
        here = seen is not None and is_loopback(seen.host)
        places = [place for place in map(_address, addresses) if place is not None]
        self._keep(peer, [each for each in places if can_be_elsewhere(each.host, loopback=here)])

    def keep(self, peer: PeerId, addresses: Sequence[str]) -> None:
        """Keep a link with this peer, who can be reached there, says our user."""
        self._keep(peer, [place for place in map(_address, addresses) if place is not None])

    def _keep(self, peer: PeerId, places: list[Address]) -> None:
        if not places and peer in self._places:
            return
        self._places[peer] = places
        self._mesh.add_peer(peer, places[0] if places else None)

    def drop(self, peer: PeerId) -> None:
        """End the link and dial no more."""
        self._places.pop(peer, None)
        self._seen.pop(peer, None)
        self._mesh.remove_peer(peer)

    def linked(self, peer: PeerId, remote: Address) -> None:
        """A link came up, from or to there."""
        self._seen[peer] = remote

    def unreachable(self, peer: PeerId) -> None:
        """The address in use does not work: try the next one."""
        places = self._places.get(peer, [])
        if len(places) > 1:
            places.append(places.pop(0))
            self._mesh.add_peer(peer, places[0])

    def best(self, peers: Sequence[PeerId], me: PeerId) -> Mapping[PeerId, Address]:
        """One address for each peer, for a table file."""
        return {peer: self._best(peer, me) for peer in peers}

    def _best(self, peer: PeerId, me: PeerId) -> Address:
        if peer == me:
            return self._mesh.addresses[0]
        seen = self._seen.get(peer)
        places = self._places.get(peer, [])
        for place in places:
            if seen is not None and place.host == seen.host:
                return place
        return places[0] if places else Address(seen.host if seen else "0.0.0.0", UNKNOWN_PORT)  # noqa: S104


def _address(text: str) -> Address | None:
    """The address, if it is one that can be dialled."""
    try:
        address = parse_address(text)
    except AddressError:
        return None
    return address if address.port else None


def host_text(remote: Address) -> str:
    """The host as it stands in the text of an address."""
    return f"[{remote.host}]" if ":" in remote.host else remote.host
