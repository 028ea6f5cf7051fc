"""Going on without seats that are gone or were caught, and never apart from each other."""

import itertools
import os

import pytest

from p2pcoup.audit import Verdict, audit, make_evidence, verify_evidence
from p2pcoup.rules import Seat
from p2pcoup.table import Accepted, Blame, LeftBehind
from p2pcoup.table.open_round import Statement, may_go_on, parse_statement
from p2pcoup.table.rounds import Violation
from p2pcoup.wire import Kind
from tests.table.party import BUSY, Party, bereft, make_party, played

NIGHTLY = os.environ.get("P2PCOUP_NIGHTLY") == "1"


def agreed(party: Party) -> bytes:
    """Check that all who stayed have one finished transcript that audits; return it."""
    here = [seat for seat in party.terms.seats if seat not in party.gone]
    assert len({tuple(party.raws(seat)) for seat in here}) == 1
    assert all(party.tables[seat].outcome is not None for seat in here)
    transcript = party.transcript(here[0])
    report = audit(transcript)
    assert report.verdict is Verdict.VALID, report.problem
    return transcript


def stopped_at(party: Party, kind: Kind, seat: int | None = None) -> None:
    """Play until the open round everywhere wants that kind (of that seat)."""

    def reached() -> bool:
        table = party.tables[0]
        return table._round.kind is kind and seat in (None, *table._round.speakers)

    party.begin()
    party.play(until=reached)
    assert reached()


KINDS = [Kind.SHUFFLE, Kind.SHARES, Kind.DECIDE, Kind.UNSEAL, Kind.EXCHANGE, Kind.RESULT]
OTHER_KINDS = [Kind.JOIN, Kind.COIN, Kind.KEY, Kind.SEAL, Kind.OPEN, Kind.LEAVE]
RESTARTS = [(0, 12), (2, 45), (1, 80), (3, 110)]
RECOVERY = [Kind.DEDUCT, Kind.MIX, Kind.FLAGS]


@pytest.mark.parametrize("kind", KINDS + OTHER_KINDS if NIGHTLY else KINDS)
def test_a_seat_may_vanish_in_any_kind_of_round(kind: Kind) -> None:
    party = make_party(4, 3, BUSY)
    stopped_at(party, kind)
    gone = party.tables[0]._round.speakers[-1] or 1
    party.vanish(gone)
    party.play_on()
    agreed(party)
    losses = [n for n in party.notices[0] if isinstance(n, LeftBehind)]
    # its message for this round may have been on its way to everybody already
    assert [loss.seats for loss in losses] in ([frozenset({gone})], [])
    assert losses or kind in (Kind.LEAVE, Kind.RESULT)


@pytest.mark.parametrize("kind", RECOVERY if NIGHTLY else RECOVERY[:1])
def test_a_second_seat_may_vanish_during_the_recovery_from_the_first(kind: Kind) -> None:
    party = make_party(5, 3, BUSY)
    stopped_at(party, Kind.SEAL)
    party.vanish(party.tables[0]._round.speakers[-1] or 1)
    for _ in range(400):
        if party.tables[0]._round.kind is kind:
            break
        if not party.deliver():
            for seat in set(party.terms.seats) - party.gone:
                table = party.tables[seat]
                party.handle(seat, table.declare_absent(table.unheard & party.gone))
    assert party.tables[0]._round.kind is kind
    second = next(s for s in (4, 3, 2) if s not in party.gone)
    party.vanish(second)
    party.play_on()
    agreed(party)
    assert {s for n in party.notices[0] if isinstance(n, LeftBehind) for s in n.seats} == party.gone


def test_two_seats_may_vanish_at_once_and_one_by_one_down_to_two() -> None:
    party = make_party(5, 3, BUSY)
    stopped_at(party, Kind.DECIDE)
    party.vanish(1, 3)
    party.play_on()
    agreed(party)


