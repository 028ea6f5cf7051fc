"""The lobby's test vectors, and its numbers in the specification, are what the program does."""

import json
import re

import pytest

from p2pcoup.lobby import Person, Sheet, Started, decode_lobby, encode_lobby, labels, limits
from p2pcoup.lobby.messages import Doubt, Reason
from p2pcoup.lobby.reading import _READERS
from p2pcoup.lobby.settings import settings_of
from p2pcoup.lobby.signing import check_start
from p2pcoup.wire import WireError, decode
from tests.lobby.make_vectors import FILE, text
from tests.test_specification import number, section

CASES = json.loads(FILE.read_text(encoding="utf-8"))


def of(algorithm: str, *, valid: bool) -> list[dict]:
    return [case for case in CASES if (case["algorithm"], case["valid"]) == (algorithm, valid)]


def named(case: dict) -> str:
    return f"{case['number']} {case.get('why', '')}"


def test_the_file_is_what_makes_it_says() -> None:
    assert FILE.read_text(encoding="utf-8") == text()


@pytest.mark.parametrize("case", of("12.2a Labels", valid=True), ids=named)
def test_labels(case: dict) -> None:
    people = [Person(peer, name, ("h:1",)) for peer, name in case["people"]]
    assert list(labels(people).values()) == case["labels"]


@pytest.mark.parametrize("case", of("12.2 digest of settings", valid=True), ids=named)
def test_digests_of_settings(case: dict) -> None:
    value = decode(bytes.fromhex(case["settings"]), max_bytes=1000)
    assert settings_of(value).digest.hex() == case["digest"]


def test_terms_of_a_sheet() -> None:
    (case,) = of("12.2b Terms of a sheet", valid=True)
    sheet = decode_lobby(bytes.fromhex(case["sheet"]))
    assert isinstance(sheet, Sheet)
    assert sheet.terms(case["game"]).encode().hex() == case["terms"]


@pytest.mark.parametrize("case", of("12.3 message", valid=True), ids=named)
def test_messages(case: dict) -> None:
    payload = bytes.fromhex(case["payload"])
    assert encode_lobby(decode_lobby(payload)) == payload


@pytest.mark.parametrize("case", of("12.3 message", valid=False), ids=named)
def test_messages_that_are_refused(case: dict) -> None:
    with pytest.raises(WireError):
        decode_lobby(bytes.fromhex(case["payload"]))


@pytest.mark.parametrize("valid", [True, False])
def test_starts(valid: bool) -> None:
    cases = of("12.6a started", valid=valid)
    assert cases
    for case in cases:
        start = decode_lobby(bytes.fromhex(case["payload"]))
        assert isinstance(start, Started)
        if valid:
            assert check_start(start).game_id.hex() == case["game_id"]
        else:
            with pytest.raises(WireError):
                check_start(start)


def test_every_kind_of_message_has_a_vector_and_a_line_in_the_specification() -> None:
    told = set(re.findall(r"^\| `([a-z-]+)` \|", section("12.3"), re.MULTILINE))
    payloads = [bytes.fromhex(case["payload"]) for case in of("12.3 message", valid=True)]
    shown = {decode(payload, max_bytes=99_999)[1] for payload in payloads}
    assert told == shown == set(_READERS)


def test_every_reason_is_in_the_specification() -> None:
    told = set(re.findall(r"`([a-z-]+)`", section("12.3")))
    assert {each.value for each in (*Reason, *Doubt)} <= told


def test_the_table_of_limits_is_complete_and_right() -> None:
    rows = re.findall(r"^\| (`[A-Z_`, ]+`) \| ([^|]+) \|", section("12.7"), re.MULTILINE)
    told: dict[str, float] = {}
    for names, values in rows:
        for name, value in zip(re.findall(r"[A-Z_]+", names), values.split(", "), strict=True):
            told[name] = number(value.replace(" s", "").strip())
    actual = {name: value for name, value in vars(limits).items() if name.isupper()}
    assert told == actual
