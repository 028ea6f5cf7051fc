"""Positions and whole games for the tests of the bots. Not a test module."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from p2pcoup.bots import Policy
from p2pcoup.rules import Move, Seat, State, View, move_to_text, pending, start
from tests.rules.dealer import Dealer
from tests.rules.random_games import Table
from tests.rules.scripts import event, table

MAX_DECISIONS = 3000
"""The longest game between bots takes a few hundred."""


@dataclass
class Position:
    """A state, with the hidden cards that belong to it."""

    state: State
    dealer: Dealer

    def then(self, *events: str) -> "Position":
        """Let these moves happen, one after the other; the cards answer whatever is asked of them.

        ``all pass`` lets everybody asked pass.
        """
        for text in events:
            if text == "all pass":
                self.then(*(f"{seat} pass" for seat, _ in pending(self.state)))
                continue
            self.state = self.dealer.play(self.state, event(self.state, text))
            while self.state.request is not None:
                self.state = self.dealer.play(self.state, self.dealer.answer(self.state))
        return self

    def view(self, seat: int) -> View:
        """What the player in that seat knows."""
        return self.dealer.view(self.state, Seat(seat))

    def choices(self, policy: Policy, seat: int, seeds: int = 20) -> set[str]:
        """The moves the bot makes here, whatever its luck, as texts."""
        view = self.view(seat)
        moves = (policy(view, random.Random(seed)) for seed in range(seeds))
        return {move_to_text(move) for move in moves}


def position(
    hands: Sequence[str], coins: str, *events: str, cards: str = "", edition: str = "base"
) -> Position:
    """The beginning of seat 0's turn, and what happens from there on.

    ``hands`` are "duke contessa" by seat; ``cards`` ("?,duke ?,?") says which are face up. The
    Court is all the rest in canonical order, drawn from its end.
    """
    state = table(coins, cards, edition=edition)
    return Position(state, Dealer.stacked(state, *hands)).then(*events)


@dataclass(frozen=True)
class Decided:
    """One decision of a game: who made it, knowing what, in which true state of the cards."""

    dealer: Dealer
    state: State
    view: View
    move: Move


def play(
    game: Table,
    policies: Sequence[Policy],
    seed: int,
    watch: Callable[[Decided], None] = lambda _decided: None,
) -> Seat:
    """Play a game between bots, one for each seat, and return the seat that wins.

    ``watch`` sees each decision before it takes effect. Raises AssertionError if there is no end.
    """
    luck = random.Random(seed)
    order = [Seat(seat) for seat in range(game.seats)]
    luck.shuffle(order)
    state = start(game.edition, game.seats, order, luck.choice(order), game.options)
    dealer = Dealer.deal(state, luck)
    for _ in range(MAX_DECISIONS):
        while state.request is not None:
            state = dealer.play(state, dealer.answer(state))
        if state.outcome is not None:
            return state.outcome.winner
        seat = luck.choice(pending(state)).seat
        view = dealer.view(state, seat)
        move = policies[seat](view, luck)
        watch(Decided(dealer, state, view, move))
        state = dealer.play(state, move)
    raise AssertionError(f"no end after {MAX_DECISIONS} decisions (seed {seed}, {game})")