def test_of_a_table_torn_in_two_only_the_majority_goes_on() -> None:
    party = make_party(5, 3, BUSY)
    stopped_at(party, Kind.SEAL)
    small = [3, 4]
    party.vanish(*small)
    for seat in small:  # they, too, wait in vain
        party.handle(seat, party.tables[seat].declare_absent({0, 1, 2}))
    assert all(party.tables[seat].outcome is None for seat in small)
    party.play_on()
    transcript = agreed(party)
    for seat in small:
        assert party.tables[seat].outcome is None
        # what they learn when the network heals is that the others went on
        heard = [n for raw in party.raws(0) for n in party.tables[seat].receive(raw)]
        assert any(isinstance(n, LeftBehind) and seat in n.seats for n in heard)
        assert party.tables[seat].outcome == party.tables[0].outcome
        party.gone.discard(seat)
        assert len({tuple(party.raws(s)) for s in (0, seat)}) == 1
    assert transcript


@pytest.mark.parametrize(
    ("members", "gone", "may"),
    [
        ({0, 1}, {1}, True),
        ({0, 1}, {0}, True),
        ({0, 1, 2}, {2}, True),
        ({0, 1, 2}, {1, 2}, False),
        ({0, 1, 2, 3}, {2, 3}, True),
        ({0, 1, 2, 3}, {0, 3}, False),
        ({2, 3, 5, 7}, {5, 7}, True),
        ({0, 1, 2, 3, 4}, {3, 4}, True),
        ({0, 1, 2, 3, 4}, {2, 3, 4}, False),
    ],
)
def test_only_a_majority_or_the_half_with_the_lowest_seat_may_go_on(
    members: set[int], gone: set[int], may: bool
) -> None:
    seats = frozenset(Seat(seat) for seat in gone)
    assert may_go_on({Seat(seat) for seat in members}, seats) is may


def test_never_can_both_parts_of_a_torn_table_go_on_unless_they_are_two() -> None:
    for count in range(3, 8):
        members = frozenset(Seat(seat) for seat in range(count))
        for size in range(1, count):
            for part in itertools.combinations(sorted(members), size):
                one = frozenset(part)
                assert not (may_go_on(members, one) and may_go_on(members, members - one))


def test_who_has_heard_a_seat_stands_by_it_and_the_others_take_its_word_after_all() -> None:
    """Seat 1's answer reached only seat 0 before the others gave it up."""
    party = make_party(4, 3, BUSY)
    stopped_at(party, Kind.SEAL)
    late = [(to, raw) for to, raw in party.flying]
    speaker = party.tables[0]._round.speakers[0]
    mine = [s for s in party.tables[speaker]._now.messages.values() if s.message.seat == speaker]
    assert mine
    raw = mine[0].raw
    others = [seat for seat in party.terms.seats if seat != speaker]
    party.flying = [(to, r) for to, r in late if r != raw]
    witness, *rest = others
    party.handle(witness, party.tables[witness].receive(raw))
    for seat in rest:
        party.handle(seat, party.tables[seat].declare_absent({speaker}))
    party.flying += [(to, raw) for to in rest]
    party.play()
    agreed(party)
    assert not any(isinstance(n, LeftBehind) for ns in party.notices for n in ns)
    assert party.complaints() == []


def test_who_is_wrongly_given_up_by_one_alone_stays_in_the_game() -> None:
    party = make_party(4, 3, BUSY)
    stopped_at(party, Kind.DECIDE)
    waited = party.tables[0]._round.speakers[0]
    hasty = next(seat for seat in party.terms.seats if seat != waited)
    party.handle(hasty, party.tables[hasty].declare_absent({waited}))
    party.play()
    agreed(party)
    assert not any(isinstance(n, LeftBehind) for ns in party.notices for n in ns)


def test_nobody_outside_the_game_is_called_absent_nor_oneself() -> None:
    party = make_party(3, 3, BUSY)
    stopped_at(party, Kind.COIN)
    table = party.tables[0]
    assert table.declare_absent({0}) == []  # type: ignore[arg-type]
    assert table.declare_absent({9}) == []  # type: ignore[arg-type]
    assert table.declare_absent({1, 2}) == []  # type: ignore[arg-type]


