"""The games a user has played, and what is noted of their audits."""

import json
import shutil
from pathlib import Path

import pytest

import p2pcoup
from p2pcoup.audit import Verdict
from p2pcoup.node.archive import NOTE_NAME, PastGame, audit_and_note, noted_report, past_games
from tests.node.nodes import SeatFiles, make_seats, whole_game


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> SeatFiles:
    seats = make_seats(tmp_path_factory.mktemp("archive"), 2)
    whole_game(seats)
    return seats[0]


@pytest.fixture
def home(played: SeatFiles, tmp_path: Path) -> Path:
    return Path(shutil.copytree(played.home, tmp_path / "home"))


def only(home: Path) -> PastGame:
    (game,) = past_games(home)
    return game


def test_without_a_data_folder_nothing_was_played(tmp_path: Path) -> None:
    assert past_games(tmp_path / "nothing") == []


def test_a_finished_game_is_listed_with_its_terms(home: Path, played: SeatFiles) -> None:
    game = only(home)
    assert game.terms == played.table().terms
    assert game.finished
    assert game.report is None
    assert game.transcript.read_bytes() == played.transcript


def test_what_an_audit_has_found_is_noted_and_found_again(home: Path) -> None:
    report = audit_and_note(only(home).folder)
    assert report.verdict is Verdict.VALID
    assert only(home).report == json.loads(json.dumps(report.as_dict()))


def test_a_note_about_other_bytes_or_by_another_version_counts_for_nothing(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = only(home).folder
    audit_and_note(folder)
    with monkeypatch.context() as older:
        older.setattr(p2pcoup, "__version__", "0.0.1")
        assert noted_report(folder) is None
    assert noted_report(folder) is not None
    transcript = folder / "game.coup"
    transcript.write_bytes(transcript.read_bytes()[:-1])
    assert noted_report(folder) is None
    assert audit_and_note(folder).verdict is Verdict.UNREADABLE
    assert (noted_report(folder) or {}).get("verdict") == "unreadable"


@pytest.mark.parametrize("note", ["", "[]", "{}", '{"transcript": 1}', "\0", '"' * 100])
def test_a_damaged_note_is_none(home: Path, note: str) -> None:
    folder = only(home).folder
    (folder / NOTE_NAME).write_text(note)
    assert noted_report(folder) is None


def test_games_come_newest_first_and_what_cannot_be_read_is_listed_too(
    home: Path, played: SeatFiles
) -> None:
    games = home / "games"
    unfinished, damaged, empty = games / "unfinished", games / "damaged", games / "empty"
    whole = only(home).folder
    for folder in (unfinished, damaged):
        shutil.copytree(whole, folder)
        (folder / "game.coup").unlink()
    (damaged / "journal").write_bytes(b"no journal")
    empty.mkdir()
    found = past_games(home)
    assert [game.played_at for game in found] == sorted(
        (game.played_at for game in found), reverse=True
    )
    assert {game.folder.name: (game.terms is None, game.finished) for game in found} == {
        played.folder.name: (False, True),
        "unfinished": (False, False),
        "damaged": (True, False),
    }
