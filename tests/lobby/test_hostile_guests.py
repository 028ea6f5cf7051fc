"""What somebody at a table, or beside it, can make the others believe of a game that begins."""

from p2pcoup.lobby import Settings, Sheet
from p2pcoup.lobby.messages import Entered, Follows, Refused, Started
from p2pcoup.lobby.signing import sign_roster
from p2pcoup.rules import BASE
from p2pcoup.table import Member, Terms
from tests.lobby.crowd import identity_of, table_of


def game_of_puppets(sheet: Sheet) -> tuple[Started, Terms]:
    """A start with all its signatures, of a game of two who are at no table."""
    puppets = [identity_of("one puppet"), identity_of("another puppet")]
    names = [person.name for person in sheet.seated]
    roster = tuple(
        Member(puppet.peer_id, name) for puppet, name in zip(puppets, names, strict=True)
    )
    terms = Terms("friday evening 77", BASE, roster)
    unsigned = Started(sheet.table, sheet.reign, 1, 1, terms.encode(), (), ((), ()))
    pairs = tuple((puppet.public_key, sign_roster(unsigned, puppet)) for puppet in puppets)
    return Started(sheet.table, sheet.reign, 1, 1, terms.encode(), pairs, ((), ())), terms


def test_who_watches_is_not_led_to_another_game_by_a_guest() -> None:
    crowd = table_of("Ash", "Birch")
    fir = crowd.join("Fir", watching=True)
    crowd.link("Fir", "Birch")
    start, terms = game_of_puppets(fir.sheet)
    crowd.say("Birch", "Fir", start)
    fir.lobby.heard_game(crowd["Birch"].peer, terms.game_id)
    crowd.settle()
    assert fir.begun is None
    crowd.start()
    played = crowd["Ash"].begun.terms
    fir.lobby.heard_game(crowd["Birch"].peer, played.game_id)
    crowd.settle()
    assert fir.begun.terms == played


def test_only_the_word_of_a_seat_counts_that_a_game_is_being_played() -> None:
    crowd = table_of("Ash", "Birch", "Cedar")
    fir = crowd.join("Fir", watching=True)
    crowd.lost = lambda _s, to, message: to == "Cedar" and isinstance(message, Started | Entered)
    crowd.start()
    ash = crowd["Ash"]
    (game,) = {message.game for message in crowd.of_kind(Entered, "Ash")}
    assert ash.begun is None, "nothing is heard of Cedar"
    ash.lobby.heard_game(fir.peer, game)
    crowd.settle()
    assert ash.begun is None
    ash.lobby.heard_game(crowd["Birch"].peer, game)
    crowd.settle()
    assert ash.begun is not None


def test_who_found_the_table_full_is_not_shown_who_sits_there() -> None:
    crowd = table_of("Ash", "Birch", settings=Settings(seats=2))
    elm = crowd.join("Elm")
    (refused,) = crowd.of_kind(Refused)
    assert refused.table == crowd["Ash"].sheet.table
    last = max(identity_of(f"{number}").peer_id for number in range(30))
    assert last > crowd["Ash"].peer, "or it would be no worse opener"
    crowd.say("Elm", "Ash", Follows(refused.table, 0, last, here=True))
    assert elm.lobby.sheet is None
    assert [to for _, to, message in crowd.sent if isinstance(message, Sheet)].count("Elm") == 0
