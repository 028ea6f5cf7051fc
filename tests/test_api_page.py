"""The page of the local API says what the schema says, and both what the code does."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest

from p2pcoup.node import wishes
from p2pcoup.node.api import decode
from p2pcoup.node.api.decode import NotUnderstoodError, decode_request
from p2pcoup.rules import DecisionKind
from p2pcoup.rules.choices import Why
from tests.node.api.clients import SCHEMA, closed_schema

PROTOCOL = Path(__file__).parent.parent / "protocol"
PAGE = (PROTOCOL / "API.md").read_text(encoding="utf-8")
DEFS = closed_schema(SCHEMA["$defs"])
PARTS = {"2.1 lobby": "lobby", "2.2 game": "game", "2.3 question": "question"}


def examples() -> Iterator[tuple[str, dict]]:
    """Every JSON example of the page, with the name of what it should be in the schema."""
    heading = ""
    parts = re.compile(r"^#+ ([^\n]+)$|^```json\n(.*?)^```$", re.MULTILINE | re.DOTALL)
    for title, block in parts.findall(PAGE):
        heading = title or heading
        if not block:
            continue
        example = json.loads(block)
        if "type" in example:
            yield example["type"], example
        else:
            yield "outcome" if "winner" in example else PARTS[heading], example


def valid(kind: str, instance: object) -> bool:
    """Whether something is exactly what the schema calls by that name."""
    schema = {"$defs": DEFS, "$ref": f"#/$defs/{kind}"}
    return jsonschema.Draft202012Validator(schema).is_valid(instance)


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize(("kind", "example"), list(examples()), ids=lambda each: str(each)[:24])
def test_every_example_on_the_page_fits_the_schema(kind: str, example: dict) -> None:
    schema = {"$defs": DEFS, "$ref": f"#/$defs/{kind}"}
    jsonschema.Draft202012Validator(schema).validate(example)


def test_the_page_has_an_example_of_every_message_of_the_node() -> None:
    shown = {kind for kind, _ in examples()}
    assert types_of("from_node") <= shown
    assert {"lobby", "game", "question", "outcome"} <= shown


def types_of(direction: str) -> set[str]:
    return {part["$ref"].rpartition("/")[2] for part in SCHEMA["$defs"][direction]["oneOf"]}


def test_page_schema_and_program_know_the_same_requests() -> None:
    requests = types_of("from_client")
    assert requests == set(decode._TYPES)
    table = PAGE.partition("## 3 From the client")[2]
    rows = re.findall(r"^\| (`.+?`) \|", table, re.MULTILINE)
    assert {name for row in rows for name in re.findall(r"`([a-z-]+)`", row)} == requests


@pytest.mark.parametrize("kind", sorted(types_of("from_client")))
def test_schema_and_program_want_the_same_fields(kind: str) -> None:
    """The least request the schema allows is read; without any field, or with one more, neither."""
    schema = SCHEMA["$defs"][kind]
    values = {"string": "a", "boolean": True, "integer": 1, "object": {}}
    fields = {name: part for name, part in schema["properties"].items() if name != "type"}
    resolved = {name: values[part["type"]] for name, part in fields.items()}
    full = {"type": kind, **resolved}
    for left_out in (None, *resolved):
        request = {name: value for name, value in full.items() if name != left_out}
        assert accepted(request) == valid(kind, request) == (left_out not in schema["required"])
    assert not accepted({**full, "more": 1})
    assert not valid(kind, {**full, "more": 1})
    for name in resolved:
        wrong = {**full, name: None if name == "n" else 1.5}
        assert valid(kind, wrong) is False
        assert accepted(wrong) is (name == "n"), "no number is as good as none"


def accepted(request: dict) -> bool:
    try:
        decode_request(json.dumps(request))
    except NotUnderstoodError:
        return False
    return True


def test_the_schema_knows_all_kinds_reasons_and_codes() -> None:
    question, move = SCHEMA["$defs"]["question"], SCHEMA["$defs"]["move"]
    kinds = {kind.value for kind in DecisionKind}
    assert set(question["properties"]["kind"]["enum"]) == kinds
    stage = set(SCHEMA["$defs"]["stage"]["properties"]["kind"]["enum"])
    assert stage == kinds | {"setup", "cards", "recovery", "result"}
    assert set(move["properties"]["why"]["enum"]) == {why.value for why in Why} | {None}
    codes = set(SCHEMA["$defs"]["error"]["properties"]["code"]["enum"])
    in_code = {
        wishes.CLOSED,
        wishes.NOT_POSSIBLE,
        wishes.NO_SEAT,
        wishes.TOO_OFTEN,
        wishes.TOO_LONG,
        decode.BAD_MESSAGE,
        decode.UNKNOWN,
    }
    assert codes == in_code
    rows = PAGE.partition("### ok, error")[2].partition("## 3")[0]
    assert set(re.findall(r"^\| `([a-z-]+)` \|", rows, re.MULTILINE)) == codes


def test_the_limits_on_the_page_are_those_of_the_program() -> None:
    from p2pcoup.node.api import client, eventlog, web

    for limit in (
        f"{decode.MAX_REQUEST_BYTES:,} bytes",
        f"{web.MAX_MESSAGE_BYTES:,} bytes",
        f"{client.MAX_ERRORS_IN_A_ROW} such errors in a row",
        f"{web.WRITE_SECONDS:.0f} seconds",
        f"{eventlog.MAX_LOG_BYTES // 2**20} MiB of events",
        f"({web.MAX_CLIENTS}\n  clients)",
        f"at most {decode.MAX_TALK} characters",
        f"at most {decode.MAX_TEXT} characters",
    ):
        assert limit in PAGE, limit


def test_the_example_bot_is_short_and_needs_nothing_but_python() -> None:
    text = (PROTOCOL / "examples" / "bot.py").read_text(encoding="utf-8")
    assert len(text.splitlines()) < 60
    imported = set(re.findall(r"^(?:import|from) (\w+)", text, re.MULTILINE))
    assert imported == {"json", "subprocess", "sys", "typing"}
