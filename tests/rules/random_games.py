"""Whole random games with open cards, for tests. Not a test module."""

import random
from dataclasses import dataclass

from p2pcoup.rules import (
    EDITIONS,
    USUAL,
    Concede,
    DecisionKind,
    Edition,
    Lost,
    Options,
    Setup,
    legal_moves,
    pending,
    start,
)
from tests.rules.dealer import Dealer

MAX_STEPS = 2000
"""Random games last about a hundred steps; one that takes this many does not end."""

CONCEDING = 0.01
"""How often a random player gives up instead of deciding."""

LOSING = 0.003
"""How often somebody is lost before a step."""


@dataclass(frozen=True)
class Table:
    """What is played, and by how many."""

    edition: Edition
    options: Options
    seats: int

    def __str__(self):
        options = "" if self.options == USUAL else "-options"
        five = "-five" if self.options.setup is Setup.SET_OF_FIVE else ""
        return f"{self.edition.name}{five}{options}-{self.seats}"


STRICT = Options(failed_challenger_may_block=False, steal_from_penniless=False)
FIVE = Options(Setup.SET_OF_FIVE)
FIVE_AND_COIN = Options(Setup.SET_OF_FIVE, starter_coin=True)
NUMBERS = {USUAL: range(2, 7), STRICT: [3], FIVE: [2], FIVE_AND_COIN: [2]}
TABLES = [
    Table(edition, options, seats)
    for edition in EDITIONS.values()
    for options, numbers in NUMBERS.items()
    for seats in numbers
]
"""Every edition with every number of players, and with every set-up."""


def random_game(seed, table, losing=LOSING):
    """Yield (dealer, state, event, next state) for each step of one random game."""
    luck = random.Random(seed)
    order = list(range(table.seats))
    luck.shuffle(order)
    state = start(table.edition, table.seats, order, luck.choice(order), table.options)
    dealer = Dealer.deal(state, luck)
    for _ in range(MAX_STEPS):
        if state.outcome is not None:
            return
        event = random_event(luck, dealer, state, losing)
        after = dealer.play(state, event)
        yield dealer, state, event, after
        state = after
    raise AssertionError(f"no end after {MAX_STEPS} steps (seed {seed}, {table})")


def random_event(luck, dealer, state, losing):
    """Return what happens next: now and then somebody is lost or gives up."""
    if luck.random() < losing:
        return Lost(luck.choice(state.living))
    if state.request is not None:
        return dealer.answer(state)
    seat, kind = luck.choice(pending(state))
    may_concede = kind not in (DecisionKind.KEEP, DecisionKind.PICK)
    if may_concede and luck.random() < CONCEDING:
        return Concede(seat)
    return luck.choice(dealer.truthful(state, legal_moves(state, seat)))
