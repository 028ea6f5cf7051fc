"""Table talk before a game: who hears it, and what is not heard."""

from dataclasses import replace

import pytest

from p2pcoup.lobby import Manner, NotPossible, Person, Said, TooOften
from p2pcoup.lobby.limits import KEPT_SECONDS, MAX_KNOWN, TALK_BURST, TALK_PAUSE
from p2pcoup.lobby.messages import Talk
from p2pcoup.lobby.signing import sign_talk
from p2pcoup.wire import WireError
from tests.lobby.crowd import Crowd, identity_of, table_of


def heard(crowd: Crowd, name: str) -> list[tuple[str, str]]:
    """Who has said what, as somebody was shown it."""
    return [(said.name, said.text) for said in crowd[name].all(Said)]


def say(crowd: Crowd, name: str, text: str) -> None:
    crowd[name].lobby.say(text, crowd.now)
    crowd.settle()


def words(speaker: str, table: bytes, text: str, number: int = 7) -> Talk:
    """What somebody has signed."""
    return sign_talk(table, number, text, identity_of(speaker))


def test_two_who_watch_and_have_no_link_hear_each_other_once() -> None:
    crowd = table_of("Ash", "Birch")
    for name in ("Elm", "Fir"):
        crowd.join(name, watching=True)
    assert frozenset(("Elm", "Fir")) not in crowd.links
    say(crowd, "Elm", "Who wins?")
    say(crowd, "Fir", "Birch.")
    for name in ("Ash", "Birch", "Elm", "Fir"):
        assert heard(crowd, name) == [("Elm", "Who wins?"), ("Fir", "Birch.")]


def test_nobody_can_put_words_into_another_s_mouth_or_repeat_old_ones() -> None:
    crowd = table_of("Ash", "Birch", "Cedar")
    table = crowd["Ash"].sheet.table
    true = words("Birch", table, "I sit here.")
    crowd.say("Birch", "Cedar", true)
    forged = (
        replace(true, number=8, text="I give up."),
        replace(words("Ash", table, "I give up.", 8), key=true.key),
        replace(true, table=b"y" * 16),
        true,
    )
    for said in forged:
        crowd.say("Ash", "Cedar", said)
    old = words("Birch", table, "an old word", 6)
    crowd.say("Ash", "Cedar", old)
    assert heard(crowd, "Cedar") == [("Birch", "I sit here.")]
    assert len(crowd["Cedar"].events("garbled")) == 2


def test_an_opener_with_many_puppets_cannot_have_old_words_said_again() -> None:
    crowd = table_of("Ash", "Birch", "Cedar")
    sheet = crowd["Ash"].sheet
    true = words("Birch", sheet.table, "I agree.")
    crowd.say("Birch", "Cedar", true)
    for number in range(MAX_KNOWN + 10):
        puppet = Person(identity_of(f"puppet {number}").peer_id, "X", ("10.0.0.9:1",))
        people = (*sheet.people, puppet)
        crowd.say("Ash", "Cedar", replace(sheet, number=100 + number, people=people))
        crowd.say("Ash", "Cedar", words(f"puppet {number}", sheet.table, "x"))
    crowd.wait(KEPT_SECONDS)
    crowd.say("Ash", "Cedar", true)
    assert heard(crowd, "Cedar").count(("Birch", "I agree.")) == 1
    assert len(crowd["Cedar"].lobby._voices._numbers) <= MAX_KNOWN


def test_who_was_started_again_is_heard_again() -> None:
    crowd = table_of("Ash", "Birch")
    say(crowd, "Birch", "one")
    crowd.kill("Birch")
    crowd.join("Birch", manner=Manner(first_number=1000))
    say(crowd, "Birch", "two")
    assert [text for _, text in heard(crowd, "Ash")] == ["one", "two"]


def test_whoever_sits_or_watches_is_heard_by_all_and_hears_themselves() -> None:
    crowd = table_of("Ash", "Birch", "Cedar")
    crowd.join("Elm", watching=True)
    said = [("Birch", "Hello!"), ("Elm", "I only watch."), ("Ash", "Soon.")]
    for name, text in said:
        say(crowd, name, text)
    for name in ("Ash", "Birch", "Cedar", "Elm"):
        assert heard(crowd, name) == said
    assert crowd["Cedar"].all(Said)[0].peer == crowd["Birch"].peer


def test_of_two_who_are_called_alike_one_sees_who_speaks() -> None:
    crowd = table_of("Ash", "Birch")
    twin = crowd.join("Cedar", called="Birch")
    say(crowd, "Cedar", "It is me.")
    assert heard(crowd, "Ash") == [(f"Birch ({twin.peer[:7]})", "It is me.")]


def test_words_come_in_one_line_and_what_steers_a_screen_is_not_said() -> None:
    crowd = table_of("Ash", "Birch")
    say(crowd, "Birch", "  well \n well ")
    for text in ("", "a\x1b[2J", "x" * 281):
        with pytest.raises(WireError):
            crowd["Birch"].lobby.say(text, crowd.now)
    assert heard(crowd, "Ash") == [("Birch", "well well")]


def test_who_says_too_much_is_told_to_wait_and_is_heard_again_later() -> None:
    crowd = table_of("Ash", "Birch")
    for number in range(TALK_BURST):
        say(crowd, "Birch", f"{number}")
    with pytest.raises(TooOften, match="one message in 2 seconds"):
        say(crowd, "Birch", "more")
    crowd.wait(TALK_PAUSE)
    say(crowd, "Birch", "later")
    assert [text for _, text in heard(crowd, "Ash")] == [*"01234", "later"]


def test_a_program_that_talks_without_end_is_heard_no_more_often_than_others() -> None:
    crowd = table_of("Ash", "Birch", "Cedar")
    table = crowd["Ash"].sheet.table
    for number in range(30):
        crowd.say("Ash", "Birch", words("Ash", table, f"{number}", number))
    say(crowd, "Cedar", "Hush!")
    assert [text for _, text in heard(crowd, "Birch")] == [*"01234", "Hush!"]


def test_who_is_not_at_the_table_is_not_heard() -> None:
    crowd = table_of("Ash", "Birch")
    table = crowd["Ash"].sheet.table
    crowd.open("Oak")
    crowd.say("Oak", "Ash", words("Oak", table, "Let me in."))
    crowd.say("Birch", "Ash", words("Birch", b"x" * 16, "of another table"))
    assert heard(crowd, "Ash") == []
    alone = Crowd()
    alone.open("Oak")
    alone.kill("Oak")
    nobody = alone.join("Pine", "Oak")
    with pytest.raises(NotPossible, match="no table yet"):
        nobody.lobby.say("Is anybody here?", alone.now)


def test_when_the_game_has_begun_nothing_is_said_in_the_lobby() -> None:
    crowd = table_of("Ash", "Birch")
    table = crowd["Ash"].sheet.table
    crowd.start()
    assert crowd["Ash"].begun
    crowd.say("Birch", "Ash", words("Birch", table, "too late"))
    assert heard(crowd, "Ash") == []


def test_who_comes_a_little_later_hears_once_what_was_said_before() -> None:
    crowd = table_of("Ash", "Birch")
    say(crowd, "Birch", "One game, or two?")
    crowd.wait(KEPT_SECONDS / 2)
    crowd.join("Cedar")
    assert heard(crowd, "Cedar") == [("Birch", "One game, or two?")]
    crowd.wait(KEPT_SECONDS)
    crowd.join("Elm")
    assert heard(crowd, "Elm") == []
    for name in ("Ash", "Birch", "Cedar"):
        assert heard(crowd, name) == [("Birch", "One game, or two?")]
