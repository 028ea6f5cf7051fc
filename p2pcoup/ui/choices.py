"""The answers to a question as a menu: for every choice a key, words, and a reason if it is not
possible.

Letters are for what one does, digits for cards and players. A letter is the first free one of the
words in the user's language, so it can be seen in the words; capital letters never answer a
question. Nothing here names an action or a character: they come with the question.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from string import ascii_lowercase, digits
from typing import Final

from p2pcoup.ui import words
from p2pcoup.ui.clean import clean
from p2pcoup.ui.pictures import Game, Move, Question
from p2pcoup.ui.words import N_, _, fill, ngettext

WINDOWS: Final = frozenset({"challenge-action", "block", "challenge-block"})
"""The kinds of question that can be answered by passing."""

_ON_CARDS: Final = frozenset({"show", "lose", "keep", "pick", "reveal"})
"""The kinds of move that are about one's cards: their keys are digits."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One line of a menu."""

    key: str
    label: str
    detail: str = ""
    """What it costs and claims, and whether the claim is true."""
    short: str = ""
    """The same where there is little room."""
    refusal: str = ""
    """Why it is not possible; empty: it is."""
    move: str = ""
    """What is sent; empty: one has to choose `within` first."""
    within: "tuple[Choice, ...]" = ()

    @property
    def possible(self) -> bool:
        """Whether it may be chosen."""
        return not self.refusal


def menu(question: Question, game: Game, *, secret: bool = False) -> tuple[Choice, ...]:
    """Return the choices of a question in the order of its moves.

    With `secret` the hand is hidden, so the menu does not tell a bluff from the truth, and cards
    are named by their place.
    """
    if question.kind == "act":
        return _actions(question, game, secret)
    moves = _unlike(question.moves) if question.kind == "keep" and not secret else question.moves
    labels = [label(move, game, secret=secret) for move in moves]
    lettered = [
        (words.character(move.character), move.character)
        if move.kind == "block"
        else (text, _LABELS.get(move.kind, text))
        for move, text in zip(moves, labels, strict=True)
        if move.kind not in _ON_CARDS
    ]
    letters, numbers = iter(letter_keys(lettered)), iter(digits[1:])
    return tuple(
        Choice(
            next(numbers if move.kind in _ON_CARDS else letters, ""),
            text,
            "",
            _holding(move.character, game) if move.kind == "block" and not secret else "",
            refusal(move, question),
            move.move,
        )
        for move, text in zip(moves, labels, strict=True)
    )


def _actions(question: Question, game: Game, secret: bool) -> tuple[Choice, ...]:
    """One line for an action; who it is aimed at is the second key."""
    groups: dict[str, list[Move]] = {}
    for move in question.moves:
        groups.setdefault(move.action, []).append(move)
    titles = [words.action(name) for name in groups]
    keys = letter_keys(zip(titles, groups, strict=True))
    numbers = {seat.seat: str(at) for at, seat in enumerate(game.around, 1)}
    menu: list[Choice] = []
    for key, title, moves in zip(keys, titles, groups.values(), strict=True):
        first = moves[0]
        detail, short = _price(first, game, secret)
        if len(moves) == 1:  # no target, or a single opponent: nothing to choose
            menu.append(Choice(key, title, detail, short, refusal(first, question), first.move))
            continue
        targets = tuple(_target(move, question, game, numbers) for move in moves)
        why = "" if any(target.possible for target in targets) else targets[0].refusal
        menu.append(Choice(key, title, detail, short, why, "", targets))
    return tuple(menu)


def _target(move: Move, question: Question, game: Game, numbers: dict[int, str]) -> Choice:
    seat = game.seat(move.target)
    purse = "" if seat is None else words.coins(seat.coins)
    why = refusal(move, question)
    key = numbers.get(move.target if move.target is not None else -1, "")
    return Choice(key, game.name(move.target), purse, purse, why, move.move)


def _price(move: Move, game: Game, secret: bool) -> tuple[str, str]:
    """What an action costs and claims and whether the claim is true: in full, and in short."""
    paid = fill(_("pay {n}"), {"n": str(move.cost)}) if move.cost else ""
    truth = _holding(move.claim, game) if move.claim and not secret else ""
    short = [paid, truth]
    full = [paid]
    if move.claim:
        claim = fill(_("claim {character}"), {"character": words.character(move.claim)})
        full.append(f"{claim} ({truth})" if truth else claim)
    return ", ".join(each for each in full if each), ", ".join(each for each in short if each)


