"""The opener is gone: who opens the table again, and whom the others follow."""

from dataclasses import replace

import pytest

from p2pcoup.lobby import Closed, NotPossible, Settings, Sheet
from p2pcoup.lobby.limits import GONE_SECONDS, MAX_REIGNS_MISSED, PARTED_SECONDS
from p2pcoup.lobby.messages import Follows, Reason, Refused
from tests.lobby.crowd import Crowd, seated, table_of


def bereft(*names: str) -> Crowd:
    """A table whose opener's program has died."""
    crowd = table_of(*names)
    crowd.kill(names[0])
    crowd.wait(GONE_SECONDS + 1)
    return crowd


def reopen(crowd: Crowd, name: str) -> None:
    crowd[name].lobby.reopen(crowd.now)
    crowd.settle()


def lower_and_higher(crowd: Crowd, one: str, other: str) -> tuple[str, str]:
    """The two names by their peer ids."""
    first, second = sorted((one, other), key=lambda name: crowd[name].peer)
    return first, second


def test_an_opener_that_is_gone_is_missed_after_a_while() -> None:
    crowd = table_of("Ash", "Birch", "Cedar")
    crowd.kill("Ash")
    birch = crowd["Birch"]
    assert birch.lobby.opener_here(crowd.now), "links break and come back"
    with pytest.raises(NotPossible):
        birch.lobby.reopen(crowd.now)
    crowd.wait(GONE_SECONDS + 1)
    assert not birch.lobby.opener_here(crowd.now)
    assert birch.events("opener-gone") == [
        "Ash, who opened the table, is gone. Whoever sits here can open it again."
    ]
    assert birch.lobby.may(crowd.now) == ("leave", "reopen")


def test_an_opener_whose_link_only_broke_is_not_missed() -> None:
    crowd = table_of("Ash", "Birch")
    crowd.unlink("Ash", "Birch", for_good=False)
    crowd.wait(GONE_SECONDS / 2)
    crowd.link("Birch", "Ash")
    crowd.wait(GONE_SECONDS + 1)
    assert crowd["Birch"].events("opener-gone") == []
    assert crowd["Ash"].lobby.why_not_start(crowd.now) is None


def test_whoever_opens_the_table_again_has_the_same_settings_and_those_who_are_left() -> None:
    crowd = Crowd()
    crowd.open("Ash", Settings(seats=5, games=3))
    for name in ("Birch", "Cedar", "Elm"):
        crowd.join(name)
    crowd.join("Fir", watching=True)
    before = crowd["Ash"].sheet
    crowd.kill("Ash")
    crowd.wait(GONE_SECONDS + 1)
    reopen(crowd, "Cedar")
    sheet = crowd["Elm"].sheet
    assert (sheet.opener, sheet.reign) == (crowd["Cedar"].peer, 1)
    assert (sheet.table, sheet.settings, sheet.name) == (
        before.table,
        before.settings,
        before.name,
    )
    assert seated(sheet) == ["Cedar", "Birch", "Elm"]
    assert [person.name for person in sheet.watchers] == ["Fir"]
    assert crowd["Elm"].events("reopened") == ["Cedar has opened the table again."]


def test_a_game_can_be_started_at_a_table_that_was_opened_again() -> None:
    crowd = bereft("Ash", "Birch", "Cedar")
    reopen(crowd, "Birch")
    with pytest.raises(NotPossible, match="Cedar is not ready"):
        crowd.start("Birch")
    crowd.ready("Cedar")
    crowd.wait(5)
    crowd.start("Birch")
    assert crowd["Cedar"].begun.terms.names == ("Birch", "Cedar")


def test_of_two_who_open_it_again_at_once_the_lower_peer_id_counts_for_all() -> None:
    crowd = bereft("Ash", "Birch", "Cedar", "Elm")
    first, second = lower_and_higher(crowd, "Birch", "Cedar")
    crowd[second].lobby.reopen(crowd.now)
    crowd[first].lobby.reopen(crowd.now)
    crowd.settle()
    assert crowd[first].lobby.is_opener
    assert not crowd[second].lobby.is_opener
    assert {guest.sheet.opener for guest in crowd.people.values() if guest.running} == {
        crowd[first].peer
    }
    assert set(seated(crowd["Elm"].sheet)) == {"Birch", "Cedar", "Elm"}


