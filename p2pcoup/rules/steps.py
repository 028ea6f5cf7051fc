"""The steps a turn is made of (SPEC 11.4).

A state carries an *agenda*: the steps still to be taken in this turn, the next one first. Of every
step exactly one of these is true, and the engine (`engine`) relies on it:

* it waits for **decisions** of the seats in its `owners`,
* it waits for the **cards** (it is, or it stands for, a `Request`),
* it goes by itself: the engine takes it at once, so it is never first in a state one can hold.

A step is only looked at when its turn comes. By then its seat may be out; the engine drops it, so
nobody waits for the dead and nothing happens to them twice.

The steps around a question are made for nearly every move and are plain tuples for it. Their fields
differ in type, so one is never equal to one of another class.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import ClassVar, Final, NamedTuple

from p2pcoup.rules.editions import Character
from p2pcoup.rules.moves import Act, Block, Challenge, Concede, Request
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
    PICK = "pick"
    """Which card of your set do you take? (Pick)"""
    REVEAL = "reveal"
    """Which card do you show to the examiner? (Reveal)"""
    JUDGE = "judge"
    """May they keep the card you have been shown? (Allow, Force)"""


BLOCK: Final = DecisionKind.BLOCK
"""Looked up once, because nearly every move asks for it."""


class Decision(NamedTuple):
    """One seat is asked one thing."""

    seat: Seat
    kind: DecisionKind


class AskingOne:
    """What all steps are that wait for the decision of one seat."""

    __slots__ = ()

    seat: Seat

    @property
    def owners(self) -> tuple[Seat, ...]:
        """The seats with a decision."""
        return (self.seat,)


@dataclass(frozen=True, slots=True)
class ChooseAction(AskingOne):
    """The turn's seat decides on its action."""

    kind: ClassVar[DecisionKind] = DecisionKind.ACT
    seat: Seat


class Question(NamedTuple):
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


class Window(NamedTuple):
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
class Prove(AskingOne):
    """The challenged claimant shows a card or declines (D15)."""

    kind: ClassVar[DecisionKind] = DecisionKind.PROVE
    seat: Seat
    """The claimant, who is the question's subject."""
    question: Question
    challenger: Seat


class Showing(NamedTuple):
    """The claimant turns the card in `slot` up to prove the claim. Waits for `Opened`."""

    question: Question
    challenger: Seat
    slot: int


@dataclass(frozen=True, slots=True)
class LoseInfluence(AskingOne):
    """The seat chooses which card to turn up. With one card left it goes by itself."""

    kind: ClassVar[DecisionKind] = DecisionKind.LOSE
    seat: Seat


loss_of: Final[Callable[[Seat], LoseInfluence]] = lru_cache(maxsize=16)(LoseInfluence)
"""The loss of a seat: one object for each seat, because it is needed so often."""


@dataclass(frozen=True, slots=True)
class ChooseKept(AskingOne):
    """The seat has drawn `drawn` cards for its exchange and chooses what to keep."""

    kind: ClassVar[DecisionKind] = DecisionKind.KEEP
    seat: Seat
    drawn: int


@dataclass(frozen=True, slots=True)
class ChoosePick:
    """Everyone picks a card of their set of five, in any order; nothing is seen of it."""

    kind: ClassVar[DecisionKind] = DecisionKind.PICK
    waiting: tuple[Seat, ...]
    """Who has not picked yet, clockwise from the starter."""

    @property
    def owners(self) -> tuple[Seat, ...]:
        """The seats with a decision."""
        return self.waiting


@dataclass(frozen=True, slots=True)
class ChooseReveal(AskingOne):
    """The examined seat chooses the card it shows. With one card left it goes by itself."""

    kind: ClassVar[DecisionKind] = DecisionKind.REVEAL
    seat: Seat
    examiner: Seat


@dataclass(frozen=True, slots=True)
class Judge(AskingOne):
    """The examiner has seen a card and decides whether its owner keeps it."""

    kind: ClassVar[DecisionKind] = DecisionKind.JUDGE
    seat: Seat
    """The examiner."""
    examined: Seat
    slot: int


@dataclass(frozen=True, slots=True)
class CarryOut:
    """The action takes effect. Goes by itself."""

    act: Act


Asking = (
    Window | ChooseAction | Prove | LoseInfluence | ChooseKept | ChoosePick | ChooseReveal | Judge
)
"""The steps that wait for decisions; every member has `.owners` and `.kind`."""

Step = Asking | Question | Showing | CarryOut | Request
"""A request as a step: Open turns the cards up for good, the seat loses that influence."""
