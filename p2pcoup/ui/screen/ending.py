"""After the game: who won, who was out when, the transcript and its audit, another game."""

from p2pcoup.ui import telling
from p2pcoup.ui.pictures import Game, Outcome, SeatPicture
from p2pcoup.ui.screen.frame import Frame
from p2pcoup.ui.screen.table import claim_legend, claim_rows, seat_rows
from p2pcoup.ui.screen.widgets import (
    Box,
    Markup,
    Page,
    Part,
    centred,
    columns_of,
    ends,
    line,
    prose,
    rule,
    unbroken,
)
from p2pcoup.ui.words import _, fill, listed


def over_screen(frame: Frame, game: Game) -> Box:
    """Draw a finished game."""
    turns = fill(_("{n} turns"), {"n": str(game.turns)})
    head = frame.title(fill(_("The game at {table} is over"), {"table": game.table}), turns)
    gap = [line("")] if frame.rows >= 30 else []
    parts = [head, *gap]
    if game.outcome is not None:
        parts += [*_winner(frame, game, game.outcome), *gap]
    parts += [*seat_rows(frame, game, frame.columns), *gap]
    if game.outcome is not None:
        parts += _transcript(game.outcome)
    parts += [*gap, *_again(frame, game), *gap]
    if frame.rows >= 36:
        parts += [*claim_rows(frame, game, min(frame.columns, 90))]
        parts += [line(("dim", claim_legend(frame))), *gap]
    parts += [rule(_("What happened"), frame.columns, frame.signs)]
    return Page(parts, frame.log(), frame.foot())


def _winner(frame: Frame, game: Game, outcome: Outcome) -> list[Part]:
    star = frame.signs.star
    if outcome.winner == game.you:
        told = _("You win the game!")
    else:
        told = fill(_("{who} wins the game."), {"who": game.name(outcome.winner)})
    shown: list[Part] = [centred(("turn", f"{star} {told} {star}"))]
    if outcome.by_absence:
        shown.append(prose(_("Nobody else was left: the others were away for too long.")))
    if order := _out_order(game):
        shown.append(prose(order))
    if game.games > 1:
        won = ", ".join(f"{name} {count}" for name, count in game.score)
        shown.append(line(fill(_("Games won: {score}"), {"score": won})))
    return shown


def _out_order(game: Game) -> str:
    """Who was out when, first to last."""
    out = sorted(
        (seat for seat in game.seats if seat.out_turn is not None),
        key=lambda seat: seat.out_turn or 0,
    )
    told = [fill(_("{who} in turn {n}"), _when(seat)) for seat in out]
    return fill(_("Out: {who}."), {"who": listed(told)}) if told else ""


def _when(seat: SeatPicture) -> dict[str, str]:
    return {"who": seat.name, "n": str(seat.out_turn)}


def _transcript(outcome: Outcome) -> list[Part]:
    style = {"valid": "good", "invalid": "alert"}.get(outcome.audit, "wait")
    parts: list[Part] = [prose((style, telling.audit(outcome.audit)))]
    if outcome.flaw and outcome.audit == "invalid":
        parts.append(prose(outcome.flaw))
    if outcome.transcript:
        parts.append(line(_("The transcript, for `p2pcoup audit`:")))
        parts.append(unbroken(("strong", outcome.transcript)))
    return parts


def _again(frame: Frame, game: Game) -> list[Part]:
    """Who wants another game."""
    state = frame.model.state
    if state.phase == "ended":
        return [prose(("wait", f"{state.reason} {_('Q closes this window.')}".strip()))]
    again = state.again
    if again is None:
        return []
    names = [game.name(seat) for seat in again.asked]
    asked = fill(_("Another game: {who}"), {"who": ", ".join(names)}) if names else ""
    if unwilling := [game.name(seat) for seat in again.unwilling]:
        asked += "  " if asked else ""
        asked += fill(_("No more: {who}"), {"who": ", ".join(unwilling)})
    if again.asking:
        hint: Markup = ("wait", _("You want another one; the others have to say so too."))
    else:
        hint = ("turn", _("Press A to play another game."))
    told = asked or _("Nobody has asked for another game yet.")
    if columns_of(told) + columns_of(hint) < frame.columns:
        return [ends(told, hint, frame.columns)]
    return [prose(told), line(hint)]


def ended_screen(frame: Frame, told: str = "") -> Box:
    """Before the first picture, and after the node has ended."""
    model = frame.model
    reason = told or model.state.reason or model.link_told or _("The node has ended.")
    parts = [
        frame.title("Coup", ""),
        line(""),
        centred(("strong", reason)),
        line(""),
    ]
    if not told:
        parts.append(centred(_("Q closes this window.")))
    parts.append(rule(_("What happened"), frame.columns, frame.signs))
    return Page(parts, frame.log(), frame.foot())
