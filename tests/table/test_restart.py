"""A peer that crashes and starts again from its journal: the same bytes, nothing signed twice."""

import os
from dataclasses import replace

import pytest

from p2pcoup.table import Accepted, OwnMessageError, Prompt, Table
from p2pcoup.wire import SignedMessage
from tests.table.party import (
    BASE_GAME,
    BUSY,
    FIVES,
    INQUISITION,
    Choose,
    Game,
    Party,
    any_legal,
    likes,
    played,
)

NIGHTLY = os.environ.get("P2PCOUP_NIGHTLY") == "1"


def restarted(
    party: Party, seat: int, journal: list[SignedMessage], choose: Choose
) -> tuple[Table, list[SignedMessage]]:
    """A new table fed with a journal, then with what the others say; and what it signs itself."""
    table = party.new_table(seat)
    for signed in journal:
        table.receive(signed.raw)
    said: list[SignedMessage] = []

    def work(notices: list[object]) -> None:
        queue = list(notices)
        while queue:
            match queue.pop(0):
                case Accepted(signed, own=True):
                    said.append(signed)
                case Prompt(id=prompt, view=view):
                    queue += table.answer(prompt, choose(view))
                case _:
                    pass

    work(list(table.begin()))
    for signed in party.messages()[len(journal) :]:
        work(list(table.receive(signed.raw)))
    return table, said


@pytest.mark.parametrize(("seat", "game"), [(0, FIVES), (1, BASE_GAME), (2, INQUISITION)])
def test_a_restart_at_any_point_goes_on_with_the_very_same_bytes(seat: int, game: Game) -> None:
    seat %= game[0]
    party = played(*game)
    everything = party.messages()
    step = 1 if NIGHTLY else 7 if game is INQUISITION else 5
    for cut in range(0, len(everything) + 1, step):
        table, said = restarted(party, seat, everything[:cut], party.choose)
        assert [s.raw for s in table.transcript()] == party.raws(), f"cut at {cut}"
        assert said == [s for s in everything[cut:] if s.message.seat == seat]


def test_a_player_who_changes_their_mind_after_a_restart_still_signs_each_place_once() -> None:
    """What is journalled stands, whatever the player or bot would now rather do."""
    party = played(3, 3, BUSY)
    everything = party.messages()
    other = likes("income", "pass", "decline")
    for cut in range(1, len(everything), 3 if NIGHTLY else 8):
        journal = everything[:cut]
        own = {s.message.round for s in journal if s.message.seat == 1}
        _, said = restarted(party, 1, journal, other)
        assert not own & {s.message.round for s in said}
        places = [(s.message.round, s.message.parent) for s in said]
        assert len(places) == len(set(places))


def test_a_sealed_answer_is_opened_after_a_restart_as_it_was_sealed() -> None:
    """Only the commitment is in the journal; the answer is found again by what fits it."""
    party = played(4, 4, any_legal)
    everything = party.messages()
    places = [
        (number, s)
        for number, s in enumerate(everything)
        if s.message.kind.value == "unseal" and s.message.body[0] != f"{s.message.seat} pass"
    ]
    assert places
    for number, signed in places:
        seat = signed.message.seat
        _, said = restarted(party, seat, everything[:number], any_legal)
        assert signed in said


def test_records_out_of_order_and_twice_restore_the_same_table() -> None:
    """The journal holds messages as they came: some ahead of their round, some twice."""
    party = played(3, 3, BUSY)
    mixed = sorted(party.messages(), key=lambda s: (s.message.round // 3, s.message.seat, s.raw))
    usual = party.new_table(0)
    for signed in party.messages()[:3]:
        usual.receive(signed.raw)
    for signed in [*mixed, *mixed]:
        usual.receive(signed.raw)
    assert [s.raw for s in usual.transcript()] == party.raws()


def test_with_another_secret_seed_nothing_is_signed_twice_and_the_fault_is_named() -> None:
    """The journal of one game beside the secret of another cannot go on, and says so."""
    party = played(3, 3, BUSY)
    everything = party.messages()
    cut = next(n for n, s in enumerate(everything) if s.message.kind.value == "coin")
    table = replace(party, seeds=[bytes(32)] * 3).new_table(1)
    for signed in everything[:cut]:
        table.receive(signed.raw)
    with pytest.raises(OwnMessageError, match="was not sent"):
        table.begin()
