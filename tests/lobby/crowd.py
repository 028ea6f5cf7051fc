"""People at a table without any network: their lobbies, links that carry bytes, and a clock."""

import hashlib
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2pcoup.lobby import (
    Begin,
    Closed,
    Drop,
    Effect,
    Enter,
    Keep,
    Lobby,
    Manner,
    Person,
    Said,
    Send,
    Settings,
    Sheet,
    Told,
    Withdraw,
    decode_lobby,
    encode_lobby,
    join_table,
    open_table,
)
from p2pcoup.lobby.messages import LobbyMessage
from p2pcoup.wire import Identity, PeerId

HOST = "192.168.1.7"
PORTS = 7700
GOODBYE = b""


def identity_of(name: str) -> Identity:
    """The same identity for the same name, always."""
    seed = hashlib.sha256(b"p2pcoup lobby test " + name.encode()).digest()
    return Identity(Ed25519PrivateKey.from_private_bytes(seed))


def chance_of(name: str) -> Callable[[int], bytes]:
    """Bytes that are new every time, the same in every run."""
    drawn = 0

    def draw(size: int) -> bytes:
        nonlocal drawn
        drawn += 1
        return hashlib.sha256(f"{name} {drawn}".encode()).digest()[:size]

    return draw


@dataclass
class Guest:
    """One person: the lobby on their machine and what it wanted done."""

    name: str
    lobby: Lobby
    peer: PeerId
    effects: list[Effect] = field(default_factory=list)
    running: bool = True
    host: str = HOST
    """Where their links come from, as the others see it."""
    kept: dict[PeerId, None] = field(default_factory=dict)
    """Whom the mesh dials for them."""

    def all(self, kind: type) -> list:
        return [effect for effect in self.effects if isinstance(effect, kind)]

    @property
    def told(self) -> list[str]:
        return [str(effect.text) for effect in self.all(Told)]

    def events(self, name: str) -> list[str]:
        return [str(effect.text) for effect in self.all(Told) if effect.event == name]

    @property
    def begun(self) -> Begin | None:
        found = self.all(Begin)
        return found[-1] if found else None

    @property
    def sheet(self) -> Sheet:
        assert self.lobby.sheet is not None
        return self.lobby.sheet


