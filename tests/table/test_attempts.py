"""Attempts to agree on who is gone: nobody is hurried, nobody is stuck, nothing is forgotten."""

import pytest

from p2pcoup.audit import make_evidence, verify_evidence
from p2pcoup.rules import Seat
from p2pcoup.table import Accepted, Behind, Blame, LeftBehind, Notice, Refused, Table
from p2pcoup.table.open_round import MAX_ATTEMPTS, QUICK_ATTEMPTS
from p2pcoup.wire import Kind, SignedMessage, parse
from tests.table.party import BUSY, Party, bereft, make_party, played, watcher
from tests.table.test_absence import agreed, stopped_at


def statement(party: Party, seat: int, text: str, table: Table) -> SignedMessage:
    """A statement of a seat about the round that is open at a table."""
    model = party.messages()[0]
    place = {"round": table.round, "parent": table._now.parent, "seat": seat}
    return party.signed_again(model, kind=Kind.ABSENT, body=(text,), **place)


def stated(notices: list[Notice]) -> list[str]:
    """The texts of the statements that a table has made itself."""
    own = [n.signed.message for n in notices if isinstance(n, Accepted) and n.own]
    return [str(message.body[0]) for message in own if message.kind is Kind.ABSENT]


def waiting_for_one() -> tuple[Party, int, int, list[int]]:
    """A party of four in a round of a single seat; that seat, which has spoken but is not heard
    yet, a cheat, and the two others.
    """
    party = make_party(4, 3, BUSY)
    stopped_at(party, Kind.DECIDE)
    here, slow = party.tables[0].round, party.tables[0]._round.speakers[0]
    while party.flying:
        party.flying = [(to, raw) for to, raw in party.flying if parse(raw).message.round < here]
        party.deliver()
    cheat, *others = [seat for seat in party.terms.seats if seat != slow]
    assert all(party.tables[seat].waiting_for == (slow,) for seat in others)
    return party, slow, cheat, others


def test_no_attempts_of_others_hurry_a_seat_into_giving_up_one_that_is_only_slow() -> None:
    party, slow, cheat, others = waiting_for_one()
    table = party.tables[others[0]]
    said = []
    for attempt in range(1, 20):
        said += stated(table.receive(statement(party, cheat, f"{attempt}:{slow}", table).raw))
    assert said == []
    # The cheat has named one seat for the first time, and so has this seat now.
    quick = range(1, QUICK_ATTEMPTS + 2 + 1)
    assert stated(table.declare_absent({Seat(slow)})) == [f"{n}:{slow}" for n in quick]


def test_with_a_cheat_only_the_cheat_is_given_up_at_once() -> None:
    party, slow, cheat, others = waiting_for_one()
    table = party.tables[others[0]]
    model = next(s for s in party.messages() if s.message.kind is Kind.SHUFFLE)
    place = {"round": table.round, "parent": table._now.parent, "seat": cheat}
    notices = table.receive(party.signed_again(model, **place).raw)
    assert isinstance(notices[0], Blame)
    assert stated(notices) == [f"1:{cheat}"]
    for text in (f"1:{slow}", f"2:{slow}", f"3:{slow}"):
        assert stated(table.receive(statement(party, cheat, text, table).raw)) == []
    assert slow in table.waiting_for


def flooded(names: str) -> tuple[Party, Table, int, int, int, list[str]]:
    """A party of five and a table of it that waits for a cheat, which makes all the attempts there
    can be for a round that the table has closed, calling these absent. Also that round, the cheat,
    somebody else who may need an answer there, and what the table has stated.
    """
    party = make_party(5, 3, BUSY)
    party.begin()
    party.play(until=lambda: party.tables[0].round >= 2)
    table, past = party.tables[0], party.tables[0].round - 1
    cheat, *_ = table.waiting_for
    honest = next(seat for seat in (3, 4) if seat != cheat)
    flood = [about(party, table, past, cheat, f"{n}:{names}") for n in range(1, MAX_ATTEMPTS + 1)]
    said = [text for raw in flood for text in stated(table.receive(raw))]
    assert table._rounds[past].latest_of(cheat) == MAX_ATTEMPTS
    return party, table, past, cheat, honest, said


