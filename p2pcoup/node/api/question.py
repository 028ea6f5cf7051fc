"""What our seat is asked, as a client is shown it (protocol/API.md 2.3)."""

from collections.abc import Mapping

from p2pcoup.bots import harmless
from p2pcoup.node.wishes import question_id
from p2pcoup.rules import (
    Act,
    Block,
    Character,
    Concede,
    Keep,
    Lose,
    Move,
    Pick,
    Reveal,
    Show,
    View,
    move_to_text,
)
from p2pcoup.rules.choices import Choice, choices
from p2pcoup.rules.refusals import NO_CONCEDING
from p2pcoup.table import Prompt


def question_picture(game_id: bytes, prompt: Prompt) -> dict[str, object]:
    """The question: every move one may look for, and what happens without an answer. All of
    API.md 2.3 but the time.
    """
    kind, view = prompt.decision.kind, prompt.view
    concede = Concede(view.seat)
    return {
        "id": question_id(game_id, prompt.id),
        "kind": kind.value,
        "moves": [_choice(view, choice) for choice in choices(view)],
        "concede": None if kind in NO_CONCEDING else move_to_text(concede),
        "default": move_to_text(harmless(view)),
    }


def _choice(view: View, choice: Choice) -> Mapping[str, object]:
    told: dict[str, object] = {
        "move": move_to_text(choice.move),
        "kind": type(choice.move).__name__.lower(),
        **_details(view, choice.move),
        "legal": choice.why is None,
        "why": None if choice.why is None else choice.why.value,
    }
    if choice.needs is not None:
        told["needs"] = choice.needs
    return told


def _details(view: View, move: Move) -> Mapping[str, object]:
    """What the move is about, so that no client needs to read its text."""
    match move:
        case Act(_, action, target):
            return {
                "action": action.name,
                "target": target,
                "cost": action.cost,
                "claim": _name(action.claim),
            }
        case Block(_, character):
            return {"character": character.name}
        case Show() | Lose() | Reveal():
            return {"slot": move.slot, "character": _name(view.hand[move.slot])}
        case Keep(_, kept):
            pool = (*view.held, *view.drawn)
            places = list(kept or ())
            return {"kept": places, "characters": [pool[place].name for place in places]}
        case Pick(_, character):
            return {"character": _name(character)}
        case _:
            return {}


def _name(character: Character | None) -> str | None:
    return None if character is None else character.name
