"""The vectors of terms, game ids and domains (SPEC 8.1, 8.2) are what the program does."""

import json

import pytest

from p2pcoup.rules import Seat
from p2pcoup.table import TermsError, decode_terms
from p2pcoup.table.rounds import Context
from tests.table.make_vectors import FILE, Case, text

CASES: list[Case] = json.loads(FILE.read_text(encoding="utf-8"))


def test_the_file_is_what_its_maker_writes() -> None:
    assert FILE.read_text(encoding="utf-8") == text()


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['number']}")
def test_what_the_vectors_say_is_what_comes_out(case: Case) -> None:
    def raw(name: str) -> bytes:
        return bytes.fromhex(str(case[name]))

    if case["algorithm"] == "8.2 domain":
        place = (int(str(case["round"])), Seat(int(str(case["seat"]))))
        assert Context(raw("game"), *place, raw("parent")).domain == raw("domain")
    elif case["valid"]:
        assert decode_terms(raw("terms")).game_id == raw("game_id")
    else:
        with pytest.raises(TermsError):
            decode_terms(raw("terms"))
