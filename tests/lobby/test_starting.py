"""From a table where all are ready to a game that all have signed, or not."""

from dataclasses import replace

import pytest

from p2pcoup.lobby import Closed, Enter, Manner, NotPossible, Settings, Withdraw
from p2pcoup.lobby.limits import (
    ENTER_SECONDS,
    HOLD_SECONDS,
    READ_SECONDS,
    SHOWN_SECONDS,
    SIGN_SECONDS,
)
from p2pcoup.lobby.messages import (
    CalledOff,
    Declined,
    Doubt,
    Entered,
    Roster,
    Signed,
    Started,
    Void,
)
from p2pcoup.lobby.signing import check_start, sign_roster
from p2pcoup.table import decode_terms
from p2pcoup.wire import WireError
from tests.lobby.crowd import Crowd, identity_of, table_of


def test_a_start_gives_all_the_same_terms_of_exactly_those_who_sit_there() -> None:
    crowd = table_of("Ash", "Birch", "Cedar")
    crowd.start()
    terms = {guest.begun.terms for guest in crowd.people.values()}
    (agreed,) = terms
    assert agreed.names == ("Ash", "Birch", "Cedar")
    assert agreed.game.startswith("friday evening ")
    for guest in crowd.people.values():
        kinds = [type(effect) for effect in guest.effects]
        assert kinds.index(Enter) < len(kinds) - 1
        assert check_start(guest.begun.started) == agreed


def test_what_is_needed_to_play_on_is_written_before_anybody_is_told_of_it() -> None:
    crowd = table_of("Ash", "Birch")
    crowd.start()
    effects = crowd["Birch"].effects
    entered = next(n for n, effect in enumerate(effects) if isinstance(effect, Enter))
    said = [effect for effect in effects[:entered] if b"started" in getattr(effect, "payload", b"")]
    assert said == []


def test_every_roster_is_of_a_game_with_a_text_of_its_own() -> None:
    crowd = table_of("Ash", "Birch")
    crowd.lost = lambda _s, _r, message: isinstance(message, Signed)
    crowd.start()
    crowd.wait(SIGN_SECONDS)
    crowd.ready("Birch")
    crowd.start()
    texts = {decode_terms(roster.terms).game for roster in crowd.of_kind(Roster)}
    assert len(texts) == 2


@pytest.mark.parametrize(
    ("names", "why"),
    [(("Ash",), "One more must sit down."), (("Ash", "Birch"), "None")],
)
def test_so_many_are_needed(names: tuple[str, ...], why: str) -> None:
    crowd = table_of(*names)
    assert str(crowd["Ash"].lobby.why_not_start(crowd.now)) == why


def test_nobody_plays_with_somebody_they_had_no_time_to_see() -> None:
    crowd = table_of("Ash", "Birch")
    crowd.join("Cedar")
    crowd.ready("Cedar")
    with pytest.raises(NotPossible, match="only just sat down"):
        crowd.start()
    crowd.wait(SHOWN_SECONDS)
    crowd.start()
    assert crowd["Birch"].begun is not None


def test_bots_of_the_opener_s_own_machine_need_no_time() -> None:
    crowd = Crowd()
    crowd.open()
    crowd.join("Birch", manner=Manner(always_ready=True), host="127.0.0.1", bot=True)
    crowd.start()
    assert crowd["Birch"].begun is not None


def test_a_stranger_who_says_that_it_is_a_bot_is_shown_like_anybody_else() -> None:
    crowd = Crowd()
    crowd.open()
    crowd.join("Birch", manner=Manner(always_ready=True), host="127.0.0.1", bot=True)
    crowd.join("Stranger", called="Cedar", manner=Manner(always_ready=True), bot=True)
    with pytest.raises(NotPossible, match="only just sat down"):
        crowd.start()
    crowd.wait(SHOWN_SECONDS)
    crowd.start()
    assert crowd["Stranger"].begun is not None


def test_who_was_ready_for_what_was_shown_before_is_not_taken_to_be_so_for_something_new() -> None:
    crowd = table_of("Ash", "Birch")
    crowd["Ash"].lobby.change(Settings(games=100), crowd.now)
    crowd.settle()
    crowd.wait(READ_SECONDS / 2)  # the key that is pressed now was meant for one game
    with pytest.raises(NotPossible, match="changed just now"):
        crowd.ready("Birch")
    assert not crowd["Ash"].sheet.person(crowd["Birch"].peer).ready
    crowd.wait(READ_SECONDS / 2)
    crowd.ready("Birch")
    with pytest.raises(NotPossible, match="changed just now"):
        crowd.start()
    crowd.wait(SHOWN_SECONDS - READ_SECONDS)
    crowd.start()
    assert crowd["Birch"].begun.started.games == 100