class Crowd:
    """Carries what the lobbies send, in order for each pair, until nothing is on its way."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.people: dict[str, Guest] = {}
        self.links: dict[frozenset[str], None] = {}  # in the order in which they came up
        self.cut: set[frozenset[str]] = set()
        self.flying: deque[tuple[str, str, bytes]] = deque()
        self.sent: list[tuple[str, str, LobbyMessage]] = []
        self.lost: Callable[[str, str, LobbyMessage], bool] = lambda *_: False

    # --- who is there

    def open(self, name: str = "Ash", settings: Settings | None = None, **more: object) -> Guest:
        """Somebody opens a table."""
        person, identity = self._person(name, **more), identity_of(name)
        lobby = open_table(
            person, identity, "friday evening", settings or Settings(), chance_of(name), self.now
        )
        return self._add(name, lobby)

    def join(
        self,
        name: str,
        opener: str = "Ash",
        manner: Manner | None = None,
        host: str = HOST,
        **more: object,
    ) -> Guest:
        """Somebody comes by an invite of the opener's."""
        person, identity = self._person(name, **more), identity_of(name)
        peer = identity_of(opener).peer_id
        lobby = join_table(person, identity, peer, chance_of(name), self.now, manner)
        guest = self._add(name, lobby)
        guest.host = host
        guest.kept[peer] = None
        self.link(name, opener)
        return guest

    def _person(self, name: str, called: str | None = None, **more: object) -> Person:
        place = f"10.0.0.{len(self.people) + 1}:{PORTS}"
        return Person(identity_of(name).peer_id, called or name, (place,), **more)  # type: ignore[arg-type]

    def _add(self, name: str, lobby: Lobby) -> Guest:
        guest = self.people[name] = Guest(name, lobby, identity_of(name).peer_id)
        self.settle()
        return guest

    def __getitem__(self, name: str) -> Guest:
        return self.people[name]

    # --- links

    def link(self, one: str, other: str) -> None:
        """A link comes up, if both want it."""
        pair = frozenset((one, other))
        if pair in self.links or pair in self.cut or not self._running(one, other):
            return
        a, b = self[one], self[other]
        if not (a.lobby.admits(b.peer) and b.lobby.admits(a.peer)):
            return
        self.links[pair] = None
        a.lobby.linked(b.peer, b.host, self.now)
        b.lobby.linked(a.peer, a.host, self.now)
        self.settle()

    def unlink(self, one: str, other: str, *, for_good: bool = True) -> None:
        """A link goes down, with all that is on its way."""
        pair = frozenset((one, other))
        if for_good:
            self.cut.add(pair)
        if pair not in self.links:
            return
        self.links.pop(pair)
        self.flying = deque(each for each in self.flying if {*each[:2]} != pair)
        for name, peer in ((one, self[other].peer), (other, self[one].peer)):
            if self[name].running:
                self[name].lobby.unlinked(peer, self.now)
        self.settle()

    def kill(self, name: str) -> None:
        """Somebody's program dies."""
        self[name].running = False
        for pair in [pair for pair in self.links if name in pair]:
            self.unlink(*sorted(pair), for_good=False)

    def heal(self) -> None:
        """Everybody who wants to be linked is, from now on."""
        self.cut.clear()
        self.relink()

    def relink(self) -> None:
        """The mesh dials whoever is to be kept."""
        for guest in list(self.people.values()):
            for peer in list(guest.kept):
                other = self.name_of(peer)
                if other not in (None, guest.name):
                    self.link(guest.name, other)

    def name_of(self, peer: PeerId) -> str | None:
        return next((name for name, each in self.people.items() if each.peer == peer), None)

    def _running(self, *names: str) -> bool:
        return all(self[name].running for name in names)

    # --- what happens

    def say(self, sender: str, receiver: str, message: LobbyMessage | bytes) -> None:
        """Somebody's program says something of its own to another; it need not be honest."""
        payload = message if isinstance(message, bytes) else encode_lobby(message)
        self[receiver].lobby.receive(self[sender].peer, payload, self.now)
        self.settle()

    def settle(self) -> None:
        """Carry everything to its end."""
        self._collect()
        while self.flying:
            sender, receiver, payload = self.flying.popleft()
            if payload == GOODBYE:
                self.unlink(sender, receiver, for_good=False)
                continue
            message = decode_lobby(payload)
            if self.lost(sender, receiver, message):
                continue
            if frozenset((sender, receiver)) in self.links:
                self[receiver].lobby.receive(self[sender].peer, payload, self.now)
            self._collect()

    def _collect(self) -> None:
        for name, guest in list(self.people.items()):
            for effect in guest.lobby.take():
                guest.effects.append(effect)
                match effect:
                    case Send(peer, payload):
                        self._post(name, peer, payload)
                    case Keep(peer):
                        other = self.name_of(peer)
                        guest.kept[peer] = None
                        if other is not None:
                            self.link(name, other)
                    case Drop(peer):
                        other = self.name_of(peer)
                        guest.kept.pop(peer, None)
                        if other is not None:  # what is queued is still sent (SPEC 9.5)
                            self.flying.append((name, other, GOODBYE))
                    case _:
                        assert isinstance(effect, Told | Said | Enter | Withdraw | Begin | Closed)

    def _post(self, name: str, peer: PeerId, payload: bytes) -> None:
        other = self.name_of(peer)
        if other is None or frozenset((name, other)) not in self.links:
            return
        self.sent.append((name, other, decode_lobby(payload)))
        self.flying.append((name, other, payload))

    def wait(self, seconds: float) -> None:
        """Time passes; everybody does what becomes due, when it does."""
        end = self.now + seconds
        while True:
            due = min(
                (guest.lobby.due_at() for guest in self.people.values() if guest.running),
                default=end,
            )
            if due > end:
                break
            self.now = max(self.now, due)
            for guest in self.people.values():
                if guest.running:
                    guest.lobby.tick(self.now)
            self.settle()
        self.now = end

    def ready(self, *names: str) -> None:
        for name in names:
            self[name].lobby.ready(True, self.now)
            self.settle()

    def start(self, name: str = "Ash") -> None:
        self[name].lobby.start(self.now)
        self.settle()

    def of_kind(self, kind: type, sender: str | None = None) -> list:
        """The messages of a kind that were sent."""
        return [
            message
            for who, _, message in self.sent
            if isinstance(message, kind) and sender in (None, who)
        ]


def table_of(*names: str, settings: Settings | None = None) -> Crowd:
    """A table at which these sit, the first as the opener; all ready and shown for long enough."""
    crowd = Crowd()
    opener, *guests = names
    crowd.open(opener, settings)
    for name in guests:
        crowd.join(name, opener)
    crowd.wait(5)
    crowd.ready(*guests)
    return crowd


def seated(sheet: Sheet) -> Sequence[str]:
    return [person.name for person in sheet.seated]
