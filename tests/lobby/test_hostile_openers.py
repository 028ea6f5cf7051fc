"""Openers that show different people different tables, and what an opener can make guests do."""

from dataclasses import replace

from p2pcoup.lobby import Keep, Person, Settings, Sheet
from p2pcoup.lobby.limits import BURST, CALL_BURST, CALL_PAUSE, SHOWN_LEAST
from p2pcoup.lobby.messages import Roster, Signed, Started
from p2pcoup.lobby.signing import sign_roster
from tests.lobby.crowd import Crowd, identity_of, seated, table_of


def roster_of(sheet: Sheet) -> Roster:
    """The roster an opener makes of that sheet."""
    terms = sheet.terms("friday evening 77").encode()
    return Roster(sheet.table, sheet.reign, 1, sheet.number, sheet.settings.games, terms)


def started(roster: Roster, crowd: Crowd, *signed: Signed) -> Started:
    """The start of that roster with the opener's signature and these."""
    own = identity_of("Ash")
    pairs = ((own.public_key, sign_roster(roster, own)), *((s.key, s.signature) for s in signed))
    places = tuple(person.addresses for person in crowd["Ash"].sheet.seated)
    return Started(
        roster.table, roster.reign, roster.attempt, roster.games, roster.terms, pairs, places
    )


def test_an_opener_that_shows_two_guests_different_tables_begins_no_game() -> None:
    crowd = table_of("Ash", "Birch", "Cedar")
    sheet = replace(crowd["Ash"].sheet, number=50)
    rosters = {}
    for name, games in (("Birch", 1), ("Cedar", 9)):
        shown = replace(sheet, settings=Settings(games=games))
        crowd.say("Ash", name, shown)
        crowd.wait(SHOWN_LEAST)
        crowd.ready(name)
        crowd.say("Ash", name, replace(shown, number=51, starting=1))
        rosters[name] = roster_of(replace(shown, number=51))
        crowd.say("Ash", name, rosters[name])
    birch, cedar = (crowd.of_kind(Signed, name)[0] for name in ("Birch", "Cedar"))
    for roster in rosters.values():
        for name in ("Birch", "Cedar"):
            crowd.say("Ash", name, started(roster, crowd, birch, cedar))
    for name in ("Birch", "Cedar"):
        assert crowd[name].begun is None
        assert not crowd[name].lobby._entry.entering
        assert len(crowd[name].events("garbled")) == 2


def test_a_signature_given_at_one_table_is_worth_nothing_at_another() -> None:
    crowd = table_of("Ash", "Birch")
    crowd.lost = lambda _s, _r, message: isinstance(message, Started)
    crowd.start()
    (roster,) = crowd.of_kind(Roster)
    (signed,) = crowd.of_kind(Signed, "Birch")
    other = replace(roster, table=b"another table!!!")
    crowd.say("Ash", "Birch", started(other, crowd, signed))
    crowd.say("Ash", "Birch", replace(started(roster, crowd, signed), table=other.table))
    assert crowd["Birch"].begun is None
    crowd.say("Ash", "Birch", started(roster, crowd, signed))
    assert crowd["Birch"].lobby._entry.entering or crowd["Birch"].begun


def test_an_opener_that_names_new_addresses_without_end_does_not_make_guests_call_all_of_them() -> (
    None
):
    crowd = table_of("Ash", "Birch", "Cedar")
    sheet = crowd["Ash"].sheet
    before = len(crowd["Birch"].all(Keep))

    def show(count: int, first: int) -> int:
        for number in range(first, first + count):
            stranger = Person(identity_of(f"{number}").peer_id, "X", (f"10.0.0.9:{number + 1}",))
            crowd.say(
                "Ash",
                "Birch",
                replace(sheet, number=100 + number, people=(*sheet.people, stranger)),
            )
        return len(crowd["Birch"].all(Keep)) - before

    assert show(200, 0) <= CALL_BURST
    crowd.wait(10 * CALL_PAUSE)
    assert show(200, 200) <= CALL_BURST + 11
    crowd.wait(CALL_BURST * CALL_PAUSE)
    cedar = crowd["Cedar"].peer
    moved = replace(sheet.person(cedar), addresses=("10.0.0.77:7",))
    people = tuple(moved if person.peer == cedar else person for person in sheet.people)
    crowd.say("Ash", "Birch", replace(sheet, number=900, people=people))
    assert crowd["Birch"].all(Keep)[-1] == Keep(cedar, ("10.0.0.77:7",)), "an honest one is called"


def test_an_opener_that_writes_sheets_without_end_does_not_fill_the_logs_of_its_guests() -> None:
    crowd = table_of("Ash", "Birch", "Cedar")
    sheet, birch = crowd["Ash"].sheet, crowd["Birch"]
    for number in range(10 * int(BURST)):
        named = [replace(each, name=f"{each.name} {number % 2}") for each in sheet.people[2:]]
        people = (*sheet.people[:2], *named)
        crowd.say("Ash", "Birch", replace(sheet, number=100 + number, people=people))
    assert len(birch.events("renamed")) == BURST
    assert seated(birch.sheet)[-1] == "Cedar 1", "it shows all the same what is so now"
    changed = replace(birch.sheet, number=999, settings=Settings(games=9))
    crowd.say("Ash", "Birch", changed)
    assert len(birch.events("settings")) == 1


def test_people_who_come_and_go_without_end_leave_nothing_behind_at_the_opener() -> None:
    crowd = Crowd()
    crowd.open("Ash")
    for number in range(30):
        name = f"guest {number}"
        crowd.join(name)
        crowd[name].lobby.leave()
        crowd.settle()
    role = crowd["Ash"].lobby._role
    assert set(role._since) == {crowd["Ash"].peer}
    assert role._gone_at == {}
