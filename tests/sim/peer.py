"""One peer: what `p2pcoup.node.node` does with its links, in virtual time.

What is new is passed on once to everybody; a new link and a peer that has fallen behind ask for
what they lack; a round in which nothing happens for the grace time makes the peer call absent
whoever it waits for. A crash may strike at every place that `Place` is told.
"""

import math
import random
from collections.abc import Callable
from dataclasses import dataclass

from p2pcoup.node.gossip import Have, Passed, Requests, decode_gossip, encode_gossip
from p2pcoup.rules import Move, Seat
from p2pcoup.table import Player, Prompt, Table, Terms
from p2pcoup.wire import SignedMessage, WireError
from tests.sim.duties import note_duty
from tests.sim.network import Network
from tests.sim.record import Record, Witness
from tests.sim.seat import Crash, MakeTable, SeatedGame, Step, where
from tests.sim.timeline import Timeline

MAX_THINKING_MS = 4_000

Policy = Callable[[Prompt, random.Random], Move]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What all peers of one game share."""

    terms: Terms
    timeline: Timeline
    network: Network
    record: Record


@dataclass(frozen=True, slots=True)
class Character:
    """What is peculiar to one peer.

    Attributes:
        policy: how it plays.
        thinks: whether it takes its time for decisions.
        crashes: the numbers of the places, counted over all its runs, at which its machine dies.
        resting_ms: how long it is gone then.
    """

    policy: Policy
    thinks: bool = False
    crashes: frozenset[int] = frozenset()
    resting_ms: int = 2_000


class Peer:
    """A peer that keeps to the protocol."""

    def __init__(
        self, player: Player, around: Surroundings, character: Character, luck: random.Random
    ) -> None:
        self.seat: Seat = player.seat
        self.running = False
        self.witness = Witness(player)
        self._player = player
        self._around = around
        self._character = character
        self._luck = luck
        self._places = 0
        self._runs = 0
        self._game: SeatedGame | None = None
        self._known: set[bytes] = set()
        self._requests = Requests()
        self._grace_ends_at = 0

    @property
    def game(self) -> SeatedGame:
        """The game while the peer runs."""
        if self._game is None:
            raise RuntimeError("this peer does not run")
        return self._game

    @property
    def make_table(self) -> MakeTable:
        """How this peer's table is made."""
        return lambda player: Table(self._around.terms, player, clock=lambda: 0.0, seat=self.seat)

    # --- running and crashing ---------------------------------------------------------------------

    def start(self) -> None:
        """Run, from the journal if there is one."""
        if self.running or self.witness.gone:
            return
        self._tell("starts")
        self._runs += 1
        self.running = True
        self._known = set()
        self._requests = Requests()
        self._alive(self._start)

    def _start(self) -> None:
        self._game = SeatedGame(
            self._around.terms, self._player, self.make_table, self.witness, self._place
        )
        self._act(self._game.begin())
        self._around.network.started(self.seat)
        self._wait_anew()
        self._watch_for_silence()

    def stop(self) -> None:
        """The machine dies, at a moment when the peer is idle."""
        if self.running:
            self._tell("dies")
            self.running = False
            self._game = None
            self.witness.disk.crash(self._luck)
            self._around.network.stopped(self.seat)

    def vanish(self) -> None:
        """It is gone for good."""
        self.stop()
        self.witness.gone = True

    def _alive(self, work: Callable[[], None]) -> None:
        """Do some work, in which the machine may die."""
        try:
            work()
        except Crash:
            self._around.record.faults["crash"] += 1
            self.stop()
            self._around.timeline.after(self._character.resting_ms, self.start)

    def _place(self, name: str) -> None:
        self._places += 1
        if self._places in self._character.crashes:
            self._tell(f"crashes {name}")
            raise Crash(name)

    def _later(self, time_ms: int, work: Callable[[], None]) -> None:
        """Do some work at that time, if this run still lasts."""
        run = self._runs

        def due() -> None:
            if self.running and self._runs == run:
                self._alive(work)

        self._around.timeline.at(time_ms, due)

    # --- links ------------------------------------------------------------------------------------

    def linked(self, to: int) -> None:
        """A link to that seat's peer is up: say what we have, and what the open round holds."""

        def greet() -> None:
            self._send(to, encode_gossip(self.game.have()))
            table = self.game.table
            for signed in list(table.messages(table.round)):
                self._send(to, encode_gossip(Passed(signed.raw)))

        self._alive(greet)

    def _linked(self, to: int) -> None:
        self._send(to, encode_gossip(self.game.have()))
        # What is said in the open round may be news even to a peer that is ahead of us.
        for raw in self.answer_to(to, self.game.table.round):
            self._send(to, encode_gossip(Passed(raw)))

    def unlinked(self, to: int) -> None:
        """It is down; nothing needs to be done."""

    def received(self, origin: int, payload: bytes) -> None:
        """Bytes have come from a peer."""
        self._alive(lambda: self._received(origin, payload))

    def _received(self, origin: int, payload: bytes) -> None:
        try:
            gossip = decode_gossip(payload)
        except WireError:
            return
        match gossip:
            case Passed(raw) if raw not in self._known:
                note_duty(self.game.table, raw, self.witness, self._around.record)
                self._act(self.game.receive(raw), origin, raw)
            case Have(game, finished=False) if game == self._around.terms.game_id:
                self._requests.ask(self._around.terms.roster[origin].peer, gossip)
                self._answer_requests()
            case _:
                pass

    def _answer_requests(self) -> None:
        """Answer who has asked and is due; come back when the next one is."""
        now = self._around.timeline.now
        for peer, have in self._requests.take(now / 1000):
            to = self._around.terms.seat_of(peer)
            if to is not None:
                for raw in self.answer_to(to, have.closed):
                    self._send(to, encode_gossip(Passed(raw)))
        if (due := self._requests.due_at()) < math.inf:
            self._later(max(now + 1, math.ceil(due * 1000)), self._answer_requests)

    def answer_to(self, _to: int, closed: int) -> list[bytes]:
        """What a peer that has closed so many rounds may lack."""
        messages = self.game.messages(closed)
        for signed in messages:
            self.witness.note_said(signed)
        return [signed.raw for signed in messages]

    # --- the game ---------------------------------------------------------------------------------

    def _act(self, step: Step, origin: int | None = None, passed: bytes = b"") -> None:
        """Pass on what is new, and let the player decide what is asked."""
        self._note_progress(step)
        for signed in step.fresh:
            self._known.add(signed.raw)
            if signed.message.seat == self.seat:
                self.speak(signed)
            else:
                self._pass_on(signed.raw, origin if signed.raw == passed else None)
        if step.ask_again:
            self._known.clear()
            self._around.record.faults["asked again"] += 1
            self._pass_have()
        if step.fresh and self.game.table.outcome is not None:
            self._pass_have()
        for prompt in step.prompts:
            self._ask(prompt)

    def _note_progress(self, step: Step) -> None:
        record, now = self._around.record, self._around.timeline.now
        if step.progress:
            self._wait_anew()
        if not self.witness.cheating:
            for loss in step.lost:
                if set(loss.by) <= record.cheats:
                    continue  # of two members one may say so alone, and nobody else can tell
                for seat in loss.seats:
                    record.lost.setdefault((loss.round, seat), now)
            record.opened.setdefault(self.game.table.round, now)

    def speak(self, signed: SignedMessage) -> None:
        """Send a message of our own, which is in the journal by now."""
        self.witness.note_said(signed)
        self._tell(f"says {where(signed)}: {signed.raw[-4:].hex()}")
        self._pass_on(signed.raw)

    def _pass_on(self, raw: bytes, but: int | None = None) -> None:
        payload = encode_gossip(Passed(raw))
        for to in self._around.network.neighbours(self.seat):
            if to != but:
                self._place("before sending to one")
                self._send(to, payload)

    def _pass_have(self) -> None:
        payload = encode_gossip(self.game.have())
        for to in self._around.network.neighbours(self.seat):
            self._send(to, payload)

    def _send(self, to: int, payload: bytes) -> None:
        self._around.network.send(self.seat, to, payload)

    def _ask(self, prompt: Prompt) -> None:
        thinking = self._luck.randint(0, MAX_THINKING_MS) if self._character.thinks else 0
        if not thinking:
            self._decide(prompt)
        else:
            self._later(self._around.timeline.now + thinking, lambda: self._decide(prompt))

    def _decide(self, prompt: Prompt) -> None:
        choose = self._character.policy
        self._act(self.game.answer(prompt, lambda asked: choose(asked, self._luck)))

    # --- silence ----------------------------------------------------------------------------------

    def _wait_anew(self) -> None:
        """Somebody has spoken; from here on silence is counted."""
        table, times = self.game.table, self._around.terms.times
        seconds = table.deadline + times.grace
        self._grace_ends_at = self._around.timeline.now + 1000 * seconds

    def _watch_for_silence(self) -> None:
        """Call absent whom the round waits for, when nothing has come for too long."""
        now, table = self._around.timeline.now, self.game.table
        if table.outcome is not None:
            return
        if now >= self._grace_ends_at:
            self._grace_ends_at = now + 1000 * max(self._around.terms.times.grace, 1)
            # A table waits for all to sit down for as long as they like.
            if table.round > 0:
                self._tell(f"has heard nothing of {sorted(table.unheard)}")
                self._act(self.game.declare_absent())
        self._later(self._grace_ends_at, self._watch_for_silence)

    def _tell(self, what: str) -> None:
        self._around.record.trace.append(f"{self._around.timeline.now:>8} seat {self.seat} {what}")
