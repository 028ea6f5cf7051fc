import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcoup.wire import WireError, clean_name
from p2pcoup.wire.limits import MAX_NAME_CHARACTERS


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Ann", "Ann"),
        ("  Ann  ", "Ann"),
        ("Ann\n", "Ann"),
        ("Ann   Lee", "Ann Lee"),
        ("Ann\u00a0\u2003Lee", "Ann Lee"),
        ("Zoe\u0308", "Zoë"),
        ("Bj\u00f6rn", "Björn"),
        ("\u1112\u1161\u11ab", "한"),
        ("\u0645\u0631\u062d\u0628\u0627", "\u0645\u0631\u062d\u0628\u0627"),
        ("Nguyễn", "Nguyễn"),
        ("प्रिया", "प्रिया"),
        ("<b>&", "<b>&"),
        ("x" * 24, "x" * 24),
        ("e\u0301" * 24, "é" * 24),
    ],
)
def test_a_name_gets_its_one_form(text: str, name: str) -> None:
    assert clean_name(text) == name
    assert clean_name(name) == name


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "visible"),
        (" \u3000 ", "visible"),
        ("x" * 25, "this one has 25"),
        ("x" * 100_000, "at most 24"),
        ("a\x00b", "control"),
        ("a\nb", "control"),
        ("a\tb", "control"),
        ("\x1b[31mred", "control"),
        ("a\x7fb", "control"),
        ("a\x9b31m", "control"),
        ("a\u2028b", "control"),
        ("a\u202eb", "direction"),
        ("a\u200fb", "direction"),
        ("a\u2066b", "Unicode 3.2"),
        ("a\u200bb", "invisible|control"),
        ("a\u200db", "invisible|control"),
        ("a\u00adb", "invisible"),
        ("a\ufe0fb", "invisible"),
        ("a\u3164b", "invisible"),
        ("\u2800", "invisible"),
        ("a\ufeffb", "invisible|control"),
        ("a\ue000b", "private"),
        ("a\uffffb", "no characters"),
        ("a\ud800b", "surrogate"),
        ("a\ufffdb", "unreadable"),
        ("a\U000e0041b", "tagging"),
        ("\U0001f600", "emoji"),
        ("\u0301a", "combining mark"),
        ("a" + "\u0316" * 4, "combining mark"),
    ],
)
def test_an_unsuitable_name_is_refused_with_a_reason(text: str, sentence: str) -> None:
    with pytest.raises(WireError, match=sentence) as caught:
        clean_name(text)
    assert str(caught.value).isprintable()


@given(st.text(max_size=40))
def test_a_cleaned_name_is_safe_and_stays_as_it_is(text: str) -> None:
    try:
        name = clean_name(text)
    except WireError as error:
        name, sentence = "refused", str(error)
    else:
        sentence = "accepted"
    assert sentence.isprintable()
    assert clean_name(name) == name
    assert 1 <= len(name) <= MAX_NAME_CHARACTERS
    assert name.isprintable()
    assert not name.startswith(" ")
    assert not name.endswith(" ")
    assert not {unicodedata.category(c) for c in name} & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
