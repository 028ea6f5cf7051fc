"""From the node's messages to pictures (API 2).

Nothing here decides anything. Missing or unknown parts become defaults, so that an older or a newer
node can still be shown.
"""

from p2pcoup.ui import words
from p2pcoup.ui.fields import Fields
from p2pcoup.ui.pictures import (
    Again,
    Announced,
    Claim,
    Game,
    Lobby,
    Move,
    Outcome,
    Person,
    Playable,
    Question,
    SeatPicture,
    Seen,
    Stage,
    State,
)
from p2pcoup.ui.sentences import say


def read_state(message: Fields) -> State:
    """Read a ``state`` message."""
    return State(
        phase=message.exact("phase"),
        lobby=_lobby(message.part("lobby")) if "lobby" in message else None,
        game=_game(message.part("game")) if "game" in message else None,
        question=_question(message.part("question")) if "question" in message else None,
        watching=message.number("watching"),
        muted=frozenset(each for each in message.values("muted") if isinstance(each, str)),
        again=_again(message.part("again")) if "again" in message else None,
        reason=say(message.value("why_ended")) or message.text("reason"),
    )


def _lobby(lobby: Fields) -> Lobby:
    people = lobby.parts("people")
    return Lobby(
        table=words.table(lobby.text("table"), [each.text("name") for each in people]),
        edition=lobby.text("edition"),
        options=lobby.text("options"),
        games=lobby.number("games", 1),
        seats=lobby.number("seats"),
        times=tuple(
            (name, value) for name, value in lobby.items("times") if isinstance(value, int)
        ),
        opener=lobby.exact("opener"),
        opener_here=lobby.flag("opener_here", default=True),
        invite=lobby.text("invite"),
        address=lobby.text("address"),
        people=tuple(_person(person) for person in people),
        may=frozenset(lobby.texts("may")),
        why_not_start=say(lobby.value("why_not_start")),
        starting=lobby.flag("starting"),
        notes=tuple(say(note) for note in lobby.values("notes")),
        editions=tuple(
            Playable(each.text("edition"), each.number("fewest"), each.number("most"))
            for each in lobby.parts("editions")
        ),
    )


def _person(person: Fields) -> Person:
    return Person(
        peer=person.exact("peer"),
        name=person.text("label") or person.text("name"),
        ready=person.flag("ready"),
        bot=person.flag("bot"),
        here=person.flag("here", default=True),
        you=person.flag("you"),
        known=person.exact("known"),
        watching=person.flag("watching"),
    )


def _game(game: Fields) -> Game:
    claims = tuple(_claim(claim) for claim in game.parts("claims"))
    seats = tuple(_seat(seat) for seat in game.parts("seats"))
    hand = game.maybe_texts("hand")
    return Game(
        id=game.exact("id"),
        table=words.table(game.text("table"), [seat.name for seat in seats]),
        edition=game.text("edition"),
        options=game.text("options"),
        number=game.number("number", 1),
        games=game.number("games", 1),
        you=game.maybe_number("you"),
        order=game.numbers("order"),
        seats=seats,
        hand=hand,
        drawn=game.texts("drawn"),
        aside=game.texts("aside"),
        examined=tuple(
            Seen(one.number("seat"), one.text("character"), one.flag("there", default=True))
            for one in game.parts("examined")
        ),
        court=game.number("court"),
        treasury=game.number("treasury"),
        turn=game.maybe_number("turn"),
        turns=game.number("turns"),
        stage=_stage(game.part("stage")),
        claims=claims,
        characters=game.texts("characters") or _characters(claims, seats, hand),
        outcome=_outcome(game.part("outcome")) if "outcome" in game else None,
        score=tuple(
            (Fields({"name": name}).text("name"), value)
            for name, value in game.items("score")
            if isinstance(value, int)
        ),
    )


def _characters(
    claims: tuple[Claim, ...], seats: tuple[SeatPicture, ...], hand: tuple[str | None, ...]
) -> tuple[str, ...]:
    """All characters that are named anywhere."""
    seen = [claim.character for claim in claims]
    seen += [card for seat in seats for card in seat.cards if card is not None]
    seen += [card for card in hand if card is not None]
    return tuple(dict.fromkeys(seen))


def _seat(seat: Fields) -> SeatPicture:
    return SeatPicture(
        seat=seat.number("seat"),
        name=seat.text("label") or seat.text("name"),
        peer=seat.exact("peer"),
        link=seat.exact("link"),
        coins=seat.number("coins"),
        cards=seat.maybe_texts("cards"),
        status=seat.exact("status") or "playing",
        out_turn=seat.maybe_number("out_turn"),
    )


def _stage(stage: Fields) -> Stage:
    block = stage.part("block")
    return Stage(
        kind=stage.exact("kind"),
        act=_announced(stage.part("act")) if "act" in stage else None,
        block=(block.number("seat"), block.text("character")) if "block" in stage else None,
        waiting_for=stage.numbers("waiting_for"),
        remaining_ms=stage.maybe_number("remaining_ms"),
    )


def _announced(act: Fields) -> Announced:
    return Announced(
        seat=act.number("seat"),
        action=act.text("action"),
        target=act.maybe_number("target"),
        claim=act.text("claim") or None,
        blockers=act.texts("blockers"),
        blocked_by=act.exact("blocked_by") or None,
    )


def _claim(claim: Fields) -> Claim:
    return Claim(
        seat=claim.number("seat"),
        character=claim.text("character"),
        claimed=claim.number("claimed"),
        proven=claim.number("proven"),
        caught=claim.number("caught"),
    )


def _outcome(outcome: Fields) -> Outcome:
    return Outcome(
        winner=outcome.number("winner"),
        by_absence=outcome.flag("by_absence"),
        transcript=outcome.text("transcript"),
        audit=outcome.exact("audit"),
        flaw=outcome.text("flaw"),
    )


def _question(question: Fields) -> Question:
    return Question(
        id=question.exact("id"),
        kind=question.exact("kind"),
        moves=tuple(_move(move) for move in question.parts("moves")),
        concede=question.exact("concede"),
        default=question.exact("default"),
        remaining_ms=question.maybe_number("remaining_ms"),
    )


def _move(move: Fields) -> Move:
    return Move(
        move=move.exact("move"),
        kind=move.exact("kind"),
        action=move.text("action"),
        target=move.maybe_number("target"),
        character=move.text("character"),
        slot=move.maybe_number("slot"),
        characters=move.texts("characters"),
        claim=move.text("claim"),
        cost=move.number("cost"),
        legal=move.flag("legal", default=True),
        why=move.exact("why"),
        needs=move.number("needs"),
    )


def _again(again: Fields) -> Again:
    return Again(
        asked=again.numbers("asked"),
        asking=again.flag("asking"),
        unwilling=again.numbers("not"),
    )
