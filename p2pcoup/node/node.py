"""The headless peer: links on one side, one seat's games on the other (SPEC 9.6).

One task reads what the mesh reports and hands it, one event at a time, to the seated game in a
worker thread. Proofs therefore never run on the event loop, the links keep answering pings, and a
peer that sends faster than we can check is slowed down by its own full queue.

The games of a match are played over the same links. Peers come to the end of a game at different
times: who is behind is still told the end of it by those ahead, and who is ahead is asked for the
next game by each that starts it, so nothing that came too early is missed.
"""

import functools
import math
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import TypeVar

import trio

from p2pcoup.net import (
    Address,
    Connected,
    Disconnected,
    Event,
    Mesh,
    Received,
    Refused,
    Unreachable,
    open_mesh,
)
from p2pcoup.node.gossip import Have, Passed, Requests, decode_gossip, encode_gossip
from p2pcoup.node.log import NodeLog
from p2pcoup.node.match import Match
from p2pcoup.node.report import Report
from p2pcoup.node.seat import SeatedGame, Step
from p2pcoup.node.tablefile import TableFile
from p2pcoup.table import Blame, Finished, Happened, LeftBehind
from p2pcoup.table import Refused as MessageRefused
from p2pcoup.wire import Identity, PeerId, WireError

LINGER_SECONDS = 30.0  # how long a finished peer stays for others that lack the last messages
T = TypeVar("T")


async def run_node(
    table: TableFile,
    identity: Identity,
    match: Match,
    log: NodeLog,
    listen: Address | None,
) -> signal.Signals | None:
    """`play_seat` until the user stops the program.

    Returns:
        The signal that stopped the node; None: every game is finished.

    Raises:
        ExceptionGroup: of what `play_seat` raises.
    """
    stopped: signal.Signals | None = None
    playing = trio.CancelScope()

    async def stop_on_signal(signals: AsyncIterator[int]) -> None:
        nonlocal stopped
        async for number in signals:
            if stopped is None:  # the rest only say that somebody is impatient
                stopped = signal.Signals(number)
                log.info(
                    "stopped",
                    f"Stopped by {stopped.name}. Nothing is lost: the same command plays on.",
                )
                playing.cancel()

    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(stop_on_signal, signals)
            with playing:
                await play_seat(table, identity, match, log, listen)
            nursery.cancel_scope.cancel()
    return stopped


async def play_seat(
    table: TableFile,
    identity: Identity,
    match: Match,
    log: NodeLog,
    listen: Address | None = None,
) -> None:
    """Play one seat until every game is over and every other seat has the last one, or for a while
    longer.

    A last game that was over before is only offered to the seats that may lack its end.

    Args:
        listen: where to listen; None: at the table file's address for this seat.

    Raises:
        ListenError: the node cannot listen there; PortInUseError if the port is taken.
        JournalError: the disk refuses; nothing was sent that is not in the journal.
    """
    if match.over:
        _tell_already_played(match.current, log)
        if match.current.known_to_all:
            return
    peers = {peer: place for peer, place in table.addresses.items() if peer != identity.peer_id}
    here = listen or table.addresses[identity.peer_id]
    async with open_mesh(identity, listen=here, peers=peers) as mesh:
        places = ", ".join(map(str, mesh.addresses))
        log.info(
            "listening",
            f"Listening at {places} as {identity.peer_id}.",
            port=mesh.addresses[0].port,
        )
        await _Node(match, mesh, peers, log).run()


def _tell_already_played(game: SeatedGame, log: NodeLog) -> None:
    stays = f" It is offered to the others for {LINGER_SECONDS:.0f} s, as one may lack its end."
    log.info(
        "already-played",
        f"This game is already played. Transcript: {game.transcript_file}. To play another one, "
        f"everybody writes the same new game name into the table file."
        f"{'' if game.known_to_all else stays}",
        transcript=str(game.transcript_file),
    )


