"""One seat's game whose player is asked from outside, and one that only watches."""

import random
import time
from pathlib import Path

import pytest

from p2pcoup.bots import harmless
from p2pcoup.journal import Journal, JournalError
from p2pcoup.node.seat import SeatedGame, Step
from p2pcoup.rules import Concede, Pass
from p2pcoup.table import AnswerError, TermsError
from p2pcoup.wire import Kind, parse
from tests.node.nodes import SeatFiles, identity_of, make_seats, play


def asked(seats: list[SeatFiles]) -> list[SeatedGame]:
    """Everybody at the table, the first of them (who has been asked) in front."""
    games = [seat.sit_down(policy=None) for seat in seats]
    play(games)
    return sorted(games, key=lambda game: game.question is None)


def test_a_question_stays_open_and_is_the_same_until_it_is_answered(tmp_path: Path) -> None:
    first, *others = asked(make_seats(tmp_path, 3))
    question = first.question
    assert question is not None
    for other in others:
        assert other.question is None
        for raw in other.messages(0):
            assert first.receive(raw).fresh == []
    assert first.question is question
    step = first.answer(question.id, harmless(question.view))
    assert [parse(raw).message.kind for raw in step.fresh] == [Kind.DECIDE]
    assert first.question is None
    for game in (first, *others):
        game.close()


def test_a_wrong_answer_changes_nothing_and_says_what_is_possible(tmp_path: Path) -> None:
    seats = make_seats(tmp_path, 3)
    first, *others = asked(seats)
    question = first.question
    assert question is not None
    said = list(first.messages(0))
    with pytest.raises(AnswerError, match="is not possible here; choose from: "):
        first.answer(question.id, Pass(question.decision.seat))
    with pytest.raises(AnswerError, match="no longer open"):
        first.answer(question.id - 1, harmless(question.view))
    with pytest.raises(AnswerError, match="no longer open"):
        others[0].answer(question.id, harmless(question.view))
    assert others[0].answer_by_default().fresh == []
    assert first.question is question
    assert first.messages(0) == said
    for game in (first, *others):
        game.close()


def test_after_a_restart_the_open_question_is_asked_again_and_an_answered_one_is_not(
    tmp_path: Path,
) -> None:
    seats = make_seats(tmp_path, 3)
    first, *others = asked(seats)
    question = first.question
    assert question is not None
    first.close()
    again = seats[question.decision.seat].sit_down(policy=None)
    assert again.question is None, "it has not begun to speak"
    again.begin()
    assert again.question == question
    said = again.answer(question.id, harmless(question.view)).fresh
    again.close()
    once_more = seats[question.decision.seat].sit_down(policy=None)
    assert once_more.begin().fresh == []
    assert once_more.question is None
    assert said[0] in once_more.messages(0)
    for game in (once_more, *others):
        game.close()


def test_the_default_answer_is_the_harmless_one(tmp_path: Path) -> None:
    first, *others = asked(make_seats(tmp_path, 3))
    question = first.question
    assert question is not None
    (raw,) = first.answer_by_default().fresh
    assert parse(raw).message.body == (f"{question.decision.seat} income",)
    for game in (first, *others):
        game.close()


def test_a_player_may_give_up_instead_of_answering(tmp_path: Path) -> None:
    first, *others = asked(make_seats(tmp_path, 3))
    question = first.question
    assert question is not None
    (raw, *_) = first.answer(question.id, Concede(question.decision.seat)).fresh
    assert parse(raw).message.body == (f"{question.decision.seat} concede",)
    for game in (first, *others):
        game.close()


# --- watching -------------------------------------------------------------------------------------


def watcher(seats: list[SeatFiles], folder: Path) -> SeatedGame:
    """Somebody without a seat."""
    terms, nobody = seats[0].table().terms, identity_of(99)
    clock = time.perf_counter
    return SeatedGame(terms, nobody, folder, None, random.Random(1), clock=clock, watching=True)


def test_who_has_no_seat_follows_the_game_to_the_same_transcript_and_says_nothing(
    tmp_path: Path,
) -> None:
    seats = make_seats(tmp_path, 3)
    watching = watcher(seats, tmp_path / "watcher")
    assert watching.seat is None
    games = [seat.sit_down() for seat in seats]
    assert watching.begin().fresh == []
    said: set[bytes] = set()
    passed_on: list[bytes] = []

    def watch(_seat: int, step: Step) -> None:
        said.update(step.fresh)
        for raw in step.fresh:
            passed_on.extend(watching.receive(raw).fresh)

    play(games, watch=watch)
    assert set(passed_on) == said
    assert len(passed_on) == len(said), "each once, and nothing of its own"
    assert watching.outcome == games[0].outcome
    assert watching.transcript_file.read_bytes() == seats[0].transcript
    assert not (tmp_path / "watcher" / "secret").exists()
    for game in (watching, *games):
        game.close()


def test_who_watches_goes_on_watching_after_a_restart(tmp_path: Path) -> None:
    seats = make_seats(tmp_path, 3)
    games = [seat.sit_down() for seat in seats]
    play(games, most=100)
    watching = watcher(seats, tmp_path / "watcher")
    for raw in games[0].messages(0):
        watching.receive(raw)
    round_ = watching.table.round
    watching.close()
    again = watcher(seats, tmp_path / "watcher")
    assert again.table.round == round_ > 0
    assert again.restored > 0
    for game in (again, *games):
        game.close()


def test_only_who_asks_to_watch_may_come_without_a_seat(tmp_path: Path) -> None:
    seats = make_seats(tmp_path, 3)
    terms = seats[0].table().terms
    with pytest.raises(TermsError, match="has no seat at the table"):
        SeatedGame(
            terms,
            identity_of(99),
            tmp_path / "nobody",
            None,
            random.Random(1),
            clock=time.perf_counter,
        )
    assert not (tmp_path / "nobody").exists()


def test_nobody_plays_on_from_what_a_watcher_has_written_down(tmp_path: Path) -> None:
    seats = make_seats(tmp_path, 3)
    folder = seats[1].folder
    watcher(seats, folder).close()
    with pytest.raises(JournalError, match="journal"):
        seats[1].sit_down()
    with Journal.open(folder / "journal", seats[1].table().terms.encode(), None) as journal:
        assert journal.records == ()
