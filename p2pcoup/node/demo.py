"""A whole match on one machine: separate node processes with bots over loopback TCP.

Nothing is shortened: every process has its own identity, journal and secret, and knows the others
only through its links. The story is read from the log of one of them.
"""

import itertools
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import trio

from p2pcoup.audit import Report, Verdict, audit, match_flaw
from p2pcoup.node.home import HOME_VARIABLE, create_identity
from p2pcoup.node.seat import TRANSCRIPT_NAME
from p2pcoup.node.story import in_paragraphs
from p2pcoup.node.tablefile import TableFile, parse_table_file
from p2pcoup.rules import BASE, USUAL, Edition, Options, options_to_text
from p2pcoup.wire import Identity

NAMES = ("Ash", "Birch", "Cedar", "Elm", "Fir", "Hazel")
# Below the range that systems hand out to outgoing connections, so that no dial can take a port
# before its listener does.
PORTS = range(20_000, 32_000)
STOP_SECONDS = 10.0  # how long a stopped node may take before it is killed
# Bots answer at once and a proof takes milliseconds; after such a silence nothing more will come.
SILENCE_SECONDS = 60.0
STORY = ("story", "next-game", "score")  # the events of the first seat that are shown

Echo = Callable[[str], None]


class DemoError(Exception):
    """The game could not be played or its transcripts do not agree; the message says why."""


@dataclass(slots=True)
class NodeRun:
    """What one node process reported: its log events by name, its exit status, its transcripts."""

    name: str
    events: dict[str, list[dict[str, object]]] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)
    status: int | None = None
    transcripts: list[bytes] = field(default_factory=list)

    def figure(self, event: str, name: str) -> list[float]:
        """The numbers of that name the node reported with such events, one a game."""
        values = [fields.get(name) for fields in self.events.get(event, ())]
        return [float(value) for value in values if isinstance(value, int | float)]

    def has_finished(self, games: int) -> bool:
        """Whether it has told the end of so many games."""
        return len(self.events.get("finished", ())) == games


@dataclass(frozen=True, slots=True)
class DemoGame:
    """A game that was played: the kept transcript and its audit."""

    transcript: Path
    report: Report


@dataclass(frozen=True, slots=True)
class DemoMatch:
    """A match that was played: one run for each seat, and each game.

    Attributes:
        flaw: why a game does not go on from the one before it, in a sentence; None if all do.
    """

    name: str
    runs: tuple[NodeRun, ...]
    games: tuple[DemoGame, ...]
    flaw: str | None
    seconds: float

    def figures(self, event: str, name: str) -> list[float]:
        """The numbers of that name the nodes reported with such events, of all games together."""
        return [value for run in self.runs for value in run.figure(event, name)]

    @property
    def valid(self) -> bool:
        """Whether all games are, and make up a match."""
        return self.flaw is None and all(
            game.report.verdict is Verdict.VALID for game in self.games
        )


async def play_demo(
    folder: Path,
    *,
    bots: Sequence[str],
    seed: str,
    games: int = 1,
    edition: Edition = BASE,
    options: Options = USUAL,
    echo: Echo = lambda _line: None,
) -> DemoMatch:
    """Play a match with a seat for each bot in ``bots`` and audit it.

    Args:
        folder: a new folder for the match; afterwards it holds the transcripts alone. A match that
            is interrupted leaves nothing.
        bots: names of the bots by seat.
        seed: drives the bots' choices, never the cards.
        games: how many games, at most what a table file allows.
        echo: is given the story as it happens, a line at a time.

    Raises:
        DemoError: a node failed, the game stands still, or the transcripts differ. The folder is
            left for inspection.
    """
    started = trio.current_time()
    homes = [folder / f"seat-{number}" for number in range(len(bots))]
    table, text = _set_up(homes, games, edition, options)
    runs = tuple(NodeRun(name) for name in table.terms.names)
    try:
        await _play(runs, homes, bots, seed, text, echo, games)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    for run in runs:
        run.transcripts = _transcripts(run)
    paths = agreed_transcripts(runs, games, folder)
    reports = [await trio.to_thread.run_sync(audit, path.read_bytes()) for path in paths]
    played = tuple(map(DemoGame, paths, reports))
    seconds = trio.current_time() - started
    match = DemoMatch(table.terms.game, runs, played, chain_flaw(reports), seconds)
    if match.valid:
        for home in homes:
            shutil.rmtree(home)
    return match


def _set_up(
    homes: Sequence[Path], games: int, edition: Edition, options: Options
) -> tuple[TableFile, str]:
    """Give every seat a home with an identity, and return their common table file."""
    identities = [create_identity(home) for home in homes]
    head = [
        f'game = "demo {secrets.token_hex(12)}"',
        f'edition = "{edition.name}"',
        f'options = "{options_to_text(options)}"',
        f"games = {games}",
    ]
    text = "\n".join([*head, *_seats(NAMES, identities)]) + "\n"
    return parse_table_file(text), text


def _seats(names: Iterable[str], identities: Sequence[Identity]) -> Iterator[str]:
    """The seats of a table file; JSON strings are TOML strings as well."""
    for identity, name, port in zip(identities, names, _free_ports(len(identities)), strict=False):
        yield from ("", "[[seats]]", f"name = {json.dumps(name)}", f'peer = "{identity.peer_id}"')
        yield f'address = "127.0.0.1:{port}"'


