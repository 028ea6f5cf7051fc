"""Which message is for which role; what is said to the wrong one is passed over."""

from p2pcoup.lobby.guest import Guest
from p2pcoup.lobby.messages import (
    CalledOff,
    Declined,
    Leave,
    LobbyMessage,
    Ready,
    Refused,
    Roster,
    Signed,
    Sit,
)
from p2pcoup.lobby.opener import Opener
from p2pcoup.wire import PeerId


def to_opener(role: Opener, peer: PeerId, message: LobbyMessage, host: str, now: float) -> None:
    """Hand an opener what a guest says; ``host`` is where its link comes from."""
    match message:
        case Sit():
            role.sit(peer, message, host, now)
        case Ready():
            role.ready(peer, message)
        case Leave():
            role.left(peer)
        case Signed():
            role.signed(peer, message, now)
        case Declined():
            role.declined(peer, message)
        case _:
            pass  # what only an opener says


def to_guest(role: Guest, peer: PeerId, message: LobbyMessage, now: float) -> None:
    """Hand a guest what an opener says."""
    match message:
        case Refused():
            role.refused(peer, message, now)
        case Leave():
            role.opener_left(peer, message, now)
        case Roster():
            role.roster(peer, message, now)
        case CalledOff():
            role.called_off(peer, message)
        case _:
            pass  # what only a guest says
