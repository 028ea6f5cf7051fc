"""The terms that everybody signs up to."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcoup.rules import BASE, INQUISITOR, Options, Seat, Setup
from p2pcoup.table import Member, Sequel, TermsError, Times, decode_terms
from p2pcoup.wire import Identity, encode
from tests.table.party import make_party

TERMS = make_party(3).terms
TIMES = [45, 20, 120]
START = ["p2pcoup terms 1", "g", "base"]
SEQUEL = Sequel(b"p" * 32, (Seat(2), Seat(0), Seat(1)), Seat(0))


def test_terms_survive_their_encoding() -> None:
    for seats in range(2, 7):
        terms = make_party(seats).terms
        assert decode_terms(terms.encode()) == terms
        assert decode_terms(terms.encode()).game_id == terms.game_id
    for terms in (
        replace(TERMS, edition=INQUISITOR, sequel=SEQUEL),
        make_party(2, options=Options(Setup.SET_OF_FIVE, starter_coin=True)).terms,
    ):
        assert decode_terms(terms.encode()) == terms


def test_every_part_of_the_terms_is_part_of_the_game_id() -> None:
    a, b, c = TERMS.roster
    others = [
        replace(TERMS, game="another game"),
        replace(TERMS, roster=(b, a, c)),
        replace(TERMS, roster=(a, b)),
        replace(TERMS, roster=(a, b, Member(c.peer, "Nobody"))),
        replace(TERMS, roster=(a, b, Member(Identity.generate().peer_id, c.name))),
        replace(TERMS, edition=INQUISITOR),
        replace(TERMS, options=Options(steal_from_penniless=False)),
        replace(TERMS, times=Times(decide=44)),
        replace(TERMS, times=Times(answer=44)),
        replace(TERMS, times=Times(grace=44)),
        replace(TERMS, sequel=SEQUEL),
        replace(TERMS, sequel=replace(SEQUEL, starter=Seat(1))),
        replace(TERMS, sequel=replace(SEQUEL, order=(Seat(0), Seat(1), Seat(2)))),
        replace(TERMS, sequel=replace(SEQUEL, previous=b"q" * 32)),
    ]
    ids = {terms.game_id for terms in (TERMS, *others)}
    assert len(ids) == 1 + len(others)
    assert all(len(game_id) == 32 for game_id in ids)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"game": ""}, "1 to 64 printable ASCII"),
        ({"game": "x" * 65}, "1 to 64 printable ASCII"),
        ({"game": "tab\there"}, "printable"),
        ({"game": "Spiel für drei"}, "printable ASCII"),
        ({"roster": TERMS.roster[:1]}, "it is for 2 to 6"),
        ({"roster": (*TERMS.roster, TERMS.roster[0])}, "the same peer"),
        (
            {"roster": (TERMS.roster[0], Member(TERMS.roster[1].peer, TERMS.roster[0].name))},
            "Two players at the table are called Ash",
        ),
    ],
)
def test_terms_that_cannot_be_say_why(changes: dict[str, object], says: str) -> None:
    with pytest.raises(TermsError, match=says):
        replace(TERMS, **changes)  # type: ignore[arg-type]


def lines() -> list[list[str]]:
    return [[str(member.peer), member.name] for member in TERMS.roster]


@pytest.mark.parametrize(
    "fields",
    [
        [],
        ["p2pcoup terms 2", "g", "base", "standard", TIMES, lines(), []],
        ["p2pcoup terms 1", "g", "no such edition", "standard", TIMES, lines(), []],
        ["p2pcoup terms 1", "g", "base", "standard", TIMES, lines()[:1], []],
        [
            "p2pcoup terms 1",
            "g",
            "base",
            "standard",
            TIMES,
            [["not a peer", "Ash"], *lines()[1:]],
            [],
        ],
        [
            "p2pcoup terms 1",
            "g",
            "base",
            "standard",
            [[lines()[0][0].lower(), "Ash"], *lines()[1:]],
            [],
        ],
        [
            "p2pcoup terms 1",
            "g",
            "base",
            "standard",
            TIMES,
            [[lines()[0][0], " Ash "], *lines()[1:]],
            [],
        ],
        [
            "p2pcoup terms 1",
            "g",
            "base",
            "standard",
            [[lines()[0][0], "A\x1b[31msh"], *lines()[1:]],
            [],
        ],
        ["p2pcoup terms 1", "g", "base", "standard", TIMES, [[lines()[0][0]], *lines()[1:]], []],
        ["p2pcoup terms 1", "g", "base", "standard", TIMES, "roster", []],
        ["p2pcoup terms 1", b"g", "base", "standard", TIMES, lines(), []],
        ["p2pcoup terms 1", "g", "base", "standard", TIMES, lines(), [], 1],
        ["p2pcoup terms 1", "g", "base", lines(), []],
        ["p2pcoup terms 1", "g", "base", "", TIMES, lines(), []],
        ["p2pcoup terms 1", "g", "base", "set-of-five", TIMES, lines(), []],
        ["p2pcoup terms 1", "g", "base", "standard", TIMES, lines(), [bytes(32), [0, 1], 0]],
        ["p2pcoup terms 1", "g", "base", "standard", TIMES, lines(), [bytes(31), [0, 1, 2], 0]],
        ["p2pcoup terms 1", "g", "base", "standard", TIMES, lines(), [bytes(32), [0, 1, 2], True]],
        ["p2pcoup terms 1", "g", "base", "standard", TIMES, lines(), [bytes(32), [0, 1, 2], 3]],
        ["p2pcoup terms 1", "g", "base", "standard", TIMES, lines(), [bytes(32), [0, True, 2], 0]],
        ["p2pcoup terms 1", "g", "base", "standard", TIMES, lines(), [bytes(32), [1, False, 2], 2]],
        ["p2pcoup terms 1", "g", "base", "standard", TIMES, lines(), [bytes(32), [0, "1", 2], 0]],
        [
            "p2pcoup terms 1",
            "g",
            "base",
            "standard",
            TIMES,
            lines(),
            [bytes(32), [0, 1, 2, b""], 0],
        ],
        ["p2pcoup terms 1", "g", "base", "standard", TIMES, lines(), [bytes(32), [0, 1, 2], None]],
    ],
)
def test_terms_of_another_form_are_refused(fields: list[object]) -> None:
    with pytest.raises(TermsError):
        decode_terms(encode(fields))  # type: ignore[arg-type]


@given(st.data())
def test_terms_with_a_changed_byte_are_refused_or_other_terms(data: st.DataObject) -> None:
    raw = TERMS.encode()
    at = data.draw(st.integers(0, len(raw) - 1))
    value = data.draw(st.integers(0, 255).filter(lambda v: v != raw[at]))
    try:
        terms = decode_terms(raw[:at] + bytes([value]) + raw[at + 1 :])
    except TermsError:
        return
    assert terms != TERMS
    assert terms.game_id != TERMS.game_id


@given(st.binary(max_size=200))
def test_any_bytes_are_refused_with_a_terms_error(raw: bytes) -> None:
    with pytest.raises(TermsError):
        decode_terms(raw)


def test_the_edition_is_named_in_the_terms() -> None:
    assert BASE.name.encode() in TERMS.encode()


@pytest.mark.parametrize(
    "times", [[45, 20], [45, 20, 120, 1], [0, 20, 120], [45, 0, 120], [45, 20, -1], [45, 20, 86401]]
)
def test_times_out_of_bounds_are_refused(times: list[int]) -> None:
    with pytest.raises(TermsError):
        decode_terms(encode([*START, "standard", times, lines(), []]))


@pytest.mark.parametrize("times", [[True, 20, 120], [45, "20", 120], [45, 20, None]])
def test_times_that_are_no_numbers_are_refused(times: list[object]) -> None:
    with pytest.raises(TermsError):
        decode_terms(encode([*START, "standard", times, lines(), []]))  # type: ignore[list-item]


def test_the_game_id_is_reckoned_once_and_belongs_to_its_terms_alone() -> None:
    terms = replace(TERMS, game="one")
    first = terms.game_id
    assert first is terms.game_id
    other = replace(terms, game="another")
    assert other.game_id == decode_terms(other.encode()).game_id != first
    assert terms == decode_terms(terms.encode())
    assert hash(terms) == hash(decode_terms(terms.encode()))
    assert "_game_id" not in repr(terms)