def test_the_one_that_comes_second_with_a_lower_peer_id_counts_as_well() -> None:
    crowd = bereft("Ash", "Birch", "Cedar", "Elm")
    first, second = lower_and_higher(crowd, "Birch", "Cedar")
    crowd.lost = lambda sender, receiver, _: {sender, receiver} == {first, second}
    reopen(crowd, second)
    reopen(crowd, first)
    assert crowd["Elm"].sheet.opener == crowd[first].peer
    crowd.lost = lambda *_: False
    crowd.unlink(first, second, for_good=False)
    crowd.link(first, second)
    assert not crowd[second].lobby.is_opener
    assert len(crowd[first].sheet.seated) == 3


def test_the_old_opener_that_was_only_cut_off_comes_back_as_a_guest() -> None:
    crowd = table_of("Ash", "Birch", "Cedar")
    for name in ("Birch", "Cedar"):
        crowd.unlink("Ash", name)
    crowd.wait(GONE_SECONDS + 1)
    reopen(crowd, "Birch")
    crowd.heal()
    assert not crowd["Ash"].lobby.is_opener
    assert set(seated(crowd["Ash"].sheet)) == {"Ash", "Birch", "Cedar"}
    assert crowd["Ash"].sheet == crowd["Birch"].sheet == crowd["Cedar"].sheet
    assert crowd["Ash"].events("stepped-down")


def test_somebody_who_alone_lost_the_opener_does_not_take_the_others_along() -> None:
    crowd = table_of("Ash", "Birch", "Cedar")
    crowd.unlink("Ash", "Birch")
    crowd.wait(GONE_SECONDS + 1)
    reopen(crowd, "Birch")
    assert crowd["Cedar"].sheet.opener == crowd["Ash"].peer
    assert Follows(crowd["Ash"].sheet.table, 0, crowd["Ash"].peer, True) in crowd.of_kind(
        Follows, "Cedar"
    )
    crowd.heal()
    assert crowd["Ash"].lobby.is_opener
    assert not crowd["Birch"].lobby.is_opener, "nobody follows it, and Ash is here again"
    assert set(seated(crowd["Birch"].sheet)) == {"Ash", "Birch", "Cedar"}


def test_an_opener_that_is_here_cannot_be_deposed_by_a_guest_s_claim() -> None:
    crowd = table_of("Ash", "Birch", "Cedar")
    sheet = crowd["Ash"].sheet
    claim = replace(sheet, reign=1, number=1, opener=crowd["Birch"].peer)
    for name in ("Ash", "Cedar"):
        crowd.say("Birch", name, claim)
    assert crowd["Ash"].lobby.is_opener
    assert crowd["Cedar"].sheet.opener == crowd["Ash"].peer


def test_a_claim_is_remembered_until_the_opener_is_gone() -> None:
    crowd = table_of("Ash", "Birch", "Cedar")
    crowd.unlink("Ash", "Birch")
    crowd.wait(GONE_SECONDS + 1)
    reopen(crowd, "Birch")
    crowd.kill("Ash")
    assert crowd["Cedar"].sheet.opener == crowd["Ash"].peer, "links break and come back"
    crowd.wait(GONE_SECONDS)
    assert crowd["Cedar"].sheet.opener == crowd["Birch"].peer
    assert crowd["Cedar"].events("opener-gone") == []


def claim_of(crowd: Crowd, name: str) -> Sheet:
    """The sheet of somebody who says that they have opened the table again."""
    return replace(crowd["Ash"].sheet, reign=1, number=1, opener=crowd[name].peer)


