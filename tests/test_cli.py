"""The command line: what each command prints, its exit status, and that errors are sentences."""

import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import p2pcoup
from p2pcoup.cli import cli
from p2pcoup.journal import encode_transcript
from p2pcoup.node import HOME_VARIABLE, identity_file
from p2pcoup.wire import parse_peer_id
from tests.node.nodes import ROOT, make_seats, whole_game
from tests.table.party import Party, played

Run = Callable[..., Result]
COMMANDS = (
    ["identity"],
    ["identity", "create"],
    ["identity", "show"],
    ["node"],
    ["audit"],
    ["demo"],
    ["bench"],
)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def run(home: Path) -> Run:
    """Runs a command in this process, with a home of its own."""

    def run(*arguments: object, at: Path = home) -> Result:
        result = CliRunner().invoke(cli, [*map(str, arguments)], env={HOME_VARIABLE: str(at)})
        assert "Traceback" not in result.output
        return result

    return run


def run_process(home: Path, *arguments: object, **options: object) -> subprocess.CompletedProcess:
    """Runs a command as a process."""
    return subprocess.run(
        [sys.executable, "-m", "p2pcoup", *map(str, arguments)],
        env={**os.environ, HOME_VARIABLE: str(home), "PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
        timeout=60,
        check=False,
        **options,
    )


# --- help -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_the_help_of_every_command_has_an_example_that_can_be_typed(
    run: Run, command: list[str]
) -> None:
    result = run(*command, "--help")
    assert result.exit_code == 0
    assert re.search(rf"^ {{2,}}.*p2pcoup {' '.join(command)}", result.output, re.MULTILINE)
    assert result.output == run(*command, "-h").output


def test_the_program_s_help_names_every_command_and_where_the_files_are(run: Run) -> None:
    result = run("--help")
    assert result.exit_code == 0
    for command in COMMANDS:
        assert command[0] in result.output
    assert HOME_VARIABLE in result.output


