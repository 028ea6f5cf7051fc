"""Peers met before: who is new, who is known, and when a name comes with another key."""

import json
import stat
import sys
from pathlib import Path

import pytest

from p2pcoup.net import Address
from p2pcoup.node.known import (
    DOUBTFUL_SECONDS,
    MAX_FILE_BYTES,
    MAX_KNOWN,
    Changed,
    Known,
    KnownPeer,
    KnownPeers,
    New,
    open_known,
)
from p2pcoup.wire import PeerId, peer_id

PLACE = Address("192.0.2.7", 7700)


class Clock:
    """A time that a test sets."""

    def __init__(self) -> None:
        self.now = 1_750_000_000.9

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def known(tmp_path: Path, clock: Clock) -> KnownPeers:
    return open_known(tmp_path / "home", clock)


def peer(number: int) -> PeerId:
    return peer_id((number + 2).to_bytes(32, "little"))


def test_whoever_comes_is_new_once_and_known_from_then_on(
    known: KnownPeers, clock: Clock, tmp_path: Path
) -> None:
    assert known.meet(peer(1), "Ash", PLACE) == New()
    clock.now += 10
    first = KnownPeer(peer(1), "Ash", PLACE, 1_750_000_000, 1_750_000_000)
    again = open_known(tmp_path / "home", clock)
    assert again.remembered() == (first,)
    assert again.meet(peer(1), "Ash") == Known(first)
    assert again.meet(peer(2), "Birch") == New()
    (ash, _) = sorted(open_known(tmp_path / "home").remembered(), key=lambda each: each.name)
    assert ash == KnownPeer(peer(1), "Ash", PLACE, 1_750_000_000, 1_750_000_010)
    assert known.trouble is None


def test_a_known_name_with_another_key_is_pointed_out_for_a_day(
    known: KnownPeers, clock: Clock
) -> None:
    known.meet(peer(1), "Ash", PLACE)
    (ash,) = known.remembered()
    clock.now += 10 * DOUBTFUL_SECONDS
    assert known.judge(peer(2), "Ash") == Changed((ash,))
    assert known.meet(peer(2), "Ash") == Changed((ash,))
    assert known.meet(peer(2), "ash") == Changed((ash,))
    assert known.meet(peer(3), "ASH") != New()
    assert isinstance(known.meet(peer(1), "Ash"), Known)  # it was there first
    clock.now += DOUBTFUL_SECONDS
    assert isinstance(known.meet(peer(2), "ash"), Known)


def test_a_known_peer_may_take_a_new_name_but_not_silently_that_of_another(
    known: KnownPeers, clock: Clock
) -> None:
    known.meet(peer(1), "Ash")
    known.meet(peer(2), "Birch")
    clock.now += 10 * DOUBTFUL_SECONDS
    renamed = known.meet(peer(2), "Cedar")
    assert isinstance(renamed, Known)
    assert renamed.before.name == "Birch"
    taken = known.meet(peer(2), "Ash")
    assert isinstance(taken, Changed)
    assert [each.peer for each in taken.others] == [peer(1)]


def test_asking_who_somebody_is_remembers_nothing(known: KnownPeers, tmp_path: Path) -> None:
    assert known.judge(peer(1), "Ash") == New()
    assert known.remembered() == ()
    assert not (tmp_path / "home").exists()


def test_two_programs_of_one_user_lose_nothing_of_each_other(tmp_path: Path, clock: Clock) -> None:
    one, other = open_known(tmp_path, clock), open_known(tmp_path, clock)
    one.meet(peer(1), "Ash")
    other.meet(peer(2), "Birch")
    one.meet(peer(3), "Cedar")
    assert {each.name for each in open_known(tmp_path).remembered()} == {"Ash", "Birch", "Cedar"}


def test_a_peer_can_be_forgotten(known: KnownPeers, tmp_path: Path) -> None:
    known.meet(peer(1), "Ash")
    assert known.forget(peer(1))
    assert not known.forget(peer(1))
    assert open_known(tmp_path / "home").remembered() == ()
    assert known.meet(peer(2), "Ash") == New()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
