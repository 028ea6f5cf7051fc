"""The command line: what each command prints, its exit status, and that errors are sentences."""

import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import p2pcoup
from p2pcoup.audit import make_evidence
from p2pcoup.bench import SLICES
from p2pcoup.bench_rules import bench_rules
from p2pcoup.cli import cli
from p2pcoup.journal import encode_transcript
from p2pcoup.node import HOME_VARIABLE, identity_file
from p2pcoup.rules import EDITIONS, USUAL, Options, Seat, Setup, reference_card
from p2pcoup.table import Blame, Sequel
from p2pcoup.wire import Kind, parse_peer_id
from tests.node.nodes import ROOT, make_seats, whole_game
from tests.table.party import BUSY, Party, make_party, played, watcher

Run = Callable[..., Result]
COMMANDS = (
    ["identity"],
    ["identity", "create"],
    ["identity", "show"],
    ["node"],
    ["audit"],
    ["evidence"],
    ["rules"],
    ["demo"],
    ["bench"],
    ["bench", "rules"],
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
        (["demo", "--games", "101"], "101 is not in the range"),
        (["demo", "--setup", "set-of-five"], "the set-of-five set-up is for exactly 2 players"),
        (["demo", "--bots", "honest,genius"], "there is no bot 'genius'; choose from honest, "),
        (["demo", "--bots", ""], "there is no bot ''"),
        (["bench", "--repeats", "0"], "0 is not in the range"),
        (["bench", "rules", "--games", "0"], "0 is not in the range"),
        (["evidence"], "Missing argument 'FILE'"),
        (["rules", "--edition", "gold"], "'gold' is not one of 'base', 'inquisitor'"),
        (["rules", "--setup", "of-six"], "'of-six' is not one of"),
        (["rules", "--options", "free-money"], "'free-money' are no options; what there is"),
        (["rules", "--setup", "standard", "--options", "standard"], "give one of the two"),
    ],
)
def test_wrong_usage_is_explained_with_status_2(run: Run, arguments: list[str], told: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert told in result.output
    assert "--help" in result.output


# --- start ----------------------------------------------------------------------------------------

START = "import sys; sys.argv = ['p2pcoup', '--version']; from p2pcoup.__main__ import main; main()"
SMALL_FILES = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)); "
NO_TEMPORARY_FOLDER = "import tempfile; tempfile.tempdir = '/nowhere/at/all'; "
NOT_INSTALLED = "import sys; sys.modules['trio'] = None; "
INTERRUPTED_AT_AN_IMPORT = (
    "import signal, sys; sys.addaudithook(lambda event, arguments: event == 'import' and "
    "arguments[0] == 'trio' and signal.raise_signal(signal.SIGINT)); "
)


