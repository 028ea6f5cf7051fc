"""The game told in sentences (SPEC 11.9).

Written from the public states before and after an event and from the edition's table alone: no
character is named here. A pass is silence; what it leads to is told when the window closes.
"""

from collections.abc import Iterator, Sequence
from typing import assert_never

from p2pcoup.rules import told
from p2pcoup.rules.editions import Character
from p2pcoup.rules.moves import (
    Act,
    Allow,
    Block,
    Challenge,
    Concede,
    Deal,
    Dealt,
    Decline,
    Draw,
    Drew,
    Event,
    Fact,
    Force,
    Keep,
    Lose,
    Lost,
    Move,
    Opened,
    Pass,
    Pick,
    Redrawn,
    Replaced,
    Reveal,
    Show,
    Shown,
    ShowTo,
    Shuffled,
)
from p2pcoup.rules.seat import Seat, clockwise_after
from p2pcoup.rules.sentence import Argument, Sentence, listed_the
from p2pcoup.rules.state import State
from p2pcoup.rules.steps import CarryOut, ChooseAction, DecisionKind, Judge, Question, Window


def narrate(
    before: State, event: Event, after: State, names: Sequence[str]
) -> tuple[Sentence, ...]:
    """Return the sentences for one event that led from `before` to `after`.

    `names` are the players' names by seat number. There may be no sentence at all. Raises
    ValueError when the event cannot follow on `before`.
    """
    done = _fact(before, event, names) if isinstance(event, Fact) else _move(before, event, names)
    return (*done, *_consequences(before, event, after, names))


# What was done


def _move(before: State, move: Move, names: Sequence[str]) -> Iterator[Sentence]:
    who = names[move.seat]
    match move:
        case Act():
            yield _announcement(move, names)
        case Pass() | Lose() | Show() | Reveal():
            pass  # the cards tell, when they are up
        case Challenge():
            question, character = _claim(before)
            claimant = names[question.subject]
            yield told.CHALLENGES(who=who, claimant=claimant, character=character)
        case Block(_, character):
            yield told.BLOCKS(who=who, character=character)
        case Decline():
            yield _unproven(before, who)
        case Keep():
            yield told.KEEPS(who=who, cards=before.influence(move.seat))
        case Pick():
            yield told.PICKS(who=who, cards=before.aside)
        case Allow() | Force():
            judged = told.ALLOWS if isinstance(move, Allow) else told.FORCES
            yield judged(who=who, other=names[_examined(before)])
        case Concede():
            yield told.CONCEDES(who=who)
        case _:
            assert_never(move)


def _announcement(act: Act, names: Sequence[str]) -> Sentence:
    """E.g. "Ann pays 3 coins, claims the Assassin and announces Assassinate against Bob."."""
    action = act.action
    args: dict[str, Argument] = {"who": names[act.seat], "action": action}
    if action.cost:
        args["coins"] = action.cost
    if action.claim is not None:
        args["character"] = action.claim
    if act.target is not None:
        args["target"] = names[act.target]
    template = _ANNOUNCEMENTS["coins" in args, "character" in args, "target" in args]
    return template(**args)


_ANNOUNCEMENTS = {
    (False, False, False): told.ANNOUNCES,
    (False, False, True): told.ANNOUNCES_AGAINST,
    (False, True, False): told.CLAIMS,
    (False, True, True): told.CLAIMS_AGAINST,
    (True, False, False): told.PAYS,
    (True, False, True): told.PAYS_AGAINST,
    (True, True, False): told.PAYS_CLAIMS,
    (True, True, True): told.PAYS_CLAIMS_AGAINST,
}
"""By what the action has: a cost, a claim, a target."""


def _unproven(before: State, who: str) -> Sentence:
    question, character = _claim(before)
    if question.block is not None:
        return told.SHOWS_NOT_FOR_BLOCK(who=who, character=character)
    return told.SHOWS_NOT(who=who, character=character, action=question.act.action)