def test_a_claim_made_beforehand_does_not_take_a_guest_along_when_a_link_only_breaks() -> None:
    crowd = table_of("Ash", "Birch", "Cedar", "Elm")
    crowd.say("Elm", "Cedar", claim_of(crowd, "Elm"))
    crowd.unlink("Ash", "Cedar", for_good=False)
    crowd.wait(GONE_SECONDS / 2)
    crowd.link("Cedar", "Ash")
    crowd.wait(GONE_SECONDS + 1)
    assert crowd["Cedar"].sheet == crowd["Ash"].sheet
    assert crowd["Cedar"].events("reopened") == []


@pytest.mark.parametrize("how", ["kicked", "left"])
def test_who_is_not_at_the_table_any_more_cannot_open_it_again(how: str) -> None:
    crowd = table_of("Ash", "Birch", "Cedar", "Elm")
    claim = claim_of(crowd, "Elm")
    if how == "kicked":
        crowd["Ash"].lobby.kick(crowd["Elm"].peer)
    else:
        crowd["Elm"].lobby.leave()
    crowd.settle()
    crowd.link("Elm", "Cedar")
    assert frozenset(("Elm", "Cedar")) in crowd.links, "who was seen at the table may call"
    crowd.say("Elm", "Cedar", claim)
    crowd.kill("Ash")
    crowd.wait(GONE_SECONDS + 1)
    assert crowd["Cedar"].sheet.opener == crowd["Ash"].peer
    reopen(crowd, "Birch")
    assert crowd["Cedar"].sheet.opener == crowd["Birch"].peer


@pytest.mark.parametrize(
    "claim", ["of a stranger", "of another table", "far ahead", "for another", "of the past"]
)
def test_a_claim_that_cannot_be_right_is_not_followed(claim: str) -> None:
    crowd = bereft("Ash", "Birch", "Cedar")
    crowd.people["Stranger"] = crowd["Birch"].__class__(
        "Stranger", crowd["Birch"].lobby, crowd._person("Stranger").peer
    )
    sheet = crowd["Birch"].sheet
    right = replace(sheet, reign=1, number=1, opener=crowd["Birch"].peer)
    sender, false = {
        "of a stranger": ("Stranger", right),
        "of another table": ("Birch", replace(right, table=b"t" * 16)),
        "far ahead": ("Birch", replace(right, reign=MAX_REIGNS_MISSED + 1)),
        "for another": ("Birch", replace(right, opener=crowd["Cedar"].peer)),
        "of the past": ("Birch", replace(right, reign=0)),
    }[claim]
    if claim == "of the past" and crowd["Birch"].peer < crowd["Ash"].peer:
        false = replace(false, opener=crowd["Birch"].peer, number=0)
    crowd.say(sender, "Cedar", false)
    assert crowd["Cedar"].sheet.opener == crowd["Ash"].peer


def test_somebody_who_watches_cannot_open_the_table() -> None:
    crowd = table_of("Ash", "Birch")
    crowd.join("Cedar", watching=True)
    crowd.kill("Ash")
    crowd.wait(GONE_SECONDS + 1)
    with pytest.raises(NotPossible):
        crowd["Cedar"].lobby.reopen(crowd.now)


def test_an_opener_that_leaves_need_not_be_waited_for() -> None:
    crowd = table_of("Ash", "Birch")
    crowd["Ash"].lobby.leave()
    crowd.settle()
    assert crowd["Ash"].all(Closed)
    assert (
        crowd["Birch"].lobby.may_reopen
        if False
        else "reopen" in crowd["Birch"].lobby.may(crowd.now)
    )


def test_an_opener_started_anew_knows_nothing_of_the_table_and_it_can_be_opened_again() -> None:
    crowd = table_of("Ash", "Birch", "Cedar")
    crowd.kill("Ash")
    del crowd.people["Ash"]
    crowd.open("Ash")
    crowd["Ash"].lobby.take()
    crowd["Ash"].lobby._role.sheet = replace(crowd["Ash"].sheet, table=b"n" * 16)
    crowd.link("Birch", "Ash")
    assert Refused(crowd["Birch"].sheet.table, Reason.CLOSED) in crowd.of_kind(Refused)
    assert crowd["Birch"].all(Closed) == []
    assert "reopen" in crowd["Birch"].lobby.may(crowd.now)


