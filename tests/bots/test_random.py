"""The random bot: any legal move, each as likely as any other."""

import random
from collections import Counter, defaultdict

import pytest

from p2pcoup.bots import random_move
from p2pcoup.rules import DecisionKind, pending
from tests.bots.tables import Decided, play, position
from tests.rules.random_games import TABLES, Table


def test_every_legal_move_is_as_likely_as_any_other() -> None:
    view = position(["duke captain", "duke contessa", "captain contessa"], "8,2,2").view(0)
    legal = view.legal_moves()
    assert len(legal) == 10  # four without a target, three with two targets each
    luck = random.Random(1)
    counts = Counter(random_move(view, luck) for _ in range(100 * len(legal)))
    assert set(counts) == set(legal)
    # The chance that one of ten is that far from 100, at 9.5 a standard deviation, is 1 in 3000.
    assert all(60 < counts[move] < 140 for move in legal)


def test_it_claims_blocks_and_challenges_without_looking_at_its_cards() -> None:
    game = position(["duke duke", "captain captain"], "3,3")
    assert {"0 assassinate 1", "0 steal 1", "0 exchange", "0 tax"} <= game.choices(
        random_move, 0, 200
    )
    game.then("0 steal 1")
    assert game.choices(random_move, 1) == {"1 pass", "1 challenge"}
    game.then("1 pass")
    assert game.choices(random_move, 1) == {"1 pass", "1 block captain", "1 block ambassador"}


def test_it_shows_no_other_card_than_the_claimed_one() -> None:
    game = position(["captain duke", "duke captain"], "2,2", "0 tax", "1 challenge")
    assert game.choices(random_move, 0) == {"0 show 1", "0 decline"}


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_its_games_end_and_every_move_in_them_is_legal(table: Table) -> None:
    def watch(decided: Decided) -> None:
        assert decided.move in decided.view.legal_moves()

    for seed in range(5):
        play(table, [random_move] * table.seats, seed, watch)


def test_over_many_games_it_makes_every_legal_move_of_every_kind_of_decision() -> None:
    """Of a decision with n legal moves each place in the list is chosen sooner or later."""
    chosen: dict[tuple[DecisionKind, int], set[int]] = defaultdict(set)

    def watch(decided: Decided) -> None:
        legal = decided.view.legal_moves()
        kind = next(k for seat, k in pending(decided.state) if seat == decided.view.seat)
        chosen[kind, len(legal)].add(legal.index(decided.move))

    for table in TABLES:
        if table.seats < 4:
            for seed in range(25):
                play(table, [random_move] * table.seats, seed, watch)
    assert {kind for kind, _ in chosen} == set(DecisionKind)
    common = [(kind, count) for kind, count in chosen if kind is not DecisionKind.ACT]
    assert common
    for kind, count in common:
        assert chosen[kind, count] == set(range(count)), (kind, count)


def test_the_same_luck_gives_the_same_move() -> None:
    view = position(["duke duke", "captain captain"], "3,3").view(0)
    for seed in range(50):
        moves = {random_move(view, random.Random(seed)) for _ in range(3)}
        assert len(moves) == 1
