"""What the node adds to the lobby: wishes, the picture, where people are reached, files, bots."""

import json
import os
import random
from pathlib import Path

import pytest
import trio

from p2pcoup.lobby import Enter, Lobby, Person, Settings, Started, Withdraw, open_table
from p2pcoup.lobby.limits import TALK_BURST
from p2pcoup.net import Address, open_mesh
from p2pcoup.node.lobby.entering import (
    SESSION_NAME,
    TABLE_NAME,
    GameFiles,
    game_of_session,
    table_text,
    unfinished_game,
)
from p2pcoup.node.lobby.picture import Around, lobby_picture
from p2pcoup.node.lobby.places import UNKNOWN_PORT, Places, host_text
from p2pcoup.node.lobby.wishes import fulfil
from p2pcoup.node.tablefile import TableFile, parse_table_file
from p2pcoup.node.wishes import (
    DONE,
    AddBot,
    Again,
    Kick,
    Leave,
    Ready,
    Reopen,
    Reply,
    Say,
    Start,
)
from p2pcoup.node.wishes import (
    Settings as SettingsWish,
)
from p2pcoup.rules import EDITIONS
from p2pcoup.table import Member, Terms, Times
from tests.lobby.crowd import Crowd, identity_of, table_of
from tests.net.peers import FAST
from tests.node.nodes import PATIENCE, make_seats, whole_game

NOW = 1000.0


def opened(name: str = "Ash") -> Lobby:
    """A table with nobody but its opener."""
    me = Person(identity_of(name).peer_id, name, ("127.0.0.1:1",))
    return open_table(me, identity_of(name), "friday", Settings(), random.Random(1).randbytes, NOW)


# --- wishes ---------------------------------------------------------------------------------------


def test_a_wish_is_done_or_refused_with_a_sentence() -> None:
    lobby = opened()
    assert fulfil(lobby, SettingsWish(games=3, times={"decide": 30}), NOW) == DONE
    assert lobby.sheet.settings == Settings(games=3, times=Times(decide=30))
    for wish in (
        Start(),
        Ready(True),
        Reopen(),
        Kick("nobody"),
        Kick(identity_of("Birch").peer_id),
        SettingsWish(edition="gold"),
        SettingsWish(options="free-money"),
        SettingsWish(seats=1),
        SettingsWish(games=0),
        SettingsWish(times={"grace": -1}),
    ):
        reply = fulfil(lobby, wish, NOW)
        assert reply.code == "not-possible"
        assert str(reply.text).endswith(".")
    assert lobby.sheet.settings.games == 3


def test_a_wish_that_is_no_matter_of_a_lobby_is_left_to_others() -> None:
    assert fulfil(opened(), Again(True), NOW) is None
    assert fulfil(opened(), AddBot("honest"), NOW) is None


def test_what_cannot_be_said_is_refused_for_its_own_reason() -> None:
    lobby = opened()
    assert fulfil(lobby, Say("hello"), NOW) == Reply(None, "")
    assert fulfil(lobby, Say("x" * 281), NOW).code == "too-long"
    assert fulfil(lobby, Say("a\x1b[2J"), NOW).code == "not-possible"
    answers = [fulfil(lobby, Say("again"), NOW) for _ in range(TALK_BURST)]
    assert [each.code for each in answers] == [None] * (TALK_BURST - 1) + ["too-often"]
    assert answers[-1].text == "Not so fast: one message in 2 seconds."


def test_the_number_of_seats_follows_an_edition_that_takes_fewer() -> None:
    lobby = opened()
    fulfil(lobby, SettingsWish(options="set-of-five", seats=2), NOW)
    assert lobby.sheet.settings.seats == 2
    refused = fulfil(lobby, SettingsWish(seats=3), NOW)
    assert "exactly 2 players" in str(refused.text)


def test_who_leaves_a_table_closes_it_for_themselves() -> None:
    lobby = opened()
    assert fulfil(lobby, Leave(), NOW) == Reply(None, "")


# --- the picture ----------------------------------------------------------------------------------


