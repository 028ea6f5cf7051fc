"""The peers met before: who had which name, where, and when (SPEC 10.5).

A peer id is long, and people look at names. So the names under which peers came are remembered, and
when a name that is known comes with another key, that is pointed out: it may be a new computer, a
second person of that name, or somebody who pretends. `meet` decides which it is.

The file ``peers.json`` in the data folder belongs to this user alone (mode 0600) and is replaced as
a whole. A damaged one is set aside under another name and said to be so; what can be read of it is
kept.
"""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from p2pcoup.journal import JournalError, make_private_folder
from p2pcoup.journal.files import PRIVATE_MODE, reason, sync_folder_of, write_beside
from p2pcoup.net import Address, parse_address
from p2pcoup.wire import PeerId, clean_name, parse_peer_id
from p2pcoup.wire.limits import MAX_INTEGER

MAX_KNOWN: Final = 300
"""Peers remembered; the one not seen for the longest time is forgotten first."""
MAX_FILE_BYTES: Final = 512 * 1024
"""So many entries of the greatest length have under 200 KiB."""
DOUBTFUL_SECONDS: Final = 24 * 3600
"""So long a new key under a known name is pointed out, not only the first time: a link that was
lost and made again must not swallow the warning."""

_FORMAT: Final = 1
_KEYS: Final = frozenset({"peer", "name", "address", "first_seen", "last_seen"})


@dataclass(frozen=True, slots=True)
class KnownPeer:
    """A peer met before. Times are whole seconds since 1970; `address` is where it was last."""

    peer: PeerId
    name: str
    address: Address | None
    first_seen: int
    last_seen: int


@dataclass(frozen=True, slots=True)
class New:
    """Neither this peer nor its name has been met before."""


@dataclass(frozen=True, slots=True)
class Known:
    """The peer has been met; `before` is how it was then, perhaps under another name."""

    before: KnownPeer


@dataclass(frozen=True, slots=True)
class Changed:
    """The name is known, but of others: the key has changed, or it is somebody else."""

    others: tuple[KnownPeer, ...]


Acquaintance = New | Known | Changed


class KnownPeers:
    """The peers met before, and their file; `open_known` makes one."""

    def __init__(
        self, path: Path, peers: Mapping[PeerId, KnownPeer], clock: Callable[[], float]
    ) -> None:
        self._path: Final = path
        self._peers: Final = dict(peers)
        self._clock: Final = clock
        self._written: tuple[int, ...] | None = None
        self.trouble: str | None = None
        """What is wrong with the file, as a sentence; None if nothing is."""

    def remembered(self) -> tuple[KnownPeer, ...]:
        """Everybody met, who was seen last first."""
        return tuple(sorted(self._peers.values(), key=lambda each: -each.last_seen))

    def has_met(self, peer: PeerId) -> bool:
        """Whether that peer is remembered."""
        return peer in self._peers

    def judge(self, peer: PeerId, name: str) -> Acquaintance:
        """Who comes, or is said to come, under this name; nothing is remembered."""
        now = self._now()
        before = self._peers.get(peer)
        others = tuple(
            each
            for each in self.remembered()
            if each.peer != peer and each.name.casefold() == name.casefold()
        )
        if before is None:
            return Changed(others) if others else New()
        renamed = before.name.casefold() != name.casefold()
        earlier = tuple(each for each in others if renamed or each.first_seen < before.first_seen)
        if earlier and (renamed or now - before.first_seen < DOUBTFUL_SECONDS):
            return Changed(earlier)
        return Known(before)

    def meet(self, peer: PeerId, name: str, address: Address | None = None) -> Acquaintance:
        """Say who comes under this name, and remember it. `name` is as `clean_name` gives it.

        Without an address the one known before stays.
        """
        now = self._now()
        found = self.judge(peer, name)
        before = self._peers.get(peer)
        if before is None:
            self._peers[peer] = KnownPeer(peer, name, address, now, now)
        else:
            self._peers[peer] = replace(
                before, name=name, address=address or before.address, last_seen=now
            )
        self._save()
        return found

    def forget(self, peer: PeerId) -> bool:
        """Forget a peer; whether it was known."""
        known = self._peers.pop(peer, None) is not None
        if known:
            self._save(forgotten=peer)
        return known

    def _now(self) -> int:
        return min(max(0, int(self._clock())), MAX_INTEGER)

    def _save(self, forgotten: PeerId | None = None) -> None:
        """Write the file. Trouble is told, not raised: no game depends on it."""
        try:
            make_private_folder(self._path.parent)
            self._take_over(forgotten)
            while len(self._peers) > MAX_KNOWN:
                del self._peers[min(self._peers.values(), key=lambda each: each.last_seen).peer]
            # Complete under another name first, so that there is always one whole file.
            temporary = write_beside(self._path, _encode(self.remembered()), PRIVATE_MODE)
            self._written = _stamp(temporary)
            temporary.replace(self._path)
            sync_folder_of(self._path)
        except JournalError as error:
            self.trouble = f"The list of known peers is not kept. {error}"
        except OSError as error:
            self.trouble = (
                f"The list of known peers cannot be kept in {self._path}: {reason(error)}."
            )

    def _take_over(self, forgotten: PeerId | None) -> None:
        """Add what another program of this user has written in the meantime. Raises OSError."""
        stamp = _stamp(self._path)
        if stamp is None or stamp == self._written:
            return
        peers, damaged = _decode(_read_file(self._path))
        if damaged:
            self.trouble = _set_aside(self._path)
        for each in peers.values():
            ours = self._peers.get(each.peer)
            if each.peer != forgotten and (ours is None or ours.last_seen < each.last_seen):
                self._peers[each.peer] = each


