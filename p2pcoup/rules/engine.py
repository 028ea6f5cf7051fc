"""One event after another: `apply` (SPEC 11.5).

How it works. The state carries the agenda of the turn (`steps`). An event answers the first step:
a handler below checks it against that step and writes what follows in its place, in the order the
rules demand: the loss of a challenge, then the swap of the shown card, then the action (D4, D27).
`_settle` then takes every step that goes by itself, until the game waits for a decision or for
the cards, or is over. It also looks again at whom a step concerns, because that seat may be out by
now: then the step is dropped (D5), and with one player left everything is (R12, D19).
"""

from typing import TypeVar, assert_never

from p2pcoup.rules.editions import Character, Effect
from p2pcoup.rules.errors import IllegalMoveError, RulesError, WrongSeatError
from p2pcoup.rules.legal import legal_moves
from p2pcoup.rules.moves import (
    Act,
    Block,
    Challenge,
    Concede,
    Decline,
    Draw,
    Drew,
    Event,
    Fact,
    Keep,
    Lose,
    Move,
    Open,
    Opened,
    Pass,
    Replace,
    Replaced,
    Show,
    Shuffle,
    Shuffled,
)
from p2pcoup.rules.notation import fact_to_text, move_to_text, request_to_text
from p2pcoup.rules.seat import Seat, clockwise_after
from p2pcoup.rules.state import State, pending
from p2pcoup.rules.steps import (
    Answer,
    Asking,
    CarryOut,
    ChooseAction,
    ChooseKept,
    DecisionKind,
    LoseInfluence,
    Prove,
    Question,
    Showing,
    Step,
    Window,
)

_Asking = TypeVar("_Asking", bound=Asking)


def apply(state: State, event: Event) -> State:
    """Return the state after the event; the argument is never changed.

    Raises WrongSeatError when the seat has no decision now, IllegalMoveError when the move is not
    legal, or the fact does not answer `state.request` or cannot be true: a card shown on a
    challenge that is not the claimed character, more copies of a character than there are.
    """
    match event:
        case Pass() | Challenge() | Block():
            return _settle(_answer(state, event))
        case Act():
            return _settle(_announce(state, event))
        case Show() | Decline():
            return _settle(_prove(state, event))
        case Lose():
            return _settle(_lose(state, event))
        case Keep():
            return _settle(_keep(state, event))
        case Concede():
            return _settle(_concede(state, event))
        case Opened():
            return _settle(_opened(state, event))
        case Replaced() | Drew() | Shuffled():
            return _settle(_cards_moved(state, event))
        case _:
            assert_never(event)


# Decisions


def _announce(state: State, act: Act) -> State:
    """A turn's action: its cost is paid at once (D8), then come the questions, then the effect."""
    _step(state, act, ChooseAction)
    _check_listed(state, act)
    agenda: list[Step] = [CarryOut(act)]
    if act.action.blockers:
        agenda.insert(0, Question(DecisionKind.BLOCK, act))
    if act.action.claim is not None:
        agenda.insert(0, Question(DecisionKind.CHALLENGE_ACTION, act))
    if act.action.cost:
        state = state.with_coins([(act.seat, -act.action.cost)])
    return state.with_agenda(tuple(agenda))


def _answer(state: State, answer: Pass | Answer) -> State:
    """An answer in a window; the last one closes it."""
    window = _step(state, answer, Window)
    question = window.question
    blocking = question.kind is DecisionKind.BLOCK
    match answer:
        case Challenge() if blocking:
            raise _refusal(state, answer)
        case Block() if not blocking or answer.character not in question.act.action.blockers:
            raise _refusal(state, answer)
        case _:
            pass
    place = window.waiting.index(answer.seat)
    waiting = window.waiting[:place] + window.waiting[place + 1 :]
    answers = window.answers
    if not isinstance(answer, Pass):
        # kept clockwise, so that the order of arrival leaves no trace (D11)
        around = clockwise_after(state.order, question.subject)
        answers = tuple(sorted((*answers, answer), key=lambda given: around.index(given.seat)))
    if waiting:
        return state.with_agenda((Window(question, waiting, answers), *state.agenda[1:]))
    return _close(state, question, answers)


def _close(state: State, question: Question, answers: tuple[Answer, ...]) -> State:
    """All have answered: who conceded goes first, then the first challenge or block counts."""
    rest = state.agenda[1:]
    leaving = [_all_of(state, given.seat) for given in answers if isinstance(given, Concede)]
    first = next((given for given in answers if not isinstance(given, Concede)), None)
    match first:
        case Challenge(challenger):
            rest = (Prove(question, challenger), *rest)
        case Block() as block:
            # the block now decides: what it would stop is asked about again only if it falls
            rest = (Question(DecisionKind.CHALLENGE_BLOCK, question.act, block),)
        case None if question.block is not None:
            rest = ()  # the block stands (R27)
        case None:
            pass
        case _:
            assert_never(first)
    return state.with_agenda((*leaving, *rest))


