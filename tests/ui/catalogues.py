"""The catalogues of the client: made here from the code and from what translators wrote.

Not a test module. ``make catalogues`` (``python -m tests.ui.catalogues``) collects every text a
person may see, brings ``p2pcoup/ui/locale/LANGUAGE/LC_MESSAGES/p2pcoup.po`` up to date with it and
compiles that to ``p2pcoup.mo``. English is the source and has no catalogue. What is new stands
untranslated in the .po afterwards; what is gone from the code is dropped.
"""

import ast
import io
import sys
import tokenize
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from babel.messages import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from p2pcoup.lobby import said as said_in_lobby
from p2pcoup.lobby.words import REFUSED
from p2pcoup.node import said
from p2pcoup.node.api import reasons
from p2pcoup.rules import EDITIONS, card_words, chosen, sentence, told
from p2pcoup.rules.sentence import Template

ROOT = Path(__file__).parents[2]
UI = ROOT / "p2pcoup" / "ui"
LANGUAGES = {
    "de": "nplurals=2; plural=(n != 1);",
    "fr": "nplurals=2; plural=(n > 1);",
    "it": "nplurals=2; plural=(n != 1);",
    "ko": "nplurals=1; plural=0;",
}
"""Each with its plural forms. Babel's own also tell millions apart, of which there are none."""

MARKS = {
    "_": ("id",),
    "N_": ("id",),
    "gettext": ("id",),
    "ngettext": ("id", "plural"),
    "pgettext": ("context", "id"),
    "npgettext": ("context", "id", "plural"),
}
"""What marks a text in the client's code, and what its arguments are; `N_` marks one that is
translated later. What is called with anything but plain strings there is no text of the code."""

ONE_DATE = datetime(2025, 1, 1, tzinfo=UTC)
"""In every .mo, so that the same words make the same file."""

HEADERS_KEPT = ("Language:", "Plural-Forms", "MIME", "Content-T")
"""Of the headers of a .po only what says how to read it: the others change by themselves."""


def templates() -> dict[str, tuple[Template, ...]]:
    """Return all sentences the node tells a client, by the file they stand in."""
    return {
        "p2pcoup/lobby/said.py": said_in_lobby.TEMPLATES,
        "p2pcoup/node/said.py": said.TEMPLATES,
        "p2pcoup/node/api/reasons.py": reasons.REASONS,
        "p2pcoup/rules/told.py": told.TEMPLATES,
        "p2pcoup/rules/chosen.py": chosen.TEMPLATES,
        "p2pcoup/rules/card_words.py": card_words.TEMPLATES,
        "p2pcoup/rules/sentence.py": sentence.LISTS,
    }


def titles() -> Iterator[tuple[str, str]]:
    """Yield (context, English title) of all that is named in the editions."""
    for edition in EDITIONS.values():
        yield "edition", edition.title
        yield from (("character", each.title) for each in edition.characters)
        yield from (("action", each.title) for each in edition.actions)


def marked(code: str) -> Iterator[tuple[str | tuple[str, str], str | None, list[str]]]:
    """Yield text (with its plural), context and comments of all that is marked in a module.

    Babel's own extractor does not see into f-strings.
    """
    comments = {
        token.start[0]: token.string.lstrip("# ")
        for token in tokenize.generate_tokens(io.StringIO(code).readline)
        if token.type == tokenize.COMMENT
    }
    for node in ast.walk(ast.parse(code)):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        values = [getattr(each, "value", None) for each in node.args]
        given = dict(zip(MARKS.get(name, ()), values, strict=False))
        if "id" not in given or not all(isinstance(value, str) for value in given.values()):
            continue
        text = (given["id"], given["plural"]) if "plural" in given else given["id"]
        above = comments.get(node.lineno - 1, "")
        for_translators = [above] if above.startswith("Translators:") else []
        yield text, given.get("context"), for_translators