def open_known(home: Path, clock: Callable[[], float] = time.time) -> KnownPeers:
    """The peers this user has met, from the data folder; the file need not exist yet.

    Never raises for what is wrong with the file; that is in `trouble`.
    """
    path = home / "peers.json"
    try:
        peers, damaged = _decode(_read_file(path))
    except FileNotFoundError:
        return KnownPeers(path, {}, clock)
    except OSError as error:
        known = KnownPeers(path, {}, clock)
        known.trouble = f"The list of known peers {path} cannot be read: {reason(error)}."
        return known
    known = KnownPeers(path, peers, clock)
    if damaged:
        known.trouble = _set_aside(path)
    return known


# --- the file -------------------------------------------------------------------------------------


def _stamp(path: Path) -> tuple[int, ...] | None:
    """What differs when somebody else has written the file; None if there is none."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns


def _read_file(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(MAX_FILE_BYTES + 1)


def _set_aside(path: Path) -> str:
    """Give the damaged file a name that is free; a sentence about it."""
    number = 1
    while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    try:
        path.rename(aside)
    except OSError as error:
        return f"The list of known peers {path} is damaged, and stays: {reason(error)}."
    return (
        f"The list of known peers was damaged and is now {aside}; what could be read was kept. "
        "Look twice at who is who the next time you play."
    )


def _encode(peers: tuple[KnownPeer, ...]) -> bytes:
    entries = [
        {
            "peer": each.peer,
            "name": each.name,
            "address": None if each.address is None else str(each.address),
            "first_seen": each.first_seen,
            "last_seen": each.last_seen,
        }
        for each in peers
    ]
    text = json.dumps({"format": _FORMAT, "peers": entries}, ensure_ascii=False, indent=1)
    return (text + "\n").encode("utf-8")


def _decode(data: bytes) -> tuple[dict[PeerId, KnownPeer], bool]:
    """What can be read, and whether anything could not."""
    if len(data) > MAX_FILE_BYTES:
        return {}, True
    try:
        whole = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):
        return {}, True
    match whole:
        case {"format": 1, "peers": [*entries]} if len(whole) == 2:
            peers: dict[PeerId, KnownPeer] = {}
            for entry in entries[:MAX_KNOWN]:
                known = _entry(entry)
                if known is not None:
                    peers.setdefault(known.peer, known)
            return peers, len(peers) != len(entries)
        case _:
            return {}, True


def _entry(entry: object) -> KnownPeer | None:
    """One peer of the file; None if it is not written as `_encode` writes it."""
    if not isinstance(entry, dict) or entry.keys() != _KEYS:
        return None
    peer, name, address = (entry[key] for key in ("peer", "name", "address"))
    times = (entry["first_seen"], entry["last_seen"])
    if not isinstance(peer, str) or not isinstance(name, str):
        return None
    if not all(type(each) is int for each in times) or not 0 <= times[0] <= times[1] <= MAX_INTEGER:
        return None
    if address is not None and not isinstance(address, str):
        return None
    try:
        place = None if address is None else parse_address(address)
        known = KnownPeer(parse_peer_id(peer), clean_name(name), place, *times)
    except ValueError:
        return None
    return known if (known.peer, known.name) == (peer, name) else None
