"""Text from others cannot paint on the terminal."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcoup.ui.clean import MAX_MARKS, MAX_SHOWN, clean


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        ("Ash\x1b[2J\x1b[1;1HBirch wins", "Ash[2J[1;1HBirch wins"),
        ("a\r\nb\tc", "a b c"),
        ("\u202eKralc\u202c", "Kralc"),
        ("A\u200bs\u2066h\u2069\ufeff", "Ash"),
        ("정우", "정우"),
        ("é\u0301\u0302\u0303\u0304\u0305", "é\u0301\u0302\u0303"),
        ("\x9b31mred", "31mred"),
        ("  much   room  ", "much room"),
    ],
)
def test_what_a_terminal_would_obey_or_hide_is_dropped(sent: str, shown: str) -> None:
    assert clean(sent) == shown


@given(st.text())
def test_nothing_that_is_shown_is_a_control_or_a_pile_of_marks(text: str) -> None:
    shown = clean(text)
    kinds = [unicodedata.category(each) for each in shown]
    assert not any(kind.startswith("C") or kind in ("Zl", "Zp") for kind in kinds)
    marks = "".join("m" if kind.startswith("M") else " " for kind in kinds)
    assert "m" * (MAX_MARKS + 1) not in marks
    assert clean(shown) == shown


def test_a_text_without_end_is_cut() -> None:
    assert len(clean("a" * 10**6)) == MAX_SHOWN