def test_settings_that_were_not_shown_for_long_enough_are_not_signed() -> None:
    crowd = table_of("Ash", "Birch")
    crowd["Ash"].lobby.change(Settings(games=100), crowd.now)
    crowd.settle()
    crowd.wait(READ_SECONDS)
    crowd.ready("Birch")
    crowd["Ash"].lobby._role._changed_at = 0.0  # it does not keep the rule
    crowd.start()
    assert [each.doubt for each in crowd.of_kind(Declined)] == [Doubt.TOO_NEW]
    assert crowd["Birch"].begun is None


def test_an_opener_in_a_hurry_gets_no_signature() -> None:
    crowd = table_of("Ash", "Birch")
    crowd.join("Cedar")
    crowd.ready("Cedar")
    opener = crowd["Ash"].lobby
    opener._role._since = dict.fromkeys(opener._role._since, 0.0)  # it does not keep the rule
    crowd.start()
    assert {each.doubt for each in crowd.of_kind(Declined)} == {Doubt.TOO_NEW}
    assert crowd["Cedar"].begun is None
    assert "had time to see who plays" in crowd["Cedar"].events("start-called-off")[0]


def test_a_bot_that_is_always_ready_is_so_again_when_the_settings_change() -> None:
    crowd = Crowd()
    crowd.open()
    crowd.join("Birch", manner=Manner(always_ready=True), host="127.0.0.1", bot=True)
    crowd["Ash"].lobby.change(Settings(games=2), crowd.now)
    crowd.settle()
    crowd.start()
    assert crowd["Birch"].begun.started.games == 2


def test_a_seat_that_does_not_sign_in_time_is_named_and_the_start_called_off() -> None:
    crowd = table_of("Ash", "Birch", "Cedar")
    crowd.lost = lambda sender, _, message: sender == "Cedar" and isinstance(message, Signed)
    crowd.start()
    crowd.wait(SIGN_SECONDS)
    for name in ("Ash", "Birch"):
        told = crowd[name].events("start-called-off")
        assert told == ["The start is called off: Cedar has not signed in time."]
    assert not crowd["Ash"].sheet.person(crowd["Cedar"].peer).ready
    assert crowd["Ash"].sheet.starting == 0


def test_who_takes_back_being_ready_while_all_sign_stops_the_start() -> None:
    crowd = table_of("Ash", "Birch", "Cedar")
    crowd.lost = lambda sender, _, message: sender == "Cedar" and isinstance(message, Signed)
    crowd.start()
    crowd["Birch"].lobby.ready(False, crowd.now)
    crowd.settle()
    assert crowd["Cedar"].events("start-called-off") == [
        "The start is called off: Birch is not ready."
    ]


def test_a_link_that_is_lost_while_all_sign_stops_the_start() -> None:
    crowd = table_of("Ash", "Birch", "Cedar")
    crowd.lost = lambda sender, _, message: sender == "Cedar" and isinstance(message, Signed)
    crowd.start()
    crowd.unlink("Ash", "Cedar", for_good=False)
    assert crowd["Birch"].events("start-called-off") == ["The start is called off: Cedar is gone."]


def test_nothing_else_can_be_done_while_all_sign() -> None:
    crowd = table_of("Ash", "Birch")
    crowd.lost = lambda _s, _r, message: isinstance(message, Signed)
    crowd.start()
    lobby = crowd["Ash"].lobby
    for wish in (
        lambda: lobby.change(Settings(seats=2), crowd.now),
        lambda: lobby.kick(crowd["Birch"].peer),
        lobby.leave,
        lambda: lobby.start(crowd.now),
    ):
        with pytest.raises(NotPossible):
            wish()
    assert lobby.starting(crowd.now)


@pytest.mark.parametrize("spoken", ["before", "after"])
def test_who_comes_to_watch_while_a_game_is_entered_watches_it_as_well(spoken: str) -> None:
    crowd = table_of("Ash", "Birch")
    crowd.lost = lambda who, _r, message: who == "Birch" and isinstance(message, Started | Entered)
    crowd.start()
    assert crowd["Ash"].begun is None
    fir = crowd.join("Fir", watching=True)
    assert fir.sheet == crowd["Ash"].sheet
    crowd.unlink("Fir", "Ash", for_good=False)
    crowd.lost = lambda *_: False
    crowd.unlink("Ash", "Birch", for_good=False)
    crowd.link("Birch", "Ash")
    game = crowd["Ash"].begun.terms.game_id
    if spoken == "before":
        fir.lobby.heard_game(crowd["Ash"].peer, game)
        assert fir.begun is None
    crowd.link("Fir", "Ash")  # it sits down again, and is told of the game
    if spoken == "after":
        fir.lobby.heard_game(crowd["Ash"].peer, game)
        crowd.settle()
    assert fir.begun.terms.game_id == game