def _free_ports(count: int) -> list[int]:
    """Loopback ports nobody listens on now."""
    free: list[int] = []
    for port in secrets.SystemRandom().sample(PORTS, len(PORTS)):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        free.append(port)
        if len(free) == count:
            return free
    raise DemoError("There are not enough free ports on this machine.")


# --- the processes --------------------------------------------------------------------------------


async def _play(
    runs: Sequence[NodeRun],
    homes: Sequence[Path],
    bots: Sequence[str],
    seed: str,
    table_text: str,
    echo: Echo,
    games: int,
) -> None:
    """Run a node for every seat until all have ended, one has failed, or nothing moves any more."""
    async with trio.open_nursery() as nursery:
        watch = _Watch(nursery.cancel_scope, games)
        for number, (run, home, bot) in enumerate(zip(runs, homes, bots, strict=True)):
            (home / "table.toml").write_text(table_text, encoding="utf-8")
            options = ["--bot", bot, "--bot-seed", f"{seed}/{number}"]
            tell = echo if number == 0 else None
            nursery.start_soon(_run_node, run, home, options, tell, watch)


class _Watch:
    """Ends the match when no node has said anything for SILENCE_SECONDS, or one has failed."""

    def __init__(self, scope: trio.CancelScope, games: int) -> None:
        self._scope = scope
        self._games = games
        self.heard()

    def heard(self) -> None:
        """A node has said something."""
        self._scope.deadline = trio.current_time() + SILENCE_SECONDS

    def ended(self, run: NodeRun) -> None:
        """A node has ended; if the match was not over, the others would wait for it for ever."""
        if run.status != 0 or not run.has_finished(self._games):
            self._scope.cancel()


async def _run_node(
    run: NodeRun, home: Path, options: Sequence[str], echo: Echo | None, watch: _Watch
) -> None:
    """Run one node to its end, reading its log; a cancelled demo stops it first."""
    command = [sys.executable, "-m", "p2pcoup", "node", "--table", str(home / "table.toml")]
    process = await trio.lowlevel.open_process(
        [*command, "--log", "json", *options],
        env={**os.environ, HOME_VARIABLE: str(home)},
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    try:
        await _read_log(process, run, echo, watch)
        run.status = await process.wait()
        watch.ended(run)
    finally:
        with trio.CancelScope(shield=True):
            await _stop(process)


async def _stop(process: trio.Process) -> None:
    if process.poll() is None:
        process.terminate()
        with trio.move_on_after(STOP_SECONDS):
            await process.wait()
    if process.poll() is None:
        process.kill()
        await process.wait()


async def _read_log(process: trio.Process, run: NodeRun, echo: Echo | None, watch: _Watch) -> None:
    if process.stderr is None:
        raise DemoError("The log of a node cannot be read.")
    rest = b""
    async with process.stderr as stream:
        async for chunk in stream:
            watch.heard()
            *lines, rest = (rest + bytes(chunk)).split(b"\n")
            for line in lines:
                _take_log_line(run, line, echo)


def _take_log_line(run: NodeRun, line: bytes, echo: Echo | None) -> None:
    match _json(line):
        case {"event": str(event), "text": str(text), **fields}:
            told = {str(name): value for name, value in fields.items()}
            run.events.setdefault(event, []).append(told)
            if event != "story":
                run.said.append(text)
            if echo is not None and event in STORY:
                for part in in_paragraphs([text] if event == "story" else ["", text]):
                    echo(part)
        case _:  # an error from before or after the log
            run.said.append(line.decode(errors="replace"))


def _json(line: bytes) -> object:
    try:
        value: object = json.loads(line)
    except ValueError:
        return None
    return value


# --- the result -----------------------------------------------------------------------------------


def _transcripts(run: NodeRun) -> list[bytes]:
    """The transcripts a node says it has, in the order of the games."""
    paths = [Path(str(fields.get("transcript"))) for fields in run.events.get("finished", ())]
    return [path.read_bytes() for path in paths if path.exists()]


def agreed_transcripts(runs: Sequence[NodeRun], games: int, folder: Path) -> list[Path]:
    """Keep the transcripts all nodes have; raises when one failed or has other ones."""
    failed = [run for run in runs if run.status not in (0, None)]
    stuck = [run for run in runs if run.status is None or len(run.transcripts) != games]
    if failed or stuck:
        run = (failed or stuck)[0]
        told = "\n".join(f"  {line}" for line in run.said[-5:]) or "  (nothing)"
        what = "the game" if games == 1 else "all games"
        how = f"ended with status {run.status}" if failed else f"did not finish {what}"
        raise DemoError(
            f"The node of {run.name} {how}. The last it said:\n{told}\n"
            f"Everything is left in {folder}."
        )
    if any(run.transcripts != runs[0].transcripts for run in runs):
        raise DemoError(f"The nodes have different transcripts. They are left in {folder}.")
    first = Path(TRANSCRIPT_NAME)
    paths = []
    for number, transcript in enumerate(runs[0].transcripts, 1):
        name = first.name if games == 1 else f"{first.stem}-{number}{first.suffix}"
        paths.append(folder / name)
        paths[-1].write_bytes(transcript)
    return paths


def chain_flaw(reports: Sequence[Report]) -> str | None:
    """Why these are not the games of one match in their order, in a sentence; None if they are."""
    for earlier, later in itertools.pairwise(reports):
        if later.sequel is None or later.sequel.previous != earlier.final_digest:
            return f"Game {later.game!a} does not name the game before it."
        if (flaw := match_flaw(earlier, later)) is not None:
            return flaw
    return None
