"""Files that do not belong to the game, or cannot be written: `p2pcoup node` says what is wrong and
what to do, leaves them as they are, and signs nothing for a second time."""

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from p2pcoup.journal import Journal, JournalError
from p2pcoup.node.wishes import NOT_POSSIBLE, Answer
from p2pcoup.rules import move_to_text
from p2pcoup.wire import Message, parse
from tests.node.desks import PlayersDesk
from tests.node.nodes import (
    SeatFiles,
    assert_same_valid_game,
    contradictions,
    make_seats,
    open_nursery,
    play,
    start_local,
    start_process,
)

if sys.platform != "win32":
    import resource

pytestmark = [
    pytest.mark.trio,
    pytest.mark.skipif(sys.platform == "win32", reason="modes and limits are a POSIX matter"),
]

Spoil = Callable[[SeatFiles, SeatFiles], None]


def begun(folder: Path, game: str = "node test", deal: int = 0) -> list[SeatFiles]:
    """Two seats with a game that is dealt and waits for the first decision."""
    seats = make_seats(folder, 2, game=game, deal=deal)
    games = [seat.sit_down(policy=None) for seat in seats]
    play(games)
    assert games[0].table.game.state is not None
    for each in games:
        each.close()
    return seats


def the_journal_of_another_game(seat: SeatFiles, other: SeatFiles) -> None:
    shutil.copy(other.folder / "journal", seat.folder / "journal")


def the_journal_of_another_key(seat: SeatFiles, _other: SeatFiles) -> None:
    path, terms = seat.folder / "journal", seat.table().terms.encode()
    records = seat.journal()
    path.unlink()
    with Journal.open(path, terms, seat.identities[1 - seat.number].peer_id) as journal:
        for record in records:
            journal.append(record, durable=True)


def a_journal_of_a_later_format(seat: SeatFiles, _other: SeatFiles) -> None:
    path = seat.folder / "journal"
    path.write_bytes(path.read_bytes().replace(b"p2pcoup journal 1\n", b"p2pcoup journal 2\n", 1))


def a_journal_of_other_rules(seat: SeatFiles, _other: SeatFiles) -> None:
    """Of a version whose messages this one does not take."""
    path, terms = seat.folder / "journal", seat.table().terms.encode()
    records = list(seat.journal())
    path.unlink()
    with Journal.open(path, terms, seat.identity.peer_id) as journal:
        for record in (*records[:3], records[3][:-1] + b"\x00"):
            journal.append(record, durable=True)


def the_secret_of_another_game(seat: SeatFiles, other: SeatFiles) -> None:
    shutil.copy(other.folder / "secret", seat.folder / "secret")


def no_secret(seat: SeatFiles, _other: SeatFiles) -> None:
    (seat.folder / "secret").unlink()


def a_damaged_journal(seat: SeatFiles, _other: SeatFiles) -> None:
    path = seat.folder / "journal"
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(bytes(data))


SPOILT: list[tuple[Spoil, str]] = [
    (the_journal_of_another_game, "belongs to another game"),
    (the_journal_of_another_key, "who plays the same game; use that identity for it"),
    (a_journal_of_a_later_format, "of format 2; this version of p2pcoup reads format 1"),
    (a_journal_of_other_rules, "Play on with the version of p2pcoup that wrote it."),
    (the_secret_of_another_game, "is not the one this game was begun with"),
    (no_secret, "put it back if there is a copy"),
    (a_damaged_journal, "damaged"),
]


@pytest.mark.parametrize(("spoil", "told"), SPOILT, ids=lambda each: getattr(each, "__name__", ""))
async def test_a_game_whose_files_do_not_fit_is_not_played_on_and_they_stay_as_they_are(
    tmp_path: Path, spoil: Spoil, told: str
) -> None:
    seats, others = begun(tmp_path / "this"), begun(tmp_path / "other", "another one", deal=1)
    spoil(seats[0], others[0])
    before = contents(seats[0])
    async with open_nursery() as nursery:
        node = await start_process(nursery, seats[0], {})
        assert await node.end() == 1
    (sentence,) = node.told.other_lines
    assert sentence.startswith("Error: The ")
    assert str(seats[0].folder) in sentence
    assert told in sentence
    assert node.told.all("listening") == []
    assert contents(seats[0]) == before


def contents(seat: SeatFiles) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in seat.folder.iterdir()}


# --- a folder nothing may be written in -----------------------------------------------------------

READ_ONLY = (
    'exec unshare --mount sh -c \'mount --bind "$P2PCOUP_HOME" "$P2PCOUP_HOME" && '
    'mount -o remount,bind,ro "$P2PCOUP_HOME" && exec "$@"\' - {} -m p2pcoup {}'
)


def may_mount() -> bool:
    """Whether this machine lets us make a folder read-only for one process."""
    if shutil.which("unshare") is None:
        return False
    command = ["unshare", "--mount", "true"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(not may_mount(), reason="read-only mounts cannot be made here")
@pytest.mark.parametrize("in_the_middle", [False, True])
async def test_in_a_read_only_folder_nothing_is_played_and_that_is_said(
    tmp_path: Path, in_the_middle: bool
) -> None:
    seats = begun(tmp_path) if in_the_middle else make_seats(tmp_path, 2)
    before = contents(seats[0])
    async with open_nursery() as nursery:
        node = await start_process(nursery, seats[0], {}, run=READ_ONLY)
        assert await node.end() == 1
    (sentence,) = node.told.other_lines
    assert sentence.startswith(f"Error: The journal {seats[0].folder / 'journal'} cannot be opened")
    assert sentence.endswith("Read-only file system.")
    assert contents(seats[0]) == before


# --- a full disk ----------------------------------------------------------------------------------


async def test_a_move_that_cannot_be_written_down_is_not_sent_and_the_player_is_told(
    tmp_path: Path,
) -> None:
    ash, birch = make_seats(tmp_path, 2)
    desk = PlayersDesk()
    async with open_nursery() as nursery:
        local = start_local(nursery, ash, policy=None, desk=desk, fails=True)
        ports = {0: await local.told.port()}
        other = await start_process(nursery, birch, ports)
        asked = await desk.asked()
        with room_for(50, ash.folder / "journal"):
            last = move_to_text(asked.view.legal_moves()[-1])
            reply = await desk.wish(Answer(desk.question_id, last))
            await local.end()
        assert reply.code == NOT_POSSIBLE
        assert reply.text.startswith("Your move was not sent. The journal ")
        assert "File too large" in reply.text
        assert isinstance(local.failure, JournalError)
        before = ash.journal()
        assert own_words(before, asked.id) == []
        desk = PlayersDesk()
        again = start_local(nursery, ash, policy=None, desk=desk, listen=ports[0])
        assert (await desk.asked()).id == asked.id, "the same question is asked again"
        assert (await desk.answer()).code is None
        assert (await desk.concede()).code is None
        assert await other.end() == 0
        await again.end()
    assert contradictions(before, ash.journal(), birch.journal()) == []
    assert len(own_words(ash.journal(), asked.id)) == 1
    assert_same_valid_game([ash, birch])


@contextmanager
def room_for(size: int, path: Path) -> Iterator[None]:
    """So much more can be written to files of that length, by this process."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def own_words(journal: tuple[bytes, ...], round_: int) -> list[Message]:
    """What seat 0 has said in a round."""
    messages = [parse(raw).message for raw in journal]
    return [each for each in messages if (each.seat, each.round) == (0, round_)]