def test_who_comes_while_all_sign_waits_and_sits_down_afterwards() -> None:
    crowd = table_of("Ash", "Birch")
    crowd.lost = lambda _s, _r, message: isinstance(message, Signed)
    crowd.start()
    late = crowd.join("Cedar")
    assert late.lobby.sheet is None
    crowd.wait(SIGN_SECONDS + 5)
    assert late.sheet.person(late.peer) is not None


# --- rosters that are not what was shown ----------------------------------------------------------


def roster_of(crowd: Crowd, **changes: object) -> Roster:
    """The roster the opener would send now, or one that differs."""
    sheet = crowd["Birch"].sheet
    terms = sheet.terms("friday evening 01")
    which = (sheet.table, sheet.reign, max(sheet.starting, 1), sheet.number)
    return replace(Roster(*which, sheet.settings.games, terms.encode()), **changes)


def forged_rosters() -> list[tuple[str, dict[str, object]]]:
    crowd = table_of("Ash", "Birch", "Cedar")
    sheet = crowd["Birch"].sheet
    terms = sheet.terms("friday evening 01")
    ash, birch, cedar = terms.roster
    harder = Settings(games=5)

    def of(**changes: object) -> bytes:
        return replace(terms, **changes).encode()

    return [
        ("without me", {"terms": of(roster=(ash, cedar))}),
        ("without another", {"terms": of(roster=(ash, birch))}),
        ("me by another name", {"terms": of(roster=(ash, replace(birch, name="Oaf"), cedar))}),
        ("in another order", {"terms": of(roster=(cedar, birch, ash))}),
        ("with a stranger", {"terms": of(roster=(ash, birch, replace(cedar, peer=stranger())))}),
        ("other times", {"terms": of(times=replace(terms.times, decide=1))}),
        ("other edition", {"terms": of(edition=inquisitor())}),
        ("more games", {"games": harder.games}),
        ("an older sheet", {"number": sheet.number - 1}),
        ("a later sheet", {"number": sheet.number + 1}),
        ("no terms", {"terms": b"\xc0"}),
    ]


def stranger() -> str:
    return identity_of("Stranger").peer_id


def inquisitor() -> object:
    from p2pcoup.rules import EDITIONS

    return EDITIONS["inquisitor"]


@pytest.mark.parametrize(("what", "changes"), forged_rosters(), ids=lambda value: str(value)[:20])
def test_a_roster_that_is_not_what_was_shown_is_not_signed(
    what: str, changes: dict[str, object]
) -> None:
    crowd = table_of("Ash", "Birch", "Cedar")
    # The opener's program is replaced by one that asks for something else, after an honest sheet.
    sheet = replace(crowd["Ash"].sheet, number=crowd["Ash"].sheet.number + 1, starting=1)
    crowd.say("Ash", "Birch", sheet)
    if "number" in changes:
        changes = {"number": sheet.number + changes["number"] - crowd["Ash"].sheet.number}
    crowd.say("Ash", "Birch", roster_of(crowd, **changes))
    assert crowd.of_kind(Signed, "Birch") == []
    assert [each.doubt for each in crowd.of_kind(Declined, "Birch")] == [Doubt.CHANGED], what


def test_the_same_roster_unchanged_is_signed() -> None:
    crowd = table_of("Ash", "Birch", "Cedar")
    sheet = replace(crowd["Ash"].sheet, number=crowd["Ash"].sheet.number + 1, starting=1)
    crowd.say("Ash", "Birch", sheet)
    crowd.say("Ash", "Birch", roster_of(crowd))
    assert len(crowd.of_kind(Signed, "Birch")) == 1


def test_settings_changed_between_ready_and_start_are_not_signed() -> None:
    crowd = table_of("Ash", "Birch")
    before = crowd["Ash"].sheet
    changed = replace(before, number=before.number + 1, settings=Settings(games=9), starting=1)
    crowd.say("Ash", "Birch", changed)
    crowd.say("Ash", "Birch", roster_of(crowd))
    assert [each.doubt for each in crowd.of_kind(Declined)] == [Doubt.NOT_READY]


