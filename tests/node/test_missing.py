"""Whom the game waits for while their link is down."""

from p2pcoup.node.missing import Missing
from p2pcoup.wire import PeerId

ASH, BIRCH = PeerId("ASH"), PeerId("BIRCH")


def test_a_seat_the_game_waits_for_is_missed_once_while_its_link_is_down() -> None:
    missing = Missing()
    assert missing.newly([ASH, BIRCH]) == []
    missing.lost(ASH)
    assert missing.newly([BIRCH]) == []
    assert missing.newly([ASH, BIRCH]) == [ASH]
    assert missing.newly([ASH, BIRCH]) == []


def test_that_somebody_is_back_is_said_if_it_was_said_that_they_were_gone() -> None:
    missing = Missing()
    missing.lost(ASH)
    assert not missing.heard_of(ASH), "nobody has missed them"
    missing.lost(ASH)
    assert missing.newly([ASH]) == [ASH]
    assert missing.heard_of(ASH)
    assert not missing.heard_of(ASH)


def test_who_is_heard_of_another_way_is_not_missed() -> None:
    missing = Missing()
    missing.lost(ASH)
    missing.heard_of(ASH)
    assert missing.newly([ASH]) == []
    missing.lost(ASH)
    assert missing.newly([ASH]) == [ASH]
