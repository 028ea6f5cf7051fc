"""The players' rows of a game, the own hand, and the history of claims."""

import urwid

from p2pcoup.ui import telling, words
from p2pcoup.ui.pictures import Claim, Game, SeatPicture
from p2pcoup.ui.screen.frame import Frame
from p2pcoup.ui.screen.widgets import (
    Markup,
    Part,
    cells,
    columns_of,
    fitted,
    line,
    plain,
    prose,
    rule,
)
from p2pcoup.ui.words import _, fill, pgettext

NAME_COLUMNS = 17
"""Of a player's name at least."""

NOTE_COLUMNS = 16
"""Kept for what is at the end of a player's row, so that names stay as they are when it comes."""

HAND = 2
"""Cards a player has at most in their row."""


def seat_rows(frame: Frame, game: Game, columns: int) -> list[Part]:
    """A row for each player, clockwise: turn, number, name, coins, cards, what they are at."""
    around = game.around
    purse = max([columns_of(words.coins(seat.coins)) for seat in around] + [8]) + 2
    card = max([columns_of(part) for seat in around for part in _cards(frame, seat, game)] + [10])
    widest = max((columns_of(_name(seat, game)) for seat in around), default=0) + 2
    room = columns - 4 - purse - HAND * (card + 1) - NOTE_COLUMNS
    name = max(NAME_COLUMNS, min(widest, room))
    rows: list[Part] = []
    for number, seat in enumerate(around, 1):
        style = _style(seat, game)
        turn = frame.signs.turn if seat.seat == game.turn and seat.playing else " "
        cards = _cards(frame, seat, game)
        cards += [""] * (HAND - len(cards))
        row: list[tuple[int, Markup]] = [
            (2, ("turn", turn)),
            (2, ("dim", str(number))),
            (name - 1, (style, _name(seat, game, name - 1))),
            (1, ""),
            (purse, "" if not seat.playing else words.coins(seat.coins)),
            *((card + 1, each) for each in cards),
        ]
        rows.append(cells(row, _note(frame, seat, game)))
    return rows


def _name(seat: SeatPicture, game: Game, width: int = 1000) -> str:
    """The name, in so many columns where it is one's own: what says so is never cut."""
    return own_name(seat.name, width) if seat.seat == game.you else seat.name


def own_name(name: str, width: int) -> str:
    """The user's own name with what says that it is; where it is too long the name is cut."""
    whole = fill(_("{name} (you)"), {"name": name})
    over = columns_of(whole) - width
    if over <= 0:
        return whole
    return fill(_("{name} (you)"), {"name": plain(fitted(name, columns_of(name) - over)).rstrip()})


def _style(seat: SeatPicture, game: Game) -> str:
    if not seat.playing:
        return "gone"
    return "turn" if seat.seat == game.turn else "strong"


def _cards(frame: Frame, seat: SeatPicture, game: Game) -> list[Markup]:
    """Face down: [?], or [what it is] for one's own; face up: what it is, and that it is lost."""
    own = game.hand if seat.seat == game.you and not frame.keys.secret else ()
    shown: list[Markup] = []
    for slot, up in enumerate(seat.cards):
        if up is not None:
            lost = fill(_("{character} lost"), {"character": words.character(up)})
            shown.append(("bad", lost))
            continue
        held = own[slot] if slot < len(own) else None
        shown.append(("hand", f"[{words.character(held)}]") if held is not None else "[?]")
    return shown


def _note(frame: Frame, seat: SeatPicture, game: Game) -> Markup:
    """What the others should know of a seat: out, not answered yet, not reachable."""
    if told := telling.status(seat.status, seat.out_turn):
        return ("gone", told)
    relayed = seat.link == "relayed"  # which holds nothing up; who watches has few links
    link = "" if relayed else telling.link(seat.link)
    if seat.seat in game.stage.waiting_for:
        # Translators: max 14 columns. A player who has not answered yet.
        return ("wait", f"{frame.signs.more} {link or _('to answer')}")
    if relayed and game.you is not None:
        return ("dim", telling.link(seat.link))
    return ("bad", link) if link else ""


# --- the own hand ---------------------------------------------------------------------------------