def _prove(state: State, move: Show | Decline) -> State:
    prove = _step(state, move, Prove)
    if isinstance(move, Decline):
        return _unproven(state, prove, LoseInfluence(move.seat))
    _check_listed(state, move)
    showing = Showing(prove.question, prove.challenger, move.slot)
    return state.with_agenda((showing, *state.agenda[1:]))


def _unproven(state: State, prove: Prove, loss: LoseInfluence | Open) -> State:
    """The claim fell: its claimant pays with `loss`, then the action fails or goes ahead."""
    act = prove.question.act
    if prove.question.block is not None:
        return state.with_agenda((loss, CarryOut(act)))  # R36, D12: no second block
    if act.action.cost:
        state = state.with_coins([(act.seat, act.action.cost)])  # R35, D8
    return state.with_agenda((loss,))


def _lose(state: State, move: Lose) -> State:
    _step(state, move, LoseInfluence)
    _check_listed(state, move)
    return state.with_agenda((Open(move.seat, (move.slot,)), *state.agenda[1:]))


def _keep(state: State, move: Keep) -> State:
    """The kept cards fill the face-down slots; which they are is not public, so both forms of the
    move lead to the same state.
    """
    _step(state, move, ChooseKept)
    if move.kept is not None:
        _check_listed(state, move)
    return state.with_agenda((Shuffle(), *state.agenda[1:]))


def _concede(state: State, move: Concede) -> State:
    """Giving up (D25) instead of whatever was asked."""
    match state.step:
        case Window():
            return _answer(state, move)
        case Prove() as prove if move.seat in prove.owners:
            return _unproven(state, prove, _all_of(state, move.seat))
        case (ChooseAction() | LoseInfluence()) as step if move.seat in step.owners:
            return state.with_agenda((_all_of(state, move.seat), *state.agenda[1:]))
        case _:
            raise _refusal(state, move)


def _all_of(state: State, seat: Seat) -> Open:
    return Open(seat, state.face_down(seat))


# Facts


def _opened(state: State, fact: Opened) -> State:
    """Cards are up: a loss, or the proof of a claim."""
    request = state.request
    if not isinstance(request, Open) or request.seat != fact.seat:
        raise _refusal(state, fact)
    if len(fact.characters) != len(request.slots):
        raise _refusal(state, fact)
    shown = [step.shown for step in state.agenda if isinstance(step, Replace)]
    for character in set(fact.characters):
        others = state.face_up(character) + shown.count(character)
        copies = others + fact.characters.count(character)
        if character not in state.edition.characters or copies > state.edition.copies:
            raise _refusal(state, fact, f"there cannot be another {character.name}")
    if isinstance(state.step, Showing):
        return _shown(state, state.step, fact)
    return _turn_up(state, request, fact.characters)


def _shown(state: State, showing: Showing, fact: Opened) -> State:
    """The claim is proven: the challenger's loss, then the swap, then what was claimed (D27)."""
    question = showing.question
    claimed = question.character
    if claimed is None or fact.characters != (claimed,):
        name = "nothing" if claimed is None else claimed.name
        raise _refusal(state, fact, f"{name} was claimed and something else is shown")
    # a block that is proven stands: nothing is left of the action (R37)
    rest = state.agenda[1:] if question.block is None else ()
    loss = LoseInfluence(showing.challenger)
    return state.with_agenda((loss, Replace(fact.seat, showing.slot, claimed), *rest))


def _turn_up(state: State, request: Open, characters: tuple[Character, ...]) -> State:
    """The cards stay face up (R10); a seat with none left face down is out (R11)."""
    seat = request.seat
    hand = list(state.slots[seat])
    for slot, character in zip(request.slots, characters, strict=True):
        hand[slot] = character
    slots = (*state.slots[:seat], tuple(hand), *state.slots[seat + 1 :])
    coins, living = state.coins, state.living
    if None not in hand:
        living = tuple(other for other in living if other != seat)
        coins = (*coins[:seat], 0, *coins[seat + 1 :])
    return state._replace(slots=slots, coins=coins, living=living, agenda=state.agenda[1:])


