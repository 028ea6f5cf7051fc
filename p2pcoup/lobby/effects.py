"""What a lobby wants done: it waits for nothing and does nothing itself."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from p2pcoup.lobby.messages import Started
from p2pcoup.rules import Sentence
from p2pcoup.table import Terms
from p2pcoup.wire import PeerId


@dataclass(frozen=True, slots=True)
class Send:
    """Send these bytes to a peer; without a link they are lost, and the lobby reckons with that."""

    peer: PeerId
    payload: bytes


@dataclass(frozen=True, slots=True)
class Keep:
    """Keep a link with this peer from now on; without addresses it will call."""

    peer: PeerId
    addresses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Drop:
    """End the link with this peer."""

    peer: PeerId


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence for the user, with a short name that stays the same."""

    event: str
    text: Sentence
    warning: bool = False
    fields: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Said:
    """Table talk: what somebody has said, this peer itself among them."""

    peer: PeerId
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Enter:
    """Take the seat in this game: what is needed to play it must be on disk before any effect that
    follows this one is carried out. Watchers get it too; they have nothing to write.
    """

    terms: Terms
    started: Started


@dataclass(frozen=True, slots=True)
class Withdraw:
    """A seat has never entered that game: nobody will play it. Back to the lobby."""

    terms: Terms


@dataclass(frozen=True, slots=True)
class Begin:
    """Every seat has entered: play. The lobby is over."""

    terms: Terms
    started: Started


@dataclass(frozen=True, slots=True)
class Closed:
    """The lobby is over for this peer without a game; why, in a sentence, and whether its user
    wanted that.
    """

    text: str
    wished: bool = False


Effect: TypeAlias = Send | Keep | Drop | Told | Said | Enter | Withdraw | Begin | Closed
