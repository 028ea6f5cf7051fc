"""The steps a turn is made of (SPEC 11.4).

A state carries an *agenda*: the steps still to be taken in this turn, the next one first. Of every
step exactly one of these is true, and the engine (`engine`) relies on it:

* it waits for **decisions** of the seats in its `owners`,
* it waits for the **cards** (it is, or it stands for, a `Request`),
* it goes by itself: the engine takes it at once, so it is never first in a state one can hold.

A step is only looked at when its turn comes. By then its seat may be out; the engine drops it, so
nobody waits for the dead and nothing happens to them twice.
"""

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from p2pcoup.rules.editions import Character
from p2pcoup.rules.moves import Act, Block, Challenge, Concede, Draw, Open, Replace, Shuffle
from p2pcoup.rules.seat import Seat


class DecisionKind(Enum):
    """What a seat is asked."""

    ACT = "act"
    """Which action is your turn? (Act)"""
    CHALLENGE_ACTION = "challenge-action"
    """Do you challenge the actor's claim? (Pass, Challenge)"""
    BLOCK = "block"
    """Do you block the action? (Pass, Block)"""
    CHALLENGE_BLOCK = "challenge-block"
    """Do you challenge the blocker's claim? (Pass, Challenge)"""
    PROVE = "prove"
    """You are challenged: which card do you show? (Show, Decline)"""
    LOSE = "lose"
    """Which influence do you lose? (Lose)"""
    KEEP = "keep"
    """Which cards do you keep? (Keep)"""


class Decision(NamedTuple):
    """One seat is asked one thing."""

    seat: Seat
    kind: DecisionKind


@dataclass(frozen=True, slots=True)
class ChooseAction:
    """The turn's seat decides on its action."""

    seat: Seat

    @property
    def owners(self) -> tuple[Seat, ...]:
        """The seats with a decision."""
        return (self.seat,)

    @property
    def kind(self) -> DecisionKind:
        """What they are asked."""
        return DecisionKind.ACT


@dataclass(frozen=True, slots=True)
class Question:
    """Ask the others about an action or its block. Goes by itself: it opens a `Window`."""

    kind: DecisionKind
    """CHALLENGE_ACTION, BLOCK or CHALLENGE_BLOCK."""
    act: Act
    block: Block | None = None
    """The block in question; None unless the kind is CHALLENGE_BLOCK."""

    @property
    def subject(self) -> Seat:
        """The seat whose action or claim is in question."""
        return self.act.seat if self.block is None else self.block.seat

    @property
    def character(self) -> Character | None:
        """The character the subject claims; None where the action claims none."""
        return self.act.action.claim if self.block is None else self.block.character


Answer = Challenge | Block | Concede
"""What a window remembers. Everyone who neither is in it nor waited for has passed."""


@dataclass(frozen=True, slots=True)
class Window:
    """Everyone asked answers, in any order (D11); nothing happens before all have."""

    question: Question
    waiting: tuple[Seat, ...]
    """Who has not answered yet, clockwise from the subject."""
    answers: tuple[Answer, ...] = ()
    """What was said apart from passing, clockwise from the subject, so the first one counts."""

    @property
    def owners(self) -> tuple[Seat, ...]:
        """The seats with a decision."""
        return self.waiting

    @property
    def kind(self) -> DecisionKind:
        """What they are asked."""
        return self.question.kind


@dataclass(frozen=True, slots=True)
class Prove:
    """The challenged claimant shows a card or declines (D15)."""

    question: Question
    challenger: Seat

    @property
    def owners(self) -> tuple[Seat, ...]:
        """The seats with a decision."""
        return (self.question.subject,)

    @property
    def kind(self) -> DecisionKind:
        """What they are asked."""
        return DecisionKind.PROVE


@dataclass(frozen=True, slots=True)
class Showing:
    """The claimant turns the card in `slot` up to prove the claim. Waits for `Opened`."""

    question: Question
    challenger: Seat
    slot: int


@dataclass(frozen=True, slots=True)
class LoseInfluence:
    """The seat chooses which card to turn up. With one card left it goes by itself."""

    seat: Seat

    @property
    def owners(self) -> tuple[Seat, ...]:
        """The seats with a decision."""
        return (self.seat,)

    @property
    def kind(self) -> DecisionKind:
        """What they are asked."""
        return DecisionKind.LOSE


@dataclass(frozen=True, slots=True)
class ChooseKept:
    """The seat has drawn `drawn` cards for its exchange and chooses what to keep."""

    seat: Seat
    drawn: int

    @property
    def owners(self) -> tuple[Seat, ...]:
        """The seats with a decision."""
        return (self.seat,)

    @property
    def kind(self) -> DecisionKind:
        """What they are asked."""
        return DecisionKind.KEEP


@dataclass(frozen=True, slots=True)
class CarryOut:
    """The action takes effect. Goes by itself."""

    act: Act


Asking = ChooseAction | Window | Prove | LoseInfluence | ChooseKept
"""The steps that wait for decisions; every member has `.owners` and `.kind`."""

Step = Asking | Question | Showing | CarryOut | Open | Replace | Draw | Shuffle
"""A request as a step: Open turns the cards up for good, the seat loses that influence."""