def test_the_version_is_that_of_the_package(run: Run) -> None:
    assert run("--version").output == f"p2pcoup, version {p2pcoup.__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["play"], "No such command 'play'"),
        (["identity", "delete"], "No such command 'delete'"),
        (["node"], "Missing option '--table'"),
        (["node", "--table", "t", "--bot", "genius"], "'genius' is not one of"),
        (["node", "--table", "t", "--log", "xml"], "'xml' is not one of"),
        (["audit"], "Missing argument 'FILES...'"),
        (["demo", "--seats", "1"], "1 is not in the range"),
        (["demo", "--seats", "7"], "7 is not in the range"),
        (["demo", "--games", "0"], "0 is not in the range"),
        (["demo", "--bots", "honest,genius"], "there is no bot 'genius'; choose from honest, "),
        (["demo", "--bots", ""], "there is no bot ''"),
        (["bench", "--repeats", "0"], "0 is not in the range"),
    ],
)
def test_wrong_usage_is_explained_with_status_2(run: Run, arguments: list[str], told: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert told in result.output
    assert "--help" in result.output


# --- identity -------------------------------------------------------------------------------------


def test_an_identity_is_made_once_and_shown_alike_ever_after(run: Run, home: Path) -> None:
    made = run("identity", "create")
    shown = run("identity", "show")
    assert made.exit_code == shown.exit_code == 0
    assert shown.output.strip() == parse_peer_id(shown.output)
    assert shown.output in made.output
    assert str(identity_file(home)) in made.output
    again = run("identity", "create")
    assert again.exit_code == 1
    assert "it was left as it is" in again.output
    assert run("identity", "show").output == shown.output


def test_no_command_ever_prints_the_key(run: Run, home: Path) -> None:
    made = run("identity", "create")
    key = identity_file(home).read_text().splitlines()[1]
    for result in (made, run("identity", "show"), run("identity", "create")):
        assert key[:20] not in result.output
        assert key[-20:] not in result.output


@pytest.mark.parametrize("command", ["identity show", "identity create", "demo"])
def test_a_home_that_cannot_be_used_is_a_sentence(run: Run, tmp_path: Path, command: str) -> None:
    (tmp_path / "file").write_text("in the way")
    result = run(*command.split(), at=tmp_path / "file" / "home")
    assert result.exit_code == 1
    sentence = result.output.splitlines()[-1]
    assert sentence.startswith("Error: ")
    assert str(tmp_path / "file") in sentence


# --- node -----------------------------------------------------------------------------------------


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


# --- audit ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def party() -> Party:
    return played(2)


@pytest.fixture
def transcripts(party: Party, tmp_path: Path) -> dict[str, Path]:
    """A file for each thing an audit can find."""
    whole, message = party.transcript(), party.raws()[20]
    contents = {
        "valid": whole,
        "invalid": whole.replace(message, message[:-1] + bytes([message[-1] ^ 1])),
        "unfinished": encode_transcript(party.terms.encode(), party.messages()[:-1]),
        "cut": whole[:-1],
        "empty": b"",
    }
    paths = {name: tmp_path / f"{name}.coup" for name in contents}
    for name, data in contents.items():
        paths[name].write_bytes(data)
    return paths


@pytest.mark.parametrize(
    ("names", "status"),
    [
        (["valid"], 0),
        (["valid", "valid"], 0),
        (["invalid"], 1),
        (["valid", "invalid", "cut"], 1),
        (["unfinished"], 2),
        (["cut"], 2),
        (["empty", "valid"], 2),
        (["missing"], 2),
        (["folder"], 2),
    ],
)
def test_the_exit_status_of_an_audit_is_its_worst_verdict(
    run: Run, transcripts: dict[str, Path], tmp_path: Path, names: list[str], status: int
) -> None:
    files = {**transcripts, "missing": tmp_path / "missing.coup", "folder": tmp_path}
    result = run("audit", *(files[name] for name in names))
    assert result.exit_code == status
    assert [line.split(": ")[0] for line in result.output.splitlines()] == [
        str(files[name]) for name in names
    ]


def test_an_audit_says_who_won_or_where_what_does_not_hold(
    run: Run, transcripts: dict[str, Path], party: Party
) -> None:
    outcome = party.tables[0].outcome
    assert outcome is not None
    valid = run("audit", transcripts["valid"]).output
    assert f": valid. {party.terms.names[outcome.winner]} won against " in valid
    assert f"{len(party.messages())} signed messages" in valid
    invalid = run("audit", transcripts["invalid"]).output
    assert re.search(r": NOT VALID\. Round \d+, seat \d \(\w+\), rule [\w-]+: .+\.", invalid)
    assert ": unfinished. The game is not finished: it stops in round" in (
        run("audit", transcripts["unfinished"]).output
    )
    assert ": not readable as a transcript. Byte " in run("audit", transcripts["cut"]).output


def test_an_audit_for_machines_is_one_json_object_a_line(
    run: Run, transcripts: dict[str, Path]
) -> None:
    names = ["valid", "invalid", "unfinished", "cut"]
    result = run("audit", "--json", *(transcripts[name] for name in names))
    assert result.exit_code == 1
    reports = [json.loads(line) for line in result.output.splitlines()]
    assert [report["file"] for report in reports] == [str(transcripts[name]) for name in names]
    verdicts = ["valid", "invalid", "unfinished", "unreadable"]
    assert [report["verdict"] for report in reports] == verdicts
    assert reports[0]["problem"] is None
    assert isinstance(reports[1]["round"], int)


def test_an_audit_can_tell_the_story_in_paragraphs(run: Run, transcripts: dict[str, Path]) -> None:
    lines = run("audit", "--story", transcripts["valid"]).output.splitlines()
    turns = [number for number, line in enumerate(lines) if line.endswith("'s turn.")]
    assert turns
    assert all(lines[number - 1] == "" for number in turns)
    assert lines[-3].endswith("wins the game.")
    assert lines[-1].startswith(f"{transcripts['valid']}: valid.")


@pytest.mark.skipif(sys.platform == "win32", reason="pipes break otherwise there")
def test_output_that_nobody_reads_ends_a_command_without_a_word(
    transcripts: dict[str, Path], home: Path
) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        ended = run_process(home, "audit", "--story", transcripts["valid"], stdout=writer)
    finally:
        os.close(writer)
    assert ended.returncode == 128 + 13
    assert ended.stderr == b""


# --- bench ----------------------------------------------------------------------------------------


def test_a_quick_bench_gives_the_proofs_figures_as_json(run: Run) -> None:
    result = run("bench", "--quick", "--repeats", 1, "--json")
    assert result.exit_code == 0
    figures = json.loads(result.output)
    assert "shuffle 15 cards" in figures
    for figure in figures.values():
        assert figure["value"] > 0
        assert set(figure) == {"value", "unit", "raw", "ratio", "calls", "limit"}
    assert figures["shuffle 15 cards"]["calls"]["variable"] > 15


def test_a_quick_bench_gives_people_one_line_a_figure(run: Run) -> None:
    result = run("bench", "--quick", "--repeats", 1)
    assert result.exit_code == 0
    assert any(line.startswith("verify the shuffle ") for line in result.output.splitlines())
