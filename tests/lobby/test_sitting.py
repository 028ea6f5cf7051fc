"""Sitting down, being shown, changing what is played, leaving and being sent away."""

import pytest

from p2pcoup.lobby import Closed, NotPossible, Settings, encode_lobby, labels
from p2pcoup.lobby.limits import KEPT_SECONDS, MAX_WATCHERS, READ_SECONDS
from p2pcoup.lobby.messages import Ready, Reason, Refused, Sit
from p2pcoup.rules import EDITIONS, Options, Setup
from p2pcoup.table import TermsError, Times
from p2pcoup.wire.limits import MAX_NAME_CHARACTERS
from tests.lobby.crowd import HOST, Crowd, identity_of, seated, table_of


def test_everybody_is_shown_the_same_sheet_and_links_to_everybody() -> None:
    crowd = table_of("Ash", "Birch", "Cedar")
    assert crowd["Ash"].sheet == crowd["Birch"].sheet == crowd["Cedar"].sheet
    assert seated(crowd["Cedar"].sheet) == ["Ash", "Birch", "Cedar"]
    assert len(crowd.links) == 3
    assert "Cedar has sat down." in crowd["Birch"].told


def test_what_is_played_is_shown_before_one_says_anything_but_a_name() -> None:
    crowd = Crowd()
    settings = Settings(EDITIONS["inquisitor"], seats=4, games=3, times=Times(30, 10, 60))
    crowd.open("Ash", settings)
    birch = crowd.join("Birch")
    assert birch.sheet.settings == settings
    assert birch.sheet.name == "friday evening"
    assert not birch.sheet.person(birch.peer).ready


def test_a_guest_is_told_to_others_at_the_host_its_link_comes_from() -> None:
    crowd = table_of("Ash", "Birch")
    assert crowd["Ash"].sheet.person(crowd["Birch"].peer).addresses == (
        f"{HOST}:7700",
        "10.0.0.2:7700",
    )


def test_equal_names_get_part_of_the_peer_id() -> None:
    crowd = table_of("Ash", "Birch")
    twin = crowd.join("Cedar", called="birch")
    sheet = crowd["Ash"].sheet
    assert sheet.label(twin.peer) == f"birch ({twin.peer[:7]})"
    assert sheet.label(crowd["Birch"].peer) == f"Birch ({crowd['Birch'].peer[:7]})"
    assert sheet.label(crowd["Ash"].peer) == "Ash"
    crowd.wait(5)
    crowd.ready("Cedar")
    crowd.start()
    assert set(twin.begun.terms.names) == set(labels(sheet.seated).values())


def test_who_takes_the_label_of_another_as_a_name_is_told_apart_all_the_same() -> None:
    crowd = table_of("Ash", "Birch")
    label = f"Birch ({crowd['Birch'].peer[:7]})"
    crowd.join("Cedar", called=label)
    crowd.join("Elm", called="Birch")
    called = labels(crowd["Ash"].sheet.people)
    assert len(set(called.values())) == 4
    assert all(len(name) <= MAX_NAME_CHARACTERS for name in called.values())
    assert called[crowd["Cedar"].peer] != label


def test_a_full_table_takes_nobody_else_and_says_so() -> None:
    crowd = Crowd()
    crowd.open("Ash", Settings(seats=2))
    crowd.join("Birch")
    late = crowd.join("Cedar")
    assert late.all(Closed)[0].text.startswith("The table is full.")
    assert seated(crowd["Ash"].sheet) == ["Ash", "Birch"]


def test_people_who_watch_take_no_seat_and_need_not_be_ready() -> None:
    crowd = Crowd()
    crowd.open("Ash", Settings(seats=2))
    crowd.join("Birch")
    watcher = crowd.join("Cedar", watching=True)
    assert [person.name for person in watcher.sheet.watchers] == ["Cedar"]
    with pytest.raises(NotPossible, match="You watch"):
        watcher.lobby.ready(True, crowd.now)
    crowd.wait(5)
    crowd.ready("Birch")
    crowd.start()
    played = crowd["Birch"].begun.terms
    assert watcher.begun is None, "until somebody plays it, the game may still be void"
    watcher.lobby.heard_game(crowd["Birch"].peer, played.game_id)
    crowd.settle()
    assert watcher.begun.terms == played
    assert len(played.roster) == 2


def test_no_more_than_so_many_watch() -> None:
    crowd = Crowd()
    opener = crowd.open()
    for number in range(MAX_WATCHERS):
        sit = Sit(b"", f"Guest {number}", (), False, True)
        peer = identity_of(f"Guest {number}").peer_id
        opener.lobby.receive(peer, encode_lobby(sit), crowd.now)
    last = crowd.join("Cedar", watching=True)
    assert len(last.all(Closed)) == 1
    assert len(opener.sheet.watchers) == MAX_WATCHERS
    assert seated(opener.sheet) == ["Ash"]


def test_readiness_is_void_when_the_settings_change() -> None:
    crowd = table_of("Ash", "Birch", "Cedar")
    assert crowd["Ash"].lobby.why_not_start(crowd.now) is None
    crowd["Ash"].lobby.change(Settings(EDITIONS["inquisitor"]), crowd.now)
    crowd.settle()
    assert str(crowd["Ash"].lobby.why_not_start(crowd.now)) == "Birch and Cedar are not ready yet."
    assert "Inquisitor" in crowd["Birch"].events("settings")[0]
    crowd.wait(READ_SECONDS)
    crowd.ready("Birch")
    assert str(crowd["Ash"].lobby.why_not_start(crowd.now)) == "Cedar is not ready yet."