class _Node:
    """One run of a node: reacts to the mesh until the match is over for everybody."""

    def __init__(self, match: Match, mesh: Mesh, peers: Iterable[PeerId], log: NodeLog) -> None:
        self._match = match
        self._mesh = mesh
        self._log = log
        self._requests = Requests()
        self._peers = frozenset(peers)
        self._linger = trio.CancelScope()
        self._complete = False
        self._impatient_at = math.inf
        self._grace_ends_at = math.inf
        self._sent_bytes = 0
        self._sit_down(match.current)

    def _sit_down(self, game: SeatedGame) -> None:
        """Begin anew with all that belongs to a single game."""
        self._game = game
        self._report = Report(self._log, game)
        self._unfinished = set(self._peers)
        self._known: set[bytes] = set()
        self._dealt = game.table.game.state is not None
        self._all_here_at = trio.current_time() if self._complete else None
        self._sent_before = self._sent_bytes

    async def run(self) -> None:
        """Play; afterwards stay until every other seat has the last game, or for a while."""
        await self._begin()
        with self._linger:
            while self._unfinished or not self._match.over:
                event = await self._next_event()
                if event is not None:
                    await self._react(event)
                await self._do_what_is_due()
                while self._game.outcome is not None and not self._match.over:
                    await self._next_game()
            self._game.note_known_to_all()

    async def _begin(self) -> None:
        if self._game.outcome is None:
            self._act(await _in_thread(self._game.begin))
            self._wait_anew()
        else:
            self._linger.deadline = trio.current_time() + LINGER_SECONDS

    async def _next_game(self) -> None:
        """Go on to the next game of the match, and ask for what was said in it already."""
        self._sit_down(await _in_thread(self._match.open_next))
        self._report.next_game(self._match.number, self._match.length)
        await self._begin()
        self._send_all(encode_gossip(self._game.have()))

    async def _next_event(self) -> Event | None:
        """What the mesh reports, or None when something else is due first."""
        due_at = min(self._requests.due_at(), self._impatient_at, self._grace_ends_at)
        with trio.move_on_at(due_at):
            return await self._mesh.events.receive()
        return None

    async def _do_what_is_due(self) -> None:
        now = trio.current_time()
        for peer, have in self._requests.take(now):
            game = self._match.game(have.game) or self._game
            for raw in await _in_thread(game.messages, have.closed):
                self._send(peer, encode_gossip(Passed(raw)))
        if now >= self._impatient_at:
            self._impatient_at = math.inf
            self._report.waiting(self._game.table.deadline, self._mesh.linked)
        if now >= self._grace_ends_at:
            self._grace_ends_at = now + max(self._game.terms.times.grace, 1)
            # A table waits for all to sit down for as long as they like.
            if self._game.table.round > 0:
                self._act(await _in_thread(self._game.declare_absent))

    async def _react(self, event: Event) -> None:
        match event:
            case Connected(peer):
                self._linked(peer)
            case Disconnected(peer, reason):
                self._report.unlinked(peer, reason)
            case Unreachable(peer, reason):
                self._report.unreachable(peer, reason)
            case Refused(remote, reason, unreported):
                self._report.turned_away(remote, reason, unreported)
            case Received(peer, payload):
                await self._received(peer, payload)

    def _linked(self, peer: PeerId) -> None:
        self._report.linked(peer)
        if not self._complete and self._mesh.linked >= self._peers:
            self._complete = True
            self._all_here_at = trio.current_time()
            self._report.complete()
        self._send(peer, encode_gossip(self._game.have()))
        # What is said in the open round may be news even to a peer that is ahead of us.
        for raw in self._game.messages(self._game.table.round):
            self._send(peer, encode_gossip(Passed(raw)))

    async def _received(self, peer: PeerId, payload: bytes) -> None:
        now = trio.current_time()
        try:
            gossip = decode_gossip(payload)
        except WireError as error:
            self._report.garbled(peer, str(error), now)
            return
        match gossip:
            # Everybody passes everything on: most of what comes is here already.
            case Passed(raw) if raw not in self._known:
                self._act(await _in_thread(self._match.receive, raw), peer, raw)
            case Have():
                self._told(peer, gossip)

    def _told(self, peer: PeerId, have: Have) -> None:
        """A peer has said how far it is, in the current game or another one."""
        game = self._match.game(have.game)
        if game is None:
            self._told_of_unknown(peer)
        elif not have.finished:
            self._requests.ask(peer, have)
        elif game is self._game:
            self._unfinished.discard(peer)

    def _told_of_unknown(self, peer: PeerId) -> None:
        """A peer is at another table or, in a match, in a game that we have not come to."""
        nothing_played = self._match.number == 1 and self._game.table.round == 0
        if self._match.in_last_game or nothing_played:
            self._report.other_table(peer, trio.current_time())
        if not self._match.in_last_game:
            # All it had to say of this game has come by now; if that was not the end, we ask. What
            # it wants of the next game it will get: we say all of that to everybody.
            self._send(peer, encode_gossip(self._game.have()))

    def _act(self, step: Step, origin: PeerId | None = None, passed: bytes = b"") -> None:
        """Pass on what is new, and tell the user.

        ``passed`` is the message from ``origin`` that led to this step. It alone need not go back
        there; our own answer to it must.
        """
        for raw in step.fresh:
            self._known.add(raw)
            self._send_all(encode_gossip(Passed(raw)), but=origin if raw == passed else None)
        if step.ask_again:
            self._known.clear()  # back in an earlier round, the table needs them once more
            self._send_all(encode_gossip(self._game.have()))
        for notice in step.notices:
            match notice:
                case Happened():
                    self._report.story(notice)
                case Blame():
                    self._report.blame(notice)
                case LeftBehind():
                    self._report.left_behind(notice)
                case MessageRefused(reason):
                    self._report.not_accepted(origin, reason, trio.current_time())
                case Finished():
                    self._over()
                case _:
                    pass
        self._note_progress(step)

    def _note_progress(self, step: Step) -> None:
        now = trio.current_time()
        if step.progress:
            self._wait_anew()
        if not self._dealt and self._game.table.game.state is not None:
            self._dealt = True
            self._report.dealt(now - (now if self._all_here_at is None else self._all_here_at))

    def _wait_anew(self) -> None:
        """Something has come; from here on silence is counted, unless the game is over."""
        now = math.inf if self._game.outcome is not None else trio.current_time()
        # First the user is told whom the game waits for; then come the statements of absence.
        deadline, grace = self._game.table.deadline, self._game.terms.times.grace
        self._impatient_at, self._grace_ends_at = now + deadline, now + deadline + grace

    def _over(self) -> None:
        """The game is finished here: say so to all. After the last one, do not wait for ever."""
        match = self._match
        if match.over:
            self._linger.deadline = trio.current_time() + LINGER_SECONDS
        self._send_all(encode_gossip(self._game.have()))
        self._report.finished(self._sent_bytes - self._sent_before)
        if match.length > 1:
            self._report.score(match.score, match.number, match.length)

    def _send_all(self, payload: bytes, but: PeerId | None = None) -> None:
        for peer in self._mesh.linked:
            if peer != but:
                self._send(peer, payload)

    def _send(self, peer: PeerId, payload: bytes) -> None:
        if self._mesh.send(peer, payload):
            self._sent_bytes += len(payload)


async def _in_thread(work: Callable[..., T], *args: object) -> T:
    """Run one piece of the game off the event loop and wait for it, even when stopped."""
    run: Awaitable[T] = trio.to_thread.run_sync(functools.partial(work, *args))
    return await run