def about(party: Party, table: Table, round_: int, seat: int, text: str) -> bytes:
    """A statement of a seat about a round that a table has closed."""
    place = {"round": round_, "parent": table._rounds[round_].parent, "seat": seat}
    model = party.messages()[0]
    return party.signed_again(model, kind=Kind.ABSENT, body=(text,), **place).raw


@pytest.mark.parametrize(("names", "more"), [("2", 1), ("0,2", 2), ("", 0)])
def test_for_a_closed_round_a_flood_gets_a_few_answers_at_once_and_one_more_for_each_seat_it_names(
    names: str, more: int
) -> None:
    *_, said = flooded(names)
    assert said == [f"{n}:" for n in range(1, QUICK_ATTEMPTS + more + 1)]


def test_whatever_a_cheat_floods_who_has_just_caught_somebody_gets_its_answer_at_once() -> None:
    party, table, round_, cheat, honest, said = flooded("2")
    late: list[str] = []
    for number in range(1, len(said) + 1):
        late += stated(table.receive(about(party, table, round_, honest, f"{number}:")))
    assert late == [], "all of these are answered already"
    wish = f"{len(said) + 1}:{cheat}"
    assert stated(table.receive(about(party, table, round_, honest, wish))) == [f"{len(said) + 1}:"]
    again = f"{len(said) + 2}:{cheat}"
    assert stated(table.receive(about(party, table, round_, honest, again))) == []


def test_the_rest_of_a_flood_is_answered_one_by_one_when_the_table_waits_in_vain() -> None:
    _, table, _, _, _, said = flooded("2")
    for number in range(len(said) + 1, len(said) + 4):
        assert stated(table.declare_absent(set())) == [f"{number}:"]


def test_whose_attempt_gets_its_answer_late_is_given_one_grace_time_more_and_no_second() -> None:
    _, table, _, cheat, _, said = flooded("2")
    silent = {Seat(cheat)}
    assert silent <= table.unheard
    assert stated(table.declare_absent(silent)) == [f"{len(said) + 1}:"]
    assert stated(table.declare_absent(silent)) == [f"{len(said) + 2}:", f"1:{cheat}"]


def test_a_third_signature_makes_nobody_go_back_a_third_time() -> None:
    party = make_party(4, 3, BUSY)
    party.begin()
    party.play(until=lambda: party.tables[0].round >= 2)
    table = party.tables[0]
    old = next(s for s in party.messages() if s.message.kind is Kind.COIN and s.message.seat == 3)
    bodies = [(bytes([n] * 32), bytes(32)) for n in range(3)]
    second, third, fourth = (party.signed_again(old, body=body).raw for body in bodies)
    assert stated(table.receive(second)) == ["1:3"]
    for seat in (1, 2):
        table.receive(statement(party, seat, "1:", table).raw)
    here = table.round
    assert here > 1, "the others stand by it"
    for raw in (third, fourth):
        notices = table.receive(raw)
        assert isinstance(notices[0], Blame)
        assert stated(notices) == []
        assert table.round == here


def test_who_has_heard_the_seat_says_in_the_same_attempt_that_it_is_not_gone() -> None:
    party = make_party(4, 3, BUSY)
    stopped_at(party, Kind.SEAL)
    table = party.tables[0]
    party.play(until=lambda: bool(table._now.messages.keys() - {0}) and bool(table.waiting_for))
    heard = next(iter(table._now.messages.keys() - {0}))
    hasty = next(seat for seat in (1, 2, 3) if seat != heard)
    assert stated(table.receive(statement(party, hasty, f"1:{heard}", table).raw)) == ["1:"]


def test_who_was_cut_off_can_agree_with_those_who_had_closed_the_round() -> None:
    """Seat 0 has called 2 absent, which has closed the round; 1, who could settle it, is gone."""
    party = make_party(3, 3, BUSY)
    party.begin()
    party.play(until=lambda: all(table.round == 1 for table in party.tables))
    of_two = [s.raw for s in party.tables[2]._now.messages.values() if s.message.seat == 2]
    held = [raw for to, raw in party.flying if to == 0 and raw in of_two]
    party.flying = [(to, raw) for to, raw in party.flying if raw not in of_two]
    assert held
    party.play()
    party.vanish(1)
    assert stated(party.tables[0].declare_absent({Seat(2)})) == ["1:2"]
    assert party.tables[2].round == 2
    party.flying += [(0, raw) for raw in held]
    party.flying += [(2, s.raw) for s in party.tables[0].messages(1)]
    party.play_on()
    party.vanish()
    agreed(party)
    losses = [n for n in party.notices[0] if isinstance(n, LeftBehind)]
    assert [loss.seats for loss in losses] == [{1}]


