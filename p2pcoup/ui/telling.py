"""What a game is at and what is asked, in sentences, for every way of showing it."""

from typing import Final

from p2pcoup.ui import words
from p2pcoup.ui.choices import label
from p2pcoup.ui.pictures import Announced, Game, Lobby, Question
from p2pcoup.ui.words import N_, _, fill, listed, ngettext

WINDOWS_ON_CLAIMS: Final = frozenset({"challenge-action", "challenge-block"})
CHOOSING: Final = frozenset({"prove", "reveal", "judge", "lose", "keep", "pick"})
"""Stages in which one seat, or each for itself, has to choose."""


def stage(game: Game) -> str:
    """What led here and what may still be done about it."""
    kind = game.stage.kind
    if kind in CHOOSING and (told := _so_far(game)) and game.you in game.stage.waiting_for:
        return told  # the user sees the question instead
    first = _so_far(game) if kind in WINDOWS_ON_CLAIMS | CHOOSING | {"block"} else ""
    return f"{first} {awaited(game)}".strip()


def awaited(game: Game) -> str:
    """What may be done now, by whom, without what led here."""
    now = game.stage
    who = listed([game.name(seat) for seat in now.waiting_for])
    if now.kind in WINDOWS_ON_CLAIMS and now.act is not None:
        return f"{_('Anybody else may challenge that now.')} {afterwards(game)}".strip()
    if now.kind == "block" and now.act is not None:
        return _blockable(now.act, game, who)
    if now.kind == "act":
        if game.turn == game.you and game.you is not None:
            return _("It is your turn.")
        return fill(_("It is {who}'s turn."), {"who": game.name(game.turn)})
    return _choosing(now.kind, who, game) if now.kind in CHOOSING else _by_itself(now.kind)


def afterwards(game: Game) -> str:
    """What can still be done about an action when its claim is not challenged; empty if nothing."""
    act = game.stage.act
    if game.stage.kind != "challenge-action" or act is None or not act.blockers:
        return ""
    fields = {
        "target": game.name(act.target),
        "characters": words.either([words.character(name) for name in act.blockers]),
    }
    if act.target is None:
        return fill(_("Then anybody may block it as {characters}."), fields)
    return fill(_("Then {target} may block it as {characters}."), fields)


def _announced(act: Announced, game: Game) -> str:
    fields = {
        "who": game.name(act.seat),
        "action": words.action(act.action),
        "target": game.name(act.target),
        "character": words.character(act.claim or ""),
    }
    if act.claim is None and act.target is None:
        return fill(_("{who} announces {action}."), fields)
    if act.claim is None:
        return fill(_("{who} announces {action} against {target}."), fields)
    if act.target is None:
        return fill(_("{who} claims the {character} for {action}."), fields)
    return fill(_("{who} claims the {character} for {action} against {target}."), fields)


def _blockable(act: Announced, game: Game, waiting: str) -> str:
    fields = {
        "target": game.name(act.target) if act.target is not None else waiting,
        "characters": words.either([words.character(name) for name in act.blockers]),
    }
    if not act.blockers:
        return fill(_("{target} may block it now."), fields)
    if act.target is None:
        return fill(_("Anybody else may block it now as {characters}."), fields)
    return fill(_("{target} may block it now as {characters}."), fields)


def _blocked(act: Announced, block: tuple[int, str], game: Game) -> str:
    fields = {
        "who": game.name(block[0]),
        "character": words.character(block[1]),
        "action": words.action(act.action),
        "actor": game.name(act.seat),
    }
    return fill(_("{who} claims the {character} and blocks {action} by {actor}."), fields)


def _so_far(game: Game) -> str:
    """What was announced in this turn; empty if nothing was."""
    act, block = game.stage.act, game.stage.block
    if act is None:
        return ""
    return _announced(act, game) if block is None else _blocked(act, block, game)


def claimed(game: Game) -> str:
    """The character that is claimed at this stage; empty if none is."""
    now = game.stage
    if now.block is not None:
        return now.block[1]
    return (now.act.claim or "") if now.act is not None else ""


def _choosing(kind: str, who: str, game: Game) -> str:
    actor = game.name(game.stage.act.seat if game.stage.act is not None else game.turn)
    fields = {"who": who, "character": words.character(claimed(game)), "actor": actor}
    match kind:
        case "prove":
            told = _("{who} is challenged: show the {character}, or lose an influence.")
        case "lose":
            told = _("{who} loses an influence and chooses which card to turn up.")
        case "keep":
            told = _("{who} chooses which cards to keep.")
        case "pick":
            told = _("Each chooses a card of their set of five in secret: {who}.")
        case "reveal":
            told = _("{who} chooses a card to show to {actor} alone.")
        case _:
            told = _("{who} has seen a card and decides whether it may be kept.")
    return fill(told, fields)


