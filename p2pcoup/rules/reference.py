"""The rules of an edition on one card (SPEC 11.11).

Written from the same tables the engine plays by, so card and game cannot differ. The card is data:
sections of sentences and of rows, which a client sets and tells in its own language
(`reference_to_data`); `reference_card` sets it in English for a terminal.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Final

from p2pcoup.rules import card_words as words
from p2pcoup.rules.editions import Action, Character, Edition, Effect
from p2pcoup.rules.options import USUAL, Options, Setup
from p2pcoup.rules.sentence import (
    Argument,
    Sentence,
    argument_to_data,
    in_english,
    listed,
    sentence_to_data,
    slashed,
)

COLUMNS: Final = 80
NOTHING: Final = "-"
"""Stands in a cell of the tables that is empty."""

Row = tuple[Argument, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the card: sentences, one a paragraph, or rows of a table, all equally long."""

    title: Sentence
    lines: tuple[Sentence, ...] = ()
    rows: tuple[Row, ...] = ()


def reference(edition: Edition, options: Options = USUAL) -> tuple[Section, ...]:
    """Return the card; its first section is its title and nothing else."""
    forced = words.ACTIONS(coins=edition.forced_from, action=edition.forced_action)
    return (
        Section(_title(edition, options)),
        Section(words.SETUP(), lines=tuple(_setup(edition, options))),
        Section(forced, rows=(_HEADS, *map(_action, edition.actions))),
        Section(words.CHARACTERS(), rows=tuple(_characters(edition))),
        Section(words.CLAIMS(), lines=(*_claims(options), *_notes(edition, options))),
    )


def reference_to_data(edition: Edition, options: Options = USUAL) -> list[dict[str, object]]:
    """Return the card for a client, made of what JSON has: for each section its `title` and its
    `lines`, each one a sentence, or a list of arguments where the section is a table.
    """
    return [
        {
            "title": sentence_to_data(section.title),
            "lines": [
                *map(sentence_to_data, section.lines),
                *([argument_to_data(cell) for cell in row] for row in section.rows),
            ],
        }
        for section in reference(edition, options)
    ]


def reference_card(edition: Edition, options: Options = USUAL) -> str:
    """Return the card in English, lines of at most 80 columns, without a line break at its end."""
    title, *sections = reference(edition, options)
    return "\n".join([str(title.title), *(line for each in sections for line in _set(each))])


def _set(section: Section) -> Iterator[str]:
    yield ""
    yield str(section.title)
    yield from (f"  {line}" for line in (*_prose(section.lines), *_columns(section.rows)))


def _prose(paragraphs: Iterable[Sentence]) -> Iterator[str]:
    for paragraph in paragraphs:
        yield from wrap(str(paragraph), COLUMNS - 2)


def _columns(rows: Sequence[Row]) -> Iterator[str]:
    """Columns as wide as their widest word, two spaces apart."""
    table = [[in_english(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for row in table:
        padded = (f"{word:<{width}}" for word, width in zip(row, widths, strict=True))
        yield "  ".join(padded).rstrip()


# What stands on it


def _title(edition: Edition, options: Options) -> Sentence:
    if options.setup is Setup.SET_OF_FIVE:
        return words.TITLE_SET_OF_FIVE(edition=edition)
    return words.TITLE(edition=edition, fewest=edition.min_players, most=edition.max_players)


def _setup(edition: Edition, options: Options) -> Iterator[Sentence]:
    cards, names = len(edition.cards()), listed(edition.characters)
    yield words.CARDS(cards=cards, copies=edition.copies, characters=names)
    coins, less = edition.start_coins, edition.starter_coins_of_two
    dealt = options.dealt(edition)
    if options.setup is Setup.STANDARD:
        yield words.DEAL(cards=dealt)
        yield words.COINS(coins=coins, less=less)
        return
    yield words.PICK(cards=options.aside(edition))
    yield words.DEAL_THIRD(cards=dealt)
    yield (
        words.COINS_LESS(coins=coins, less=less)
        if options.starter_coin
        else words.COINS_BOTH(coins=coins)
    )


_HEADS: Row = (
    words.HEAD_ACTION(),
    words.HEAD_COST(),
    words.HEAD_CLAIM(),
    words.HEAD_EFFECT(),
    words.HEAD_BLOCK(),
)


def _action(action: Action) -> Row:
    blockers: Argument = slashed(action.blockers) if action.blockers else NOTHING
    if action.blockers and not action.targeted:
        blockers = words.ANYBODY(characters=blockers)
    return (action, action.cost or NOTHING, action.claim or NOTHING, _effect(action), blockers)


def _effect(action: Action) -> Sentence:
    match action.effect:
        case Effect.GAIN:
            return words.GAIN(coins=action.amount)
        case Effect.TAKE:
            return words.TAKE(coins=action.amount)
        case Effect.STRIKE:
            return words.STRIKE()
        case Effect.EXCHANGE:
            return words.EXCHANGE(cards=action.amount)
        case Effect.EXAMINE:
            return words.EXAMINE(cards=action.amount)


def _characters(edition: Edition) -> Iterator[Row]:
    for character in edition.characters:
        copies = words.COPIES(copies=edition.copies)
        yield character, copies, _can(edition, character)


def _can(edition: Edition, character: Character) -> Argument:
    does = [action for action in edition.actions if action.claim == character]
    stops = [action for action in edition.actions if character in action.blockers]
    if does and stops:
        return words.DOES_BLOCKS(does=listed(does), stops=listed(stops))
    if does:
        return words.DOES(does=listed(does))
    return words.BLOCKS(stops=listed(stops)) if stops else NOTHING


def _claims(options: Options) -> Iterator[Sentence]:
    yield words.CLAIM_ANY()
    yield words.CHALLENGE()
    yield words.BLOCK()
    may = options.failed_challenger_may_block
    yield words.STILL_BLOCKS() if may else words.NO_LONGER_BLOCKS()


def _notes(edition: Edition, options: Options) -> Iterator[Sentence]:
    """What the table of actions has no room for."""
    for action in edition.actions:
        if action.effect is Effect.TAKE:
            poor = options.steal_from_penniless
            yield (words.TAKE_ANY if poor else words.TAKE_FROM_RICH)(action=action)
        elif action.effect is Effect.EXAMINE:
            yield words.EXAMINING(action=action)