def test_who_only_watches_follows_the_latest_agreement() -> None:
    party = make_party(5, 3, BUSY)
    stopped_at(party, Kind.DECIDE)
    first = party.tables[0]._round.speakers[0]
    second, *rest = [seat for seat in party.terms.seats if seat != first]
    table = watcher(party, len(party.messages()))
    round_ = table.round
    early = [statement(party, seat, f"1:{first}", table) for seat in (second, *rest)]
    gone = ",".join(str(seat) for seat in sorted((first, second)))
    late = [statement(party, seat, f"2:{gone}", table) for seat in rest]
    told = [n for signed in (*early, *late) for n in table.receive(signed.raw)]
    losses = [n for n in told if isinstance(n, LeftBehind)]
    assert [loss.seats for loss in losses] == [{first}, {first, second}]
    assert {loss.round for loss in losses} == {round_}
    assert table.game.lost == {first, second}


# --- what is remembered ---------------------------------------------------------------------------


def test_a_restart_closes_no_round_that_an_own_statement_keeps_open() -> None:
    """The journal holds the word that completes the round before the statement."""
    party, slow, _, others = waiting_for_one()
    table = party.tables[others[0]]
    assert stated(table.declare_absent({Seat(slow)})) == [f"1:{slow}"]
    own = [s for s in table.messages(table.round) if s.message.kind is Kind.ABSENT]
    word = [s for s in party.tables[slow].messages(table.round) if s.message.seat == slow]
    assert word
    table.receive(word[0].raw)
    journal = [s.raw for s in (*party.messages(others[0]), *word, *own)]
    again = party.new_table(others[0])
    again.remember(journal)
    for raw in journal:
        again.receive(raw)
    assert (again.round, again.waiting_for) == (table.round, ())
    assert stated(again.begin()) == []


def test_after_a_restart_a_peer_answers_what_it_had_heard_before_it_crashed() -> None:
    """It closed the round that another seat is still in, and died before it could say so."""
    party, slow, cheat, others = waiting_for_one()
    here, other = others
    table = party.tables[here]
    asked = statement(party, other, f"1:{cheat}", table)
    word = [s for s in party.tables[slow].messages(table.round) if s.message.seat == slow]
    journal = [s.raw for s in (*party.messages(here), *word, asked)]
    again = party.new_table(here)
    again.remember(journal)
    for raw in journal:
        again.receive(raw)
    assert again.round == table.round + 1
    assert stated(again.begin()) == ["1:"]


def test_evidence_is_made_before_the_table_goes_back_to_the_round_in_question() -> None:
    party = make_party(4, 3, BUSY)
    party.begin()
    party.play(until=lambda: party.tables[0].round >= 2)
    table = party.tables[0]
    old = next(s for s in party.messages() if s.message.kind is Kind.COIN and s.message.seat == 3)
    second = party.signed_again(old, body=(bytes(32), bytes(32)))
    blame, *others = table.receive(second.raw)
    assert isinstance(blame, Blame)
    assert Behind() in others
    assert table.round == 1
    assert stated(others) == ["1:3"]
    finding = verify_evidence(make_evidence(party.terms, blame))
    assert (finding.seat, finding.rule) == (3, "equivocation")


def test_the_same_course_is_taken_again_without_asking_for_its_messages() -> None:
    """The others stand by the seat: what was said after the round counts again by itself."""
    party = make_party(4, 3, BUSY)
    party.begin()
    party.play(until=lambda: party.tables[0].round >= 3)
    table, before = party.tables[0], party.messages()
    old = next(s for s in before if s.message.kind is Kind.COIN and s.message.seat == 3)
    table.receive(party.signed_again(old, body=(bytes(32), bytes(32))).raw)
    assert table.round == 1
    for seat in (1, 2):
        table.receive(statement(party, seat, "1:", table).raw)
    table.receive(old.raw)
    assert [s.raw for s in table.transcript()][: len(before)] == [s.raw for s in before]