def test_what_was_signed_for_the_old_opener_is_void_at_a_table_opened_again() -> None:
    crowd = table_of("Ash", "Birch", "Cedar")
    crowd.lost = lambda sender, _, message: sender == "Ash" and "Started" in type(message).__name__
    crowd.start()
    started = crowd["Ash"].lobby._entry._entering.started
    crowd.kill("Ash")
    crowd.wait(GONE_SECONDS + 1)
    crowd.lost = lambda *_: False
    reopen(crowd, "Birch")
    crowd.say("Ash", "Birch", started)
    crowd.say("Ash", "Cedar", started)
    assert crowd["Birch"].begun is crowd["Cedar"].begun is None


# --- torn into halves -----------------------------------------------------------------------------


def torn_into_halves() -> Crowd:
    """Ash and Birch, Cedar and Elm; Cedar has opened the table again, and the links are back."""
    crowd = table_of("Ash", "Birch", "Cedar", "Elm")
    for one in ("Ash", "Birch"):
        for other in ("Cedar", "Elm"):
            crowd.unlink(one, other)
    crowd.wait(GONE_SECONDS + 1)
    reopen(crowd, "Cedar")
    crowd.heal()
    return crowd


def test_halves_that_stay_two_tables_are_told_of_each_other_once_with_the_invite() -> None:
    crowd = torn_into_halves()
    crowd.wait(PARTED_SECONDS - 1)
    assert all(guest.events("two-tables") == [] for guest in crowd.people.values())
    crowd.wait(10 * PARTED_SECONDS)
    crowd.unlink("Ash", "Cedar", for_good=False)
    crowd.heal()
    crowd.wait(10 * PARTED_SECONDS)
    assert [crowd[name].sheet.opener for name in ("Ash", "Birch", "Cedar", "Elm")] == [
        *(2 * [crowd["Ash"].peer]),
        *(2 * [crowd["Cedar"].peer]),
    ]
    (place,) = crowd["Cedar"].sheet.person(crowd["Cedar"].peer).addresses
    (told,) = crowd["Ash"].events("two-tables")
    assert told == (
        "There are two of this table now; Cedar keeps the other one. Who wants to go over leaves "
        f"this one, then: p2pcoup join 'coup://{place}#{crowd['Cedar'].peer}'"
    )
    assert len(crowd["Cedar"].events("two-tables")) == 1


def test_when_one_goes_over_the_halves_are_one_table_again() -> None:
    crowd = torn_into_halves()
    crowd.wait(PARTED_SECONDS + 1)
    crowd["Birch"].lobby.leave()
    crowd.settle()
    crowd.kill("Birch")
    crowd.join("Birch", "Cedar")
    crowd.heal()
    crowd.wait(5)
    assert {guest.sheet.opener for guest in crowd.people.values()} == {crowd["Cedar"].peer}
    assert set(seated(crowd["Cedar"].sheet)) == {"Ash", "Birch", "Cedar", "Elm"}
    crowd.ready("Ash", "Birch", "Elm")
    crowd.start("Cedar")
    assert {guest.begun.terms for guest in crowd.people.values()} == {crowd["Cedar"].begun.terms}


def test_of_another_opener_that_does_not_last_nobody_is_told() -> None:
    crowd = torn_into_halves()
    crowd.wait(PARTED_SECONDS - 1)
    crowd.kill("Cedar")
    crowd.wait(10 * PARTED_SECONDS)
    assert crowd["Ash"].events("two-tables") == []


def test_what_the_other_opener_calls_its_address_is_not_shown_if_it_looks_like_none() -> None:
    crowd = torn_into_halves()
    cedar = crowd["Cedar"]
    people = [
        replace(each, addresses=("x:1';rm",)) if each.peer == cedar.peer else each
        for each in cedar.sheet.people
    ]
    crowd.say("Cedar", "Ash", replace(cedar.sheet, number=9, people=tuple(people)))
    crowd.wait(PARTED_SECONDS + 1)
    (told,) = crowd["Ash"].events("two-tables")
    assert told.endswith(f"p2pcoup join '{cedar.peer}'")
