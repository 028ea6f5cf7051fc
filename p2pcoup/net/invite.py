"""Invites: where a peer is reached and who must answer there, as one line of text (SPEC 9.8).

::

    coup://192.168.1.10:7700#AAAAAAA-BBBBBBB-…
    coup://192.168.1.10:7700,[fd00::10]:7700#AAAAAAA-BBBBBBB-…

The addresses are hints; the peer id is what counts: whoever answers has to prove that it is that
peer (SPEC 9.3), so an invite may come over any channel on which its receiver would notice a forgery
of the sender. `parse_invite` forgives what happens to text that is copied, wrapped or typed.
"""

import re
from dataclasses import dataclass
from typing import Final

from p2pcoup.net.address import Address, AddressError, parse_address
from p2pcoup.wire import PeerId, WireError, parse_peer_id

SCHEME: Final = "coup://"
MAX_INVITE_ADDRESSES: Final = 8
"""A computer with cable, Wi-Fi and a virtual network has some four; more would not be tried."""
MAX_INVITE_TEXT: Final = 4096
"""Eight addresses of the greatest length and a peer id have under 2500 characters."""

_EXAMPLE: Final = "coup://192.168.1.10:7700#AAAAAAA-…"
# What mail and chat programs put around a link, and what ends the sentence it stands in.
_WRAPPING: Final = "<>()\"'`\u00ab\u00bb\u2018\u2019\u201c\u201d.,;"
_SCHEME: Final = re.compile(r"coup:/{0,3}", re.ASCII | re.IGNORECASE)
_OTHER_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]{0,30}://", re.ASCII | re.IGNORECASE)


class InviteError(ValueError):
    """The text is no invite. The message is a sentence for the person who typed it."""


@dataclass(frozen=True, slots=True)
class Invite:
    """A peer and where it may be reached, in the order in which to try.

    Raises ValueError if there is no address, one twice, too many, or one that others cannot use.
    """

    peer: PeerId
    addresses: tuple[Address, ...]

    def __post_init__(self) -> None:
        if parse_peer_id(self.peer) != self.peer:
            raise ValueError("The peer id of an invite must be in canonical form.")
        if not 1 <= len(self.addresses) <= MAX_INVITE_ADDRESSES:
            raise ValueError(f"An invite has 1 to {MAX_INVITE_ADDRESSES} addresses.")
        if len(set(self.addresses)) != len(self.addresses):
            raise ValueError("An invite names each address once.")
        for address in self.addresses:
            if parse_address(str(address)) != address or not _is_for_others(address):
                raise ValueError(f"{str(address)!a} is no address to give to others.")

    def __str__(self) -> str:
        """Algorithm 9.8a, WriteInvite."""
        return f"{SCHEME}{','.join(map(str, self.addresses))}#{self.peer}"


def parse_invite(text: str) -> Invite:
    """Algorithm 9.8b, ReadInvite: the invite somebody pasted or typed.

    Forgives case, blanks and line breaks anywhere, a missing ``coup://``, a slash before the ``#``,
    an address given twice, what stands around a link in a message, and whatever `parse_peer_id`
    forgives. Raises InviteError with a sentence that says which part is wrong.
    """
    if len(text) > MAX_INVITE_TEXT:
        raise InviteError("This text is too long to be an invite.")
    packed = "".join(text.split()).strip(_WRAPPING)
    if not packed:
        raise InviteError(f"There is no invite here; one looks like {_EXAMPLE}")
    scheme = _SCHEME.match(packed)
    if scheme is not None:
        packed = packed[scheme.end() :]
    elif _OTHER_SCHEME.match(packed):
        raise InviteError(f"This is another kind of link; an invite looks like {_EXAMPLE}")
    places, hash_sign, peer = packed.partition("#")
    if not hash_sign or not peer:
        raise InviteError(
            "The invite has no peer id; after the addresses comes a # and the peer id of whoever "
            "opened the table. Ask for the whole line."
        )
    return Invite(_read_peer(peer), _read_addresses(places.rstrip("/")))


def _read_peer(text: str) -> PeerId:
    try:
        return parse_peer_id(text)
    except WireError as error:
        raise InviteError(f"{error} It is the part of the invite after the #.") from error


def _read_addresses(text: str) -> tuple[Address, ...]:
    if not text:
        raise InviteError("The invite has no address; host:port comes before the #.")
    parts = text.split(",")
    if len(parts) > MAX_INVITE_ADDRESSES:
        raise InviteError(f"An invite has at most {MAX_INVITE_ADDRESSES} addresses.")
    addresses: dict[Address, None] = {}
    for part in parts:
        try:
            address = parse_address(part)
        except AddressError as error:
            raise InviteError(f"An address of the invite is wrong. {error}") from error
        address = Address(address.host.lower(), address.port)
        if not _is_for_others(address):
            raise InviteError(
                f"{str(address)!a} is no place to reach anybody: its port is 0, or it names an "
                "interface of one computer after a %."
            )
        addresses[address] = None
    return tuple(addresses)


def _is_for_others(address: Address) -> bool:
    """Whether the address means the same on another computer: there is a port, and no IPv6 zone."""
    return address.port != 0 and "%" not in address.host
