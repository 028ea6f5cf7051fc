"""The picture of a game that a client is shown (protocol/API.md 2.2).

One function makes it, from what everybody at the table knows and one seat's `View`. So a client can
only be told what its seat may know; a peer without a seat has no view and sees no hand at all.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from p2pcoup.lobby.naming import table_of
from p2pcoup.node.api.chronicle import Chronicle
from p2pcoup.node.wishes import game_name
from p2pcoup.rules import (
    Act,
    Block,
    Event,
    Examined,
    Keep,
    Lost,
    Opened,
    Redrawn,
    Replaced,
    Seat,
    Setup,
    State,
    View,
    options_to_text,
    pending,
    sentence_to_data,
    told,
)
from p2pcoup.rules.steps import ChooseAction, Prove, Showing
from p2pcoup.table import Terms

Picture: TypeAlias = dict[str, object]
NOBODY: frozenset[Seat] = frozenset()


@dataclass(frozen=True, slots=True)
class Sight:
    """What a picture is made of.

    Attributes:
        seat: whose picture it is; None for one who only watches.
        state: the game as the rules see it; None before the deal.
        view: what the seat may know; None without a seat, and before the deal.
        history: what has happened.
        waiting_for: the seats whose message the table waits for.
        lost: the seats the others have gone on without; caught: those of them that cheated.
        holders: the seats whose keys still lock the Court.
        links: for each seat the state of the link to it.
        number, games: which game of how many; score: the games won, by name.
    """

    terms: Terms
    seat: Seat | None
    state: State | None
    view: View | None
    history: Sequence[Event]
    waiting_for: Sequence[Seat]
    lost: frozenset[Seat] = NOBODY
    caught: frozenset[Seat] = NOBODY
    holders: frozenset[Seat] = NOBODY
    links: Mapping[Seat, str] = field(default_factory=dict)
    number: int = 1
    games: int = 1
    score: Mapping[str, int] = field(default_factory=dict)


def game_picture(sight: Sight, chronicle: Chronicle) -> Picture:
    """All of API.md 2.2 but `stage` and `outcome`, which change by themselves."""
    terms, state = sight.terms, sight.state
    return {
        "id": game_name(terms.game_id),
        "table": table_of(terms.game),
        "edition": terms.edition.name,
        "options": options_to_text(terms.options),
        "number": sight.number,
        "games": sight.games,
        "characters": [character.name for character in terms.edition.characters],
        "you": sight.seat,
        "order": _order(sight),
        "seats": [_seat(sight, chronicle, seat) for seat in terms.seats],
        **_own_cards(sight),
        "court": _first_court(terms) if state is None else state.court_size,
        "treasury": terms.edition.coin_supply if state is None else state.treasury,
        "turn": None if state is None or state.outcome is not None else state.turn,
        "turns": chronicle.turn or int(state is not None and _is_turn(state)),
        "claims": [
            {
                "seat": seat,
                "character": character.name,
                "claimed": claims.claimed,
                "proven": claims.proven,
                "caught": claims.caught,
            }
            for (seat, character), claims in sorted(
                chronicle.claims.items(), key=lambda item: (item[0][0], item[0][1].name)
            )
        ],
        "score": dict(sight.score),
    }


def _is_turn(state: State) -> bool:
    """Whether a turn begins: of the first one nothing has happened yet that could be counted."""
    return isinstance(state.step, ChooseAction)


def _first_court(terms: Terms) -> int:
    """The cards that are shuffled before anybody is dealt one."""
    five = terms.options.setup is Setup.SET_OF_FIVE
    return len(terms.edition.characters if five else terms.edition.cards())


def _order(sight: Sight) -> list[Seat]:
    """The seats clockwise from the one that started; as in the roster before that is known."""
    state = sight.state
    if state is None:
        return list(sight.terms.seats)
    first = next((event.seat for event in sight.history if isinstance(event, Act)), state.turn)
    start = state.order.index(first)
    return [*state.order[start:], *state.order[:start]]


def _seat(sight: Sight, chronicle: Chronicle, seat: Seat) -> Picture:
    member, state = sight.terms.roster[seat], sight.state
    status = "playing"
    if seat in sight.caught:
        status = "caught"
    elif seat in sight.lost:
        status = "lost"
    elif state is not None and seat not in state.living:
        status = "out"
    slots = () if state is None else state.slots[seat]
    return {
        "seat": seat,
        "name": member.name,
        "peer": member.peer,
        "label": member.name,
        "link": sight.links.get(seat, "you" if seat == sight.seat else "reconnecting"),
        "coins": 0 if state is None else state.coins[seat],
        "cards": [None if card is None else card.name for card in slots],
        "status": status,
        "out_turn": chronicle.out.get(seat),
    }


# --- own cards ------------------------------------------------------------------------------------


def _own_cards(sight: Sight) -> Picture:
    """What only this seat knows."""
    view = sight.view
    if view is None:
        up = () if sight.seat is None or sight.state is None else sight.state.slots[sight.seat]
        hand = [None if card is None else card.name for card in up]
        return {"hand": hand, "drawn": [], "aside": [], "returned": [], "examined": []}
    return {
        "hand": [None if card is None else card.name for card in view.hand],
        "drawn": [card.name for card in view.drawn],
        "aside": [card.name for card in view.aside],
        "returned": [card.name for card in view.returned],
        "examined": [
            {
                "seat": each.seat,
                "slot": each.slot,
                "character": each.character.name,
                "there": is_still_there(each, view.history, view.state),
            }
            for each in view.examined
        ],
    }


def is_still_there(examined: Examined, history: Sequence[Event], state: State) -> bool:
    """Whether the card must still lie face down where it was when the seat saw it.

    The public history does not name the slot that was changed, so any change of that seat's
    face-down cards makes it doubtful.
    """
    changed = (Replaced, Redrawn, Keep, Lost)
    since = history[examined.at + 1 :]
    slots = state.slots[examined.seat]
    face_down = examined.slot < len(slots) and slots[examined.slot] is None
    return face_down and not any(
        isinstance(event, changed) and event.seat == examined.seat for event in since
    )


# --- the stage ------------------------------------------------------------------------------------


def stage_picture(sight: Sight, chronicle: Chronicle) -> Picture:
    """What the game is at, and whom it waits for; all of `stage` but the time."""
    step = None if sight.state is None else sight.state.step
    challenger = step.challenger if isinstance(step, Prove | Showing) else None
    return {
        "kind": _stage_kind(sight),
        "act": _act(chronicle.act),
        "block": _block(chronicle.block),
        "challenger": challenger,
        "waiting_for": list(sight.waiting_for),
    }


def _stage_kind(sight: Sight) -> str:
    state = sight.state
    if state is None:
        return "setup"
    if state.outcome is not None:
        return "result"
    if sight.lost & sight.holders:
        return "recovery"
    leaving = sight.holders - frozenset(state.living)
    decisions = pending(state)
    if leaving or not decisions:
        return "cards"
    return decisions[0].kind.value


def _act(act: Act | None) -> Picture | None:
    if act is None:
        return None
    action = act.action
    blocked_by = "anyone" if act.target is None else "target"  # R26, R18
    return {
        "seat": act.seat,
        "action": action.name,
        "target": act.target,
        "cost": action.cost,
        "claim": None if action.claim is None else action.claim.name,
        "blockers": [character.name for character in action.blockers],
        "blocked_by": blocked_by if action.blockers else None,
    }


def _block(block: Block | None) -> Picture | None:
    return None if block is None else {"seat": block.seat, "character": block.character.name}


def outcome_picture(
    sight: Sight, transcript: str | None, audit: str, flaw: str | None = None
) -> Picture | None:
    """How the game ended; None while it goes on."""
    outcome = None if sight.state is None else sight.state.outcome
    if outcome is None:
        return None
    # a seat that was lost left the winner alone; otherwise the last card was turned up
    last = next((e for e in reversed(sight.history) if isinstance(e, Lost | Opened)), None)
    how = told.WINS(who=sight.terms.names[outcome.winner])
    return {
        "winner": outcome.winner,
        "by_absence": isinstance(last, Lost),
        "transcript": transcript,
        "audit": audit,
        "flaw": flaw,
        "told": str(how),
        "how": sentence_to_data(how),
    }
