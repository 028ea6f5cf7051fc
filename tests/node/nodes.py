"""Seats with fixed keys and secrets, and nodes that play them: in this process or in one of their
own, over loopback TCP. Their logs are read as they come, so a test never waits for mere time."""

import functools
import hashlib
import json
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import trio
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

import p2pcoup
from p2pcoup.audit import Verdict, audit
from p2pcoup.bots import Policy, random_move
from p2pcoup.journal import Journal, load_or_create_seed, make_private_folder
from p2pcoup.net import Address, Connected, Mesh, open_mesh
from p2pcoup.node.desk import Desk, Ending
from p2pcoup.node.folder import HOME_VARIABLE
from p2pcoup.node.home import game_folder, identity_file
from p2pcoup.node.log import NodeLog
from p2pcoup.node.match import Match
from p2pcoup.node.node import play_seat
from p2pcoup.node.seat import TRANSCRIPT_NAME, SeatedGame, Step
from p2pcoup.node.tablefile import TableFile, parse_table_file
from p2pcoup.rules import Move, View
from p2pcoup.table import Terms, Times
from p2pcoup.wire import Identity, Kind, Message, parse, sign

NAMES = ("Ash", "Birch", "Cedar", "Elm", "Fir", "Hazel")
HERE = "127.0.0.1"
USUAL_TIMES = Times()
NOBODY_LISTENS = 1  # a port of the system that no test and no node ever takes
PATIENCE = 60.0  # seconds until a test that waits in vain fails; nothing takes a tenth of it
ROOT = Path(p2pcoup.__file__).parent.parent

Clock = Callable[[], float]
Watch = Callable[[int, Step], None]


def identity_of(number: int) -> Identity:
    """The same identity for the same number, always."""
    seed = hashlib.sha256(b"p2pcoup node test %d" % number).digest()
    return Identity(Ed25519PrivateKey.from_private_bytes(seed))


@dataclass(frozen=True)
class SeatFiles:
    """What one player has on disk: an identity, and the secret of the game that will be played."""

    number: int
    home: Path
    identities: tuple[Identity, ...]
    game: str
    games: int = 1
    times: Times = USUAL_TIMES

    @property
    def identity(self) -> Identity:
        return self.identities[self.number]

    def table_text(self, ports: Mapping[int, int]) -> str:
        """This seat's table file, in which the others are where `ports` says, if it does."""
        lines = [f'game = "{self.game}"', 'edition = "base"', f"games = {self.games}"]
        for name in ("decide", "answer", "grace"):
            lines += [f"{name}_seconds = {getattr(self.times, name)}"]
        for number, identity in enumerate(self.identities):
            port = ports.get(number, NOBODY_LISTENS)
            lines += ["[[seats]]", f'name = "{NAMES[number]}"', f'peer = "{identity.peer_id}"']
            lines += [f'address = "127.0.0.1:{port}"']
        return "\n".join(lines)

    def table(self, ports: Mapping[int, int] | None = None) -> TableFile:
        return parse_table_file(self.table_text(ports or {}))

    @property
    def folder(self) -> Path:
        return game_folder(self.home, self.table().terms.game_id)

    @property
    def transcript(self) -> bytes:
        return (self.folder / TRANSCRIPT_NAME).read_bytes()

    def sit_down(
        self, policy: Policy | None = random_move, luck: int = 0, clock: Clock = time.perf_counter
    ) -> SeatedGame:
        """Open the game of this seat."""
        terms = self.table().terms
        chance = random.Random(f"{luck} {self.number}")
        return SeatedGame(terms, self.identity, self.folder, policy, chance, clock=clock)

    def match(
        self,
        policy: Policy | None = random_move,
        luck: int = 0,
        clock: Clock = time.perf_counter,
        pace: float = 0.0,
    ) -> Match:
        """Open the match of this seat."""
        chance = random.Random(f"{luck} {self.number}")

        def sit_down(terms: Terms) -> SeatedGame:
            folder = game_folder(self.home, terms.game_id)
            return SeatedGame(terms, self.identity, folder, policy, chance, clock=clock, pace=pace)

        return Match(self.table(), sit_down)

    def journal(self) -> tuple[bytes, ...]:
        """The messages in the journal, which no node may have open."""
        terms, owner = self.table().terms.encode(), self.identity.peer_id
        with Journal.open(self.folder / "journal", terms, owner) as journal:
            return journal.records


def make_seats(
    folder: Path,
    count: int,
    game: str = "node test",
    deal: int = 0,
    games: int = 1,
    times: Times = USUAL_TIMES,
) -> list[SeatFiles]:
    """Players at one table. The same `deal` deals the same cards, in the first game."""
    identities = tuple(identity_of(number) for number in range(count))
    seats = [
        SeatFiles(number, folder / f"home-{number}", identities, game, games, times)
        for number in range(count)
    ]
    for seat in seats:
        make_private_folder(seat.folder)
        key = identity_file(seat.home)
        key.touch(0o600)
        key.write_bytes(seat.identity.to_pem())
        secret = hashlib.sha256(f"{deal} {seat.number}".encode()).digest()
        load_or_create_seed(seat.folder / "secret", randomness=lambda _size, s=secret: s)
    return seats


