"""Turns and claims, read from what has happened."""

import pytest

from p2pcoup.node.api.chronicle import Chronicle, Claims
from p2pcoup.rules import BASE, Seat, parse_move, start
from p2pcoup.table import Happened
from tests.node.api.sights import SOME_TABLES, moments
from tests.rules.dealer import Dealer
from tests.rules.random_games import Table

DUKE, ASSASSIN, CAPTAIN, _, CONTESSA = BASE.characters


class Played:
    """A game of three with open cards, by the texts of its moves."""

    def __init__(self, *hands: str) -> None:
        self.state = start(BASE, len(hands), range(len(hands)), Seat(0))
        self.dealer = Dealer.stacked(self.state, *hands)
        self.steps: list[Happened] = []

    def play(self, *moves: str) -> Chronicle:
        """Play these moves, the cards answering in between, and read the whole past."""
        for text in moves:
            self._take(parse_move(BASE, text))
            while self.state.request is not None:
                self._take(self.dealer.answer(self.state))
        return Chronicle.of(self.steps)

    def _take(self, event) -> None:
        before = self.state
        self.state = self.dealer.play(before, event)
        self.steps.append(Happened(before, event, self.state))


def test_a_claim_that_nobody_doubts_is_only_counted() -> None:
    game = Played("captain contessa", "duke duke", "captain duke")
    chronicle = game.play("0 tax", "1 pass", "2 pass")
    assert chronicle.claims == {(0, DUKE): Claims(1, 0, 0)}
    assert (chronicle.turn, chronicle.act) == (2, None)


def test_a_claim_that_is_shown_is_proven_and_one_that_is_not_is_caught() -> None:
    game = Played("captain contessa", "duke duke", "captain duke")
    game.play("0 tax", "1 challenge", "2 pass", "0 decline", "0 lose 0")
    chronicle = game.play("1 tax", "2 challenge", "0 pass", "1 show 0", "2 lose 0")
    assert chronicle.claims == {(0, DUKE): Claims(1, 0, 1), (1, DUKE): Claims(1, 1, 0)}


def test_a_block_is_a_claim_and_is_shown_while_it_counts() -> None:
    game = Played("captain contessa", "duke duke", "captain duke")
    game.play("0 foreign-aid", "1 block duke", "2 block duke")
    chronicle = game.play("0 challenge", "2 pass")
    assert chronicle.claims[1, DUKE] == chronicle.claims[2, DUKE] == Claims(1, 0, 0)
    assert chronicle.block is not None
    assert chronicle.block.seat == 1, "it is next clockwise"
    chronicle = game.play("1 show 1", "0 lose 1")
    assert chronicle.claims[1, DUKE] == Claims(1, 1, 0)
    assert chronicle.block is None


def test_giving_up_when_one_has_to_prove_is_to_be_caught() -> None:
    game = Played("captain contessa", "duke duke", "captain duke")
    chronicle = game.play("0 tax", "1 challenge", "2 pass", "0 concede")
    assert chronicle.claims == {(0, DUKE): Claims(1, 0, 1)}
    assert chronicle.out == {0: 1}


@pytest.mark.parametrize("table", SOME_TABLES, ids=str)
def test_reading_step_by_step_or_all_at_once_gives_the_same(table: Table) -> None:
    steps = []
    for _, state, chronicle, step in moments(6, table):
        steps.append(step)
        assert chronicle.fits(steps)
        assert set(chronicle.out) == set(state.order) - set(state.living)
    assert Chronicle.of(steps) == chronicle
    assert not chronicle.fits(steps[:-1]), "a table that has gone back is read anew"
    assert not chronicle.fits([*steps[:-1], Happened(*_parts(steps[-1]))])


def _parts(step: Happened):
    return step.before, step.event, step.after


def test_turns_are_counted_as_they_begin() -> None:
    game = Played("captain contessa", "duke duke", "captain duke")
    assert Chronicle.of([]).turn == 0
    for turn in range(1, 7):
        seat = game.state.turn
        chronicle = game.play(f"{seat} income")
        assert chronicle.turn == turn + 1
