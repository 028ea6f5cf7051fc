"""A whole game between tables: everybody ends with the same transcript and result."""

import pytest

from p2pcoup.audit import Verdict, audit
from p2pcoup.table import Finished, Sequel
from p2pcoup.wire import Kind
from tests.table.party import ABSENCE, BASE_GAME, BUSY, GAMES, Game, make_party, played


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_a_game_ends_with_one_transcript_at_every_seat_that_audits(seats: int) -> None:
    party = played(seats, seed=seats)
    assert {table.outcome for table in party.tables} == {party.tables[0].outcome}
    assert len({tuple(party.raws(seat)) for seat in range(seats)}) == 1
    assert party.complaints() == []
    report = audit(party.transcript())
    assert report.verdict is Verdict.VALID, report.problem
    assert party.tables[0].outcome is not None
    assert report.winner == party.tables[0].outcome.winner
    for notices in party.notices:
        assert [n for n in notices if isinstance(n, Finished)] == [notices[-1]]


@pytest.mark.parametrize("seed", range(6))
def test_whatever_order_messages_arrive_in_the_transcript_is_the_same(seed: int) -> None:
    usual = played(3, seed=1)
    party = make_party(3, seed=1)
    party.luck.seed(seed)
    party.begin()
    party.play(any_order=True)
    assert party.raws(0) == party.raws(1) == party.raws(2) == usual.raws()
    assert party.complaints() == []


def test_the_order_of_the_roster_does_not_decide_who_starts() -> None:
    starters, orders = set(), set()
    for seed in range(20):
        party = make_party(3, seed)
        party.deal()
        starters.add(party.tables[0].game.playing.turn)
        orders.add(party.tables[0].game.playing.order)
        if starters == {0, 1, 2} and len(orders) >= 5:
            break
    assert starters == {0, 1, 2}
    assert len(orders) >= 5


def test_the_deck_follows_from_the_secret_seeds_of_all_the_seats() -> None:
    decks = []
    for changed in (None, None, 0, 1):
        party = make_party(2, seed=5)
        if changed is not None:
            party.seeds[changed] = party.seeds[changed][::-1]
            party.tables = [party.new_table(seat) for seat in party.terms.seats]
        party.deal()
        decks.append(party.tables[0].game.cards)
    assert decks[0] == decks[1]
    assert decks[0] != decks[2] != decks[3] != decks[0]


@pytest.mark.parametrize("game", GAMES, ids=["base", "inquisitor", "fives"])
def test_games_of_each_edition_and_set_up_audit(game: Game) -> None:
    party = played(*game)
    assert len({tuple(party.raws(seat)) for seat in party.terms.seats}) == 1
    assert party.complaints() == []
    assert audit(party.transcript()).verdict is Verdict.VALID


def test_every_kind_of_message_takes_part_in_some_game_of_these_tests() -> None:
    kinds = {signed.message.kind for game in GAMES for signed in played(*game).messages()}
    assert kinds == set(Kind) - ABSENCE


def test_in_a_later_game_of_a_match_the_order_stays_and_the_winner_starts() -> None:
    first = played(*BASE_GAME)
    table = first.tables[0]
    assert table.outcome is not None
    order, winner = table.game.playing.order, table.outcome.winner
    sequel = Sequel(table.final_digest, order, winner)
    assert {t.final_digest for t in first.tables} == {table.final_digest}
    second = make_party(3, 4, BUSY, sequel=sequel)
    second.deal()
    assert second.tables[0].game.playing.order == order
    assert second.tables[0].game.playing.turn == winner
    second.play()
    assert audit(second.transcript()).verdict is Verdict.VALID
