"""Every word a person sees, in the language they have chosen.

English is the source: what is not in a catalogue is shown as it is written in the code. Catalogues
are ``locale/LANGUAGE/LC_MESSAGES/p2pcoup.mo`` beside this module. Characters, actions and editions
come as canonical names through the API; their titles are looked up by the English one (SPEC 11.2).
"""

import gettext
import locale
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

LOCALE_FOLDER: Final = Path(__file__).parent / "locale"
DOMAIN: Final = "p2pcoup"

_FIELD: Final = re.compile(r"\{([a-z_][a-z0-9_]*)\}")

_catalogue: gettext.NullTranslations = gettext.NullTranslations()


def languages() -> tuple[str, ...]:
    """Return the languages there are catalogues for, English included."""
    found = {path.parts[-3] for path in LOCALE_FOLDER.glob(f"*/LC_MESSAGES/{DOMAIN}.mo")}
    return tuple(sorted({"en", *found}))


def speak(language: str | None = None) -> str:
    """Use this language, or the one of the locale; what is not known is English. Return it."""
    global _catalogue
    for wanted in [language] if language else _of_the_locale():
        for name in (wanted, wanted.split("_")[0]):
            if name in languages():
                _catalogue = gettext.translation(
                    DOMAIN, LOCALE_FOLDER, languages=[name], fallback=True
                )
                return name
    _catalogue = gettext.NullTranslations()
    return "en"


def _of_the_locale() -> list[str]:
    """The languages the environment asks for, as gettext reads it."""
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(variable):
            return [each.split(".")[0].split("@")[0] for each in value.split(":")]
    system = locale.getlocale()[0]
    return [system] if system else []


def _(text: str) -> str:
    """The text in the chosen language."""
    return _catalogue.gettext(text) if text else ""


def N_(text: str) -> str:  # noqa: N802 - the usual name for it
    """Mark a constant for the catalogues; it is looked up with `_` where it is shown."""
    return text


def ngettext(singular: str, plural: str, number: int) -> str:
    """The form of the text that fits the number, in the chosen language."""
    return _catalogue.ngettext(singular, plural, number)


def fill(template: str, fields: Mapping[str, str]) -> str:
    """Put words into the named places of a template; a place without a word stays as it is.

    Unlike `str.format` it reads no attributes and no format codes, so a template from elsewhere can
    do nothing but show the words.
    """
    return _FIELD.sub(lambda found: fields.get(found[1], found[0]), template)


def pgettext(context: str, text: str) -> str:
    """The text in the chosen language, where it means what the context says."""
    return _catalogue.pgettext(context, text) if text else ""


def character(name: str) -> str:
    """The printed title of a character (SPEC 11.2)."""
    return pgettext("character", _title(name))


def action(name: str) -> str:
    """The printed title of an action: ``foreign-aid`` is Foreign Aid."""
    return pgettext("action", _title(name))


def edition(name: str) -> str:
    """The printed title of an edition."""
    return pgettext("edition", _title(name))


def table(name: str, people: Iterable[str]) -> str:
    """What a table is called: one that bears somebody's name is theirs."""
    return fill(_("{who}'s table"), {"who": name}) if name in people else name


OPTIONS: Final = {
    "standard": N_("standard"),
    "set-of-five": N_("set of five"),
    "starter-coin": N_("a coin less for the starter"),
    "no-block-after-challenge": N_("no block after a challenge in vain"),
    "no-steal-from-penniless": N_("no stealing where there are no coins"),
}
"""What the options of a game are called, by their canonical names (SPEC 11.10)."""


def options(text: str) -> str:
    """The options of a game; a name that is not known here is shown as it is."""
    return ", ".join(_(OPTIONS.get(name, "")) or name for name in text.split(","))


def _title(name: str) -> str:
    return name.replace("-", " ").title()


def coins(number: int) -> str:
    """So many coins."""
    return fill(ngettext("{n} coin", "{n} coins", number), {"n": str(number)})


def listed(names: Sequence[str]) -> str:
    """The words as in a sentence: a, b and c."""
    return _joined(names, _("{some} and {last}"))


def either(names: Sequence[str]) -> str:
    """The words as a choice: a, b or c."""
    return _joined(names, _("{some} or {last}"))


def _joined(names: Sequence[str], end: str) -> str:
    *first, last = names or [""]
    if not first:
        return last
    some = first[0]
    for name in first[1:]:
        some = fill(_("{some}, {next}"), {"some": some, "next": name})
    return fill(end, {"some": some, "last": last})
