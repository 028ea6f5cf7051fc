"""A node that cannot play says why."""

import socket
from pathlib import Path

import pytest

from tests.cli.running import Run, run_process
from tests.node.nodes import make_seats, whole_game


def test_a_node_without_an_identity_says_how_to_make_one(run: Run, tmp_path: Path) -> None:
    result = run("node", "--table", tmp_path / "t.toml")
    assert result.exit_code == 1
    assert "Make one: p2pcoup identity create" in result.output


def test_a_node_says_what_is_wrong_with_its_table_file(run: Run, tmp_path: Path) -> None:
    (seat, _) = make_seats(tmp_path, 2)
    table = tmp_path / "friday.toml"
    result = run("node", "--table", table, at=seat.home)
    assert (result.exit_code, result.output) == (1, f"Error: {table}: No such file or directory.\n")
    table.write_text(seat.table_text({}).replace("edition", "edtion"))
    result = run("node", "--table", table, at=seat.home)
    assert result.exit_code == 1
    assert result.output.startswith(f"Error: {table}: the table has an unknown entry 'edtion'")


@pytest.mark.parametrize(
    ("address", "told"),
    [("here", "'here' has no port"), ("", "has no host"), ("[::1]:70000", "is no port")],
)
def test_a_node_says_what_is_wrong_with_the_address_to_listen_at(
    run: Run, tmp_path: Path, address: str, told: str
) -> None:
    (seat, _) = make_seats(tmp_path, 2)
    table = tmp_path / "friday.toml"
    table.write_text(seat.table_text({}))
    result = run("node", "--table", table, "--listen", address, at=seat.home)
    assert result.exit_code == 1
    assert told in result.output


def test_a_node_without_a_seat_at_the_table_says_who_it_is(
    run: Run, tmp_path: Path, home: Path
) -> None:
    (seat, _) = make_seats(tmp_path, 2)
    table = tmp_path / "friday.toml"
    table.write_text(seat.table_text({}))
    run("identity", "create")
    result = run("node", "--table", table)
    assert result.exit_code == 1
    assert f"This peer is {run('identity', 'show').output.strip()}, which has no seat" in (
        result.output
    )
    assert not (home / "games").exists()


def test_a_node_whose_game_cannot_be_kept_says_where(run: Run, tmp_path: Path) -> None:
    (seat, _) = make_seats(tmp_path, 2)
    table = tmp_path / "friday.toml"
    table.write_text(seat.table_text({}))
    (seat.folder / "secret").unlink()
    seat.folder.rmdir()
    seat.folder.write_text("in the way")
    result = run("node", "--table", table, at=seat.home)
    assert result.exit_code == 1
    assert result.output.startswith(f"Error: The folder {seat.folder} cannot be made: ")


def test_a_node_whose_game_is_played_says_what_to_do_for_another_one(
    run: Run, tmp_path: Path
) -> None:
    seats = make_seats(tmp_path, 2)
    whole_game(seats)
    game = seats[0].sit_down()
    game.note_known_to_all()
    game.close()
    table = tmp_path / "friday.toml"
    table.write_text(seats[0].table_text({}))
    result = run("node", "--table", table, at=seats[0].home)
    assert result.exit_code == 0
    (line,) = result.output.splitlines()
    assert "This game is already played." in line
    assert f"Transcript: {seats[0].folder / 'game.coup'}." in line
    assert "the same new game name into the table file" in line


def test_a_node_whose_port_is_taken_says_so_and_leaves_the_game_for_later(tmp_path: Path) -> None:
    (seat, _) = make_seats(tmp_path, 2)
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        table = tmp_path / "friday.toml"
        table.write_text(seat.table_text({0: port}))
        ended = run_process(seat.home, "node", "--table", table)
    assert ended.returncode == 1
    told = ended.stderr.decode()
    assert told.startswith(f"Error: Cannot listen at 127.0.0.1:{port}: another program")
    assert told.count("\n") == 1
    assert seat.journal() == ()