def test_only_the_opener_can_ask_for_signatures() -> None:
    crowd = table_of("Ash", "Birch", "Cedar")
    crowd.say("Cedar", "Birch", roster_of(crowd))
    assert crowd.of_kind(Signed) == crowd.of_kind(Declined) == []


def test_a_roster_is_signed_once_and_an_older_number_never() -> None:
    crowd = table_of("Ash", "Birch")
    crowd.start()
    (roster,) = crowd.of_kind(Roster)
    crowd.say("Ash", "Birch", roster)
    assert len(crowd.of_kind(Signed, "Birch")) == 1


def test_a_game_that_was_begun_here_before_is_not_signed_again() -> None:
    crowd = Crowd()
    crowd.open()
    crowd.join("Birch", manner=Manner(is_new=lambda _game: False))
    crowd.wait(5)
    crowd.ready("Birch")
    crowd.start()
    assert [each.doubt for each in crowd.of_kind(Declined)] == [Doubt.NOT_NEW]
    assert crowd["Ash"].begun is None


# --- false signatures -----------------------------------------------------------------------------


def test_a_wrong_signature_is_as_good_as_none() -> None:
    crowd = table_of("Ash", "Birch", "Cedar")
    crowd.lost = lambda sender, _, message: sender == "Cedar" and isinstance(message, Signed)
    crowd.start()
    (roster, _) = crowd.of_kind(Roster)
    table, reign, attempt = roster.table, roster.reign, roster.attempt
    birch = identity_of("Birch")
    right = sign_roster(roster, birch)
    for key, signature in ((birch.public_key, right), (identity_of("Cedar").public_key, right)):
        crowd.say("Cedar", "Ash", Signed(table, reign, attempt, key, signature))
    assert crowd["Ash"].begun is None
    crowd.wait(SIGN_SECONDS)
    assert "Cedar has not signed in time." in crowd["Ash"].events("start-called-off")[0]


def test_a_start_with_any_signature_false_or_missing_begins_nothing() -> None:
    crowd = table_of("Ash", "Birch", "Cedar")
    crowd.start()
    started = crowd["Ash"].begun.started
    pairs = started.signatures
    for signatures in (pairs[:2], (pairs[0], pairs[1], pairs[1]), pairs[::-1]):
        with pytest.raises(WireError):
            check_start(replace(started, signatures=signatures))
    for field, value in (("games", 2), ("attempt", 2), ("reign", 1), ("table", b"x" * 16)):
        with pytest.raises(WireError, match="not signed by"):
            check_start(replace(started, **{field: value}))


def test_a_forged_start_is_told_and_begins_nothing() -> None:
    crowd = table_of("Ash", "Birch")
    crowd.lost = lambda _s, _r, message: isinstance(message, Started)
    crowd.start()
    started = crowd["Ash"].lobby._entry._entering.started
    forged = replace(started, signatures=(started.signatures[0],) * 2)
    crowd.say("Ash", "Birch", forged)
    assert crowd["Birch"].begun is None
    assert crowd["Birch"].events("garbled")


# --- nobody is drawn into a game behind their back ------------------------------------------------


def called_off_then_completed(crowd: Crowd) -> Started:
    """A start that Ash called off because Cedar was late, completed by Ash all the same."""
    late: list[Signed] = []

    def lost(sender: str, _receiver: str, message: object) -> bool:
        if isinstance(message, Signed) and sender == "Cedar" and not late:
            late.append(message)
            return True
        return False

    crowd.lost = lost
    crowd.start()
    pending = crowd["Ash"].lobby._role._pending
    crowd.wait(SIGN_SECONDS)
    signatures = {**pending.signatures, crowd["Cedar"].peer: (late[0].key, late[0].signature)}
    roster = pending.roster
    members = pending.terms.roster
    return Started(
        roster.table,
        roster.reign,
        roster.attempt,
        roster.games,
        roster.terms,
        tuple(signatures[member.peer] for member in members),
        tuple(("10.0.0.1:1",) for _ in members),
    )


def test_a_start_that_was_called_off_cannot_begin_later() -> None:
    crowd = table_of("Ash", "Birch", "Cedar")
    started = called_off_then_completed(crowd)
    terms = check_start(started)  # every signature is right
    crowd.say("Ash", "Birch", started)
    crowd.say("Ash", "Cedar", started)
    assert crowd["Birch"].begun is crowd["Cedar"].begun is None
    assert Void(started.table, terms.game_id) in crowd.of_kind(Void, "Birch")


