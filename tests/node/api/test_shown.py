"""What a client is shown of a real game: links, the same picture again, and the time."""

from pathlib import Path

from p2pcoup.node.api.audits import PENDING, Found
from p2pcoup.node.api.shown import Known, look
from p2pcoup.node.match import Match
from p2pcoup.node.seat import SeatedGame
from p2pcoup.wire import PeerId
from tests.node.nodes import SeatFiles, make_seats, play

NOBODY: frozenset[PeerId] = frozenset()


def begun(seats: list[SeatFiles], rounds: int) -> tuple[list[Match], list[SeatedGame]]:
    """A game of these seats after so many messages."""
    matches = [seat.match() for seat in seats]
    games = [match.current for match in matches]
    play(games, most=rounds)
    return matches, games


def links_of(game: SeatedGame, match: Match, links: frozenset[PeerId], known: Known) -> list[str]:
    picture = look(game, match, links, None, known).game
    return [seat["link"] for seat in picture["seats"]]


def test_a_seat_without_a_link_is_relayed_once_something_has_come_of_it(tmp_path: Path) -> None:
    seats = make_seats(tmp_path, 3)
    matches = [seat.match() for seat in seats]
    game, match, known = matches[0].current, matches[0], Known()
    peers = {seat.identity.peer_id for seat in seats[1:]}
    assert links_of(game, match, frozenset(peers), known) == ["you", "linked", "linked"]
    assert links_of(game, match, NOBODY, known) == ["you", "reconnecting", "reconnecting"]
    play([each.current for each in matches], most=40)
    assert links_of(game, match, NOBODY, known) == ["you", "relayed", "relayed"]
    known.miss(game.terms, seats[1].identity.peer_id)
    assert links_of(game, match, NOBODY, known) == ["you", "reconnecting", "relayed"]
    assert links_of(game, match, frozenset(peers), known) == ["you", "linked", "linked"]
    for each in matches:
        each.close()


def test_when_a_game_is_over_no_link_is_needed_any_more(tmp_path: Path) -> None:
    seats = make_seats(tmp_path, 2)
    matches, games = begun(seats, rounds=100_000)
    assert games[0].outcome is not None
    assert links_of(games[0], matches[0], NOBODY, Known()) == ["you", "gone"]
    for each in matches:
        each.close()


def test_a_game_that_was_over_when_the_program_started_is_shown_without_secrets(
    tmp_path: Path,
) -> None:
    (ash, birch), most = make_seats(tmp_path, 2), 100_000
    matches, _ = begun([ash, birch], most)
    for each in matches:
        each.close()
    again = ash.match()
    shown = look(again.current, again, NOBODY, None, Known())
    assert shown.over
    assert shown.transcript == str(again.current.transcript_file)
    assert shown.game["hand"] == shown.game["seats"][0]["cards"], "what everybody sees"
    assert shown.question is None
    again.close()


def test_the_same_game_looks_the_same_unless_the_time_has_changed(tmp_path: Path) -> None:
    matches, games = begun(make_seats(tmp_path, 2), rounds=3)
    known = Known()
    first = look(games[0], matches[0], NOBODY, 100.0, known)
    assert look(games[0], matches[0], NOBODY, 100.001, known).shows_the_same(first)
    assert not look(games[0], matches[0], NOBODY, 101.0, known).shows_the_same(first)
    assert not look(games[0], matches[0], NOBODY, None, known).shows_the_same(first)
    game, question = first.pictures(98.5, Found(PENDING))
    assert game["stage"]["remaining_ms"] == 1500
    assert question is None
    late, _ = first.pictures(200.0, Found(PENDING))
    assert late["stage"]["remaining_ms"] == 0
    for each in matches:
        each.close()
