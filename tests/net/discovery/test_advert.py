"""What is said of a table can be read again, and nothing else gets through."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pcoup.net.discovery.advert import (
    MAX_RECORD_BYTES,
    Advert,
    AdvertError,
    TableState,
    decode_advert,
    encode_advert,
)
from p2pcoup.wire import clean_name
from tests.net.discovery.tables import advert, peer

NAMES = st.text(
    st.characters(min_codepoint=0x21, max_codepoint=0x24F, blacklist_categories=("C", "M", "Z")),
    min_size=1,
    max_size=24,
).filter(lambda text: "\xad" not in text and _is_clean(text))
ADVERTS = st.builds(
    Advert,
    st.integers(0, 2**200).map(peer),
    NAMES,
    NAMES,
    st.from_regex(r"\A[a-z][a-z0-9-]{0,23}\Z"),
    st.from_regex(r"\A[a-z][a-z0-9,-]{0,119}\Z"),
    st.integers(0, 4),
    st.integers(4, 10),
    st.sampled_from(TableState),
    st.integers(0, 2**53 - 1),
    st.integers(0, 9999),
)


def _is_clean(text: str) -> bool:
    try:
        return clean_name(text) == text
    except ValueError:
        return False


def read_or_none(data: bytes) -> Advert | None:
    try:
        return decode_advert(data)
    except AdvertError:
        return None


@given(ADVERTS)
@settings(max_examples=40)
def test_what_is_written_is_read_again(said: Advert) -> None:
    data = encode_advert(said)
    assert len(data) <= MAX_RECORD_BYTES
    assert decode_advert(data) == said


@given(st.binary(max_size=400))
def test_junk_is_refused(data: bytes) -> None:
    assert read_or_none(data) is None


@given(ADVERTS, st.data())
@settings(max_examples=40)
def test_what_is_read_of_a_damaged_record_can_be_shown(said: Advert, data: st.DataObject) -> None:
    record = bytearray(encode_advert(said))
    for position in data.draw(st.lists(st.integers(0, len(record) - 1), min_size=1, max_size=4)):
        record[position] = data.draw(st.integers(0, 255))
    read = read_or_none(bytes(record))
    if read is not None:
        shown = (read.table, read.opener_name, read.edition, read.options, read.opener)
        assert all(text.isprintable() and len(text) <= 120 for text in shown)
        assert decode_advert(encode_advert(read)) == read


@pytest.mark.parametrize(
    "wrong",
    [
        {"opener": advert().opener.lower()},
        {"table": ""},
        {"table": "x" * 25},
        {"opener_name": " Ash"},
        {"opener_name": "A\x1bsh"},
        {"edition": "Base"},
        {"options": ""},
        {"taken": 7},
        {"taken": -1},
        {"seats": 11},
        {"seats": 0, "taken": 0},
        {"since": -1},
        {"protocol": 10_000},
    ],
    ids=repr,
)
def test_what_others_would_refuse_cannot_be_said(wrong: dict[str, object]) -> None:
    with pytest.raises(AdvertError):
        replace(advert(), **wrong)


def test_a_table_of_another_version_is_shown_as_one_that_cannot_be_played() -> None:
    assert advert().playable
    assert not replace(advert(), protocol=advert().protocol + 1).playable
