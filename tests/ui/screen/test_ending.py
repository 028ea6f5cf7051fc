"""After a game: the winner, who was out when, the transcript, its audit, another game."""

import pytest

from tests.ui.drawing import SIZES, rows, shown, text
from tests.ui.messages import hello, lobby, over, state


@pytest.mark.parametrize("size", SIZES)
def test_the_end_tells_everything(size: tuple[int, int]) -> None:
    screen = " ".join(text(shown(over()), size).split())
    for told in (
        "★ You win the game! ★",
        "Out: Maximiliane Hohenstein-W in turn 17, 정우 in turn 18 and Birch in turn 19.",
        "Games won: Ash 1, Birch 0, 정우 1",
        "Audit passed: every signature, proof and rule of this game holds.",
        "/home/ash/.local/share/p2pcoup/game.coup",
        "Another game: Birch",
        "Press A to play another game.",
    ):
        assert told in screen


def test_another_winner_is_named() -> None:
    assert "★ Birch wins the game. ★" in text(shown(over(winner=1)), (80, 24))


@pytest.mark.parametrize(
    ("audit", "told"), [("pending", "The audit is running."), ("invalid", "AUDIT FAILED")]
)
def test_an_audit_that_has_not_passed_is_not_said_to_have_passed(audit: str, told: str) -> None:
    screen = text(shown(over(audit=audit, flaw="Round 7, seat 2: wrong digest.")), (80, 24))
    assert told in screen
    assert "Audit passed" not in screen
    assert ("Round 7, seat 2: wrong digest." in screen) == (audit == "invalid")


def test_a_game_won_because_nobody_else_was_left_says_so() -> None:
    assert "Nobody else was left" in text(shown(over(by_absence=True)), (80, 24))


def test_a_wish_for_another_game_is_shown_until_the_others_have_it() -> None:
    keys = shown(over() | {"again": {"asked": [0], "asking": True}})
    assert "You want another one; the others have to say so too." in text(keys, (100, 30))


def test_nobody_who_wants_another_game_is_cut_off() -> None:
    keys = shown(over() | {"again": {"asked": [0, 1, 2, 3], "asking": True}})
    screen = text(keys, (80, 24))
    assert "Another game: Ash, Birch, 정우, Maximiliane Hohenstein-W" in screen
    assert "You want another one; the others have to say so too." in screen


def test_after_a_single_game_nobody_counts_the_games_won() -> None:
    message = over()
    message["game"]["games"] = 1
    assert "Games won" not in text(shown(message), (100, 30))


def test_a_node_that_ends_says_why() -> None:
    keys = shown(state("ended", reason="Ash has closed the table."))
    assert "Ash has closed the table." in text(keys, (80, 24))
    assert "Q closes this window." in text(keys, (80, 24))


def test_a_node_that_ends_after_its_games_leaves_the_result_to_be_read() -> None:
    screen = text(shown(over(), state("ended", reason="All games are over.")), (80, 24))
    assert "★ You win the game! ★" in screen
    assert "All games are over. Q closes this window." in screen


def test_before_the_first_picture_it_says_what_it_waits_for() -> None:
    assert "Waiting for the node to start …" in text(shown(hello()), (80, 24))


def test_a_long_path_of_the_transcript_is_whole() -> None:
    path = "/home/" + "deep/" * 40 + "game.coup"
    drawn = rows(shown(over(transcript=path)), (80, 24))
    assert path in "".join(row.rstrip() for row in drawn)


def test_a_table_that_opens_again_shows_its_lobby() -> None:
    assert "Lobby:" in text(shown(over(), lobby()), (80, 24))


def test_who_wants_no_more_games_is_named() -> None:
    message = over()
    message["again"] = {"asked": [1], "asking": False, "not": [2]}
    assert "Another game: Birch  No more: 정우" in text(shown(message), (80, 24))
