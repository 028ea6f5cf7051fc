"""One whole game from its plan: peers, links, faults, and time until it is over."""

import random
from dataclasses import dataclass, field

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2pcoup.rules import EDITIONS
from p2pcoup.table import Member, Player, Terms
from p2pcoup.wire import Identity
from tests.sim.cheater import Cheater
from tests.sim.faults import GRACE_MS, HEALED_MS, Faults, crash_places
from tests.sim.network import Network
from tests.sim.peer import Character, Peer, Surroundings
from tests.sim.plan import HARMLESS_FAULTS, Plan
from tests.sim.policies import POLICIES
from tests.sim.record import Record
from tests.sim.scheme import ALL_CHEATS, MANNERS, Scheme
from tests.sim.timeline import Timeline

NAMES = ("Ash", "Birch", "Cedar", "Elm", "Fir", "Hazel")
END_MS = HEALED_MS + 40 * GRACE_MS
STORM = 60_000  # payloads; no game needs half as many
AFTERWARDS_MS = 30_000  # what is still on its way is heard, and may be evidence


@dataclass(slots=True)
class World:
    """One game, before, while and after it is played."""

    plan: Plan
    terms: Terms
    timeline: Timeline
    network: Network
    peers: list[Peer] = field(default_factory=list)
    record: Record = field(default_factory=Record)

    def play(self, end_ms: int = END_MS) -> Record:
        """Let the game take its course, to its end or to that time."""
        Faults(self.plan, self.timeline, self.network, self.peers, self.record).begin()
        self.timeline.run(lambda: self.is_over() or self.network.delivered > STORM, end_ms)
        if self.is_over():
            self.timeline.run(lambda: False, self.timeline.now + AFTERWARDS_MS)
        honest = [int(witness.seat) for witness in self.record.honest]
        self.record.delivered = self.network.delivered
        self.record.faults["stalls"] += self.network.stalled
        self.record.islands = self.network.islands(honest)
        self.record.reach = self.network.islands(range(len(self.peers)))
        return self.record

    def is_over(self) -> bool:
        """Whether every honest peer that is not gone has the whole game."""
        return all(
            peer.running and peer.game.table.outcome is not None
            for peer in self.peers
            if not (peer.witness.gone or peer.witness.cheating)
        )


def make_world(plan: Plan) -> World:
    """Everything a plan needs, standing still."""
    luck = plan.luck("secrets")
    identities = [
        Identity(Ed25519PrivateKey.from_private_bytes(luck.randbytes(32)))
        for _ in range(plan.seats)
    ]
    roster = tuple(
        Member(identity.peer_id, name) for identity, name in zip(identities, NAMES, strict=False)
    )
    terms = Terms(f"simulation {plan.seed}", EDITIONS[plan.edition], roster, plan.options)
    timeline = Timeline()
    repeats = 0.05 if "repeats" in plan.faults else 0.0
    stalls = 0.01 if "stalls" in plan.faults else 0.0
    network = Network(timeline, plan.luck("network"), repeats=repeats, stalls=stalls)
    world = World(plan, terms, timeline, network)
    world.record.undisturbed = plan.faults <= HARMLESS_FAULTS
    around = Surroundings(terms, timeline, network, world.record)
    crashing, cheating = _crashing(plan), _cheating(plan)
    for seat, identity in enumerate(identities):
        player = Player(terms, identity, luck.randbytes(32))
        character = _character(plan, plan.luck(f"character {seat}"), crashes=seat in crashing)
        peer_luck = plan.luck(f"peer {seat}")
        if seat in cheating:
            scheme = _scheme(plan, identity, world.record, plan.luck(f"scheme {seat}"))
            peer: Peer = Cheater(player, around, character, peer_luck, scheme)
        else:
            peer = Peer(player, around, character, peer_luck)
        world.peers.append(peer)
        world.record.witnesses.append(peer.witness)
        network.join(seat, peer)
    return world


def _crashing(plan: Plan) -> list[int]:
    if "crash" not in plan.faults:
        return []
    luck = plan.luck("crashing")
    return luck.sample(range(plan.seats), luck.randint(1, plan.seats))


def _cheating(plan: Plan) -> list[int]:
    """Always less than half of the seats, but one of two."""
    if "cheat" not in plan.faults:
        return []
    luck = plan.luck("cheating")
    return luck.sample(range(plan.seats), luck.randint(1, max(1, (plan.seats - 1) // 2)))


def _scheme(plan: Plan, identity: Identity, record: Record, luck: random.Random) -> Scheme:
    manner = luck.choice(MANNERS)
    return Scheme(
        identity,
        luck,
        record.lies,
        among=(plan.cheat,) if plan.cheat else ALL_CHEATS,
        eager=plan.cheat is not None,
        manner="plain" if plan.cheat else manner,
        from_round=0 if plan.cheat else luck.choice((0, 2, 4, 8, 12, 20, 30, 40, 60)),
    )


def _character(plan: Plan, luck: random.Random, *, crashes: bool) -> Character:
    places = crash_places(luck)
    return Character(
        policy=luck.choice(POLICIES),
        thinks="thinking" in plan.faults and luck.random() < 0.5,
        crashes=places if crashes else frozenset(),
        resting_ms=luck.choice((10, 1_000, 5_000, 30_000)),
    )