def test_a_later_roster_voids_an_earlier_one() -> None:
    crowd = table_of("Ash", "Birch", "Cedar")
    started = called_off_then_completed(crowd)
    crowd.ready("Cedar")
    crowd.start()
    latest = crowd["Ash"].begun.terms
    crowd.say("Ash", "Birch", started)
    assert crowd["Birch"].begun.terms == crowd["Cedar"].begun.terms == latest
    assert decode_terms(started.terms) != latest


def test_a_signature_stands_only_for_a_while() -> None:
    crowd = table_of("Ash", "Birch", "Cedar")
    watcher = crowd.join("Elm", watching=True)
    crowd.lost = lambda _s, receiver, message: (
        receiver != "Elm" and isinstance(message, Started | CalledOff | Entered)
    )
    crowd.start()
    started = crowd["Ash"].lobby._entry._entering.started
    crowd.wait(HOLD_SECONDS + 1)
    crowd.lost = lambda *_: False
    crowd.say("Ash", "Birch", started)
    assert crowd["Birch"].begun is None
    # And whoever had entered is back at the table, without any game.
    assert crowd["Ash"].all(Withdraw)[0].terms == check_start(started)
    assert crowd["Ash"].events("start-void")
    assert watcher.begun is None
    assert not crowd["Ash"].lobby.starting(crowd.now)


def test_a_changed_table_ends_what_was_signed() -> None:
    crowd = table_of("Ash", "Birch")
    crowd.lost = lambda _s, _r, message: isinstance(message, Started | Entered)
    crowd.start()
    started = crowd["Ash"].lobby._entry._entering.started
    sheet = crowd["Ash"].sheet
    changed = replace(sheet, number=sheet.number + 1, settings=Settings(games=7))
    crowd.say("Ash", "Birch", changed)
    crowd.lost = lambda *_: False
    crowd.say("Ash", "Birch", started)
    assert crowd["Birch"].begun is None


def test_an_old_start_from_another_evening_begins_nothing() -> None:
    crowd = table_of("Ash", "Birch")
    crowd.start()
    old = crowd["Ash"].begun.started
    again = Crowd()
    again.open("Ash")
    again.people["Ash"].lobby._chance(1)
    again.join("Birch")
    again.say("Ash", "Birch", replace(old, table=again["Ash"].sheet.table))
    again.say("Ash", "Birch", old)
    assert again["Birch"].begun is None


# --- entering -------------------------------------------------------------------------------------


def test_a_game_begins_when_all_have_entered_and_not_before() -> None:
    crowd = table_of("Ash", "Birch", "Cedar")
    crowd.lost = lambda _s, receiver, message: receiver == "Cedar" and isinstance(message, Started)
    crowd.start()
    assert crowd["Ash"].begun is crowd["Birch"].begun is None
    assert crowd["Birch"].all(Enter)
    crowd.lost = lambda *_: False
    crowd.unlink("Birch", "Cedar", for_good=False)
    crowd.link("Birch", "Cedar")  # on a new link everything is said again
    assert all(guest.begun for guest in crowd.people.values())


def test_an_opener_that_dies_in_the_middle_of_the_start_is_not_missed_by_those_who_have_it() -> (
    None
):
    crowd = table_of("Ash", "Birch", "Cedar")
    # Ash reaches Birch with all the signatures, and dies before it reaches Cedar.
    crowd.lost = lambda sender, receiver, message: (
        isinstance(message, Started) and (sender, receiver) == ("Ash", "Cedar")
    )
    crowd.start()
    assert crowd["Cedar"].begun.terms == crowd["Birch"].begun.terms


def test_two_who_cannot_link_to_each_other_still_hear_that_the_other_has_entered() -> None:
    crowd = Crowd()
    crowd.cut.add(frozenset(("Birch", "Cedar")))
    crowd.open()
    crowd.join("Birch")
    crowd.join("Cedar")
    crowd.wait(5)
    crowd.ready("Birch", "Cedar")
    crowd.start()
    assert crowd["Birch"].begun.terms == crowd["Cedar"].begun.terms


