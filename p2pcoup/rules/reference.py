"""The rules of an edition on one card, in words (SPEC 11.11).

Written from the same tables the engine plays by, so card and game cannot differ.
"""

from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap

from p2pcoup.rules.editions import Action, Character, Edition, Effect
from p2pcoup.rules.options import USUAL, Options, Setup

COLUMNS = 80


def reference_card(edition: Edition, options: Options = USUAL) -> str:
    """Return the card as text, lines of at most 80 columns, without a line break at its end."""
    players = f"{edition.min_players} to {edition.max_players} players"
    if options.setup is Setup.SET_OF_FIVE:
        players = "2 players, set of five"
    forced = f"with {edition.forced_from} or more coins only {edition.forced_action.title}"
    return "\n".join(
        [
            f"{edition.name.title()} edition, {players}",
            *_section("Set-up", _prose(_setup(edition, options))),
            *_section(f"Actions ({forced})", _columns(_actions(edition))),
            *_section("Characters", _columns(_characters(edition))),
            *_section("Claims", _prose([*_claims(options), *_notes(edition, options)])),
        ]
    )


def _section(title: str, lines: Iterable[str]) -> list[str]:
    return ["", title, *(f"  {line}" for line in lines)]


def _prose(paragraphs: Iterable[str]) -> Iterator[str]:
    for paragraph in paragraphs:
        yield from wrap(paragraph, COLUMNS - 2)


def _columns(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """Columns as wide as their widest word, two spaces apart."""
    widths = [max(len(word) for word in column) for column in zip(*rows, strict=True)]
    for row in rows:
        padded = (f"{word:<{width}}" for word, width in zip(row, widths, strict=True))
        yield "  ".join(padded).rstrip()


def _setup(edition: Edition, options: Options) -> Iterator[str]:
    names = _list([character.title for character in edition.characters])
    yield f"{len(edition.cards())} cards, {edition.copies} each of {names}."
    coins, less = _coins(edition.start_coins), _coins(edition.starter_coins_of_two)
    dealt = _cards(options.dealt(edition))
    if options.setup is Setup.STANDARD:
        yield f"All are shuffled and {dealt} dealt to each player; the others are the Court."
        yield f"{coins.capitalize()} for each player; of two players the one who starts has {less}."
        return
    yield (
        "Each player has a set, one card of each character, picks one of them in secret and sets "
        f"the other {options.aside(edition)} aside unseen. The third set is shuffled and {dealt} "
        "dealt to each player; the others are the Court."
    )
    yield (
        f"The player who starts has {less}, the other {coins}."
        if options.starter_coin
        else f"Both have {coins}."
    )


def _actions(edition: Edition) -> list[tuple[str, ...]]:
    heads = ("action", "cost", "claims", "effect", "blocked by")
    return [heads, *(_action(action) for action in edition.actions)]


def _action(action: Action) -> tuple[str, ...]:
    claim = "-" if action.claim is None else action.claim.title
    blockers = "/".join(character.title for character in action.blockers) or "-"
    if action.blockers and not action.targeted:
        blockers = f"any {blockers}"
    return action.title, str(action.cost or "-"), claim, _effect(action), blockers


def _effect(action: Action) -> str:
    match action.effect:
        case Effect.GAIN:
            return f"take {_coins(action.amount)}"
        case Effect.TAKE:
            return f"take {_coins(action.amount)} of a player"
        case Effect.STRIKE:
            return "a player loses an influence"
        case Effect.EXCHANGE:
            return f"draw {_cards(action.amount)}, return {action.amount}"
        case Effect.EXAMINE:
            return f"see {_cards(action.amount)} of a player"


def _characters(edition: Edition) -> list[tuple[str, ...]]:
    return [
        (character.title, f"{edition.copies}x", _can(edition, character))
        for character in edition.characters
    ]


def _can(edition: Edition, character: Character) -> str:
    does = [action.title for action in edition.actions if action.claim == character]
    stops = [action.title for action in edition.actions if character in action.blockers]
    told = [f"does {_list(does)}"] if does else []
    return ", ".join([*told, f"blocks {_list(stops)}"] if stops else told)


def _claims(options: Options) -> Iterator[str]:
    yield "Anybody may claim any character, and any other player may challenge that at once."
    yield (
        "Who then does not show the card loses an influence, and the claim fails; the cost of an "
        "action comes back. Otherwise the challenger loses one, and the card is swapped for a new "
        "one."
    )
    yield "A block is a claim too. What it stops has no effect and stays paid."
    also = "still" if options.failed_challenger_may_block else "not"
    yield f"A target that has challenged an action in vain may {also} block it."


def _notes(edition: Edition, options: Options) -> Iterator[str]:
    """What the table of actions has no room for."""
    for action in edition.actions:
        match action.effect:
            case Effect.TAKE:
                may = "may" if options.steal_from_penniless else "may not"
                aim = f"it {may} be aimed at a player without coins"
                yield f"{action.title} takes what there is; {aim}."
            case Effect.EXAMINE:
                yield (
                    f"{action.title}: the player chooses the card and shows it to you alone; you "
                    "may make them draw another one for it."
                )
            case _:
                pass


def _list(words: Sequence[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def _coins(count: int) -> str:
    return "1 coin" if count == 1 else f"{count} coins"


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"
