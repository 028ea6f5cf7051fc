"""What one simulated game leaves behind for the checks: who signed, heard, saw and blamed what."""

from collections import Counter
from dataclasses import dataclass, field

from p2pcoup.rules import Seat, View
from p2pcoup.table import Blame, Player, Table
from p2pcoup.wire import SignedMessage
from tests.sim.disk import Disk


@dataclass(frozen=True, slots=True)
class Lie:
    """A message, or two together, that a cheating seat has signed and no honest seat would.

    Attributes:
        cheat: the name of the cheat in the catalogue.
        false: everybody who hears it in time must blame the seat for it alone.
    """

    seat: Seat
    cheat: str
    raws: tuple[bytes, ...]
    false: bool


@dataclass(frozen=True, slots=True)
class Duty:
    """A peer has heard what obliges it to blame the seat."""

    seat: Seat
    raw: bytes
    why: str


@dataclass(slots=True)
class Witness:
    """All that is known of one seat's peer, over all its restarts.

    Attributes:
        player: the seat and its secrets.
        table: its table in the last run.
        gone: it will not come back.
        said: every message of its own that it has sent to anybody, in order.
        blames: what it has blamed on others, with the file of evidence for each.
        views: what its policy was shown, with the number of the round and the digest before it.
        broken: sentences of a restart that did not go as it must.
    """

    player: Player
    disk: Disk = field(default_factory=Disk)
    table: Table | None = None
    cheating: bool = False
    gone: bool = False
    said: dict[bytes, SignedMessage] = field(default_factory=dict)
    duties: list[Duty] = field(default_factory=list)
    blames: list[tuple[Blame, bytes]] = field(default_factory=list)
    views: list[tuple[int, bytes, View]] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)

    @property
    def seat(self) -> Seat:
        """Whose peer it is."""
        return self.player.seat

    def note_said(self, signed: SignedMessage) -> None:
        """Remember a message if it is the seat's own."""
        if signed.message.seat == self.seat:
            self.said.setdefault(signed.raw, signed)


@dataclass(slots=True)
class Record:
    """All of one game.

    Attributes:
        islands: which honest seats were in touch at the end, directly or through each other.
        reach: the same of all seats: which were in touch directly or through anybody.
        undisturbed: nothing goes wrong with links and machines, so all honest seats are in touch.
        faults: how often each kind of fault has come, and ``excused``: how often something was not
            as it should be and a check has found it excused, by reason.
        lies: what cheating seats have signed.
        opened: when a round was first open at an honest peer, and ``lost``: when a seat was first
            lost in it at one, by the word of some honest seat; in milliseconds.
        delivered: payloads that have come over links.
        trace: every event in a line; its digest tells two runs apart.
    """

    witnesses: list[Witness] = field(default_factory=list)
    islands: list[set[int]] = field(default_factory=list)
    reach: list[set[int]] = field(default_factory=list)
    undisturbed: bool = False
    faults: Counter[str] = field(default_factory=Counter)
    excused: Counter[str] = field(default_factory=Counter)
    lies: list[Lie] = field(default_factory=list)
    opened: dict[int, int] = field(default_factory=dict)
    lost: dict[tuple[int, Seat], int] = field(default_factory=dict)
    delivered: int = 0
    trace: list[str] = field(default_factory=list)

    @property
    def honest(self) -> list[Witness]:
        """The seats that keep to the protocol, those included that are gone."""
        return [witness for witness in self.witnesses if not witness.cheating]

    @property
    def cheats(self) -> set[Seat]:
        """The seats that do not."""
        return {witness.seat for witness in self.witnesses if witness.cheating}