def refusals() -> Iterator[tuple[str, str]]:
    """Yield (file, text) of what a node answers to a wish that it does not meet, where that is the
    same for everybody: a client looks it up by its English.
    """
    for layer in ("lobby", "node"):
        for path in sorted((ROOT / "p2pcoup" / layer).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and node.args:
                    name, text = getattr(node.func, "id", ""), getattr(node.args[-1], "value", "")
                    if name in ("Reply", "NotPossible") and isinstance(text, str) and text:
                        yield path.relative_to(ROOT).as_posix(), text


def found() -> Iterator[tuple[str, str | tuple[str, ...], str | None, list[str]]]:
    """Yield file, text, context and comments of all there is to translate."""
    for context, title in titles():
        yield "p2pcoup/rules/editions.py", title, context, []
    for file, some in templates().items():
        for each in some:
            yield file, each.text if each.plural is None else (each.text, each.plural), None, []
    for file, text in refusals():
        yield file, text, None, []
    for text in REFUSED.values():
        yield "p2pcoup/lobby/words.py", text, None, []
    for path in sorted(UI.rglob("*.py")):
        for text, context, comments in marked(path.read_text(encoding="utf-8")):
            yield path.relative_to(ROOT).as_posix(), text, context, comments


@cache
def all_found() -> tuple[tuple[str, str | tuple[str, ...], str | None, list[str]], ...]:
    """Return the same, looked for once for all languages."""
    return tuple(found())


def source() -> Catalog:
    """Return every text there is to translate."""
    catalog = Catalog(project="p2pcoup", charset="utf-8", fuzzy=False)
    for file, text, context, comments in all_found():
        catalog.add(text, locations=[(file, 0)], auto_comments=comments, context=context)
    return catalog


def po_file(language: str) -> Path:
    """Return where a language's catalogue is."""
    return UI / "locale" / language / "LC_MESSAGES" / "p2pcoup.po"


def load(language: str) -> Catalog:
    """Return a language's catalogue as it is; an empty one where there is none."""
    file = po_file(language)
    catalog = Catalog(language, project="p2pcoup", charset="utf-8", fuzzy=False)
    if file.exists():
        with file.open("rb") as text:
            catalog = read_po(text, locale=language, abort_invalid=True)
    catalog.mime_headers = [("Plural-Forms", LANGUAGES[language])]
    return catalog


def updated(language: str) -> Catalog:
    """Return a language's catalogue with exactly the texts of the source, nothing guessed."""
    catalog = load(language)
    catalog.update(source(), no_fuzzy_matching=True, keep_user_comments=True)
    catalog.obsolete.clear()
    catalog.creation_date = catalog.revision_date = ONE_DATE
    return catalog


def as_po(catalog: Catalog) -> str:
    """Return the text of a .po, without what changes although no word has."""
    file = io.BytesIO()
    write_po(file, catalog, width=96, include_lineno=False, sort_by_file=True)
    lines = file.getvalue().decode().splitlines(keepends=True)
    head = lines.index("\n")
    kept = [
        line
        for line in lines[:head]
        if not line.startswith('"') or line.startswith(tuple(f'"{each}' for each in HEADERS_KEPT))
    ]
    return "".join([*kept, *lines[head:]])


def as_mo(catalog: Catalog) -> bytes:
    """Return the compiled form of a catalogue."""
    file = io.BytesIO()
    write_mo(file, catalog)
    return file.getvalue()


def main() -> None:
    """Bring all catalogues up to date."""
    for language in LANGUAGES:
        catalog = updated(language)
        file = po_file(language)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(as_po(catalog), encoding="utf-8")
        file.with_suffix(".mo").write_bytes(as_mo(catalog))
        texts = [message for message in catalog if message.id]
        left = sum(not message.string or not all(message.string) for message in texts)
        sys.stdout.write(f"{language}: {len(catalog)} texts, {left} not translated yet\n")


if __name__ == "__main__":
    main()
