"""The screen of a game.

    title                                        turn, Court, Treasury
    players, clockwise            coins, cards, who has not answered yet
    own hand
    ── waiting for whom ─────────────────────────── time, what then ──
    what is going on and what may be done about it
    the question, and a key for every choice
    ── what has happened ──────────── who has claimed what ────────────
    log                              history of claims
    keys of the client

A larger window gives the rows to the log; from `WIDE` columns on the log stands on the right, and
the reference card below the game where it has room.
"""

from enum import Enum
from typing import Any, Final

from p2pcoup.ui import telling, words
from p2pcoup.ui.choices import WINDOWS, Choice
from p2pcoup.ui.model import Link
from p2pcoup.ui.pictures import Game
from p2pcoup.ui.screen.card import card_lines
from p2pcoup.ui.screen.frame import Frame
from p2pcoup.ui.screen.table import claim_legend, claim_rows, hand_rows, seat_rows
from p2pcoup.ui.screen.widgets import (
    Beside,
    Box,
    Markup,
    Page,
    Part,
    columns_of,
    fitted,
    height,
    line,
    plain,
    prose,
    rule,
)
from p2pcoup.ui.words import _, fill

WIDE: Final = 132
"""From here on there is room for a column beside 80 columns."""


def game_screen(frame: Frame, game: Game) -> Box:
    """Draw a game."""
    head, foot = _title(frame, game), frame.foot()
    rows = frame.rows - 1 - height(foot, frame.columns)
    body = _wide(frame, game, rows) if frame.columns >= WIDE else _narrow(frame, game, rows)
    return Page([head], body, foot)


def _title(frame: Frame, game: Game) -> Part:
    left = [game.table, fill(_("{edition} edition"), {"edition": words.edition(game.edition)})]
    if game.options not in ("", "standard"):
        left.append(words.options(game.options))
    if game.games > 1:
        fields = {"n": str(game.number), "games": str(game.games)}
        left.append(fill(_("game {n} of {games}"), fields))
    if frame.model.state.watching:
        fields = {"n": str(frame.model.state.watching)}
        left.append(fill(_("{n} watching"), fields))
    right = [
        fill(_("turn {n}"), {"n": str(game.turns)}) if game.turns else "",
        fill(_("Court {n}"), {"n": str(game.court)}),
        fill(_("Treasury {n}"), {"n": str(game.treasury)}),
    ]
    dot = f" {frame.signs.dot} "
    return frame.title(dot.join(each for each in left if each), dot.join(filter(None, right)))


