"""Messages for rounds that are not reached yet."""

from dataclasses import replace

import pytest

from p2pcoup.table import Accepted, Behind, Refused, Table
from p2pcoup.table import listener as table_module
from p2pcoup.wire import Identity, Kind, sign
from tests.table.party import BUSY, Party, played


@pytest.fixture(scope="module")
def party() -> Party:
    return played(3, 3, BUSY)


def joined(party: Party) -> Table:
    """A watching table at which everybody has joined."""
    table = party.new_table(None)
    for raw in party.raws()[:3]:
        table.receive(raw)
    return table


def test_messages_ahead_of_their_round_are_kept_until_it_comes(party: Party) -> None:
    table = joined(party)
    for raw in reversed(party.raws()):
        table.receive(raw)
    assert [s.raw for s in table.transcript()] == party.raws()
    assert table.outcome == party.tables[0].outcome


def test_a_message_too_far_ahead_is_dropped_and_asked_for_again(
    party: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_module, "MAX_ROUNDS_AHEAD", 5)
    table = joined(party)
    last = party.raws()[-1]
    assert table.receive(last) == [Behind()]
    assert table.receive(last) == []  # told once in this round
    for raw in party.raws()[3:]:
        table.receive(raw)
    assert table.outcome is not None


def test_messages_before_everybody_joined_are_asked_for_again(party: Party) -> None:
    table = party.new_table(None)
    assert table.receive(party.raws()[0])
    assert table.receive(party.raws()[4]) == [Behind()]
    for raw in party.raws():
        table.receive(raw)
    assert table.outcome is not None


def test_words_forged_before_a_seat_has_joined_do_not_hide_its_own(party: Party) -> None:
    table = party.new_table(None)
    join = party.messages()[1]
    assert join.message.seat == 1
    place = {"kind": Kind.ABSENT, "round": 0, "parent": join.message.parent}
    own = party.signed_again(join, body=("1:2",), **place)
    stranger = party.identities[2]
    forged = [sign(replace(own.message, body=(f"{n}:2",)), stranger).raw for n in range(1, 40)]
    told = [notice for raw in forged for notice in table.receive(raw)]
    assert told == [Behind()], "what is dropped has to be asked for"
    word = sign(replace(own.message, kind=Kind.DECIDE, body=("1 income",)), stranger)
    assert all(isinstance(notice, Refused) for notice in table.receive(word.raw))
    assert Accepted(join, own=False) in table.receive(join.raw)
    assert Accepted(own, own=False) in table.receive(own.raw)


def test_a_flood_of_messages_ahead_is_bounded_in_memory_and_answers(party: Party) -> None:
    table = joined(party)
    model = party.messages()[-1]
    answers = []
    for number in range(2_000):
        signed = party.signed_again(
            model, round=2 + number % 500, parent=number.to_bytes(32, "big")
        )
        answers += table.receive(signed.raw)
    held = len(table._ahead)
    assert held <= table_module.MAX_ROUNDS_AHEAD * len(party.terms.roster)
    assert answers == [Behind()]


def test_a_false_message_ahead_does_not_lock_out_the_true_one(party: Party) -> None:
    """The seat itself must have signed it; the true one is asked for again when it is needed."""
    table = joined(party)
    place = next(n for n, s in enumerate(party.messages()) if s.message.round == 4)
    true = party.messages()[place]
    false = party.signed_again(true, parent=bytes(32))
    assert table.receive(false.raw) == []
    assert table.receive(true.raw) == [Behind()]  # one of them cannot be kept
    notices = [n for raw in party.raws()[3:place] for n in table.receive(raw)]
    assert any(isinstance(n, Refused) and "another course" in n.reason for n in notices)
    assert any(isinstance(n, Accepted) for n in table.receive(true.raw))


def test_a_message_ahead_with_a_false_signature_is_refused_at_once(party: Party) -> None:
    table = joined(party)
    forged = sign(party.messages()[-1].message, Identity.generate())
    (notice,) = table.receive(forged.raw)
    assert isinstance(notice, Refused)
    assert len(table._ahead) == 0