def test_the_picture_shows_everybody_as_they_are() -> None:
    crowd = table_of("Ash", "Birch")
    crowd.join("Cedar", called="Birch", watching=True)
    birch = crowd["Birch"]
    around = Around("coup://…", "10.0.0.1:7700", {birch.peer: "changed"}, ["Look."])
    picture = lobby_picture(crowd["Ash"].lobby, around, crowd.now, frozenset({birch.peer}))
    json.dumps(picture)
    assert (picture["table"], picture["edition"], picture["seats"]) == ("friday evening", "base", 6)
    assert picture["invite"] == "coup://…"
    ash, one, other = picture["people"]
    assert ash["you"]
    assert ash["ready"]
    assert one["known"] == "changed"
    assert one["name"] == f"Birch ({birch.peer[:7]})"
    assert other["watching"]
    assert not other["ready"]
    assert picture["may"] == ["start", "leave", "kick", "settings", "add-bot"]
    assert picture["why_not_start"] is None
    assert not picture["starting"]


def test_there_is_no_picture_before_the_table_is_known() -> None:
    crowd = Crowd()
    crowd.open()
    crowd.cut.add(frozenset(("Ash", "Birch")))
    lobby = crowd.join("Birch").lobby
    assert lobby_picture(lobby, Around(), crowd.now, frozenset()) is None


# --- where people are reached ---------------------------------------------------------------------


@pytest.mark.trio
async def test_the_addresses_of_a_peer_are_tried_in_turn_until_one_works() -> None:
    ash, birch = identity_of("Ash"), identity_of("Birch")
    here = Address("127.0.0.1", 0)
    with trio.fail_after(PATIENCE):
        async with (
            open_mesh(ash, listen=here, peers={}, admit=lambda _: True) as first,
            open_mesh(birch, listen=None, peers={}, timing=FAST) as second,
        ):
            places = Places(second)
            works = str(first.addresses[0])
            places.keep(ash.peer_id, ["no address", "127.0.0.1:0", "127.0.0.1:1", works])
            while ash.peer_id not in second.linked:
                event = await second.events.receive()
                if type(event).__name__ == "Unreachable":
                    places.unreachable(event.peer)
                else:
                    places.linked(event.peer, event.remote)
            assert places.best([ash.peer_id], birch.peer_id)[ash.peer_id] == first.addresses[0]
            places.drop(ash.peer_id)
            while ash.peer_id in second.linked:
                await second.events.receive()


@pytest.mark.trio
async def test_a_peer_without_a_usable_address_is_waited_for() -> None:
    ash, birch = identity_of("Ash"), identity_of("Birch")
    async with open_mesh(birch, listen=Address("127.0.0.1", 0), peers={}) as mesh:
        places = Places(mesh)
        places.keep(ash.peer_id, ["?"])
        assert places.best([ash.peer_id], birch.peer_id)[ash.peer_id].port == UNKNOWN_PORT
        assert places.best([birch.peer_id], birch.peer_id)[birch.peer_id] == mesh.addresses[0]


@pytest.mark.trio
async def test_an_opener_elsewhere_makes_nobody_call_programs_of_their_own_computer() -> None:
    ash, birch, cedar = (identity_of(name) for name in ("Ash", "Birch", "Cedar"))
    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
    async with listener, open_mesh(birch, listen=None, peers={}, timing=FAST) as mesh:
        port = listener.socket.getsockname()[1]
        bad = [f"127.0.0.1:{port}", f"[::1]:{port}", f"localhost:{port}", f"0.0.0.0:{port}"]
        places = Places(mesh)
        for remote in (None, Address("192.168.1.7", 1), Address("fd00::7", 1)):
            if remote is not None:
                places.linked(ash.peer_id, remote)
            places.keep_told(cedar.peer_id, bad, ash.peer_id)
            best = places.best([cedar.peer_id], birch.peer_id)[cedar.peer_id]
            assert best.port == UNKNOWN_PORT, "it must call us"
        places.keep_told(cedar.peer_id, [*bad, "10.0.0.3:7"], ash.peer_id)
        assert places.best([cedar.peer_id], birch.peer_id)[cedar.peer_id] == Address("10.0.0.3", 7)
        places.drop(cedar.peer_id)
        # Who speaks from this computer may speak of it, and then it is called.
        places.linked(ash.peer_id, Address("127.0.0.1", 1))
        with trio.fail_after(PATIENCE):
            places.keep_told(cedar.peer_id, bad, ash.peer_id)
            await (await listener.accept()).aclose()
        places.drop(cedar.peer_id)


