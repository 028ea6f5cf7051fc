"""A peer that signs what it likes: an honest peer, whose table follows a `Scheme`."""

import random
from dataclasses import replace

from p2pcoup.node.gossip import Passed, encode_gossip
from p2pcoup.table import Player
from p2pcoup.wire import SignedMessage
from tests.sim.forgery import STATEMENTS, Way
from tests.sim.mischief import MISCHIEF, Occasion
from tests.sim.peer import Character, Peer, Surroundings
from tests.sim.scheme import FALSE_ABSENCE, MOST_LIES, CheatingTable, Scheme
from tests.sim.seat import MakeTable, Step, where

MISCHIEF_CHANCE = 0.02  # of every payload received


class Cheater(Peer):
    """The peer of a dishonest seat."""

    def __init__(
        self,
        player: Player,
        around: Surroundings,
        character: Character,
        luck: random.Random,
        scheme: Scheme,
    ) -> None:
        super().__init__(player, around, replace(character, crashes=frozenset()), luck)
        self.witness.cheating = True
        self.scheme = scheme
        self._words: list[tuple[SignedMessage, frozenset[int]]] = []
        self._pranks = 0

    @property
    def make_table(self) -> MakeTable:
        """A table that cheats."""
        return lambda player: CheatingTable(
            self._around.terms, player, clock=lambda: 0.0, seat=self.seat, scheme=self.scheme
        )

    @property
    def cheating_table(self) -> CheatingTable:
        """Our own table."""
        table = self.game.table
        assert isinstance(table, CheatingTable)
        return table

    # --- our own words ----------------------------------------------------------------------------

    def speak(self, signed: SignedMessage) -> None:
        """Send a message of our own, or what the scheme makes of it."""
        is_word = signed.message.kind not in STATEMENTS
        planned = self.cheating_table.false.get(signed.message.round) if is_word else None
        everybody = self._hearers()
        way, false = planned or (None, signed)
        match way:
            case None:
                self._utter(signed, everybody)
            case Way.INSTEAD:
                self._utter(false, everybody)
            case Way.BEFORE:
                self._utter(false, everybody)
                self._utter(signed, everybody)
            case Way.AFTER:
                self._utter(signed, everybody)
                self._utter(false, everybody)
            case Way.SPLIT:
                deceived = frozenset(sorted(everybody)[1::2]) or everybody
                self._utter(false, deceived)
                self._utter(signed, everybody - deceived)
            case Way.OWN:
                raise RuntimeError("a lie that our own table takes needs no plan")

    def _hearers(self) -> frozenset[int]:
        """The seats that are to hear our own words."""
        others = [int(seat) for seat in self._around.terms.seats if seat != self.seat]
        match self.scheme.manner:
            case "mute" if self.game.table.round >= self.scheme.from_round:
                return frozenset()
            case "whispering":
                return frozenset(others[:1])
        return frozenset(others)

    def _utter(self, signed: SignedMessage, hearers: frozenset[int]) -> None:
        """Say something to these, now, and when they ask later."""
        self._words.append((signed, hearers))
        self.witness.note_said(signed)
        self._tell(f"says {where(signed)} to {sorted(hearers)}: {signed.raw[-4:].hex()}")
        for to in sorted(hearers):
            self._send(to, encode_gossip(Passed(signed.raw)))

    def answer_to(self, to: int, closed: int) -> list[bytes]:
        """Never admit to words that were not said, nor to those that were said to others."""
        own = [s.raw for s, heard_by in self._words if s.message.round >= closed and to in heard_by]
        others = self.game.messages(closed)
        return [*own, *(s.raw for s in others if s.message.seat != self.seat)]

    def _pass_on(self, raw: bytes, but: int | None = None) -> None:
        if self.scheme.manner != "keeping":
            super()._pass_on(raw, but)

    def _act(self, step: Step, origin: int | None = None, passed: bytes = b"") -> None:
        super()._act(step, origin, passed)
        table = self.cheating_table
        while table.cornered:
            self._utter(table.cornered.pop(), self._hearers())

    # --- mischief ---------------------------------------------------------------------------------

    def _received(self, origin: int, payload: bytes) -> None:
        super()._received(origin, payload)
        scheme = self.scheme
        if self.game.table.round < scheme.from_round or self._pranks >= MOST_LIES:
            return
        names = [name for name in (*MISCHIEF, FALSE_ABSENCE) if name in scheme.among]
        chance = MISCHIEF_CHANCE * (5 if scheme.eager else 1)
        if names and scheme.luck.random() < chance:
            self._pranks += 1
            name = scheme.luck.choice(names)
            self._around.record.faults[f"mischief {name}"] += 1
            if name == FALSE_ABSENCE:
                self._call_absent()
            else:
                self._make_mischief(name)

    def _make_mischief(self, name: str) -> None:
        occasion = Occasion(self.game.table, self.seat, self.scheme.identity, self.scheme.luck)
        MISCHIEF[name](occasion)
        self.scheme.lies += occasion.lies
        for number, to in enumerate(self._around.network.neighbours(self.seat)):
            for payload in occasion.payloads:
                self._send(to, payload)
            if occasion.apart:
                self._send(to, occasion.apart[number % len(occasion.apart)])

    def _call_absent(self) -> None:
        """Say that somebody is gone who is only about to speak."""
        others = [seat for seat in self.game.table.waiting_for if seat != self.seat]
        if others:
            self._act(self.game.declare_absent([self.scheme.luck.choice(others)]))