@pytest.mark.parametrize("other", ["1:", "1:2", "1:1,2"])
def test_two_statements_for_one_attempt_convict_by_themselves(other: str) -> None:
    party = make_party(4, 3, BUSY)
    stopped_at(party, Kind.SHUFFLE)
    watching = party.new_table(None)
    for raw in party.raws():
        watching.receive(raw)
    model = party.messages()[-1]
    place = {"round": watching.round, "parent": watching._now.parent, "seat": 3}
    absent = party.signed_again(model, kind=Kind.ABSENT, body=("1:1",), **place)
    second = party.signed_again(model, kind=Kind.ABSENT, body=(other,), **place)
    assert isinstance(watching.receive(absent.raw)[0], Accepted)
    *_, blame = watching.receive(second.raw)
    assert isinstance(blame, Blame)
    assert (blame.seat, blame.rule) == (3, "absence")
    assert verify_evidence(make_evidence(party.terms, blame)).seat == 3


BAD = ["1:3", "1:1,3", "1:3,1", "1:1,1", "1:01", "1:9", ":", ":1", "1", "x", "1:1,", "1:,1"]
BAD += ["0:1", "100:1", "01:1", "1:-1", "-1:1", "1:²", "1:1:1", "", "1: 1"]


@pytest.mark.parametrize("seats", BAD)
def test_a_statement_that_makes_no_sense_is_blamed_or_cannot_be_written(seats: str) -> None:
    party = make_party(4, 3, BUSY)
    stopped_at(party, Kind.SHUFFLE)
    model = party.messages()[-1]
    table = party.tables[0]
    place = {"round": table.round, "parent": table._now.parent, "seat": 3}
    try:
        statement = party.signed_again(model, kind=Kind.ABSENT, body=(seats,), **place)
    except ValueError:
        with pytest.raises(Violation):
            parse_statement(seats)
        return
    blame = table.receive(statement.raw)[0]
    assert isinstance(blame, Blame)
    assert (blame.seat, blame.rule) == (3, "absence")


def test_a_statement_is_written_in_one_way() -> None:
    said = Statement(2, frozenset({Seat(3), Seat(0)}))
    assert said.text == "2:0,3"
    assert parse_statement("2:0,3") == said


@pytest.mark.parametrize("kind", [Kind.SHUFFLE, Kind.DECIDE, Kind.SEAL, Kind.SHARES, Kind.OPEN])
def test_a_seat_caught_cheating_is_out_at_once_and_the_game_goes_on(kind: Kind) -> None:
    party = make_party(4, 3, BUSY)
    stopped_at(party, kind)
    cheat = party.tables[0]._round.speakers[-1]
    usual = next(s for s in played(4, 3, BUSY).messages() if s.message.kind is kind)
    first, *rest = usual.message.body
    wrong = "9 income" if isinstance(first, str) else bytes(len(first))
    table = party.tables[(cheat + 1) % 4]
    place = {"round": table.round, "parent": table._now.parent, "seat": cheat}
    false = party.signed_again(usual, body=(wrong, *rest), **place)
    party.vanish(cheat)
    for seat in set(party.terms.seats) - {cheat}:
        party.handle(seat, party.tables[seat].receive(false.raw))
    party.play_on()
    agreed(party)
    for seat in set(party.terms.seats) - {cheat}:
        blames = [n for n in party.notices[seat] if isinstance(n, Blame)]
        assert {blame.seat for blame in blames} <= {cheat}
        losses = [n for n in party.notices[seat] if isinstance(n, LeftBehind)]
        assert losses[0].seats == {cheat}


@pytest.mark.parametrize(("gone", "moment"), RESTARTS if NIGHTLY else RESTARTS[:2])
def test_after_a_loss_a_restart_takes_everything_back_from_the_journal(
    gone: int, moment: int
) -> None:
    party = bereft(4, gone, moment)
    here = [seat for seat in party.terms.seats if seat != gone]
    for seat in here:
        journal = [n.signed.raw for n in party.notices[seat] if isinstance(n, Accepted)]
        for cut in {len(journal), len(journal) // 2, len(journal) // 3}:
            table = party.new_table(seat)
            for raw in journal[:cut]:
                assert any(isinstance(n, Accepted) for n in table.receive(raw))
            said = [n.signed for n in table.begin() if isinstance(n, Accepted)]
            places = {parsed.message.place for parsed in said}
            before = {
                n.signed.message.place: n.signed.raw
                for n in party.notices[seat]
                if isinstance(n, Accepted) and n.own
            }
            assert all(before[s.message.place] == s.raw for s in said if s.message.place in before)
            assert len(places) == len(said)
