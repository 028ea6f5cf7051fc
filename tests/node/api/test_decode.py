"""What clients send: read exactly, or refused with a reason."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pcoup.node.api.decode import (
    MAX_NUMBER,
    MAX_REQUEST_BYTES,
    Heard,
    NotUnderstoodError,
    Resume,
    decode_request,
)
from p2pcoup.node.wishes import (
    AddBot,
    Again,
    Answer,
    Kick,
    Leave,
    Mute,
    Quit,
    Ready,
    Reopen,
    Say,
    Settings,
    Start,
)

EXAMPLES = [
    ({"type": "answer", "question": "ab:7", "move": "0 income"}, Answer("ab:7", "0 income")),
    ({"type": "resume", "run": "ab", "after": -1}, Resume("ab", -1)),
    ({"type": "say", "text": "Grüße, 안녕"}, Say("Grüße, 안녕")),
    ({"type": "mute", "peer": "AAAA", "muted": True}, Mute("AAAA", True)),
    ({"type": "ready", "ready": False}, Ready(False)),
    ({"type": "settings"}, Settings()),
    ({"type": "settings", "games": 3, "times": {"grace": 60}},
     Settings(games=3, times={"grace": 60})),
    ({"type": "settings", "edition": "base", "options": "standard", "seats": 4},
     Settings("base", "standard", None, 4)),
    ({"type": "add-bot", "bot": "honest"}, AddBot("honest")),
    ({"type": "kick", "peer": "AAAA"}, Kick("AAAA")),
    ({"type": "start"}, Start()),
    ({"type": "leave"}, Leave()),
    ({"type": "reopen"}, Reopen()),
    ({"type": "again", "again": True}, Again(True)),
    ({"type": "quit"}, Quit()),
]  # fmt: skip


@pytest.mark.parametrize(("message", "wish"), EXAMPLES, ids=lambda each: str(each)[:40])
def test_every_type_is_read_with_and_without_a_number(message, wish) -> None:
    assert decode_request(json.dumps(message)) == Heard(None, wish)
    numbered = json.dumps({"n": 7, **message}, ensure_ascii=False).encode()
    assert decode_request(numbered) == Heard(7, wish)


def refused(data: str | bytes) -> NotUnderstoodError:
    with pytest.raises(NotUnderstoodError) as caught:
        decode_request(data)
    assert str(caught.value).endswith("."), "a sentence"
    assert str(caught.value).isascii(), "nothing of what came is shown as it is"
    return caught.value


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ("", "no JSON"),
        ("[]", "one JSON object"),
        ("7", "one JSON object"),
        ("null", "one JSON object"),
        ('{"type": "quit"} {"type": "quit"}', "no JSON"),
        ('{"type": "quit", "type": "quit"}', "twice"),
        ('{"type": "settings", "times": {"grace": 1, "grace": 2}}', "twice"),
        ('{"type": "settings", "seats": NaN}', "NaN"),
        ('{"type": "settings", "seats": Infinity}', "Infinity"),
        ('{"type": "quit", "n": -1}', '"n"'),
        ('{"type": "quit", "n": true}', '"n"'),
        ('{"type": "quit", "n": 1.0}', '"n"'),
        ('{"type": "quit", "n": 9007199254740992}', '"n"'),
        ("{}", '"type"'),
        ('{"type": ["quit"]}', '"type"'),
        ('{"type": "quit", "now": true}', "no field 'now'"),
        ('{"type": "answer", "question": "a:1"}', '"move"'),
        ('{"type": "answer", "question": "a:1", "move": 7}', '"move"'),
        ('{"type": "answer", "question": "a:1", "move": null}', '"move"'),
        ('{"type": "say", "text": "\\ud800"}', '"text"'),
        ('{"type": "mute", "peer": "A", "muted": 1}', '"muted"'),
        ('{"type": "resume", "run": "a", "after": -2}', '"after"'),
        ('{"type": "resume", "run": "a", "after": false}', '"after"'),
        ('{"type": "settings", "seats": "4"}', '"seats"'),
        ('{"type": "settings", "times": {"night": 1}}', '"times"'),
        ('{"type": "settings", "times": {"grace": {}}}', '"times.grace"'),
        ('{"type": ' + "[" * 8000, ""),  # too deep, or not ended: as Python finds first
        (b"\xff\xfe", "UTF-8"),
        (b'{"type": "say", "text": "\xed\xa0\x80"}', "UTF-8"),
        ('{"type": "quit", "n": ' + "9" * 5000 + "}", ""),
    ],
)
def test_whatever_is_not_exactly_a_request_is_refused(data, says) -> None:
    error = refused(data)
    assert error.code == "bad-message"
    assert says in str(error)


def test_a_lone_surrogate_in_the_text_itself_is_refused_as_well() -> None:
    assert refused('{"type": "say", "text": "\ud800"}').code == "bad-message"


def test_an_unknown_type_is_named_in_the_answer_together_with_the_known_ones() -> None:
    error = refused('{"type": "dance", "n": 3}')
    assert (error.code, error.n) == ("unknown", 3)
    assert "'dance'" in str(error)
    assert "answer, kick" in str(error)


def test_what_is_too_long_is_refused_by_that_name() -> None:
    assert refused(" " * (MAX_REQUEST_BYTES + 1)).code == "too-long"
    assert refused(json.dumps({"type": "say", "text": "x" * 281})).code == "too-long"
    assert refused(json.dumps({"type": "kick", "peer": "x" * 201})).code == "too-long"
    fits = json.dumps({"type": "say", "text": "x" * 280})
    assert decode_request(fits.ljust(MAX_REQUEST_BYTES)).wish == Say("x" * 280)


def test_the_number_comes_back_with_a_refusal_if_it_could_be_read() -> None:
    assert refused('{"type": "answer", "n": 4}').n == 4
    assert refused(f'{{"type": "quit", "n": {MAX_NUMBER}, "x": 1}}').n == MAX_NUMBER
    assert refused("nonsense").n is None


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=3,
)
fields = st.sampled_from([*{name for message, _ in EXAMPLES for name in message}, "n", "x"])
types = st.sampled_from([message["type"] for message, _ in EXAMPLES])


@settings(max_examples=60)
@given(types, st.dictionaries(fields, anything, max_size=4))
def test_whatever_stands_in_the_fields_is_read_or_refused(kind, more) -> None:
    try:
        heard = decode_request(json.dumps({**more, "type": kind}))
    except NotUnderstoodError as error:
        code = error.code
    else:
        code = None if type(heard) is Heard else "something else"
    assert code in (None, "bad-message", "too-long")


@given(st.binary(max_size=64))
def test_whatever_bytes_come_are_refused(data) -> None:
    refused(data)
