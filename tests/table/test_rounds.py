"""Where a proof or a commitment holds: in one place of one course of one game (SPEC 8.2)."""

from dataclasses import replace

import pytest

from p2pcoup.deck import Check, ProofError
from p2pcoup.rules import Seat
from p2pcoup.table.rounds import Context, check_seal, seal_value

PLACE = Context(b"g" * 32, 7, Seat(2), b"p" * 32)
ELSEWHERE = {
    "another game": replace(PLACE, game=b"h" * 32),
    "another round": replace(PLACE, round=8),
    "another seat": replace(PLACE, seat=Seat(1)),
    "another course": replace(PLACE, parent=b"q" * 32),
}
SALT = bytes(range(32))


@pytest.mark.parametrize("where", ELSEWHERE)
def test_a_commitment_can_be_opened_in_the_place_it_was_made_in_and_nowhere_else(
    where: str,
) -> None:
    commitment = seal_value(PLACE, "answer", b"2 pass", SALT)
    check_seal((PLACE, commitment), "answer", b"2 pass", SALT)
    assert ELSEWHERE[where].domain != PLACE.domain
    with pytest.raises(ProofError) as refused:
        check_seal((ELSEWHERE[where], commitment), "answer", b"2 pass", SALT)
    assert refused.value.check is Check.COMMITMENT