@pytest.mark.skipif(sys.platform == "win32", reason="limits and signals are a POSIX matter")
@pytest.mark.parametrize(
    ("before", "status", "told"),
    [
        (SMALL_FILES, 1, "Error: p2pcoup cannot start, .*: File too large. Make room there, or "),
        (NO_TEMPORARY_FOLDER, 1, "Error: p2pcoup cannot start, .*: No such file or directory. "),
        (NOT_INSTALLED, 1, "Error: p2pcoup is not completely installed: .*trio.*Install it"),
        (INTERRUPTED_AT_AN_IMPORT, 130, "Stopped."),
    ],
    ids=["full disk", "no folder", "not installed", "Ctrl-C"],
)
def test_what_stops_the_program_before_it_has_begun_is_a_sentence_too(
    tmp_path: Path, before: str, status: int, told: str
) -> None:
    ended = subprocess.run(
        [sys.executable, "-B", "-c", before + START],
        env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (status, "")
    assert re.match(told, ended.stderr)
    assert ended.stderr.count("\n") == 1


def test_the_program_starts_by_its_own_module(home: Path) -> None:
    ended = run_process(home, "--version", stdout=subprocess.PIPE)
    assert ended.returncode == 0
    assert ended.stdout.decode() == f"p2pcoup, version {p2pcoup.__version__}\n"


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


def test_an_audit_of_a_match_finds_a_game_that_the_winner_did_not_start(
    run: Run, tmp_path: Path, party: Party
) -> None:
    first = party.tables[0]
    assert first.outcome is not None
    order, winner = first.game.playing.order, first.outcome.winner
    files = [tmp_path / "first.coup", tmp_path / "true.coup", tmp_path / "false.coup"]
    games = [party]
    for number, starter in enumerate((winner, Seat(1 - winner)), 2):
        later = make_party(2, number, BUSY, sequel=Sequel(first.final_digest, order, starter))
        later.deal()
        later.play()
        games.append(later)
    for file, game in zip(files, games, strict=True):
        file.write_bytes(game.transcript())
    assert run("audit", *files[:2]).exit_code == 0
    assert run("audit", files[2]).exit_code == 0, "alone, it holds"
    result = run("audit", files[0], files[2])
    assert result.exit_code == 1
    assert result.output.splitlines()[-1].startswith(f"{files[2]}: NOT VALID in this match. ")
    assert result.output.endswith("was not started by the winner of the game before it.\n")
    lines = run("audit", "--json", files[0], files[2]).output.splitlines()
    found = [json.loads(line)["match_flaw"] for line in lines]
    assert found[0] is None
    assert found[1].endswith("was not started by the winner of the game before it.")


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


# --- evidence -------------------------------------------------------------------------------------


@pytest.fixture
def complaints(party: Party, tmp_path: Path) -> dict[str, Path]:
    """Files of evidence: against a seat that signed twice, and others that prove nothing."""
    old = next(s for s in party.messages() if s.message.kind is Kind.DECIDE)
    second = party.signed_again(old, body=(f"{old.message.seat} concede",))
    table = watcher(party, len(party.messages()))
    (blame,) = table.receive(second.raw)
    assert isinstance(blame, Blame)
    honest = replace(blame, evidence=(old.raw,))
    contents = {
        "proven": make_evidence(table, blame),
        "honest": make_evidence(table, honest),
        "cut": make_evidence(table, blame)[:-1],
        "other": b"hearsay",
    }
    for name, data in contents.items():
        (tmp_path / name).write_bytes(data)
    return {name: tmp_path / name for name in (*contents, "missing")}


@pytest.mark.parametrize(
    ("name", "status", "verdict"),
    [
        ("proven", 0, "proven"),
        ("honest", 1, "proves-nothing"),
        ("cut", 2, "unreadable"),
        ("other", 2, "unreadable"),
        ("missing", 2, "unreadable"),
    ],
)
def test_a_complaint_is_proven_or_not_and_the_exit_status_says_which(
    run: Run, complaints: dict[str, Path], name: str, status: int, verdict: str
) -> None:
    told = run("evidence", complaints[name])
    found = run("evidence", "--json", complaints[name])
    assert told.exit_code == found.exit_code == status
    report = json.loads(found.output)
    assert report["verdict"] == verdict
    assert (report["problem"] is None) == (verdict == "proven")
    assert told.output.count("\n") == found.output.count("\n") == 1
    if verdict == "proven":
        assert report["rule"] == "equivocation"
        assert f"{report['name']} (seat {report['seat']}, peer {report['peer']})" in told.output
    else:
        assert told.output == report["problem"] + "\n"


# --- rules ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "edition", "options"),
    [
        ([], "base", USUAL),
        (["--edition", "inquisitor"], "inquisitor", USUAL),
        (["--setup", "set-of-five"], "base", Options(Setup.SET_OF_FIVE)),
        (
            ["--options", "set-of-five,starter-coin"],
            "base",
            Options(Setup.SET_OF_FIVE, starter_coin=True),
        ),
    ],
)
def test_the_rules_of_every_game_there_is_are_printed_on_one_card(
    run: Run, arguments: list[str], edition: str, options: Options
) -> None:
    result = run("rules", *arguments)
    assert result.exit_code == 0
    assert result.output == reference_card(EDITIONS[edition], options) + "\n"


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


@pytest.mark.parametrize("games", [1, 25])
def test_the_rules_alone_are_measured_in_games_and_decisions_a_second(run: Run, games: int) -> None:
    figures = json.loads(run("bench", "rules", "--games", games, "--json").output)
    rates = [figures[f"rules: {name}"]["value"] for name in ("games", "decisions")]
    played = [
        bench_rules(games // SLICES + (number < games % SLICES), 1 + number)
        for number in range(SLICES)
    ]
    wanted = sum(each.decisions for each in played) / games
    assert rates[1] / rates[0] == pytest.approx(wanted, rel=1e-3)
    lines = run("bench", "rules", "--games", games).output.splitlines()
    assert [line.split("  ")[0] for line in lines] == list(figures)


def test_the_rules_of_coupml_are_measured_beside_ours_where_they_are_installed(run: Run) -> None:
    pytest.importorskip("coupml")
    figures = json.loads(run("bench", "rules", "--games", 20, "--json").output)
    assert figures["coupml: decisions"]["value"] > figures["coupml: games"]["value"] > 0
