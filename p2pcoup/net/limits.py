"""Every limit of links and mesh, with its reason (SPEC 9.7). All times are seconds."""

from dataclasses import dataclass
from typing import Final

MAX_FRAME_BYTES: Final = 64 * 1024
"""Type and payload of one frame. The largest signed message has 12,480 bytes; several may travel
together when peers fill a gap."""
MAX_PAYLOAD_BYTES: Final = MAX_FRAME_BYTES - 1

MAX_QUEUED_BYTES: Final = 8 * 1024 * 1024
"""What may wait to be sent on one link: more than a long game's whole transcript, so an honest
peer that reconnects can be given everything at once; one that stops reading costs no more."""
QUEUED_FRAME_COST: Final = 64
"""What a queued frame counts for besides its bytes, so that tiny frames are bounded as well."""

EVENT_BUFFER: Final = 64
"""Events waiting for the node. When they are full, links are not read (back-pressure)."""

MAX_HALF_OPEN: Final = 32
"""Incoming connections that have not yet shown who they are; each costs a file and some 60 KiB."""
MAX_HALF_OPEN_PER_NETWORK: Final = 8
"""The same from one IPv4 address or IPv6 /64; a family behind one router has fewer players."""
CALL_BURST: Final = 60
"""Incoming connections from one network that are served at once after a quiet time."""
CALLS_PER_SECOND: Final = 4.0
"""The lasting rate after that. A handshake costs about 4 ms of processor time, so one network can
use up less than 2 % of a core."""
STRANGER_BURST: Final = 120
"""The same for all networks together from which no link has come lately: two full lobbies and
their spectators may come at once."""
STRANGERS_PER_SECOND: Final = 20.0
"""The lasting rate after that: whoever has thousands of addresses uses up less than 10 % of a
core. Peers that have been here are not kept out by it, nor are those that this node dials."""
MAX_REGULAR_NETWORKS: Final = 64
"""Networks from which a link has come lately: everybody at a table, and the guests."""
MAX_CALLER_NETWORKS: Final = 1024
"""Networks whose rate is remembered; the one heard least recently is forgotten first."""

MAX_GUESTS: Final = 32
"""Links with peers this node did not name itself (guests of a lobby, spectators). Named peers are
outside this limit: strangers can never take their places."""

FRAME_BURST: Final = 16_384
"""Frames of one peer that are read as fast as they come: a whole match, told again."""
FRAMES_PER_SECOND: Final = 2000.0
"""The lasting rate after that; faster ones wait in the network. Pings count as well. Each costs its
reader some 50 to 200 µs, and six bots that play as fast as they can send less than 500 a second on
a link."""

JUNK_BURST: Final = 256
"""Payloads that no honest peer sends, after which a peer's link is ended."""
JUNK_PER_SECOND: Final = 1.0
"""How fast that credit comes back."""
JUNK_PAUSE_SECONDS: Final = 5.0
"""How long such a peer gets no link. What it says in a game still comes by way of the others."""
MAX_CREDITS: Final = 256
"""Peers whose messages and junk are counted; the one that was quiet for longest is forgotten
first."""

REFUSAL_BURST: Final = 10
REFUSALS_PER_SECOND: Final = 1.0
"""`Refused` events; junk must not drown the events of the game. The others are only counted."""


@dataclass(frozen=True, slots=True)
class Timing:
    """How long each phase may take, and the pauses between dials. The defaults are for real
    networks; tests take shorter ones."""

    connect: float = 10.0
    """TCP connection; a SYN that is lost twice is repeated after 1 and 3 seconds."""
    hello: float = 5.0
    """Both certificates exchanged."""
    tls: float = 5.0
    """TLS 1.3 handshake: one round trip and some milliseconds of work."""
    verdict: float = 5.0
    """Both verdicts exchanged."""
    ping_after: float = 5.0
    """A link on which nothing was sent for so long is pinged."""
    dead_after: float = 15.0
    """A link on which nothing was received, or one write was stuck, for so long is dead: three
    pings in a row were lost."""
    close: float = 2.0
    """For sending what is queued and a goodbye when this node closes."""
    first_pause: float = 0.5
    """After the first failed dial; doubled for each further one up to the last."""
    last_pause: float = 30.0
    """A home network that comes back is found within half a minute, and a peer that is away costs
    two connections a minute."""
    stable_after: float = 10.0
    """A link that has lasted this long ends the doubling; one that is lost at once does not."""

    def __post_init__(self) -> None:
        for name in self.__slots__:
            if not getattr(self, name) > 0:
                raise ValueError(f"The time for {name} must be more than 0 seconds.")
        if self.ping_after >= self.dead_after:
            raise ValueError("A link must be pinged before it counts as dead.")
        if self.first_pause > self.last_pause:
            raise ValueError("Pauses between dials grow; the last is not below the first.")
