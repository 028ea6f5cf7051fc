"""A whole game between tables: everybody ends with the same transcript and result."""

import pytest

from p2pcoup.audit import Verdict, audit
from p2pcoup.journal import encode_transcript
from p2pcoup.table import Blame, Refused


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_a_game_ends_with_one_transcript_at_every_seat_that_audits(make_party, seats: int) -> None:
    party = make_party(seats, seed=seats)
    party.begin()
    party.play()
    outcomes = {table.outcome for table in party.tables}
    assert len(outcomes) == 1
    assert None not in outcomes
    transcripts = {tuple(party.raws(seat)) for seat in range(seats)}
    assert len(transcripts) == 1
    complaints = [n for ns in party.notices for n in ns if isinstance(n, Blame | Refused)]
    assert complaints == []
    report = audit(encode_transcript(party.terms.encode(), list(party.tables[0].messages())))
    assert report.verdict is Verdict.VALID, report.problem
    assert report.winner == party.tables[0].outcome.winner
