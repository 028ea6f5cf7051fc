"""Sentences that can be told in any language (SPEC 11.9).

A `Template` is a whole English sentence with named fields: a translator gets wholes, never halves
that are glued together. Filled, it is a `Sentence`: `str` tells it in English, `sentence_to_data`
gives the template and what fills it, so that a client can tell it in another language.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Final

from p2pcoup.rules.editions import Action, Character, Edition


@dataclass(frozen=True, slots=True)
class Sentence:
    """A filled template. Its equality is that of template and arguments, not of the English."""

    template: str
    """English, with named fields in braces; for n = 1 where there is a `plural`."""
    args: Mapping[str, "Argument"]
    """What fills the fields, by name. More than one of the two forms needs may be here."""
    plural: str | None = None
    """The template for all n but 1; None: the sentence depends on no number."""
    n: int | None = None
    """The number that decides between the two; None exactly when `plural` is."""

    def __str__(self) -> str:
        """The sentence in English."""
        template = self.template if self.plural is None or self.n == 1 else self.plural
        return template.format_map({name: in_english(arg) for name, arg in self.args.items()})


Argument = str | int | Character | Action | Edition | Sentence
"""What fills a field: a string is shown as it is (a player's name), a character, an action or an
edition by its title, a sentence (part of a list) as itself."""


def in_english(argument: Argument) -> str:
    """Return the argument as it stands in an English sentence."""
    return argument.title if isinstance(argument, Character | Action | Edition) else str(argument)


@dataclass(frozen=True, slots=True)
class Template:
    """An English sentence with named fields. Called with what fills them, it is a `Sentence`."""

    text: str
    plural: str | None = None
    """The sentence for all numbers but 1, where it depends on one."""
    by: str = ""
    """The field that holds that number."""

    def __call__(self, **args: Argument) -> Sentence:
        """Return the filled sentence."""
        if self.plural is None:
            return Sentence(self.text, args)
        number = args[self.by]
        if not isinstance(number, int):
            raise TypeError(f"{self.by} decides between the two forms of {self.text!r}")
        return Sentence(self.text, args, self.plural, number)


AND: Final = Template("{some} and {last}")
MORE: Final = Template("{some}, {next}")
SLASH: Final = Template("{some}/{next}")
AND_THE: Final = Template("{some} and the {last}")
MORE_THE: Final = Template("{some}, the {next}")

LISTS: Final = (AND, MORE, SLASH, AND_THE, MORE_THE)
"""The templates lists are made of, from left to right."""


def listed(words: Sequence[Argument]) -> Argument:
    """Return "one, two and three"; there must be one at least."""
    return _joined(words, MORE, AND)


def listed_the(cards: Sequence[Character]) -> Argument:
    """Return "Duke, the Captain and the Contessa", to be put after "the"."""
    return _joined(cards, MORE_THE, AND_THE)


def slashed(words: Sequence[Argument]) -> Argument:
    """Return "one/two/three"; there must be one at least."""
    return reduce(lambda some, word: SLASH(some=some, next=word), words)


def _joined(words: Sequence[Argument], more: Template, final: Template) -> Argument:
    *first, last = words
    if not first:
        return last
    some = reduce(lambda some, word: more(some=some, next=word), first)
    return final(some=some, last=last)


def sentence_to_data(sentence: Sentence) -> dict[str, object]:
    """Return the sentence for a client, made of what JSON has: `text` (English), `template`,
    `args`, and where it depends on a number `plural` and `n`.
    """
    return {"text": str(sentence), **_template_data(sentence)}


def argument_to_data(argument: Argument) -> object:
    """Return an argument as JSON has it: strings and numbers as they are, ``{"character": name}``,
    ``{"action": name}``, ``{"edition": name}``, or ``{"template": …, "args": …}`` for a part.
    """
    match argument:
        case Character():
            return {"character": argument.name}
        case Action():
            return {"action": argument.name}
        case Edition():
            return {"edition": argument.name}
        case Sentence():
            return _template_data(argument)
        case _:
            return argument


def _template_data(sentence: Sentence) -> dict[str, object]:
    args = {name: argument_to_data(arg) for name, arg in sentence.args.items()}
    data: dict[str, object] = {"template": sentence.template, "args": args}
    if sentence.plural is not None:
        data |= {"plural": sentence.plural, "n": sentence.n}
    return data
