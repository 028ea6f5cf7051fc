"""The headless peer: links on one side, one seat's game on the other (SPEC 9.6).

One task reads what the mesh reports and hands it, one event at a time, to the seated game in a
worker thread. Proofs therefore never run on the event loop, the links keep answering pings, and a
peer that sends faster than we can check is slowed down by its own full queue.
"""

import functools
import signal
from collections.abc import Awaitable, Callable, Iterable
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
from p2pcoup.node.gossip import Have, Passed, decode_gossip, encode_gossip
from p2pcoup.node.log import NodeLog
from p2pcoup.node.seat import SeatedGame, Step
from p2pcoup.node.tablefile import TableFile
from p2pcoup.node.usage import peak_memory_kib
from p2pcoup.rules import narrate
from p2pcoup.table import Blame, Finished, Happened
from p2pcoup.table import Refused as MessageRefused
from p2pcoup.wire import Identity, PeerId, WireError

LINGER_SECONDS = 30.0  # how long a finished peer stays for others that lack the last messages

T = TypeVar("T")


async def run_node(
    table: TableFile,
    identity: Identity,
    game: SeatedGame,
    log: NodeLog,
    listen: Address | None,
) -> bool:
    """Play one seat until the game is over, or until the user stops the program.

    Args:
        listen: where to listen; None: at the table file's address for this seat.

    Returns:
        Whether the game is finished.

    Raises:
        ListenError: the node cannot listen there; PortInUseError if the port is taken.
    """
    peers = {peer: place for peer, place in table.addresses.items() if peer != identity.peer_id}
    here = listen or table.addresses[identity.peer_id]
    with trio.CancelScope() as stop:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_stop_on_signal, stop, log)
            async with open_mesh(identity, listen=here, peers=peers) as mesh:
                log.info("listening", f"Listening at {here} as {identity.peer_id}.")
                await _Node(game, mesh, peers, log).run()
            nursery.cancel_scope.cancel()
    return game.outcome is not None


async def _stop_on_signal(stop: trio.CancelScope, log: NodeLog) -> None:
    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async for number in signals:
            log.info(
                "stopped",
                f"Stopped by {signal.Signals(number).name}. Nothing is lost: the same command "
                "plays on.",
            )
            stop.cancel()
            return