class Held:
    """A policy that stops before its so-many-th decision until it is let go.

    While it does, the game stands: whatever a test does meanwhile happens in the middle of it.
    """

    def __init__(self, decision: int = 1, policy: Policy = random_move) -> None:
        self._left = decision
        self._policy = policy
        self._go = threading.Event()
        self._held = threading.Event()

    def __call__(self, view: View, luck: random.Random) -> Move:
        self._left -= 1
        if self._left == 0:
            self._held.set()
            self._go.wait(PATIENCE)
        return self._policy(view, luck)

    async def held(self) -> None:
        """Wait until the game stands."""
        assert await trio.to_thread.run_sync(self._held.wait, PATIENCE)

    def let_go(self) -> None:
        self._go.set()

    def __enter__(self) -> "Held":
        return self

    def __exit__(self, *_: object) -> None:
        self.let_go()  # or a failing test would wait for the thread; so use it within a nursery


# --- a game without nodes ---------------------------------------------------------------------


def play(
    games: Sequence[SeatedGame], *, most: int | None = None, watch: Watch = lambda *_: None
) -> None:
    """Carry messages between the games until they are over, or so many have been carried."""
    flying: list[tuple[int, bytes]] = []

    def take(seat: int, step: Step) -> None:
        watch(seat, step)
        flying.extend((to, raw) for raw in step.fresh for to in range(len(games)) if to != seat)

    for seat, game in enumerate(games):
        take(seat, game.begin())
        for other in range(len(games)):
            if other != seat:
                flying += [(other, raw) for raw in game.messages(0)]
    carried = 0
    while flying and carried != most:
        to, raw = flying.pop(0)
        take(to, games[to].receive(raw))
        carried += 1


def whole_game(seats: Sequence[SeatFiles]) -> None:
    """Play the game of these seats to its end."""
    games = [seat.sit_down() for seat in seats]
    play(games)
    for game in games:
        game.close()


# --- logs -----------------------------------------------------------------------------------------


@dataclass
class Told:
    """The log of a node, as it comes."""

    events: list[dict] = field(default_factory=list)
    other_lines: list[str] = field(default_factory=list)
    ended: bool = False
    _changed: trio.Event = field(default_factory=trio.Event)

    def take(self, line: str) -> None:
        try:
            self.events.append(json.loads(line))
        except ValueError:
            self.other_lines.append(line)
        self._beat()

    def end(self) -> None:
        """Nothing more will come."""
        self.ended = True
        self._beat()

    def _beat(self) -> None:
        self._changed.set()
        self._changed = trio.Event()

    def all(self, event: str) -> list[dict]:
        return [each for each in self.events if each["event"] == event]

    async def wait_for(self, event: str, count: int = 1) -> dict:
        """The event of that name, or the so-many-th of them, once it has come."""
        with trio.fail_after(PATIENCE):
            while len(self.all(event)) < count:
                await self._changed.wait()
        return self.all(event)[count - 1]

    async def wait_for_lines(self, count: int) -> None:
        """Wait for so many events of any kind, or for the last one."""
        with trio.fail_after(PATIENCE):
            while len(self.events) < count and not self.ended:
                await self._changed.wait()

    async def port(self) -> int:
        """Where the node listens."""
        return int((await self.wait_for("listening"))["port"])


# --- nodes ----------------------------------------------------------------------------------------


@asynccontextmanager
async def open_nursery(patience: float = PATIENCE) -> AsyncIterator[trio.Nursery]:
    """A nursery that waits for its nodes to end, but not for ever."""
    with trio.fail_after(patience):
        async with trio.open_nursery() as nursery:
            yield nursery


@dataclass
class LocalNode:
    """A node in this process. Cancel `scope` to stop it as a signal would."""

    match: Match
    told: Told
    scope: trio.CancelScope = field(default_factory=trio.CancelScope)
    ended: trio.Event = field(default_factory=trio.Event)
    ending: Ending | None = None
    failure: Exception | None = None

    @property
    def game(self) -> SeatedGame:
        return self.match.current

    async def end(self) -> None:
        """Wait until it has ended by itself."""
        with trio.fail_after(PATIENCE):
            await self.ended.wait()


