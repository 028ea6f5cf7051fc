"""What a player may be called: text that is safe to show in any terminal or page (SPEC 3.6).

The tables are those of RFC 3454 (stringprep), which are fixed on Unicode 3.2, so every peer and
every later auditor judges a name alike, whatever Unicode version its language knows. The price is
that younger characters, emoji above all, cannot be used.
"""

import stringprep
from typing import Final
from unicodedata import ucd_3_2_0

from p2pcoup.wire.errors import WireError
from p2pcoup.wire.limits import MAX_MARKS, MAX_NAME_CHARACTERS, MAX_NAME_INPUT

# Letters and symbols that look like a blank: Hangul fillers and the empty Braille pattern.
_LOOKS_BLANK: Final = frozenset("\u115f\u1160\u3164\uffa0\u2800")

_REFUSED: Final = (
    (stringprep.in_table_c21_c22, "control characters"),
    (stringprep.in_table_c8, "characters that change the direction of text"),
    (stringprep.in_table_b1, "invisible characters"),
    (stringprep.in_table_c3, "private characters"),
    (stringprep.in_table_c4, "code points that are no characters"),
    (stringprep.in_table_c5, "surrogates"),
    (stringprep.in_table_c6, "characters that stand for something unreadable"),
    (stringprep.in_table_c7, "characters that describe other characters"),
    (stringprep.in_table_c9, "tagging characters"),
    (stringprep.in_table_a1, "characters younger than Unicode 3.2 (emoji, for example)"),
    (_LOOKS_BLANK.__contains__, "invisible characters"),
)


def clean_name(text: str) -> str:
    """Algorithm 3.6: the name in the one form everybody stores and shows.

    Normalises to NFC, takes blanks off both ends and turns each run of blanks inside into one
    space. A name received from a peer must already be in that form: `clean_name(name) == name`.
    Raises WireError with a sentence if the name is empty, too long or contains anything a screen
    should not be sent.
    """
    if len(text) > MAX_NAME_INPUT:
        raise WireError(f"A name has at most {MAX_NAME_CHARACTERS} characters.")
    for character in text.strip():
        for is_refused, what in _REFUSED:
            if is_refused(character):
                raise WireError(f"A name cannot contain {what} ({character!a}).")
    name = " ".join(ucd_3_2_0.normalize("NFC", text).split())
    if not name:
        raise WireError("A name needs at least one visible character.")
    if len(name) > MAX_NAME_CHARACTERS:
        raise WireError(
            f"A name has at most {MAX_NAME_CHARACTERS} characters; this one has {len(name)}."
        )
    _check_marks(name)
    return name


def _check_marks(name: str) -> None:
    marks = MAX_MARKS  # so that a name cannot begin with a mark, which would sit on what precedes
    for character in name:
        marks = marks + 1 if ucd_3_2_0.category(character).startswith("M") else 0
        if marks > MAX_MARKS:
            raise WireError(
                f"A name cannot begin with a combining mark or pile up more than {MAX_MARKS}."
            )