class _Node:
    """One run of a node: reacts to the mesh until the game is over for everybody."""

    def __init__(self, game: SeatedGame, mesh: Mesh, peers: Iterable[PeerId], log: NodeLog) -> None:
        self._game = game
        self._mesh = mesh
        self._log = log
        self._unfinished = set(peers)
        self._names = {member.peer: member.name for member in game.terms.roster}
        self._linger = trio.CancelScope()
        self._linked_at: float | None = None
        self._dealt = game.table.game.state is not None
        self._sent_bytes = 0

    async def run(self) -> None:
        """Play; afterwards stay until every other seat has the whole game, or for a while."""
        if self._game.restored:
            self._log.info(
                "restored",
                f"Took back {self._game.restored} messages from the journal; "
                f"round {self._game.table.round}.",
                messages=self._game.restored,
            )
        await self._act(await _in_thread(self._game.begin))
        if self._game.outcome is not None:
            self._over()
        with self._linger:
            async for event in self._mesh.events:
                await self._react(event)
                if self._game.outcome is not None and not self._unfinished:
                    return

    async def _react(self, event: Event) -> None:
        match event:
            case Connected(peer):
                self._linked(peer)
            case Disconnected(peer, reason):
                self._log.warning("unlinked", f"Lost the link to {self._name(peer)}: {reason}")
            case Unreachable(peer, reason):
                self._log.warning(
                    "unreachable", f"Cannot reach {self._name(peer)} yet, still trying. {reason}"
                )
            case Refused(remote, reason, unreported):
                more = f" ({unreported} more since the last report.)" if unreported else ""
                self._log.warning("refused", f"Turned away {remote}: {reason}{more}")
            case Received(peer, payload):
                await self._received(peer, payload)

    def _linked(self, peer: PeerId) -> None:
        self._log.info("linked", f"Linked to {self._name(peer)}.")
        if self._linked_at is None and len(self._mesh.linked) == len(self._names) - 1:
            self._linked_at = trio.current_time()
            self._log.info("complete", "Linked to everybody at the table.")
        self._mesh.send(peer, encode_gossip(self._game.have()))

    async def _received(self, peer: PeerId, payload: bytes) -> None:
        try:
            gossip = decode_gossip(payload)
        except WireError as error:
            self._log.warning("garbled", f"{self._name(peer)}: {error}")
            return
        match gossip:
            case Passed(raw):
                await self._act(await _in_thread(self._game.receive, raw), origin=peer)
            case Have(game, closed, finished) if game == self._game.terms.game_id:
                if finished:
                    self._unfinished.discard(peer)
                for raw in await _in_thread(self._game.messages, closed):
                    self._send(peer, raw)
            case Have():
                self._log.warning(
                    "other-table",
                    f"{self._name(peer)} is at another table. Compare your table files: all but "
                    "the addresses must be the same.",
                )

    async def _act(self, step: Step, origin: PeerId | None = None) -> None:
        """Pass on what is new, and tell the user."""
        for raw in step.fresh:
            payload = encode_gossip(Passed(raw))
            self._sent_bytes += len(payload) * len(self._mesh.linked)
            self._mesh.broadcast(payload, but=origin)
        if step.ask_again:
            self._mesh.broadcast(encode_gossip(self._game.have()))
        for notice in step.notices:
            match notice:
                case Happened(before, event, after):
                    for line in narrate(before, event, after, self._game.terms.names):
                        self._log.info("story", line)
                case Blame() as blame:
                    self._blame(blame)
                case MessageRefused(reason):
                    self._log.warning("message-refused", f"A message was not accepted: {reason}")
                case Finished():
                    self._over()
                case _:
                    pass
        self._note_deal()

    def _send(self, peer: PeerId, raw: bytes) -> None:
        payload = encode_gossip(Passed(raw))
        self._sent_bytes += len(payload)
        self._mesh.send(peer, payload)

    def _note_deal(self) -> None:
        if self._dealt or self._game.table.game.state is None:
            return
        self._dealt = True
        since = trio.current_time() if self._linked_at is None else self._linked_at
        seconds = trio.current_time() - since
        self._log.info(
            "dealt",
            f"Keys agreed, shuffled by all and dealt in {seconds:.2f} s.",
            seconds=round(seconds, 4),
        )

    def _blame(self, blame: Blame) -> None:
        name = self._game.terms.names[blame.seat]
        self._log.warning(
            "blame",
            f"{name} broke the rule {blame.rule} in round {blame.round}: {blame.reason} "
            "Their message was not accepted; the game waits for a valid one.",
            seat=blame.seat,
            round=blame.round,
            rule=blame.rule,
            evidence=[raw.hex() for raw in blame.evidence],
        )

    def _over(self) -> None:
        """The game is finished here: say so to all, and do not wait for the others for ever."""
        self._linger.deadline = trio.current_time() + LINGER_SECONDS
        self._mesh.broadcast(encode_gossip(self._game.have()))
        table = self._game.table
        self._log.info(
            "finished",
            f"The game is over. Transcript: {self._game.transcript_file}",
            transcript=str(self._game.transcript_file),
            rounds=table.round + 1,
            proof_seconds=round(table.proof_seconds, 4),
            sent_bytes=self._sent_bytes,
            peak_memory_kib=peak_memory_kib(),
        )

    def _name(self, peer: PeerId) -> str:
        return self._names.get(peer, peer)


async def _in_thread(work: Callable[..., T], *args: object) -> T:
    """Run one piece of the game off the event loop and wait for it, even when stopped."""
    run: Awaitable[T] = trio.to_thread.run_sync(functools.partial(work, *args))
    return await run