def start_local(
    nursery: trio.Nursery,
    seat: SeatFiles,
    ports: Mapping[int, int] | None = None,
    *,
    policy: Policy | None = random_move,
    clock: Clock = time.perf_counter,
    luck: int = 0,
    listen: int = 0,
    desk: Desk | None = None,
    fails: bool = False,
    pace: float = 0.0,
) -> LocalNode:
    """Start a node in this process; at any free port if `listen` is 0. Without a policy the desk
    decides. The test fails with the node, unless it expects that (`fails`).
    """
    node = LocalNode(seat.match(policy, luck, clock, pace), Told())
    table = seat.table({**(ports or {}), seat.number: listen or NOBODY_LISTENS})
    here = table.addresses[seat.identity.peer_id]._replace(port=listen)
    token = trio.lowlevel.current_trio_token()

    async def run() -> None:
        try:
            with (
                NodeLog("json", lambda line: token.run_sync_soon(node.told.take, line)) as log,
                node.scope,
            ):
                node.ending = await play_seat(table, seat.identity, node.match, log, here, desk)
        except Exception as error:
            node.failure = error
            if not fails:
                raise
        finally:
            node.match.close()
            delivered = trio.Event()
            token.run_sync_soon(delivered.set)  # after all that the log has handed over
            with trio.CancelScope(shield=True):
                await delivered.wait()
            node.ended.set()

    nursery.start_soon(run)
    return node


@dataclass
class NodeProcess:
    """`p2pcoup node` as a process of its own."""

    process: trio.Process
    told: Told
    log_read: trio.Event = field(default_factory=trio.Event)

    async def end(self) -> int:
        """Its exit status, once it has ended and its log is read."""
        with trio.fail_after(PATIENCE):
            await self.log_read.wait()
            return await self.process.wait()


async def start_process(
    nursery: trio.Nursery,
    seat: SeatFiles,
    ports: Mapping[int, int],
    *options: str,
    run: str = "exec {} -m p2pcoup {}",
    listen: str = "127.0.0.1:0",
    table_text: str | None = None,
) -> NodeProcess:
    """Start `p2pcoup node`. `run` is a line of shell with places for Python and the arguments."""
    table = seat.home / "table.toml"
    table.write_text(table_text or seat.table_text(ports), encoding="utf-8")
    python = f"'{sys.executable}'"
    arguments = ["node", "--table", f"'{table}'", "--log", "json", "--listen", listen]
    line = run.format(python, " ".join([*arguments, *options]))
    process = await nursery.start(
        functools.partial(
            trio.run_process,
            ["/bin/sh", "-c", line],
            env={**os.environ, HOME_VARIABLE: str(seat.home), "PYTHONPATH": str(ROOT)},
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            check=False,
        )
    )
    node = NodeProcess(process, Told())
    nursery.start_soon(_read_log, node)
    return node


async def _read_log(node: NodeProcess) -> None:
    rest = b""
    async for chunk in node.process.stderr:
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            node.told.take(line.decode())
    node.told.end()
    node.log_read.set()


# --- peers that do as a test says --------------------------------------------------------------


def peer(seat: SeatFiles, node: SeatFiles, port: int) -> AbstractAsyncContextManager[Mesh]:
    """A mesh that has the identity of a seat but does as the test says, linked to a node."""
    return open_mesh(seat.identity, listen=None, peers={node.identity.peer_id: Address(HERE, port)})


async def linked(mesh: Mesh) -> None:
    """Wait until there is a link."""
    with trio.fail_after(PATIENCE):
        while not isinstance(await mesh.events.receive(), Connected):
            pass


# --- what was signed ------------------------------------------------------------------------------


def signed_otherwise(
    seat: SeatFiles, raw: bytes, body: tuple[str | bytes, ...] | None = None
) -> bytes:
    """What this seat signs for the same place as that message of its own: this body or, without
    one, a false one.
    """
    old = parse(raw).message
    if body is None:
        first, *rest = old.body
        body = (bytes([first[0] ^ 1]) + first[1:], *rest)
    place = (old.game, old.round, old.seat, old.parent)
    return sign(Message(*place, old.kind, body), seat.identity).raw


def contradictions(*journals: tuple[bytes, ...]) -> list[tuple[int, int]]:
    """The places, as round and seat, for which two different messages were signed, or for one
    attempt two different sets of seats that are gone (SPEC 8.13).
    """
    signed: dict[tuple[object, ...], set[bytes]] = {}
    for raw in (raw for journal in journals for raw in journal):
        message = parse(raw).message
        attempt = str(message.body[0]).partition(":")[0] if message.kind is Kind.ABSENT else ""
        place = (message.round, message.seat, message.parent, attempt)
        signed.setdefault(place, set()).add(raw)
    return sorted({(key[0], key[1]) for key, raws in signed.items() if len(raws) > 1})


def assert_same_valid_game(seats: Sequence[SeatFiles]) -> None:
    """All have the same transcript, it is valid, and nobody has signed two different things."""
    assert len({seat.transcript for seat in seats}) == 1
    assert audit(seats[0].transcript).verdict is Verdict.VALID
    assert contradictions(*(seat.journal() for seat in seats)) == []
