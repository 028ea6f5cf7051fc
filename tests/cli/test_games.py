"""The list of what was played."""

import json
import shutil
from pathlib import Path

from p2pcoup.node.archive import past_games
from tests.cli.running import Run
from tests.node.nodes import make_seats, whole_game


def test_before_the_first_game_the_list_says_so(run: Run) -> None:
    result = run("games")
    assert result.exit_code == 0
    assert result.output == "No game was played here yet. Try: p2pcoup play\n"
    assert run("games", "--json").output == ""


def test_the_list_tells_who_won_and_what_the_audit_found(run: Run, tmp_path: Path) -> None:
    seats = make_seats(tmp_path, 2)
    whole_game(seats)
    home = seats[0].home
    (game,) = past_games(home)
    unfinished = shutil.copytree(game.folder, game.folder.parent / "unfinished")
    (unfinished / "game.coup").unlink()
    damaged = shutil.copytree(unfinished, game.folder.parent / "damaged")
    (damaged / "journal").write_bytes(b"")

    assert "Not audited." in run("games", "--no-audit", at=home).output
    told = run("games", at=home).output
    assert "node test (base edition): Ash and Birch" in told
    assert f" won. Audit: valid. {game.transcript}" in told
    assert f"Not finished. {unfinished}" in told
    assert "(its journal cannot be read)" in told
    assert told == run("games", "--no-audit", at=home).output, "what was found is noted"

    game.transcript.write_bytes(game.transcript.read_bytes()[:-1])
    assert "Audit: UNREADABLE. Byte " in run("games", at=home).output


def test_the_list_for_machines_is_one_json_object_a_line(run: Run, tmp_path: Path) -> None:
    seats = make_seats(tmp_path, 2)
    whole_game(seats)
    (line,) = run("games", "--json", at=seats[0].home).output.splitlines()
    found = json.loads(line)
    assert found["names"] == ["Ash", "Birch"]
    assert found["finished"] is True
    assert found["audit"]["verdict"] == "valid"
    assert Path(found["transcript"]).is_file()
