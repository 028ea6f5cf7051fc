"""How a story is set on the screen: every turn is a paragraph."""

from collections.abc import Iterable, Iterator


def starts_turn(sentence: str) -> bool:
    """Whether this sentence of the narration (SPEC 11.9) says whose turn it is."""
    return sentence.startswith("It is ") and sentence.endswith("'s turn.")


def in_paragraphs(story: Iterable[str]) -> Iterator[str]:
    """The sentences with an empty line before each turn."""
    for sentence in story:
        if starts_turn(sentence):
            yield ""
        yield sentence