def test_an_ipv6_host_stands_in_brackets() -> None:
    assert host_text(Address("fd00::1", 9)) == "[fd00::1]"
    assert host_text(Address("10.0.0.1", 9)) == "10.0.0.1"


# --- files ----------------------------------------------------------------------------------------


def terms_of(*names: str, game: str = "friday 01") -> Terms:
    roster = tuple(Member(identity_of(str(n)).peer_id, name) for n, name in enumerate(names))
    return Terms(game, EDITIONS["inquisitor"], roster, times=Times(1, 2, 3))


@pytest.mark.parametrize(
    "names", [("Ash", "Birch"), ('a"b\\c', "it's '''''"), ("눈송이", "Émile # = [x]")]
)
def test_a_table_file_says_exactly_what_was_agreed(names: tuple[str, str]) -> None:
    terms = terms_of(*names)
    addresses = {member.peer: Address("fd00::1", 7) for member in terms.roster}
    table = TableFile(terms, addresses, 3)
    assert parse_table_file(table_text(table)) == table


def entered(terms: Terms) -> Enter:
    return Enter(terms, Started(b"t" * 16, 0, 1, 2, terms.encode(), (), ()))


def files(home: Path, me: str = "0", session: str = "") -> GameFiles:
    return GameFiles(
        home,
        identity_of(me).peer_id,
        lambda terms: {member.peer: Address("127.0.0.1", 9) for member in terms.roster},
        session,
    )


def test_a_game_that_is_entered_is_on_disk_and_found_again_by_its_client(tmp_path: Path) -> None:
    terms = terms_of("Ash", "Birch")
    mine = files(tmp_path, session="aabb")
    assert mine.is_new(terms.game_id)
    mine.keep(entered(terms))
    assert not mine.is_new(terms.game_id)
    path = game_of_session(tmp_path, "aabb")
    assert path == unfinished_game(tmp_path)
    assert parse_table_file(path.read_text()).terms == terms
    assert parse_table_file(path.read_text()).games == 2
    assert path.stat().st_mode & 0o077 == 0
    assert path.with_name(SESSION_NAME).read_text() == "aabb"
    assert game_of_session(tmp_path, "ccdd") is None


def test_a_game_that_nobody_will_play_is_not_offered_again_nor_played_under_its_id(
    tmp_path: Path,
) -> None:
    terms = terms_of("Ash", "Birch")
    mine = files(tmp_path)
    mine.keep(entered(terms))
    mine.forget(Withdraw(terms))
    mine.forget(Withdraw(terms))
    assert unfinished_game(tmp_path) is None
    assert not mine.is_new(terms.game_id)


def test_who_only_watches_has_nothing_to_play_on(tmp_path: Path) -> None:
    files(tmp_path, me="Watcher").keep(entered(terms_of("Ash", "Birch")))
    assert unfinished_game(tmp_path) is None


def test_the_newest_game_that_is_not_over_is_played_on(tmp_path: Path) -> None:
    seats = make_seats(tmp_path, 2)
    whole_game(seats)
    home = seats[0].home
    over = seats[0].folder / TABLE_NAME
    over.write_text(table_text(seats[0].table()))
    assert unfinished_game(home) is None
    older, newer = terms_of("Ash", "Birch", game="one"), terms_of("Ash", "Birch", game="two")
    for terms, when in ((newer, 2_000_000_000), (older, 1_900_000_000)):
        files(home).keep(entered(terms))
        (path,) = (
            each for each in home.glob(f"games/*/{TABLE_NAME}") if terms.game in each.read_text()
        )
        os.utime(path, (when, when))
    assert parse_table_file(unfinished_game(home).read_text()).terms == newer