def _fact(before: State, fact: Fact, names: Sequence[str]) -> Iterator[Sentence]:
    if isinstance(fact, Shuffled):
        yield told.SHUFFLED()
        return
    if isinstance(fact, Dealt):
        yield told.DEALT(cards=_count(before))
        return
    who = names[fact.seat]
    match fact:
        case Opened():
            yield from _opened(before, fact, who)
        case Replaced():
            yield told.REPLACES(who=who)
        case Drew():
            yield told.DRAWS(who=who, cards=_count(before))
        case Shown():
            yield told.SHOWS_TO(who=who, examiner=names[_examiner(before)])
        case Lost():
            yield told.LOST(who=who)
        case Redrawn():
            yield told.REDRAWS(who=who)
        case _:
            assert_never(fact)


def _opened(before: State, fact: Opened, who: str) -> Iterator[Sentence]:
    """Cards are up, to prove a claim or for good."""
    question, cards = before.question, listed_the(fact.characters)
    if question is None:
        yield told.TURNS_UP(who=who, cards=cards, influences=len(fact.characters))
        return
    yield told.SHOWS(who=who, character=cards)
    if question.block is not None:
        yield told.STANDS(action=question.act.action)


# What came of it


def _consequences(
    before: State, event: Event, after: State, names: Sequence[str]
) -> Iterator[Sentence]:
    yield from _window_closed(before, event, names)
    yield from _coins_moved(before, event, after, names)
    for seat in before.living:
        if seat not in after.living:
            yield told.OUT(who=names[seat])
    if before.outcome is None and after.outcome is not None:
        yield told.WINS(who=names[after.outcome.winner])
    elif isinstance(after.step, ChooseAction) and after.step != before.step:
        yield told.TURN(who=names[after.turn])


def _window_closed(before: State, event: Event, names: Sequence[str]) -> Iterator[Sentence]:
    """What the last answer decided, where the answers alone do not tell."""
    window = before.step
    if not isinstance(window, Window) or len(window.waiting) > 1:
        return
    question = window.question
    around = clockwise_after(before.order, question.subject)
    rivals = [given for given in (*window.answers, event) if isinstance(given, Challenge | Block)]
    if len(rivals) > 1:
        first = min(rivals, key=lambda given: around.index(given.seat))
        blocks = question.kind is DecisionKind.BLOCK
        counts = told.BLOCK_COUNTS if blocks else told.CHALLENGE_COUNTS
        yield counts(who=names[first.seat])
    elif question.block is not None and not rivals:
        yield told.STANDS(action=question.act.action)


def _coins_moved(
    before: State, event: Event, after: State, names: Sequence[str]
) -> Iterator[Sentence]:
    """Coins that came, came back or went with a player; a cost is told with its action."""
    for seat in before.order:
        change = after.coins[seat] - before.coins[seat]
        who = names[seat]
        if before.coins[seat] and seat in before.living and seat not in after.living:
            yield told.RETURNS(who=who, coins=before.coins[seat])
        elif change > 0 and isinstance(event, Decline | Concede) and seat == event.seat:
            yield told.GETS_BACK(who=who, coins=change)
        elif change > 0:
            source, has = _source(before, event), after.coins[seat]
            if source is None:
                yield told.TAKES(who=who, coins=change, has=has)
            else:
                yield told.TAKES_FROM(who=who, coins=change, target=names[source], has=has)


def _source(before: State, event: Event) -> Seat | None:
    """Whose coins the action under way brings in; None: the Treasury's."""
    for step in (CarryOut(event), *before.agenda) if isinstance(event, Act) else before.agenda:
        match step:
            case CarryOut(act) | Question(act=act) | Window(Question(act=act)):
                return act.target
            case _:
                continue
    return None


# What the state says of it


def _claim(before: State) -> tuple[Question, Character]:
    question = before.question
    if question is None or question.character is None:
        raise ValueError("no claim is in question here")
    return question, question.character


def _examined(before: State) -> Seat:
    if not isinstance(before.step, Judge):
        raise ValueError("nobody is examined here")
    return before.step.examined


def _examiner(before: State) -> Seat:
    if not isinstance(before.request, ShowTo):
        raise ValueError("nothing is shown to anybody here")
    return before.request.examiner


def _count(before: State) -> int:
    if not isinstance(before.request, Draw | Deal):
        raise ValueError("no cards are drawn or dealt here")
    return before.request.count