def _holding(character: str, game: Game) -> str:
    """Whether the user holds that character face down; empty when the hand is not known."""
    if not game.hand or game.you is None:
        return ""
    seat = game.seat(game.you)
    shown = seat.cards if seat is not None else ()
    held = [card for at, card in enumerate(game.hand) if at >= len(shown) or shown[at] is None]
    if character in held:
        # Translators: max 8 columns. Beside a claim: you do have that card.
        return _("true")
    # Translators: max 8 columns. Beside a claim: you do not have that card.
    return _("bluff")


def refusal(move: Move, question: Question) -> str:
    """Why a move is not possible now; empty if it is."""
    if move.legal:
        return ""
    match move.why:
        case "coins":
            needed = ngettext("{n} coin needed", "{n} coins needed", move.needs)
            return fill(needed, {"n": str(move.needs)})
        case "forced":
            only = dict.fromkeys(other.action for other in question.moves if other.legal)
            named = words.either([words.action(name) for name in only])
            return fill(_("only {action} now"), {"action": named})
        case "penniless":
            return _("no coins there")
        case "card":
            return _("not the claimed card")
        case _:
            return _("not possible now")


_LABELS: Final = {
    "pass": N_("Pass"),
    "challenge": N_("Challenge"),
    "block": N_("Block as {character}"),
    "show": N_("Show {card}"),
    "decline": N_("Show nothing and lose a card"),
    "lose": N_("Turn up {card}"),
    "keep": N_("Keep {card}"),
    "pick": N_("Take {card}"),
    "reveal": N_("Show {card}"),
    "allow": N_("Let them keep it"),
    "force": N_("Make them draw another"),
    "concede": N_("Give up"),
}
"""By the kind of a move."""


def label(move: Move, game: Game, *, secret: bool = False) -> str:
    """What a move does, in a few words."""
    if move.kind == "act":
        action = words.action(move.action)
        if move.target is None:
            return action
        fields = {"action": action, "target": game.name(move.target)}
        return fill(_("{action} against {target}"), fields)
    template = _LABELS.get(move.kind)
    if template is None:
        return clean(move.move)
    fields = {"card": _card(move, secret), "character": words.character(move.character)}
    return fill(_(template), fields)


def _card(move: Move, secret: bool) -> str:
    """The cards a move is about; with `secret` by their places."""
    if secret and move.kind != "pick":
        places = [move.slot] if move.slot is not None else _kept(move)
        numbers = words.listed([str(place + 1) for place in places])
        return fill(ngettext("card {n}", "cards {n}", len(places)), {"n": numbers})
    named = move.characters or ((move.character,) if move.character else ())
    if not named and move.slot is not None:
        return fill(ngettext("card {n}", "cards {n}", 1), {"n": str(move.slot + 1)})
    return words.listed([words.character(name) for name in named])


def _kept(move: Move) -> list[int]:
    """The positions in the text of a keep (SPEC 11.3)."""
    last = move.move.rsplit(" ", 1)[-1]
    return [int(each) for each in last.split(",") if each.isdecimal()]


def _unlike(moves: Sequence[Move]) -> tuple[Move, ...]:
    """The moves without those that keep the same characters as one before them."""
    first: dict[tuple[str, ...], Move] = {}
    for move in moves:
        first.setdefault(tuple(sorted(move.characters)) or (move.move,), move)
    return tuple(first.values())


def letter_keys(labels: Iterable[tuple[str, str]]) -> list[str]:
    """Return a lower-case letter for each label: its first one that is free.

    A label comes with its English words; these are taken where it has no such letter left, above
    all in other scripts.
    """
    keys: list[str] = []
    for label, english in labels:
        wanted = [*label.lower(), *english.lower(), *ascii_lowercase]
        free = (each for each in wanted if each in ascii_lowercase and each not in keys)
        keys.append(next(free, ""))
    return keys


def flat(choices: Iterable[Choice]) -> list[tuple[Choice | None, Choice]]:
    """Return every choice that can be sent, in order, with the one it is within, if it is."""
    found: list[tuple[Choice | None, Choice]] = []
    for choice in choices:
        if choice.within:
            found += [(choice, target) for target in choice.within]
        else:
            found.append((None, choice))
    return found