def _narrow(frame: Frame, game: Game, rows: int) -> Box:
    """Everything on top of each other; log and claims beside each other at the end."""
    columns, players = frame.columns, len(game.seats)
    claims_width = max(39, min(70, columns // 2 - 1))
    claims = claim_rows(frame, game, claims_width)
    upper: list[Part] = []
    left = 0
    for room in Room:
        if (room is Room.MUCH and rows < 24 + players) or (
            room is Room.MORE and rows < 22 + players
        ):
            continue
        upper = _upper(frame, game, columns, room)
        left = rows - height(upper, columns)
        if left >= len(claims):
            break
    if left > len(claims) + 1:
        claims = [*claims, line(("dim", claim_legend(frame)))]
    log = Page([rule(_("What happened"), columns - claims_width - 1, frame.signs)], frame.log())
    return Page(upper, Beside(log, Page(claims), claims_width))


def _wide(frame: Frame, game: Game, rows: int) -> Box:
    """The game on the left, the log on the right in full height."""
    side = min(72, frame.columns - 80 - 2)
    columns = frame.columns - side - 2
    room = Room.MUCH if rows >= 26 + len(game.seats) else Room.SOME
    left = _upper(frame, game, columns, room)
    left += [*claim_rows(frame, game, min(columns, 110)), line(("dim", claim_legend(frame)))]
    card = card_lines(frame, columns)
    if card and height(left, columns) + len(card) + 2 <= rows:
        left += [line(""), rule(_("The rules on one card"), columns, frame.signs), *card]
    log = Page([rule(_("What happened"), side, frame.signs)], frame.log())
    return Beside(Page(left), log, side, gap=2)


RULE_COLUMNS: Final = 6
"""Of a rule beside its title and its end."""
LEAST_THEN: Final = 16
"""Columns from which on it makes sense to say what comes when the time is over."""


class Room(Enum):
    """How many rows there are for what stands above the log, most first."""

    MUCH = "much"
    """Empty rows between the parts, cards drawn as cards."""
    MORE = "more"
    """Cards drawn as cards."""
    SOME = "some"
    LITTLE = "little"
    """Choices as close to each other as possible."""


def _upper(frame: Frame, game: Game, columns: int, room: Room) -> list[Part]:
    """Players, hand, stage and choices."""
    gap = [line("")] if room is Room.MUCH else []
    parts = [*gap, *seat_rows(frame, game, columns), *gap]
    parts += hand_rows(frame, game, big=room in (Room.MUCH, Room.MORE))
    parts += [*gap, _waiting(frame, game, columns)]
    question = frame.model.question
    if question is None or question.kind != "act":  # then the question says it all
        parts += [prose(("strong", telling.stage(game))), *gap]
    return [*parts, *_question(frame, game, columns, room), *gap]


def _waiting(frame: Frame, game: Game, columns: int) -> Part:
    """A rule with who has not answered yet, how long the game waits, and what comes then."""
    waiting, question = telling.waiting(game), frame.model.question
    time = frame.timer() if waiting or question else ""
    if time and question is not None:
        default = telling.default_of(question, game, secret=frame.keys.secret)
        then = f", {fill(_('then: {answer}'), {'answer': default})}" if default else ""
        room = columns - columns_of(waiting) - columns_of(time) - RULE_COLUMNS
        if columns_of(then) > room:
            then = plain(fitted(then, room)).rstrip() if room >= LEAST_THEN else ""
        time += then
    return rule(waiting, columns, frame.signs, time, style="wait")


def _question(frame: Frame, game: Game, columns: int, room: Room) -> list[Part]:
    """What the user is asked, with a key for every choice; or why nothing is asked."""
    keys, model = frame.keys, frame.model
    question = model.question
    if question is None:
        return [line(_nothing_asked(frame, game))]
    target = keys.choosing_target
    if target is None:
        told = telling.prompt(question, game)
    else:
        told = fill(_("{action} against whom? Esc goes back."), {"action": target.label})
    across = 2 if room is not Room.LITTLE and columns < WIDE - 42 else 3
    if question.kind == "act":
        width = columns // across - 2
        choices = [_choice(choice, width) for choice in keys.choices]
        return [line(("turn", told)), *frame.in_columns(choices, columns, across)]
    choices = [_choice(choice, columns) for choice in keys.choices]
    if len(choices) <= 3 and columns_of(told) + sum(columns_of(c) + 3 for c in choices) < columns:
        row: list[Any] = [("turn", told)]
        for choice in choices:
            row += ["   ", choice]
        return [line(row)]
    return [line(("turn", told)), *frame.in_columns(choices, columns)]


def _choice(choice: Choice, width: int) -> Markup:
    """A choice in this width: with all it costs and claims if that fits, else in short."""
    if not choice.possible:
        return ("off", f" {choice.key}  {choice.label}: {choice.refusal}")
    start: list[Any] = ["[", ("key", choice.key), f"] {choice.label}"]
    full = [*start, ("dim", f": {choice.detail}")]
    if choice.detail and columns_of(full) <= width:
        return full
    return [*start, ("dim", f" ({choice.short})")] if choice.short else start


def _nothing_asked(frame: Frame, game: Game) -> Markup:
    """Why there is no question, and that windows are passed."""
    seat = game.seat(game.you)
    if frame.model.link is not Link.UP:
        return ("dim", _("Nothing can be answered until the connection is back."))
    if frame.model.passing:
        return ("wait", _("You pass on everything until you are asked something else. P stops it."))
    if frame.model.waiting_for_reply:
        return ("dim", _("Your answer is given."))
    if game.you is None or seat is None:
        return ("dim", _("You only watch; there is nothing to do."))
    if not seat.playing:
        return ("dim", _("You are out; you may watch and talk."))
    if game.stage.kind in WINDOWS and game.you not in game.stage.waiting_for:
        return ("dim", _("Nothing to do for you now: the others answer."))
    return ("dim", _("Nothing to do for you now."))
