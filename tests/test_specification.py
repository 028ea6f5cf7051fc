"""The tables and examples of the specification say what the program does."""

import re
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

import p2pcoup
from p2pcoup.audit import evidence
from p2pcoup.journal import records, transcript
from p2pcoup.journal.records import encode_head, encode_header
from p2pcoup.wire import SCHEMA, FieldType, Identity, Kind, Message, identity, limits, sign

SPEC = (Path(p2pcoup.__file__).parent.parent / "protocol" / "SPEC.md").read_text(encoding="utf-8")


def section(number: str) -> str:
    """The text of a section such as 3.5."""
    found = re.search(
        rf"^### {re.escape(number)} .*?(?=^##)", SPEC + "\n## ", re.MULTILINE | re.DOTALL
    )
    assert found is not None
    return found[0]


def number(text: str) -> int:
    """The value of a cell such as `12 480` or `64 MiB`."""
    digits, _, unit = text.replace(" MiB", "_MiB").partition("_")
    return int(digits.replace(" ", "")) * (1024 * 1024 if unit else 1)


def test_the_table_of_limits_is_complete_and_right() -> None:
    rows = re.findall(r"^\| (`[A-Z_`, …]+`) \| ([^|]+) \| [^|]+ \|$", section("1.2"), re.MULTILINE)
    told: dict[str, str] = {
        name: value for names, value in rows for name in re.findall(r"`([A-Z_]+)`", names)
    }
    assert told.pop("MIN_INTEGER") == told.pop("MAX_INTEGER") == "−(2⁵³−1) … 2⁵³−1"
    for name, value in told.items():
        homes = [limits, identity, records, transcript, evidence]
        actual = next(getattr(home, name) for home in homes if hasattr(home, name))
        assert number(value) == actual, name
    all_names = {name for name in vars(limits) if name.isupper()}
    assert all_names - set(told) == {"MIN_INTEGER", "MAX_INTEGER"}


def test_the_table_of_kinds_is_complete_and_right() -> None:
    rows = re.findall(
        r"^\| (.*?) \| (\w+) \| (byte string|text) \| (.*?) \|", section("3.5"), re.MULTILINE
    )
    told: dict[str, list[tuple[str, str, str]]] = {}
    kind = ""
    for name, *field in rows:
        kind = name.strip(" `") or kind
        told.setdefault(kind, []).append((field[0], field[1], field[2]))
    types = {FieldType.BYTES: "byte string", FieldType.TEXT: "text"}
    for kind, fields in SCHEMA.items():
        lengths = [f"{f.most}" if f.least == f.most else f"{f.least} to {f.most}" for f in fields]
        assert told.pop(kind.value) == [
            (field.name, types[field.type], length)
            for field, length in zip(fields, lengths, strict=True)
        ]
    assert told == {}


@pytest.fixture(scope="module")
def example() -> Identity:
    return Identity(Ed25519PrivateKey.from_private_bytes(bytes(range(32))))


def test_the_example_of_an_identity_is_right(example: Identity) -> None:
    text = section("2.1")
    assert f"`{example.public_key.hex()}`" in text
    assert f"`{example.peer_id}`" in text


def test_the_example_of_a_message_is_right(example: Identity) -> None:
    text = section("3.2")
    signed = sign(Message(b"g" * 32, 7, 1, b"p" * 32, Kind.UNSEAL, ("pass", b"s" * 32)), example)
    told = re.search(r"^> +(97 .*)$", text, re.MULTILINE)
    assert told is not None
    spelled = re.sub(
        r"([0-9a-f]{2})×(\d+)", lambda found: found[1] * int(found[2]), told[1]
    ).replace(" ", "")
    assert spelled == signed.payload.hex()
    assert f"`{signed.signature.hex()}`" in text


def test_the_example_of_a_journal_is_right() -> None:
    lines = re.findall(r"^> {5}([0-9a-f ]+?) {2,}\D", section("10.1"), re.MULTILINE)
    told = "".join(lines).replace(" ", "")
    assert told == encode_head(bytes(range(16)), encode_header(b"terms", None)).hex()


def test_every_section_the_code_cites_is_there() -> None:
    headings = set(re.findall(r"^#+ (\d+(?:\.\d+)?)", SPEC, re.MULTILINE))
    cited: dict[str, str] = {}
    for path in Path(p2pcoup.__file__).parent.rglob("*.py"):
        for start, rest in re.findall(
            r"SPEC (\d+(?:\.\d+)?)((?:(?:, | and | to )\d+\.\d+)*)",
            path.read_text(encoding="utf-8"),
        ):
            for number_ in (start, *re.findall(r"\d+\.\d+", rest)):
                cited[number_] = path.name
    assert len(cited) > 40
    assert {number_: file for number_, file in cited.items() if number_ not in headings} == {}