def test_the_file_is_readable_by_its_user_alone(known: KnownPeers, tmp_path: Path) -> None:
    known.meet(peer(1), "Ash")
    path = tmp_path / "home" / "peers.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(path.parent.iterdir()) == [path]


def entry(**other: object) -> dict[str, object]:
    usual = {"peer": peer(1), "name": "Ash", "address": str(PLACE), "first_seen": 1}
    return {**usual, "last_seen": 2, **other}


def whole(*entries: object, format_: object = 1) -> bytes:
    return json.dumps({"format": format_, "peers": list(entries)}).encode()


def test_who_was_not_seen_for_the_longest_time_is_forgotten_first(
    tmp_path: Path, clock: Clock
) -> None:
    full = [entry(peer=peer(n), name=f"name {n}", last_seen=100 + n) for n in range(MAX_KNOWN)]
    (tmp_path / "peers.json").write_bytes(whole(*full))
    known = open_known(tmp_path, clock)
    assert len(known.remembered()) == MAX_KNOWN
    known.meet(peer(0), "name 0")
    known.meet(peer(MAX_KNOWN), "one more")
    kept = {each.peer for each in known.remembered()}
    assert kept == {peer(number) for number in range(MAX_KNOWN + 1)} - {peer(1)}
    assert {each.peer for each in open_known(tmp_path).remembered()} == kept


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xfe",
        b"[" * 100_000,
        b"null",
        whole(entry())[:-5],
        whole(format_=2),
        whole("Ash"),
        whole({}),
        whole(entry(peer=peer(1).lower())),
        whole(entry(name="A\x1b[2Jsh")),
        whole(entry(name=" Ash")),
        whole(entry(address="nowhere")),
        whole(entry(address=7)),
        whole(entry(first_seen=3)),
        whole(entry(last_seen=True)),
        whole(entry(last_seen=1e9)),
        whole(entry(last_seen=2**60)),
        whole(entry(more=1)),
        whole(*(entry(peer=peer(n)) for n in range(MAX_KNOWN + 1))),
        whole(entry()) + b" " * MAX_FILE_BYTES,
    ],
    ids=lambda data: data[:60].decode("latin-1"),
)
def test_a_damaged_file_is_set_aside_and_said_to_be(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "peers.json"
    path.write_bytes(data)
    known = open_known(tmp_path)
    aside = tmp_path / "peers.json.damaged-1"
    assert known.trouble is not None
    assert str(aside) in known.trouble
    assert aside.read_bytes() == data
    known.meet(peer(5), "Elm")
    assert open_known(tmp_path).trouble is None
    assert peer(5) in [each.peer for each in open_known(tmp_path).remembered()]
    path.write_bytes(data)
    assert "damaged-2" in str(open_known(tmp_path).trouble)


def test_what_can_be_read_of_a_damaged_file_is_kept(tmp_path: Path) -> None:
    (tmp_path / "peers.json").write_bytes(whole(entry(), entry(peer=peer(2), name=""), 5))
    known = open_known(tmp_path)
    assert [each.peer for each in known.remembered()] == [peer(1)]
    assert known.trouble is not None


def test_a_file_that_is_damaged_while_the_program_runs_is_set_aside_as_well(
    known: KnownPeers, tmp_path: Path
) -> None:
    known.meet(peer(1), "Ash")
    (tmp_path / "home" / "peers.json").write_bytes(b"junk")
    known.meet(peer(2), "Birch")
    assert known.trouble is not None
    assert (tmp_path / "home" / "peers.json.damaged-1").read_bytes() == b"junk"
    assert len(open_known(tmp_path / "home").remembered()) == 2


def test_a_list_that_cannot_be_kept_is_told_and_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    known = open_known(tmp_path / "file" / "home")
    assert known.meet(peer(1), "Ash") == New()
    assert known.trouble is not None
    assert known.trouble.endswith(".")
    assert isinstance(known.meet(peer(1), "Ash"), Known)