def _by_itself(kind: str) -> str:
    match kind:
        case "setup":
            return _("All players shuffle the cards together, then they are dealt.")
        case "cards":
            return _("The cards are moved; this takes a moment.")
        case "recovery":
            return _("The Court is put together again without the player who is lost.")
        case "result":
            return _("The game is over; everybody signs the result.")
        case _:
            return _("Please wait.")


_PROMPTS: Final = {
    "act": N_("It is your turn. What do you do?"),
    "challenge-action": N_("Do you challenge {actor}, who claims the {character}?"),
    "challenge-block": N_("Do you challenge {who}, who claims the {character}?"),
    "block": N_("Do you block {action} by {actor}?"),
    "prove": N_("You are challenged. Do you show the {character}?"),
    "lose": N_("You lose an influence. Which card do you turn up?"),
    "keep": N_("Which cards do you keep? The others go back to the Court."),
    "pick": N_("Which card do you take? The others are set aside unseen."),
    "reveal": N_("Which card do you show to {actor} alone?"),
}
"""By the kind of a question."""


def prompt(question: Question, game: Game) -> str:
    """The question itself."""
    if question.kind == "judge":
        return _judge(game)
    now = game.stage
    fields = {
        "character": words.character(claimed(game)),
        "action": words.action(now.act.action if now.act is not None else ""),
        "actor": game.name(now.act.seat if now.act is not None else game.turn),
        "who": game.name(now.block[0]) if now.block is not None else "",
    }
    return fill(_(_PROMPTS.get(question.kind, N_("What do you answer?"))), fields)


def _judge(game: Game) -> str:
    """The examiner's question, with the card just seen."""
    if not game.examined:
        return _("May the card be kept?")
    seen = game.examined[-1]
    fields = {"who": game.name(seen.seat), "character": words.character(seen.character)}
    return fill(_("{who} has shown you the {character}. May they keep it?"), fields)


def waiting(game: Game) -> str:
    """Who has not answered yet; empty if nobody is waited for."""
    others = [game.name(seat) for seat in game.stage.waiting_for if seat != game.you]
    if game.you in game.stage.waiting_for and game.you is not None:
        others = [_("you"), *others]
    return fill(_("Waiting for: {who}"), {"who": ", ".join(others)}) if others else ""


def default_of(question: Question, game: Game, *, secret: bool = False) -> str:
    """What the node answers when the time is over; empty if it does not say."""
    found = next((move for move in question.moves if move.move == question.default), None)
    if found is None:
        return ""
    return label(found, game, secret=secret)


def seen(game: Game) -> str:
    """The cards others have shown to the user alone and that are still theirs; empty if none."""
    told = [
        fill(
            _("{who} has the {character}"),
            {"who": game.name(each.seat), "character": words.character(each.character)},
        )
        for each in game.examined
        if each.there
    ]
    return ", ".join(dict.fromkeys(told))


def link(state: str) -> str:
    """What is the matter with a seat's link; empty if nothing is."""
    match state:
        case "reconnecting":
            # Translators: max 14 columns. The link to a player is down.
            return _("reconnecting")
        case "gone":
            # Translators: max 14 columns. A player who is out has left.
            return _("gone")
        case "relayed":
            # Translators: max 14 columns. Reached through other players.
            return _("via others")
        case _:
            return ""


def status(state: str, out_turn: int | None) -> str:
    """Why a seat plays no more; empty if it does."""
    match state:
        case "out" if out_turn is not None:
            # Translators: max 16 columns.
            return fill(_("out in turn {n}"), {"n": str(out_turn)})
        case "out":
            # Translators: max 16 columns.
            return _("out")
        case "lost":
            # Translators: max 16 columns. Vanished for too long.
            return _("lost")
        case "caught":
            # Translators: max 16 columns. Caught cheating by proof.
            return _("caught cheating")
        case _:
            return ""


def audit(state: str) -> str:
    """What the audit of a finished game says."""
    match state:
        case "valid":
            return _("Audit passed: every signature, proof and rule of this game holds.")
        case "invalid":
            return _("AUDIT FAILED: something in this game does not hold.")
        case _:
            return _("The audit is running.")


def settings(lobby: Lobby) -> list[str]:
    """What will be played at this table."""
    told = [
        fill(_("{edition} edition"), {"edition": words.edition(lobby.edition)}),
        fill(ngettext("{n} game", "{n} games", lobby.games), {"n": str(lobby.games)}),
        fill(_("up to {n} players"), {"n": str(lobby.seats)}),
    ]
    if lobby.options not in ("", "standard"):
        told.insert(1, words.options(lobby.options))
    times = dict(lobby.times)
    if "decide" in times and "answer" in times:
        told.append(
            fill(
                _("{decide} s for a decision, {answer} s for an answer"),
                {"decide": str(times["decide"]), "answer": str(times["answer"])},
            )
        )
    return told
