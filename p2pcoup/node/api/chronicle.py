"""What the past of a game says at one look: turns, claims, who went out when.

Read step by step from what has happened, which everybody at the table knows. It only remembers; no
hidden card is in it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from p2pcoup.rules import Act, Block, Character, Concede, Decline, Opened, Seat, State
from p2pcoup.rules.steps import ChooseAction, Prove, Showing
from p2pcoup.table import Happened


@dataclass(slots=True)
class Claims:
    """How often a seat has claimed a character, proven it, and been caught without it."""

    claimed: int = 0
    proven: int = 0
    caught: int = 0


Claimant: TypeAlias = tuple[Seat, Character]


@dataclass(slots=True)
class Chronicle:
    """A game's past.

    Attributes:
        steps: how many steps of the rules it has taken in.
        turn: number of the turn that goes on, from 1; 0 before the first.
        act: the action of this turn, once it is announced.
        block: the block of it that counts.
        out: for each seat without influence the turn in which it lost the last.
    """

    steps: int = 0
    turn: int = 0
    act: Act | None = None
    block: Block | None = None
    out: dict[Seat, int] = field(default_factory=dict)
    claims: dict[Claimant, Claims] = field(default_factory=dict)
    _last: Happened | None = None

    @classmethod
    def of(cls, happened: Iterable[Happened]) -> "Chronicle":
        """The chronicle of these steps from the first one on."""
        chronicle = cls()
        for step in happened:
            chronicle.take(step)
        return chronicle

    def fits(self, happened: list[Happened]) -> bool:
        """Whether that game is the one read so far, as far as it is read: a table that lost a round
        begins it anew.
        """
        return len(happened) >= self.steps and (
            self.steps == 0 or happened[self.steps - 1] is self._last
        )

    def take(self, step: Happened) -> None:
        """Read the next step."""
        before, event, after = step.before, step.event, step.after
        if self.steps == 0:
            self.turn = int(isinstance(before.step, ChooseAction))
        self.steps += 1
        self._last = step
        self._take_claim(before, event)
        for seat in before.living:
            if seat not in after.living:
                self.out[seat] = self.turn
        if isinstance(event, Act):
            self.act = event
        if after.question is not None and after.question.block is not None:
            self.block = after.question.block
        if begins_turn(step):
            self.turn += 1
            self.act = self.block = None

    def _take_claim(self, before: State, event: object) -> None:
        match event, before.step:
            case Act(seat, action), _ if action.claim is not None:
                self._claims(seat, action.claim).claimed += 1
            case Block(seat, character), _:
                self._claims(seat, character).claimed += 1
            case Opened(seat, (character,)), Showing():
                self._claims(seat, character).proven += 1
            case ((Decline(seat) | Concede(seat)), Prove(question=question)) if (
                question.character is not None
            ):
                self._claims(seat, question.character).caught += 1
            case _:
                pass

    def _claims(self, seat: Seat, character: Character) -> Claims:
        return self.claims.setdefault((seat, character), Claims())


def begins_turn(step: Happened) -> bool:
    """Whether a new turn begins after the step."""
    return isinstance(step.after.step, ChooseAction) and step.after.step != step.before.step