def hand_rows(frame: Frame, game: Game, *, big: bool) -> list[Part]:
    """The user's cards: drawn as cards where there is room, else named in a line."""
    if game.you is None:
        return [line(("dim", _("You are watching: you see what everybody sees, no hand.")))]
    if frame.keys.secret:
        return [line([("hand", _("Your hand is hidden.")), " ", _("H shows it.")])]
    if not game.hand and game.stage.kind == "setup":
        return [line(("dim", _("Your hand: not dealt yet.")))]
    if big and not game.drawn:
        return _drawn_cards(frame, game)
    told: list[Markup] = [("hand", fill(_("Your hand: {cards}"), {"cards": _hand(game)}))]
    for template, names in (
        (_("drawn: {cards}"), game.drawn),
        (_("set aside: {cards}"), game.aside),
    ):
        if names:
            cards = ", ".join(words.character(name) for name in names)
            told.append(f"  {frame.signs.dot} {fill(template, {'cards': cards})}")
    if seen := telling.seen(game):
        told.append(f"  {frame.signs.dot} {seen}")
    return [prose(told)]


def _hand(game: Game) -> str:
    """The face-down cards of the user."""
    seat = game.seat(game.you)
    up = seat.cards if seat is not None else ()
    held = [
        words.character(card) if card is not None else "?"
        for slot, card in enumerate(game.hand)
        if slot >= len(up) or up[slot] is None
    ]
    return ", ".join(held) or _("no cards any more")


def _drawn_cards(frame: Frame, game: Game) -> list[Part]:
    seat = game.seat(game.you)
    up = seat.cards if seat is not None else ()
    top_left, top_right, low_left, low_right, side = tuple(frame.signs.corners)
    boxes: list[list[Markup]] = []
    for slot, card in enumerate(game.hand):
        lost = slot < len(up) and up[slot] is not None
        title = "?" if card is None else words.character(card)
        below = pgettext("card", "lost") if lost else _("face down")
        inner = max(14, columns_of(title) + 2, columns_of(below) + 2)
        style = "bad" if lost else "hand"
        boxes.append(
            [
                (style, top_left + frame.signs.line * inner + top_right),
                (style, f"{side} {title}{' ' * (inner - 1 - columns_of(title))}{side}"),
                (style, f"{side} {below}{' ' * (inner - 1 - columns_of(below))}{side}"),
                (style, low_left + frame.signs.line * inner + low_right),
            ]
        )
    beside: list[Markup] = [
        ("strong", _("Your hand")),
        _("Only you see what is face down."),
        "",
        "",
    ]
    if seen := telling.seen(game):
        beside[2] = seen
    return [
        cells([(columns_of(box[row]) + 2, box[row]) for box in boxes], beside[row])
        for row in range(4)
    ]


# --- claims ---------------------------------------------------------------------------------------


def claim_rows(frame: Frame, game: Game, columns: int) -> list[Part]:
    """Who has claimed what how often, how often it was proven, and how often it was not."""
    characters = game.characters
    if not characters:
        return [rule(_("Claims"), columns, frame.signs), line(("dim", _("None yet.")))]
    width = max(6, min(14, (columns - 9) // len(characters)))
    name = columns - width * len(characters)
    heads: list[tuple[int, Markup]] = [(name, ("rule", _("Claims")))]
    heads += [(width, ("rule", _short(each, width - 1))) for each in characters]
    rows = [cells(heads)]
    claims = {(claim.seat, claim.character): claim for claim in game.claims}
    for seat in game.around:
        style = "" if seat.playing else "gone"
        row: list[tuple[int, Markup]] = [(name - 1, (style, seat.name)), (1, "")]
        row += [(width, _count(frame, claims.get((seat.seat, each)))) for each in characters]
        rows.append(cells(row))
    return rows


def _short(name: str, width: int) -> str:
    """The title, or as much of it as fits."""
    text = words.character(name)
    start, end = urwid.calc_text_pos(text, 0, len(text), width)[0], len(text)
    return text if start >= end else text[:start]


def _count(frame: Frame, claim: Claim | None) -> Markup:
    if claim is None or not claim.claimed:
        return ("dim", frame.signs.dot)
    told: list[Markup] = [str(claim.claimed)]
    if claim.proven:
        told.append(("good", f"{frame.signs.proven}{claim.proven}"))
    if claim.caught:
        told.append(("bad", f"{frame.signs.caught}{claim.caught}"))
    return told


def claim_legend(frame: Frame) -> str:
    """What the signs in the history of claims mean."""
    template = _("times claimed, {proven} proven, {caught} not proven")
    return fill(template, {"proven": frame.signs.proven, "caught": frame.signs.caught})