def _cards_moved(state: State, fact: Replaced | Drew | Shuffled) -> State:
    """Face-down cards moved between a hand and the Court; nobody saw what."""
    rest = state.agenda[1:]
    match state.step, fact:
        case (Replace(seat), Replaced(by)) if seat == by:
            return state.with_agenda(rest)
        case (Draw(seat, count), Drew(by)) if seat == by:
            return state.with_agenda((ChooseKept(seat, count), *rest))
        case (Shuffle(), Shuffled()):
            return state.with_agenda(rest)
        case _:
            raise _refusal(state, fact)


# Steps that go by themselves


def _settle(state: State) -> State:
    """Take every step that needs nobody, until one does or the game is over."""
    while True:
        if len(state.living) == 1:
            return state.with_agenda(())  # R12: at once, whatever was still to do (D19)
        match state.step:
            case None:
                seat = _next_turn(state)
                return state._replace(turn=seat, agenda=(ChooseAction(seat),))
            case Question() as question:
                state = _ask(state, question)
            case CarryOut(act):
                state = _carry_out(state, act)
            case LoseInfluence(seat) | Open(seat) | Replace(seat) if seat not in state.living:
                state = state.with_agenda(state.agenda[1:])
            case LoseInfluence(seat) if state.influence(seat) == 1:
                return state.with_agenda((_all_of(state, seat), *state.agenda[1:]))
            case _:
                return state


def _next_turn(state: State) -> Seat:
    around = clockwise_after(state.order, state.turn)
    return next(seat for seat in around if seat in state.living)


def _ask(state: State, question: Question) -> State:
    """Open the window, if there is still something to ask and somebody to answer."""
    act = question.act
    if _is_void(state, act):
        return state.with_agenda(())  # D5: no further effect
    others = clockwise_after(state.living, question.subject)
    if question.kind is DecisionKind.BLOCK and act.target is not None:
        others = (act.target,)  # R26
    return state.with_agenda((Window(question, others), *state.agenda[1:]))


def _is_void(state: State, act: Act) -> bool:
    """Whether an action has lost its actor or its target on the way (D5, D25)."""
    gone = act.seat not in state.living
    return gone or (act.target is not None and act.target not in state.living)


def _carry_out(state: State, act: Act) -> State:
    action, rest = act.action, state.agenda[1:]
    if _is_void(state, act):
        return state.with_agenda(rest)
    match action.effect:
        case Effect.GAIN:
            return state.with_coins([(act.seat, action.amount)]).with_agenda(rest)
        case Effect.TAKE:
            victim = _target(act)
            moved = min(action.amount, state.coins[victim])  # R22, D6
            return state.with_coins([(victim, -moved), (act.seat, moved)]).with_agenda(rest)
        case Effect.STRIKE:
            losses = (LoseInfluence(_target(act)),) * action.amount
            return state.with_agenda((*losses, *rest))
        case Effect.EXCHANGE:
            return state.with_agenda((Draw(act.seat, action.amount), *rest))
        case _:
            assert_never(action.effect)


def _target(act: Act) -> Seat:
    if act.target is None:
        raise IllegalMoveError(f"'{move_to_text(act)}' needs a target; name the seat it aims at")
    return act.target


# Refusals


def _step(state: State, move: Move, expected: type[_Asking]) -> _Asking:
    """Return the current step, if it is of that class and the seat has a decision in it."""
    step = state.step
    if isinstance(step, expected) and move.seat in step.owners:
        return step
    raise _refusal(state, move)


def _check_listed(state: State, move: Move) -> None:
    if move not in legal_moves(state, move.seat):
        raise _refusal(state, move)


def _refusal(state: State, event: Event, reason: str = "") -> RulesError:
    """Return the error that fits, saying what would be right."""
    if isinstance(event, Fact):
        expected = "a decision" if state.request is None else request_to_text(state.request)
        expected = expected if state.agenda else "nothing, the game is over"
        because = f": {reason}" if reason else ""
        return IllegalMoveError(
            f"the cards answered '{fact_to_text(event)}'{because}; the game waits for {expected}"
        )
    owners = [decision.seat for decision in pending(state)]
    if event.seat not in owners:
        return WrongSeatError(f"seat {event.seat} has nothing to decide now; {_waited_for(state)}")
    listed = ", ".join(move_to_text(move) for move in legal_moves(state, event.seat))
    return IllegalMoveError(
        f"'{move_to_text(event)}' is not legal now; seat {event.seat} may choose from: {listed}"
    )


def _waited_for(state: State) -> str:
    if state.outcome is not None:
        return f"the game is over, seat {state.outcome.winner} has won"
    if state.request is not None:
        return f"the game waits for the cards: {request_to_text(state.request)}"
    return "; ".join(f"seat {seat} decides: {kind.value}" for seat, kind in pending(state))