def test_who_hears_that_the_game_is_played_begins_it() -> None:
    crowd = table_of("Ash", "Birch", "Cedar")
    crowd.lost = lambda sender, receiver, message: (
        (isinstance(message, Started | Entered) and (sender, receiver) == ("Cedar", "Birch"))
        or (receiver == "Birch" and isinstance(message, Entered))
    )
    crowd.start()
    birch, game = crowd["Birch"], crowd["Ash"].begun.terms.game_id
    assert birch.begun is None
    birch.lobby.heard_game(crowd["Ash"].peer, b"g" * 32)
    assert not birch.lobby.begun
    birch.lobby.heard_game(crowd["Ash"].peer, game)
    crowd.settle()
    assert birch.begun.terms.game_id == game


def waiting_for_cedar() -> Crowd:
    """All have signed; Cedar's program has died before it entered the game."""
    crowd = table_of("Ash", "Birch", "Cedar")
    crowd.lost = lambda _s, receiver, message: receiver == "Cedar" and isinstance(message, Started)
    crowd.start()
    crowd.kill("Cedar")
    return crowd


def test_who_has_just_entered_waits_for_the_others() -> None:
    crowd = waiting_for_cedar()
    assert crowd["Birch"].lobby.may(crowd.now) == ()
    with pytest.raises(NotPossible, match="about to begin"):
        crowd["Birch"].lobby.leave()
    crowd.wait(ENTER_SECONDS - 1)
    assert crowd["Birch"].events("not-entered") == []


@pytest.mark.parametrize("name", ["Ash", "Birch"])
def test_who_waits_in_vain_is_told_for_whom_and_may_leave_but_takes_nothing_back(name: str) -> None:
    crowd = waiting_for_cedar()
    crowd.wait(3 * ENTER_SECONDS)
    guest, sent = crowd[name], len(crowd.sent)
    (told,) = guest.events("not-entered")
    assert told.startswith("Cedar has signed but has not come into the game yet.")
    assert guest.lobby.may(crowd.now) == ("leave",)
    guest.lobby.leave()
    crowd.settle()
    (closed,) = guest.all(Closed)
    assert closed.wished
    assert "signed" in closed.text
    assert "p2pcoup resume" in closed.text
    # The others may count on this seat, and what is needed to play stays written down.
    assert len(crowd.sent) == sent
    assert guest.all(Withdraw) == []


def test_who_comes_back_in_time_is_waited_for_and_nobody_is_told_anything_later() -> None:
    crowd = table_of("Ash", "Birch", "Cedar")
    crowd.lost = lambda _s, receiver, message: receiver == "Cedar" and isinstance(message, Started)
    crowd.start()
    crowd.lost = lambda *_: False
    crowd.unlink("Ash", "Cedar", for_good=False)
    crowd.relink()
    crowd.wait(2 * ENTER_SECONDS)
    assert {guest.begun.terms for guest in crowd.people.values()} == {crowd["Ash"].begun.terms}
    assert all(guest.events("not-entered") == [] for guest in crowd.people.values())


def test_void_of_somebody_without_a_seat_stops_nothing() -> None:
    crowd = table_of("Ash", "Birch", "Cedar")
    crowd.join("Elm", watching=True)
    crowd.lost = lambda _s, receiver, message: receiver == "Cedar" and isinstance(message, Started)
    crowd.start()
    game = crowd["Birch"].lobby._entry._entering.terms.game_id
    crowd.say("Elm", "Birch", Void(crowd["Ash"].sheet.table, game))
    assert crowd["Birch"].all(Withdraw) == []


# --- who comes late -------------------------------------------------------------------------------


def test_somebody_who_comes_to_watch_a_game_that_has_begun_is_given_its_start() -> None:
    crowd = table_of("Ash", "Birch")
    crowd.start()
    late = crowd.join("Cedar", watching=True)
    assert late.begun.terms == crowd["Ash"].begun.terms


def test_somebody_who_comes_to_sit_at_a_game_that_has_begun_is_told_so() -> None:
    crowd = table_of("Ash", "Birch")
    crowd.start()
    late = crowd.join("Cedar")
    assert late.begun is None
    assert "A game is being played" in late.effects[-1].text


def test_somebody_who_comes_to_watch_believes_no_start_that_is_not_signed_by_all() -> None:
    crowd = table_of("Ash", "Birch")
    crowd.start()
    started = crowd["Ash"].begun.started
    crowd.unlink("Ash", "Birch")
    crowd.kill("Ash")
    late = crowd.join("Cedar", watching=True)
    crowd.say("Ash", "Cedar", replace(started, signatures=started.signatures[::-1]))
    assert late.begun is None
    crowd.say("Birch", "Cedar", started)
    assert late.begun is None, "it was not Birch who was asked"
    crowd.say("Ash", "Cedar", started)
    assert late.begun is not None
