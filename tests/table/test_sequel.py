"""The terms of the next game of a match, by the end of the one before."""

import pytest

from p2pcoup.audit import audit, match_flaw
from p2pcoup.rules import Seat
from p2pcoup.table import Blame, TermsError
from p2pcoup.table.sequel import following_terms
from p2pcoup.wire import Kind, parse
from tests.table.party import BUSY, Party, bereft, make_party, played
from tests.table.twins import twin


def next_party(before: Party) -> Party:
    """The next game, as the first of those who are left would have it."""
    here = next(seat for seat in before.terms.seats if seat not in before.gone)
    terms = following_terms(before.tables[here], "the next game")
    identities = {identity.peer_id: identity for identity in before.identities}
    party = Party(
        terms,
        [identities[member.peer] for member in terms.roster],
        [bytes([seat]) * 32 for seat in terms.seats],
        BUSY,
        before.luck,
    )
    party.sit_down()
    return party


def test_all_who_have_played_to_the_end_derive_the_same_terms() -> None:
    before = bereft(4, 1, 60)
    here = [seat for seat in before.terms.seats if seat not in before.gone]
    ids = {following_terms(before.tables[seat], "next").game_id for seat in here}
    assert len(ids) == 1


def test_without_a_loss_the_same_people_play_in_the_same_order_and_the_winner_starts() -> None:
    before = played(3, 3, BUSY)
    table = before.tables[0]
    terms = following_terms(table, "next")
    assert terms.roster == before.terms.roster
    assert terms.sequel is not None
    assert table.outcome is not None
    assert terms.sequel.order == table.game.playing.order
    assert terms.sequel.starter == table.outcome.winner
    assert terms.sequel.previous == table.final_digest


def test_a_seat_that_signs_its_last_word_twice_does_not_part_the_others_in_the_next_game() -> None:
    party = make_party(3, 3, BUSY)
    party.begin()
    party.play(until=lambda: party.tables[0]._round.kind is Kind.RESULT)
    cheat, honest = sorted(party.tables[0].game.members)
    (third,) = set(party.terms.seats) - {cheat, honest}

    def to_the_third(raw: bytes) -> bytes:
        signed = parse(raw)
        false = (signed.message.kind, signed.message.seat) == (Kind.RESULT, cheat)
        return twin(signed, party.identities[cheat]).raw if false else raw

    while party.flying:
        to, raw = party.flying[0]
        party.flying[0] = to, to_the_third(raw) if to == third else raw
        party.deliver()
    one, other = party.tables[honest], party.tables[third]
    assert one.outcome == other.outcome is not None
    assert one.messages(one.round) != other.messages(other.round), "they have heard different words"
    assert following_terms(one, "next") == following_terms(other, "next")
    (words,) = (m for m in one.messages(one.round) if m.message.seat == cheat)
    (blame,) = other.receive(words.raw)
    assert isinstance(blame, Blame)
    assert blame.rule == "equivocation"
    assert following_terms(one, "next") == following_terms(other, "next")


def test_who_was_lost_has_no_seat_in_the_next_game_and_the_others_keep_their_order() -> None:
    before = bereft(4, 1, 60)
    table = before.tables[0]
    party = next_party(before)
    assert party.terms.names == ("Ash", "Cedar", "Elm")
    order = table.game.playing.order
    assert party.terms.sequel is not None
    assert [party.terms.names[seat] for seat in party.terms.sequel.order] == [
        before.terms.names[seat] for seat in order if seat != 1
    ]
    party.begin()
    party.play()
    assert all(each.outcome is not None for each in party.tables)
    earlier, later = audit(before.transcript()), audit(party.transcript())
    assert match_flaw(earlier, later) is None
    assert later.names[later.sequel.starter] == earlier.names[earlier.winner]


def test_a_winner_that_vanishes_before_it_signs_leaves_the_start_to_the_next_one() -> None:
    before = make_party(4, 3, BUSY)
    before.begin()
    table = before.tables[0]

    def ending() -> bool:
        return table._round.kind is Kind.RESULT

    before.play(until=ending)
    winner = table.game.playing.living[0]
    others = [seat for seat in before.terms.seats if seat != winner]
    before.vanish(winner)
    before.play_on()
    end = before.tables[others[0]]
    assert end.outcome is not None
    assert end.outcome.winner == winner
    assert winner in end.game.lost
    terms = following_terms(end, "next")
    order = end.game.playing.order
    after = order[(order.index(winner) + 1) % len(order)]
    assert terms.sequel is not None
    assert terms.names[terms.sequel.starter] == before.terms.names[after]
    party = next_party(before)
    party.begin()
    party.play()
    earlier = audit(before.transcript())
    assert match_flaw(earlier, audit(party.transcript())) is None


def test_one_alone_plays_no_further_game() -> None:
    before = bereft(2, 1, 4)
    with pytest.raises(TermsError, match="1 players cannot play"):
        following_terms(before.tables[0], "next")


def test_a_game_that_goes_on_has_no_next_one() -> None:
    party = make_party(2, 3, BUSY)
    with pytest.raises(RuntimeError, match="not over"):
        following_terms(party.tables[Seat(0)], "next")