def test_a_finished_game_is_never_taken_back() -> None:
    party = played(3, 3, BUSY)
    last = party.messages()[-1]
    table = party.new_table((last.message.seat + 1) % 3)
    for raw in party.raws():
        table.receive(raw)
    outcome, second = table.outcome, party.signed_again(last, body=("winner 9",))
    (blame,) = table.receive(second.raw)
    assert isinstance(blame, Blame)
    assert table.outcome == outcome
    assert [s.raw for s in table.transcript()] == party.raws()


def test_a_table_torn_in_two_by_one_seat_comes_together_without_it() -> None:
    """It tells two that seat 0 is gone, and the others in the same attempt that nobody is."""
    party = make_party(5, 3, BUSY)
    stopped_at(party, Kind.COIN)
    party.play(until=lambda: all(table.round >= 1 for table in party.tables))
    one = next(s for s in party.tables[4]._now.messages.values() if s.message.seat == 4)
    party.flying = [(to, raw) for to, raw in party.flying if raw != one.raw]
    party.play()
    nobody, first = (party.signed_again(one, kind=Kind.ABSENT, body=(t,)) for t in ("1:", "1:0"))
    told = [one, one, one, one, first, nobody, first, nobody, nobody, first, nobody, first]
    for number, signed in enumerate(told):
        party.handle(number % 4, party.tables[number % 4].receive(signed.raw))
    party.vanish(4)
    party.play_on()
    agreed(party)
    assert {b.seat for ns in party.notices for b in ns if isinstance(b, Blame)} == {4}


def test_a_finished_game_without_its_secrets_does_not_follow_the_word_of_one_seat() -> None:
    party = make_party(2, 1, BUSY)
    stopped_at(party, Kind.DECIDE)
    gone = party.tables[0]._round.speakers[0]
    here = 1 - gone
    table = party.tables[here]
    party.play(until=lambda: table.round >= party.tables[0].round and bool(table.waiting_for))
    theirs = statement(party, gone, f"1:{here}", table)
    party.vanish(gone)
    party.handle(here, table.declare_absent({Seat(gone)}))
    assert table.outcome is not None
    again = Table(party.terms, clock=lambda: 0.0, seat=Seat(here))
    journal = [*party.raws(here), theirs.raw]
    again.remember(journal)
    for raw in journal:
        again.receive(raw)
    assert again.outcome == table.outcome
    assert [s.raw for s in again.transcript()] == party.raws(here)


# --- what can be proven ---------------------------------------------------------------------------


def test_speaking_out_of_turn_in_a_closed_round_is_blamed_and_proven() -> None:
    party = played(3, 3, BUSY)
    old = next(s for s in party.messages() if s.message.kind is Kind.DECIDE)
    other = next(seat for seat in party.terms.seats if seat != old.message.seat)
    false = party.signed_again(old, seat=other)
    (blame,) = watcher(party, len(party.messages())).receive(false.raw)
    assert isinstance(blame, Blame)
    finding = verify_evidence(make_evidence(party.terms, blame))
    assert (finding.seat, finding.rule) == (other, "turn")


def test_a_false_statement_in_the_first_round_is_proven_though_its_signer_was_lost_in_it() -> None:
    party = make_party(4, 3, BUSY)
    party.begin()
    table = party.new_table(None)
    joins = [next(iter(each._now.messages.values())) for each in party.tables]
    false = statement(party, 3, "1:9", table)
    for signed in (joins[0], joins[1], joins[3]):
        table.receive(signed.raw)
    for seat in (0, 1):
        table.receive(statement(party, seat, "1:2,3", table).raw)
    assert table.game.lost == {2, 3}
    (blame,) = table.receive(false.raw)
    assert isinstance(blame, Blame)
    assert verify_evidence(make_evidence(party.terms, blame)).seat == 3


def test_who_is_out_of_the_game_is_not_listened_to_any_more() -> None:
    party = bereft(4, 1, 60)
    messages = party.messages()
    place = next(n for n, s in enumerate(messages) if s.message.kind is Kind.ABSENT)
    later = next(n for n, s in enumerate(messages) if n > place and s.message.kind is Kind.DECIDE)
    table = watcher(party, later)
    (notice,) = table.receive(party.signed_again(messages[later], seat=1).raw)
    assert isinstance(notice, Refused)
    assert notice.misplaced
    assert "out of the game" in notice.reason