def test_readiness_for_settings_that_changed_meanwhile_counts_for_nothing() -> None:
    crowd = table_of("Ash", "Birch")
    birch, sheet = crowd["Birch"], crowd["Ash"].sheet
    crowd["Ash"].lobby.change(Settings(seats=2), crowd.now)
    crowd.settle()
    crowd.say("Birch", "Ash", Ready(sheet.table, sheet.settings.digest))
    assert not crowd["Ash"].sheet.person(birch.peer).ready


def test_the_same_settings_again_change_nothing() -> None:
    crowd = table_of("Ash", "Birch")
    before = crowd["Ash"].sheet
    crowd["Ash"].lobby.change(before.settings, crowd.now)
    assert crowd["Ash"].sheet == before


def test_settings_that_cannot_be_played_are_refused() -> None:
    with pytest.raises(TermsError, match="exactly 2 players"):
        Settings(options=Options(Setup.SET_OF_FIVE), seats=3)
    with pytest.raises(TermsError, match="1 to 100 games"):
        Settings(games=101)
    crowd = table_of("Ash", "Birch", "Cedar")
    with pytest.raises(NotPossible, match="3 people at the table already"):
        crowd["Ash"].lobby.change(Settings(seats=2), crowd.now)


def test_only_the_opener_sends_away_changes_and_starts() -> None:
    lobby = table_of("Ash", "Birch")["Birch"].lobby
    for wish in (
        lambda: lobby.start(2000.0),
        lambda: lobby.change(Settings(seats=2), 2000.0),
        lambda: lobby.kick(lobby.me.peer),
    ):
        with pytest.raises(NotPossible, match="Only whoever opened the table"):
            wish()


def test_who_leaves_is_gone_for_all_and_their_seat_is_free() -> None:
    crowd = table_of("Ash", "Birch", "Cedar")
    crowd["Birch"].lobby.leave()
    crowd.settle()
    assert crowd["Birch"].all(Closed)
    assert seated(crowd["Cedar"].sheet) == ["Ash", "Cedar"]
    assert "Birch has left the table." in crowd["Cedar"].told


def test_who_was_sent_away_is_told_and_never_let_in_again() -> None:
    crowd = table_of("Ash", "Birch", "Cedar")
    crowd["Ash"].lobby.kick(crowd["Cedar"].peer)
    crowd.settle()
    assert crowd["Cedar"].all(Closed)[0].text == "You were sent away from this table."
    assert not crowd["Ash"].lobby.admits(crowd["Cedar"].peer)
    # Even over a link that is there for another reason.
    table = crowd["Ash"].sheet.table
    crowd.say("Cedar", "Ash", Sit(table, "Cedar", ("10.0.0.3:1",), False, False))
    crowd.say("Cedar", "Ash", Sit(b"", "Innocent", (), False, True))
    assert seated(crowd["Ash"].sheet) == ["Ash", "Birch"]
    assert crowd["Ash"].sheet.watchers == ()


def test_a_place_is_kept_for_a_while_and_readiness_with_it() -> None:
    crowd = table_of("Ash", "Birch")
    crowd.unlink("Ash", "Birch", for_good=False)
    assert str(crowd["Ash"].lobby.why_not_start(crowd.now)) == (
        "There is no link to Birch at the moment."
    )
    crowd.wait(KEPT_SECONDS / 2)
    crowd.link("Birch", "Ash")
    assert crowd["Ash"].lobby.why_not_start(crowd.now) is None
    crowd.unlink("Ash", "Birch", for_good=False)
    crowd.wait(KEPT_SECONDS + 1)
    assert seated(crowd["Ash"].sheet) == ["Ash"]
    assert "Nothing was heard of Birch for too long" in crowd["Ash"].told[-1]


def test_who_comes_back_after_that_sits_down_anew() -> None:
    crowd = table_of("Ash", "Birch")
    crowd.unlink("Ash", "Birch", for_good=False)
    crowd.wait(KEPT_SECONDS + 1)
    crowd.link("Birch", "Ash")
    assert seated(crowd["Ash"].sheet) == ["Ash", "Birch"]


def test_somebody_who_asks_for_another_table_is_told_that_it_is_closed() -> None:
    crowd = Crowd()
    crowd.open()
    crowd.join("Birch")
    crowd.say("Birch", "Ash", Sit(b"t" * 16, "Birch", ("10.0.0.2:1",), False, False))
    refused = crowd.of_kind(Refused, "Ash")
    assert refused == [Refused(b"t" * 16, Reason.CLOSED)]


def test_may_lists_what_can_be_wished_for() -> None:
    crowd = table_of("Ash", "Birch")
    now = crowd.now
    assert set(crowd["Ash"].lobby.may(now)) == {"start", "leave", "kick", "settings", "add-bot"}
    assert crowd["Birch"].lobby.may(now) == ("ready", "leave")
    crowd["Birch"].lobby.ready(False, crowd.now)
    crowd.settle()
    assert "start" not in crowd["Ash"].lobby.may(now)
