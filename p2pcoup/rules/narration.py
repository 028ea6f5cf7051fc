"""The game told in English sentences (SPEC 11.9).

Written from the public states before and after an event and from the edition's table alone: no
character is named here. A pass is silence; what it leads to is told when the window closes.
"""

from collections.abc import Sequence
from typing import assert_never

from p2pcoup.rules.editions import Character
from p2pcoup.rules.moves import (
    Act,
    Allow,
    Block,
    Challenge,
    Concede,
    Dealt,
    Decline,
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
from p2pcoup.rules.seat import clockwise_after
from p2pcoup.rules.state import State
from p2pcoup.rules.steps import CarryOut, ChooseAction, DecisionKind, Judge, Question, Window


def narrate(before: State, event: Event, after: State, names: Sequence[str]) -> tuple[str, ...]:
    """Return the sentences for one event that led from `before` to `after`.

    `names` are the players' names by seat number. There may be no sentence at all.
    """
    return (
        *(_fact(before, event, names) if isinstance(event, Fact) else _move(before, event, names)),
        *_consequences(before, event, after, names),
    )


# What was done


def _move(before: State, move: Move, names: Sequence[str]) -> list[str]:
    who = names[move.seat]
    match move:
        case Act():
            return [_announcement(move, names)]
        case Pass() | Lose() | Show() | Reveal():
            return []  # the cards tell, when they are up
        case Challenge():
            return [_challenge(before, who, names)]
        case Block(_, character):
            return [f"{who} claims {_the(character)} and blocks."]
        case Decline():
            return [_unproven(before, who)]
        case Keep() | Pick():
            return [_secret_choice(before, move, who)]
        case Allow() | Force():
            return [_judgement(before, move, names)]
        case Concede():
            return [f"{who} gives up."]
        case _:
            assert_never(move)


def _announcement(act: Act, names: Sequence[str]) -> str:
    """E.g. "Ann pays 3 coins, claims the Assassin and announces Assassinate against Bob."."""
    action, doing = act.action, []
    if action.cost:
        doing.append(f"pays {_coins(action.cost)}")
    if action.claim is not None:
        doing.append(f"claims {_the(action.claim)}")
    against = "" if act.target is None else f" against {names[act.target]}"
    doing.append(f"announces {action.title}{against}")
    *first, last = doing
    told = f"{', '.join(first)} and {last}" if first else last
    return f"{names[act.seat]} {told}."


def _challenge(before: State, who: str, names: Sequence[str]) -> str:
    question = before.question
    if question is None:
        return f"{who} challenges."
    return f"{who} challenges {names[question.subject]}'s claim to {_claimed(before)}."


def _unproven(before: State, who: str) -> str:
    question = before.question
    told = f"{who} does not show {_claimed(before)}"
    if question is None:
        return f"{told}."
    falls = question.block is not None
    return f"{told}: {'the block falls' if falls else f'{question.act.action.title} fails'}."


def _secret_choice(before: State, move: Keep | Pick, who: str) -> str:
    if isinstance(move, Pick):
        return f"{who} picks a card in secret and sets {_cards(before.aside)} aside."
    return f"{who} keeps {_cards(before.influence(move.seat))} and returns the others."


def _judgement(before: State, move: Allow | Force, names: Sequence[str]) -> str:
    judge = before.step
    owner = names[judge.examined] if isinstance(judge, Judge) else "the other"
    if isinstance(move, Allow):
        return f"{names[move.seat]} lets {owner} keep the card."
    return f"{names[move.seat]} makes {owner} draw another card."


def _fact(before: State, fact: Fact, names: Sequence[str]) -> list[str]:
    match fact:
        case Opened(seat, characters) if before.question is not None:
            question = before.question
            shown = f"{names[seat]} shows {_list([_the(card) for card in characters])}."
            return [shown] if question.block is None else [shown, _stands(question)]
        case Opened(seat, characters):
            turned = _list([_the(card) for card in characters])
            return [f"{names[seat]} turns up {turned} and loses {_influence(len(characters))}."]
        case Replaced(seat):
            return [f"{names[seat]} puts the card back into the Court and draws a new one."]
        case Drew(seat):
            count = getattr(before.request, "count", 0)
            return [f"{names[seat]} draws {_cards(count)} from the Court."]
        case Shuffled():
            return ["The Court is shuffled."]
        case Dealt():
            count = getattr(before.request, "count", 0)
            return [f"The Court is shuffled and everybody is dealt {_cards(count)}."]
        case Shown(seat):
            request = before.request
            reader = names[request.examiner] if isinstance(request, ShowTo) else "the examiner"
            return [f"{names[seat]} shows a face-down card to {reader} alone."]
        case Lost(seat):
            return [f"{names[seat]} is lost; all face-down cards return to the Court unseen."]
        case Redrawn(seat):
            return [f"{names[seat]} draws a new card and puts the old one back into the Court."]
        case _:
            assert_never(fact)


# What came of it


def _consequences(before: State, event: Event, after: State, names: Sequence[str]) -> list[str]:
    told = [*_window_closed(before, event, names), *_coins_moved(before, event, after, names)]
    told += [f"{names[seat]} is out." for seat in before.living if seat not in after.living]
    if before.outcome is None and after.outcome is not None:
        told.append(f"{names[after.outcome.winner]} wins the game.")
    elif isinstance(after.step, ChooseAction) and after.step != before.step:
        told.append(f"It is {names[after.turn]}'s turn.")
    return told


def _window_closed(before: State, event: Event, names: Sequence[str]) -> list[str]:
    """What the last answer decided, where the answers alone do not tell."""
    window = before.step
    if not isinstance(window, Window) or len(window.waiting) > 1:
        return []
    question = window.question
    around = clockwise_after(before.order, question.subject)
    rivals = [given for given in (*window.answers, event) if isinstance(given, Challenge | Block)]
    if len(rivals) > 1:
        first = min(rivals, key=lambda given: around.index(given.seat))
        what = "block" if question.kind is DecisionKind.BLOCK else "challenge"
        return [f"{names[first.seat]} is next clockwise: that {what} counts."]
    if question.block is not None and not rivals:
        return [_stands(question)]
    return []


def _stands(question: Question) -> str:
    return f"The block stands: {question.act.action.title} fails."


def _coins_moved(before: State, event: Event, after: State, names: Sequence[str]) -> list[str]:
    """Coins that came, came back or went with a player; a cost is told with its action."""
    told: list[str] = []
    for seat in before.order:
        change = after.coins[seat] - before.coins[seat]
        who = names[seat]
        if before.coins[seat] and seat in before.living and seat not in after.living:
            told.append(f"{who} returns {_coins(before.coins[seat])} to the Treasury.")
        elif change > 0 and isinstance(event, Decline | Concede) and seat == event.seat:
            told.append(f"{who} gets {_coins(change)} back.")
        elif change > 0:
            told.append(
                f"{who} takes {_coins(change)} from {_source(before, event, names)} "
                f"and has {after.coins[seat]} now."
            )
    return told


def _source(before: State, event: Event, names: Sequence[str]) -> str:
    """Where the coins come from that the action under way brings in."""
    for step in (CarryOut(event), *before.agenda) if isinstance(event, Act) else before.agenda:
        match step:
            case CarryOut(act) | Question(act=act) | Window(Question(act=act)):
                return "the Treasury" if act.target is None else names[act.target]
            case _:
                continue
    return "the Treasury"


# Words


def _the(character: Character) -> str:
    return f"the {character.title}"


def _claimed(before: State) -> str:
    question = before.question
    if question is None or question.character is None:
        return "the claimed card"
    return _the(question.character)


def _list(parts: Sequence[str]) -> str:
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last


def _coins(count: int) -> str:
    return "1 coin" if count == 1 else f"{count} coins"


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


def _influence(count: int) -> str:
    return "an influence" if count == 1 else f"{count} influences"
