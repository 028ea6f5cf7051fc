"""A whole match on one machine: separate node processes with bots over loopback TCP.

Nothing is shortened: every process has its own identity, journal and secret, and knows the others
only through its links. The story is read from the log of one of them. Programs may be killed on the
way, for good or to be started again; the others go on.
"""

import itertools
import json
import secrets
import shutil
import socket
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import trio

from p2pcoup.audit import Report, Verdict, audit, match_flaw
from p2pcoup.bots.names import NAMES
from p2pcoup.demo.errors import DemoError
from p2pcoup.demo.faults import NO_FAULTS, Faults, Plan, plan_faults, strike
from p2pcoup.demo.runs import SILENCE_SECONDS, Echo, NodeRun, Pulse
from p2pcoup.node.home import create_identity
from p2pcoup.node.seat import TRANSCRIPT_NAME
from p2pcoup.node.tablefile import TableFile, parse_table_file
from p2pcoup.rules import BASE, USUAL, Edition, Options, options_to_text
from p2pcoup.table import Times
from p2pcoup.wire import Identity

# Below the range that systems hand out to outgoing connections, so that no dial can take a port
# before its listener does.
PORTS = range(20_000, 32_000)
# Bots need no time to think; the others need not wait long for one that is dead.
SHORT_TIMES = Times(decide=5, answer=5, grace=2)


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
    def alive(self) -> list[NodeRun]:
        """The runs that were not killed for good."""
        return [run for run in self.runs if not run.fallen]

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
    faults: Faults = NO_FAULTS,
    echo: Echo = lambda _line: None,
) -> DemoMatch:
    """Play a match with a seat for each bot in ``bots`` and audit it.

    Args:
        folder: a new folder for the match; afterwards it holds the transcripts alone. A match that
            is interrupted leaves nothing.
        bots: names of the bots by seat.
        seed: drives the bots' choices and the faults, never the cards.
        games: how many games, at most what a table file allows.
        faults: which programs are killed on the way; with more than one game there can be none.
        echo: is given the story as it happens, a line at a time.

    Raises:
        ValueError: so many programs cannot be killed.
        DemoError: a node failed, the game stands still, or the transcripts differ. The folder is
            left for inspection.
    """
    started = trio.current_time()
    if games > 1 and faults != NO_FAULTS:
        raise ValueError("programs are killed in a single game only")
    plan = plan_faults(len(bots), faults, seed)
    homes = [folder / f"seat-{number}" for number in range(len(bots))]
    times = SHORT_TIMES if faults.kill else Times()
    table, text = _set_up(homes, games, edition, options, times)
    for home in homes:
        (home / "table.toml").write_text(text, encoding="utf-8")
    runs = tuple(NodeRun(name) for name in table.terms.names)
    try:
        await _play(runs, homes, bots, seed, plan, echo, games)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    for run in runs:
        run.transcripts = [p.read_bytes() for p in run.transcript_files if p.exists()]
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
    homes: Sequence[Path], games: int, edition: Edition, options: Options, times: Times
) -> tuple[TableFile, str]:
    """Give every seat a home with an identity, and return their common table file."""
    identities = [create_identity(home) for home in homes]
    head = [
        f'game = "demo {secrets.token_hex(12)}"',
        f'edition = "{edition.name}"',
        f'options = "{options_to_text(options)}"',
        f"games = {games}",
        f"decide_seconds = {times.decide}",
        f"answer_seconds = {times.answer}",
        f"grace_seconds = {times.grace}",
    ]
    text = "\n".join([*head, *_seats(NAMES, identities)]) + "\n"
    return parse_table_file(text), text


def _seats(names: Iterable[str], identities: Sequence[Identity]) -> Iterator[str]:
    """The seats of a table file; JSON strings are TOML strings as well."""
    for identity, name, port in zip(identities, names, free_ports(len(identities)), strict=False):
        yield from ("", "[[seats]]", f"name = {json.dumps(name)}", f'peer = "{identity.peer_id}"')
        yield f'address = "127.0.0.1:{port}"'


def free_ports(count: int) -> list[int]:
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
    plan: Plan,
    echo: Echo,
    games: int,
) -> None:
    """Run a node for every seat until all have ended, one has failed, or nothing moves any more."""
    pulse = Pulse()
    async with trio.open_nursery() as nursery:
        watch = _Watch(nursery.cancel_scope, runs, games, pulse)

        async def live(number: int) -> None:
            options = ["--bot", bots[number], "--bot-seed", f"{seed}/{number}"]
            tell = echo if number == plan.teller else None
            await runs[number].live(homes[number], options, tell, watch.heard)
            watch.ended(runs[number])

        nursery.start_soon(strike, runs, plan, pulse, echo)
        async with trio.open_nursery() as nodes:
            for number in range(len(runs)):
                nodes.start_soon(live, number)
        nursery.cancel_scope.cancel()


class _Watch:
    """Ends the match when no node has said anything for SILENCE_SECONDS, or one has failed.

    Nodes end by themselves when all have the end of the match. Those that were killed for good
    never will: then the others are asked to end, which would wait half a minute for them.
    """

    def __init__(
        self, scope: trio.CancelScope, runs: Sequence[NodeRun], games: int, pulse: Pulse
    ) -> None:
        self._scope = scope
        self._runs = runs
        self._stopped = False
        self._games = games
        self._pulse = pulse
        self.heard()

    def heard(self) -> None:
        """A node has said something."""
        self._scope.deadline = trio.current_time() + SILENCE_SECONDS
        self._pulse.beat()
        alive = [run for run in self._runs if not run.fallen]
        fewer = len(alive) < len(self._runs)
        if fewer and not self._stopped and all(run.has_finished(self._games) for run in alive):
            self._stopped = True  # a second signal would kill who is about to end
            for run in alive:
                run.stop()

    def ended(self, run: NodeRun) -> None:
        """A node has ended; if the match was not over, the others would wait for it for ever."""
        self._pulse.beat()
        if not run.fallen and (run.status != 0 or not run.has_finished(self._games)):
            self._scope.cancel()


# --- the result -----------------------------------------------------------------------------------


def agreed_transcripts(runs: Sequence[NodeRun], games: int, folder: Path) -> list[Path]:
    """Keep the transcripts all nodes have that were not killed for good; raises when one failed or
    has other ones.
    """
    runs = [run for run in runs if not run.fallen]
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
